use super::*;
use crate::space::Random;

/// A face of unit size with its nodes displaced at random.
fn bent<const D: usize>(kind: FaceKind, by: f64, random: &mut Random) -> Face<D> {
    let nodes: Vec<Point<D>> = kind
        .node_positions()
        .iter()
        .map(|local| {
            Point::from(Vector::from_fn(|i, _| {
                if i < 2 && i < D - 1 { local[i] } else { 0.0 }
            }))
        })
        .map(|p: Point<D>| p + random.direction::<D>() * by * random.unit())
        .collect();
    Face::new(kind, &nodes).expect("fits")
}

fn sample(kind: FaceKind, random: &mut Random) -> [f64; 2] {
    loop {
        let local = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
        if kind.domain().contains(local) {
            return local;
        }
    }
}

fn boxes_hold_samples<const D: usize>(offset: f64) {
    let mut random = Random::new(7);
    for kind in FaceKind::ALL
        .into_iter()
        .filter(|kind| kind.dimension() + 1 == D)
    {
        let mut bulges = 0;
        for _ in 0..50 {
            let mut face = bent::<D>(kind, 0.8, &mut random);
            face.nodes
                .iter_mut()
                .for_each(|p| *p += Vector::repeat(offset));
            let bounds = face.bounds();

            // An evaluated point of a straight face may be rounded to beyond its corners.
            let slack = if kind.order() == 1 {
                1e-15 * (1.0 + offset)
            } else {
                0.0
            };
            let nodes_only = Aabb::of(face.nodes().iter().copied());

            for _ in 0..1000 {
                let point = face.position(sample(kind, &mut random));
                assert!(
                    bounds.grown(slack).contains(&point),
                    "{} {point}",
                    kind.name()
                );
                bulges += usize::from(!nodes_only.grown(1e-3).contains(&point));
            }
        }

        assert_eq!(
            bulges > 0,
            kind.order() == 2,
            "only quadratic faces leave the box of their nodes"
        );
    }
}

#[test]
fn the_box_of_a_bent_face_holds_a_thousand_of_its_points() {
    boxes_hold_samples::<2>(0.0);
    boxes_hold_samples::<3>(0.0);
    boxes_hold_samples::<3>(1e6);
}

#[test]
fn the_box_of_a_straight_quadratic_face_is_that_of_its_corners() {
    let mut random = Random::new(1);
    for kind in [FaceKind::Tri6, FaceKind::Quad8, FaceKind::Quad9] {
        let face = bent::<3>(kind, 0.0, &mut random);
        let tight = Aabb::of(face.nodes()[..kind.corner_count()].iter().copied());
        assert!((face.bounds().min - tight.min).amax() < 1e-13);
        assert!((face.bounds().max - tight.max).amax() < 1e-13);
    }
}

#[test]
fn tangents_and_second_derivatives_are_differences_of_positions_and_tangents() {
    const STEP: f64 = 1e-3;
    let mut random = Random::new(4);
    for kind in FaceKind::ALL
        .into_iter()
        .filter(|kind| kind.dimension() == 2)
    {
        let face = bent::<3>(kind, 0.3, &mut random);
        let [xi, eta] = sample(kind, &mut random);
        let slope = |a: Vector<3>, b: Vector<3>| (a - b) / (2.0 * STEP);
        let along_xi = slope(
            face.position([xi + STEP, eta]).coords,
            face.position([xi - STEP, eta]).coords,
        );
        assert!((face.tangents([xi, eta])[0] - along_xi).amax() < 1e-10);

        let bend = slope(
            face.tangents([xi, eta + STEP])[0],
            face.tangents([xi, eta - STEP])[0],
        );
        assert!((face.second_derivatives([xi, eta])[1] - bend).amax() < 1e-10);
    }
}

#[test]
fn normals_point_out_of_a_counter_clockwise_face_and_right_of_a_line() {
    let mut random = Random::new(9);
    for kind in FaceKind::ALL {
        if kind.dimension() == 2 {
            let normal = bent::<3>(kind, 0.0, &mut random)
                .normal(kind.domain().centre())
                .expect("regular");
            assert!((normal - Vector::z()).amax() < 1e-15, "{}", kind.name());
        } else {
            let normal = bent::<2>(kind, 0.0, &mut random)
                .normal([0.3, 0.0])
                .expect("regular");
            assert!(
                (normal + Vector::y()).amax() < 1e-15,
                "the body is on the left"
            );
        }
    }
}

#[test]
fn a_degenerate_face_has_no_normal_and_a_tiny_one_has() {
    let at = |corners: [[f64; 3]; 3]| {
        Face::new(FaceKind::Tri3, &corners.map(Point::from)).expect("fits")
    };
    assert_eq!(at([[1.0; 3]; 3]).normal([0.2, 0.2]), None);
    assert_eq!(at([[0.0; 3], [1.0; 3], [2.0; 3]]).normal([0.2, 0.2]), None);
    let tiny = at([[0.0; 3], [1e-200, 0.0, 0.0], [0.0, 1e-200, 0.0]]);

    assert_eq!(tiny.normal([0.2, 0.2]), Some(Vector::z()));
}

#[test]
fn a_face_needs_its_number_of_nodes_and_its_dimension() {
    let points = [Point::<3>::origin(); 10];
    for kind in FaceKind::ALL {
        for count in 0..=10 {
            let fits = kind.dimension() == 2 && count == kind.node_count();
            assert_eq!(Face::new(kind, &points[..count]).is_some(), fits);
        }
    }
}

#[test]
fn a_face_far_away_keeps_its_digits() {
    let near = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let far = near.map(|p: Point<3>| p + Vector::repeat(1e12));
    let face = Face::new(FaceKind::Tri3, &far).expect("fits");
    assert_eq!(
        face.position([0.25, 0.5]) - far[0],
        Vector::<3>::from([0.25, 0.5, 0.0])
    );

    assert_eq!(face.area_normal([0.1, 0.1]), Vector::<3>::z());
}
