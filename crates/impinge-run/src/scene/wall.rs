//! `[[wall]]`: what does not give way.

use super::{MotionSpec, ShapeSpec, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What does not give way: a half-space (`point` and `normal`) or a surface (`shape`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Wall {
    /// For messages and pictures.
    pub name: Option<String>,
    /// A point of the plane that bounds the half-space, m.
    pub point: Option<Vec<f64>>,
    /// Out of the half-space, towards what moves; of any length.
    pub normal: Option<Vec<f64>>,
    /// A surface.
    pub shape: Option<ShapeSpec>,
    /// Where the surface's origin goes, m.
    pub position: [f64; 3],
    /// How the surface is turned.
    pub rotation: Option<Turn>,
    /// By what the surface is enlarged first.
    pub scale: Option<f64>,
    /// Whether what is inside a closed surface is free too, as in a drum; else rigid bodies and solids are pushed out.
    pub hollow: bool,
    /// How near solids come to an open or hollow surface, twice, m; a hundredth of its size unless given.
    pub thickness: Option<f64>,
    /// Its motion; at rest unless given.
    pub motion: Option<MotionSpec>,
    /// Name of its material; the first one unless given.
    pub material: Option<String>,
}
