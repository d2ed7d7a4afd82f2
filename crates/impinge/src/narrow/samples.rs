//! Bodies and poses shared by the tests of this folder.

use crate::shape::Polyhedron;
use crate::space::{Point, Pose, Random, Vector};
use std::f64::consts::TAU;

pub(super) fn boxed(x: f64, y: f64, z: f64) -> Polyhedron {
    let corners: Vec<Point<3>> = (0..8)
        .map(|i| {
            Point::from([
                f64::from(i & 1) * x,
                f64::from(i >> 1 & 1) * y,
                f64::from(i >> 2) * z,
            ])
        })
        .collect();
    Polyhedron::hull(&corners).expect("a box")
}

/// Regular prism about the z axis with its lower end at z = 0 and exactly planar ends.
pub(super) fn prism(corners: usize, radius: f64, height: f64) -> Polyhedron {
    let points: Vec<Point<3>> = (0..2 * corners)
        .map(|i| {
            let (sin, cos) = (TAU * (i / 2) as f64 / corners as f64).sin_cos();
            Point::from([radius * cos, radius * sin, height * (i % 2) as f64])
        })
        .collect();
    Polyhedron::hull(&points).expect("a prism")
}

pub(super) fn round(random: &mut Random, vertices: usize) -> Polyhedron {
    let points: Vec<Point<3>> = (0..vertices)
        .map(|_| Point::from(random.direction::<3>()))
        .collect();
    Polyhedron::hull(&points).expect("a round body")
}

/// Random body: round, blunt, flat or thin, a box, or the hull of lattice points with many parallel
/// facets.
pub(super) fn any_body(random: &mut Random) -> Polyhedron {
    let axes = [
        [1.0; 3],
        [1.0, 0.5, 0.2],
        [1.0, 1.0, 1e-3],
        [1.0, 1e-6, 1e-6],
        [1.0, 1.0, 1e-6],
    ];
    loop {
        let count = 4 + random.below(16);
        let stretch = Vector::<3>::from(axes[random.below(axes.len())]);
        let kind = random.below(4);
        let mut point = || match kind {
            0 => Point::from(random.direction::<3>().component_mul(&stretch)),
            1 => Point::from(
                (random.direction::<3>() * random.within(0.2, 1.0)).component_mul(&stretch),
            ),
            _ => Point::from([(); 3].map(|()| random.below(3) as f64 * 0.5)),
        };
        let points: Vec<Point<3>> = (0..count).map(|_| point()).collect();

        if let Ok(body) = Polyhedron::hull(&points) {
            return body;
        }
    }
}

pub(super) fn any_pose(random: &mut Random, reach: f64) -> Pose<3> {
    let q = std::array::from_fn(|_| random.within(-1.0, 1.0));
    let position = random.direction::<3>() * random.within(0.0, reach);

    // Every third pose is unrotated, which gives parallel edges and facets.
    match random.below(3) {
        0 => Pose::at(Point::from(position)),
        _ => Pose::from_quaternion(q, Point::from(position)).expect("finite"),
    }
}

pub(super) fn diameter(body: &Polyhedron) -> f64 {
    body.bounds().extent().norm()
}
