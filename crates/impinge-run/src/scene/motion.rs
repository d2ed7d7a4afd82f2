//! Placement and prescribed motion.

use super::number_or::number_or;
use impinge_sim::Path;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A rotation: an angle in the plane, a quaternion x, y, z, w in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Turn {
    /// Angle in radians, counterclockwise.
    Angle(f64),
    /// Quaternion x, y, z, w of any non-zero length.
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
    /// Returns the quaternion x, y, z, w; an angle is about the z axis.
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

/// A prescribed motion; its parts add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MotionSpec {
    /// Velocity, m/s; with an acceleration, that at the start.
    pub velocity: [f64; 3],
    /// Constant acceleration, m/s².
    pub acceleration: [f64; 3],
    /// Angular velocity vector, rad/s; with an angular acceleration, that at the start.
    pub spin: [f64; 3],
    /// Constant angular acceleration, rad/s²; parallel to the spin, if there is one.
    pub angular_acceleration: [f64; 3],
    /// Velocity of a wall's surface along itself, m/s: a conveyor belt. It turns with the wall; what points into or out of
    /// the surface has no effect.
    pub surface_velocity: [f64; 3],
    /// A point on the rotation axis, m. Default: the body's position; for a wall, the origin.
    pub centre: Option<[f64; 3]>,
    /// Oscillation amplitude, m.
    pub amplitude: [f64; 3],
    /// Oscillation frequency, Hz.
    pub frequency: f64,
    /// Start time, s.
    pub from: f64,
    /// End time, s. Default: never.
    pub until: Option<f64>,
}

impl From<&MotionSpec> for Path {
    fn from(motion: &MotionSpec) -> Self {
        Self {
            velocity: motion.velocity,
            acceleration: motion.acceleration,
            spin: motion.spin,
            angular_acceleration: motion.angular_acceleration,
            surface: motion.surface_velocity,
            centre: motion.centre,
            amplitude: motion.amplitude,
            frequency: motion.frequency,
            since: motion.from,
            until: motion.until,
        }
    }
}
