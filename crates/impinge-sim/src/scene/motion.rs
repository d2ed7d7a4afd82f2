//! Where things are put, and motions that are given.

use super::number_or::number_or;
use impinge::space::{InvalidPose, Pose, Vector};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::f64::consts::TAU;

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

/// Where something on a given motion is, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// From where it was put to where it is.
    pub pose: Pose<3>,
    /// Of the point that is at the pose's position, m/s.
    pub velocity: Vector<3>,
    /// rad/s.
    pub spin: Vector<3>,
}

impl MotionSpec {
    /// Where and how fast at a time.
    pub fn at(&self, time: f64) -> Carried {
        let until = self.until.unwrap_or(f64::INFINITY);
        let moves = time >= self.from && time < until;
        let elapsed = (time.min(until) - self.from).max(0.0);
        let phase = TAU * self.frequency * elapsed;
        let [velocity, spin, centre, amplitude] = [
            self.velocity,
            self.spin,
            self.centre.unwrap_or_default(),
            self.amplitude,
        ]
        .map(Vector::<3>::from);
        let shift = velocity * elapsed + amplitude * phase.sin();
        let turn = turned(&(spin * elapsed));

        // Turn about the centre, then shift.
        let offset = centre - turn.vector(&centre) + shift;
        let pose = Pose::at([offset.x, offset.y, offset.z]).after(&turn);
        if !moves {
            return Carried {
                pose,
                velocity: Vector::zeros(),
                spin: Vector::zeros(),
            };
        }

        let drift = velocity + amplitude * (TAU * self.frequency * phase.cos());
        let arm = pose.position().coords - centre - shift;
        Carried {
            pose,
            velocity: drift + spin.cross(&arm),
            spin,
        }
    }

    /// Whether nothing ever moves.
    pub fn is_rest(&self) -> bool {
        let still = |v: &[f64; 3]| v.iter().all(|x| *x == 0.0);
        still(&self.velocity)
            && still(&self.spin)
            && (still(&self.amplitude) || self.frequency == 0.0)
    }
}

/// The rotation by an axis times an angle.
fn turned(turn: &Vector<3>) -> Pose<3> {
    let angle = turn.norm();
    if angle == 0.0 {
        return Pose::identity();
    }

    let axis = turn / angle;
    let (sin, cos) = (0.5 * angle).sin_cos();
    Pose::from_quaternion([axis.x * sin, axis.y * sin, axis.z * sin, cos], [0.0; 3])
        .expect("finite and of length one, as the scene's numbers are finite")
}

/// The pose of a position and a rotation in space.
pub(crate) fn pose3(position: [f64; 3], rotation: Option<Turn>) -> Result<Pose<3>, InvalidPose> {
    match rotation {
        Some(Turn::Quaternion(quaternion)) => Pose::from_quaternion(quaternion, position),
        _ => Pose::from_quaternion([0.0, 0.0, 0.0, 1.0], position),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::space::Point;

    #[test]
    fn the_velocity_of_a_motion_is_the_difference_of_its_poses() {
        let motion = MotionSpec {
            velocity: [0.1, -0.2, 0.3],
            spin: [1.0, 2.0, -0.5],
            centre: Some([0.3, 0.1, -0.7]),
            amplitude: [0.05, 0.0, 0.02],
            frequency: 3.0,
            from: 0.25,
            until: Some(5.0),
        };
        let local = Point::from([0.4, -0.3, 0.9]);
        let (t, h) = (1.3, 1e-6);
        let [before, now, after] = [t - h, t, t + h].map(|t| motion.at(t));
        let found = (after.pose.point(&local) - before.pose.point(&local)) / (2.0 * h);
        let arm = now.pose.point(&local) - now.pose.position();
        assert!((now.velocity + now.spin.cross(&arm) - found).norm() < 1e-7);
        assert_eq!(motion.at(0.1).pose, Pose::identity());
        assert_eq!(motion.at(6.0).pose, motion.at(7.0).pose);

        assert_eq!(motion.at(7.0).velocity, Vector::<3>::zeros());
    }
}
