//! Shapes of walls and rigid bodies.

use super::Radius;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Shape of a wall or a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeSpec {
    /// A box centred at the origin, by its edge lengths, m.
    Box(Vec<f64>),
    /// A ball, by its radius, m; in the plane a disc.
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
    /// A profile revolved about the z axis: hoppers, drums, pipes, plates.
    Lathe(Lathe),
}

/// A random convex body in an ellipse or ellipsoid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvexSpec {
    /// Number of vertices.
    pub vertices: usize,
    /// Longest semi-axis, m: a number or a distribution.
    pub radius: Radius,
}

/// An open-cell foam that fills a cube centred at the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Foam {
    /// Approximate number of triangles, at least 5,000.
    pub triangles: usize,
    /// Edge length of the cube, m.
    pub size: f64,
    /// Seed of the random foam.
    #[serde(default)]
    pub seed: u64,
}

/// A motorcycle of 18,000 triangles, facing along x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motorcycle {
    /// Length, m; 2.2 for a real one.
    pub length: f64,
}

/// A profile revolved about the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lathe {
    /// Corners [r, z] of the profile, m. An end with r = 0 is closed.
    pub profile: Vec<[f64; 2]>,
    /// Number of facets around the axis.
    #[serde(default = "facets")]
    pub sectors: usize,
}

fn facets() -> usize {
    48
}

impl ShapeSpec {
    /// Returns the file that the shape is read from.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Hull(path) | Self::Mesh(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the name of the shape's kind in a scene.
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
