use super::*;
use crate::space::Random;
use std::f64::consts::TAU;

fn regular(corners: usize, radius: f64) -> Polygon {
    let corner = |i: usize| {
        let (sin, cos) = (TAU * i as f64 / corners as f64).sin_cos();
        Point::from([radius * cos, radius * sin])
    };
    Polygon::new(&(0..corners).map(corner).collect::<Vec<_>>()).expect("convex")
}

fn random_polygon(random: &mut Random) -> Polygon {
    let stretch = [1.0, 1.0, 0.1, 1e-6][random.below(4)];
    loop {
        let count = 3 + random.below(12);
        let points: Vec<Point<2>> = (0..count)
            .map(|_| {
                let p = random.direction::<2>() * random.within(0.3, 1.0);
                Point::from([p.x, p.y * stretch])
            })
            .collect();
        if let Ok(polygon) = Polygon::hull(&points) {
            return polygon;
        }
    }
}

fn boxed(width: f64, height: f64) -> Polygon {
    Polygon::new(&[[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]].map(Point::from))
        .expect("convex")
}

fn size(a: &Polygon, b: &Polygon) -> f64 {
    a.bounds().extent().norm() + b.bounds().extent().norm()
}

/// Checks every guarantee of a result against brute force.
fn assert_right(
    a: &Polygon,
    pose_a: &Pose<2>,
    b: &Polygon,
    pose_b: &Pose<2>,
    kept: &mut FeatureCache2,
) -> Closest<2> {
    let found = closest(a, pose_a, b, pose_b, kept);
    let (gap, _) = brute2::gap(a, pose_a, b, pose_b);
    let apart = (pose_b.position() - pose_a.position()).norm();
    let tolerance = 1e-12 * (size(a, b) + apart);
    let contact = found.contact;
    assert!(
        (contact.gap - gap).abs() <= tolerance,
        "{found:?} against {gap}"
    );

    assert!(
        found.bounds[0] <= found.bounds[1] && found.bounds[1] - found.bounds[0] <= tolerance,
        "{found:?}"
    );
    assert!((contact.normal.norm() - 1.0).abs() < 1e-14);
    let way = contact.on_b - contact.on_a;
    assert!(
        (way - contact.normal * contact.gap).norm() <= 100.0 * tolerance,
        "{found:?}"
    );

    for (body, pose, point) in [(a, pose_a, contact.on_a), (b, pose_b, contact.on_b)] {
        let local = pose.to_local(&point);
        let height = (0..body.corner_count())
            .map(|i| body.normals()[i].dot(&(local - body.points()[i])))
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(
            height.abs() <= tolerance + 1e-15 * pose.position().coords.amax(),
            "witness off by {height}"
        );
    }

    // The normal is a separating axis, or the direction of least penetration.
    let room = -contact.gap;
    let pushed = Pose::new(
        *pose_b.rotation(),
        pose_b.position() + contact.normal * room,
    )
    .expect("a rotation");
    assert!(
        brute2::gap(a, pose_a, b, &pushed).0.abs() <= 10.0 * tolerance,
        "{found:?}"
    );

    found
}

fn random_pose(random: &mut Random, reach: f64) -> Pose<2> {
    let position = random.direction::<2>() * random.within(0.0, reach);
    Pose::from_angle(random.within(0.0, TAU), Point::from(position)).expect("finite")
}

#[test]
fn random_pairs_have_the_gap_of_brute_force() {
    let mut random = Random::new(21);
    let mut overlaps = 0;
    for round in 0..20_000 {
        let (a, b) = (random_polygon(&mut random), random_polygon(&mut random));
        let reach = [0.5, 2.0, 5.0, 1e9][round % 4];
        let (pose_a, pose_b) = (
            random_pose(&mut random, 1.0),
            random_pose(&mut random, reach),
        );
        let found = assert_right(&a, &pose_a, &b, &pose_b, &mut FeatureCache2::default());
        assert_ne!(found.method, ClosestMethod::BruteForce);
        overlaps += usize::from(found.contact.gap < 0.0);
    }

    assert!((2_000..18_000).contains(&overlaps), "{overlaps}");
}

#[test]
fn kept_features_answer_as_a_cold_start_while_bodies_pass_through_each_other() {
    let mut random = Random::new(22);
    for _ in 0..100 {
        let (a, b) = (random_polygon(&mut random), random_polygon(&mut random));
        let mut kept = FeatureCache2::default();
        let (y, spin, speed) = (
            random.within(-0.7, 0.7),
            random.within(-0.1, 0.1),
            random.within(0.01, 0.1),
        );

        for step in 0..80 {
            let t = f64::from(step);
            let pose_b = Pose::from_angle(spin * t, [-2.0 + speed * t, y]).expect("finite");
            assert_right(&a, &Pose::identity(), &b, &pose_b, &mut kept);
        }
    }
}

#[test]
fn jumps_between_unrelated_poses_do_not_confuse_what_was_kept() {
    let mut random = Random::new(23);
    for _ in 0..100 {
        let (a, b) = (random_polygon(&mut random), random_polygon(&mut random));
        let mut kept = FeatureCache2::default();
        for _ in 0..30 {
            let (pose_a, pose_b) = (random_pose(&mut random, 1.0), random_pose(&mut random, 1.5));
            assert_right(&a, &pose_a, &b, &pose_b, &mut kept);
        }
    }
}

#[test]
fn boxes_edge_to_edge_have_tiny_gaps_of_either_sign_right() {
    let (wide, narrow) = (boxed(3.0, 1.0), boxed(1.0, 1.0));
    for gap in [1e-15f64, 1e-12, 1e-9, 1e-7, 1e-3] {
        for gap in [gap, -gap, 0.0] {
            for slide in [-0.5, 0.0, 0.3, 2.0, 2.7] {
                let place = Pose::at([slide, 1.0 + gap]);
                let found = assert_right(
                    &wide,
                    &Pose::identity(),
                    &narrow,
                    &place,
                    &mut FeatureCache2::default(),
                );
                let exact = (1.0 + gap) - 1.0;
                assert!((found.contact.gap - exact).abs() < 1e-15, "{gap} {found:?}");

                assert!(
                    (found.contact.normal - Vector::<2>::y()).norm() < 1e-15,
                    "{found:?}"
                );
            }
        }
    }
}

#[test]
fn vertex_on_vertex_and_identical_bodies_are_right() {
    for corners in [3, 4, 5, 12, 100] {
        let body = regular(corners, 1.0);
        let kept = &mut FeatureCache2::default();
        let same = assert_right(&body, &Pose::identity(), &body, &Pose::identity(), kept);
        assert!(same.contact.gap < -1.0);

        for apart in [2.0 - 1e-9, 2.0, 2.0 + 1e-15, 2.0 + 1e-9, 2.5] {
            let pose = Pose::new(-crate::space::Matrix::<2>::identity(), [apart, 0.0])
                .expect("half a turn");
            let found = assert_right(&body, &Pose::identity(), &body, &pose, kept);
            assert!(
                (found.contact.gap - (apart - 2.0)).abs() < 1e-9,
                "{found:?}"
            );
        }
    }
}

#[test]
fn far_from_the_origin_the_answer_is_that_near_it() {
    let (a, b) = (boxed(1.0, 1.0), boxed(2.0, 1.0));
    for offset in [0.0, 1e6, 1e12] {
        let found = |x: f64| {
            let (pose_a, pose_b) = (
                Pose::at([offset, offset]),
                Pose::at([offset + x, offset + 0.5]),
            );
            closest(&a, &pose_a, &b, &pose_b, &mut FeatureCache2::default())
                .contact
                .gap
        };
        assert_eq!(found(1.5), 0.5);
        assert_eq!(found(0.75), -0.25);

        let moved: Vec<Point<2>> = b
            .points()
            .iter()
            .map(|p| p + Vector::repeat(offset))
            .collect();
        let moved = Polygon::new(&moved).expect("convex");
        let pose = Pose::at([1.5 - offset, 0.5 - offset]);
        let gap = closest(
            &a,
            &Pose::identity(),
            &moved,
            &pose,
            &mut FeatureCache2::default(),
        )
        .contact
        .gap;

        assert_eq!(gap, 0.5);
    }
}

#[test]
fn a_slow_motion_costs_a_constant_number_of_tests() {
    let mean_tests = |corners: usize| {
        let body = regular(corners, 1.0);
        let mut kept = FeatureCache2::default();
        let mut tests = 0;
        for step in 0..1000 {
            let angle = 1e-4 * f64::from(step);
            let pose = Pose::from_angle(angle, [2.1, 0.3]).expect("finite");
            let found = closest(&body, &Pose::identity(), &body, &pose, &mut kept);
            tests += if step > 0 { found.tests } else { 0 };
        }
        f64::from(tests) / 999.0
    };
    for corners in [3, 10, 100, 1000] {
        assert!(
            mean_tests(corners) < 1.2,
            "{corners} corners: {}",
            mean_tests(corners)
        );
    }
}
