//! The squared distance |r(ξ)|² in Bernstein form: coefficients that bound it, and their
//! subdivision.
//!
//! A polynomial lies between the least and the largest of its Bernstein coefficients. So do its
//! derivatives, whose coefficients are differences of these. Halving the domain (de Casteljau)
//! divides the error of the bounds by four.

use super::chart::Grid;
use crate::space::Vector;

/// Coefficients over an interval.
pub(super) type Net1<const M: usize> = [f64; M];

/// Coefficients over a rectangle: `[k][l]`, with k along ξ.
pub(super) type Net2<const M: usize> = [[f64; M]; M];

/// Coefficients of degree 4 over a triangle, in rows: `NET3_ROWS[k] + i` is the index of λ₀^(4−k−i)
/// λ₁^i λ₂^k.
pub(super) type Net3 = [f64; 15];

/// Start of each row of a [`Net3`].
pub(super) const NET3_ROWS: [usize; 5] = [0, 5, 9, 12, 14];

/// Returns the least coefficient. Four at a time, because a single chain of comparisons is
/// latency-bound.
#[inline]
pub(super) fn least(f: &[f64]) -> f64 {
    let mut least = [f64::INFINITY; 4];
    let (fours, rest) = f.as_chunks::<4>();
    for four in fours {
        for i in 0..4 {
            least[i] = lesser(least[i], four[i]);
        }
    }

    for (i, &x) in rest.iter().enumerate() {
        least[i] = lesser(least[i], x);
    }

    lesser(lesser(least[0], least[1]), lesser(least[2], least[3]))
}

/// Minimum without the NaN handling that makes `f64::min` slow.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Maximum; like [`lesser`].
#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The least and the largest of some numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Range {
    pub(super) const NONE: Self = Self {
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
    };

    #[inline]
    pub(super) fn enter(&mut self, x: f64) {
        self.least = lesser(self.least, x);
        self.most = greater(self.most, x);
    }

    /// Returns the union of several ranges.
    #[inline]
    pub(super) fn of_all(ranges: &[Self]) -> Self {
        let mut all = Self::NONE;
        for range in ranges {
            all.least = lesser(all.least, range.least);
            all.most = greater(all.most, range.most);
        }
        all
    }

    /// Returns the largest magnitude.
    #[inline]
    pub(super) fn size(&self) -> f64 {
        self.most.max(-self.least)
    }
}

/// The product a·b of two parabolas (`N` = 3, then `M` = 5) or lines (2, 3) given by control
/// points.
#[inline(always)]
fn product<const D: usize, const N: usize, const M: usize>(
    a: &[Vector<D>; N],
    b: &[Vector<D>; N],
) -> Net1<M> {
    let mut f = [0.0; M];
    f[0] = a[0].dot(&b[0]);
    f[M - 1] = a[N - 1].dot(&b[N - 1]);
    f[1] = 0.5 * (a[0].dot(&b[1]) + a[1].dot(&b[0]));

    if N == 3 {
        f[2] = (a[0].dot(&b[2]) + a[2].dot(&b[0]) + 4.0 * a[1].dot(&b[1])) * (1.0 / 6.0);
        f[M - 2] = 0.5 * (a[1].dot(&b[2]) + a[2].dot(&b[1]));
    }

    f
}

/// The square of a parabola or line: the product with itself, in fewer operations.
#[inline(always)]
fn square<const D: usize, const N: usize, const M: usize>(a: &[Vector<D>; N]) -> Net1<M> {
    let mut f = [0.0; M];
    f[0] = a[0].norm_squared();
    f[M - 1] = a[N - 1].norm_squared();
    f[1] = a[0].dot(&a[1]);

    if N == 3 {
        f[2] = (a[0].dot(&a[2]) + 2.0 * a[1].norm_squared()) * (1.0 / 3.0);
        f[M - 2] = a[1].dot(&a[2]);
    }

    f
}

/// |r|² over the interval.
pub(super) fn squared1<const D: usize>(controls: &[Vector<D>; 3]) -> Net1<5> {
    square(controls)
}

/// |r|² over the square.
#[inline]
pub(super) fn squared2<const D: usize, const N: usize, const M: usize>(
    controls: &Grid<D, N>,
) -> Net2<M> {
    let rows = |i: usize, j: usize| product::<D, N, M>(&controls[i], &controls[j]);
    let mut f = [[0.0; M]; M];
    f[0] = square(&controls[0]);
    f[1] = rows(0, 1);
    f[M - 1] = square(&controls[N - 1]);

    if N == 3 {
        let (ends, middle) = (rows(0, 2), square::<D, N, M>(&controls[1]));
        for l in 0..M {
            f[2][l] = (ends[l] + 2.0 * middle[l]) * (1.0 / 3.0);
        }
        f[M - 2] = rows(1, 2);
    }

    f
}

/// |r|² over the triangle: corners and sides' control points in the order of tri6.
#[inline]
pub(super) fn squared3<const D: usize>(p: &[Vector<D>; 6]) -> Net3 {
    let dot = |i: usize, j: usize| p[i].dot(&p[j]);
    // Two corners with the side between them; a corner with the opposite side and the two adjacent
    // ones.
    let ends = |a: usize, b: usize, m: usize| (dot(a, b) + 2.0 * dot(m, m)) * (1.0 / 3.0);
    let inner =
        |a: usize, m: usize, s: usize, t: usize| (dot(a, m) + 2.0 * dot(s, t)) * (1.0 / 3.0);
    [
        dot(0, 0),
        dot(0, 3),
        ends(0, 1, 3),
        dot(1, 3),
        dot(1, 1),
        dot(0, 5),
        inner(0, 4, 3, 5),
        inner(1, 5, 3, 4),
        dot(1, 4),
        ends(0, 2, 5),
        inner(2, 3, 4, 5),
        ends(1, 2, 4),
        dot(2, 5),
        dot(2, 4),
        dot(2, 2),
    ]
}

/// Returns the two halves of an interval.
#[inline]
pub(super) fn halves1<const M: usize>(f: &Net1<M>) -> [Net1<M>; 2] {
    let (mut left, mut right) = (*f, *f);
    for k in 1..M {
        // After k rounds left[k..] and right[..M − k] contain the means of k + 1 neighbours.
        for i in (k..M).rev() {
            left[i] = 0.5 * (left[i] + left[i - 1]);
        }
        for i in 0..M - k {
            right[i] = 0.5 * (right[i] + right[i + 1]);
        }
    }

    [left, right]
}

/// Returns the two halves of a rectangle along ξ (axis 0) or η.
#[inline]
pub(super) fn halves2<const M: usize>(f: &Net2<M>, axis: usize) -> [Net2<M>; 2] {
    let (mut left, mut right) = (*f, *f);
    if axis == 1 {
        for k in 0..M {
            [left[k], right[k]] = halves1(&f[k]);
        }
        return [left, right];
    }

    for k in 1..M {
        for i in (k..M).rev() {
            left[i] = mean(&left[i], &left[i - 1]);
        }
        for i in 0..M - k {
            right[i] = mean(&right[i], &right[i + 1]);
        }
    }

    [left, right]
}

#[inline(always)]
fn mean<const M: usize>(a: &[f64; M], b: &[f64; M]) -> [f64; M] {
    let mut mean = *a;
    for l in 0..M {
        mean[l] = 0.5 * (a[l] + b[l]);
    }
    mean
}

/// Returns the two halves of a triangle (a, b, c) bisected at the midpoint m of ab, as (c, a, m)
/// and (b, c, m). The newest corner is last, so that the next bisection cuts the edge opposite to
/// it.
#[inline]
pub(super) fn halves3(f: &Net3) -> [Net3; 2] {
    let mut halves = [[0.0; 15]; 2];
    let mut row = *f;
    for k in 0..5 {
        let (start, length) = (NET3_ROWS[k], 5 - k);
        for i in 0..length {
            // row[start] is the i-th coefficient from the left, row[start + length − 1 − i] the
            // i-th from the right.
            halves[0][NET3_ROWS[i] + 4 - k - i] = row[start];
            halves[1][NET3_ROWS[i] + k] = row[start + length - 1 - i];
            for j in 0..length - 1 - i {
                row[start + j] = 0.5 * (row[start + j] + row[start + j + 1]);
            }
        }
    }

    halves
}

#[cfg(test)]
mod tests;
