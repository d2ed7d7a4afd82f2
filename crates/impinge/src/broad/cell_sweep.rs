//! Sweep and prune by insertion sort \[Schinner1997\], cell by cell: each cell keeps short sorted
//! lists of its own.
//!
//! A single list of all interval ends becomes more crowded as the number of bodies grows, so
//! exchanges grow as N^(5/3) in 3D (see [`Sweep`](super::Sweep)). Here space is divided into cells
//! a few body lengths wide. Every cell keeps the sorted ends and the overlapping pairs of the
//! bodies that reach into it, and updates them by the same insertion sort and exchange table. A
//! body that enters a cell is appended and sorted in; one that leaves is removed with its pairs. A
//! pair found by several cells is reported only by the cell that contains the lower corner of the
//! overlap.
//!
//! Cost of a step: O(N + exchanges + pairs), where the number of exchanges per body depends only on
//! density and step length. Memory: about 300 bytes per body. Bodies that reach into many cells,
//! such as walls, are tested against all others.

use super::sort_pairs::{Found, Merger};
use super::sweep::EXCHANGES_PER_BODY;
use super::sweep::items::Items;
use super::sweep::lists::{Lists, Moved, Work};
use super::{BroadCounters, BroadPhase, BroadScene, InvalidScene, Pair, Proxy, tasks};
use crate::space::Aabb;
use rustc_hash::FxHashMap;

/// Smallest side of a cell, and one over the largest: its inverse is finite too.
const SMALLEST_SIDE: f64 = 1e-300;

/// Cell edge, in mean body edges. Larger cells have longer lists; smaller cells share more bodies.
const EDGES_PER_CELL: f64 = 4.0;

/// Bodies per cell if all bodies have zero size.
const BODIES_PER_CELL: f64 = 32.0;

/// Maximum number of cells that a body may reach into; larger bodies are tested against all others.
const MOST_CELLS: f64 = 64.0;

/// Maximum number of bodies that are tested against all others; the cells are enlarged if there
/// would be more.
const MOST_HUGE: usize = 32;

/// The rectangular range of cells that a box reaches into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach<const D: usize> {
    from: [i32; D],
    to: [i32; D],
}

impl<const D: usize> Reach<D> {
    const NONE: Self = Self {
        from: [0; D],
        to: [-1; D],
    };

    fn holds(&self, cell: &[i32; D]) -> bool {
        (0..D).all(|k| self.from[k] <= cell[k] && cell[k] <= self.to[k])
    }

    fn for_each(&self, mut visit: impl FnMut([i32; D])) {
        if self.from[0] > self.to[0] {
            return;
        }

        let mut cell = self.from;
        loop {
            visit(cell);
            let Some(axis) = (0..D).find(|&k| cell[k] < self.to[k]) else {
                return;
            };
            cell[axis] += 1;
            cell[..axis].copy_from_slice(&self.from[..axis]);
        }
    }
}

/// A cell, with the items that entered and left it since the last step.
#[derive(Clone, Debug)]
struct Cell<const D: usize> {
    key: [i32; D],
    lists: Lists<D>,
    came: Vec<u32>,
    left: Vec<u32>,
}

/// Per-task working data of a step.
#[derive(Clone, Debug, Default)]
struct Share {
    work: Work,
    found: Found,
}

/// Sweep and prune by insertion sort with persistent lists of pairs, cell by cell.
#[derive(Clone, Debug)]
#[doc(alias = "sweep and prune")]
pub struct CellSweep<const D: usize> {
    items: Items<D>,
    before: Vec<Aabb<D>>,
    /// Cells per unit length; 0 before the first build.
    inverse: f64,
    reaches: Vec<Reach<D>>,
    index: FxHashMap<[i32; D], u32>,
    cells: Vec<Cell<D>>,
    /// Items in no cell, and their number when the cells were laid out.
    huge: Vec<u32>,
    huge_at_first: usize,
    shares: Vec<Share>,
    found: Vec<Found>,
    merger: Merger,
    counters: BroadCounters,
}

impl<const D: usize> Default for CellSweep<D> {
    fn default() -> Self {
        Self {
            items: Items::default(),
            before: Vec::new(),
            inverse: 0.0,
            reaches: Vec::new(),
            index: FxHashMap::default(),
            cells: Vec::new(),
            huge: Vec::new(),
            huge_at_first: 0,
            shares: Vec::new(),
            found: Vec::new(),
            merger: Merger::default(),
            counters: BroadCounters::default(),
        }
    }
}

impl<const D: usize> BroadPhase<D> for CellSweep<D> {
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        scene.check()?;
        std::mem::swap(&mut self.before, &mut self.items.boxes);
        let same_items = self.items.take(scene, self.before.len());
        self.before.resize(self.items.boxes.len(), Aabb::EMPTY);

        if !same_items || self.inverse == 0.0 || self.is_worn() {
            self.lay_out();
        }

        self.move_between_cells();
        self.repair_cells(scene);
        self.write(scene, pairs);
        Ok(())
    }

    fn counters(&self) -> BroadCounters {
        self.counters
    }
}

impl<const D: usize> CellSweep<D> {
    /// Returns the memory in use in bytes: two steps of boxes, and the lists of all cells.
    pub fn memory(&self) -> usize {
        let of_cell = |cell: &Cell<D>| {
            let moves = cell.came.capacity() + cell.left.capacity();
            cell.lists.memory() + moves * size_of::<u32>()
        };
        let found: usize = self.found.iter().map(Found::memory).sum();
        let shares: usize = (self.shares.iter())
            .map(|share| share.work.memory() + share.found.memory())
            .sum();
        self.items.memory()
            + self.before.capacity() * size_of::<Aabb<D>>()
            + self.reaches.capacity() * size_of::<Reach<D>>()
            + self.index.capacity() * (size_of::<([i32; D], u32)>() + 1)
            + self.cells.capacity() * size_of::<Cell<D>>()
            + self.cells.iter().map(of_cell).sum::<usize>()
            + self.merger.memory()
            + found
            + shares
    }

    /// Returns whether most cells are now empty, or too many bodies have ended up in no cell.
    fn is_worn(&self) -> bool {
        let idle = self
            .cells
            .iter()
            .filter(|cell| cell.lists.len() == 0)
            .count();
        idle > self.cells.len() / 2 + 64 || self.huge.len() > self.huge_at_first + MOST_HUGE
    }

    /// Chooses a new cell size and discards the contents of all cells.
    fn lay_out(&mut self) {
        self.counters.rebuilds += 1;
        self.index.clear();
        self.cells.clear();
        self.reaches.clear();
        self.inverse = 1.0 / self.good_side();

        while self.count_huge() > MOST_HUGE && self.inverse > f64::MIN_POSITIVE {
            self.inverse *= 0.5;
        }

        let endless = self
            .items
            .boxes
            .iter()
            .filter(|b| !b.is_empty() && !is_finite(b))
            .count();

        self.huge_at_first = endless + self.count_huge();
    }

    fn good_side(&self) -> f64 {
        let (mut total, mut count, mut world) = (0.0, 0.0, Aabb::EMPTY);
        for bounds in self.items.boxes.iter().filter(|bounds| is_finite(bounds)) {
            total += bounds.extent().sum() / D as f64;
            count += 1.0;
            world = world.merged(bounds);
        }

        let by_edges = EDGES_PER_CELL * total / f64::max(count, 1.0);
        if by_edges > 0.0 {
            return by_edges.clamp(SMALLEST_SIDE, 1.0 / SMALLEST_SIDE);
        }

        let width = if count > 0.0 {
            world.longest_edge()
        } else {
            0.0
        };
        let by_number = width * (BODIES_PER_CELL / f64::max(count, 1.0)).powf(1.0 / D as f64);

        if by_number > 0.0 {
            by_number.clamp(SMALLEST_SIDE, 1.0 / SMALLEST_SIDE)
        } else {
            1.0
        }
    }

    /// Counts the finite bodies that reach into too many cells.
    fn count_huge(&self) -> usize {
        self.items
            .boxes
            .iter()
            .filter(|b| is_finite(b) && self.reach(b).is_none())
            .count()
    }

    /// Returns the cells of a non-empty box, or `None` if there are too many. Cell indices saturate
    /// at the limits of i32.
    fn reach(&self, bounds: &Aabb<D>) -> Option<Reach<D>> {
        let cell = |x: f64| (x * self.inverse).floor() as i32;
        let reach = Reach {
            from: std::array::from_fn(|k| cell(bounds.min[k])),
            to: std::array::from_fn(|k| cell(bounds.max[k])),
        };
        let count: f64 = (0..D)
            .map(|k| f64::from(reach.to[k]) - f64::from(reach.from[k]) + 1.0)
            .product();

        (count <= MOST_CELLS).then_some(reach)
    }

    /// Records in each cell which items entered and which left.
    fn move_between_cells(&mut self) {
        self.huge.clear();
        self.reaches.resize(self.items.boxes.len(), Reach::NONE);
        for n in 0..self.items.boxes.len() {
            let bounds = &self.items.boxes[n];
            let reach = if bounds.is_empty() {
                Some(Reach::NONE)
            } else {
                self.reach(bounds)
            };

            if reach.is_none() {
                self.huge.push(n as u32);
            }

            let (old, new) = (self.reaches[n], reach.unwrap_or(Reach::NONE));
            if old == new {
                continue;
            }

            self.reaches[n] = new;
            old.for_each(|cell| {
                if !new.holds(&cell) {
                    self.cells[self.index[&cell] as usize].left.push(n as u32);
                }
            });

            new.for_each(|cell| {
                if !old.holds(&cell) {
                    cell_at(&mut self.index, &mut self.cells, cell)
                        .came
                        .push(n as u32);
                }
            });
        }
    }

    fn repair_cells<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>) {
        let tasks = tasks::count(self.items.boxes.len());
        let size = self.cells.len().div_ceil(tasks).max(1);
        self.shares.resize_with(tasks, Share::default);
        let (moved, reaches) = (
            Moved {
                items: &self.items,
                before: &self.before,
            },
            &self.reaches,
        );
        self.shares
            .iter_mut()
            .for_each(|share| share.found.pairs.clear());
        let mut jobs: Vec<_> = self.cells.chunks_mut(size).zip(&mut self.shares).collect();

        tasks::for_each(&mut jobs, |_, (cells, share)| {
            for cell in cells.iter_mut() {
                cell.repair(&moved, &mut share.work);
                cell.report(scene, &self.items, reaches, &mut share.found.pairs);
            }
        });

        for share in &mut self.shares {
            self.counters += std::mem::take(&mut share.work.counters);
        }
    }

    /// Writes all pairs, sorted, including those of the bodies in no cell.
    fn write<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>, pairs: &mut Vec<Pair>) {
        self.found.resize_with(self.shares.len(), Found::default);
        for (found, share) in self.found.iter_mut().zip(&mut self.shares) {
            std::mem::swap(&mut found.pairs, &mut share.found.pairs);
        }

        let boxes = &self.items.boxes;
        for &n in &self.huge {
            self.counters.tests += boxes.len() as u64;
            for other in (0..boxes.len() as u32)
                .filter(|&other| boxes[n as usize].overlaps(&boxes[other as usize]))
            {
                let both_huge = self.reaches[other as usize] == Reach::NONE;
                if n != other && !(both_huge && other < n) {
                    push_pair(scene, &self.items, n, other, &mut self.found[0].pairs);
                }
            }
        }

        self.merger
            .merge(&mut self.found, scene.bodies.len(), pairs);
        if self.items.images() {
            pairs.dedup();
        }
    }

    /// Returns the number of non-empty cells.
    pub fn cell_count(&self) -> usize {
        self.cells
            .iter()
            .filter(|cell| cell.lists.len() > 0)
            .count()
    }

    /// Checks that the lists and pairs of every cell match a sort from scratch.
    ///
    /// # Panics
    /// Panics if they do not.
    pub fn assert_valid(&self) {
        for cell in &self.cells {
            cell.lists.assert_sorted();
            let mut fresh = cell.lists.clone();
            fresh.sort_and_sweep(&self.items, &mut BroadCounters::default());
            assert_eq!(
                fresh.pairs, cell.lists.pairs,
                "cell {:?}: the cached pairs differ from those of its boxes",
                cell.key
            );
        }

        let mut held = 0;
        self.reaches
            .iter()
            .for_each(|reach| reach.for_each(|_| held += 1));
        let listed: usize = self.cells.iter().map(|cell| cell.lists.len()).sum();

        assert_eq!(held, listed, "the cells do not contain all bodies");
    }
}

fn is_finite<const D: usize>(bounds: &Aabb<D>) -> bool {
    !bounds.is_empty() && bounds.extent().iter().all(|edge| edge.is_finite())
}

fn cell_at<'a, const D: usize>(
    index: &mut FxHashMap<[i32; D], u32>,
    cells: &'a mut Vec<Cell<D>>,
    key: [i32; D],
) -> &'a mut Cell<D> {
    let n = *index.entry(key).or_insert(cells.len() as u32) as usize;
    if n == cells.len() {
        cells.push(Cell {
            key,
            lists: Lists::default(),
            came: Vec::new(),
            left: Vec::new(),
        });
    }
    &mut cells[n]
}

/// Adds the pair of two items' bodies if they overlap and the filters allow it.
fn push_pair<B: Proxy<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    items: &Items<D>,
    one: u32,
    other: u32,
    pairs: &mut Vec<Pair>,
) {
    let (a, b) = (items.body(one), items.body(other));
    if items.may_pair(one as usize, other as usize) && scene.pair_overlaps(a, b) {
        pairs.push(Pair::new(a, b));
    }
}

impl<const D: usize> Cell<D> {
    fn repair(&mut self, moved: &Moved<D>, work: &mut Work) {
        if !self.left.is_empty() {
            // The indices were recorded in ascending order.
            let left = &self.left;
            self.lists
                .take_out(|n| left.binary_search(&(n as u32)).is_ok());
            self.left.clear();
        }

        let (old, new) = (self.lists.len(), self.came.len());
        self.lists.append(self.came.iter().copied());
        self.came.clear();

        // Sorting in one item costs about as many exchanges as there are ends.
        let budget = EXCHANGES_PER_BODY * (old + new) as u64 + 6 * old as u64;
        if new > old / 8 + 1 || !self.lists.repair(moved, budget, work) {
            self.lists.sort_and_sweep(moved.items, &mut work.counters);
        }
    }

    /// Adds the pairs whose overlap has its lower corner in this cell.
    fn report<B: Proxy<D>>(
        &self,
        scene: &BroadScene<B, D>,
        items: &Items<D>,
        reaches: &[Reach<D>],
        pairs: &mut Vec<Pair>,
    ) {
        for &Pair { a, b } in &self.lists.pairs {
            let (one, other) = (&reaches[a as usize].from, &reaches[b as usize].from);
            if (0..D).all(|k| one[k].max(other[k]) == self.key[k]) {
                push_pair(scene, items, a, b, pairs);
            }
        }
    }
}

#[cfg(test)]
mod tests;
