//! Batched conversions of moments to local expansions [Muth2006, eq. (24)].
//!
//! Pairs of boxes are sorted by the matrix that they need, and multiplied by it eight pairs at a
//! time. The matrix is read once for eight pairs, and the arithmetic vectorises for every degree,
//! with the widest instructions of the machine.
//!
//! Terms of degree n fall like (r/distance)ⁿ, so pairs farther apart than the nearest ones are
//! converted with the lower degree that gives no larger an error. This halves the time at degree 4.

use super::bound::remainder;
use super::harmonics::count;
use super::operators::{self, Matrix, SYMMETRIES, Symmetry, canonical, conversion_matrix};
use crate::space::Vector;
use fearless_simd::{Level, dispatch};
use std::sync::OnceLock;

/// Number of pairs converted together.
const LANES: usize = 8;

/// A conversion to be done: from a cluster's moments to a cell's local expansion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    matrix: u32,
    symmetry: u32,
    pub(super) source: u32,
    pub(super) target: u32,
}

/// The matrices of all relative positions and degrees, each computed when first needed.
pub(super) struct Conversions {
    degree: usize,
    /// Largest component of an offset.
    reach: usize,
    /// Minimum distance at which each degree suffices, in boxes.
    suffices: Vec<f64>,
    matrices: Vec<OnceLock<Matrix>>,
    level: Level,
    there: Vec<Symmetry>,
    back: Vec<Symmetry>,
}

/// Scratch memory for one thread.
#[derive(Default)]
pub(super) struct Scratch {
    sorted: Vec<Pair>,
    starts: Vec<u32>,
    moved: Vec<[f64; LANES]>,
    found: Vec<[f64; LANES]>,
}

impl Conversions {
    /// Creates the table for offsets with components up to `reach`, and distances from which each
    /// degree suffices.
    pub(super) fn new(degree: usize, reach: usize, suffices: Vec<f64>) -> Self {
        Self {
            degree,
            reach,
            suffices,
            matrices: (0..(reach + 1).pow(3) * (degree + 1))
                .map(|_| OnceLock::new())
                .collect(),
            level: Level::new(),
            there: (0..SYMMETRIES)
                .map(|code| operators::of_moments(degree, code))
                .collect(),
            back: (0..SYMMETRIES)
                .map(|code| operators::of_locals(degree, code))
                .collect(),
        }
    }

    /// Returns the squared distances, in boxes, from which each degree suffices for clusters that
    /// fill their boxes.
    pub(super) fn squared_distances(&self) -> Vec<f64> {
        self.suffices
            .iter()
            .map(|distance| distance * distance)
            .collect()
    }

    /// Returns a pair whose target lies `offset` boxes from its source, to be converted with the
    /// given degree.
    #[inline]
    pub(super) fn pair(&self, offset: [i32; 3], degree: usize, source: u32, target: u32) -> Pair {
        let (stands_for, symmetry) = canonical(offset);
        let [x, y, z] = stands_for.map(|k| k as usize);
        debug_assert!(
            x.max(z) <= self.reach,
            "{offset:?} is beyond {}",
            self.reach
        );
        let position = (x * (self.reach + 1) + y) * (self.reach + 1) + z;
        let matrix = position * (self.degree + 1) + degree;

        Pair {
            matrix: matrix as u32,
            symmetry: symmetry as u32,
            source,
            target,
        }
    }

    fn matrix(&self, number: usize) -> (usize, &Matrix) {
        let (side, degree) = (self.reach + 1, number % (self.degree + 1));
        let matrix = self.matrices[number].get_or_init(|| {
            let position = number / (self.degree + 1);
            let offset = [
                position / (side * side),
                position / side % side,
                position % side,
            ];
            conversion_matrix(degree, &Vector::from(offset.map(|k| k as f64)))
        });

        (degree, matrix)
    }

    /// Adds the conversions of all pairs to the targets' local expansions.
    pub(super) fn apply(
        &self,
        pairs: &[Pair],
        moments: &[f64],
        locals: &mut [f64],
        scratch: &mut Scratch,
    ) {
        if self.degree > 0 {
            dispatch!(self.level, _simd => self.convert(pairs, moments, locals, scratch));
        }
    }

    #[inline(always)]
    fn convert(&self, pairs: &[Pair], moments: &[f64], locals: &mut [f64], scratch: &mut Scratch) {
        scratch.sort(pairs, self.matrices.len());
        let sorted = std::mem::take(&mut scratch.sorted);
        for same in sorted.chunk_by(|a, b| a.matrix == b.matrix) {
            let (degree, matrix) = self.matrix(same[0].matrix as usize);
            scratch.moved.resize(count(degree), [0.0; LANES]);
            scratch.found.resize(count(degree), [0.0; LANES]);
            for batch in same.chunks(LANES) {
                self.gather(batch, moments, &mut scratch.moved);
                multiply(matrix, count(degree), &scratch.moved, &mut scratch.found);
                self.scatter(batch, &scratch.found, locals);
            }
        }

        scratch.sorted = sorted;
    }

    /// Gathers the moments of a batch, transformed to the canonical position.
    #[inline(always)]
    fn gather(&self, batch: &[Pair], moments: &[f64], moved: &mut [[f64; LANES]]) {
        let width = count(self.degree);
        for (lane, pair) in batch.iter().enumerate() {
            let from = &moments[pair.source as usize * width..][..width];
            let Symmetry { place, sign } = &self.there[pair.symmetry as usize];
            for ((to, &place), &sign) in moved.iter_mut().zip(place).zip(sign) {
                to[lane] = sign * from[place as usize];
            }
        }
    }

    #[inline(always)]
    fn scatter(&self, batch: &[Pair], found: &[[f64; LANES]], locals: &mut [f64]) {
        let width = count(self.degree);
        for (lane, pair) in batch.iter().enumerate() {
            let to = &mut locals[pair.target as usize * width..][..width];
            let Symmetry { place, sign } = &self.back[pair.symmetry as usize];
            for k in 0..found.len() {
                to[k] += sign[k] * found[place[k] as usize][lane];
            }
        }
    }
}

impl Scratch {
    /// Sorts the pairs by matrix with a stable counting sort.
    fn sort(&mut self, pairs: &[Pair], matrices: usize) {
        self.starts.clear();
        self.starts.resize(matrices + 1, 0);
        for pair in pairs {
            self.starts[pair.matrix as usize + 1] += 1;
        }

        for k in 0..matrices {
            self.starts[k + 1] += self.starts[k];
        }

        self.sorted.clear();
        self.sorted.resize(
            pairs.len(),
            Pair {
                matrix: 0,
                symmetry: 0,
                source: 0,
                target: 0,
            },
        );

        for pair in pairs {
            let place = &mut self.starts[pair.matrix as usize];
            self.sorted[*place as usize] = *pair;
            *place += 1;
        }
    }
}

/// Distance of a typical panel from the centre of its box, in edges. On a sphere of 131,072
/// triangles 0.4 makes the largest error of degree 4 twice that of full conversions and halves the
/// set-up time; 0.6 makes the error four times as large.
const FILL: f64 = 0.4;

/// Upper end of the search for a distance, in the nearest distance: beyond all offsets of a level.
const FARTHEST: f64 = 1e3;

/// Bisections of that search, to the last digit.
const HALVINGS: usize = 60;

/// Half the diagonal of a cube, relative to its edge.
pub(super) const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_6;

/// Which conversions use a lower degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lowering {
    /// Those whose error is typically no larger than that of the nearest pairs.
    Typical,
    /// Those whose error bound is no larger than that of the nearest pairs.
    Proven,
}

impl Lowering {
    /// Returns the distance, in boxes, from which each degree up to the highest suffices.
    pub(super) fn distances(self, degree: usize, nearest: f64) -> Vec<f64> {
        let from = |lower: usize| match self {
            Self::Typical => sufficient_distance(lower, degree, nearest),
            Self::Proven => proven_distance(lower, degree, nearest),
        };
        (0..=degree).map(from).collect()
    }
}

/// Returns the distance from which the bound of `lower` is that of `degree` at the nearest distance.
fn proven_distance(lower: usize, degree: usize, nearest: f64) -> f64 {
    let bound = |degree: usize, distance: f64| remainder(degree, HALF_DIAGONAL / distance);
    let allowed = bound(degree, nearest);
    bisected(nearest, |distance| bound(lower, distance) <= allowed)
}

/// Returns a distance, not less than the nearest, from which the condition holds.
fn bisected(nearest: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(nearest) {
        return nearest;
    }

    let (mut low, mut up) = (nearest, FARTHEST * nearest);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + up);
        if holds(middle) {
            up = middle
        } else {
            low = middle
        }
    }

    up
}

/// Returns the distance from which `lower` gives typically no larger an error than `degree` does at
/// the nearest distance. The first omitted term, of a dipole in one box at a point of another, is about
/// (p + 1) (r/D)^p / D². Here r is that of a typical panel, and points lie about half an edge
/// nearer than the centre of their cell.
fn sufficient_distance(lower: usize, degree: usize, nearest: f64) -> f64 {
    let left_out = |degree: usize, distance: f64| {
        let d = distance - 0.5;
        (degree + 1) as f64 * (FILL / d).powi(degree as i32) / (d * d)
    };
    let allowed = left_out(degree, nearest);
    bisected(nearest, |distance| left_out(lower, distance) <= allowed)
}

/// Multiplies eight vectors by two rows at a time. The moment of degree zero vanishes for a double
/// layer, so the first matrix column is skipped.
#[inline(always)]
fn multiply(matrix: &Matrix, width: usize, moved: &[[f64; LANES]], found: &mut [[f64; LANES]]) {
    let mut rows = matrix.chunks_exact(2 * width);
    let mut outputs = found.chunks_exact_mut(2);
    for (two, out) in rows.by_ref().zip(outputs.by_ref()) {
        let (upper, lower) = two.split_at(width);
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        for ((from, &u), &l) in moved.iter().zip(upper).zip(lower).skip(1) {
            for lane in 0..LANES {
                a[lane] += u * from[lane];
                b[lane] += l * from[lane];
            }
        }
        out[0] = a;
        out[1] = b;
    }

    for (row, out) in rows
        .remainder()
        .chunks_exact(width)
        .zip(outputs.into_remainder())
    {
        *out = [0.0; LANES];
        for (from, &r) in moved.iter().zip(row).skip(1) {
            for lane in 0..LANES {
                out[lane] += r * from[lane];
            }
        }
    }
}
