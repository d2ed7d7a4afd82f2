//! Bounding boxes of placed points, boxes and balls, grown so that rounding never misses a contact.

use crate::shape::{Round, around_round};
use crate::space::{Aabb, Point, Pose};

/// Relative growth, more than the rounding of a rotation and a sum.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the bounding box of a rotated box.
pub(crate) fn turned<const D: usize>(local: &Aabb<D>, pose: &Pose<D>) -> Aabb<D> {
    let reach = pose.rotation().abs() * (local.extent() * 0.5);
    let centre = pose.point(&local.centre());
    let rounded = reach + (reach + centre.coords.abs() + local.centre().coords.abs()) * ROUNDING;
    Aabb {
        min: centre - rounded,
        max: centre + rounded,
    }
}

/// Returns the bounding box of rotated points.
pub(crate) fn around<const D: usize>(points: &[Point<D>], pose: &Pose<D>) -> Aabb<D> {
    let tight = Aabb::of(points.iter().map(|p| pose.point(p)));
    let slack = (tight.min.coords.abs() + tight.max.coords.abs()) * ROUNDING;
    Aabb {
        min: tight.min - slack,
        max: tight.max + slack,
    }
}

/// Returns the bounding box of a ball at a pose.
pub(crate) fn ball_around<const D: usize>(
    centre: &Point<D>,
    radius: f64,
    pose: &Pose<D>,
) -> Aabb<D> {
    // The box around the centre is grown by the rounding of its position; then the radius is added.
    around(&[*centre], pose).grown(radius * (1.0 + ROUNDING))
}

/// Returns the bounding box of a capsule, cylinder or cone at a pose.
pub(crate) fn round_around(body: &Round, pose: &Pose<3>) -> Aabb<3> {
    let ends = body.ends().map(|end| pose.point(&end));
    around_round(body, ends, &pose.vector(&body.axis()))
}
