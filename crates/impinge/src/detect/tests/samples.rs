//! A body of each kind, of about unit size, and poses.

use super::super::{Compound, Shape2, Shape3};
use crate::narrow::SurfaceBody;
use crate::narrow::projection::FaceTree;
use crate::shape::{
    FaceKind, Faces, HalfSpace, Polygon, Polyhedron, Round, Solid, Sphere, generate,
};
use crate::space::{Point, Pose, Random};
use std::sync::Arc;

/// Corner i of the unit cube has the bits of i as coordinates.
fn corners(size: f64) -> Vec<Point<3>> {
    (0..8)
        .map(|i| Point::from([i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) * size)))
        .collect()
}

/// A cube of six tetrahedra around its diagonal.
pub(super) fn cube_solid(size: f64) -> Solid {
    let path = |a: u32, b: u32, even: bool| {
        if even {
            [0, a, a | b, 7]
        } else {
            [0, a | b, a, 7]
        }
    };
    let tetrahedra = [
        path(1, 2, true),
        path(2, 4, true),
        path(4, 1, true),
        path(2, 1, false),
        path(4, 2, false),
        path(1, 4, false),
    ];

    Solid::new(&corners(size), &tetrahedra).expect("a solid")
}

/// A cube of six quadrilaterals.
pub(super) fn cube_faces(size: f64) -> FaceTree<3> {
    let nodes = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];

    let faces = Faces::new(
        corners(size),
        vec![FaceKind::Quad4; 6],
        nodes.as_flattened().to_vec(),
    );

    FaceTree::new(faces.expect("faces"))
}

/// A hammer: a handle, a head and a knob.
pub(super) fn hammer() -> Shape3 {
    let ball = Sphere::new([0.0; 3], 0.2).expect("valid");
    let head = Polyhedron::cuboid([0.8, 0.4, 0.4]).expect("a box");
    let handle = Round::cylinder([0.0, 0.0, -0.6], [0.0, 0.0, 0.3], 0.1).expect("valid");
    let parts = vec![
        (handle.into(), Pose::identity()),
        (head.into(), Pose::at([0.0, 0.0, 0.4])),
        (ball.into(), Pose::at([0.0, 0.0, -0.6])),
    ];
    Compound::new(parts).expect("a compound").into()
}

/// One shape of each kind in 3D, the half-space last.
pub(super) fn kinds3() -> Vec<Shape3> {
    let ring = generate::torus(0.7, 0.3, [12, 8]).expect("a torus");
    vec![
        Shape3::Sphere(Sphere::new([0.1, 0.0, 0.0], 0.6).expect("valid")),
        Shape3::Polyhedron(Arc::new(generate::polyhedron(14, 3).expect("a body"))),
        Shape3::Surface(Arc::new(SurfaceBody::new(&ring).expect("a surface"))),
        Shape3::Solid(Arc::new(cube_solid(1.1))),
        Shape3::Faces(Arc::new(cube_faces(1.3))),
        Shape3::Round(Round::capsule([0.0, 0.1, -0.4], [0.0, 0.0, 0.5], 0.4).expect("valid")),
        Shape3::Round(Round::cylinder([0.0, 0.1, -0.4], [0.0, 0.0, 0.5], 0.5).expect("valid")),
        Shape3::Round(Round::cone([0.0, 0.1, -0.4], [0.0, 0.0, 0.9], 0.6).expect("valid")),
        hammer(),
        Shape3::HalfSpace(HalfSpace::new([0.0, 0.0, -0.3], [0.1, 0.2, 1.0]).expect("a direction")),
    ]
}

/// One shape of each kind in 2D, the half-plane last.
pub(super) fn kinds2() -> Vec<Shape2> {
    let square = [[-0.5, -0.5], [0.6, -0.5], [0.6, 0.6], [-0.5, 0.6]].map(Point::from);
    let lines = Faces::new(
        square.to_vec(),
        vec![FaceKind::Line2; 4],
        vec![0, 1, 1, 2, 2, 3, 3, 0],
    );
    let hexagon = (0..6).map(|i| {
        let (sin, cos) = f64::from(i).sin_cos();
        Point::from([0.8 * cos, 0.6 * sin])
    });

    vec![
        Shape2::Disc(Sphere::new([0.1, 0.0], 0.6).expect("valid")),
        Shape2::Polygon(Arc::new(
            Polygon::hull(&hexagon.collect::<Vec<_>>()).expect("convex"),
        )),
        Shape2::Faces(Arc::new(FaceTree::new(lines.expect("lines")))),
        Shape2::HalfPlane(HalfSpace::new([0.0, -0.3], [0.2, 1.0]).expect("a direction")),
    ]
}

pub(super) fn pose3(random: &mut Random, at: Point<3>) -> Pose<3> {
    Pose::from_quaternion(std::array::from_fn(|_| random.within(-1.0, 1.0)), at).expect("finite")
}

pub(super) fn pose2(random: &mut Random, at: Point<2>) -> Pose<2> {
    Pose::from_angle(random.within(0.0, 6.0), at).expect("finite")
}
