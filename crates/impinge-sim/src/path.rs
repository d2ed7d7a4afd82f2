//! Prescribed motion of walls, bodies and held nodes.

use impinge::space::{Point, Pose, Vector};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A prescribed motion: the sum of accelerated motion, oscillation and rotation about a moving axis. It
/// rests at the start before the motion begins, and at the end after it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Velocity at the start, m/s.
    pub velocity: [f64; 3],
    /// Constant acceleration, m/s².
    pub acceleration: [f64; 3],
    /// Angular velocity at the start, rad/s.
    pub spin: [f64; 3],
    /// Constant angular acceleration, rad/s², parallel to the spin.
    pub angular_acceleration: [f64; 3],
    /// Velocity of a wall's surface along itself, m/s, in world axes at the start: a conveyor belt. It
    /// turns with the wall; its part along the normal of a contact has no effect.
    pub surface: [f64; 3],
    /// A point on the rotation axis at the start, m; `None` means the position of a body, and the
    /// origin for walls and held nodes.
    pub centre: Option<[f64; 3]>,
    /// Amplitude of the oscillation, m.
    pub amplitude: [f64; 3],
    /// Frequency of the oscillation, Hz.
    pub frequency: f64,
    /// Start time, s.
    pub since: f64,
    /// End time, s; `None` means forever.
    pub until: Option<f64>,
}

/// Pose and velocities at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathState {
    /// The pose.
    pub pose: Pose<3>,
    /// Velocity of the material point at the pose's position, m/s.
    pub velocity: Vector<3>,
    /// Angular velocity, rad/s.
    pub spin: Vector<3>,
    /// Velocity of its surface along itself, relative to the material points, m/s.
    pub surface: Vector<3>,
}

impl PathState {
    /// Creates the state of something at rest.
    pub fn at_rest(pose: Pose<3>) -> Self {
        Self {
            pose,
            velocity: Vector::zeros(),
            spin: Vector::zeros(),
            surface: Vector::zeros(),
        }
    }

    /// Returns the velocity of the surface at a point where it has this unit normal.
    pub fn surface_velocity_at(&self, point: &Point<3>, normal: &Vector<3>) -> Vector<3> {
        let material = self.velocity + self.spin.cross(&(point - self.pose.position()));
        material + along(&self.surface, normal)
    }
}

/// Returns the part of a vector along a plane.
pub(crate) fn along(vector: &Vector<3>, normal: &Vector<3>) -> Vector<3> {
    vector - normal * normal.dot(vector)
}

impl Path {
    /// Returns the displacement from the start, and the velocities, at a time.
    pub fn at(&self, time: f64) -> PathState {
        let until = self.until.unwrap_or(f64::INFINITY);
        let moves = time >= self.since && time < until;
        let elapsed = (time.min(until) - self.since).max(0.0);
        let phase = TAU * self.frequency * elapsed;
        let [velocity, spin, centre, amplitude, acceleration, turning] = [
            self.velocity,
            self.spin,
            self.centre.unwrap_or_default(),
            self.amplitude,
            self.acceleration,
            self.angular_acceleration,
        ]
        .map(Vector::<3>::from);
        let half_square = 0.5 * elapsed * elapsed;
        let shift = velocity * elapsed + acceleration * half_square + amplitude * phase.sin();
        let turn = turned(&(spin * elapsed + turning * half_square));

        // Rotate about the centre, then translate.
        let offset = centre - turn.vector(&centre) + shift;
        let pose = Pose::at([offset.x, offset.y, offset.z]).after(&turn);
        if !moves {
            return PathState::at_rest(pose);
        }

        let swing = amplitude * (TAU * self.frequency * phase.cos());
        let drift = velocity + acceleration * elapsed + swing;
        let spin = spin + turning * elapsed;
        let arm = pose.position().coords - centre - shift;
        PathState {
            pose,
            velocity: drift + spin.cross(&arm),
            spin,
            surface: turn.vector(&Vector::from(self.surface)),
        }
    }

    /// Returns whether it never changes its place; its surface may move along itself.
    pub fn is_rest(&self) -> bool {
        let rates = [
            self.velocity,
            self.acceleration,
            self.spin,
            self.angular_acceleration,
        ];
        rates.as_flattened().iter().all(|x| *x == 0.0)
            && (self.amplitude == [0.0; 3] || self.frequency == 0.0)
    }

    /// Returns whether the surface moves along itself.
    pub fn is_conveyor(&self) -> bool {
        self.surface != [0.0; 3]
    }

    /// Returns whether spin and angular acceleration have a common axis.
    pub fn turns_about_one_axis(&self) -> bool {
        let [spin, turning] = [self.spin, self.angular_acceleration].map(Vector::<3>::from);
        spin.cross(&turning).norm() <= 1e-9 * spin.norm() * turning.norm()
    }

    /// Returns whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let centre = self.centre.unwrap_or_default();
        let vectors = [
            self.velocity,
            self.acceleration,
            self.spin,
            self.angular_acceleration,
            self.surface,
            centre,
            self.amplitude,
        ];
        let numbers = [self.frequency, self.since, self.until.unwrap_or(0.0)];
        let mut all = vectors.as_flattened().iter().chain(&numbers);
        all.all(|x| x.is_finite())
    }
}

/// Returns the rotation by an axis times an angle; none if that is not finite.
fn turned(turn: &Vector<3>) -> Pose<3> {
    let angle = turn.norm();
    if angle == 0.0 {
        return Pose::identity();
    }

    let axis = turn / angle;
    let (sin, cos) = (0.5 * angle).sin_cos();
    let quaternion = [axis.x * sin, axis.y * sin, axis.z * sin, cos];
    Pose::from_quaternion(quaternion, [0.0; 3]).unwrap_or_else(|_| Pose::identity())
}

#[cfg(test)]
mod tests;
