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
mod tests {
    use super::*;
    use crate::bound::Ball;
    use crate::space::{Aabb, Random};

    fn points<const D: usize>(count: usize, random: &mut Random) -> Vec<Point<D>> {
        (0..count)
            .map(|_| Point::from(std::array::from_fn::<f64, D, _>(|_| random.unit())))
            .collect()
    }

    fn nearest_is_that_of_brute_force<const D: usize, B: Volume<D>>(
        bound: impl Fn(&Point<D>) -> B,
    ) {
        let mut random = Random::new(71);
        for count in [0, 1, 3, 100, 5000] {
            let places = points::<D>(count, &mut random);
            let tree = Bvh::top_down(&places.iter().map(&bound).collect::<Vec<B>>());
            for from in points::<D>(50, &mut random) {
                let from = Point::from(from.coords * 3.0);
                let square = |item: u32| (places[item as usize] - from).norm_squared();
                let expected = (0..count as u32).min_by(|&a, &b| square(a).total_cmp(&square(b)));
                let found = tree.nearest(&from, f64::INFINITY, |item, _| square(item));
                assert_eq!(found.map(|least| least.item), expected);
                let Some(least) = found else { continue };
                assert_eq!(
                    tree.nearest(&from, least.value.sqrt() * 0.999, |item, _| square(item)),
                    None
                );
                let radius = least.value.sqrt() * 1.3;
                let mut within = Vec::new();
                tree.find_within(&from, radius, &mut within);
                within.retain(|&item| square(item) <= radius * radius);
                let brute: Vec<u32> = (0..count as u32)
                    .filter(|&i| square(i) <= radius * radius)
                    .collect();

                assert_eq!(within, brute);
            }
        }
    }

    #[test]
    fn the_nearest_item_and_those_within_a_distance_are_those_of_brute_force() {
        nearest_is_that_of_brute_force::<2, _>(|p| Aabb::of([*p]));
        nearest_is_that_of_brute_force::<3, _>(|p| Aabb::of([*p]));
        nearest_is_that_of_brute_force::<3, _>(|p| Ball::new(*p, 0.0));
    }

    #[test]
    fn of_equally_near_items_the_lowest_number_is_found() {
        let boxes = vec![Aabb::new([1.0; 3], [2.0; 3]); 1000];
        let found = Bvh::new(&boxes).nearest(&[0.0; 3].into(), f64::INFINITY, |_, _| 3.0);
        assert_eq!(
            found,
            Some(Least {
                item: 0,
                value: 3.0
            })
        );
    }

    #[test]
    fn few_items_are_measured() {
        let mut random = Random::new(72);
        let places = points::<3>(20_000, &mut random);
        let tree = Bvh::new(&places.iter().map(|p| Aabb::of([*p])).collect::<Vec<_>>());
        let mut measured = 0;

        for from in points::<3>(100, &mut random) {
            tree.nearest(&from, f64::INFINITY, |item, _| {
                measured += 1;
                (places[item as usize] - from).norm_squared()
            });
        }

        assert!((100..4000).contains(&measured), "{measured}");
    }
}
