//! Solid harmonics R and S of [Muth2006, eqs. (13)–(15)] by stable recurrences, with which
//!     1/|x−y| = Σ_n Σ_m conj(S_n^m(x)) R_n^m(y)   for |y| < |x|.
//!
//! The paper writes the orders ±m alike. Its translations (23)–(25) are valid with R_n^{−m} =
//! (−1)^m conj(R_n^m), and the same for S; this convention is used here and leaves (13) unchanged.
//!
//! Functions and coefficients are packed as real numbers: degree n begins at n² with order 0, then
//! the real and the imaginary part of each order 1 … n. Negative orders follow from the rule above.

use crate::space::Vector;
use nalgebra::Complex;

/// Highest degree of an expansion. A conversion takes (degree + 1)⁴ operations, so 20 is slow but
/// possible.
pub(super) const MOST_DEGREE: usize = 20;

/// Returns the number of packed coefficients up to a degree.
pub(super) const fn count(degree: usize) -> usize {
    (degree + 1) * (degree + 1)
}

/// Returns the index of order `m ≥ 0` of degree `n`.
pub(super) const fn index(n: usize, m: usize) -> usize {
    if m == 0 { n * n } else { n * n + 2 * m - 1 }
}

/// 1/(n² − m²), the factor of the recurrence for R.
const INVERSE: [[f64; MOST_DEGREE + 1]; MOST_DEGREE + 1] = inverses();

const fn inverses() -> [[f64; MOST_DEGREE + 1]; MOST_DEGREE + 1] {
    let mut table = [[0.0; MOST_DEGREE + 1]; MOST_DEGREE + 1];
    let mut n = 1;
    while n <= MOST_DEGREE {
        let mut m = 0;
        while m < n {
            table[n][m] = 1.0 / (n * n - m * m) as f64;
            m += 1;
        }
        n += 1;
    }

    table
}

/// R_n^m(x) up to a degree of at most [`MOST_DEGREE`]:
///     R_m^m = (x + iy)/(2m) R_{m−1}^{m−1},   (n² − m²) R_n^m = (2n − 1) z R_{n−1}^m − |x|² R_{n−2}^m.
#[inline]
pub(super) fn regular(degree: usize, x: &Vector<3>, out: &mut [f64]) {
    let square = x.norm_squared();
    let (mut re, mut im) = (1.0, 0.0);
    for m in 0..=degree {
        if m > 0 {
            let half = 0.5 / m as f64;
            (re, im) = (half * (x.x * re - x.y * im), half * (x.x * im + x.y * re));
        }

        put(out, m, m, re, im);
        let (mut last, mut before) = ((re, im), (0.0, 0.0));
        for n in m + 1..=degree {
            let (a, b) = (
                (2 * n - 1) as f64 * x.z * INVERSE[n][m],
                square * INVERSE[n][m],
            );
            let next = (a * last.0 - b * before.0, a * last.1 - b * before.1);
            put(out, n, m, next.0, next.1);
            (before, last) = (last, next);
        }
    }
}

/// S_n^m(x) up to any degree, x ≠ 0:
///     S_m^m = (2m − 1)(x + iy)/|x|² S_{m−1}^{m−1},   |x|² S_n^m = (2n − 1) z S_{n−1}^m − ((n − 1)² − m²) S_{n−2}^m.
pub(super) fn singular(degree: usize, x: &Vector<3>, out: &mut [f64]) {
    let inverse = 1.0 / x.norm_squared();
    let (mut re, mut im) = (inverse.sqrt(), 0.0);
    for m in 0..=degree {
        if m > 0 {
            let factor = (2 * m - 1) as f64 * inverse;
            (re, im) = (
                factor * (x.x * re - x.y * im),
                factor * (x.x * im + x.y * re),
            );
        }

        put(out, m, m, re, im);
        let (mut last, mut before) = ((re, im), (0.0, 0.0));
        for n in m + 1..=degree {
            let a = (2 * n - 1) as f64 * x.z * inverse;
            let b = ((n - 1) * (n - 1)) as f64 - (m * m) as f64;
            let next = (
                a * last.0 - b * inverse * before.0,
                a * last.1 - b * inverse * before.1,
            );
            put(out, n, m, next.0, next.1);
            (before, last) = (last, next);
        }
    }
}

#[inline]
fn put(out: &mut [f64], n: usize, m: usize, re: f64, im: f64) {
    let at = index(n, m);
    out[at] = re;
    if m > 0 {
        out[at + 1] = im;
    }
}

/// Returns the entry of any degree and order; zero if |m| > n or n < 0.
pub(super) fn at(packed: &[f64], n: isize, m: isize) -> Complex<f64> {
    if m.abs() > n {
        return Complex::new(0.0, 0.0);
    }

    let (n, order) = (n as usize, m.unsigned_abs());
    let re = packed[index(n, order)];
    let im = if order > 0 {
        packed[index(n, order) + 1]
    } else {
        0.0
    };

    match (m < 0, order % 2 == 0) {
        (false, _) => Complex::new(re, im),
        (true, true) => Complex::new(re, -im),
        (true, false) => Complex::new(-re, im),
    }
}

/// Converts a packed local expansion L into one whose plain dot product with R is Σ L_n^m R_n^m:
/// orders m and −m add up to 2 (Re L Re R − Im L Im R).
pub(super) fn fold_for_evaluation(degree: usize, local: &mut [f64]) {
    for n in 1..=degree {
        for m in 1..=n {
            local[index(n, m)] *= 2.0;
            local[index(n, m) + 1] *= -2.0;
        }
    }
}

#[cfg(test)]
mod tests;
