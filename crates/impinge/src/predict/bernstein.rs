//! Polynomials on an interval in Bernstein form: the smallest and largest coefficients bound the
//! polynomial there.
//!
//! The code is generic over f64, which decides most cases, and double-double numbers, which decide
//! the rest.

use crate::space::Double;
use std::ops::{Add, Mul, Sub};

/// Scalar type of the coefficients.
pub(super) trait Number:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Rounds to f64.
    fn rounded(self) -> f64;
}

impl Number for f64 {
    #[inline]
    fn rounded(self) -> f64 {
        self
    }
}

impl Number for Double {
    #[inline]
    fn rounded(self) -> f64 {
        self.high
    }
}

/// Coefficients b of Σ bᵢ Bᵢ(s), s from 0 to 1, with the Bernstein polynomials of degree N − 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bernstein<T, const N: usize>(pub(super) [T; N]);

impl<T: Number, const N: usize> Bernstein<T, N> {
    /// The smallest coefficient, a lower bound of the polynomial.
    #[inline]
    pub(super) fn least(&self) -> f64 {
        self.0
            .iter()
            .map(|b| b.rounded())
            .fold(f64::INFINITY, f64::min)
    }

    /// The largest coefficient, an upper bound of the polynomial.
    #[inline]
    pub(super) fn greatest(&self) -> f64 {
        self.0
            .iter()
            .map(|b| b.rounded())
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Splits the polynomial at `s`, by de Casteljau's algorithm.
    #[inline]
    pub(super) fn split(&self, s: f64) -> [Self; 2] {
        let (s, mut left, mut right) = (T::from(s), self.0, self.0);
        for round in 1..N {
            for i in 0..N - round {
                right[i] = right[i] + (right[i + 1] - right[i]) * s;
            }
            left[round] = right[0];
        }

        [Self(left), Self(right)]
    }
}

/// Bernstein coefficients of Σ cₖ tᵏ from 0 to `width`, times 12: bᵢ = Σₖ C(i,k)/C(4,k) cₖ widthᵏ.
pub(super) fn of_powers<T: Number>(powers: &[T; 5], width: T) -> Bernstein<T, 5> {
    const OVER: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
    let mut scaled = *powers;
    let mut power = T::from(1.0);

    for k in 1..5 {
        power = power * width;
        // Coefficients are multiplied by 12, so that the division is exact.
        scaled[k] = scaled[k] * power * T::from(12.0 / OVER[k]);
    }

    scaled[0] = scaled[0] * T::from(12.0);
    // Row by row of Pascal's triangle: bᵢ = Σₖ C(i,k) scaledₖ.
    let mut b = scaled;
    for round in 1..5 {
        for i in (round..5).rev() {
            b[i] = b[i] + b[i - 1];
        }
    }

    Bernstein(b)
}

/// The polynomial about a shifted origin: Σ cₖ (t + at)ᵏ, by Horner's scheme.
pub(super) fn shifted<T: Number>(powers: &[T; 5], at: T) -> [T; 5] {
    let mut c = *powers;
    for round in 0..4 {
        for k in (round..4).rev() {
            c[k] = c[k] + c[k + 1] * at;
        }
    }

    c
}

#[cfg(test)]
mod tests;
