use super::*;
use std::f64::consts::PI;

const YOUNG: f64 = 3e6;
const RADIUS: f64 = 1e-3;

fn k_of(work: f64) -> f64 {
    (2.0 * PI * work / YOUNG).sqrt()
}

fn depth_of(s: f64, k: f64) -> f64 {
    s.powi(4) / RADIUS - k * s
}

#[test]
fn the_root_of_every_depth_is_that_of_the_formula() {
    for work in [0.0, 1e-6, 1e-3, 1.0, 100.0] {
        let k = k_of(work);
        let tear = tear_gap(k, 1.0 / RADIUS);
        for n in 1..2000 {
            let depth = -0.999 * tear + 1e-4 * (n as f64 / 2000.0).powi(4);
            if depth <= 0.0 && work == 0.0 {
                continue;
            }
            let s = root_of_radius(k, 1.0 / RADIUS, depth);
            let error = (depth_of(s, k) - depth).abs() / (depth.abs() + tear);
            assert!(error < 2e-5, "w {work}, depth {depth}: {error}");
        }
    }
}

#[test]
fn the_largest_pull_is_one_and_a_half_pi_w_r_and_a_contact_tears_behind_it() {
    let (work, k) = (0.05, k_of(0.05));
    let tear = tear_gap(k, 1.0 / RADIUS);
    let at = |n: usize| tear * (n as f64 / 5000.0 * 2.0 - 1.0);
    let pull = |depth: f64| {
        -force(
            YOUNG,
            k,
            1.0 / RADIUS,
            root_of_radius(k, 1.0 / RADIUS, depth),
        )
    };
    let largest = (0..5000).map(|n| pull(at(n))).fold(0.0, f64::max);
    let wanted = 1.5 * PI * work * RADIUS;
    assert!((largest / wanted - 1.0).abs() < 1e-4, "{largest} {wanted}");
    assert!((pull_off(YOUNG, k, 1.0 / RADIUS) / wanted - 1.0).abs() < 1e-12);
    // 5/9 of the largest pull is left where the contact tears.
    for beyond in [0.0, 1e-15, 1e-12, 1e-9] {
        for depth in [-tear * (1.0 + beyond), -tear * (1.0 - beyond)] {
            let left = pull(depth) / wanted;
            assert!((left - 5.0 / 9.0).abs() < 1e-3, "{beyond}: {left}");
        }
    }
    let textbook = 0.75 * (2.0 * PI * work / YOUNG).powf(2.0 / 3.0) * (RADIUS / 4.0).cbrt();
    assert!((tear / textbook - 1.0).abs() < 1e-4);
}

#[test]
fn the_energy_is_the_integral_of_the_force() {
    let k = k_of(0.05);
    let tear = tear_gap(k, 1.0 / RADIUS);
    let root = |depth: f64| root_of_radius(k, 1.0 / RADIUS, depth);
    for end in [-0.9 * tear, 0.5 * tear, 20.0 * tear] {
        let parts = 20_000;
        let middle = |n: usize| end * (n as f64 + 0.5) / parts as f64;
        let work: f64 = (0..parts)
            .map(|n| force(YOUNG, k, 1.0 / RADIUS, root(middle(n))) * end / parts as f64)
            .sum();
        let stored = energy(YOUNG, k, 1.0 / RADIUS, root(end));
        assert!((work / stored - 1.0).abs() < 1e-3, "{end}: {work} {stored}");
    }
}
