//! The axis-aligned box as a bound. Its ends are coordinates of the points themselves: nothing is
//! rounded, and the overlap test is exact.

use super::Bound;
use crate::space::{Aabb, Point};

impl<const D: usize> Bound<D> for Aabb<D> {
    const EMPTY: Self = Aabb::EMPTY;

    fn of(points: &[Point<D>]) -> Self {
        Aabb::of(points.iter().copied())
    }

    fn refit(&mut self, points: &[Point<D>]) {
        *self = Bound::of(points);
    }

    fn merged(&self, other: &Self) -> Self {
        self.merged(other)
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        self.overlaps(other)
    }

    #[inline]
    fn contains(&self, point: &Point<D>) -> bool {
        self.contains(point)
    }

    fn volume(&self) -> f64 {
        self.volume()
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}
