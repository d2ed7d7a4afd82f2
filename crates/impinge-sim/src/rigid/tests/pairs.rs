//! Every pair of shapes: the restitution that was requested, momentum and angular momentum.

use super::surfaces::arch;
use super::*;

/// A shape that meets another one centrally, along z.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Ball,
    Cube,
    /// On a vertex.
    Octahedron,
    /// A closed surface with the faces of a cube.
    Closed,
    /// Not convex: lands on two feet, and is landed on a flat top.
    Arch,
    /// Not convex, with a hole: lands on its side.
    Ring,
}

const SHAPES: [Shape; 6] = [
    Shape::Ball,
    Shape::Cube,
    Shape::Octahedron,
    Shape::Closed,
    Shape::Arch,
    Shape::Ring,
];

impl Shape {
    /// Returns the shape, and the heights of its lowest and highest points.
    fn made(self) -> (RigidShape3, [f64; 2]) {
        match self {
            Self::Ball => (RigidShape3::sphere(0.05).expect("a ball"), [-0.05, 0.05]),
            Self::Cube => (cuboid(0.1, 0.1, 0.1), [-0.05, 0.05]),
            Self::Octahedron => {
                let tip = |axis: usize, sign: f64| {
                    let mut tip = Point::origin();
                    tip[axis] = 0.07 * sign;
                    tip
                };
                let tips: Vec<Point<3>> = (0..3)
                    .flat_map(|axis| [tip(axis, 1.0), tip(axis, -1.0)])
                    .collect();
                (
                    RigidShape3::polyhedron(&tips).expect("a body"),
                    [-0.07, 0.07],
                )
            }
            Self::Closed => (closed(&cuboid(0.1, 0.1, 0.1)), [-0.05, 0.05]),
            Self::Arch => (arch(0.05), [0.0, 0.1]),
            Self::Ring => {
                let ring = generate::torus(0.05, 0.02, [24, 12]).expect("a ring");
                (RigidShape3::closed(&ring).expect("a body"), [-0.02, 0.02])
            }
        }
    }
}

/// The lower side of a collision.
#[derive(Clone, Copy, Debug)]
enum Ground {
    HalfSpace,
    OpenMesh,
    ClosedMesh,
    Body(Shape),
}

/// Returns the ratio of rebound to impact speed of a body that falls with 1 m/s, shifted sideways.
fn seen(shape: Shape, ground: Ground, restitution: f64, shift: [f64; 2]) -> f64 {
    let law = RigidLaw {
        restitution,
        friction: 0.0,
        ..law(1e9)
    };
    let mut bodies = Rigid3::new(law, [0.0; 3]).expect("valid");
    let (shape, [low, _]) = shape.made();
    let shape = bodies.add_shape(shape);
    let [x, y] = shift;
    let new = NewBody {
        shape,
        position: [x, y, 1e-4 - low],
        velocity: [0.0, 0.0, -1.0],
        ..NewBody::default()
    };
    bodies.add(&new).expect("a body");

    let at_rest = PrescribedMotion::default();
    match ground {
        Ground::HalfSpace => {
            bodies
                .add_half_space([0.0; 3], [0.0, 0.0, 1.0], at_rest)
                .expect("a floor");
        }
        Ground::OpenMesh => {
            bodies
                .add_mesh(mesh_floor(9, 1.0), at_rest)
                .expect("a wall");
        }
        Ground::ClosedMesh => {
            let block = generate::block([3, 3, 1], [2.0, 2.0, 0.5]).expect("a block");
            let down = Vector::<3>::new(1.0, 1.0, 0.5);
            let points: Vec<Point<3>> = block.points().iter().map(|p| p - down).collect();
            let wall = MeshWall::closed(&points, block.triangles()).expect("a wall");
            bodies.add_mesh(wall, at_rest).expect("a wall");
        }
        Ground::Body(shape) => {
            let (shape, [_, high]) = shape.made();
            let shape = bodies.add_shape(shape);
            let position = [0.0, 0.0, -high];
            bodies
                .add(&NewBody {
                    shape,
                    position,
                    ..NewBody::default()
                })
                .expect("a body");
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
    bodies.velocity(0).z - other
}

#[test]
fn every_pair_of_shapes_bounces_with_the_restitution_that_was_requested() {
    let grounds = [Ground::HalfSpace, Ground::OpenMesh, Ground::ClosedMesh];
    let grounds = grounds.into_iter().chain(SHAPES.map(Ground::Body));
    let mut missed = Vec::new();
    for ground in grounds {
        for shape in SHAPES {
            for asked in [0.3, 0.8, 1.0] {
                let seen = seen(shape, ground, asked, [0.0; 2]);
                if (seen - asked).abs() > 0.02 * asked {
                    missed.push(format!("{shape:?} on {ground:?}: {seen:.4} for {asked}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn boxes_that_overlap_in_part_bounce_as_flat_ones_do() {
    for [one, two] in [
        [Shape::Cube, Shape::Cube],
        [Shape::Closed, Shape::Cube],
        [Shape::Closed, Shape::Closed],
    ] {
        for shift in [[1e-9, 0.0], [1e-3, -2e-3]] {
            for asked in [0.3, 0.8] {
                let seen = seen(one, Ground::Body(two), asked, shift);
                assert!(
                    (seen - asked).abs() < 0.02 * asked,
                    "{one:?} on {two:?}, {shift:?}: {seen:.4} for {asked}"
                );
            }
        }
    }
}
