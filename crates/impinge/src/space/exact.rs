//! Sums of products without rounding, for the rare sign that rounding would decide wrongly.
//!
//! A number is held as an expansion: f64 terms that do not overlap, smallest first, whose sum is the number
//! (Shewchuk 1997, "Adaptive precision floating-point arithmetic", sections 2.3 and 2.4). Exact as long as no product
//! overflows or underflows.

use super::Sign;

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

    /// Adds x·y·z: two products split into their rounded value and their exact error.
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
mod tests {
    use super::super::Random;
    use super::*;
    use num_rational::BigRational;

    #[test]
    fn sums_of_products_have_the_sign_of_rational_arithmetic() {
        let exact = |x: f64| BigRational::from_float(x).expect("finite");
        let mut random = Random::new(5);
        for _ in 0..300 {
            let (mut sum, mut rational) = (ExactSum::default(), exact(0.0));
            let factors: Vec<[f64; 3]> = (0..6)
                .map(|_| std::array::from_fn(|_| random.within(-1.0, 1.0)))
                .collect();
            // The same products again, negated and with one factor a few ulps off: the sum nearly cancels.
            for [x, y, z] in factors
                .iter()
                .copied()
                .chain(factors.iter().map(|&[x, y, z]| [-x, y, z * (1.0 + 1e-16)]))
            {
                sum.add_product(x, y, z);
                rational += exact(x) * exact(y) * exact(z);
            }
            let sign = rational.cmp(&exact(0.0)) as i8;
            assert_eq!(sum.sign() as i8, sign);
        }
    }
}
