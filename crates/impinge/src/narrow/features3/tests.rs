use super::super::samples::{any_body, any_pose, boxed, diameter, prism, round};
use super::*;
use crate::narrow::brute3;
use crate::space::Random;

/// Checks every guarantee of a result against brute force.
fn assert_right(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    kept: &mut FeatureCache3,
) -> Closest<3> {
    let found = closest(a, pose_a, b, pose_b, kept);
    let (gap, _) = brute3::gap(a, pose_a, b, pose_b);
    let apart = (pose_b.position() - pose_a.position()).norm();
    let tolerance = 1e-12 * (diameter(a) + diameter(b) + apart);
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
        (way - contact.normal * contact.gap).norm() <= 10.0 * tolerance,
        "{found:?} {way}"
    );

    for (body, pose, point, feature) in [
        (a, pose_a, contact.on_a, contact.feature_a),
        (b, pose_b, contact.on_b, contact.feature_b),
    ] {
        let local = pose.to_local(&point);
        let height = |face: usize| body.height(face, &local);
        let top = (0..body.face_count())
            .map(height)
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(top.abs() <= tolerance, "witness off by {top}: {found:?}");
        let off = match feature {
            Feature::Vertex(v) => (local - body.points()[v as usize]).norm(),
            Feature::Edge([i, j]) => {
                let [from, to] = [i, j].map(|v| body.points()[v as usize]);
                point_segment(&(local - from), &(to - from)).1.norm()
            }
            Feature::Face(face) => height(face as usize).abs(),
        };
        assert!(
            off <= tolerance,
            "witness is {off} off its feature: {found:?}"
        );
    }

    found
}

fn assert_way_out(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    found: &Closest<3>,
) {
    let moved = pose_b.position() - found.contact.normal * found.contact.gap;
    let moved = Pose::new(*pose_b.rotation(), moved).expect("a rotation");
    let apart = (pose_b.position() - pose_a.position()).norm();
    let (gap, _) = brute3::gap(a, pose_a, b, &moved);
    assert!(
        gap.abs() <= 1e-11 * (diameter(a) + diameter(b) + apart),
        "{gap} left by {found:?}"
    );
}

#[test]
fn random_pairs_have_the_gap_of_brute_force() {
    let mut random = Random::new(41);
    let mut counts = [0; 5];
    for round in 0..4_000 {
        let (a, b) = (any_body(&mut random), any_body(&mut random));
        let reach = [0.3, 1.5, 4.0, 1e9][round % 4];
        let (pose_a, pose_b) = (any_pose(&mut random, 1.0), any_pose(&mut random, reach));
        let found = assert_right(&a, &pose_a, &b, &pose_b, &mut FeatureCache3::default());
        assert_way_out(&a, &pose_a, &b, &pose_b, &found);
        counts[found.method as usize] += 1;
    }

    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

#[test]
fn kept_features_answer_as_brute_force_while_bodies_pass_through_each_other() {
    let mut random = Random::new(42);
    for _ in 0..60 {
        let (a, b) = (any_body(&mut random), any_body(&mut random));
        let mut kept = FeatureCache3::default();
        let axis = random.direction::<3>() * random.within(0.0, 0.1);
        let (y, z, speed) = (
            random.within(-0.7, 0.7),
            random.within(-0.7, 0.7),
            random.within(0.02, 0.1),
        );
        let motion = crate::space::Motion::at_rest(Pose::at([-2.0, y, z]))
            .with_velocity([speed, 0.0, 0.0])
            .with_spin(axis);

        for step in 0..60 {
            assert_right(
                &a,
                &Pose::identity(),
                &b,
                &motion.pose_at(f64::from(step)),
                &mut kept,
            );
        }
    }
}

#[test]
fn jumps_between_unrelated_poses_do_not_confuse_what_was_kept() {
    let mut random = Random::new(43);
    for _ in 0..100 {
        let (a, b) = (any_body(&mut random), any_body(&mut random));
        let mut kept = FeatureCache3::default();
        for _ in 0..20 {
            let (pose_a, pose_b) = (any_pose(&mut random, 1.0), any_pose(&mut random, 1.5));
            assert_right(&a, &pose_a, &b, &pose_b, &mut kept);
        }
    }
}

#[test]
fn boxes_face_to_face_have_tiny_gaps_of_either_sign_right() {
    let (wide, small) = (boxed(3.0, 3.0, 1.0), boxed(1.0, 1.0, 1.0));
    let mut kept = FeatureCache3::default();
    for gap in [1e-15f64, 1e-12, 1e-9, 1e-7, 1e-3] {
        for gap in [gap, -gap, 0.0] {
            for slide in [-0.5, 0.0, 0.3, 2.0, 2.7] {
                for kept in [&mut FeatureCache3::default(), &mut kept] {
                    let place = Pose::at([slide, 1.0, 1.0 + gap]);
                    let found = assert_right(&wide, &Pose::identity(), &small, &place, kept);
                    let exact = (1.0 + gap) - 1.0;
                    assert!((found.contact.gap - exact).abs() < 1e-15, "{gap} {found:?}");
                    assert!(
                        (found.contact.normal - Vector::<3>::z()).norm() < 1e-15,
                        "{found:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn vertex_on_vertex_edge_on_edge_and_identical_bodies_are_right() {
    let mut random = Random::new(44);
    let half_turn = crate::space::Matrix::<3>::from_diagonal(&Vector::<3>::new(-1.0, 1.0, -1.0));
    let octahedron: Vec<Point<3>> = (0..3)
        .flat_map(|i| [1.0, -1.0].map(|s| Point::from(Vector::<3>::ith(i, s))))
        .collect();
    let octahedron = Polyhedron::hull(&octahedron).expect("a body");

    for body in [
        octahedron,
        prism(12, 1.0, 0.5),
        boxed(1.0, 1.0, 1.0),
        round(&mut random, 20),
    ] {
        let mut kept = FeatureCache3::default();
        let same = assert_right(
            &body,
            &Pose::identity(),
            &body,
            &Pose::identity(),
            &mut kept,
        );
        assert!(same.contact.gap < -0.1);
        let right = body.points()[body.support(&Vector::<3>::x(), 0) as usize];
        for apart in [-1e-3, -1e-9, -1e-14, 0.0, 1e-15, 1e-13, 1e-12, 1e-9, 1e-3] {
            // The rightmost point meets its own image.
            let shift = right.coords - half_turn * right.coords + Vector::<3>::x() * apart;
            let pose = Pose::new(half_turn, Point::from(shift)).expect("half a turn");
            assert_right(&body, &Pose::identity(), &body, &pose, &mut kept);
            assert_right(
                &body,
                &Pose::identity(),
                &body,
                &pose,
                &mut FeatureCache3::default(),
            );
        }
    }
}

#[test]
fn crossed_needles_a_million_times_longer_than_wide_are_right() {
    let (a, b) = (boxed(1e6, 1.0, 1.0), boxed(1.0, 1e6, 1.0));
    for (x, y) in [(5e5, -3e5), (0.0, 0.0), (999_999.5, -10.0)] {
        let mut kept = FeatureCache3::default();
        for gap in [1.0, 1e-3, 1e-6, 0.0, -1e-6, -1e-3, -0.5] {
            let pose = Pose::at([x, y, 1.0 + gap]);
            let found = assert_right(&a, &Pose::identity(), &b, &pose, &mut kept);
            assert!((found.contact.gap - gap).abs() < 1e-12, "{found:?}");
        }
    }
}

#[test]
fn far_from_the_origin_the_answer_is_that_near_it() {
    let (a, b) = (boxed(1.0, 1.0, 1.0), boxed(2.0, 1.0, 1.0));
    for offset in [0.0, 1e6, 1e12] {
        let gap = |a: &Polyhedron, at: f64, b: &Polyhedron, x: f64, y: f64| {
            let (pose_a, pose_b) = (Pose::at([at; 3]), Pose::at([x, y, y]));
            closest(a, &pose_a, b, &pose_b, &mut FeatureCache3::default())
                .contact
                .gap
        };
        assert_eq!(gap(&a, offset, &b, offset + 1.5, offset + 0.5), 0.5);
        assert_eq!(gap(&a, offset, &b, offset + 0.75, offset + 0.5), -0.25);

        let moved: Vec<Point<3>> = b
            .points()
            .iter()
            .map(|p| p + Vector::repeat(offset))
            .collect();
        let moved = Polyhedron::hull(&moved).expect("a box");
        assert_eq!(gap(&a, 0.0, &moved, 1.5 - offset, 0.5 - offset), 0.5);

        assert_eq!(gap(&a, 0.0, &moved, 0.75 - offset, 0.5 - offset), -0.25);
    }
}

#[test]
fn gjk_agrees_with_brute_force() {
    let mut random = Random::new(45);
    let mut apart = 0;
    for round in 0..3_000 {
        let (a, b) = (any_body(&mut random), any_body(&mut random));
        let reach = [0.3, 2.5, 4.0, 1e9][round % 4];
        let mut kept = gjk::Simplex::default();

        for _ in 0..2 {
            let (pose_a, pose_b) = (any_pose(&mut random, 1.0), any_pose(&mut random, reach));
            let (gap, _) = brute3::gap(&a, &pose_a, &b, &pose_b);
            let found = gjk::distance(&a, &pose_a, &b, &pose_b, &mut kept);
            let shift = (pose_b.position() - pose_a.position()).norm();
            let tolerance = 1e-12 * (diameter(&a) + diameter(&b) + shift);
            assert!(
                (found.distance - gap.max(0.0)).abs() <= tolerance,
                "{found:?} against {gap}"
            );
            assert!(found.lower <= found.distance);

            apart += usize::from(found.distance > 0.0);
        }
    }

    assert!((1_000..5_500).contains(&apart), "{apart}");
}

#[test]
fn a_slow_motion_costs_a_constant_number_of_tests() {
    let mut random = Random::new(46);
    for vertices in [8, 64, 512] {
        let body = round(&mut random, vertices);
        for (distance, most) in [(2.05, 1.6), (1.9, 150.0)] {
            let mut kept = FeatureCache3::default();
            let mut tests = 0;
            for step in 0..500 {
                let turn = 1e-3 * f64::from(step);
                let pose =
                    Pose::from_quaternion([0.0, 0.1, turn.sin(), turn.cos()], [distance, 0.1, 0.0]);
                let found = closest(
                    &body,
                    &Pose::identity(),
                    &body,
                    &pose.expect("finite"),
                    &mut kept,
                );

                tests += if step > 0 { found.tests } else { 0 };
            }

            assert!(
                f64::from(tests) / 499.0 < most,
                "{vertices} at {distance}: {}",
                f64::from(tests) / 499.0
            );
        }
    }
}

#[test]
fn cubes_that_touch_have_witness_points_in_one_place_wherever_they_touch() {
    let cube = boxed(1.0, 1.0, 1.0);
    let frame = Pose::from_quaternion([0.2, -0.4, 0.1, 0.8], [0.3, 5.0, -2.0]).expect("valid");
    let along = [-1.0, -2.0 / 3.0, -1.0 / 3.0, 0.0, 0.25, 0.5, 1.0];

    for (axis, side) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
        for (u, v) in along.iter().flat_map(|u| along.map(|v| (*u, v))) {
            let mut shift = Vector::<3>::zeros();
            (shift[axis], shift[(axis + 1) % 3], shift[(axis + 2) % 3]) = (side, u, v);
            let there = Pose::at(Point::from(shift));
            for [a, b] in [[Pose::identity(), there], [frame, frame.after(&there)]] {
                let found = assert_right(&cube, &a, &cube, &b, &mut FeatureCache3::default());
                assert!(found.contact.gap.abs() < 1e-12, "{found:?}");
            }
        }
    }
}
