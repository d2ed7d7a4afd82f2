use super::*;
use crate::shape::Feature;
use crate::space::{Point, Random};

fn point(x: f64, y: f64, gap: f64) -> ContactPoint<3> {
    ContactPoint {
        on_a: Point::from([x, y, 0.0]),
        on_b: Point::from([x, y, gap]),
        normal: Vector::z(),
        gap,
        feature_a: Feature::Vertex(0),
        feature_b: Feature::Face(0),
    }
}

#[test]
fn the_corners_of_a_square_remain_of_any_points_in_it_in_any_order() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let mut all: Vec<ContactPoint<3>> = (0..40)
            .map(|_| point(random.within(0.0, 1.0), random.within(0.0, 1.0), -0.1))
            .collect();
        for corner in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
            all.insert(random.below(all.len()), point(corner[0], corner[1], -0.1));
        }
        let found = Manifold::reduced(&all, all[0]);
        let mut corners: Vec<[f64; 2]> = found
            .points()
            .iter()
            .map(|p| [p.on_a.x, p.on_a.y])
            .collect();
        corners.sort_by(|p, q| p.partial_cmp(q).expect("finite"));
        assert_eq!(corners, [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    }
}

#[test]
fn the_deepest_point_comes_first_and_copies_are_dropped() {
    let all = [
        point(0.0, 0.0, -0.1),
        point(0.5, 0.2, -0.3),
        point(0.0, 0.0, -0.1),
    ];
    let found = Manifold::reduced(&all, all[0]);
    assert_eq!(found.points(), [all[1], all[0]]);
    assert_eq!(Manifold::reduced(&[], all[2]).points(), [all[2]]);
}
