//! Initial states and mass properties of bodies.

use super::*;

#[test]
fn bodies_that_overlap_at_the_start_are_reported_and_not_ejected() {
    let mut bodies = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
    let shape = bodies.add_shape(cuboid(0.1, 0.1, 0.1));
    for z in [0.04, 0.12] {
        bodies
            .add(&NewBody {
                shape,
                position: [0.0, 0.0, z],
                ..NewBody::default()
            })
            .expect("a box");
    }

    bodies
        .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        .expect("a floor");
    let found = bodies.exclude_overlaps().expect("finite");
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].body, found[0].other), (0, BodyRef::body(1)));
    assert_eq!(found[1].other, BodyRef::wall(0));
    assert!((found[0].depth - 0.02).abs() < 1e-12 && (found[1].depth - 0.01).abs() < 1e-12);

    let dt = bodies.stable_step();
    let mut fastest = 0.0f64;
    for _ in 0..(1.0 / dt) as usize {
        step(&mut bodies, dt).expect("no trouble");
        fastest = fastest.max(bodies.velocity(0).norm().max(bodies.velocity(1).norm()));
    }

    assert!(fastest < 0.02, "{fastest}");
    // They rest at their initial positions, supported beyond the excluded overlap.
    assert!((bodies.centre(0).z - 0.04).abs() < 1e-3 && (bodies.centre(1).z - 0.12).abs() < 1e-3);
    assert!(bodies.velocity(1).norm() < 1e-5);
}

#[test]
fn an_excluded_overlap_vanishes_once_bodies_have_separated() {
    let mut bodies = Rigid3::new(
        RigidLaw {
            restitution: 1.0,
            friction: 0.0,
            ..law(1e8)
        },
        [0.0; 3],
    )
    .expect("valid");
    let shape = bodies.add_shape(cuboid(0.1, 0.1, 0.1));

    bodies
        .add(&NewBody {
            shape,
            position: [0.0, 0.0, 0.045],
            velocity: [0.0, 0.0, 1.0],
            ..NewBody::default()
        })
        .expect("a box");

    for (z, up) in [(0.0, 1.0), (0.2, -1.0)] {
        bodies
            .add_half_space([0.0, 0.0, z], [0.0, 0.0, up], PrescribedMotion::default())
            .expect("a wall");
    }

    assert_eq!(bodies.exclude_overlaps().expect("finite").len(), 1);
    // Up, down and up again: it bounces at the plane of the lower wall, not at its initial
    // position.
    let (dt, mut lowest) = (bodies.stable_step(), f64::INFINITY);
    for _ in 0..(0.3 / dt) as usize {
        step(&mut bodies, dt).expect("no trouble");
        if bodies.time() > 0.1 {
            lowest = lowest.min(bodies.centre(0).z);
        }
    }

    assert!(lowest > 0.0485 && lowest < 0.05, "{lowest}");
    assert!((bodies.velocity(0).z.abs() - 1.0).abs() < 0.01);
}

#[test]
fn boxes_side_by_side_do_not_overlap() {
    let mut bodies = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
    let shape = bodies.add_shape(cuboid(0.1, 0.1, 0.1));
    for n in 0..5 {
        bodies
            .add(&NewBody {
                shape,
                position: [0.1 * f64::from(n), 0.0, 0.05],
                ..NewBody::default()
            })
            .expect("a box");
    }

    bodies
        .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        .expect("a floor");
    assert_eq!(bodies.exclude_overlaps().expect("finite"), []);
}

#[test]
fn the_stiffness_of_a_pair_follows_its_own_size() {
    // A small box rests on the floor; a far larger body, free or fixed, changes nothing.
    let sunk = |far: Option<f64>, fixed: bool| {
        let law = RigidLaw {
            stiffness: ContactStiffness::Young(1e7),
            restitution: 0.1,
            ..RigidLaw::default()
        };
        let mut bodies = Rigid3::new(law, [0.0, 0.0, -G]).expect("valid");
        let shape = bodies.add_shape(cuboid(0.1, 0.1, 0.1));
        bodies
            .add(&NewBody {
                shape,
                position: [0.0, 0.0, 0.05],
                ..NewBody::default()
            })
            .expect("a box");
        if let Some(size) = far {
            let shape = bodies.add_shape(cuboid(size, size, size));
            let position = [0.0, 10.0 * size, 0.5 * size];
            bodies
                .add(&NewBody {
                    shape,
                    position,
                    guide: fixed.then_some(PrescribedMotion::at(position)),
                    ..NewBody::default()
                })
                .expect("a box");
        }
        bodies
            .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
            .expect("a floor");
        run(&mut bodies, 0.3);
        0.05 - bodies.centre(0).z
    };
    let size = 0.05 * 3f64.sqrt();
    let expected = 1000.0 * G * 0.1 / (1e7 / size);

    for depth in [
        sunk(None, false),
        sunk(Some(5.0), true),
        sunk(Some(5.0), false),
    ] {
        assert!(
            (depth / expected - 1.0).abs() < 1e-3,
            "{depth:e} {expected:e}"
        );
    }
}

#[test]
fn mass_properties_of_a_surface_are_those_of_its_boxes() {
    // An L of two boxes: [0, 3] × [0, 1] and [0, 1] × [1, 3], one thick.
    let outline = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]];
    let points: Vec<Point<3>> = [5.0, 6.0]
        .into_iter()
        .flat_map(|z| outline.map(|[x, y]| Point::from([f64::from(x), f64::from(y), z])))
        .collect();
    let caps = [[0u32, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = caps.map(|[a, b, c]| [a, c, b]).to_vec();
    triangles.extend(caps.map(|cap| cap.map(|n| n + 6)));

    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }

    let surface = impinge::shape::Surface::new(&points, &triangles).expect("closed");
    let mass = Mass::of_surface(&surface);
    assert!((mass.measure - 5.0).abs() < 1e-12);
    let centre = Vector::<3>::new(
        (3.0 * 1.5 + 2.0 * 0.5) / 5.0,
        (3.0 * 0.5 + 2.0 * 2.0) / 5.0,
        5.5,
    );
    assert!((mass.centre - centre).norm() < 1e-12, "{}", mass.centre);

    // About z: each box about its own centre, plus the parallel-axis term.
    let boxes = [(3.0, [3.0, 1.0], [1.5, 0.5]), (2.0, [1.0, 2.0], [0.5, 2.0])];
    let expected: f64 = boxes
        .iter()
        .map(|(m, [x, y], [cx, cy])| {
            m * ((x * x + y * y) / 12.0 + (cx - centre.x).powi(2) + (cy - centre.y).powi(2))
        })
        .sum();

    assert!((mass.inertia[(2, 2)] - expected).abs() < 1e-12);
}
