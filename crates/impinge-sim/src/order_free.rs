//! Sums that do not depend on the order of their terms.
//!
//! A [`Superaccumulator`] is a fixed-point number as wide as the whole range of f64, so that every
//! addition is exact. Its digits have 32 bits and are stored in 64, which leaves room for 2^31
//! additions before carries must move (Neal 2015, "Fast exact summation using small and large
//! superaccumulators", section 2). The value is rounded once, when it is read. It is therefore the
//! same for any order of the terms, any number of threads and any division among ranks.
//!
//! An addition takes some 3 ns, three times as long as a plain one. Forces on particles, millions a
//! step, are summed in an order that all ranks share instead (`particles/order.rs`).

use impinge::space::Vector;

/// Bits of a digit.
const DIGIT: u32 = 32;

/// Exponent of the last bit of the last digit: that of the smallest f64.
const UNIT: i32 = -1074;

/// From the smallest f64 to the largest, with two digits for carries.
const DIGITS: usize = 68;

/// Integers that a sum consists of: its digits, and how often a term was +∞, −∞ or NaN.
pub(crate) const WORDS: usize = DIGITS + 3;

/// Additions before carries are moved.
const MOST: u32 = 1 << 30;

/// An exact sum of f64.
///
/// ```
/// use impinge_sim::Superaccumulator;
/// let mut sum = Superaccumulator::default();
/// [1e100, 1.0, -1e100].into_iter().for_each(|x| sum.add(x));
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Superaccumulator {
    digits: [i64; DIGITS],
    additions: u32,
    /// Sum of the terms that are infinite or NaN.
    strange: f64,
}

impl Default for Superaccumulator {
    fn default() -> Self {
        Self {
            digits: [0; DIGITS],
            additions: 0,
            strange: 0.0,
        }
    }
}

impl Superaccumulator {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let bits = value.to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as u32);
        if exponent == 0x7ff {
            self.strange += value;
            return;
        }

        // |value| = mantissa · 2^(UNIT + shift).
        let (mantissa, shift) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 1 << 52, exponent - 1),
        };
        let first = (shift / DIGIT) as usize;
        let wide = u128::from(mantissa) << (shift % DIGIT);
        let sign = 1 - 2 * (bits >> 63) as i64;

        for (n, digit) in self.digits[first..first + 3].iter_mut().enumerate() {
            *digit += sign * i64::from((wide >> (32 * n)) as u32);
        }

        self.additions += 1;
        if self.additions == MOST {
            self.move_carries();
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.move_carries();
        self.move_carries();
        for (digit, more) in self.digits.iter_mut().zip(&other.digits) {
            *digit += more;
        }

        self.strange += other.strange;
        self.additions += 2;
    }

    /// Returns the sum as integers, which may be added to those of other sums.
    pub(crate) fn to_words(&self) -> [i64; WORDS] {
        let mut sum = self.clone();
        sum.move_carries();
        let is = |strange: bool| i64::from(strange);
        let mut words = [0; WORDS];
        words[..DIGITS].copy_from_slice(&sum.digits);
        words[DIGITS..].copy_from_slice(&[
            is(self.strange == f64::INFINITY),
            is(self.strange == f64::NEG_INFINITY),
            is(self.strange.is_nan()),
        ]);

        words
    }

    /// Restores a sum from the added integers of fewer than 2^30 sums.
    pub(crate) fn from_words(words: &[i64; WORDS]) -> Self {
        let mut digits = [0; DIGITS];
        digits.copy_from_slice(&words[..DIGITS]);
        let strange = match words[DIGITS..] {
            [0, 0, 0] => 0.0,
            [_, 0, 0] => f64::INFINITY,
            [0, _, 0] => f64::NEG_INFINITY,
            _ => f64::NAN,
        };
        let mut sum = Self {
            digits,
            additions: 0,
            strange,
        };
        sum.move_carries();

        sum
    }

    /// Returns the sum, rounded to the nearest f64.
    pub fn value(&self) -> f64 {
        if self.strange != 0.0 {
            return self.strange;
        }

        let mut sum = self.clone();
        sum.move_carries();
        let sign = if sum.digits[DIGITS - 1] < 0 {
            -1.0
        } else {
            1.0
        };
        if sign < 0.0 {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.move_carries();
        }

        let Some(top) = sum.digits.iter().rposition(|&digit| digit != 0) else {
            return 0.0;
        };
        // The three leading digits have at least 65 bits. One bit for all others, set if any of
        // them is, is enough for correct rounding.
        let low = top.saturating_sub(2);
        let leading = (low..=top)
            .rev()
            .fold(0_u128, |number, n| number << 32 | sum.digits[n] as u128);
        let rest = sum.digits[..low].iter().any(|&digit| digit != 0);

        sign * scaled((leading | u128::from(rest)) as f64, UNIT + 32 * low as i32)
    }

    /// Moves carries upwards: all digits but the last are then in 0..2^32.
    fn move_carries(&mut self) {
        let mut carry = 0;
        for digit in &mut self.digits[..DIGITS - 1] {
            let sum = *digit + carry;
            carry = sum >> DIGIT;
            *digit = sum & 0xffff_ffff;
        }

        self.digits[DIGITS - 1] += carry;
        self.additions = 0;
    }
}

/// Returns number · 2^exponent, in two steps, because the power alone may be too large.
fn scaled(number: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| match exponent {
        -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (exponent - UNIT)),
    };
    let part = exponent.min(900);
    number * power(part) * power(exponent - part)
}

/// Exact sums of the components of vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VectorSum {
    pub(crate) axes: [Superaccumulator; 3],
}

impl VectorSum {
    pub(crate) fn add(&mut self, vector: &Vector<3>) {
        for (axis, &value) in self.axes.iter_mut().zip(vector.iter()) {
            axis.add(value);
        }
    }

    pub(crate) fn value(&self) -> Vector<3> {
        Vector::from_fn(|axis, _| self.axes[axis].value())
    }
}

#[cfg(test)]
mod tests;
