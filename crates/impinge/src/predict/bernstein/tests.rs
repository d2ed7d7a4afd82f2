use super::*;

fn value(powers: &[f64; 5], t: f64) -> f64 {
    powers.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

#[test]
fn coefficients_are_twelve_times_the_polynomial_at_the_ends_and_after_a_split() {
    let powers = [3.0, -2.0, 0.5, 1.5, -0.25];
    let b = of_powers(&powers, 2.0);
    assert_eq!(b.0[0], 36.0);
    assert!((b.0[4] - 12.0 * value(&powers, 2.0)).abs() < 1e-12);
    let [left, right] = b.split(0.25);
    assert!((left.0[4] - 12.0 * value(&powers, 0.5)).abs() < 1e-12);
    assert_eq!((left.0[4], right.0[4]), (right.0[0], b.0[4]));
    let there = shifted(&powers, 0.5);

    assert!((value(&there, 0.7) - value(&powers, 1.2)).abs() < 1e-12);
}
