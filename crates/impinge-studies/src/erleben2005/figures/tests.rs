use super::*;

#[test]
fn fits_give_back_polynomials() {
    let points: Vec<(f64, f64)> = (1..9)
        .map(|i| f64::from(i) * 100.0)
        .map(|x| (x, 3.0 + 0.5 * x + 1e-3 * x * x))
        .collect();
    let [a, b, c] = fit(&points, 2);
    assert!((a - 3.0).abs() < 1e-6 && (b - 0.5).abs() < 1e-8 && (c - 1e-3).abs() < 1e-10);

    assert!(fit_error(&points, 2) < 1e-9 && fit_error(&points, 1) > 1e-3);
}
