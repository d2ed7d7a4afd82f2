//! Elements around one node of a mesh, found by their directions from it.
//!
//! The boxes of all elements at a node overlap, so a hierarchy of boxes has k² candidates among k of them. But two
//! elements that share a node have a second common point only if the cones that they span from it share a direction,
//! and any element meets one of them beyond the node only in a common direction. Boxes of directions on the unit
//! sphere, in a hierarchy of their own, therefore leave the true neighbours: O(k log k + candidates). Elements that do not
//! share the hub have long boxes: a cone on a rim of k edges that rises along it has some hundredths of k² candidates, one
//! on a flat rim some k.

use crate::space::{Aabb, Point, Vector};
use crate::tree::Bvh;

/// Number of elements at a node above which it is a hub, and its pairs are found by directions.
pub(super) const HUB: usize = 64;

/// Margin of a box of directions, far above their rounding.
const MARGIN: f64 = 1e-9;

/// Least cosine of the angle between a direction and the sum of all for the cone to be pointed.
const POINTED: f64 = 0.05;

/// Sine of an angle below which an arc is no longer than its chord, to within the margin.
const SHORT: f64 = 1e-6;

/// The elements around a hub.
#[derive(Clone, Debug)]
pub(super) struct Fan {
    hub: Point<3>,
    items: Vec<u32>,
    boxes: Vec<Aabb<3>>,
    tree: Bvh<3>,
}

impl Fan {
    /// Takes elements by their numbers and their other corners.
    pub(super) fn new<C: AsRef<[Point<3>]>>(
        hub: Point<3>,
        elements: impl IntoIterator<Item = (u32, C)>,
    ) -> Self {
        let (items, boxes): (Vec<u32>, Vec<Aabb<3>>) = elements
            .into_iter()
            .map(|(item, corners)| (item, directions(&hub, corners.as_ref())))
            .unzip();
        let tree = Bvh::new(&boxes);
        Self {
            hub,
            items,
            boxes,
            tree,
        }
    }

    /// Calls `visit` with each element that may share a point other than the hub with an element of the given
    /// corners, the hub itself left out.
    pub(super) fn visit(&self, corners: &[Point<3>], mut visit: impl FnMut(u32)) {
        let query = directions(&self.hub, corners);
        self.tree.visit_overlapping(&query, |place| {
            if self.boxes[place as usize].overlaps(&query) {
                visit(self.items[place as usize]);
            }
        });
    }
}

/// Returns a box around the unit directions in which the hull of the corners is seen from a point: all directions if
/// the point may lie in the hull, or if a corner is the point.
fn directions(from: &Point<3>, corners: &[Point<3>]) -> Aabb<3> {
    let everywhere = Aabb::new([-1.0; 3], [1.0; 3]).grown(MARGIN);
    let mut units = [Vector::<3>::zeros(); 3];
    let units = &mut units[..corners.len()];
    for (unit, corner) in units.iter_mut().zip(corners) {
        // The difference is right to its last digits, however near the corner is.
        let way = corner - from;
        let Some(direction) = (way / way.amax()).try_normalize(0.0) else {
            return everywhere;
        };
        *unit = direction;
    }

    let sum: Vector<3> = units.iter().sum();
    // Also if a direction is NaN: the corner is the point.
    if units.is_empty() || !units.iter().all(|unit| unit.dot(&sum) > POINTED) {
        return everywhere;
    }

    let mut bounds = Aabb::of(units.iter().map(|&unit| unit.into()));
    for (i, u) in units.iter().enumerate() {
        for w in &units[..i] {
            add_arc(&mut bounds, u, w);
        }
    }
    if let [u, v, w] = units {
        add_poles(&mut bounds, [u, v, w], &sum);
    }

    bounds.grown(MARGIN)
}

/// Grows a box of two unit directions by what the shorter arc between them adds.
fn add_arc(bounds: &mut Aabb<3>, u: &Vector<3>, w: &Vector<3>) {
    let cosine = u.dot(w);
    // How each coordinate begins to change, from either end.
    let (onward, back) = (w - u * cosine, u - w * cosine);
    let sine = onward.norm();
    if sine < SHORT {
        return;
    }

    for axis in 0..3 {
        let top = u[axis].hypot(onward[axis] / sine);
        if onward[axis] > 0.0 && back[axis] > 0.0 {
            bounds.max[axis] = bounds.max[axis].max(top);
        }
        if onward[axis] < 0.0 && back[axis] < 0.0 {
            bounds.min[axis] = bounds.min[axis].min(-top);
        }
    }
}

/// Grows a box of three unit directions by the coordinate axes within their cone.
fn add_poles(bounds: &mut Aabb<3>, [u, v, w]: [&Vector<3>; 3], sum: &Vector<3>) {
    let crosses = [v.cross(w), w.cross(u), u.cross(v)];
    for axis in 0..3 {
        // Cramer's rule: the axis is the sum of the directions with these weights, over the volume.
        let weights = crosses.map(|cross| cross[axis]);
        let is_within = weights.iter().all(|&x| x > -MARGIN) || weights.iter().all(|&x| x < MARGIN);
        if is_within && sum[axis] > 0.0 {
            bounds.max[axis] = 1.0;
        } else if is_within {
            bounds.min[axis] = -1.0;
        }
    }
}

#[cfg(test)]
mod tests;
