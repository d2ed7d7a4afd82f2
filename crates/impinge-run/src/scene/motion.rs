//! Where things are put, and motions that are given.

use super::number_or::number_or;
use impinge_sim::Path;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A rotation: an angle in the plane, a quaternion x, y, z, w in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Turn {
    /// Radians, against the clock.
    Angle(f64),
    /// x, y, z, w; of any length but zero.
    Quaternion([f64; 4]),
}

impl From<[f64; 4]> for Turn {
    fn from(quaternion: [f64; 4]) -> Self {
        Self::Quaternion(quaternion)
    }
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_or::<_, _, [f64; 4]>(
            deserializer,
            "an angle (in the plane) or a quaternion [x, y, z, w]",
            Self::Angle,
        )
    }
}

impl Turn {
    /// As a quaternion x, y, z, w; an angle is about the z axis.
    pub fn quaternion(self) -> [f64; 4] {
        match self {
            Self::Quaternion(quaternion) => quaternion,
            Self::Angle(angle) => {
                let (sin, cos) = (0.5 * angle).sin_cos();
                [0.0, 0.0, sin, cos]
            }
        }
    }
}

/// A motion that is given, not found: all parts add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MotionSpec {
    /// m/s.
    pub velocity: [f64; 3],
    /// Axis times rad/s.
    pub spin: [f64; 3],
    /// A point of the axis of the spin, m; unless given, a body's own position, and the origin for a wall.
    pub centre: Option<[f64; 3]>,
    /// Swings by so much, m …
    pub amplitude: [f64; 3],
    /// … so many times a second, Hz.
    pub frequency: f64,
    /// When it begins, s.
    pub from: f64,
    /// When it ends, s; never unless given.
    pub until: Option<f64>,
}

impl From<&MotionSpec> for Path {
    fn from(motion: &MotionSpec) -> Self {
        Self {
            velocity: motion.velocity,
            spin: motion.spin,
            centre: motion.centre,
            amplitude: motion.amplitude,
            frequency: motion.frequency,
            since: motion.from,
            until: motion.until,
        }
    }
}
