use super::super::samples::{any_pose, boxed, round};
use super::super::{overlap2, overlap3};
use super::*;
use crate::space::{Point, Random};
use std::f64::consts::TAU;

/// A polygon with very many corners around a disc, half outside and half inside it, of the same
/// area.
fn many_corners(disc: &Sphere<2>) -> Polygon {
    const CORNERS: usize = 1000;
    let step = TAU / CORNERS as f64;

    // Area of the polygon: n/2 R² sin(2π/n).
    let radius = disc.radius() * (step / step.sin()).sqrt();
    let corner = |i: usize| {
        let (sin, cos) = (step * i as f64).sin_cos();
        disc.centre() + Vector::<2>::new(cos, sin) * radius
    };

    Polygon::new(&(0..CORNERS).map(corner).collect::<Vec<_>>()).expect("convex")
}

#[test]
fn discs_overlap_as_polygons_of_many_corners() {
    let mut random = Random::new(101);
    let mut lines = 0;
    for _ in 0..30 {
        let disc =
            |random: &mut Random| Sphere::new([0.1, -0.2], random.within(0.5, 1.5)).expect("valid");
        let (a, b) = (disc(&mut random), disc(&mut random));
        let pose_a = Pose::from_angle(1.0, [0.3, 0.1]).expect("finite");
        let pose_b = Pose::at(Point::from(
            random.direction::<2>() * random.within(0.0, 2.0),
        ));
        let near = |found: Option<Overlap2>, expected: Option<Overlap2>| {
            let (Some(found), Some(expected)) = (found, expected) else {
                return found.or(expected).is_none_or(|overlap| overlap.area < 1e-4);
            };
            (found.area - expected.area).abs() < 1e-4
                && (expected.area < 0.1 || (found.centroid - expected.centroid).norm() < 1e-3)
                && (found.section - expected.section).norm() < 1e-2
        };
        let (round_a, round_b) = (many_corners(&a), many_corners(&b));
        let expected = overlap2::polygons(&round_a, &pose_a, &round_b, &pose_b);
        let found = discs(&a, &pose_a, &b, &pose_b);
        assert!(near(found, expected), "{found:?} {expected:?}");
        let halfway = polygon_disc(&round_a, &pose_a, &b, &pose_b);
        assert!(near(halfway, expected), "{halfway:?} {expected:?}");
        lines += usize::from(found.is_some_and(|overlap| overlap.line.is_some()));
        let wall = HalfSpace::new([0.2, 0.3], random.direction::<2>()).expect("a direction");
        let found = disc_half_plane(&a, &pose_a, &wall, &pose_b);
        let expected = overlap2::polygon_half_plane(&round_a, &pose_a, &wall, &pose_b);

        assert!(near(found, expected), "{found:?} {expected:?}");
    }

    assert!(lines > 10);
}

#[test]
fn a_square_and_a_disc_have_the_textbook_area() {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Point::from);
    let square = Polygon::new(&square).expect("convex");
    let disc = |radius: f64| Sphere::new([0.0, 0.0], radius).expect("valid");
    let area = |radius: f64, x: f64, y: f64| {
        polygon_disc(&square, &Pose::identity(), &disc(radius), &Pose::at([x, y]))
            .map_or(0.0, |o| o.area)
    };
    assert!((area(0.5, 0.0, 0.0) - PI * 0.25).abs() < 1e-15);
    assert!((area(9.0, 0.0, 0.0) - 4.0).abs() < 1e-14);
    assert!((area(1.0, 1.0, 1.0) - PI / 4.0).abs() < 1e-15);
    assert!((area(1.0, 1.0, 0.0) - PI / 2.0).abs() < 1e-15);

    assert_eq!(area(1.0, 2.5, 0.0), 0.0);
}

#[test]
fn balls_overlap_as_the_lens_formula_says() {
    let ball = |radius: f64| Sphere::new([0.0; 3], radius).expect("valid");
    let (r, s, d) = (1.0, 0.8, 1.3);
    let away = Pose::at([d, 0.0, 0.0]);
    let overlap = balls(&ball(r), &Pose::identity(), &ball(s), &away).expect("overlap");

    // π (r + s − d)² (d² + 2d(r + s) − 3(r − s)²) / 12d, Weisstein.
    let lens = PI * (r + s - d).powi(2) * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s) * (r - s))
        / (12.0 * d);
    assert!((overlap.volume - lens).abs() < 1e-15);
    let half = balls(
        &ball(1.0),
        &Pose::identity(),
        &ball(1.0),
        &Pose::at([1.0, 0.0, 0.0]),
    )
    .expect("overlap");
    assert!((half.centroid - Point::from([0.5, 0.0, 0.0])).norm() < 1e-15);
    let inside = balls(&ball(1.0), &Pose::identity(), &ball(3.0), &away).expect("inside");

    assert_eq!(
        (inside.volume, inside.section),
        (ball(1.0).volume(), Vector::zeros())
    );
    assert_eq!(
        balls(&ball(0.5), &Pose::identity(), &ball(0.8), &away),
        None
    );
    let floor = HalfSpace::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]).expect("a direction");
    let sunk =
        ball_half_space(&ball(1.0), &Pose::identity(), &floor, &Pose::identity()).expect("overlap");
    assert!((sunk.volume - 2.0 / 3.0 * PI).abs() < 1e-15);

    // The centroid of a half ball is 3/8 r from its base.
    assert!((sunk.centroid - Point::from([0.0, 0.0, -0.375])).norm() < 1e-15);
}

#[test]
fn a_ball_in_a_box_a_corner_an_edge_and_a_face_have_the_known_shares() {
    let cube = boxed(4.0, 4.0, 4.0);
    let ball = Sphere::new([0.0; 3], 1.0).expect("valid");
    let overlap =
        |place: [f64; 3]| polyhedron_ball(&cube, &Pose::identity(), &ball, &Pose::at(place));

    for (place, share) in [
        ([2.0; 3], 1.0),
        ([2.0, 2.0, 0.0], 0.5),
        ([2.0, 0.0, 0.0], 0.25),
        ([4.0, 0.0, 4.0], 0.125),
    ] {
        let found = overlap(place).expect("overlap");
        assert!(
            (found.volume - ball.volume() * share).abs() < 1e-14,
            "{found:?}"
        );
    }

    let half = overlap([2.0, 2.0, 0.0]).expect("overlap");
    assert!((half.centroid - Point::from([2.0, 2.0, 0.375])).norm() < 1e-14);
    assert!((half.section + Vector::<3>::z() * PI).norm() < 1e-14);
    assert_eq!(overlap([2.0, 2.0, -1.5]), None);
}

#[test]
fn a_ball_overlaps_a_polyhedron_as_its_hull_of_many_points_does() {
    let mut random = Random::new(102);
    let ball = Sphere::new([0.0; 3], 0.9).expect("valid");
    let dense: Vec<Point<3>> = (0..2000)
        .map(|i| {
            // A spiral of points of equal area.
            let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / 2000.0;
            let (sin, cos) = (f64::from(i) * PI * (3.0 - 5f64.sqrt())).sin_cos();
            let rim = (1.0 - z * z).sqrt();
            Point::from([rim * cos, rim * sin, z].map(|x| 0.9 * x))
        })
        .collect();
    let dense = Polyhedron::hull(&dense).expect("round");

    for _ in 0..6 {
        let body = round(&mut random, 9);
        let (pose_a, pose_b) = (any_pose(&mut random, 0.3), any_pose(&mut random, 1.0));
        let found = polyhedron_ball(&body, &pose_a, &ball, &pose_b);
        let expected = overlap3::polyhedra(&body, &pose_a, &dense, &pose_b);
        let (Some(found), Some(expected)) = (found, expected) else {
            assert!(found.is_none_or(|found| found.volume < 1e-3) && expected.is_none());
            continue;
        };

        assert!(
            (found.volume - expected.volume).abs() < 8e-3 * expected.volume + 1e-4,
            "{found:?} {expected:?}"
        );
        assert!(
            (found.centroid - expected.centroid).norm() < 5e-3,
            "{found:?} {expected:?}"
        );

        assert!(
            (found.section - expected.section).norm() < 2e-2,
            "{found:?} {expected:?}"
        );
    }
}
