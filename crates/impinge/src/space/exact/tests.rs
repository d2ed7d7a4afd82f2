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

        // The same products negated, with one factor a few ulps off: the sum nearly cancels.
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

#[test]
fn long_sums_have_the_sign_of_rational_arithmetic_at_all_exponents() {
    let exact = |x: f64| BigRational::from_float(x).expect("finite");
    let mut random = Random::new(6);
    for _ in 0..300 {
        let (mut sum, mut rational) = (LongAccumulator::ZERO, exact(0.0));
        let mut factor = || {
            let exponent = random.within(-1080.0, 1000.0) as i32;
            // In two steps: 2^-1080 is zero, and half of the factors are subnormal.
            random.within(-1.0, 1.0) * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
        };
        let factors: Vec<[f64; 2]> = (0..6).map(|_| [factor(), factor()]).collect();

        // Each product negated, with one factor replaced by the next f64: small terms decide
        // the sign.
        for [x, y] in factors
            .iter()
            .copied()
            .chain(factors.iter().map(|&[x, y]| [-x, y.next_up()]))
            .chain(
                factors
                    .iter()
                    .skip(1)
                    .map(|&[x, _]| [x, -f64::from_bits(1)]),
            )
        {
            sum.add_product(x, y);
            rational += exact(x) * exact(y);
        }
        let sign = rational.cmp(&exact(0.0)) as i8;
        assert_eq!(sum.sign() as i8, sign);
        let double = Double::sum(factors[0][0] * 1e-10, factors[1][0] * 1e-10);
        sum.add_square(double, -1.0);
        let whole = exact(double.high) + exact(double.low);
        rational -= &whole * &whole;

        assert_eq!(sum.sign() as i8, rational.cmp(&exact(0.0)) as i8);
    }
}
