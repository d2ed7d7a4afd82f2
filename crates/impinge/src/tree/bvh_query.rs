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
mod tests {
    use super::*;
    use crate::space::Random;

    fn random_boxes<const D: usize>(count: usize, size: f64, random: &mut Random) -> Vec<Aabb<D>> {
        let mut side = |scale: f64| std::array::from_fn::<f64, D, _>(|_| scale * random.unit());
        (0..count)
            .map(|_| {
                let min = Point::from(side(1.0));
                Aabb::new(min, min + Vector::from(side(size)))
            })
            .collect()
    }

    fn overlapping_by_brute_force<const D: usize>(boxes: &[Aabb<D>], query: &Aabb<D>) -> Vec<u32> {
        (0..boxes.len() as u32)
            .filter(|&i| boxes[i as usize].overlaps(query))
            .collect()
    }

    fn trees_find_what_brute_force_finds<const D: usize>() {
        let mut random = Random::new(21);
        for count in [0, 1, 2, 3, 4, 5, 17, 1000, 20_000] {
            let boxes = random_boxes::<D>(count, 0.05, &mut random);
            let tree = Bvh::new(&boxes);
            tree.assert_valid(&boxes);
            let mut found = Vec::new();
            for query in random_boxes::<D>(50, 0.2, &mut random) {
                tree.find_overlapping(&query, &mut found);
                found.retain(|&i| boxes[i as usize].overlaps(&query));
                assert_eq!(found, overlapping_by_brute_force(&boxes, &query));
            }
        }
    }

    #[test]
    fn box_queries_find_what_brute_force_finds_in_2_and_3_dimensions() {
        trees_find_what_brute_force_finds::<2>();
        trees_find_what_brute_force_finds::<3>();
    }

    #[test]
    fn a_segment_finds_every_box_that_it_passes_through() {
        let mut random = Random::new(22);
        let boxes = random_boxes::<3>(3000, 0.03, &mut random);
        let tree = Bvh::new(&boxes);
        let mut found = Vec::new();

        for _ in 0..40 {
            let mut point = || {
                Point::from(std::array::from_fn::<f64, 3, _>(|_| {
                    random.within(-0.2, 1.2)
                }))
            };
            let (from, to) = (point(), point());
            tree.find_along(&from, &to, &mut found);

            for (i, bounds) in boxes.iter().enumerate() {
                let passes = (0..=300)
                    .any(|k| bounds.contains(&(from + (to - from) * (f64::from(k) / 300.0))));
                assert!(
                    !passes || found.binary_search(&(i as u32)).is_ok(),
                    "box {i} is missing"
                );
            }

            let distant = |&i: &u32| !boxes[i as usize].grown(0.2).overlaps(&Aabb::of([from, to]));
            assert_eq!(found.iter().filter(|i| distant(i)).count(), 0);
        }
    }

    #[test]
    fn a_segment_that_touches_a_corner_or_lies_in_a_face_is_not_lost() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]);
        let touches =
            |from: [f64; 3], to: [f64; 3]| Segment::new(&from.into(), &to.into()).may_touch(&unit);
        assert!(touches([1.0, 1.0, 1.0], [2.0, 3.0, 4.0]));
        assert!(touches([2.0, 3.0, 4.0], [1.0, 1.0, 1.0]));
        assert!(touches([1.0, -1.0, 0.5], [1.0, 2.0, 0.5]));
        assert!(touches([0.0, 0.0, -1.0], [0.0, 0.0, 0.0]));
        assert!(touches([0.5; 3], [0.5; 3]));
        assert!(touches([2.0, 0.0, 0.0], [0.0, 2.0, 0.0]));
        assert!(!touches([2.1, 0.0, 0.0], [0.0, 2.1, 0.0]));

        assert!(!touches(
            [1.0f64.next_up(), -1.0, 0.5],
            [1.0f64.next_up(), 2.0, 0.5]
        ));
        assert!(!touches([2.0; 3], [2.0; 3]));
    }

    #[test]
    fn ten_thousand_boxes_in_one_place_make_a_balanced_tree() {
        let boxes = vec![Aabb::new([0.5; 3], [0.6; 3]); 10_000];
        let tree = Bvh::new(&boxes);
        tree.assert_valid(&boxes);
        let mut found = Vec::new();
        tree.find_overlapping(&boxes[0], &mut found);
        assert_eq!(found.len(), 10_000);
    }

    #[test]
    fn centres_that_crowd_geometrically_do_not_make_the_tree_too_high() {
        let boxes: Vec<Aabb<2>> = (0..1000)
            .map(|k| 2f64.powi(-k))
            .map(|x| Aabb::new([x, 0.0], [x, 0.0]))
            .collect();
        let tree = Bvh::new(&boxes);
        tree.assert_valid(&boxes);
        let mut found = Vec::new();
        tree.find_along(&[1e-3, 0.0].into(), &[1e-6, 0.0].into(), &mut found);

        assert!((10..20).all(|k| found.contains(&k)), "{found:?}");
    }

    #[test]
    fn the_tree_is_the_same_for_any_number_of_threads() {
        let boxes = random_boxes::<3>(30_000, 0.01, &mut Random::new(23));
        let build = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            let tree = pool.install(|| Bvh::new(&boxes));
            (
                tree.items,
                tree.nodes
                    .iter()
                    .map(|n| (n.first, n.count))
                    .collect::<Vec<_>>(),
            )
        };

        assert_eq!(build(1), build(3));
    }
}
