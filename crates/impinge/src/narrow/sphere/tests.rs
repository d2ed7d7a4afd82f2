use super::super::samples::{any_body, any_pose, diameter};
use super::super::{brute2, brute3};
use super::*;
use crate::space::Random;

#[test]
fn a_small_ball_is_as_far_as_a_tiny_octahedron() {
    let mut random = Random::new(91);
    let mut inside = 0;
    for round in 0..2_000 {
        let body = any_body(&mut random);
        let mut kept = FeatureHint::default();
        let pose_body = any_pose(&mut random, 1.0);
        let ball = Sphere::new([0.1, 0.2, 0.3], 0.25).expect("valid");
        const TINY: f64 = 1e-9;
        let tips: Vec<Point<3>> = (0..3)
            .flat_map(|i| [TINY, -TINY].map(|s| ball.centre() + Vector::<3>::ith(i, s)))
            .collect();
        let octahedron = Polyhedron::hull(&tips).expect("a body");

        for _ in 0..3 {
            let pose_ball = any_pose(&mut random, [0.3, 2.0][round % 2]);
            let contact = polyhedron(&ball, &pose_ball, &body, &pose_body, &mut kept);
            let (gap, _) = brute3::gap(&octahedron, &pose_ball, &body, &pose_body);
            assert!(
                (contact.gap - (gap - 0.25)).abs() < 3.0 * TINY,
                "{contact:?} {gap}"
            );
            assert!((contact.normal.norm() - 1.0).abs() < 1e-14);
            let way = contact.on_b - contact.on_a;
            assert!((way - contact.normal * contact.gap).norm() < 1e-12 * diameter(&body) + 1e-14);

            inside += usize::from(contact.gap < -0.25);
        }
    }

    assert!(inside > 100, "{inside}");
}

#[test]
fn a_disc_is_as_far_as_a_tiny_square() {
    let mut random = Random::new(92);
    for _ in 0..2_000 {
        let points: Vec<Point<2>> = (0..7)
            .map(|_| Point::from(random.direction::<2>()))
            .collect();
        let body = Polygon::hull(&points).expect("a polygon");
        let disc = Sphere::new([0.0, 0.0], 0.5).expect("valid");
        const TINY: f64 = 1e-9;
        let square = [[TINY, 0.0], [0.0, TINY], [-TINY, 0.0], [0.0, -TINY]].map(Point::from);
        let square = Polygon::new(&square).expect("convex");
        let place = Point::from(random.direction::<2>() * random.within(0.0, 2.0));

        let (pose_disc, pose_body) = (
            Pose::at(place),
            Pose::from_angle(1.0, [0.2, 0.1]).expect("finite"),
        );
        let contact = polygon(&disc, &pose_disc, &body, &pose_body);
        let (gap, _) = brute2::gap(&square, &pose_disc, &body, &pose_body);
        assert!(
            (contact.gap - (gap - 0.5)).abs() < 3.0 * TINY,
            "{contact:?} {gap}"
        );

        assert!((contact.on_b - contact.on_a - contact.normal * contact.gap).norm() < 1e-14);
    }
}

#[test]
fn coincident_centres_and_centres_on_the_surface_have_a_unit_normal() {
    let ball = Sphere::new([0.0; 3], 1.0).expect("valid");
    let contact = spheres(&ball, &Pose::identity(), &ball, &Pose::identity());
    assert_eq!((contact.gap, contact.normal), (-2.0, Vector::x()));
    let cube = super::super::samples::boxed(2.0, 2.0, 2.0);

    for place in [
        [1.0, 1.0, 2.0],
        [1.0, 2.0, 2.0],
        [2.0; 3],
        [0.0; 3],
        [1.0; 3],
    ] {
        let kept = &mut FeatureHint::default();
        let contact = polyhedron(&ball, &Pose::at(place), &cube, &Pose::identity(), kept);
        assert!((contact.normal.norm() - 1.0).abs() < 1e-15, "{contact:?}");
        assert_eq!(contact.gap, if place == [1.0; 3] { -2.0 } else { -1.0 });
    }

    let disc = Sphere::new([0.0; 2], 1.0).expect("valid");
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Point::from);
    let square = Polygon::new(&square).expect("convex");

    for place in [[0.0, 0.0], [0.5, 0.0], [1.0, 1.0]] {
        let contact = polygon(&disc, &Pose::at(place), &square, &Pose::identity());
        assert_eq!(
            (contact.gap, contact.normal.norm()),
            (-1.0, 1.0),
            "{contact:?}"
        );
    }
}
