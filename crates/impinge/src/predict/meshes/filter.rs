//! Fast proof that four vertices do not meet within an interval.
//!
//! A vertex meets a face, or an edge an edge, only if all four vertices are coplanar: at a root of
//! the cubic
//!     V(t) = det(x₁ − x₀, x₂ − x₀, x₃ − x₀).
//! Its Bernstein coefficients on the interval bound it. If they all have the same sign by more than
//! their rounding, there is no impact.

use super::super::impact::VertexStep;
use super::moving_box::Interval;
use crate::space::Vector;

/// Error bound of a coefficient for vertices of size one: six products of three factors, each
/// accurate to 4 ε, and the sums. Counted, that is below 100 ε.
const MARGIN: f64 = 256.0 * f64::EPSILON;

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
