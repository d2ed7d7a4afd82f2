//! Translations of expansions as real matrices: moments to the parent (23), moments to local
//! expansions (24), local expansions to the children (25) of \[Muth2006\].
//!
//! Each level measures lengths in units of its boxes' edge. The potential is dimensionless, so the
//! matrices are the same on every level and are computed once. There are 8 + 8 for the children,
//! and for the conversions one per relative position of two boxes, up to the 16 symmetries
//! (reflections and x–y exchange) that preserve the z axis. Under these symmetries coefficients
//! only change places and signs. The 316 positions reduce to about 30 matrices, which stay in the
//! cache.

use super::harmonics::{at, count, index, regular, singular};
use crate::space::Vector;
use nalgebra::Complex;

/// A matrix between packed coefficients, stored row by row.
pub(super) type Matrix = Vec<f64>;

/// The translations between a parent and its eight children; child k is in the upper half on axis i
/// if bit i of k is set.
pub(super) struct Shifts {
    degree: usize,
    /// From a child's moments to its parent's.
    pub(super) up: [Matrix; 8],
    /// From a parent's local expansion to its child's.
    pub(super) down: [Matrix; 8],
}

impl Shifts {
    pub(super) fn new(degree: usize) -> Self {
        Self {
            degree,
            up: std::array::from_fn(|son| up_matrix(degree, &son_centre(son))),
            down: std::array::from_fn(|son| down_matrix(degree, &son_centre(son))),
        }
    }

    /// Adds the product: to += matrix · from.
    pub(super) fn apply(&self, matrix: &Matrix, from: &[f64], to: &mut [f64]) {
        let width = count(self.degree);
        for (row, to) in matrix.chunks_exact(width).zip(to) {
            *to += row.iter().zip(from).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}

/// Returns the offset from a parent's centre to its child's, in units of the parent's edge.
fn son_centre(son: usize) -> Vector<3> {
    Vector::from(std::array::from_fn::<f64, 3, _>(|axis| {
        if son >> axis & 1 == 1 { 0.25 } else { -0.25 }
    }))
}

/// M_n^m ← Σ R_{n−k}^{m−l}(v) M_k^l, with moments of the child in units of its own, half as long,
/// edge: a moment of degree n has the dimension of a length to the power n + 1.
fn up_matrix(degree: usize, v: &Vector<3>) -> Matrix {
    let mut r = vec![0.0; count(degree)];
    regular(degree, v, &mut r);
    real_matrix(degree, |n, m, k, l| {
        at(&r, n - k, m - l) * 0.5f64.powi(k as i32 + 1)
    })
}

/// L_n^m ← Σ R_{s−n}^{t−m}(v) L_s^t, then converted from the parent's to the child's unit.
fn down_matrix(degree: usize, v: &Vector<3>) -> Matrix {
    let mut r = vec![0.0; count(degree)];
    regular(degree, v, &mut r);
    real_matrix(degree, |n, m, s, t| {
        at(&r, s - n, t - m) * 0.5f64.powi(n as i32)
    })
}

/// L_n^m ← (−1)^n Σ conj(S_{n+s}^{m+t}(v)) M_s^t, for v from the moments' centre to the local
/// expansion's.
pub(super) fn conversion_matrix(degree: usize, v: &Vector<3>) -> Matrix {
    let mut s_of_v = vec![0.0; count(2 * degree)];
    singular(2 * degree, v, &mut s_of_v);
    real_matrix(degree, |n, m, s, t| {
        at(&s_of_v, n + s, m + t).conj() * if n % 2 == 0 { 1.0 } else { -1.0 }
    })
}

/// Returns the real matrix of a complex one between expansions with X_n^{−m} = (−1)^m conj(X_n^m).
/// For an order t > 0 with X = a + ib the columns are c(t) + (−1)^t c(−t) for a and i (c(t) −
/// (−1)^t c(−t)) for b.
fn real_matrix(degree: usize, c: impl Fn(isize, isize, isize, isize) -> Complex<f64>) -> Matrix {
    let width = count(degree);
    let mut matrix = vec![0.0; width * width];
    let mut put = |n: usize, m: usize, column: usize, value: Complex<f64>| {
        matrix[index(n, m) * width + column] = value.re;
        if m > 0 {
            matrix[(index(n, m) + 1) * width + column] = value.im;
        }
    };

    for n in 0..=degree {
        for m in 0..=n {
            let entry = |s: usize, t: isize| c(n as isize, m as isize, s as isize, t);
            for s in 0..=degree {
                put(n, m, index(s, 0), entry(s, 0));
                for t in 1..=s {
                    let sign = if t % 2 == 0 { 1.0 } else { -1.0 };
                    let (plus, minus) = (entry(s, t as isize), entry(s, -(t as isize)) * sign);
                    put(n, m, index(s, t), plus + minus);
                    put(n, m, index(s, t) + 1, Complex::<f64>::i() * (plus - minus));
                }
            }
        }
    }

    matrix
}

/// A reflection or exchange of axes acting on packed coefficients: entry k becomes `sign[k]` times
/// the old entry `place[k]`.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    pub(super) place: Vec<u32>,
    pub(super) sign: Vec<f64>,
}

/// Bits of a symmetry's code.
const FLIP_X: usize = 1;
const FLIP_Y: usize = 2;
const FLIP_Z: usize = 4;
const SWAP_XY: usize = 8;
pub(super) const SYMMETRIES: usize = 16;

/// Returns the canonical offset with 0 ≤ y ≤ x and 0 ≤ z equivalent to this one, and the code of
/// the symmetry that leads to it: first the reflections, then the exchange.
pub(super) fn canonical(offset: [i32; 3]) -> ([i32; 3], usize) {
    let [x, y, z] = offset;
    let mut code = 0;
    code |= if x < 0 { FLIP_X } else { 0 };
    code |= if y < 0 { FLIP_Y } else { 0 };
    code |= if z < 0 { FLIP_Z } else { 0 };
    let [x, y, z] = [x.abs(), y.abs(), z.abs()];

    if x < y {
        ([y, x, z], code | SWAP_XY)
    } else {
        ([x, y, z], code)
    }
}

/// Returns how moments change when their sources are transformed by the symmetry.
pub(super) fn of_moments(degree: usize, code: usize) -> Symmetry {
    // Exchanging x and y turns (x + iy)^m into i^m conj((x + iy)^m).
    tabulate(degree, code, |_| Complex::i())
}

/// Returns how a local expansion of the transformed sources is transformed back: the inverse, on
/// the dual coefficients.
pub(super) fn of_locals(degree: usize, code: usize) -> Symmetry {
    // The exchange comes first here, so a conjugating reflection also conjugates its factor.
    tabulate(degree, code, |conjugated| {
        if conjugated {
            Complex::i()
        } else {
            -Complex::i()
        }
    })
}

fn tabulate(degree: usize, code: usize, swap: impl Fn(bool) -> Complex<f64>) -> Symmetry {
    let mut table = Symmetry {
        place: vec![0; count(degree)],
        sign: vec![1.0; count(degree)],
    };

    for n in 0..=degree {
        for m in 0..=n {
            let mut factor = Complex::new(1.0, 0.0);
            let mut conjugates = false;
            if code & FLIP_X != 0 {
                factor *= if m % 2 == 0 { 1.0 } else { -1.0 };
                conjugates = !conjugates;
            }

            if code & FLIP_Y != 0 {
                conjugates = !conjugates;
            }

            if code & FLIP_Z != 0 {
                factor *= if (n + m) % 2 == 0 { 1.0 } else { -1.0 };
            }

            if code & SWAP_XY != 0 {
                factor *= swap(conjugates).powu(m as u32);
                conjugates = !conjugates;
            }

            table.enter(n, m, factor, conjugates);
        }
    }

    table
}

impl Symmetry {
    /// Sets X ← factor · X or factor · conj(X), for a factor of 1, −1, i or −i.
    fn enter(&mut self, n: usize, m: usize, factor: Complex<f64>, conjugates: bool) {
        let re = index(n, m);
        if m == 0 {
            (self.place[re], self.sign[re]) = (re as u32, factor.re);
            return;
        }

        let im_sign = if conjugates { -1.0 } else { 1.0 };
        let exchanged = factor.im.abs() > 0.5;
        let (of_re, of_im) = if exchanged {
            ((re + 1, -factor.im * im_sign), (re, factor.im))
        } else {
            ((re, factor.re), (re + 1, factor.re * im_sign))
        };
        (self.place[re], self.sign[re]) = (of_re.0 as u32, of_re.1.round());

        (self.place[re + 1], self.sign[re + 1]) = (of_im.0 as u32, of_im.1.round());
    }
}

#[cfg(test)]
mod tests;
