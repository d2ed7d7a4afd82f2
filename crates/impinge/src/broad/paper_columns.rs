//! The columns of \[Stratbuecker2003\] as published, including the pairs they miss: for comparison,
//! not for use.
//!
//! Balls are kept in one list sorted by `low` on one axis. In descending order, each is prepended
//! to the list of its cell in a grid over the other axes, so that every list is ascending. Before
//! that, it is tested against the lists of its own cell and of the neighbouring cells that it
//! overlaps, each until a candidate's `low` exceeds its `up`. A candidate is missed if it reaches
//! into the ball's cell but the ball does not reach into the candidate's (section 5). A second pass
//! with the grid shifted by half a cell finds most of those.

use super::try_merge_sort::{MergeSort, try_merge_sort};
use super::{BroadCounters, Pair};
use crate::bound::Ball;
use rustc_hash::FxHashMap;

/// Variant of the paper's method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaperGrid {
    /// One pass over one grid.
    #[default]
    One,
    /// A second pass with the grid shifted by half a cell on both axes.
    Shifted,
    /// One pass, with the grid shifted in every second step: pairs that stay are found within two steps.
    Alternating,
}

/// The paper's method, in two or three dimensions.
#[derive(Clone, Debug, Default)]
pub struct PaperColumns {
    grid: PaperGrid,
    /// The global list, kept from step to step.
    sorted: Vec<u32>,
    sort: MergeSort,
    steps: u64,
    counters: BroadCounters,
}

impl PaperColumns {
    /// Creates the method in this variant.
    pub fn new(grid: PaperGrid) -> Self {
        Self {
            grid,
            ..Self::default()
        }
    }

    /// Finds pairs and writes them sorted: all of them overlap, but some overlapping pairs are
    /// missed.
    pub fn find_some_pairs<const D: usize>(&mut self, balls: &[Ball<D>], pairs: &mut Vec<Pair>) {
        pairs.clear();
        if self.sorted.len() != balls.len() {
            self.sorted = (0..balls.len() as u32).collect();
        }

        // Descending, as in section 2.
        self.sort = try_merge_sort(&mut self.sorted, |&n| -low(&balls[n as usize]));
        self.counters.comparisons += self.sort.comparisons;
        let side = 2.0 * balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let is_odd = self.steps % 2 == 1;
        self.steps += 1;
        if self.grid != PaperGrid::Alternating || !is_odd {
            self.search(balls, side, 0.0, pairs);
        }
        if self.grid == PaperGrid::Shifted || (self.grid == PaperGrid::Alternating && is_odd) {
            self.search(balls, side, 0.5 * side, pairs);
        }

        pairs.sort_unstable();
        pairs.dedup();
    }

    /// Inserts all balls into a grid, testing each against those already there.
    fn search<const D: usize>(
        &mut self,
        balls: &[Ball<D>],
        side: f64,
        shift: f64,
        pairs: &mut Vec<Pair>,
    ) {
        // The last ball of each cell, and the previous ball in the same cell.
        let mut heads: FxHashMap<[i64; D], u32> = FxHashMap::default();
        let mut next = vec![u32::MAX; balls.len()];
        for &n in &self.sorted {
            let ball = &balls[n as usize];
            for_each_overlapped_cell(ball, side, shift, |cell| {
                let mut other = heads.get(&cell).copied().unwrap_or(u32::MAX);
                while other != u32::MAX {
                    self.counters.comparisons += 1;
                    if low(&balls[other as usize]) > low(ball) + 2.0 * ball.radius {
                        break;
                    }
                    self.counters.tests += 1;
                    if super::Proxy::overlaps(ball, &balls[other as usize]) {
                        pairs.push(Pair::new(n, other));
                    }
                    other = next[other as usize];
                }
            });
            let own = std::array::from_fn(|k| cell_of(ball.centre[k], k, side, shift));

            next[n as usize] = heads.insert(own, n).unwrap_or(u32::MAX);
        }
    }

    /// Returns the statistics of the last sort: its comparisons and its depth R_sort.
    pub fn last_sort(&self) -> MergeSort {
        self.sort
    }

    /// Returns the work counters accumulated so far.
    pub fn counters(&self) -> BroadCounters {
        self.counters
    }
}

/// Returns the lower end on the sorted axis.
fn low<const D: usize>(ball: &Ball<D>) -> f64 {
    ball.centre[0] - ball.radius
}

fn cell_of(x: f64, axis: usize, side: f64, shift: f64) -> i64 {
    // The sorted axis has no cells.
    if axis == 0 || side == 0.0 {
        0
    } else {
        ((x + shift) / side).floor() as i64
    }
}

/// Visits the cell of the centre and up to 2^(D−1) − 1 neighbours that the ball's box reaches into.
fn for_each_overlapped_cell<const D: usize>(
    ball: &Ball<D>,
    side: f64,
    shift: f64,
    mut visit: impl FnMut([i64; D]),
) {
    let from: [i64; D] =
        std::array::from_fn(|k| cell_of(ball.centre[k] - ball.radius, k, side, shift));
    let to: [i64; D] =
        std::array::from_fn(|k| cell_of(ball.centre[k] + ball.radius, k, side, shift));
    let mut cell = from;

    loop {
        visit(cell);
        let Some(axis) = (0..D).find(|&k| cell[k] < to[k]) else {
            return;
        };
        cell[axis] += 1;
        cell[..axis].copy_from_slice(&from[..axis]);
    }
}

#[cfg(test)]
mod tests;
