//! Pose of one body relative to another.
//!
//! Pair functions compute in the first body's frame. Positions far from the world origin are
//! subtracted before anything is multiplied, so a pair at 1e12 keeps the precision of the same pair
//! at the origin.

use crate::space::{Matrix, Point, Pose, Vector};

/// Transform from the second body's frame to the first body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative<const D: usize> {
    pub(crate) rotation: Matrix<D>,
    pub(crate) shift: Vector<D>,
}

impl<const D: usize> Relative<D> {
    #[inline]
    pub(crate) fn of(pose_a: &Pose<D>, pose_b: &Pose<D>) -> Self {
        let apart = pose_b.position() - pose_a.position();
        Self {
            rotation: pose_a.rotation().tr_mul(pose_b.rotation()),
            shift: pose_a.rotation().tr_mul(&apart),
        }
    }

    /// Returns the vector from a point of the first body to a point of the second, in the first
    /// body's frame.
    ///
    /// The rounding error of the first sum is added at the end. Whichever two of the three terms
    /// are large and cancel, the digits of the third survive.
    #[inline]
    pub(crate) fn seen_from(&self, a: &Point<D>, b: &Point<D>) -> Vector<D> {
        let turned = self.rotation * b.coords;
        let sum = turned + self.shift;
        let from_shift = sum - turned;
        let lost = (turned - (sum - from_shift)) + (self.shift - from_shift);
        (sum - a.coords) + lost
    }

    /// Rotates a direction from the second body's frame to the first body's.
    #[inline]
    pub(crate) fn vector(&self, b: &Vector<D>) -> Vector<D> {
        self.rotation * b
    }

    /// Rotates a direction from the first body's frame to the second body's.
    #[inline]
    pub(crate) fn vector_in_b(&self, a: &Vector<D>) -> Vector<D> {
        self.rotation.tr_mul(a)
    }

    /// Magnitude of the terms that [`Relative::seen_from`] adds; its rounding error is a few units
    /// in their last place.
    #[inline]
    pub(crate) fn magnitude(&self, a: &Point<D>, b: &Point<D>) -> f64 {
        a.coords.amax() + b.coords.amax() + self.shift.amax()
    }
}
