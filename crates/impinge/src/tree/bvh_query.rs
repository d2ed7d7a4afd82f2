//! Queries for the items whose bounds may touch a box or a segment, or lie near a point.
//!
//! The tests are conservative against rounding: no item is lost whose box the exact query touches.
//! Traversals keep their stack in a fixed array, as the tree's height is bounded, and do not
//! allocate.

use super::bvh::Bvh;
use super::bvh_build::HEIGHT;
use super::volume::Volume;
use crate::space::{Aabb, Point, Vector};

/// Exceeds the relative error of a quotient of rounded differences, (1 + ε)³ on either side.
const SLACK: f64 = 1.0 + 8.0 * f64::EPSILON;

impl<const D: usize> Bvh<D> {
    /// Writes the sorted items of all leaves that touch `query`. These are candidates: a leaf
    /// contains up to four items, so some of them may not touch the query themselves.
    pub fn find_overlapping(&self, query: &Aabb<D>, found: &mut Vec<u32>) {
        found.clear();
        self.visit_overlapping(query, |item| found.push(item));
        found.sort_unstable();
    }

    /// Writes the sorted items of all leaves that touch the closed segment; candidates as in
    /// [`Bvh::find_overlapping`].
    pub fn find_along(&self, from: &Point<D>, to: &Point<D>, found: &mut Vec<u32>) {
        found.clear();
        self.visit_along(from, to, |item| found.push(item));
        found.sort_unstable();
    }

    /// Like [`Bvh::find_overlapping`], but calls a closure for each item, in leaf order.
    pub fn visit_overlapping(&self, query: &Aabb<D>, visit: impl FnMut(u32)) {
        self.visit(|bounds| bounds.overlaps(query), visit);
    }

    /// Like [`Bvh::find_along`], but calls a closure for each item, in leaf order.
    pub fn visit_along(&self, from: &Point<D>, to: &Point<D>, visit: impl FnMut(u32)) {
        let segment = Segment::new(from, to);
        self.visit(|bounds| segment.may_touch(bounds), visit);
    }
}

impl<const D: usize, B: Volume<D>> Bvh<D, B> {
    /// Writes the sorted items of all leaves whose bounds lie within `distance` of the point;
    /// candidates as in [`Bvh::find_overlapping`].
    pub fn find_within(&self, point: &Point<D>, distance: f64, found: &mut Vec<u32>) {
        found.clear();
        self.visit_within(point, distance, |item| found.push(item));
        found.sort_unstable();
    }

    /// Like [`Bvh::find_within`], but calls a closure for each item, in leaf order.
    pub fn visit_within(&self, point: &Point<D>, distance: f64, visit: impl FnMut(u32)) {
        let reach = distance * distance * SLACK + f64::MIN_POSITIVE;
        self.visit(|bounds| bounds.squared_distance(point) <= reach, visit);
    }

    /// Visits the items of all leaves in leaf order, descending only through bounds that satisfy
    /// `touches`.
    #[inline]
    pub fn visit(&self, touches: impl Fn(&B) -> bool, mut visit: impl FnMut(u32)) {
        let mut stack = [0u32; HEIGHT];
        let mut height = 0;
        let Some(root) = self.nodes.first() else {
            return;
        };

        if !touches(&root.bounds) {
            return;
        }

        let mut node = root;
        loop {
            if node.is_leaf() {
                self.items_of(node).iter().for_each(|&item| visit(item));
            } else {
                let [left, right] = [node.first, node.first + 1];
                let touched =
                    [left, right].map(|child| touches(&self.nodes[child as usize].bounds));

                if touched[0] || touched[1] {
                    if touched[0] && touched[1] {
                        stack[height] = right;
                        height += 1;
                    }
                    node = &self.nodes[if touched[0] { left } else { right } as usize];
                    continue;
                }
            }

            if height == 0 {
                return;
            }

            height -= 1;
            node = &self.nodes[stack[height] as usize];
        }
    }
}

/// A segment prepared for tests against many boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment<const D: usize> {
    from: Point<D>,
    inverse: Vector<D>,
    bounds: Aabb<D>,
}

impl<const D: usize> Segment<D> {
    pub(crate) fn new(from: &Point<D>, to: &Point<D>) -> Self {
        // An axis along which the segment has no extent gets NaN, which min and max ignore below;
        // the overlap of the boxes decides there. With ±∞, a segment in the plane of a face of the
        // box would be lost as 0 · ∞.
        let inverse = (to - from).map(|x| {
            if (1.0 / x).is_finite() {
                1.0 / x
            } else {
                f64::NAN
            }
        });
        Self {
            from: *from,
            inverse,
            bounds: Aabb::of([*from, *to]),
        }
    }

    /// Returns whether the closed segment may touch the closed box; false positives occur only
    /// within rounding of touching.
    #[inline]
    pub(crate) fn may_touch(&self, bounds: &Aabb<D>) -> bool {
        self.entry(bounds) <= 1.0
    }

    /// Returns the fraction of the segment before it may touch the box, infinite if it does not.
    #[inline]
    pub(crate) fn entry(&self, bounds: &Aabb<D>) -> f64 {
        let (mut near, mut far) = (0.0f64, 1.0f64);
        for axis in 0..D {
            let low = (bounds.min[axis] - self.from[axis]) * self.inverse[axis];
            let up = (bounds.max[axis] - self.from[axis]) * self.inverse[axis];
            near = near.max(low.min(up));
            far = far.min(low.max(up));
        }

        let touches = (near <= far * SLACK + f64::MIN_POSITIVE) & self.bounds.overlaps(bounds);
        // Rounded down, so that no hit precedes the entry into its box.
        if touches {
            near * (2.0 - SLACK)
        } else {
            f64::INFINITY
        }
    }
}

#[cfg(test)]
mod tests;
