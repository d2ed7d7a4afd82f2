use super::*;

#[test]
fn a_spin_about_the_intermediate_axis_flips_and_keeps_energy_and_momentum() {
    let moments = Vector::<3>::new(1.0, 2.0, 3.0);
    let mut q = [0.0, 0.0, 0.0, 1.0];
    let momentum = Vector::<3>::new(1e-3, 2.0 * 5.0, 1e-3);
    let energy = |q: &Quaternion| 0.5 * momentum.dot(&rate(q, &moments, &momentum));
    let (start, mut drift, mut flips, mut last) = (energy(&q), 0.0f64, 0, 1.0f64);

    // 100 s at 5 rad/s: 80 revolutions, with some tens of flips.
    for _ in 0..50_000 {
        q = turned(&q, &moments, &momentum, 2e-3);
        drift = drift.max((energy(&q) / start - 1.0).abs());
        let side = (matrix(&q) * Vector::<3>::y()).y.signum();
        flips += usize::from(side != last);
        last = side;
    }

    assert!(drift < 1e-6, "{drift:e}");
    assert!(flips > 10, "{flips}");
    assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
}

#[test]
fn a_turn_and_its_reverse_cancel() {
    let moments = Vector::<3>::new(1.0, 2.5, 3.0);
    let momentum = Vector::<3>::new(1.0, -2.0, 0.5);
    let start = normalised(&[0.1, 0.2, -0.3, 0.9]).expect("not zero");
    let apart =
        |a: &Quaternion, b: &Quaternion| (0..4).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    let there = turned(&start, &moments, &momentum, TURN);
    let back = turned(&there, &moments, &momentum, -TURN);
    assert!(apart(&there, &start) > 1e-4, "it rotated");

    assert!(apart(&back, &start) < 1e-15, "{:e}", apart(&back, &start));
}

#[test]
fn quaternions_and_matrices_are_the_same_turns() {
    for q in [
        [0.3, -0.2, 0.9, 0.1],
        [0.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.6, 0.8, 0.0],
    ] {
        let q = normalised(&q).expect("not zero");
        let back = of_matrix(&matrix(&q));
        let sign = (0..4).map(|k| q[k] * back[k]).sum::<f64>().signum();
        assert!(
            (0..4).all(|k| (q[k] - sign * back[k]).abs() < 1e-15),
            "{q:?} {back:?}"
        );
    }

    assert_eq!(normalised(&[0.0; 4]), None);
    assert_eq!(normalised(&[f64::NAN, 0.0, 0.0, 1.0]), None);
}
