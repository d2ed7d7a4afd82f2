use super::*;
use crate::space::Random;

fn random_vector(random: &mut Random, length: f64) -> Vector<3> {
    random.direction::<3>() * length
}

/// Derivatives of the Legendre polynomials by their explicit sum.
fn legendre_derivative(n: usize, m: usize, w: f64) -> f64 {
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    (0..=n / 2)
        .filter(|k| n - 2 * k >= m)
        .map(|k| {
            let power = n - 2 * k;
            let coefficient = factorial(2 * n - 2 * k)
                / (2f64.powi(n as i32) * factorial(k) * factorial(n - k) * factorial(power));
            let falling = factorial(power) / factorial(power - m);
            (-1f64).powi(k as i32) * coefficient * falling * w.powi((power - m) as i32)
        })
        .sum()
}

#[test]
fn recurrences_give_the_definitions_14_and_15() {
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    let x = Vector::<3>::new(0.4, -0.7, 0.3);
    let (unit, length) = (x.normalize(), x.norm());
    let degree = 8;
    let (mut r, mut s) = (vec![0.0; count(degree)], vec![0.0; count(degree)]);
    regular(degree, &x, &mut r);
    singular(degree, &x, &mut s);

    for n in 0..=degree {
        for m in 0..=n {
            let angular =
                Complex::new(unit.x, unit.y).powu(m as u32) * legendre_derivative(n, m, unit.z);
            let expected_r = angular / factorial(n + m) * length.powi(n as i32);
            let expected_s = angular * factorial(n - m) / length.powi(n as i32 + 1);
            let order = (n as isize, m as isize);
            assert!(
                (at(&r, order.0, order.1) - expected_r).norm() < 1e-14 * (1.0 + expected_r.norm())
            );

            assert!(
                (at(&s, order.0, order.1) - expected_s).norm() < 1e-12 * (1.0 + expected_s.norm())
            );
        }
    }
}

#[test]
fn the_kernel_expansion_13_converges_as_12_says() {
    let mut random = Random::new(41);
    for _ in 0..50 {
        let (x, y) = (
            random_vector(&mut random, 2.0),
            random_vector(&mut random, 1.0),
        );
        for degree in [2, 5, 10, 20] {
            let (mut r, mut s) = (vec![0.0; count(degree)], vec![0.0; count(degree)]);
            regular(degree, &y, &mut r);
            singular(degree, &x, &mut s);
            let mut sum = Complex::new(0.0, 0.0);

            for n in 0..=degree as isize {
                for m in -n..=n {
                    sum += at(&s, n, m).conj() * at(&r, n, m);
                }
            }

            let error = (sum.re - 1.0 / (x - y).norm()).abs();
            assert!(
                sum.im.abs() < 1e-14 && error <= 0.5f64.powi(degree as i32 + 1) + 1e-14,
                "{error}"
            );
        }
    }
}
