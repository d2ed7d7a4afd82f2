//! What walls and rigid bodies look like.

use super::Radius;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What a wall or a rigid body looks like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeSpec {
    /// A box about its centre, by its edges, m.
    Box(Vec<f64>),
    /// A ball, by its radius, m.
    Sphere(f64),
    /// A random convex polygon.
    Polygon(ConvexSpec),
    /// A random convex polyhedron.
    Polyhedron(ConvexSpec),
    /// The convex hull of points, m.
    Points(Vec<Vec<f64>>),
    /// The convex hull of a mesh file.
    Hull(PathBuf),
    /// The surface in a mesh file: STL, OBJ, PLY, OFF, MSH, VTK, VTU, VTP or INP.
    Mesh(PathBuf),
    /// An open-cell foam.
    Foam(Foam),
    /// A motorcycle [Aragon2013, section 5.2].
    Motorcycle(Motorcycle),
    /// A profile turned about the z axis: hoppers, drums, pipes, plates.
    Lathe(Lathe),
}

/// A random convex body in an ellipse or ellipsoid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvexSpec {
    /// How many vertices.
    pub vertices: usize,
    /// Longest half-axis, m: a number, or a distribution.
    pub radius: Radius,
}

/// An open-cell foam that fills a cube about the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Foam {
    /// About so many triangles, 5,000 or more.
    pub triangles: usize,
    /// Edge of the cube, m.
    pub size: f64,
    /// Another seed, another foam.
    #[serde(default)]
    pub seed: u64,
}

/// A motorcycle of 18,000 triangles, headed along x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motorcycle {
    /// m; 2.2 in nature.
    pub length: f64,
}

/// A profile turned about the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lathe {
    /// Corners [r, z] of the profile, m. One with r = 0 closes that end.
    pub profile: Vec<[f64; 2]>,
    /// Facets around.
    #[serde(default = "facets")]
    pub sectors: usize,
}

fn facets() -> usize {
    48
}

impl ShapeSpec {
    /// The file that it is read from.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Hull(path) | Self::Mesh(path) => Some(path),
            _ => None,
        }
    }

    /// Its name in a scene.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Sphere(_) => "sphere",
            Self::Polygon(_) => "polygon",
            Self::Polyhedron(_) => "polyhedron",
            Self::Points(_) => "points",
            Self::Hull(_) => "hull",
            Self::Mesh(_) => "mesh",
            Self::Foam(_) => "foam",
            Self::Motorcycle(_) => "motorcycle",
            Self::Lathe(_) => "lathe",
        }
    }
}
