use super::*;
use impinge::space::Random;

fn sum_of(values: &[f64]) -> f64 {
    let mut sum = Superaccumulator::default();
    values.iter().for_each(|&value| sum.add(value));
    sum.value()
}

/// Returns numbers of very different sizes and both signs.
fn wild(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count)
        .map(|_| {
            let exponent = random.within(-300.0, 300.0);
            random.within(-1.0, 1.0) * 10f64.powf(exponent)
        })
        .collect()
}

#[test]
fn the_sum_is_the_same_in_any_order_and_in_any_parts() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        let values = wild(&mut random, 200);
        let whole = sum_of(&values);
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        assert_eq!(whole.to_bits(), sum_of(&backwards).to_bits());

        let mut parts = Superaccumulator::default();
        for part in values.chunks(17) {
            let mut own = Superaccumulator::default();
            part.iter().for_each(|&value| own.add(value));
            parts.merge(&own);
        }
        assert_eq!(whole.to_bits(), parts.value().to_bits());

        let mut words = [0; WORDS];
        for part in values.chunks(31) {
            let mut own = Superaccumulator::default();
            part.iter().for_each(|&value| own.add(value));
            words
                .iter_mut()
                .zip(own.to_words())
                .for_each(|(sum, word)| *sum += word);
        }
        let sum = Superaccumulator::from_words(&words);
        assert_eq!(whole.to_bits(), sum.value().to_bits());
    }
}

#[test]
fn two_numbers_add_up_as_in_plain_arithmetic_which_rounds_correctly() {
    let mut random = Random::new(4);
    for _ in 0..10_000 {
        let exponent = random.within(-320.0, 305.0);
        let a = random.within(-1.0, 1.0) * 10f64.powf(exponent);
        let b = random.within(-2.0, 2.0) * a * 10f64.powf(random.within(-20.0, 3.0));
        assert_eq!(sum_of(&[a, b]), a + b, "{a:e} {b:e}");
    }
}

#[test]
fn ties_round_to_even_unless_a_tiny_term_breaks_them() {
    let tie = 2f64.powi(-53);
    assert_eq!(sum_of(&[1.0, tie]), 1.0);
    assert_eq!(sum_of(&[1.0, tie, 1e-300]), 1.0 + f64::EPSILON);
    assert_eq!(sum_of(&[1.0, tie, -1e-300]), 1.0);
    assert_eq!(sum_of(&[-1.0, -tie, -1e-300]), -1.0 - f64::EPSILON);
}

#[test]
fn extremes_cancel_and_the_strange_stays_strange() {
    assert_eq!(sum_of(&[f64::MAX, 5e-324, -f64::MAX]), 5e-324);
    assert_eq!(sum_of(&[f64::MAX, f64::MAX]), f64::INFINITY);
    assert_eq!(sum_of(&[1e308; 2]), f64::INFINITY);
    assert_eq!(sum_of(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
    assert!(sum_of(&[f64::NAN, 1.0]).is_nan() && sum_of(&[f64::INFINITY, 1.0]).is_infinite());
    assert_eq!(sum_of(&[]).to_bits(), 0.0f64.to_bits());
    assert_eq!(sum_of(&[-3.0, 3.0]).to_bits(), 0.0f64.to_bits());
}
