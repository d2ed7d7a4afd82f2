//! Double-double arithmetic (Dekker 1971): twice the digits of f64, at about twenty times its cost.

use std::ops::{Add, Mul, Neg, Sub};

/// An unevaluated sum; `low` is below half a unit in the last place of `high`. Sums and products
/// are accurate to about 2⁻¹⁰⁴ of the operands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Double {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Double {
    /// a + b, exactly (Knuth).
    #[inline]
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let from_b = high - a;
        Self {
            high,
            low: (a - (high - from_b)) + (b - from_b),
        }
    }

    /// a·b, exactly (Dekker's split; a fused multiply-add would be a library call on the baseline
    /// processor).
    #[inline]
    fn product(a: f64, b: f64) -> Self {
        let ((a1, a0), (b1, b0)) = (split(a), split(b));
        let high = a * b;
        Self {
            high,
            low: a0 * b0 - (((high - a1 * b1) - a0 * b1) - a1 * b0),
        }
    }

    /// The number times a power of two, exactly.
    #[inline]
    pub(crate) fn scaled(self, power_of_two: f64) -> Self {
        Self {
            high: self.high * power_of_two,
            low: self.low * power_of_two,
        }
    }
}

/// The upper and lower 26 bits.
#[inline]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;
    let scaled = SPLITTER * a;
    let upper = scaled - (scaled - a);
    (upper, a - upper)
}

impl From<f64> for Double {
    #[inline]
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let folded = Self::sum(high.high, high.low + low.high);
        Self::sum(folded.high, folded.low + low.low)
    }
}

impl Neg for Double {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for Double {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        Self::sum(
            product.high,
            product.low + (self.high * other.low + self.low * other.high),
        )
    }
}

#[cfg(test)]
mod tests;
