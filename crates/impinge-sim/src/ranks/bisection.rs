//! Division of space among ranks by recursive coordinate bisection (Berger & Bokhari 1987).
//!
//! The set of ranks is halved recursively, and space with it: perpendicular to its longest axis, so
//! that the weights of both sides are in proportion to their ranks. A cut is found by histograms that
//! are summed over the ranks, for all parts of a level at once. The sums are of integers, so that every
//! rank finds the same cuts. Cost for P ranks: 5 log2 P sums of at most 64 P numbers.

use super::communicator::{Communicator, Message};
use impinge::space::Point;

/// Bins of a histogram, and the number of histograms, each of a bin of the last: a cut is within
/// 64^-4 of the extent.
const BINS: usize = 64;
const ROUNDS: usize = 4;

/// A division of space among ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Bisection {
    /// The cut whose upper side begins with the rank of this index; the first is not used.
    cuts: Vec<Cut>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cut {
    axis: usize,
    at: f64,
}

/// A range of ranks that still share a part of space.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: usize,
    count: usize,
}

impl Part {
    /// Returns both halves.
    fn halves(self) -> [Self; 2] {
        let Self { first, count } = self;
        let half = count / 2;
        let upper = Self {
            first: first + half,
            count: count - half,
        };
        [Self { first, count: half }, upper]
    }
}

/// The search for a cut.
#[derive(Clone, Copy, Debug)]
struct Search {
    axis: usize,
    low: f64,
    up: f64,
    /// Weight below `low`.
    below: i64,
    /// Weight of the part, once known, and the share of the lower side.
    total: Option<i64>,
    share: f64,
}

impl Bisection {
    /// Divides space so that ranks have equal weights. Each rank passes its own points; all get the
    /// same division.
    pub fn balanced(ranks: &dyn Communicator, points: &[Point<3>], weights: &[u32]) -> Self {
        let count = ranks.size();
        let mut division = Self {
            cuts: vec![Cut::default(); count],
        };
        let mut parts: Vec<Part> = Some(Part { first: 0, count })
            .into_iter()
            .filter(|part| part.count > 1)
            .collect();
        // The part of each point, while it has more than one rank.
        let mut part_of: Vec<Option<u32>> = vec![Some(0); points.len()];

        while !parts.is_empty() {
            let cuts = find_cuts(ranks, &parts, &part_of, points, weights);
            let mut next = Vec::with_capacity(2 * parts.len());
            let mut children = Vec::with_capacity(parts.len());

            for (part, cut) in parts.iter().zip(&cuts) {
                let halves = part.halves();
                division.cuts[halves[1].first] = *cut;
                children.push(halves.map(|half| {
                    (half.count > 1).then(|| {
                        next.push(half);
                        next.len() as u32 - 1
                    })
                }));
            }

            for (part, point) in part_of.iter_mut().zip(points) {
                *part = part.and_then(|n| {
                    let is_upper = !cuts[n as usize].is_below(point);
                    children[n as usize][usize::from(is_upper)]
                });
            }
            parts = next;
        }

        division
    }

    /// Divides space among ranks, given all points.
    pub fn of_all(ranks: usize, points: &[Point<3>], weights: &[u32]) -> Self {
        Self::balanced(&All(ranks), points, weights)
    }

    /// Returns the rank that owns a point.
    pub fn owner(&self, point: &Point<3>) -> usize {
        let mut part = Part {
            first: 0,
            count: self.cuts.len(),
        };
        while part.count > 1 {
            let [lower, upper] = part.halves();
            let below = self.cuts[upper.first].is_below(point);
            part = if below { lower } else { upper };
        }

        part.first
    }
}

/// Ranks; one of them has everything.
#[derive(Debug)]
struct All(usize);

impl Communicator for All {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        self.0
    }

    fn abort(&self, reason: &str) -> ! {
        panic!("{reason}")
    }

    fn max(&self, _: &mut [f64]) {}

    fn sum(&self, _: &mut [i64]) {}

    fn exchange(&self, _: &[Message], _: &mut [Message], meanwhile: &mut dyn FnMut()) {
        meanwhile();
    }

    fn all_to_all(&self, sends: Vec<Message>) -> Vec<Message> {
        sends
    }
}

impl Cut {
    /// Returns whether a point is on the lower side.
    fn is_below(&self, point: &Point<3>) -> bool {
        point[self.axis] < self.at
    }
}

/// Finds a cut for each part.
fn find_cuts(
    ranks: &dyn Communicator,
    parts: &[Part],
    part_of: &[Option<u32>],
    points: &[Point<3>],
    weights: &[u32],
) -> Vec<Cut> {
    let mut searches = start(ranks, parts, part_of, points);
    for _ in 0..ROUNDS {
        let mut bins = vec![0; searches.len() * BINS];
        for ((part, point), weight) in part_of.iter().zip(points).zip(weights) {
            if let Some(n) = part.map(|n| n as usize)
                && let Some(bin) = searches[n].bin(point)
            {
                bins[n * BINS + bin] += i64::from(*weight);
            }
        }

        ranks.sum(&mut bins);
        for (search, bins) in searches.iter_mut().zip(bins.chunks(BINS)) {
            search.narrow(bins);
        }
    }

    let cut = |search: &Search| Cut {
        axis: search.axis,
        at: search.up,
    };
    searches.iter().map(cut).collect()
}

/// Starts the search along the longest axis of each part.
fn start(
    ranks: &dyn Communicator,
    parts: &[Part],
    part_of: &[Option<u32>],
    points: &[Point<3>],
) -> Vec<Search> {
    // Upper ends, and negated lower ends, so that one maximum reduces both.
    let mut ends = vec![[f64::NEG_INFINITY; 6]; parts.len()];
    for (part, point) in part_of.iter().zip(points) {
        if let Some(n) = part {
            for axis in 0..3 {
                let [up, low] = [point[axis], -point[axis]];
                let ends = &mut ends[*n as usize];
                ends[axis] = ends[axis].max(up);
                ends[3 + axis] = ends[3 + axis].max(low);
            }
        }
    }
    ranks.max(ends.as_flattened_mut());

    let search = |(part, ends): (&Part, &[f64; 6])| {
        let extent = |axis: usize| ends[axis] + ends[3 + axis];
        let axis = (1..3).fold(0, |best, axis| {
            if extent(axis) > extent(best) {
                axis
            } else {
                best
            }
        });
        let is_empty = ends[0] == f64::NEG_INFINITY;
        Search {
            axis,
            low: if is_empty { 0.0 } else { -ends[3 + axis] },
            up: if is_empty { 0.0 } else { ends[axis] },
            below: 0,
            total: None,
            share: part.halves()[0].count as f64 / part.count as f64,
        }
    };
    parts.iter().zip(&ends).map(search).collect()
}

impl Search {
    /// Returns the bin of a point, if it is within the interval.
    fn bin(&self, point: &Point<3>) -> Option<usize> {
        let x = point[self.axis];
        let along = (x - self.low) / (self.up - self.low) * BINS as f64;
        // The conversion saturates, and NaN, of an interval without length, becomes 0.
        (self.low <= x && x <= self.up).then(|| (along as usize).min(BINS - 1))
    }

    /// Narrows the interval to the bin that the cut is in.
    fn narrow(&mut self, bins: &[i64]) {
        let here: i64 = bins.iter().sum();
        let total = *self.total.get_or_insert(here);
        let wanted = (total as f64 * self.share).round() as i64;
        let mut below = self.below;
        let mut found = BINS - 1;

        for (n, weight) in bins.iter().enumerate() {
            if below + weight >= wanted {
                found = n;
                break;
            }
            below += weight;
        }

        let width = (self.up - self.low) / BINS as f64;
        let low = self.low + width * found as f64;
        (self.low, self.up) = (low, (low + width).min(self.up));
        self.below = below;
    }
}

#[cfg(test)]
mod tests;
