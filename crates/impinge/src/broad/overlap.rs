//! Exact overlap tests for balls and periodic intervals.
//!
//! Each test first computes in f64 with an error bound, and falls back to exact arithmetic only if
//! that is inconclusive. Almost no random pairs need the fallback; in a lattice of touching balls
//! all of them do.

use super::Period;
use crate::bound::Ball;
use crate::space::{Double, ExactSum, LongAccumulator, Sign};

/// Relative error bound for a sum of up to three squared differences and for a squared sum: at most
/// 5 roundings of half this.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Returns whether |a − b|² ≤ (r + s)² for balls with centres a and b and radii r and s.
#[inline]
pub(super) fn balls<const D: usize>(one: &Ball<D>, other: &Ball<D>) -> bool {
    let squared = (one.centre - other.centre).norm_squared();
    decide(squared, one.radius + other.radius, 0.0)
        .unwrap_or_else(|| balls_exactly(one, other, |_, a, b| Double::sum(a, -b)))
}

/// Like [`balls`], for the nearest image of the other ball.
pub(super) fn ball_images<const D: usize>(
    one: &Ball<D>,
    other: &Ball<D>,
    period: &Period<D>,
) -> bool {
    let (mut squared, mut doubt) = (0.0, 0.0);
    for axis in 0..D {
        let difference = one.centre[axis] - other.centre[axis];
        let nearest = period.nearest(axis, difference);
        squared += nearest * nearest;

        // Error of the multiple of the period, or the amount by which another image could be
        // nearer.
        let slip = period.lengths[axis].map_or(0.0, |l| ROUNDING * (difference.abs() + l));
        doubt += slip * (2.0 * nearest.abs() + slip);
    }

    decide(squared, one.radius + other.radius, doubt).unwrap_or_else(|| {
        balls_exactly(one, other, |axis, a, b| match period.lengths[axis] {
            Some(length) => distance_on_a_circle(a, b, length),
            None => Double::sum(a, -b),
        })
    })
}

/// Returns whether a squared distance is at most the square of the reach, or `None` if rounding
/// could affect the result.
#[inline]
fn decide(squared: f64, reach: f64, doubt: f64) -> Option<bool> {
    let excess = squared - reach * reach;
    // The smallest normal number covers squares that underflow.
    let doubt = doubt + ROUNDING * (squared + reach * reach) + f64::MIN_POSITIVE;
    if excess.abs() > doubt {
        Some(excess < 0.0)
    } else {
        None
    }
}

/// Exact test; the distance on each axis is given without rounding.
#[cold]
#[inline(never)]
fn balls_exactly<const D: usize>(
    one: &Ball<D>,
    other: &Ball<D>,
    distance: impl Fn(usize, f64, f64) -> Double,
) -> bool {
    let mut excess = LongAccumulator::ZERO;
    for axis in 0..D {
        excess.add_square(distance(axis, one.centre[axis], other.centre[axis]), 1.0);
    }
    excess.add_square(Double::sum(one.radius, other.radius), -1.0);
    excess.sign() != Sign::Positive
}

/// Returns the distance between two points on a circle of this length, without rounding.
fn distance_on_a_circle(a: f64, b: f64, length: f64) -> Double {
    let distance = Double::sum(nearest_to_zero(a, length), -nearest_to_zero(b, length));
    let distance = if distance.high < 0.0 {
        -distance
    } else {
        distance
    };

    // The differences of `high` and `length` are exact where they matter, since one is at most
    // twice the other.
    let over_half = (2.0 * distance.high - length) + 2.0 * distance.low > 0.0;
    match over_half {
        true => Double::sum(length - distance.high, -distance.low),
        false => distance,
    }
}

/// Returns the value nearest to zero that differs from `x` by a multiple of the length; exact,
/// because floating-point remainders are.
fn nearest_to_zero(x: f64, length: f64) -> f64 {
    let rest = x % length;
    if 2.0 * rest.abs() > length {
        rest - length.copysign(rest)
    } else {
        rest
    }
}

/// Returns whether two closed intervals, each given as (lower end, upper end), meet on a circle of
/// this length.
pub(super) fn intervals_on_a_circle(one: (f64, f64), other: (f64, f64), length: f64) -> bool {
    let total = (one.1 - one.0) + (other.1 - other.0);
    if total == f64::INFINITY {
        return true;
    }

    let middles = (one.0 * 0.5 + one.1 * 0.5) - (other.0 * 0.5 + other.1 * 0.5);
    let shift = length * (middles / length).round();
    let overlap = (other.1 + shift - one.0).min(one.1 - (other.0 + shift));
    let size = one.0.abs() + one.1.abs() + other.0.abs() + other.1.abs() + length;
    let doubt = 2.0 * ROUNDING * size + f64::MIN_POSITIVE;

    // Intervals whose combined length reaches that of the circle must meet.
    if overlap > doubt || total > length + doubt {
        true
    } else if overlap < -doubt && total < length - doubt {
        false
    } else {
        intervals_on_a_circle_exactly(one, other, length)
    }
}

/// Exact test: they meet if a multiple of the length lies between `one.0 − other.1` and `one.1 −
/// other.0`.
#[cold]
fn intervals_on_a_circle_exactly(one: (f64, f64), other: (f64, f64), length: f64) -> bool {
    let (end, begin) = (one.1 % length, other.0 % length);
    [-2.0, -1.0, 0.0, 1.0, 2.0].into_iter().any(|multiple| {
        let mut above = ExactSum::default();
        [end, -begin, multiple * length]
            .into_iter()
            .for_each(|x| above.add(x));
        let mut below = above.clone();
        [one.0, -one.1, other.0, -other.1]
            .into_iter()
            .for_each(|x| below.add(x));
        above.sign() != Sign::Negative && below.sign() != Sign::Positive
    })
}

#[cfg(test)]
mod tests;
