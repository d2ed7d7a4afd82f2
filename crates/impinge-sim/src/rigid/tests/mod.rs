//! Tests of rigid bodies in motion.

mod bounce;
mod friction;
mod pairs;
mod start;
mod surfaces;

use super::*;
use crate::{Matter, StepError};
use impinge::shape::generate;
use impinge::space::Random;

const G: f64 = 9.81;

fn cuboid(x: f64, y: f64, z: f64) -> RigidShape3 {
    let corner = |i: i32| {
        Point::from(
            [(i & 1, x), (i >> 1 & 1, y), (i >> 2, z)].map(|(bit, w)| (f64::from(bit) - 0.5) * w),
        )
    };
    RigidShape3::polyhedron(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box")
}

/// Returns the same body as a closed surface.
fn closed(shape: &RigidShape3) -> RigidShape3 {
    let (points, triangles) = shape.surface();
    let surface = impinge::shape::Surface::new(&points, &triangles).expect("closed");
    RigidShape3::closed(&surface).expect("a body")
}

fn square(side: f64) -> RigidShape2 {
    let h = 0.5 * side;
    RigidShape2::polygon(&[[-h, -h], [h, -h], [h, h], [-h, h]].map(Point::from)).expect("a square")
}

fn step<F: RigidShape<D>, const D: usize>(
    bodies: &mut Rigid<F, D>,
    dt: f64,
) -> Result<(), StepError> {
    bodies.begin(dt);
    bodies.interact(dt)?;
    bodies.finish(dt)
}

fn run<F: RigidShape<D>, const D: usize>(bodies: &mut Rigid<F, D>, seconds: f64) {
    let dt = bodies.stable_step();
    for _ in 0..(seconds / dt).ceil() as usize {
        step(bodies, dt).expect("no trouble");
    }
}

fn law(stiffness: f64) -> RigidLaw {
    RigidLaw {
        stiffness: ContactStiffness::Given(stiffness),
        ..RigidLaw::default()
    }
}

/// A flat wall of triangles in z = 0.
fn mesh_floor(cells: u32, size: f64) -> MeshWall {
    let at = |i: u32| size * (f64::from(i) / f64::from(cells) - 0.5);
    let points: Vec<Point<3>> = (0..=cells)
        .flat_map(|j| (0..=cells).map(move |i| Point::from([at(i), at(j), 0.0])))
        .collect();
    let node = |i: u32, j: u32| j * (cells + 1) + i;
    let cell = |i: u32, j: u32| {
        let [a, b, c, d] = [
            node(i, j),
            node(i + 1, j),
            node(i + 1, j + 1),
            node(i, j + 1),
        ];
        [[a, b, c], [a, c, d]]
    };
    let triangles: Vec<[u32; 3]> = (0..cells)
        .flat_map(|j| (0..cells).flat_map(move |i| cell(i, j)))
        .collect();

    MeshWall::open(&points, &triangles).expect("a wall")
}

/// Returns the speed of a block on a slope after half a second, and the distance it slid.
fn slid<F: RigidShape<D>, const D: usize>(
    mut bodies: Rigid<F, D>,
    shape: F,
    slope: f64,
) -> [f64; 2] {
    let (sin, cos) = slope.sin_cos();
    let shape = bodies.add_shape(shape);
    let up = if D == 2 {
        [sin, cos, 0.0]
    } else {
        [sin, 0.0, cos]
    };
    let down = if D == 2 {
        [cos, -sin, 0.0]
    } else {
        [cos, 0.0, -sin]
    };
    let turn = 0.5 * slope;

    let orientation = if D == 2 {
        [0.0, 0.0, -turn.sin(), turn.cos()]
    } else {
        [0.0, turn.sin(), 0.0, turn.cos()]
    };
    let position = up.map(|x| 0.1 * x);
    bodies
        .add(&NewBody {
            shape,
            position,
            orientation,
            ..NewBody::default()
        })
        .expect("a block");
    bodies
        .add_half_space([0.0; 3], up, PrescribedMotion::default())
        .expect("a slope");
    run(&mut bodies, 0.5);
    let along = |v: Vector<3>| v.dot(&Vector::from(down));
    let way = lifted(&bodies.centre(0).coords) - Vector::from(position);
    assert!(bodies.spin(0).norm() < 0.05, "it does not tumble");

    [along(lifted(&bodies.velocity(0))), along(way)]
}

#[test]
fn a_block_stays_below_the_angle_of_friction_and_slides_as_it_should_above() {
    let down2 = [0.0, -G, 0.0];
    let down3 = [0.0, 0.0, -G];
    for (slope, friction) in [
        (20.0f64.to_radians(), 0.5),
        (35.0f64.to_radians(), 0.5),
        (0.3, 0.0),
    ] {
        let law = RigidLaw {
            friction,
            ..law(1e9)
        };
        let plane = slid(Rigid2::new(law, down2).expect("valid"), square(0.2), slope);
        let space = slid(
            Rigid3::new(law, down3).expect("valid"),
            cuboid(0.2, 0.2, 0.2),
            slope,
        );
        for [speed, way] in [plane, space] {
            let acceleration = (G * (slope.sin() - friction * slope.cos())).max(0.0);
            let (expected, passed) = (acceleration * 0.5, 0.5 * acceleration * 0.25);
            assert!(
                (speed - expected).abs() < 0.01 * expected + 1e-4,
                "{slope} {friction}: {speed} {expected}"
            );
            assert!(
                (way - passed).abs() < 0.02 * passed + 1e-4,
                "{slope} {friction}: {way} {passed}"
            );
        }
    }
}

#[test]
fn momentum_and_angular_momentum_survive_a_collision() {
    let mut bodies = Rigid3::new(law(1e7), [0.0; 3]).expect("valid");
    let mut random = Random::new(3);
    for (n, x) in [-1.2f64, 1.2].into_iter().enumerate() {
        let body = generate::polyhedron(20, 5 + n as u64).expect("a body");
        let shape = bodies.add_shape(RigidShape3::polyhedron(body.points()).expect("a body"));
        let new = NewBody {
            shape,
            position: [x, 0.3 * x, 0.0],
            velocity: [-2.0 * x, 0.1, 0.3],
            spin: random.direction::<3>().into(),
            ..NewBody::default()
        };
        bodies.add(&new).expect("a body");
    }

    let moment = |bodies: &Rigid3| -> Vector<3> {
        bodies
            .bodies
            .iter()
            .map(|b| b.position.cross(&(b.velocity * b.mass)) + b.momentum)
            .sum()
    };
    let (start, turn) = (bodies.momentum(), moment(&bodies));

    let scale: f64 = bodies
        .bodies
        .iter()
        .map(|b| b.mass * b.velocity.norm())
        .sum();
    let before = bodies.energy().kinetic;
    run(&mut bodies, 2.0);
    assert!((bodies.momentum() - start).norm() < 1e-12 * scale);
    assert!((moment(&bodies) - turn).norm() < 1e-10 * scale);
    assert!(bodies.energy().kinetic < 0.9 * before, "they did collide");
    let mut lines = Vec::new();
    bodies.contacts(&mut lines);

    assert!(lines.is_empty(), "and parted");
}

#[test]
fn a_bounce_without_damping_keeps_its_energy_whatever_the_shape() {
    let free = RigidLaw {
        restitution: 1.0,
        friction: 0.0,
        ..law(1e7)
    };
    let mut space = Rigid3::new(free, [0.0, 0.0, -G]).expect("valid");
    let body = generate::polyhedron(16, 2).expect("a body");
    let shape = space.add_shape(RigidShape3::polyhedron(body.points()).expect("a body"));

    let new = NewBody {
        shape,
        position: [0.0, 0.0, 1.5],
        orientation: [0.3, 0.1, 0.2, 0.9],
        ..NewBody::default()
    };
    space.add(&new).expect("a body");
    space
        .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        .expect("a floor");
    let mut plane = Rigid2::new(free, [0.0, -G, 0.0]).expect("valid");
    let shape = plane.add_shape(square(1.0));

    let new = NewBody {
        shape,
        position: [0.0, 1.5, 0.0],
        orientation: [0.0, 0.0, 0.2, 0.9],
        ..NewBody::default()
    };
    plane.add(&new).expect("a body");
    plane
        .add_half_space([0.0; 3], [0.0, 1.0, 0.0], PrescribedMotion::default())
        .expect("a floor");
    let (worst3, bounces3) = bounced(&mut space);
    let (worst2, bounces2) = bounced(&mut plane);
    assert!(worst3 < 1e-3 && worst2 < 1e-3, "{worst3:e} {worst2:e}");

    assert!(bounces3 > 3 && bounces2 > 3, "{bounces3} {bounces2}");
}

/// Returns the largest change of energy in four seconds, relative to that of the fall, and the
/// number of bounces.
fn bounced<F: RigidShape<D>, const D: usize>(bodies: &mut Rigid<F, D>) -> (f64, usize) {
    let (dt, start) = (bodies.stable_step(), bodies.energy().total());
    let (mut worst, mut bounces, mut touched) = (0.0f64, 0, false);
    for _ in 0..(4.0 / dt) as usize {
        step(bodies, dt).expect("no trouble");
        worst = worst.max((bodies.energy().total() / start - 1.0).abs());
        bounces += usize::from(touched && bodies.contacts.is_empty());
        touched = !bodies.contacts.is_empty();
    }

    (worst, bounces)
}

/// Returns the relative change of the kinetic energy of two bodies in a collision without damping
/// and friction.
fn gained(seed: u64) -> f64 {
    let free = RigidLaw {
        restitution: 1.0,
        friction: 0.0,
        ..law(1e9)
    };
    let mut bodies = Rigid3::new(free, [0.0; 3]).expect("valid");
    let mut random = Random::new(seed);

    for x in [-1.1f64, 1.1] {
        let body = generate::polyhedron(12, seed).expect("a body");
        let shape = bodies.add_shape(RigidShape3::polyhedron(body.points()).expect("a body"));
        let orientation = std::array::from_fn(|_| random.within(-1.0, 1.0));
        let new = NewBody {
            shape,
            position: [x, 0.2 * x, 0.0],
            orientation,
            velocity: [-2.0 * x, 0.0, 0.0],
            ..NewBody::default()
        };

        bodies.add(&new).expect("a body");
    }

    let start = bodies.energy().kinetic;
    run(&mut bodies, 1.5);
    assert!(
        bodies.contacts.is_empty() && bodies.spin(0).norm() > 1e-3,
        "they met and parted"
    );

    bodies.energy().kinetic / start - 1.0
}

#[test]
fn two_stiff_bodies_keep_their_energy_in_a_collision_to_a_few_percent() {
    for seed in 1..=12 {
        let share = gained(seed);
        assert!(share > -0.05 && share < 0.01, "{seed}: {share}");
    }
}

#[test]
fn a_box_thrown_with_a_spin_about_its_intermediate_axis_flips_and_keeps_its_energy() {
    let mut bodies = Rigid3::new(law(1e6), [0.0; 3]).expect("valid");
    let shape = bodies.add_shape(cuboid(0.1, 0.2, 0.3));
    bodies
        .add(&NewBody {
            shape,
            spin: [0.01, 10.0, 0.01],
            ..NewBody::default()
        })
        .expect("a body");
    let (start, mut drift, mut flips, mut last) = (bodies.energy().kinetic, 0.0f64, 0, 1.0f64);

    for _ in 0..40_000 {
        step(&mut bodies, 1e-3).expect("no trouble");
        drift = drift.max((bodies.energy().kinetic / start - 1.0).abs());
        let side = bodies.pose(0).expect("finite").rotation()[(1, 1)].signum();
        flips += usize::from(side != last);
        last = side;
    }

    assert!(drift < 1e-6, "{drift:e}");
    assert!(flips > 5, "{flips}");
}

#[test]
fn a_stack_of_boxes_settles() {
    let mut bodies = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
    let shape = bodies.add_shape(cuboid(0.1, 0.1, 0.1));
    for n in 0..4 {
        let z = 0.051 + 0.102 * f64::from(n);
        bodies
            .add(&NewBody {
                shape,
                position: [0.002 * f64::from(n % 2), 0.0, z],
                ..NewBody::default()
            })
            .expect("a box");
    }

    bodies
        .add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
        .expect("a floor");
    run(&mut bodies, 1.5);

    for n in 0..4 {
        assert!(
            bodies.velocity(n).norm() < 1e-4,
            "box {n}: {}",
            bodies.velocity(n)
        );
        assert!(
            (bodies.centre(n).z - (0.05 + 0.1 * n as f64)).abs() < 1e-3,
            "box {n}: {}",
            bodies.centre(n)
        );
    }

    let mut lines = Vec::new();
    bodies.contacts(&mut lines);
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line.force.dot(&line.normal) > 0.0));
    let weight = 4.0 * bodies.mass(0) * G;
    let floor = lines
        .iter()
        .find(|line| line.bodies[1] == crate::BodyRef::wall(0))
        .expect("the lowest stands on the floor");

    assert!(
        (floor.force.z + weight).abs() < 0.01 * weight,
        "{:?}",
        floor.force
    );
}

fn polygons_in_a_box() -> Rigid2 {
    let mut bodies = Rigid2::new(law(3e8), [0.0, -G, 0.0]).expect("valid");
    let mut random = Random::new(11);
    for n in 0..30 {
        let points: Vec<Point<2>> = (0..6 + n % 3)
            .map(|_| Point::from(random.direction::<2>() * 0.1))
            .collect();
        let hull = impinge::shape::Polygon::hull(&points).expect("a polygon");
        let shape = bodies.add_shape(RigidShape2::polygon(hull.points()).expect("a polygon"));
        let position = [
            0.25 * (n % 5) as f64 - 0.5,
            0.15 + 0.25 * (n / 5) as f64,
            0.0,
        ];

        bodies
            .add(&NewBody {
                shape,
                position,
                ..NewBody::default()
            })
            .expect("a body");
    }

    for (point, normal) in [
        ([0.0; 3], [0.0, 1.0, 0.0]),
        ([-0.7, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([0.7, 0.0, 0.0], [-1.0, 0.0, 0.0]),
    ] {
        bodies
            .add_half_space(point, normal, PrescribedMotion::default())
            .expect("a wall");
    }

    bodies
}

#[test]
fn polygons_in_a_box_settle() {
    let mut bodies = polygons_in_a_box();
    let fall = bodies.energy().potential;
    run(&mut bodies, 2.0);
    let energy = bodies.energy();
    assert!(energy.kinetic < 1e-5 * fall, "{} of {fall}", energy.kinetic);
    assert!(
        (energy.total() / fall - 1.0).abs() < 0.1,
        "{energy:?} {fall}"
    );

    for n in 0..bodies.len() {
        let at = bodies.centre(n);
        assert!(
            at.y > 0.0 && at.x.abs() < 0.7 && at.y < 1.5,
            "body {n} at {at}"
        );
    }
}

#[test]
fn a_box_on_a_wall_of_triangles_behaves_as_on_a_half_space() {
    let settled = |add: &dyn Fn(&mut Rigid3) -> Result<usize, InvalidRigid>| {
        let mut bodies = Rigid3::new(law(1e8), [1.0, 0.0, -G]).expect("valid");
        let shape = bodies.add_shape(cuboid(0.2, 0.2, 0.2));
        bodies
            .add(&NewBody {
                shape,
                position: [0.03, 0.01, 0.11],
                orientation: [0.02, 0.01, 0.2, 1.0],
                ..NewBody::default()
            })
            .expect("a box");
        add(&mut bodies).expect("a wall");
        run(&mut bodies, 0.6);
        bodies
    };
    let on_mesh =
        settled(&|bodies| bodies.add_mesh(mesh_floor(7, 2.0), PrescribedMotion::default()));
    let on_plane = settled(&|bodies| {
        bodies.add_half_space([0.0; 3], [0.0, 0.0, 1.0], PrescribedMotion::default())
    });

    for bodies in [&on_mesh, &on_plane] {
        assert!(bodies.velocity(0).norm() < 1e-4, "{}", bodies.velocity(0));
        assert_eq!(
            bodies.contacts.len(),
            1,
            "one contact, however many triangles"
        );
    }

    assert!(
        (on_mesh.centre(0) - on_plane.centre(0)).norm() < 2e-3,
        "{} {}",
        on_mesh.centre(0),
        on_plane.centre(0)
    );
}

#[test]
fn a_ball_rolls_down_a_mesh_and_a_guided_wall_carries_a_box() {
    let mut bodies = Rigid3::new(
        RigidLaw {
            restitution: 0.95,
            friction: 0.8,
            ..law(1e8)
        },
        [1.0, 0.0, -G],
    )
    .expect("valid");
    let shape = bodies.add_shape(RigidShape3::sphere(0.1).expect("valid"));

    bodies
        .add(&NewBody {
            shape,
            position: [-0.8, 0.03, 0.0999],
            ..NewBody::default()
        })
        .expect("a ball");
    bodies
        .add_mesh(mesh_floor(9, 4.0), PrescribedMotion::default())
        .expect("a wall");
    run(&mut bodies, 1.0);

    // Rolling without slipping: 5/7 of the push. More damping would brake it, as it does the front of the contact.
    assert!(
        (bodies.velocity(0).x - 5.0 / 7.0).abs() < 0.02,
        "{}",
        bodies.velocity(0)
    );
    assert!((bodies.spin(0).y * 0.1 - bodies.velocity(0).x).abs() < 0.02);
    let mut belt = Rigid3::new(law(1e8), [0.0, 0.0, -G]).expect("valid");
    let shape = belt.add_shape(cuboid(0.2, 0.2, 0.2));

    belt.add(&NewBody {
        shape,
        position: [0.0, 0.0, 0.1],
        ..NewBody::default()
    })
    .expect("a box");
    let moving = PrescribedMotion {
        path: Path {
            velocity: [0.5, 0.0, 0.0],
            ..Path::default()
        },
        ..PrescribedMotion::default()
    };
    let slab = belt.add_shape(cuboid(4.0, 1.0, 0.2));

    let guide = Some(PrescribedMotion {
        position: [0.0, 0.0, -0.1],
        ..moving
    });
    belt.add(&NewBody {
        shape: slab,
        guide,
        ..NewBody::default()
    })
    .expect("a belt");
    run(&mut belt, 0.6);

    assert!(
        (belt.velocity(0).x - 0.5).abs() < 1e-3,
        "{}",
        belt.velocity(0)
    );

    assert!((belt.centre(1).x - 0.5 * belt.time()).abs() < 1e-12);
}

#[test]
fn an_applied_force_moves_and_turns() {
    let mut bodies = Rigid3::new(law(1e6), [0.0; 3]).expect("valid");
    let shape = bodies.add_shape(cuboid(1.0, 1.0, 1.0));
    bodies
        .add(&NewBody {
            shape,
            density: 6.0,
            ..NewBody::default()
        })
        .expect("a box");

    // The first half kick uses the previous force, which is zero.
    for n in 0..=1000 {
        bodies.begin(1e-3);
        bodies.interact(1e-3).expect("no trouble");
        if n < 1000 {
            let centre = bodies.centre(0);
            bodies.apply(
                0,
                &Vector::<3>::new(12.0, 0.0, 0.0),
                &(centre + Vector::<3>::new(0.0, 0.0, 0.1)),
            );
        }

        bodies.finish(1e-3).expect("no trouble");
    }

    assert!(
        (bodies.velocity(0).x - 2.0).abs() < 1e-9,
        "{}",
        bodies.velocity(0)
    );

    assert!(
        (bodies.spin(0) - Vector::<3>::new(0.0, 1.2, 0.0)).norm() < 1e-9,
        "{}",
        bodies.spin(0)
    );
}

#[test]
fn mass_properties_are_exact_wherever_the_shape_is_in_its_frame() {
    let mut bodies = Rigid3::new(law(1e6), [0.0; 3]).expect("valid");
    let corner = |i: i32| {
        Point::from(
            [(i & 1, 5.0), (i >> 1 & 1, -2.0), (i >> 2, 1.0)]
                .map(|(bit, at)| f64::from(bit) * 2.0 + at),
        )
    };
    let shape = bodies.add_shape(
        RigidShape3::polyhedron(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box"),
    );

    bodies
        .add(&NewBody {
            shape,
            density: 3.0,
            ..NewBody::default()
        })
        .expect("a box");
    assert!((bodies.mass(0) - 24.0).abs() < 1e-12);
    assert!((bodies.centre(0) - Point::from([6.0, -1.0, 2.0])).norm() < 1e-13);

    assert!((bodies.bodies[0].moments - Vector::repeat(24.0 * 8.0 / 12.0)).norm() < 1e-12);
}

#[test]
fn a_step_that_is_too_long_is_reported_with_the_body() {
    let mut bodies = polygons_in_a_box();
    let dt = 100.0 * bodies.stable_step();
    let trouble = (0..10_000)
        .find_map(|_| step(&mut bodies, dt).err())
        .expect("it blows up");
    assert!(trouble.body.starts_with("rigid body "), "{trouble}");

    assert!(trouble.hint.contains("time step"), "{trouble}");
}

#[test]
fn bad_bodies_are_refused_by_name() {
    let mut bodies = Rigid2::new(law(1e6), [0.0, -G, 0.0]).expect("valid");
    assert!(
        Rigid2::new(law(-1.0), [0.0; 3]).is_err()
            && Rigid2::new(law(1.0), [0.0, 0.0, 1.0]).is_err()
    );
    let cause =
        |bodies: &mut Rigid2, new: NewBody| bodies.add(&new).expect_err("refused").to_string();
    assert_eq!(
        cause(&mut bodies, NewBody::default()),
        "rigid body 0: there is no shape with this index"
    );
    bodies.add_shape(square(1.0));

    let new = NewBody {
        density: 0.0,
        ..NewBody::default()
    };
    assert_eq!(
        cause(&mut bodies, new),
        "rigid body 0: the density is not a positive number"
    );

    let new = NewBody {
        orientation: [0.0; 4],
        ..NewBody::default()
    };
    assert!(cause(&mut bodies, new).contains("orientation"));

    assert!(
        bodies
            .add_half_space([0.0; 3], [0.0; 3], PrescribedMotion::default())
            .is_err()
    );
}

/// A heap of boxes, balls and irregular bodies on a mesh and between walls.
fn heap() -> Rigid3 {
    let mut bodies = Rigid3::new(law(1e7), [0.0, 0.0, -G]).expect("valid");
    let odd = generate::polyhedron(12, 9).expect("a body");
    let odd: Vec<Point<3>> = odd.points().iter().map(|p| p * 0.08).collect();
    let forms = [
        cuboid(0.1, 0.12, 0.15),
        RigidShape3::sphere(0.06).expect("valid"),
        RigidShape3::polyhedron(&odd).expect("a body"),
    ]
    .map(|shape| bodies.add_shape(shape));
    let mut random = Random::new(4);

    for n in 0..60 {
        let at = [n % 3, n / 3 % 3, n / 9].map(|k| 0.19 * f64::from(k));
        let orientation = std::array::from_fn(|_| random.within(-1.0, 1.0));
        let position = [at[0] - 0.2, at[1] - 0.2, at[2] + 0.12];
        bodies
            .add(&NewBody {
                shape: forms[n as usize % 3],
                position,
                orientation,
                ..NewBody::default()
            })
            .expect("a body");
    }

    bodies
        .add_mesh(mesh_floor(12, 2.0), PrescribedMotion::default())
        .expect("a wall");

    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        bodies
            .add_half_space(
                [-0.3 * x, -0.3 * y, 0.0],
                [x, y, 0.0],
                PrescribedMotion::default(),
            )
            .expect("a wall");
    }

    bodies
}

#[test]
fn steps_are_the_same_bytes_for_1_2_and_7_threads_and_after_a_restart() {
    let bytes = |bodies: &Rigid3| postcard::to_allocvec(bodies).expect("plain numbers");
    let ran = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut bodies = heap();
            for n in 0..1500 {
                step(&mut bodies, 2e-4).expect("no trouble");
                if threads == 7 && n % 400 == 399 {
                    bodies = postcard::from_bytes(&bytes(&bodies)).expect("its own bytes");
                }
            }
            assert!(bodies.contacts.len() > 40, "{}", bodies.contacts.len());
            bytes(&bodies)
        })
    };
    let one = ran(1);
    assert!(one == ran(2), "two threads");

    assert!(one == ran(7), "seven threads and three restarts");
}
