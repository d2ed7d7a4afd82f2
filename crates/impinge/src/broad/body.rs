//! What a broad phase sees of a body: a closed box or a closed ball.
//!
//! Whether two bodies overlap is decided here, exactly, for every method alike (`overlap.rs`): the numbers of the bodies
//! and the lengths of the period are taken as they are, and no rounding decides. Filters in f32 may only leave out pairs
//! that cannot overlap, or accept pairs that certainly do.

use super::{Period, overlap};
use crate::bound::Ball;
use crate::space::{Aabb, LARGEST_COORDINATE, Vector};
use std::fmt;

/// Why a body was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyFault {
    /// A coordinate or radius is NaN, or infinite where it may not be, or beyond [`LARGEST_COORDINATE`].
    NotFinite,
    /// The lower end of a box lies above its upper end on this axis.
    Inverted(usize),
    /// A radius is negative.
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

/// How a body is packed for the f32 filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// An axis-aligned box.
    Box,
    /// A ball.
    Ball,
}

/// A kind of body that the broad phases take: [`Aabb`] or [`Ball`].
pub trait Proxy<const D: usize>: Copy + Send + Sync + fmt::Debug {
    /// Box or ball.
    const KIND: ProxyKind;

    /// The closed box around the body, up to rounding.
    fn bounds(&self) -> Aabb<D>;

    /// A box that holds the body whatever the rounding.
    fn outer_bounds(&self) -> Aabb<D> {
        self.bounds()
    }

    /// Whether the closed bodies share a point.
    fn overlaps(&self, other: &Self) -> bool;

    /// Whether any image of `other` shares a point with `self`.
    fn overlaps_image(&self, other: &Self, period: &Period<D>) -> bool;

    /// What is wrong with the body, if anything.
    fn fault(&self) -> Option<ProxyFault>;

    /// Bound on how far any of its points moved, from the moves of the ends of its box on each axis.
    fn travel(moves: [f64; D]) -> f64;
}

/// Boxes may reach to infinity: a wall or a half-space is a box with infinite ends.
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

    // On every axis the ends of the box move by up to |Δc_k| + |Δr|; the length of that vector is at least
    // |Δc| + |Δr|, since the components of a unit vector without negative ones add up to at least 1.
    #[inline]
    fn travel(moves: [f64; D]) -> f64 {
        moves.into_iter().map(|m| m * m).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Random;

    #[test]
    fn balls_that_touch_overlap_and_balls_an_ulp_apart_do_not() {
        let a = Ball::new([0.0, 0.0, 0.0], 1.0);
        assert!(a.overlaps(&Ball::new([3.0, 4.0, 0.0], 4.0)));
        assert!(!a.overlaps(&Ball::new([3.0, 4.0, 0.0], 4.0 - 1e-14)));
    }

    #[test]
    fn images_across_a_face_overlap() {
        let period = Period::cell([10.0, 10.0]);
        let (a, b) = (Ball::new([0.1, 5.0], 0.2), Ball::new([29.9, -5.0], 0.2));
        assert!(!a.overlaps(&b) && a.overlaps_image(&b, &period) && b.overlaps_image(&a, &period));
        assert!(a.bounds().overlaps_image(&b.bounds(), &period));
        let wall = Aabb::new([f64::NEG_INFINITY, 4.0], [f64::INFINITY, 4.9]);
        assert!(wall.overlaps_image(&b.bounds(), &period));
    }

    #[test]
    fn faults_are_named() {
        let nan = f64::NAN;
        let inf = f64::INFINITY;
        assert_eq!(
            Aabb::new([0.0, nan], [1.0, 1.0]).fault(),
            Some(ProxyFault::NotFinite)
        );
        assert_eq!(
            Aabb::new([0.0, 2.0], [1.0, 1.0]).fault(),
            Some(ProxyFault::Inverted(1))
        );
        assert_eq!(Aabb::<2>::EMPTY.fault(), Some(ProxyFault::Inverted(0)));
        assert_eq!(
            Aabb::new([inf, 0.0], [inf, 0.0]).fault(),
            Some(ProxyFault::NotFinite)
        );
        assert_eq!(Aabb::new([-inf, 0.0], [inf, 0.0]).fault(), None);
        assert_eq!(
            Ball::new([0.0, 1e61], 1.0).fault(),
            Some(ProxyFault::NotFinite)
        );
        assert_eq!(
            Ball::new([0.0, 0.0], -1.0).fault(),
            Some(ProxyFault::NegativeRadius)
        );
        assert_eq!(Ball::new([0.0, 0.0], 0.0).fault(), None);
    }

    #[test]
    fn the_travel_of_a_ball_bounds_its_move_and_its_growth() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let step = random.direction::<3>() * random.unit();
            let growth = random.within(-1.0, 1.0);
            let old = Ball::new([1.0, 2.0, 3.0], 2.0);
            let new = Ball {
                centre: old.centre + step,
                radius: old.radius + growth,
            };
            let (from, to) = (old.bounds(), new.bounds());
            let moves = std::array::from_fn(|k| {
                (to.min[k] - from.min[k])
                    .abs()
                    .max((to.max[k] - from.max[k]).abs())
            });
            assert!(<Ball<3> as Proxy<3>>::travel(moves) >= step.norm() + growth.abs() - 1e-12);
        }
    }
}
