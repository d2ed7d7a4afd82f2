//! Branch-and-bound search for the best item: the nearest to a point, or the minimum of any value
//! that nodes bound from below.
//!
//! The search is depth first and visits the more promising child first; a postponed node is dropped
//! if its bound exceeds the best value so far. Expected cost is O(log n) if a few items are much
//! better than the rest, and never more than O(n).

use super::bvh::Bvh;
use super::bvh_build::HEIGHT;
use super::volume::Volume;
use crate::space::Point;

/// The best item found by a search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Least {
    /// The index of the item.
    pub item: u32,
    /// The minimum value; the squared distance for [`Bvh::nearest`].
    pub value: f64,
}

impl<const D: usize, B: Volume<D>> Bvh<D, B> {
    /// Returns the item nearest to a point, if one lies within `limit`. Ties go to the lowest
    /// index.
    ///
    /// `measure` receives an item and the squared distance to beat. It returns the squared distance
    /// of the item, or any value larger than the one to beat.
    ///
    /// A good `limit`, such as the distance to the item that was nearest in the last step, saves
    /// most of the search.
    ///
    /// ```
    /// use impinge::{space::{Aabb, Point}, tree::Bvh};
    /// let places: Vec<Point<2>> = (0..100).map(|i| [f64::from(i), 0.0].into()).collect();
    /// let boxes: Vec<Aabb<2>> = places.iter().map(|&p| Aabb::of([p])).collect();
    /// let (tree, from) = (Bvh::new(&boxes), Point::from([41.7, 3.0]));
    /// let measure = |item: u32, _| (places[item as usize] - from).norm_squared();
    /// assert_eq!(tree.nearest(&from, f64::INFINITY, measure).map(|found| found.item), Some(42));
    /// assert_eq!(tree.nearest(&from, 2.9, measure), None);
    /// ```
    #[inline]
    pub fn nearest(
        &self,
        point: &Point<D>,
        limit: f64,
        measure: impl FnMut(u32, f64) -> f64,
    ) -> Option<Least> {
        self.least(
            limit * limit,
            |bounds| bounds.squared_distance(point),
            measure,
        )
    }

    /// Returns the item with the smallest value, if one is at most `limit`. `bound` must not exceed
    /// the value of any item below a node with those bounds; `measure` is as for [`Bvh::nearest`].
    /// Values must not be NaN.
    #[inline]
    pub fn least(
        &self,
        limit: f64,
        bound: impl Fn(&B) -> f64,
        mut measure: impl FnMut(u32, f64) -> f64,
    ) -> Option<Least> {
        let mut best = Least {
            item: u32::MAX,
            value: limit,
        };
        let (mut later, mut height) = ([(0u32, 0.0f64); HEIGHT], 0);
        let mut node = self
            .nodes
            .first()
            .filter(|root| bound(&root.bounds) <= limit)?;

        loop {
            if node.is_leaf() {
                for &item in self.items_of(node) {
                    let value = measure(item, best.value);
                    if value < best.value || value == best.value && item < best.item {
                        best = Least { item, value };
                    }
                }
            } else {
                let [mut near, mut far] = [node.first, node.first + 1]
                    .map(|child| (child, bound(&self.nodes[child as usize].bounds)));
                if far.1 < near.1 {
                    (near, far) = (far, near);
                }

                if near.1 <= best.value {
                    if far.1 <= best.value {
                        later[height] = far;
                        height += 1;
                    }
                    node = &self.nodes[near.0 as usize];
                    continue;
                }
            }
            node = loop {
                if height == 0 {
                    return (best.item != u32::MAX).then_some(best);
                }
                height -= 1;
                if later[height].1 <= best.value {
                    break &self.nodes[later[height].0 as usize];
                }
            };
        }
    }
}

#[cfg(test)]
mod tests;
