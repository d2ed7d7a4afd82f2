//! Cost model that divides the range of body sizes into grid levels.
//!
//! A level's cells are as wide as its longest body, so one level over a wide range of sizes tests
//! too many pairs. On the other hand, larger bodies must search the rows of every finer level. With
//! n bodies per volume V in a level of longest edges e, a body tests about n/V · 4.5 · e₁·e₂ ·
//! (e₀ + its edge) others of its own level (half of the 9 columns around it). A larger body of edges s
//! visits Π(s_k/e_k + 2) rows and tests n/V · Π(s_k + 2 e_k) others. The cost of a level depends on
//! its bodies and on all larger ones, but not on how the larger ones are divided. Dynamic
//! programming from the finest level upwards therefore finds the best division. The few largest
//! bodies may be left out of the levels altogether.

use super::survey::{BINS, Bin};
use std::ops::Range;

/// Number of grids used by the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Levels {
    /// Chosen by the cost model.
    #[default]
    Auto,
    /// A single grid, with cells as wide as the longest finite body, as in \[Stratbuecker2003\].
    One,
}

/// Cost of advancing to one more row of a window, in nanoseconds, measured; only ratios matter.
pub(super) const ROW: f64 = 4.0;
/// Cost of one test of the f32 filter, in nanoseconds.
pub(super) const TEST: f64 = 1.2;
/// Cost of looking up one body outside the levels, in nanoseconds, excluding its rows and tests.
const LOOKUP: f64 = 500.0;
/// Maximum number of bodies outside the levels: they are tested against each other by brute force.
const MOST_HUGE: u64 = 1024;

/// The division: the bins of each level, finest level first, and the bins of the largest bodies,
/// which are in no level.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    pub(super) levels: Vec<Range<usize>>,
    pub(super) huge: usize,
}

/// Divides the bins into levels.
pub(super) fn cut<const D: usize>(bins: &[Bin<D>; BINS], levels: Levels, out: &mut Cut) {
    out.levels.clear();
    out.huge = 0;
    let mut used = bins
        .iter()
        .enumerate()
        .filter(|(_, bin)| bin.count > 0)
        .map(|(n, _)| n);
    let Some(first) = used.next() else { return };
    let last = used.next_back().unwrap_or(first);

    if levels == Levels::One || first == last {
        out.levels.push(first..last + 1);
        return;
    }

    Model::of(bins, first..last + 1).solve(out);
}

struct Model<'a, const D: usize> {
    bins: &'a [Bin<D>; BINS],
    range: Range<usize>,
    /// Edges of the box that contains most bodies.
    world: [f64; D],
}

impl<'a, const D: usize> Model<'a, D> {
    fn of(bins: &'a [Bin<D>; BINS], range: Range<usize>) -> Self {
        // The few largest bodies may be walls with distant centres; they must not make the others
        // seem sparse.
        let mut crowd = Bin::EMPTY;
        let mut left: u64 = bins.iter().map(|bin| bin.count).sum();
        for bin in range.clone().rev() {
            crowd.merge(&bins[bin]);
            left -= bins[bin].count;
            if left <= 32 {
                break;
            }
        }

        Self {
            bins,
            range,
            world: std::array::from_fn(|k| crowd.up[k] - crowd.low[k]),
        }
    }

    /// Dynamic programme: best[i] is the least cost of the bins from i downwards in size; choice[i]
    /// is where its largest level ends.
    fn solve(&self, out: &mut Cut) {
        let mut best = [f64::INFINITY; BINS + 1];
        // Whatever the costs, every level takes at least one bin, so the loop below terminates.
        let mut choice: [usize; BINS + 1] = std::array::from_fn(|begin| begin + 1);
        best[self.range.end] = 0.0;

        for begin in self.range.clone().rev() {
            let mut level = Bin::EMPTY;
            for end in begin + 1..=self.range.end {
                level.merge(&self.bins[end - 1]);
                let cost = self.cost_of_level(&level, begin) + best[end];
                if cost < best[begin] {
                    (best[begin], choice[begin]) = (cost, end);
                }
            }
        }

        out.huge = self.best_huge(&best);
        let mut begin = out.huge;
        while begin < self.range.end {
            out.levels.push(begin..choice[begin]);
            begin = choice[begin];
        }

        out.levels.reverse();
    }

    /// Returns the bin where the levels begin; larger bodies are looked up one by one. At least one
    /// level remains.
    fn best_huge(&self, best: &[f64; BINS + 1]) -> usize {
        let (mut huge, mut chosen, mut least) = (0u64, self.range.start, best[self.range.start]);
        for begin in self.range.start + 1..self.range.end {
            huge += self.bins[begin - 1].count;
            if huge > MOST_HUGE {
                break;
            }
            let cost = best[begin] + huge as f64 * (LOOKUP + TEST * huge as f64);
            if cost < least {
                (chosen, least) = (begin, cost);
            }
        }

        chosen
    }

    /// Returns the cost of the pairs within the level, and of the larger bodies that search it.
    fn cost_of_level(&self, level: &Bin<D>, begin: usize) -> f64 {
        if level.count == 0 {
            return 0.0;
        }

        let count = level.count as f64;
        let rows_around = 0.5 * 3f64.powi(D as i32 - 1);
        let along = level.longest[0] + level.total[0] / count;
        let near = (1..D).fold(self.share(level, 0, along), |near, k| {
            near * self.share(level, k, level.longest[k])
        });
        let within = count * (ROW * (rows_around + 0.5) + TEST * rows_around * count * near);
        let larger = self.bins[self.range.start..begin]
            .iter()
            .filter(|bin| bin.count > 0);

        within
            + larger
                .map(|bin| self.cost_of_looking(bin, level))
                .sum::<f64>()
    }

    fn cost_of_looking(&self, bin: &Bin<D>, level: &Bin<D>) -> f64 {
        let (count, others) = (bin.count as f64, level.count as f64);
        let mut rows = 1.0;
        let mut near = self.share(level, 0, bin.total[0] / count + level.longest[0]);

        for k in 1..D {
            let (edge, cell) = (
                bin.total[k] / count,
                level.longest[k].max(f64::MIN_POSITIVE),
            );
            let reach = edge.min(self.world[k]) + 2.0 * cell;
            // The window of a row of larger bodies is about twice as wide as one of them.
            rows *= (1.5 * reach / cell).min(others);
            near *= self.share(level, k, reach);
        }

        count * (ROW * rows.min(others) + TEST * (near * others).min(others))
    }

    /// Returns the fraction of a level's bodies that lie within `reach` on one axis: 1 if the level
    /// has no width.
    ///
    /// Computed per axis rather than as density times volume, which would be ∞ · 0 in a flat or
    /// very small scene.
    fn share(&self, level: &Bin<D>, axis: usize, reach: f64) -> f64 {
        let width = self.world[axis] + level.longest[axis];
        if reach < width { reach / width } else { 1.0 }
    }
}
