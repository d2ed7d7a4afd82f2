use super::super::super::{samples, solid_angle};
use super::*;
use crate::space::Random;

#[test]
fn sums_over_stretches_are_those_of_single_solid_angles() {
    let sphere = samples::sphere(3);
    let corners: Vec<_> = (0..sphere.triangles().len())
        .map(|t| sphere.corners(t))
        .collect();
    let near = NearPanels::new(&corners, Point::from([0.1, 0.2, 0.3]), 2.0);
    let mut random = Random::new(51);

    for length in [0.3, 0.9, 0.99, 0.9999, 1.01] {
        for _ in 0..50 {
            let point = Point::from(random.direction::<3>() * length);
            let stretches = [[3, 40], [41, 41], [100, 507]];
            let expected: f64 = stretches
                .iter()
                .flat_map(|&[first, end]| first..end)
                .map(|t| corners[t as usize])
                .map(|[a, b, c]| 0.5 * solid_angle(&point, &a, &b, &c))
                .sum();
            let found = near.half_angles(&point, &stretches).expect("not too near");
            assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
    }
}

#[test]
fn points_on_or_next_to_a_triangle_are_too_near_and_those_in_its_plane_are_not() {
    let corners = [[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from)];
    let near = NearPanels::new(&corners, Point::from([0.5; 3]), 1.0);
    let half = |p: [f64; 3]| near.half_angles(&p.into(), &[[0, 1]]);

    for p in [
        [0.25, 0.25, 0.0],
        [0.25, 0.25, 1e-15],
        [0.5, 0.5, 0.0],
        [0.3, 0.0, 0.0],
        [0.0; 3],
        [1.0, 0.0, 1e-14],
    ] {
        assert_eq!(half(p), None, "{p:?}");
    }

    assert_eq!(half([2.0, 0.5, 0.0]), Some(0.0));
    assert!(half([0.25, 0.25, 1e-10]).is_some_and(|half| half < -3.0));
}
