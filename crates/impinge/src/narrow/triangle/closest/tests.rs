use super::*;
use crate::space::Random;

fn random_triangle(random: &mut Random, flatness: f64) -> [Point<3>; 3] {
    let mut corner = || {
        random
            .direction::<3>()
            .component_mul(&Vector::<3>::new(1.0, 1.0, flatness))
    };
    [corner(), corner(), corner()].map(Point::from)
}

/// No point of a fine grid on the triangle is closer, and one is nearly as close.
#[test]
fn no_sampled_place_is_closer_to_a_point() {
    let mut random = Random::new(121);
    for round in 0..300 {
        let triangle = random_triangle(&mut random, [1.0, 1e-3, 0.0][round % 3]);
        let point = Point::from(random.direction::<3>() * random.within(0.0, 2.0));
        let found = closest_on(&triangle, &point);
        assert!((found.point + found.way - point).norm() < 1e-13);
        let (n, mut least) = (60, f64::INFINITY);

        for i in 0..=n {
            for j in 0..=n - i {
                let (s, t) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let place =
                    triangle[0] + (triangle[1] - triangle[0]) * s + (triangle[2] - triangle[0]) * t;
                least = least.min((place - point).norm());
            }
        }

        let distance = found.way.norm();
        assert!(
            distance <= least + 1e-12 && least <= distance + 0.06,
            "{distance} {least}"
        );
        let corners: f64 = found.between.iter().filter(|&&b| b).count() as f64;

        assert!(corners >= 1.0);
    }
}

/// Distance by alternating projections, which converge for convex sets.
fn distance_by_projections(a: &[Point<3>; 3], b: &[Point<3>; 3]) -> f64 {
    let mut on_a = a[0];
    for _ in 0..3000 {
        on_a = closest_on(a, &closest_on(b, &on_a).point).point;
    }
    closest_on(b, &on_a).way.norm()
}

#[test]
fn closest_points_of_triangles_are_those_of_projecting_to_and_fro() {
    let mut random = Random::new(122);
    let mut touching = 0;
    for round in 0..400 {
        let flatness = [1.0, 1e-3, 0.0][round % 3];
        let shift: Vector<3> = random.direction::<3>() * random.within(0.0, 1.5);
        let a = random_triangle(&mut random, flatness);
        let b = random_triangle(&mut random, flatness).map(|p| p + shift);
        let found = closest(&a, &b);
        let expected = distance_by_projections(&a, &b);
        assert!(
            (found.way.norm() - expected).abs() < 2e-3,
            "{} {expected}",
            found.way.norm()
        );
        assert!(found.way.norm() <= expected + 1e-12);
        assert!((found.on_b - found.on_a - found.way).norm() < 1e-13);
        assert!(closest_on(&a, &found.on_a).way.norm() < 1e-12);
        assert!(closest_on(&b, &found.on_b).way.norm() < 1e-12);

        assert_eq!(
            touch(&a, &b),
            found.way.norm() == 0.0 && closest(&b, &a).way.norm() == 0.0
        );
        touching += usize::from(found.way.norm() == 0.0);
    }

    assert!((10..390).contains(&touching), "{touching}");
}
