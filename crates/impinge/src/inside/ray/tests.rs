use super::super::samples;
use super::*;

#[test]
fn a_ray_through_a_vertex_or_edge_or_in_a_face_is_seen_as_degenerate() {
    let rays = RayCrossing::with_tree(samples::cube([0.0; 3], 1.0), 0);
    let shoot = |from: [f64; 3], to: [f64; 3]| rays.shoot(&from.into(), &to.into(), |_| {});
    assert!(shoot([0.5; 3], [2.0; 3]).degenerate);
    assert!(shoot([0.5; 3], [2.0, 2.0, 0.5]).degenerate);
    assert!(shoot([-1.0, 0.5, 1.0], [2.0, 0.25, 1.0]).degenerate);
    assert!(!shoot([0.5, 0.5, 0.5], [2.0, 0.6, 0.7]).degenerate);
}

#[test]
fn rays_moved_infinitesimally_give_the_positions_that_other_rays_give() {
    let rays = RayCrossing::with_tree(samples::nested_cubes(-1), 0);
    let target = Point::from([5.0; 3]);
    for i in 0..729 {
        let point = Point::from([i % 9, i / 9 % 9, i / 81].map(|k| f64::from(k) * 0.5));
        let expected = rays.position(i as usize, &point).0;
        if matches!(expected, Position::On(_)) {
            continue;
        }
        let mut crossings = 0;
        rays.shoot_nearby(&point, &target, |_| crossings += 1);
        assert_eq!(crossings % 2 == 1, expected == Position::Inside, "{point}");
    }
}
