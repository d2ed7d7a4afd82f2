//! `[[body]]`: rigid bodies.

use super::{MotionSpec, RegionSpec, ShapeSpec, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rigid body, or several of the same kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Name used in messages.
    #[serde(default)]
    pub name: Option<String>,
    /// Shape.
    pub shape: ShapeSpec,
    /// Number of bodies. Each has its own orientation and, for random shapes, its own shape.
    #[serde(default = "one")]
    pub count: usize,
    /// Region in which several bodies are placed at random without overlap.
    #[serde(default)]
    pub region: Option<RegionSpec>,
    /// Position of a single body, m.
    #[serde(default)]
    pub position: Vec<f64>,
    /// Orientation of a single body.
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// Velocity, m/s.
    #[serde(default)]
    pub velocity: Vec<f64>,
    /// Angular velocity, rad/s: one number in the plane, three in space.
    #[serde(default)]
    pub spin: Vec<f64>,
    /// Name of its material. Default: the first material.
    #[serde(default)]
    pub material: Option<String>,
    /// Direction along which alone the body moves, without rotation: a piston, or a wall with mass. With `force`, a wall
    /// that presses with a constant force.
    #[serde(default)]
    pub along: Vec<f64>,
    /// Axis about which alone the body turns: a flap, a door, a pendulum.
    #[serde(default)]
    pub hinge: Option<HingeSpec>,
    /// Constant force at the centre of mass, N; a pressure times the area that it acts on.
    #[serde(default)]
    pub force: Vec<f64>,
    /// Whether the body is fixed in place.
    #[serde(default)]
    pub fixed: bool,
    /// Prescribed motion. Contact forces do not change it.
    #[serde(default)]
    pub motion: Option<MotionSpec>,
}

/// A fixed axis that a rigid body turns about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HingeSpec {
    /// A point of the axis, m.
    pub point: Vec<f64>,
    /// Direction of the axis, of any non-zero length. Not needed in the plane.
    #[serde(default)]
    pub axis: Vec<f64>,
}

fn one() -> usize {
    1
}
