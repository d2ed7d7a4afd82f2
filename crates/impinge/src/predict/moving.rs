//! Points and vectors that change over time, with bounds of their derivatives.

use crate::space::{Point, Vector};

/// Minimum cosine between a candidate direction of the faces and the direction between the closest
/// points.
pub(super) const ALIGNED: f64 = 0.9;

/// Motion of a corner at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) place: Point<3>,
    pub(super) velocity: Vector<3>,
    /// Constant part of its acceleration.
    pub(super) acceleration: Vector<3>,
    /// Magnitude of the centripetal part, which points to the spin axis.
    pub(super) swing: f64,
}

/// A time-dependent vector: its current value and rate, and upper bounds of the norms of its value,
/// rate and second derivative over the coming horizon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) value: Vector<3>,
    pub(super) rate: Vector<3>,
    pub(super) most: [f64; 3],
}

impl Moving {
    /// The vector from one corner to another, bounded over a horizon.
    pub(super) fn between(p: &Corner, q: &Corner, horizon: f64) -> Self {
        let (value, rate) = (q.place - p.place, q.velocity - p.velocity);
        let push = (q.acceleration - p.acceleration).norm() + p.swing + q.swing;
        let speed = rate.norm() + push * horizon;
        Self {
            value,
            rate,
            most: [value.norm() + speed * horizon, speed, push],
        }
    }

    pub(super) fn cross(&self, other: &Self) -> Self {
        Self {
            value: self.value.cross(&other.value),
            rate: self.rate.cross(&other.value) + self.value.cross(&other.rate),
            most: self.product(other),
        }
    }

    /// Norm bounds of a product, by Leibniz' rule.
    pub(super) fn product(&self, other: &Self) -> [f64; 3] {
        let ([a, b, c], [x, y, z]) = (self.most, other.most);
        [a * x, b * x + a * y, c * x + 2.0 * b * y + a * z]
    }

    /// Returns the vector or its negative, whichever points along a direction. `None` if it is not
    /// aligned with it.
    pub(super) fn along(mut self, direction: &Vector<3>) -> Option<Self> {
        let along = self.value.dot(direction);
        if along < 0.0 {
            (self.value, self.rate) = (-self.value, -self.rate);
        }
        (along.abs() > ALIGNED * self.value.norm()).then_some(self)
    }
}
