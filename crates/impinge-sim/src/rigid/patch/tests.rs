use super::*;

/// Computes the shares by sums over the disc.
fn summed(slide: f64) -> [f64; 2] {
    let (rings, rays) = (400, 400);
    let (mut force, mut torque, mut area) = (0.0, 0.0, 0.0);
    for i in 0..rings {
        let r = (f64::from(i) + 0.5) / f64::from(rings);
        for j in 0..rays {
            let (sin, cos) = (2.0 * PI * (f64::from(j) + 0.5) / f64::from(rays)).sin_cos();
            let [x, y] = [r * cos, r * sin];
            let [vx, vy] = [slide - y, x];
            let speed = vx.hypot(vy);
            force += r * vx / speed;
            torque += r * (x * vy - y * vx) / speed;
            area += r;
        }
    }

    [force / area, torque / area]
}

#[test]
fn force_and_torque_of_a_disc_are_the_sums_over_its_points() {
    for slide in [0.01, 0.3, 0.653, 0.97, 1.0, 1.2, 3.0, 30.0] {
        let (found, sums) = (shares(slide), summed(slide));
        for k in 0..2 {
            assert!(
                (found[k] - sums[k]).abs() < 2e-4,
                "{slide}: {found:?} {sums:?}"
            );
        }
    }
}

#[test]
fn what_slips_ends_on_the_bound_with_the_slide_of_its_way() {
    let limit = Limit {
        force: 2.0,
        radius: 0.1,
    };

    for slide in [0.05, 0.4, 0.653, 1.7, 8.0] {
        // Springs stretched far by steady sliding carry the friction of the disc's points.
        let (mut force, mut torque) = (Vector::<3>::zeros(), 0.0);
        for _ in 0..20_000 {
            force += Vector::x() * (1e-3 * slide);
            torque += 1e-3 * 0.5 * limit.radius;
            (force, torque) = limit.on(force, torque);
        }

        let [f, t] = shares(slide);
        let (f, t) = (f * limit.force, t * limit.force * limit.radius);
        assert!(
            (force.x - f).abs() < 0.01 * limit.force,
            "{slide}: {force} {f}"
        );

        assert!(
            (torque - t).abs() < 0.01 * limit.force * limit.radius,
            "{slide}"
        );
    }

    assert_eq!(limit.on(Vector::x() * 1.9, 0.0).0.x, 1.9);
    assert!((limit.on(Vector::x() * 5.0, 0.0).0.x - 2.0).abs() < 1e-12);
    let (_, twist) = limit.on(Vector::zeros(), -7.0);
    assert!((twist + 2.0 * 0.1 * 2.0 / 3.0).abs() < 1e-12);
}
