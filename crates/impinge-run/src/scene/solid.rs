//! `[[solid]]`: elastic solids.

use super::{RegionSpec, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// An elastic solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolidBody {
    /// Name used in messages and files.
    #[serde(default)]
    pub name: Option<String>,
    /// Its mesh.
    pub shape: SolidShape,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, below 0.5.
    #[serde(default = "usual_ratio")]
    pub poisson: f64,
    /// Density, kg/m³.
    pub density: f64,
    /// Material model.
    #[serde(default)]
    pub model: Model,
    /// Formulation of linear tetrahedra; the other elements have only one.
    #[serde(default)]
    pub element: Element,
    /// Name of its surface material, for friction and restitution. Default: the first material.
    #[serde(default)]
    pub material: Option<String>,
    /// Friction coefficient of its surface. Default: that of its material.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Mass-proportional (Rayleigh α) damping, 1/s. It also slows free flight.
    #[serde(default)]
    pub damping: f64,
    /// Stiffness-proportional (Rayleigh β) damping, s. It damps vibrations and leaves free flight alone: a mode of
    /// frequency f has the damping ratio π f β. It shortens the stable step if β is close to it.
    #[serde(default)]
    pub stiffness_damping: f64,
    /// Position of its origin, m.
    #[serde(default)]
    pub position: [f64; 3],
    /// Orientation.
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// Scale factor, applied first.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Velocity, m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s, about its centre of mass.
    #[serde(default)]
    pub spin: [f64; 3],
    /// Whether to detect self-contact, at additional cost.
    #[serde(default)]
    pub self_contact: bool,
    /// Regions whose nodes are fixed.
    #[serde(default)]
    pub fixed: Vec<RegionSpec>,
    /// Initial velocities of nodes by region.
    #[serde(default)]
    pub push: Vec<Push>,
}

/// An initial velocity of some nodes of a solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Region that contains the nodes.
    pub region: RegionSpec,
    /// Velocity, m/s; replaces that of the solid.
    pub velocity: [f64; 3],
}

fn usual_ratio() -> f64 {
    0.3
}

/// Material model of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Linear elasticity, for small strains.
    SmallStrain,
    /// Compressible neo-Hookean, for large strains.
    #[default]
    NeoHookean,
}

/// Formulation of linear tetrahedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// Constant strain per tetrahedron: too stiff in bending and near incompressibility.
    Standard,
    /// Node-averaged strains, which do not lock.
    #[default]
    Smoothed,
}

/// Mesh of a solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SolidShape {
    /// The tetrahedra and hexahedra of a mesh file, of order 1 or 2: MSH, VTK, VTU or INP.
    Mesh(PathBuf),
    /// A brick with one corner at the origin.
    Brick(Brick),
    /// A ball around the origin.
    Ball(BallSpec),
    /// A layer on a ball around the origin, such as the cartilage of a joint.
    Cap(CapSpec),
    /// A V whose legs are 5 long and 1 thick [Erleben2005, figure 1.5.4]; `scale` makes it smaller.
    Vee(VeeSpec),
}

/// A brick with one corner at the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Brick {
    /// Number of cells along each axis: a hexahedron or six tetrahedra each.
    pub cells: [usize; 3],
    /// Edge lengths, m.
    pub size: [f64; 3],
    /// Kind of its finite elements.
    #[serde(default)]
    pub kind: CellKind,
}

/// A ball around the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallSpec {
    /// Radius, m.
    pub radius: f64,
    /// Number n of cells along the edges of its inner cube. It has 7 n³ cells, a hexahedron or six tetrahedra each.
    pub cells: usize,
    /// Kind of its finite elements.
    #[serde(default)]
    pub kind: CellKind,
}

/// A patch of a spherical shell around the origin, which the z axis crosses in its middle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapSpec {
    /// Outer radius, m.
    pub radius: f64,
    /// Thickness, m; less than the radius.
    pub thickness: f64,
    /// How far it reaches from the z axis in x and y, rad; at most 1.2.
    pub angle: f64,
    /// Number of cells in each direction of its surface, and through its thickness: a hexahedron or six tetrahedra each.
    pub cells: [usize; 2],
    /// Kind of its finite elements.
    #[serde(default)]
    pub kind: CellKind,
}

/// Kind of finite elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CellKind {
    /// Linear tetrahedra.
    #[default]
    Tet4,
    /// Quadratic tetrahedra, with 10 nodes.
    Tet10,
    /// Linear hexahedra.
    Hex8,
    /// Quadratic hexahedra with 20 nodes.
    Hex20,
    /// Quadratic hexahedra with 27 nodes.
    Hex27,
}

/// A V-shaped solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VeeSpec {
    /// Approximate number of tetrahedra, at least 72.
    pub tetrahedra: usize,
    /// Angle between the legs, rad.
    pub angle: f64,
}

impl SolidShape {
    /// Returns the file that the shape is read from.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Mesh(path) => Some(path),
            _ => None,
        }
    }
}
