//! Sweep and prune: sorted box ends, kept from step to step \[Schinner1997\].
//!
//! On each axis, the lower and upper ends of all boxes are kept in one sorted list. After the
//! bodies have moved a little, an insertion sort repairs the lists. The paper's table gives the
//! effect of each exchange of two adjacent ends on their pair:
//!
//! - lower with lower, or upper with upper: none;
//! - a lower end falls below an upper end: the pair begins if the boxes overlap on all other axes;
//! - an upper end falls below a lower end: the pair ends.
//!
//! The list of pairs is thus updated without visiting pairs that do not change.
//!
//! Cost: O(N + exchanges + pairs). At constant density and step length the exchanges grow as
//! N^(5/3) in 3D and N^(3/2) in 2D, because every list contains the ends of all bodies. They grow
//! as N² in a chain, where bodies crowd ever closer on the axes across it. The paper's O(N) is
//! valid for some thousand to 20,000 slowly moving bodies. For more,
//! [`CellSweep`](super::CellSweep) keeps such lists cell by cell. Exchanges are counted as they
//! happen. Past a budget, the lists are sorted from scratch, and the pairs come from one sweep along an
//! axis, or from columns if that would test too many. A step in which every body jumps costs less than
//! two builds.

pub(super) mod items;
pub(super) mod lists;

use super::columns::Columns;
use super::{BroadCounters, BroadPhase, BroadScene, InvalidScene, Pair, Proxy};
use crate::space::{Aabb, LARGEST_COORDINATE};
use items::Items;
use lists::{Lists, Moved, Work};

/// Exchanges per body beyond which a rebuild is cheaper: an exchange takes about 4 ns, a build
/// about 500 ns per body.
pub(super) const EXCHANGES_PER_BODY: u64 = 64;

/// Pairs that overlap on one axis, per body, up to which a sweep along it is no slower than columns.
const TESTS_PER_BODY: u64 = 128;

/// If more than one body is new per this many box ends (two per body), a rebuild is cheaper than
/// sorting the new ones in.
const NEWCOMERS: usize = 100;

/// Sweep and prune by insertion sort, with a persistent list of pairs.
///
/// ```
/// use impinge::broad::{BroadPhase, BroadScene, Pair, Sweep};
/// use impinge::space::Aabb;
/// let mut boxes = [0.0, 3.0, 1.0].map(|x| Aabb::new([x, 0.0], [x + 1.5, 1.0]));
/// let (mut sweep, mut pairs) = (Sweep::default(), Vec::new());
/// sweep.find_pairs(&BroadScene::of(&boxes), &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 2 }]);
/// boxes[2] = Aabb::new([2.0, 0.5], [3.5, 1.5]);
/// sweep.find_pairs(&BroadScene::of(&boxes), &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 1, b: 2 }]);
/// # Ok::<(), impinge::broad::InvalidScene>(())
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "sweep and prune")]
#[doc(alias = "SAP")]
#[doc(alias = "sort and sweep")]
pub struct Sweep<const D: usize> {
    items: Items<D>,
    /// Boxes of the last step.
    before: Vec<Aabb<D>>,
    lists: Lists<D>,
    work: Work,
    columns: Columns<D>,
    compact: Vec<Aabb<D>>,
}

impl<const D: usize> BroadPhase<D> for Sweep<D> {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        scene.check()?;
        // After an error the lists still describe the last valid step.
        std::mem::swap(&mut self.before, &mut self.items.boxes);
        let same_items = self.items.take(scene, self.before.len());
        self.before.resize(self.items.boxes.len(), Aabb::EMPTY);

        if !same_items || !self.admit() || !self.repair() {
            self.rebuild();
        }

        self.write(scene, pairs);
        Ok(())
    }

    fn counters(&self) -> BroadCounters {
        self.work.counters
    }
}

impl<const D: usize> Sweep<D> {
    /// Removes items that disappeared and appends new ones; returns false if too many are new.
    fn admit(&mut self) -> bool {
        let (boxes, before) = (&self.items.boxes, &self.before);
        let came = (0..boxes.len()).filter(|&n| before[n].is_empty() && !boxes[n].is_empty());
        if came.clone().count() > 2 * self.lists.len() / NEWCOMERS + 2 {
            return false;
        }

        if (0..boxes.len()).any(|n| boxes[n].is_empty() && !before[n].is_empty()) {
            self.lists.take_out(|n| boxes[n].is_empty());
        }

        self.lists.append(came.map(|n| n as u32));
        true
    }

    /// Updates the lists and the pairs; returns false if the exchanges exceeded the budget.
    fn repair(&mut self) -> bool {
        let budget = EXCHANGES_PER_BODY * self.lists.len() as u64;
        let moved = Moved {
            items: &self.items,
            before: &self.before,
        };
        self.lists.repair(&moved, budget, &mut self.work)
    }

    /// Sorts all ends and finds all pairs from scratch: by a sweep along one axis or, where too many boxes
    /// overlap on every axis, by columns.
    fn rebuild(&mut self) {
        self.work.counters.rebuilds += 1;
        let boxes = &self.items.boxes;
        let active: Vec<u32> = (0..boxes.len() as u32)
            .filter(|&n| !boxes[n as usize].is_empty())
            .collect();
        self.lists.sort(active.iter().copied(), &self.items);
        let budget = TESTS_PER_BODY * active.len() as u64;
        let counters = &mut self.work.counters;
        if self.lists.sweep(&self.items, budget, counters) {
            return;
        }

        self.compact.clear();
        self.compact
            .extend(active.iter().map(|&n| within_limits(&boxes[n as usize])));
        let pairs = &mut self.lists.pairs;
        self.columns
            .find_pairs(&BroadScene::of(&self.compact), pairs)
            .expect("the boxes of a checked scene are good");

        // The mapping is monotonic, so the list stays sorted.
        for pair in &mut *pairs {
            *pair = Pair {
                a: active[pair.a as usize],
                b: active[pair.b as usize],
            };
        }

        let items = &self.items;
        pairs.retain(|pair| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            items.may_pair(a, b) && items.boxes[a].overlaps(&items.boxes[b])
        });
    }

    /// Writes the pairs of bodies whose items overlap, after the exact test and the filters.
    fn write<B: Proxy<D>>(&self, scene: &BroadScene<B, D>, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let kept = self.lists.pairs.iter();
        let bodies = kept.map(|pair| Pair::new(self.items.body(pair.a), self.items.body(pair.b)));
        pairs.extend(bodies.filter(|pair| scene.pair_overlaps(pair.a, pair.b)));

        if self.items.images() {
            pairs.sort_unstable();
            pairs.dedup();
        }
    }

    /// Returns the memory in use in bytes: two steps of boxes, the lists of ends, and the pairs.
    pub fn memory(&self) -> usize {
        let boxes = self.before.capacity() + self.compact.capacity();
        self.items.memory()
            + boxes * size_of::<Aabb<D>>()
            + self.lists.memory()
            + self.work.memory()
            + self.columns.memory()
            + self.columns.memory_of_pairs()
    }

    /// Checks that the lists and pairs match a build of the last scene from scratch.
    ///
    /// # Panics
    /// Panics if they do not.
    pub fn assert_valid(&self) {
        self.lists.assert_sorted();
        let mut fresh = self.clone();
        fresh.rebuild();
        assert_eq!(
            fresh.lists.pairs, self.lists.pairs,
            "the cached pairs differ from those of the boxes"
        );

        assert_eq!(
            fresh.lists.len(),
            self.lists.len(),
            "the lists do not contain all boxes"
        );
    }
}

/// Clamps the finite ends of a box to the coordinates that the library accepts: the box of a ball
/// at the limit, or of an image, may exceed them. Overlapping boxes still overlap.
fn within_limits<const D: usize>(bounds: &Aabb<D>) -> Aabb<D> {
    let limited = |x: f64| match x.is_finite() {
        true => x.clamp(-LARGEST_COORDINATE, LARGEST_COORDINATE),
        false => x,
    };
    Aabb {
        min: bounds.min.map(limited),
        max: bounds.max.map(limited),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Ball;
    use crate::broad::Changes;
    use crate::broad::contract::{agree, crowd};
    use crate::space::Random;

    /// Two boxes along axis 0 that do or do not overlap on axis 1.
    fn two(at: f64, overlap_across: bool) -> [Aabb<2>; 2] {
        let across = if overlap_across { 0.5 } else { 5.0 };
        [
            Aabb::new([0.0, 0.0], [1.0, 1.0]),
            Aabb::new([at, across], [at + 1.0, across + 1.0]),
        ]
    }

    #[test]
    fn exchanges_change_the_overlap_status_as_the_table_says() {
        for across in [false, true] {
            let (mut sweep, mut pairs, mut changes) =
                (Sweep::default(), Vec::new(), Changes::default());
            sweep
                .find_pairs(&BroadScene::of(&two(2.0, across)), &mut pairs)
                .expect("good boxes");
            let before = sweep.counters();

            // Apart; lower past upper (eb → be); lower past lower and upper past upper; upper past lower (be → eb).
            for (at, overlap) in [(2.0, false), (0.5, true), (-0.5, true), (-2.0, false)] {
                sweep
                    .find_pairs(&BroadScene::of(&two(at, across)), &mut pairs)
                    .expect("good boxes");
                changes.update(&pairs);
                assert_eq!(pairs.len(), usize::from(overlap && across));
                assert_eq!(changes.began.len(), usize::from(at == 0.5 && across));
                assert_eq!(changes.ended.len(), usize::from(at == -2.0 && across));
                sweep.assert_valid();
            }

            let after = sweep.counters();
            assert_eq!(after.rebuilds, before.rebuilds);
            assert_eq!(after.exchanges - before.exchanges, 4, "eb, bb, ee, be");
            assert_eq!(after.tests - before.tests, 2, "bb and ee change nothing");
        }
    }

    #[test]
    fn a_thousand_random_steps_never_build_from_scratch() {
        let mut boxes: Vec<Aabb<3>> = crowd(150, 1.5, 2);
        let (mut sweep, mut random, mut pairs) = (Sweep::default(), Random::new(4), Vec::new());
        for step in 0..1000 {
            for bounds in &mut boxes {
                let by = random.direction::<3>() * 0.01;
                *bounds = Aabb {
                    min: bounds.min + by,
                    max: bounds.max + by,
                };
            }

            agree(&mut sweep, &BroadScene::of(&boxes), &mut pairs);
            if step % 100 == 0 {
                sweep.assert_valid();
            }
        }

        assert_eq!(sweep.counters().rebuilds, 1);
        assert!(sweep.counters().exchanges > 1000);
    }

    #[test]
    fn memory_holds_the_boxes_of_two_steps_and_their_ends_and_does_not_grow() {
        let mut balls: Vec<Ball<3>> = crowd(1000, 1.5, 3);
        let (mut sweep, mut pairs, mut sizes) = (Sweep::default(), Vec::new(), Vec::new());
        for _ in 0..20 {
            balls.iter_mut().for_each(|ball| ball.centre.x += 1e-4);
            agree(&mut sweep, &BroadScene::of(&balls), &mut pairs);
            sizes.push(sweep.memory());
        }

        let least = 1000 * (2 * size_of::<Aabb<3>>() + 6 * 16);
        assert!(
            sizes[19] >= least + pairs.len() * size_of::<Pair>(),
            "{sizes:?}"
        );
        assert!(sizes[19] < 4 * least && sizes[19] == sizes[10], "{sizes:?}");
    }

    #[test]
    fn when_everything_jumps_the_budget_ends_the_sort() {
        let (mut sweep, mut pairs) = (Sweep::default(), Vec::new());
        for seed in 0..4 {
            let balls: Vec<Ball<3>> = crowd(3000, 1.5, seed);
            sweep
                .find_pairs(&BroadScene::of(&balls), &mut pairs)
                .expect("good balls");
        }

        assert_eq!(sweep.counters().rebuilds, 4);
        let longest_move = 2 * 3000;
        assert!(sweep.counters().exchanges <= 3 * (EXCHANGES_PER_BODY * 3000 + longest_move));
        sweep.assert_valid();
    }
}
