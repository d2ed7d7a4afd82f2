//! Test motions for the narrow-phase studies: convex bodies that rotate about each other in small
//! steps.

use impinge::narrow::{features2, features3};
use impinge::shape::{Polygon, Polyhedron};
use impinge::space::{Point, Pose, Random, Vector};
use std::f64::consts::TAU;

/// Motion of the second body about the first, which is at rest. Both have a radius of about one.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    /// Rotation of the second body per step, in radians; its centre moves around the first by a third
    /// of it.
    pub(crate) turn: f64,
    /// Gap between the bodies in every step; negative for an overlap.
    pub(crate) gap: f64,
}

/// Creates the hull of points on the unit sphere.
pub(crate) fn round_body(random: &mut Random, vertices: usize) -> Polyhedron {
    let points: Vec<Point<3>> = (0..vertices)
        .map(|_| random.direction::<3>().into())
        .collect();
    Polyhedron::hull(&points).expect("points on a sphere")
}

/// Creates the hull of points on the unit circle, at unequal angles.
pub(crate) fn round_polygon(random: &mut Random, corners: usize) -> Polygon {
    let angles = (0..corners).map(|i| TAU * (i as f64 + random.within(0.0, 0.9)) / corners as f64);
    let points: Vec<Point<2>> = angles
        .map(|angle| Point::from([angle.cos(), angle.sin()]))
        .collect();
    Polygon::hull(&points).expect("points on a circle")
}

/// Returns the poses of the second body, step by step. The body is shifted along the normal between the
/// closest points. The gap is exact for separated bodies and nearly so for overlapping ones.
pub(crate) fn poses3(a: &Polyhedron, b: &Polyhedron, course: Course, steps: usize) -> Vec<Pose<3>> {
    let axis = Vector::<3>::new(0.48, -0.6, 0.64);
    let mut kept = features3::FeatureCache3::default();
    (0..steps)
        .map(|step| {
            let turned = course.turn * step as f64;
            let around = turned / 3.0;
            let centre = Vector::<3>::new(around.cos(), around.sin(), 0.5 * (0.7 * around).sin());
            let (sin, cos) = (turned / 2.0).sin_cos();
            let [x, y, z] = (axis * sin).into();
            let centre = Point::from(centre.normalize() * 3.0);
            let pose = Pose::from_quaternion([x, y, z, cos], centre).expect("finite");
            let contact = features3::closest(a, &Pose::identity(), b, &pose, &mut kept).contact;
            let nearer = pose.position() - contact.normal * (contact.gap - course.gap);
            Pose::new(*pose.rotation(), nearer).expect("a rotation")
        })
        .collect()
}

/// The same in 2D.
pub(crate) fn poses2(a: &Polygon, b: &Polygon, course: Course, steps: usize) -> Vec<Pose<2>> {
    let mut kept = features2::FeatureCache2::default();
    (0..steps)
        .map(|step| {
            let turned = course.turn * step as f64;
            let (sin, cos) = (turned / 3.0).sin_cos();
            let pose = Pose::from_angle(turned, [3.0 * cos, 3.0 * sin]).expect("finite");
            let contact = features2::closest(a, &Pose::identity(), b, &pose, &mut kept).contact;
            let nearer = pose.position() - contact.normal * (contact.gap - course.gap);
            Pose::new(*pose.rotation(), nearer).expect("a rotation")
        })
        .collect()
}

/// Returns unrelated poses, most of them with a gap of up to one.
pub(crate) fn independent_poses(random: &mut Random, count: usize) -> Vec<Pose<3>> {
    (0..count)
        .map(|_| {
            let place = Point::from(random.direction::<3>() * random.within(2.0, 3.0));
            let quaternion = std::array::from_fn(|_| random.within(-1.0, 1.0));
            Pose::from_quaternion(quaternion, place).expect("finite and not zero")
        })
        .collect()
}
