//! Restitution: the measured value equals the requested one for every kind of contact.

use super::*;

/// The ground a body falls on.
#[derive(Clone, Copy, Debug)]
enum Ground {
    HalfSpace,
    Mesh,
    /// A fixed slab, and a free one with its mass relative to the body.
    Fixed,
    Free(f64),
    /// A free ball of a radius.
    Ball(f64),
}

/// The orientation and shape of the falling body.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Flat,
    Edge,
    Corner,
    Ball,
}

impl Shape {
    /// Returns the shape, its orientation and the height of its centre at contact.
    fn made(self) -> (RigidShape3, [f64; 4], f64) {
        let cube = cuboid(0.1, 0.1, 0.1);
        let about = |axis: [f64; 3], angle: f64| {
            let (sin, cos) = (0.5 * angle).sin_cos();
            [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
        };

        match self {
            Self::Flat => (cuboid(0.2, 0.3, 0.1), [0.0, 0.0, 0.0, 1.0], 0.05),
            Self::Edge => (cube, about([1.0, 0.0, 0.0], 0.25 * PI), 0.05 * 2f64.sqrt()),
            Self::Corner => {
                let h = 0.5f64.sqrt();
                let angle = (1.0 / 3f64.sqrt()).acos();
                (cube, about([h, -h, 0.0], angle), 0.05 * 3f64.sqrt())
            }
            Self::Ball => (
                RigidShape3::sphere(0.05).expect("valid"),
                [0.0, 0.0, 0.0, 1.0],
                0.05,
            ),
        }
    }
}

/// Returns the ratio of rebound to impact speed of a body that falls with 1 m/s.
fn seen(shape: Shape, ground: Ground, restitution: f64) -> f64 {
    seen_as(shape, ground, restitution, |shape| shape)
}

/// Like [`seen`], with every shape replaced.
fn seen_as(
    shape: Shape,
    ground: Ground,
    restitution: f64,
    replaced: fn(RigidShape3) -> RigidShape3,
) -> f64 {
    let law = RigidLaw {
        restitution,
        friction: 0.0,
        ..law(1e9)
    };
    let mut bodies = Rigid3::new(law, [0.0; 3]).expect("valid");
    let (shape, orientation, height) = shape.made();
    let shape = bodies.add_shape(replaced(shape));

    let new = NewBody {
        shape,
        position: [0.003, 0.004, height + 1e-4],
        orientation,
        velocity: [0.0, 0.0, -1.0],
        ..NewBody::default()
    };
    bodies.add(&new).expect("a body");

    match ground {
        Ground::HalfSpace => {
            bodies
                .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
                .expect("a floor");
        }
        Ground::Mesh => {
            bodies
                .add_mesh(mesh_floor(9, 1.0), PrescribedMotion::default())
                .expect("a wall");
        }
        Ground::Fixed | Ground::Free(_) => {
            let slab = bodies.add_shape(replaced(cuboid(0.8, 0.8, 0.2)));
            let position = [0.003, 0.004, -0.1];
            let share = if let Ground::Free(share) = ground {
                share
            } else {
                1.0
            };
            let guide = matches!(ground, Ground::Fixed).then_some(PrescribedMotion::at(position));
            let density = share * bodies.mass(0) / (0.8 * 0.8 * 0.2);
            bodies
                .add(&NewBody {
                    shape: slab,
                    density,
                    position,
                    guide,
                    ..NewBody::default()
                })
                .expect("a slab");
        }
        Ground::Ball(radius) => {
            let ball = bodies.add_shape(RigidShape3::sphere(radius).expect("valid"));
            let position = [0.003, 0.004, -radius];
            bodies
                .add(&NewBody {
                    shape: ball,
                    position,
                    ..NewBody::default()
                })
                .expect("a ball");
        }
    }

    let dt = bodies.stable_step();
    let mut touched = false;
    for _ in 0..100_000 {
        step(&mut bodies, dt).expect("no trouble");
        if touched && bodies.contacts.iter().all(|line| line.force.norm() == 0.0) {
            break;
        }
        touched |= !bodies.contacts.is_empty();
    }

    let other = if bodies.len() > 1 {
        bodies.velocity(1).z
    } else {
        0.0
    };
    let energy = bodies.energy();
    let before = 0.5 * bodies.mass(0);
    assert!(
        (energy.total() / before - 1.0).abs() < 0.02,
        "{shape:?} {ground:?} {restitution}: {energy:?} {before}"
    );

    bodies.velocity(0).z - other
}

#[test]
fn the_given_restitution_is_measured_for_every_pair() {
    let grounds = [
        Ground::HalfSpace,
        Ground::Mesh,
        Ground::Fixed,
        Ground::Free(1.0),
        Ground::Free(0.01),
        Ground::Free(100.0),
    ];
    let shapes = [Shape::Flat, Shape::Edge, Shape::Corner, Shape::Ball];

    let mut pairs: Vec<(Shape, Ground)> = shapes
        .into_iter()
        .flat_map(|shape| grounds.map(|ground| (shape, ground)))
        .collect();
    pairs.extend([0.05, 0.2].map(|radius| (Shape::Ball, Ground::Ball(radius))));

    let mut missed = Vec::new();
    for (shape, ground) in pairs {
        for asked in [0.1, 0.3, 0.5, 0.8, 1.0] {
            let seen = seen(shape, ground, asked);
            if (seen - asked).abs() > 0.02 * asked {
                missed.push(format!("{shape:?} {ground:?} {asked}: {seen:.4}"));
            }
        }
    }

    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_restitution_of_zero_stops_bodies_and_settles_a_stack() {
    for shape in [Shape::Flat, Shape::Edge, Shape::Corner, Shape::Ball] {
        for ground in [Ground::HalfSpace, Ground::Mesh, Ground::Free(1.0)] {
            let seen = seen(shape, ground, 0.0);
            assert!(seen.abs() < 0.02, "{shape:?} {ground:?}: {seen}");
        }
    }

    let law = RigidLaw {
        restitution: 0.0,
        ..law(1e8)
    };
    let mut bodies = Rigid3::new(law, [0.0, 0.0, -G]).expect("valid");
    let shape = bodies.add_shape(cuboid(0.1, 0.1, 0.1));

    for n in 0..6 {
        let position = [0.004 * f64::from(n % 2), 0.0, 0.051 + 0.102 * f64::from(n)];
        bodies
            .add(&NewBody {
                shape,
                position,
                ..NewBody::default()
            })
            .expect("a box");
    }

    bodies
        .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        .expect("a floor");
    let start = bodies.energy().total();
    run(&mut bodies, 2.0);

    for n in 0..6 {
        let velocity = bodies.velocity(n);
        // A tower of six still sways a little.
        assert!(velocity.norm() < 1e-3, "box {n}: {velocity}");
    }

    let energy = bodies.energy();
    assert!(
        (energy.total() / start - 1.0).abs() < 0.01,
        "{energy:?} {start}"
    );
}

#[test]
fn a_body_that_lands_off_its_middle_bounces_at_the_place_of_contact() {
    // A long box lands on one end: the end bounces, with less than the mass of the box.
    for restitution in [0.2, 0.6] {
        let law = RigidLaw {
            restitution,
            friction: 0.0,
            ..law(1e9)
        };
        let mut bodies = Rigid3::new(law, [0.0; 3]).expect("valid");
        let shape = bodies.add_shape(cuboid(0.4, 0.05, 0.05));
        let tilt = 0.1f64;
        let low = 0.2 * tilt.sin() + 0.025 * tilt.cos();

        bodies
            .add(&NewBody {
                shape,
                position: [0.0, 0.0, low + 1e-5],
                orientation: [0.0, (0.5 * tilt).sin(), 0.0, (0.5 * tilt).cos()],
                velocity: [0.0, 0.0, -0.2],
                ..NewBody::default()
            })
            .expect("a box");
        bodies
            .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
            .expect("a floor");

        let end = |bodies: &Rigid3| {
            let arm = bodies
                .pose(0)
                .expect("finite")
                .vector(&Vector::from([0.2, 0.0, -0.025]));
            (bodies.velocity(0) + bodies.spin(0).cross(&arm)).z
        };
        let (dt, mut touched) = (bodies.stable_step(), false);

        for _ in 0..100_000 {
            step(&mut bodies, dt).expect("no trouble");
            if touched && bodies.contacts.is_empty() {
                break;
            }
            touched |= !bodies.contacts.is_empty();
        }

        let seen = end(&bodies) / 0.2;
        assert!(
            (seen - restitution).abs() < 0.05 * restitution,
            "{restitution}: {seen}"
        );
    }
}

#[test]
fn a_closed_surface_bounces_as_the_polyhedron_with_the_same_faces() {
    for ground in [
        Ground::HalfSpace,
        Ground::Mesh,
        Ground::Fixed,
        Ground::Free(1.0),
        Ground::Ball(0.1),
    ] {
        for shape in [Shape::Flat, Shape::Edge, Shape::Corner] {
            for restitution in [0.3, 0.8] {
                let found = seen_as(shape, ground, restitution, |shape| closed(&shape));
                assert!(
                    (found - restitution).abs() < 0.02,
                    "{shape:?} {ground:?} {restitution}: {found}"
                );
            }
        }
    }
}
