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
mod tests;
