//! A rigid body's state, and paths that are given instead of computed.

use super::plain;
use super::spin::{self, Quaternion};
use impinge::space::{Matrix, Vector};
use serde::{Deserialize, Serialize};

/// A path that is known: constant acceleration of the origin, constant spin about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guide {
    /// Where the origin of the shape is at time `since`.
    pub position: [f64; 3],
    /// Orientation then, a quaternion x, y, z, w of any length but zero.
    pub orientation: [f64; 4],
    /// Velocity of the origin then.
    pub velocity: [f64; 3],
    /// Acceleration of the origin.
    pub acceleration: [f64; 3],
    /// Spin about the origin, rad/s; in the plane the third number alone counts.
    pub spin: [f64; 3],
    /// From when on, s.
    pub since: f64,
}

impl Default for Guide {
    fn default() -> Self {
        Self {
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            spin: [0.0; 3],
            since: 0.0,
        }
    }
}

/// Where something rigid is and how it moves: rotation matrix and place of its origin, velocity there, spin.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) rotation: Matrix<3>,
    pub(super) origin: Vector<3>,
    pub(super) velocity: Vector<3>,
    pub(super) spin: Vector<3>,
}

impl State {
    /// Velocity of the point of it that is here.
    pub(super) fn velocity_at(&self, point: &Vector<3>) -> Vector<3> {
        self.velocity + self.spin.cross(&(point - self.origin))
    }
}

impl Guide {
    /// A path that stays at a place.
    pub fn at(position: [f64; 3]) -> Self {
        Self { position, ..Self::default() }
    }

    /// Whether all numbers are finite and the orientation is one.
    pub fn is_usable(&self) -> bool {
        let vectors = [self.position, self.velocity, self.acceleration, self.spin];
        vectors.as_flattened().iter().chain([&self.since]).all(|x| x.is_finite())
            && spin::normalised(&self.orientation).is_some()
    }

    pub(super) fn state(&self, time: f64) -> State {
        let t = time - self.since;
        let [position, velocity, acceleration, spin] =
            [self.position, self.velocity, self.acceleration, self.spin].map(Vector::<3>::from);
        let start = spin::normalised(&self.orientation).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let turned = spin::product(&spin::turning(&(spin * t)), &start);
        State {
            rotation: spin::matrix(&turned),
            origin: position + velocity * t + acceleration * (0.5 * t * t),
            velocity: velocity + acceleration * t,
            spin,
        }
    }
}

/// A body. Place and velocity are those of its centre of mass, the orientation is that of its principal axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Body {
    /// Number of its form.
    pub(super) form: u32,
    pub(super) mass: f64,
    /// Principal moments of inertia.
    #[serde(with = "plain")]
    pub(super) moments: Vector<3>,
    /// Set for a body that follows a path.
    pub(super) guide: Option<Guide>,
    #[serde(with = "plain")]
    pub(super) position: Vector<3>,
    pub(super) orientation: Quaternion,
    #[serde(with = "plain")]
    pub(super) velocity: Vector<3>,
    /// Angular momentum about the centre of mass, in the world.
    #[serde(with = "plain")]
    pub(super) momentum: Vector<3>,
    #[serde(with = "plain")]
    pub(super) force: Vector<3>,
    #[serde(with = "plain")]
    pub(super) torque: Vector<3>,
}

impl Body {
    /// One over its mass as contacts feel it: nothing moves what follows a path.
    pub(super) fn inverse_mass(&self) -> f64 {
        if self.guide.is_some() { 0.0 } else { 1.0 / self.mass }
    }

    pub(super) fn kick(&mut self, dt: f64) {
        if self.guide.is_none() {
            self.velocity += self.force * (dt / self.mass);
            self.momentum += self.torque * dt;
        }
    }

    pub(super) fn drift(&mut self, dt: f64) {
        if self.guide.is_none() {
            self.position += self.velocity * dt;
            self.orientation = spin::turned(&self.orientation, &self.moments, &self.momentum, dt);
        }
    }

    pub(super) fn spin(&self) -> Vector<3> {
        spin::rate(&self.orientation, &self.moments, &self.momentum)
    }

    pub(super) fn kinetic(&self) -> f64 {
        match self.guide {
            Some(_) => 0.0,
            None => 0.5 * (self.mass * self.velocity.norm_squared() + self.momentum.dot(&self.spin())),
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        let vectors = [&self.position, &self.velocity, &self.momentum];
        vectors.iter().all(|v| v.iter().all(|x| x.is_finite()))
            && self.orientation.iter().all(|x| x.is_finite())
    }
}
