//! Reference implementation for convex polygons: every edge normal, every pair of edges.
//! O(corners³).
//!
//! For a unit vector n let s(n) = min n·B − max n·A be the separation of the bodies along n. The
//! signed gap is the maximum of s(n). For overlapping bodies it is attained at an edge normal; for
//! separated bodies it is the least distance between two edges.

use super::Relative;
use super::segment::segment_segment;
use crate::shape::Polygon;
use crate::space::{Pose, Vector};

/// Computes the signed gap of two polygons and the unit normal from the first to the second, in
/// world coordinates.
pub fn gap(a: &Polygon, pose_a: &Pose<2>, b: &Polygon, pose_b: &Pose<2>) -> (f64, Vector<2>) {
    let (gap, normal) = gap_in_frame(a, b, &Relative::of(pose_a, pose_b));
    (gap, pose_a.vector(&normal))
}

/// Like `gap`, in the first body's frame.
pub(super) fn gap_in_frame(a: &Polygon, b: &Polygon, relative: &Relative<2>) -> (f64, Vector<2>) {
    let origin = a.points()[0];
    let points_a: Vec<Vector<2>> = a.points().iter().map(|p| p - origin).collect();
    let points_b: Vec<Vector<2>> = b
        .points()
        .iter()
        .map(|p| relative.seen_from(&origin, p))
        .collect();
    let normals_a = a.normals().iter().copied();
    let normals_b = b.normals().iter().map(|n| -relative.vector(n));
    let room = super::brute3::widest_room(&points_a, &points_b, normals_a.chain(normals_b));

    if room.0 <= 0.0 {
        room
    } else {
        shortest_way(&points_a, &points_b).unwrap_or(room)
    }
}

/// Returns the least distance between two edges and its direction; `None` if they touch.
fn shortest_way(a: &[Vector<2>], b: &[Vector<2>]) -> Option<(f64, Vector<2>)> {
    let mut shortest = Vector::<2>::repeat(f64::INFINITY);
    for i in 0..a.len() {
        for j in 0..b.len() {
            let (first, second) = (a[(i + 1) % a.len()] - a[i], b[(j + 1) % b.len()] - b[j]);
            let (_, _, way) = segment_segment(&first, &(b[j] - a[i]), &second);
            if way.norm_squared() < shortest.norm_squared() {
                shortest = way;
            }
        }
    }

    let distance = shortest.norm();
    (distance > 0.0).then(|| (distance, shortest / distance))
}
