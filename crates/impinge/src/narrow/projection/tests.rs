//! Projection against brute force, on curved, straight, degenerate and hostile faces.

use super::samples::{bent, sample};
use super::*;
use crate::shape::FaceKind;
use crate::space::Random;

/// Points around a face: near it, at some distance, and far away.
fn around<const D: usize>(face: &Face<D>, random: &mut Random) -> Point<D> {
    let on = face.position(sample(face.kind(), random));
    let reach = [0.05, 0.5, 2.0, 5.0][random.below(4)];
    on + random.direction::<D>() * random.within(0.0, reach)
}

fn kinds(dimension: usize) -> impl Iterator<Item = FaceKind> {
    FaceKind::ALL
        .into_iter()
        .filter(move |kind| kind.dimension() == dimension)
}

fn agrees_with_the_oracle<const D: usize>(count: usize, bend: f64) {
    let mut random = Random::new(11);
    for kind in kinds(D - 1) {
        for i in 0..count {
            let face = bent::<D>(kind, bend, &mut random);
            let y = around(&face, &mut random);
            let (fast, slow) = (
                project(&face, &y).expect("finite"),
                brute::project(&face, &y).expect("finite"),
            );
            let name = kind.name();
            assert!(
                fast.gap.abs() <= slow.gap.abs() + 1e-12,
                "{name} {i}: {fast:?} {slow:?} {face:?} {y:?}"
            );

            assert!(
                fast.gap.abs() + fast.error >= slow.gap.abs() - 1e-10,
                "{name} {i}: {fast:?} {slow:?}"
            );
            assert_ne!(fast.status, Status::Unsure, "{name} {i}: {fast:?}");
            assert!(
                (face.position(fast.local) - fast.point).amax() < 1e-13
                    && kind.domain().contains(fast.local)
            );

            assert!(
                (fast.point + fast.normal * fast.gap - y).amax() < 1e-7 * (1.0 + fast.gap.abs()),
                "{name} {fast:?}"
            );
        }
    }
}

#[test]
fn projections_are_those_of_the_oracle_on_faces_bent_little_and_much() {
    for bend in [0.0, 0.2, 0.8] {
        agrees_with_the_oracle::<2>(150, bend);
        agrees_with_the_oracle::<3>(150, bend);
    }
}

#[test]
fn no_sample_of_a_strongly_curved_face_is_nearer_than_its_projection() {
    let mut random = Random::new(12);
    for kind in [FaceKind::Tri6, FaceKind::Quad8, FaceKind::Quad9] {
        for i in 0..1500 {
            let face = bent::<3>(kind, 0.7, &mut random);
            let y = around(&face, &mut random);
            let found = project(&face, &y).expect("finite");

            for _ in 0..60 {
                let other = (face.position(sample(kind, &mut random)) - y).norm();
                assert!(found.gap.abs() <= other + 1e-12, "{} {i}", kind.name());
            }

            assert!(
                found.error < 1e-7 && found.status == Status::Unique,
                "{} {i} {found:?}",
                kind.name()
            );
        }
    }
}

#[test]
fn a_point_on_the_axis_of_an_arch_has_two_closest_points_and_both_are_returned() {
    // The parabola y = 4 − 4 x² seen from the origin: two closest points, left and right.
    let arch = Face::new(
        FaceKind::Line3,
        &[[1.0, 0.0], [-1.0, 0.0], [0.0, 4.0]].map(Point::from),
    )
    .expect("fits");
    let mut found = Vec::new();
    project_all(&arch, &Point::from([0.0, 1.0]), &mut found);
    assert_eq!((found.len(), found[0].status), (2, Status::Several));
    assert!((found[0].point.x + found[1].point.x).abs() < 1e-12 && found[0].point.x.abs() > 0.5);

    let saddle = [
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, -1.0],
    ]
    .map(Point::from);
    let saddle = Face::new(FaceKind::Quad4, &saddle).expect("fits");
    let mut found = Vec::new();
    project_all(&saddle, &Point::from([0.0, 0.0, 3.0]), &mut found);

    assert_eq!(
        found.len(),
        2,
        "the two corners that rise towards the point are as near"
    );

    assert_eq!((found[0].gap, found[1].gap), (6.0f64.sqrt(), 6.0f64.sqrt()));
}

#[test]
fn the_centre_of_a_cylinder_stops_with_a_bound_instead_of_searching_for_ever() {
    // A parabola that nearly follows a circle about the point: almost equidistant everywhere.
    let side = |z: f64| [[-0.1, 0.995, z], [0.1, 0.995, z], [0.0, 1.0, z]];
    let ([a, b, m], [c, d, n]) = (side(-0.5), side(0.5));
    let middle = [[0.1, 0.995, 0.0], [-0.1, 0.995, 0.0], [0.0, 1.0, 0.0]];
    let nodes = [a, b, d, c, m, middle[0], n, middle[1], middle[2]].map(Point::from);
    let face = Face::new(FaceKind::Quad9, &nodes).expect("fits");
    let found = project(&face, &Point::from([0.0, 0.0, 0.0])).expect("finite");
    let oracle = brute::project(&face, &Point::from([0.0, 0.0, 0.0])).expect("finite");

    assert!(
        (found.gap.abs() - oracle.gap.abs()).abs() <= found.error + 1e-12,
        "{found:?} {oracle:?}"
    );
}

#[test]
fn points_on_a_face_have_no_gap_and_its_normal() {
    let mut random = Random::new(13);
    for kind in kinds(2) {
        for _ in 0..200 {
            let face = bent::<3>(kind, 0.2, &mut random);
            let local = sample(kind, &mut random);
            let found = project(&face, &face.position(local)).expect("finite");
            assert!(found.gap.abs() < 1e-14, "{} {found:?}", kind.name());
            let normal = face.normal(local).expect("regular");
            assert!(
                (found.normal - normal).amax() < 1e-6,
                "{} {found:?}",
                kind.name()
            );
        }
    }
}

#[test]
fn the_sign_tells_the_side_and_the_place_the_feature() {
    let flat = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let face = Face::new(FaceKind::Tri3, &flat).expect("fits");
    let at = |p: [f64; 3]| project(&face, &Point::from(p)).expect("finite");
    assert_eq!(
        (at([0.2, 0.3, 0.5]).gap, at([0.2, 0.3, -0.5]).gap),
        (0.5, -0.5)
    );
    let places = [
        ([0.5, -1.0, 0.1], On::Edge(0)),
        ([1.0, 1.0, 0.1], On::Edge(1)),
        ([-1.0, 0.5, 0.1], On::Edge(2)),
        ([-1.0, -1.0, 0.1], On::Vertex(0)),
        ([3.0, -1.0, 0.1], On::Vertex(1)),
        ([-1.0, 3.0, 0.1], On::Vertex(2)),
    ];

    for (p, on) in places {
        assert_eq!(at(p).on, on);
        let mid = |i: usize, j: usize| Point::from((flat[i].coords + flat[j].coords) * 0.5);
        let six = [flat[0], flat[1], flat[2], mid(0, 1), mid(1, 2), mid(2, 0)];
        let six = Face::new(FaceKind::Tri6, &six).expect("fits");
        let found = project(&six, &Point::from(p)).expect("finite");
        assert_eq!(found.on, on, "{found:?}");
        assert!((found.gap - at(p).gap).abs() < 1e-15);
    }
}

#[test]
fn degenerate_folded_and_tiny_faces_get_an_answer_and_no_nan() {
    let mut random = Random::new(14);
    for kind in FaceKind::ALL
        .into_iter()
        .filter(|kind| kind.dimension() == 2)
    {
        for i in 0..60 {
            let scale = [1.0, 1e-40, 1e40, 1e-12][i % 4];
            let mut nodes: Vec<Point<3>> = bent::<3>(kind, 0.9, &mut random)
                .nodes()
                .iter()
                .map(|p| p * scale)
                .collect();
            let first = nodes[0];

            match (i / 4) % 5 {
                0 => nodes.iter_mut().for_each(|p| *p = first),
                1 => nodes
                    .iter_mut()
                    .for_each(|p| *p = Point::from([p.x, 0.0, 0.0])),
                2 => nodes[1] = first,
                3 => nodes.reverse(),
                _ => nodes.iter_mut().for_each(|p| p.z = 0.0),
            }

            let face = Face::new(kind, &nodes).expect("fits");
            for y in [
                first,
                Point::from(random.direction::<3>() * scale),
                Point::from([0.0, 0.0, 3e3 * scale]),
            ] {
                let found = project(&face, &y).expect("finite");
                let slow = brute::project(&face, &y).expect("finite");
                let numbers = [
                    found.gap,
                    found.error,
                    found.local[0],
                    found.local[1],
                    found.normal.norm(),
                ];
                assert!(
                    numbers.iter().all(|x| x.is_finite()),
                    "{} {i} {found:?}",
                    kind.name()
                );
                let miss = found.gap.abs() - slow.gap.abs();
                assert!(
                    miss <= found.error + 1e-7 * scale,
                    "{} {i} {found:?} {slow:?}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn slivers_of_a_million_to_one_keep_their_digits() {
    let mut random = Random::new(15);
    for _ in 0..500 {
        let (u, v) = (random.direction::<3>(), random.direction::<3>());
        let nodes = [
            Point::origin(),
            Point::from(u),
            Point::from(u * random.unit() + v * 1e-6),
        ];
        let face = Face::new(FaceKind::Tri3, &nodes).expect("fits");
        let foot = face.position([0.25, 0.5]);
        let y = foot + face.normal([0.25, 0.5]).expect("an area") * 0.1;
        let found = project(&face, &y).expect("finite");

        assert!((found.gap - 0.1).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn coordinates_that_are_not_finite_have_no_projection() {
    let mut random = Random::new(16);
    for kind in kinds(2) {
        let face = bent::<3>(kind, 0.2, &mut random);
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            assert_eq!(project(&face, &Point::from([0.0, bad, 0.0])), None);
            let mut nodes = face.nodes().to_vec();
            nodes[kind.node_count() - 1].z = bad;
            let broken = Face::new(kind, &nodes).expect("fits");
            assert_eq!(project(&broken, &Point::origin()), None, "{}", kind.name());
        }
    }
}
