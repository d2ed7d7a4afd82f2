//! The state of a rigid body, and prescribed motions.

use super::joint::{Hinged, Joint};
use super::plain;
use super::spin::{self, Quaternion};
use crate::Path;
use impinge::space::{Matrix, Point, Vector};
use serde::{Deserialize, Serialize};

/// A place, and the path of an object from there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrescribedMotion {
    /// Initial position of the shape's origin.
    pub position: [f64; 3],
    /// Initial orientation, a quaternion x, y, z, w of any non-zero length.
    pub orientation: [f64; 4],
    /// Its path; without a centre, it turns about the initial position.
    pub path: Path,
}

impl Default for PrescribedMotion {
    fn default() -> Self {
        Self {
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
            path: Path::default(),
        }
    }
}

/// Pose and velocities of something rigid: rotation matrix, position and velocity of its origin,
/// angular velocity, and how its surface moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) rotation: Matrix<3>,
    pub(super) origin: Vector<3>,
    pub(super) velocity: Vector<3>,
    pub(super) spin: Vector<3>,
    /// Velocity of the surface along itself.
    pub(super) surface: Vector<3>,
}

impl State {
    /// Returns the velocity of the body's material point at `point`.
    pub(super) fn velocity_at(&self, point: &Vector<3>) -> Vector<3> {
        self.velocity + self.spin.cross(&(point - self.origin))
    }
}

impl From<Path> for PrescribedMotion {
    /// Starts at the origin.
    fn from(path: Path) -> Self {
        Self {
            path,
            ..Self::default()
        }
    }
}

impl PrescribedMotion {
    /// Creates a motion that stays at a position.
    pub fn at(position: [f64; 3]) -> Self {
        Self {
            position,
            ..Self::default()
        }
    }

    /// Returns whether all numbers are finite and the orientation is valid.
    pub fn is_usable(&self) -> bool {
        self.position.iter().all(|x| x.is_finite())
            && self.path.is_finite()
            && spin::normalised(&self.orientation).is_some()
    }

    pub(super) fn state(&self, time: f64) -> State {
        let start = spin::normalised(&self.orientation).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let centre = Some(self.path.centre.unwrap_or(self.position));
        let moved = Path {
            centre,
            ..self.path
        }
        .at(time);
        let origin = moved.pose.point(&Point::from(self.position)).coords;
        let arm = origin - moved.pose.position().coords;

        State {
            rotation: moved.pose.rotation() * spin::matrix(&start),
            origin,
            velocity: moved.velocity + moved.spin.cross(&arm),
            spin: moved.spin,
            surface: moved.surface,
        }
    }
}

/// Rotation, rad, up to which one call of `spin::turned` has all its digits.
const FULL_DIGITS: f64 = 0.25;

/// Maximum number of such rotations in a flight.
const MOST_PIECES: f64 = 1e4;

/// A body. Position and velocity are those of its centre of mass; the orientation is that of its
/// principal axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Body {
    /// Index of its shape.
    pub(super) shape: u32,
    /// Index of its material.
    pub(super) material: u32,
    /// Whether it was removed: it keeps its index but is ignored.
    pub(super) gone: bool,
    pub(super) mass: f64,
    /// Principal moments of inertia.
    #[serde(with = "plain")]
    pub(super) moments: Vector<3>,
    /// Set for a body with prescribed motion.
    pub(super) guide: Option<PrescribedMotion>,
    /// What holds it, if it is free to move.
    pub(super) joint: Joint,
    /// Constant force at the centre of mass.
    #[serde(with = "plain")]
    pub(super) applied: Vector<3>,
    #[serde(with = "plain")]
    pub(super) position: Vector<3>,
    pub(super) orientation: Quaternion,
    #[serde(with = "plain")]
    pub(super) velocity: Vector<3>,
    /// Angular momentum about the centre of mass, in world axes.
    #[serde(with = "plain")]
    pub(super) momentum: Vector<3>,
    #[serde(with = "plain")]
    pub(super) force: Vector<3>,
    #[serde(with = "plain")]
    pub(super) torque: Vector<3>,
}

impl Body {
    /// Returns the mobility at an arm from the centre of mass: the acceleration there per unit
    /// force, and the angular acceleration per unit torque.
    pub(super) fn yields(&self, arm: &Vector<3>) -> [Matrix<3>; 2] {
        let axes = spin::matrix(&self.orientation);
        let inverse = self.moments.map(|moment| 1.0 / moment);
        let turning = axes * Matrix::from_diagonal(&inverse) * axes.transpose();
        let cross = arm.cross_matrix();
        let mobility = Matrix::from_diagonal_element(1.0 / self.mass) - cross * turning * cross;
        match self.hinge() {
            Some(hinge) => hinge.mobility(arm, [mobility, turning]),
            None => [mobility, turning],
        }
    }

    /// Returns the hinge that it turns about, if there is one.
    pub(super) fn hinge(&self) -> Option<Hinged> {
        let Joint::Hinge { point, axis } = self.joint else {
            return None;
        };
        let axis = Vector::<3>::from(axis);
        let arm = self.position - Vector::from(point);
        let own = spin::matrix(&self.orientation).tr_mul(&axis);
        let inertia = own.component_mul(&own).dot(&self.moments)
            + self.mass * axis.cross(&arm).norm_squared();
        Some(Hinged { axis, arm, inertia })
    }

    /// Holds it by a joint: only the velocities that this permits are left.
    pub(super) fn hold(&mut self, joint: Joint) {
        self.joint = joint;
        match (joint, self.hinge()) {
            (_, Some(hinge)) => self.set_rate(&hinge, hinge.axis.dot(&self.spin())),
            (Joint::Rail(axis), _) => {
                let axis = Vector::from(axis);
                self.velocity = axis * axis.dot(&self.velocity);
                self.momentum = Vector::zeros();
            }
            _ => {}
        }
    }

    /// Sets the velocities of a hinged body that turns at a rate.
    fn set_rate(&mut self, hinge: &Hinged, rate: f64) {
        let (spin, axes) = (hinge.axis * rate, spin::matrix(&self.orientation));
        self.velocity = hinge.of_centre(rate);
        self.momentum = axes * axes.tr_mul(&spin).component_mul(&self.moments);
    }

    /// Returns whether forces move it.
    pub(super) fn is_free(&self) -> bool {
        self.guide.is_none() && !self.gone
    }

    pub(super) fn kick(&mut self, dt: f64) {
        if !self.is_free() {
            return;
        }

        let kick = self.force * (dt / self.mass);
        match (self.joint, self.hinge()) {
            (_, Some(hinge)) => {
                let faster = hinge.acceleration(&self.force, &self.torque) * dt;
                self.set_rate(&hinge, hinge.axis.dot(&self.spin()) + faster);
            }
            (Joint::Rail(axis), _) => {
                let axis = Vector::from(axis);
                self.velocity += axis * axis.dot(&kick);
            }
            _ => {
                self.velocity += kick;
                self.momentum += self.torque * dt;
            }
        }
    }

    pub(super) fn drift(&mut self, dt: f64) {
        if !self.is_free() || self.turn_on_hinge(dt) {
            return;
        }
        self.position += self.velocity * dt;
        if self.joint == Joint::Free {
            self.orientation = spin::turned(&self.orientation, &self.moments, &self.momentum, dt);
        }
    }

    /// Turns a hinged body; returns whether it is one.
    fn turn_on_hinge(&mut self, dt: f64) -> bool {
        let Some(mut hinge) = self.hinge() else {
            return false;
        };
        let rate = hinge.axis.dot(&self.spin());
        let (sin, cos) = (0.5 * rate * dt).sin_cos();
        let along = hinge.axis * sin;
        let by = [along.x, along.y, along.z, cos];
        let (turned, point) = (
            spin::product(&by, &self.orientation),
            self.position - hinge.arm,
        );
        hinge.arm = spin::matrix(&by) * hinge.arm;
        self.position = point + hinge.arm;
        self.orientation = spin::normalised(&turned).unwrap_or(turned);
        self.set_rate(&hinge, rate);
        true
    }

    /// Like [`Self::drift`], with a rotation as accurate as that of short steps.
    pub(super) fn drift_far(&mut self, dt: f64) {
        if !self.is_free() || self.turn_on_hinge(dt) {
            return;
        }

        self.position += self.velocity * dt;
        if self.joint != Joint::Free {
            return;
        }

        let pieces = (self.spin().norm() * dt / FULL_DIGITS).ceil();
        let pieces = pieces.clamp(1.0, MOST_PIECES);
        for _ in 0..pieces as u32 {
            let part = dt / pieces;
            self.orientation = spin::turned(&self.orientation, &self.moments, &self.momentum, part);
        }
    }

    pub(super) fn spin(&self) -> Vector<3> {
        spin::rate(&self.orientation, &self.moments, &self.momentum)
    }

    pub(super) fn kinetic(&self) -> f64 {
        0.5 * (self.mass * self.velocity.norm_squared() + self.momentum.dot(&self.spin()))
    }

    /// Returns the potential energy in gravity and of the constant force.
    pub(super) fn potential(&self, gravity: &Vector<3>) -> f64 {
        -(gravity * self.mass + self.applied).dot(&self.position)
    }

    pub(super) fn is_finite(&self) -> bool {
        let vectors = [&self.position, &self.velocity, &self.momentum];
        vectors.iter().all(|v| v.iter().all(|x| x.is_finite()))
            && self.orientation.iter().all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests;
