use super::*;

/// The same sum, term by term.
fn by_terms(degree: usize, ratio: f64) -> f64 {
    let mut sum = 0.0;
    for total in 1..400usize {
        let mut binomial = 1.0;
        for n in 0..=total {
            if n > degree || total - n > degree {
                sum += n as f64 * binomial * ratio.powi(total as i32 + 1);
            }
            binomial *= (total - n) as f64 / (n + 1) as f64;
        }
    }
    sum / (4.0 * PI)
}

#[test]
fn the_closed_sum_is_that_of_the_terms() {
    for degree in [0, 1, 2, 5, 12, 20] {
        for ratio in [0.05, 0.2, 1.0 / 3.0, 0.42] {
            let [found, expected] = [remainder(degree, ratio), by_terms(degree, ratio)];
            assert!(
                (found - expected).abs() <= 1e-9 * expected,
                "{degree} {ratio}: {found} {expected}"
            );
        }
    }
    assert!(remainder(4, 0.5).is_infinite());
}

#[test]
fn a_dipole_far_away_errs_less_than_the_bound() {
    // The expansion of a dipole at y about 0, seen from D + x, truncated in n alone: the part
    // of the remainder with n > p, on the axis, where it is largest.
    let (r, far) = (0.25, 1.0);
    for degree in [1, 4, 8] {
        let exact = 1.0 / (far - r - r) / (far - r - r);
        let kept: f64 = (1..=degree)
            .map(|n| n as f64 * f64::powi(r, n as i32 - 1) / f64::powi(far - r, n as i32 + 1))
            .sum();
        let error = (exact - kept).abs() * r * r / (4.0 * PI);
        assert!(error <= remainder(degree, r / far), "{degree} {error}");
    }
}
