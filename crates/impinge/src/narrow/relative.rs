//! One body as the other sees it.
//!
//! Pair functions compute in the first body's frame: positions far from the world's origin are subtracted before
//! anything is multiplied, so that a pair at 1e12 has the digits of the same pair at the origin.

use crate::space::{Matrix, Point, Pose, Vector};

/// Takes the second body's frame to the first one's.
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

    /// A point of the second body, seen from a point of the first.
    ///
    /// What the first sum rounds away is added at the end: whichever two of the three terms are large and cancel, the
    /// digits of the third survive.
    #[inline]
    pub(crate) fn seen_from(&self, a: &Point<D>, b: &Point<D>) -> Vector<D> {
        let turned = self.rotation * b.coords;
        let sum = turned + self.shift;
        let from_shift = sum - turned;
        let lost = (turned - (sum - from_shift)) + (self.shift - from_shift);
        (sum - a.coords) + lost
    }

    /// A direction of the second body in the first one's frame.
    #[inline]
    pub(crate) fn vector(&self, b: &Vector<D>) -> Vector<D> {
        self.rotation * b
    }

    /// A direction of the first body in the second one's frame.
    #[inline]
    pub(crate) fn vector_in_b(&self, a: &Vector<D>) -> Vector<D> {
        self.rotation.tr_mul(a)
    }

    /// Magnitude of the numbers that [`Relative::seen_from`] adds: its rounding error is some units in their last
    /// place.
    #[inline]
    pub(crate) fn magnitude(&self, a: &Point<D>, b: &Point<D>) -> f64 {
        a.coords.amax() + b.coords.amax() + self.shift.amax()
    }
}
