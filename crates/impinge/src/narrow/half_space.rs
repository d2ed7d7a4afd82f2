//! Contacts with half-spaces.

use super::{ContactPoint, Relative};
use crate::shape::{Feature, HalfSpace, Polygon, Polyhedron, Sphere};
use crate::space::{Point, Pose, Vector};

/// Returns the outward normal of a half-space in a body's frame, and the height of its surface relative
/// to a point of that body.
pub(super) fn seen_from<const D: usize>(
    half: &HalfSpace<D>,
    origin: &Point<D>,
    pose_body: &Pose<D>,
    pose_half: &Pose<D>,
) -> (Vector<D>, f64) {
    let relative = Relative::of(pose_body, pose_half);
    let normal = relative.vector(&half.normal());
    (
        normal,
        normal.dot(&relative.seen_from(origin, &half.point())),
    )
}

/// Contact of a body's vertex with a half-space. The half-space's feature is its face 0; the
/// normal points to it.
pub(crate) fn vertex_contact<const D: usize>(
    vertex: (u32, &Point<D>),
    pose_body: &Pose<D>,
    half: &HalfSpace<D>,
    pose_half: &Pose<D>,
) -> ContactPoint<D> {
    let (normal, surface) = seen_from(half, vertex.1, pose_body, pose_half);
    let normal = -pose_body.vector(&normal);
    let on_a = pose_body.point(vertex.1);
    ContactPoint {
        on_a,
        on_b: on_a - normal * surface,
        normal,
        gap: -surface,
        feature_a: Feature::Vertex(vertex.0),
        feature_b: Feature::Face(0),
    }
}

/// Computes gap and lowest corner of a polygon over a half-plane, by hill climbing from the corner
/// `start`.
pub fn polygon_contact(
    body: &Polygon,
    pose_body: &Pose<2>,
    half: &HalfSpace<2>,
    pose_half: &Pose<2>,
    start: usize,
) -> ContactPoint<2> {
    let down = -Relative::of(pose_body, pose_half).vector(&half.normal());
    let lowest = body.support(&down, start);
    vertex_contact(
        (lowest as u32, &body.points()[lowest]),
        pose_body,
        half,
        pose_half,
    )
}

/// Computes gap and lowest vertex of a polyhedron over a half-space, by hill climbing from the
/// vertex `start`.
pub fn polyhedron_contact(
    body: &Polyhedron,
    pose_body: &Pose<3>,
    half: &HalfSpace<3>,
    pose_half: &Pose<3>,
    start: u32,
) -> ContactPoint<3> {
    let down = -Relative::of(pose_body, pose_half).vector(&half.normal());
    let lowest = body.support(&down, start);
    vertex_contact(
        (lowest, &body.points()[lowest as usize]),
        pose_body,
        half,
        pose_half,
    )
}

/// Computes gap and lowest point of a sphere over a half-space.
pub fn sphere_contact<const D: usize>(
    sphere: &Sphere<D>,
    pose_sphere: &Pose<D>,
    half: &HalfSpace<D>,
    pose_half: &Pose<D>,
) -> ContactPoint<D> {
    let of_centre = vertex_contact((0, &sphere.centre()), pose_sphere, half, pose_half);
    ContactPoint {
        on_a: of_centre.on_a + of_centre.normal * sphere.radius(),
        gap: of_centre.gap - sphere.radius(),
        feature_a: Feature::Face(0),
        ..of_centre
    }
}

#[cfg(test)]
mod tests;
