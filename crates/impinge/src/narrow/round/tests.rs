//! Gaps against the greatest separation over all directions, which is the signed distance of any two
//! convex bodies: positive apart, minus the depth if they overlap.

use super::closest::closest_point;
use super::*;
use crate::narrow::samples::any_pose;
use crate::narrow::{Manifold, PairContact, SurfaceBody};
use crate::shape::{Polyhedron, generate};
use crate::space::{Point, Random};

const KINDS: [RoundKind; 3] = [RoundKind::Capsule, RoundKind::Cylinder, RoundKind::Cone];

/// A body of a kind along z, with its middle at the origin.
fn upright(kind: RoundKind, length: f64, radius: f64) -> Round {
    let end = |z: f64| Point::from([0.0, 0.0, z]);
    Round::new(kind, end(-0.5 * length), end(0.5 * length), radius).expect("valid")
}

/// The point of a body furthest in a direction.
fn support(body: &ConvexBody, direction: &Vector<3>) -> Point<3> {
    match body {
        ConvexBody::Sphere(ball) => ball.centre() + direction * ball.radius(),
        ConvexBody::Polyhedron(body) => body.points()[body.support(direction, 0) as usize],
        ConvexBody::Round(body) => body.support(direction),
    }
}

/// The separation of two bodies along a unit vector from the first to the second.
fn along(bodies: [&ConvexBody; 2], poses: [&Pose<3>; 2], n: &Vector<3>) -> f64 {
    let p = poses[0].point(&support(bodies[0], &poses[0].vector_to_local(n)));
    let q = poses[1].point(&support(bodies[1], &-poses[1].vector_to_local(n)));
    n.dot(&(q - p))
}

/// The greatest value over some thousand directions, the best of them refined: a lower bound.
fn greatest(value: impl Fn(&Vector<3>) -> f64) -> f64 {
    const COUNT: usize = 3000;
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut all: Vec<(f64, Vector<3>)> = (0..COUNT)
        .map(|n| {
            let z = 1.0 - (2 * n + 1) as f64 / COUNT as f64;
            let (sin, cos) = (golden * n as f64).sin_cos();
            let across = (1.0 - z * z).sqrt();
            Vector::<3>::new(across * cos, across * sin, z)
        })
        .chain((0..3).flat_map(|axis| [1.0, -1.0].map(|x| Vector::<3>::ith(axis, x))))
        .map(|n| (value(&n), n))
        .collect();
    all.sort_by(|p, q| q.0.total_cmp(&p.0));
    let refined = all[..6].iter().map(|&(start, n)| {
        let (mut best, mut at, mut step) = (start, n, 0.05);
        let mut random = Random::new(1);
        while step > 1e-9 {
            let mut is_better = false;
            for _ in 0..24 {
                let next = (at + random.direction::<3>() * step).normalize();
                let found = value(&next);
                if found > best {
                    (best, at, is_better) = (found, next, true);
                }
            }
            if !is_better {
                step *= 0.6;
            }
        }
        best
    });
    refined.fold(f64::NEG_INFINITY, f64::max)
}

/// Checks that the gap is the separation along the normal, and that no direction separates by more.
fn check(bodies: [&ConvexBody; 2], poses: [&Pose<3>; 2], size: f64) -> Closest<3> {
    let found = closest(bodies[0], poses[0], bodies[1], poses[1]);
    let most = greatest(|n| along(bodies, poses, n));
    let contact = &found.contact;
    let context = || format!("{found:?}\n{most}\n{bodies:?}\n{poses:?}");

    let reached = along(bodies, poses, &contact.normal);
    assert!(
        (contact.gap - reached).abs() <= 1e-9 * size,
        "{reached} {}",
        context()
    );
    assert!(most <= contact.gap + 1e-7 * size, "{}", context());
    assert!(found.bounds[0] <= contact.gap && contact.gap <= found.bounds[1]);
    assert!(most <= found.bounds[1] + 1e-11 * size, "{}", context());
    assert!((contact.normal.norm() - 1.0).abs() < 1e-12, "{}", context());
    let way = contact.on_b - contact.on_a - contact.normal * contact.gap;
    assert!(way.norm() <= 1e-9 * size, "{}", context());

    // The witness is a point of the first body, up to the curve between two support points.
    if let ConvexBody::Round(body) = bodies[0] {
        let off = closest_point(body, &poses[0].to_local(&contact.on_a)).gap;
        let loose = found.bounds[1] - found.bounds[0];
        assert!(
            off.abs() <= 1e-6 * size + 4.0 * loose,
            "{off} {}",
            context()
        );
    }
    found
}

#[test]
fn the_gap_of_any_two_bodies_is_their_greatest_separation() {
    let mut random = Random::new(17);
    let stone = generate::polyhedron(14, 3).expect("a body");
    let ball = Sphere::new([0.1, 0.0, -0.1], 0.4).expect("valid");
    let (mut apart, mut overlapping, mut loose) = (0, 0, 0);

    for round in 0..360 {
        let mut body = |kind: RoundKind| {
            let size = [random.within(0.2, 2.0), random.within(0.1, 0.8)];
            upright(kind, size[0], size[1])
        };
        let (p, q) = (body(KINDS[round % 3]), body(KINDS[round / 3 % 3]));
        let a = ConvexBody::Round(&p);
        let b = match round % 5 {
            0 => ConvexBody::Sphere(&ball),
            1 | 2 => ConvexBody::Polyhedron(&stone),
            _ => ConvexBody::Round(&q),
        };
        let far = [0.3, 1.0, 2.5][round % 7 % 3];
        let poses = [any_pose(&mut random, 1.0), any_pose(&mut random, far)];
        let found = check([&a, &b], [&poses[0], &poses[1]], 2.0);
        let back = closest(&b, &poses[1], &a, &poses[0]);
        assert!((back.contact.gap - found.contact.gap).abs() < 2e-7);

        apart += usize::from(found.contact.gap > 0.0);
        overlapping += usize::from(found.contact.gap < 0.0);
        loose += usize::from(found.bounds[1] - found.bounds[0] > 1e-6);
    }

    assert!(apart > 60 && overlapping > 60, "{apart} {overlapping}");
    assert!(loose < 36, "{loose} of 360 bounds are not tight");
}

#[test]
fn parallel_coaxial_touching_and_crossing_bodies_have_their_closed_forms() {
    let turned = Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [0.0; 3]).expect("finite");
    let here = Pose::identity();
    for kind in KINDS {
        let p = upright(kind, 2.0, 0.5);
        let a = ConvexBody::Round(&p);
        let cap = if kind == RoundKind::Capsule { 1.5 } else { 1.0 };
        let cases = [
            // Side by side, coaxial, nested, and coincident.
            (Pose::at([1.5, 0.0, 0.0]), 0.5),
            (Pose::at([1.0, 0.0, 0.0]), 0.0),
            (Pose::at([0.0, 0.0, 3.0]), 3.0 - 2.0 * cap),
            (Pose::at([0.0, 0.0, 2.0 * cap]), 0.0),
            (Pose::at([0.75, 0.0, 0.0]), -0.25),
            (Pose::at([0.0, 0.0, 2.0 * cap - 0.125]), -0.125),
        ];
        for (pose, expected) in cases {
            let found = closest(&a, &here, &a, &pose);
            // A cone's side slopes, and two caps of spheres touch at their poles.
            let gap = found.contact.gap;
            assert!(
                (gap - expected).abs() < 1e-12 || kind == RoundKind::Cone,
                "{kind:?} {pose:?} {found:?}"
            );
            check([&a, &a], [&here, &pose], 2.0);
        }
        for pose in [
            here,
            turned,
            Pose::at([1e-9, 0.0, 0.0]),
            Pose::at([0.0, 1e-14, 1e-13]),
        ] {
            let found = check([&a, &a], [&here, &pose], 2.0);
            assert!(found.contact.gap < -0.3 && found.tests < 520, "{found:?}");
        }
    }
}

#[test]
fn bodies_a_million_times_as_large_or_thin_keep_their_digits() {
    for kind in KINDS {
        let (small, large) = (upright(kind, 2e-6, 1e-6), upright(kind, 2.0, 1.0));
        let needle = upright(kind, 2.0, 1e-6);
        let here = Pose::identity();
        for x in [1.5, 1.0, 0.999, 0.3] {
            for other in [&small, &needle] {
                let bodies = [ConvexBody::Round(other), ConvexBody::Round(&large)];
                let pose = Pose::from_quaternion([1.0, 0.2, 0.3, 0.1], [x, 0.0, 0.2]);
                let pose = pose.expect("finite");
                check([&bodies[0], &bodies[1]], [&pose, &here], 2.0);
            }
        }
    }
}

#[test]
fn the_closest_point_of_a_surface_is_as_far_as_all_planes_say() {
    let mut random = Random::new(23);
    for round in 0..600 {
        let body = upright(KINDS[round % 3], 1.4, 0.5);
        let reach = [0.3, 0.8, 2.0][round / 3 % 3];
        let mut point = Point::from(random.direction::<3>() * random.within(0.0, reach));
        if round % 4 == 0 {
            // On the axis.
            (point.x, point.y) = (0.0, 0.0);
        }
        let near = closest_point(&body, &point);
        let above = |n: &Vector<3>| n.dot(&(point - body.support(n)));
        let expected = greatest(above);
        assert!((above(&near.outward) - near.gap).abs() < 1e-12);
        assert!(
            expected <= near.gap + 1e-12,
            "{near:?} {expected} {body:?} {point}"
        );
        assert!((near.outward.norm() - 1.0).abs() < 1e-12);
        assert!(
            (near.on + near.outward * near.gap - point).norm() < 1e-12,
            "{near:?}"
        );
        assert!(closest_point(&body, &near.on).gap.abs() < 1e-12);
    }
}

#[test]
fn a_ray_enters_where_points_along_it_are_first_inside() {
    let mut random = Random::new(29);
    let mut hits = 0;
    for round in 0..3000 {
        let body = upright(KINDS[round % 3], 1.4, 0.5);
        let mut from = Point::from(random.direction::<3>() * random.within(1.3, 4.0));
        let mut to = Point::from(random.direction::<3>() * random.within(0.0, 3.0));
        match round % 5 {
            // Along the axis, across it, and along a side of the cone.
            0 => (to.x, to.y) = (from.x, from.y),
            1 => to.z = from.z,
            2 => {
                (from, to) = (Point::from([0.5, 0.0, -0.7]), Point::from([0.0, 0.0, 0.7]));
                let way = to - from;
                (from, to) = (from - way, to + way);
                from.x += random.within(-0.1, 0.1);
            }
            _ => {}
        }
        if body.contains(&from) {
            continue;
        }

        let entry = enter_round(&body, &from, &to);
        let inside = |t: f64| closest_point(&body, &(from + (to - from) * t)).gap;
        let until = entry.map_or(1.0, |(t, _)| t);
        for n in 0..400 {
            let t = until * f64::from(n) / 400.0;
            assert!(
                t > until - 1e-6 || inside(t) > -1e-9,
                "{body:?} {from} {to} {t} {entry:?}"
            );
        }
        if let Some((t, face)) = entry {
            let on = from + (to - from) * t;
            assert!(inside(t).abs() < 1e-9, "{body:?} {from} {to} {entry:?}");
            let normal = outward(&body, &on, face);
            assert!(
                normal.dot(&(to - from)) <= 1e-6,
                "{body:?} {from} {to} {entry:?}"
            );
            hits += 1;
        }
    }

    assert!(hits > 400, "{hits}");
}

fn points(manifold: &Manifold<3>) -> usize {
    manifold.points().len()
}

#[test]
fn bodies_stand_on_four_points_and_lie_on_two_whatever_they_stand_on() {
    let floor = HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0]).expect("valid");
    let table = Polyhedron::cuboid([9.0, 9.0, 1.0]).expect("a box");
    let under = Pose::at([0.0, 0.0, -0.5]);
    let block = generate::block([6, 5, 2], [9.0, 9.0, 1.0]).expect("a block");
    let top = block.bounds().max.z;
    let middle = block.bounds().centre();
    let mesh = SurfaceBody::new(&block).expect("closed");
    let mesh_pose = Pose::at([-middle.x, -middle.y, -top]);
    let lying = Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [0.2, 0.1, 0.49]).expect("finite");

    for (kind, pose, count) in [
        (RoundKind::Cylinder, Pose::at([0.2, 0.1, 0.99]), 4),
        (RoundKind::Cone, Pose::at([0.2, 0.1, 0.99]), 4),
        (RoundKind::Cylinder, lying, 2),
        (RoundKind::Capsule, lying, 2),
        (RoundKind::Capsule, Pose::at([0.2, 0.1, 1.49]), 1),
    ] {
        let body = upright(kind, 2.0, 0.5);
        let touch = half_space_contact(&body, &pose, &floor, &Pose::identity());
        let on_floor = half_space_manifold(&body, &pose, &floor, &Pose::identity(), touch, 0.0);
        assert!((touch.gap + 0.01).abs() < 1e-12, "{kind:?} {touch:?}");
        assert_eq!(points(&on_floor), count, "{kind:?} on the floor");

        let pair = [&ConvexBody::Round(&body), &ConvexBody::Polyhedron(&table)];
        let found = closest(pair[0], &pose, pair[1], &under).contact;
        assert!((found.gap + 0.01).abs() < 1e-10, "{kind:?} {found:?}");
        assert!((found.normal + Vector::z()).norm() < 1e-6);
        let on_table = manifold(pair, [&pose, &under], found, 0.0);
        assert_eq!(points(&on_table), count, "{kind:?} on a box");

        let mut contacts: Vec<PairContact<3>> = Vec::new();
        round_surface(&body, &pose, &mesh, &mesh_pose, 0.0, true, &mut contacts);
        assert_eq!(contacts.len(), 1, "{kind:?} {contacts:?}");
        assert!((contacts[0].touch.gap + 0.01).abs() < 1e-9, "{contacts:?}");
        assert!((contacts[0].touch.normal + Vector::z()).norm() < 1e-9);
        assert_eq!(points(&contacts[0].manifold), count, "{kind:?} on a mesh");
    }
}

#[test]
fn a_body_near_a_surface_is_as_far_as_it_is_from_the_same_polyhedron() {
    let mut random = Random::new(31);
    let block = generate::block([3, 3, 3], [1.0, 1.2, 0.8]).expect("a block");
    let mesh = SurfaceBody::new(&block).expect("closed");
    let hull = Polyhedron::hull(block.points()).expect("a box");
    let (mut near, mut inside) = (0, 0);
    for round in 0..240 {
        let body = upright(KINDS[round % 3], 0.6, 0.2);
        let pose = any_pose(&mut random, 1.2);
        let at = any_pose(&mut random, 0.3);
        let pair = [&ConvexBody::Round(&body), &ConvexBody::Polyhedron(&hull)];
        let expected = closest(pair[0], &pose, pair[1], &at).contact;
        let mut found: Vec<PairContact<3>> = Vec::new();
        round_surface(&body, &pose, &mesh, &at, 0.5, true, &mut found);
        let least = found.iter().map(|c| c.touch.gap).fold(0.5, f64::min);
        if expected.gap > 0.0 {
            assert!(
                (least - expected.gap.min(0.5)).abs() < 1e-9,
                "{found:?} {expected:?}"
            );
            near += usize::from(expected.gap < 0.5);
        } else {
            assert!(least <= 1e-12, "{found:?} {expected:?}");
            inside += 1;
        }
    }

    assert!(near > 30 && inside > 30, "{near} {inside}");
}
