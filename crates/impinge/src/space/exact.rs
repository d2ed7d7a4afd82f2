//! Exact sums of products, for the rare sign that rounding would get wrong.
//!
//! [`ExactSum`] is an expansion: non-overlapping f64 terms, smallest first, whose sum is the number
//! (Shewchuk 1997, "Adaptive precision floating-point arithmetic", sections 2.3 and 2.4). Exact as
//! long as no product overflows or underflows.
//!
//! [`LongAccumulator`] is a fixed-point number wide enough for the product of any two f64 (Kulisch
//! 2008, "Computer arithmetic and validity", section 8). Exact for all finite factors, including
//! subnormal ones.

use super::{Double, Sign};

/// An exact running sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExactSum {
    /// Non-overlapping, increasing in magnitude, without zeros.
    terms: Vec<f64>,
}

impl ExactSum {
    /// Adds one number: Shewchuk's GROW-EXPANSION with zero elimination.
    pub(crate) fn add(&mut self, value: f64) {
        let mut carry = value;
        let mut kept = 0;
        for i in 0..self.terms.len() {
            let (sum, error) = two_sum(carry, self.terms[i]);
            if error != 0.0 {
                self.terms[kept] = error;
                kept += 1;
            }
            carry = sum;
        }

        self.terms.truncate(kept);
        if carry != 0.0 {
            self.terms.push(carry);
        }
    }

    /// Adds x·y·z: two products, each split into its rounded value and its exact error.
    pub(crate) fn add_product(&mut self, x: f64, y: f64, z: f64) {
        let (xy, error) = two_product(x, y);
        for part in [error, xy] {
            let (value, error) = two_product(part, z);
            self.add(error);
            self.add(value);
        }
    }

    /// The sign of the sum: that of its largest term.
    pub(crate) fn sign(&self) -> Sign {
        Sign::of(self.terms.last().copied().unwrap_or(0.0))
    }
}

/// Exponent of the unit of a [`LongAccumulator`]: the square of the smallest f64.
const UNIT: i32 = -2148;

/// Products are below 2^2048; one more word is reserved for carries.
const WORDS: usize = (2048 - UNIT) as usize / 64 + 2;

/// An exact sum of products, with separate accumulators for positive and negative ones.
#[derive(Clone, Debug)]
pub(crate) struct LongAccumulator {
    positive: [u64; WORDS],
    negative: [u64; WORDS],
}

impl LongAccumulator {
    pub(crate) const ZERO: Self = Self {
        positive: [0; WORDS],
        negative: [0; WORDS],
    };

    /// Adds x·y.
    pub(crate) fn add_product(&mut self, x: f64, y: f64) {
        let ((m, e), (n, f)) = (integer_and_exponent(x), integer_and_exponent(y));
        let product = u128::from(m) * u128::from(n);
        let (word, bit) = ((e + f - UNIT) as usize / 64, (e + f - UNIT) as usize % 64);
        let low = product << bit;
        let parts = [
            low as u64,
            (low >> 64) as u64,
            // In two steps: a shift by all 128 bits overflows.
            (product >> 64 >> (64 - bit)) as u64,
        ];

        let side = match x.is_sign_negative() == y.is_sign_negative() {
            true => &mut self.positive,
            false => &mut self.negative,
        };
        let mut carry = false;

        for (part, word) in parts.into_iter().zip(&mut side[word..]) {
            (*word, carry) = add_with_carry(*word, part, carry);
        }

        for word in &mut side[word + parts.len()..] {
            if !carry {
                break;
            }
            (*word, carry) = add_with_carry(*word, 0, carry);
        }
    }

    /// Adds ±x².
    pub(crate) fn add_square(&mut self, x: Double, sign: f64) {
        self.add_product(sign * x.high, x.high);
        if x.low != 0.0 {
            self.add_product(2.0 * sign * x.high, x.low);
            self.add_product(sign * x.low, x.low);
        }
    }

    /// The sign of the sum.
    pub(crate) fn sign(&self) -> Sign {
        let sides = self.positive.iter().rev().zip(self.negative.iter().rev());
        match sides.map(|(up, down)| up.cmp(down)).find(|o| o.is_ne()) {
            Some(std::cmp::Ordering::Greater) => Sign::Positive,
            Some(_) => Sign::Negative,
            None => Sign::Zero,
        }
    }
}

/// |x| = integer · 2^exponent.
fn integer_and_exponent(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    }
}

fn add_with_carry(x: u64, y: u64, carry: bool) -> (u64, bool) {
    let (sum, over) = x.overflowing_add(y);
    let (sum, again) = sum.overflowing_add(carry.into());
    (sum, over | again)
}

/// a + b = sum + error, exactly (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_seen = sum - a;
    (sum, (a - (sum - b_seen)) + (b - b_seen))
}

/// a · b = product + error, exactly.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

#[cfg(test)]
mod tests;
