//! `[[body]]`: rigid bodies.

use super::{MotionSpec, RegionSpec, ShapeSpec, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rigid body, or many alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// For messages.
    #[serde(default)]
    pub name: Option<String>,
    /// What it looks like.
    pub shape: ShapeSpec,
    /// How many; each with its own random shape, where the shape is random, and its own attitude.
    #[serde(default = "one")]
    pub count: usize,
    /// Where many are put, at random and apart.
    #[serde(default)]
    pub region: Option<RegionSpec>,
    /// Where one is put, m.
    #[serde(default)]
    pub position: Vec<f64>,
    /// How one is turned.
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// m/s.
    #[serde(default)]
    pub velocity: Vec<f64>,
    /// rad/s: one number in the plane, three in space.
    #[serde(default)]
    pub spin: Vec<f64>,
    /// Name of its material; the first one unless given.
    #[serde(default)]
    pub material: Option<String>,
    /// Held where it is.
    #[serde(default)]
    pub fixed: bool,
    /// Moves as given, whatever pushes it.
    #[serde(default)]
    pub motion: Option<MotionSpec>,
}

fn one() -> usize {
    1
}
