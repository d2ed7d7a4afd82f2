//! `[[solid]]`: elastic solids of tetrahedra.

use super::{RegionSpec, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// An elastic solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolidBody {
    /// For messages and files.
    #[serde(default)]
    pub name: Option<String>,
    /// Its tetrahedra.
    pub shape: SolidShape,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, below 0.5.
    #[serde(default = "usual_ratio")]
    pub poisson: f64,
    /// kg/m³.
    pub density: f64,
    /// How it answers strain.
    #[serde(default)]
    pub model: Model,
    /// How strains follow from the motion of nodes.
    #[serde(default)]
    pub element: Element,
    /// Name of the material of its surface, for friction and restitution of contacts; the first one unless given.
    #[serde(default)]
    pub material: Option<String>,
    /// Coefficient of friction of its surface; that of its material unless given.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Rate at which its motion dies down by itself, 1/s: drag against the world, which slows free flight too.
    #[serde(default)]
    pub damping: f64,
    /// Rayleigh's β, s: viscosity of the material, which takes the energy of its vibrations and leaves free flight alone. A
    /// mode of frequency f is damped by the ratio π f β. It shortens the stable step once β comes near it.
    #[serde(default)]
    pub stiffness_damping: f64,
    /// Where its origin goes, m.
    #[serde(default)]
    pub position: [f64; 3],
    /// How it is turned.
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// By what it is enlarged first.
    #[serde(default)]
    pub scale: Option<f64>,
    /// m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// rad/s, about its centre of mass.
    #[serde(default)]
    pub spin: [f64; 3],
    /// Whether it may touch itself; to look for that costs.
    #[serde(default)]
    pub self_contact: bool,
    /// Nodes in these regions are held.
    #[serde(default)]
    pub fixed: Vec<RegionSpec>,
    /// Nodes in these regions are pushed.
    #[serde(default)]
    pub push: Vec<Push>,
}

/// A velocity that nodes of a solid have at first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Which nodes.
    pub region: RegionSpec,
    /// m/s, instead of the solid's.
    pub velocity: [f64; 3],
}

fn usual_ratio() -> f64 {
    0.3
}

/// How a solid answers strain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Linear; for small strains and small rotations.
    SmallStrain,
    /// Compressible neo-Hookean; for large ones.
    #[default]
    NeoHookean,
}

/// How strains follow from the motion of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// Each tetrahedron its own: too stiff in bending, and where Poisson's ratio comes near 0.5.
    Standard,
    /// Means at the nodes, against that locking.
    #[default]
    Smoothed,
}

/// The tetrahedra of a solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SolidShape {
    /// The tetrahedra of a mesh file: MSH, VTK, VTU or INP.
    Mesh(PathBuf),
    /// A brick from the origin.
    Brick(Brick),
    /// A V whose legs are 5 long and 1 thick [Erleben2005, figure 1.5.4]; `scale` makes it smaller.
    Vee(VeeSpec),
}

/// A brick from the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Brick {
    /// Cells along the axes, six tetrahedra each.
    pub cells: [usize; 3],
    /// Edges, m.
    pub size: [f64; 3],
}

/// A V.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VeeSpec {
    /// About so many tetrahedra, 72 or more.
    pub tetrahedra: usize,
    /// Between the legs, radians.
    pub angle: f64,
}

impl SolidShape {
    /// The file that it is read from.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Mesh(path) => Some(path),
            _ => None,
        }
    }
}
