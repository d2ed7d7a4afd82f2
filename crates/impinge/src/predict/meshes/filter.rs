//! Fast proofs that four vertices do not meet within an interval.
//!
//! A vertex meets a face, or an edge an edge, only if all four vertices are coplanar: at a root of
//! the cubic
//!     V(t) = det(x₁ − x₀, x₂ − x₀, x₃ − x₀).
//! Its Bernstein coefficients on the interval bound it. If they all have the same sign by more than
//! their rounding, there is no impact.
//!
//! Neighbours in a smooth sheet are coplanar again and again without touching. They stay apart along some
//! direction, which turns with the sheet: all vertices of one part are on one side of those of the other
//! at both ends of an interval, and therefore in between, because they move on straight lines. Intervals
//! in which no single direction serves are halved. This takes some ten to hundred nanoseconds, the exact
//! primitives some microseconds.

use super::super::impact::VertexStep;
use super::moving_box::Interval;
use super::separation::Parts;
use crate::space::{Vector, is_usable};

/// Error bound of a coefficient for vertices of size one: six products of three factors, each
/// accurate to 4 ε, and the sums. Counted, that is below 100 ε.
const MARGIN: f64 = 256.0 * f64::EPSILON;

/// Returns whether two parts certainly do not meet during the whole step; some hundred nanoseconds
/// where the exact primitives take microseconds.
pub(in crate::predict) fn never_meet(kind: Parts, step: &VertexStep) -> bool {
    const WHOLE: Interval = [0.0, 1.0];
    step.iter().flatten().all(is_usable)
        && (never_coplanar(step, WHOLE) || stay_apart(kind, step, WHOLE))
}

/// Returns whether the four vertices are certainly not coplanar at any time in the interval.
#[inline]
pub(super) fn never_coplanar(step: &VertexStep, [from, to]: Interval) -> bool {
    let [start, end] = step;
    let difference = |i: usize| -> [Vector<3>; 2] { [start[i] - start[0], end[i] - end[0]] };
    let ways = [1, 2, 3].map(difference);
    let size = ways
        .iter()
        .flatten()
        .map(|way| way.amax())
        .fold(0.0, f64::max);

    let at = |way: &[Vector<3>; 2], t: f64| way[0] * (1.0 - t) + way[1] * t;
    let [a0, b0, c0] = [0, 1, 2].map(|i| at(&ways[i], from));
    let [a1, b1, c1] = [0, 1, 2].map(|i| at(&ways[i], to));
    let (normal_0, normal_1) = (b0.cross(&c0), b1.cross(&c1));
    let mixed = b0.cross(&c1) + b1.cross(&c0);
    let coefficients = [
        a0.dot(&normal_0),
        (a1.dot(&normal_0) + a0.dot(&mixed)) / 3.0,
        (a0.dot(&normal_1) + a1.dot(&mixed)) / 3.0,
        a1.dot(&normal_1),
    ];

    let margin = MARGIN * size * size * size;
    coefficients.iter().all(|&c| c > margin) || coefficients.iter().all(|&c| c < -margin)
}

/// Number of times an interval is halved at most.
const HALVINGS: u32 = 5;

/// Returns whether two parts are certainly apart during the whole interval.
pub(super) fn stay_apart(kind: Parts, step: &VertexStep, interval: Interval) -> bool {
    let pairs: [[usize; 2]; 4] = match kind {
        Parts::VertexFace => [[0, 1], [0, 2], [0, 3], [0, 3]],
        Parts::EdgeEdge => [[0, 2], [0, 3], [1, 2], [1, 3]],
    };
    // From the first part to the second, at the start and at the end of the step.
    let ways = [0, 1].map(|end: usize| pairs.map(|[i, j]| step[end][j] - step[end][i]));
    let size = ways
        .iter()
        .flatten()
        .map(|way| way.amax())
        .fold(0.0, f64::max);

    are_apart(&ways, interval, MARGIN * size, HALVINGS)
}

fn are_apart(
    ways: &[[Vector<3>; 4]; 2],
    [from, to]: Interval,
    rounding: f64,
    halvings: u32,
) -> bool {
    let at = |t: f64| -> [Vector<3>; 4] {
        std::array::from_fn(|k| ways[0][k] * (1.0 - t) + ways[1][k] * t)
    };
    let ends = [at(from), at(to)];
    let along: Vector<3> = ends.iter().flatten().sum();
    let margin = rounding * along.amax();
    if ends.iter().flatten().all(|way| along.dot(way) > margin) {
        return true;
    }

    let middle = 0.5 * (from + to);
    halvings > 0
        && are_apart(ways, [from, middle], rounding, halvings - 1)
        && are_apart(ways, [middle, to], rounding, halvings - 1)
}

#[cfg(test)]
mod tests;
