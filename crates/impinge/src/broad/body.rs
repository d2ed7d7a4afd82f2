//! The bounding volumes that a broad phase accepts: closed boxes and closed balls.
//!
//! The overlap test is exact and shared by all methods (`overlap.rs`). Coordinates, radii and
//! period lengths are taken as given, and rounding never affects the result. The f32 filters may
//! only reject pairs that cannot overlap, or accept pairs that certainly do.

use super::{Period, overlap};
use crate::bound::Ball;
use crate::space::{Aabb, LARGEST_COORDINATE, Vector};
use std::fmt;

/// The reason why a body was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyFault {
    /// A coordinate or radius is NaN, infinite where it must be finite, or beyond
    /// [`LARGEST_COORDINATE`].
    NotFinite,
    /// The box's minimum exceeds its maximum on this axis.
    Inverted(usize),
    /// The radius is negative.
    NegativeRadius,
}

impl fmt::Display for ProxyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => {
                write!(
                    f,
                    "has a coordinate that is NaN, infinite or beyond {LARGEST_COORDINATE:e}"
                )
            }
            Self::Inverted(axis) => write!(f, "is inverted: min > max on axis {axis}"),
            Self::NegativeRadius => write!(f, "has a negative radius"),
        }
    }
}

impl std::error::Error for ProxyFault {}

/// The kind of bounding volume, which determines how it is packed for the f32 filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// An axis-aligned box.
    Box,
    /// A ball.
    Ball,
}

/// A bounding volume that the broad phases accept: [`Aabb`] or [`Ball`].
pub trait Proxy<const D: usize>: Copy + Send + Sync + fmt::Debug {
    /// Whether this type is a box or a ball.
    const KIND: ProxyKind;

    /// Returns the bounding box of the body, up to rounding.
    fn bounds(&self) -> Aabb<D>;

    /// Returns a box that contains the body despite rounding.
    fn outer_bounds(&self) -> Aabb<D> {
        self.bounds()
    }

    /// Returns whether the two closed bodies share a point.
    fn overlaps(&self, other: &Self) -> bool;

    /// Returns whether any periodic image of `other` shares a point with `self`.
    fn overlaps_image(&self, other: &Self, period: &Period<D>) -> bool;

    /// Returns the first defect of the body, or `None` if it is valid.
    fn fault(&self) -> Option<ProxyFault>;

    /// Returns an upper bound on the displacement of any point of the body, given how far the ends
    /// of its bounding box moved on each axis.
    fn travel(moves: [f64; D]) -> f64;
}

/// Boxes may be infinite: a wall or a half-space is a box with infinite ends.
impl<const D: usize> Proxy<D> for Aabb<D> {
    const KIND: ProxyKind = ProxyKind::Box;

    #[inline]
    fn bounds(&self) -> Aabb<D> {
        *self
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        Aabb::overlaps(self, other)
    }

    fn overlaps_image(&self, other: &Self, period: &Period<D>) -> bool {
        (0..D).all(|axis| match period.lengths[axis] {
            Some(length) => overlap::intervals_on_a_circle(
                (self.min[axis], self.max[axis]),
                (other.min[axis], other.max[axis]),
                length,
            ),
            None => self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis],
        })
    }

    fn fault(&self) -> Option<ProxyFault> {
        for axis in 0..D {
            let (low, up) = (self.min[axis], self.max[axis]);
            let usable = |x: f64| x.abs() <= LARGEST_COORDINATE || x.is_infinite();
            if !usable(low) || !usable(up) {
                return Some(ProxyFault::NotFinite);
            }

            if low > up {
                return Some(ProxyFault::Inverted(axis));
            }

            if low == f64::INFINITY || up == f64::NEG_INFINITY {
                return Some(ProxyFault::NotFinite);
            }
        }
        None
    }

    #[inline]
    fn travel(moves: [f64; D]) -> f64 {
        moves.into_iter().fold(0.0, f64::max)
    }
}

impl<const D: usize> Proxy<D> for Ball<D> {
    const KIND: ProxyKind = ProxyKind::Ball;

    #[inline]
    fn bounds(&self) -> Aabb<D> {
        let radius = Vector::repeat(self.radius);
        Aabb {
            min: self.centre - radius,
            max: self.centre + radius,
        }
    }

    fn outer_bounds(&self) -> Aabb<D> {
        let bounds = self.bounds();
        Aabb {
            min: bounds.min.map(f64::next_down),
            max: bounds.max.map(f64::next_up),
        }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        overlap::balls(self, other)
    }

    fn overlaps_image(&self, other: &Self, period: &Period<D>) -> bool {
        overlap::ball_images(self, other, period)
    }

    fn fault(&self) -> Option<ProxyFault> {
        let usable = |x: f64| x.abs() <= LARGEST_COORDINATE;
        if !self.centre.iter().all(|&x| usable(x)) || !usable(self.radius) {
            return Some(ProxyFault::NotFinite);
        }
        (self.radius < 0.0).then_some(ProxyFault::NegativeRadius)
    }

    // On every axis the ends of the box move by up to |Δc_k| + |Δr|. The norm of that vector is at
    // least |Δc| + |Δr|, since the components of a non-negative unit vector add up to at least 1.
    #[inline]
    fn travel(moves: [f64; D]) -> f64 {
        moves.into_iter().map(|m| m * m).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests;
