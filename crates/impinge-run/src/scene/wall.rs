//! `[[wall]]`: immovable half-spaces and surfaces.

use super::{MotionSpec, ShapeSpec, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A wall: a half-space (`point` and `normal`) or a surface (`shape`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Wall {
    /// Name used in messages and pictures.
    pub name: Option<String>,
    /// A point on the plane of the half-space, m.
    pub point: Option<Vec<f64>>,
    /// Outward normal of the half-space, of any non-zero length.
    pub normal: Option<Vec<f64>>,
    /// A surface.
    pub shape: Option<ShapeSpec>,
    /// Position of the surface's origin, m.
    pub position: [f64; 3],
    /// Orientation of the surface.
    pub rotation: Option<Turn>,
    /// Scale factor of the surface, applied first.
    pub scale: Option<f64>,
    /// Whether the inside of a closed surface is free, as in a drum. Otherwise rigid bodies and solids are pushed out.
    pub hollow: bool,
    /// Contact thickness of an open or hollow surface for elastic solids, m. Default: 1 % of its size.
    pub thickness: Option<f64>,
    /// Prescribed motion. Default: at rest.
    pub motion: Option<MotionSpec>,
    /// Name of its material. Default: the first material.
    pub material: Option<String>,
}
