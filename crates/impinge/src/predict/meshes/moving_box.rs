//! A box that moves and grows linearly during a step.

use crate::space::{Aabb, Point};

/// A box at the start and at the end of a step, linearly interpolated in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBox {
    pub(super) start: Aabb<3>,
    pub(super) end: Aabb<3>,
}

/// An interval of a step.
pub(super) type Interval = [f64; 2];

/// Generous bound of the relative rounding of a quotient of two differences.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl MovingBox {
    pub(super) const EMPTY: Self = Self {
        start: Aabb::EMPTY,
        end: Aabb::EMPTY,
    };

    /// Returns the moving box of points that move on straight lines.
    pub(super) fn of<const N: usize>(start: [Point<3>; N], end: [Point<3>; N]) -> Self {
        Self {
            start: Aabb::of(start),
            end: Aabb::of(end),
        }
    }

    pub(super) fn merged(&self, other: &Self) -> Self {
        Self {
            start: self.start.merged(&other.start),
            end: self.end.merged(&other.end),
        }
    }

    /// Total edge length at both ends, to compare the sizes of two boxes.
    pub(super) fn size(&self) -> f64 {
        self.start.extent().sum() + self.end.extent().sum()
    }

    /// Returns the part of an interval in which two boxes overlap, with `margin` added to their
    /// separation. `None` if they never do.
    #[inline]
    pub(super) fn overlap(&self, other: &Self, margin: f64, within: Interval) -> Option<Interval> {
        let [mut from, mut to] = within;

        for axis in 0..3 {
            // Both must hold: self.min ≤ other.max and other.min ≤ self.max.
            let below = [
                other.start.max[axis] - self.start.min[axis] + margin,
                other.end.max[axis] - self.end.min[axis] + margin,
            ];
            let above = [
                self.start.max[axis] - other.start.min[axis] + margin,
                self.end.max[axis] - other.end.min[axis] + margin,
            ];

            for [first, last] in [below, above] {
                if first < 0.0 && last < 0.0 {
                    return None;
                }
                let zero = first / (first - last);
                if first < 0.0 {
                    from = from.max(zero * (1.0 - ROUNDING));
                } else if last < 0.0 {
                    to = to.min(zero * (1.0 + ROUNDING));
                }
            }
        }

        (from <= to).then_some([from, to])
    }
}
