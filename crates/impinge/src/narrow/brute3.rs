//! Reference implementation for convex polyhedra: every facet normal, every pair of edges, every
//! vertex over every facet. O(edges² · vertices).
//!
//! For a unit vector n let s(n) = min n·B − max n·A be the separation of the bodies along n. The
//! signed gap is the maximum of s(n). For overlapping bodies it is attained at a facet normal of A
//! or B or at a cross product of two edges: these are the facet normals of the Minkowski difference
//! A − B. For separated bodies it is the least distance between two edges, or between a vertex and
//! the facet it projects onto.

use super::Relative;
use super::segment::segment_segment;
use crate::shape::Polyhedron;
use crate::space::{Pose, Vector};

/// Computes the signed gap of two polyhedra and the unit normal from the first to the second, in
/// world coordinates.
pub fn gap(a: &Polyhedron, pose_a: &Pose<3>, b: &Polyhedron, pose_b: &Pose<3>) -> (f64, Vector<3>) {
    let (gap, normal) = gap_in_frame(a, b, &Relative::of(pose_a, pose_b));
    (gap, pose_a.vector(&normal))
}

/// Like `gap`, in the first body's frame.
pub(super) fn gap_in_frame(
    a: &Polyhedron,
    b: &Polyhedron,
    relative: &Relative<3>,
) -> (f64, Vector<3>) {
    let origin = a.points()[0];
    let points_a: Vec<Vector<3>> = a.points().iter().map(|p| p - origin).collect();
    let points_b: Vec<Vector<3>> = b
        .points()
        .iter()
        .map(|p| relative.seen_from(&origin, p))
        .collect();
    let normals_a: Vec<Vector<3>> = a.planes().iter().map(|plane| plane.normal).collect();

    let normals_b: Vec<Vector<3>> = b
        .planes()
        .iter()
        .map(|plane| relative.vector(&plane.normal))
        .collect();
    let (edges_a, edges_b) = (edges(a, &points_a), edges(b, &points_b));
    let crossed = edges_a
        .iter()
        .flat_map(|(_, e)| edges_b.iter().map(|(_, f)| e.cross(f)));
    let crossed = crossed
        .filter(|n| n.amax() > 0.0)
        .map(|n| (n / n.amax()).normalize());

    let candidates = normals_a
        .iter()
        .copied()
        .chain(normals_b.iter().map(|n| -n))
        .chain(crossed.flat_map(|n| [n, -n]));
    let room = widest_room(&points_a, &points_b, candidates);

    if room.0 <= 0.0 {
        return room;
    }

    let mut ways = edge_ways(&edges_a, &edges_b);
    ways.extend(facet_ways(a, &points_a, &normals_a, &points_b));
    ways.extend(facet_ways(b, &points_b, &normals_b, &points_a).map(|way| -way));
    let shortest = ways
        .into_iter()
        .min_by(|u, v| u.norm_squared().total_cmp(&v.norm_squared()));
    let shortest = shortest.unwrap_or(room.1 * room.0);
    let distance = shortest.norm();

    let normal = if distance > 0.0 {
        shortest / distance
    } else {
        room.1
    };

    (distance, normal)
}

/// Returns the largest separation s(n) over the given normals.
pub(super) fn widest_room<const D: usize>(
    a: &[Vector<D>],
    b: &[Vector<D>],
    normals: impl Iterator<Item = Vector<D>>,
) -> (f64, Vector<D>) {
    let mut widest = (f64::NEG_INFINITY, Vector::zeros());
    for normal in normals {
        let top = a
            .iter()
            .map(|p| normal.dot(p))
            .fold(f64::NEG_INFINITY, f64::max);
        let bottom = b
            .iter()
            .map(|p| normal.dot(p))
            .fold(f64::INFINITY, f64::min);

        if bottom - top > widest.0 {
            widest = (bottom - top, normal);
        }
    }

    widest
}

/// Start and direction of each edge.
fn edges(body: &Polyhedron, points: &[Vector<3>]) -> Vec<(Vector<3>, Vector<3>)> {
    let halves = (0..body.half_edges().len() as u32)
        .map(|h| body.ends(h))
        .filter(|[from, to]| from < to);
    halves
        .map(|[from, to]| {
            (
                points[from as usize],
                points[to as usize] - points[from as usize],
            )
        })
        .collect()
}

fn edge_ways(a: &[(Vector<3>, Vector<3>)], b: &[(Vector<3>, Vector<3>)]) -> Vec<Vector<3>> {
    let pairs = a
        .iter()
        .flat_map(|edge_a| b.iter().map(move |edge_b| (edge_a, edge_b)));
    pairs
        .map(|((p, e), (q, f))| segment_segment(e, &(q - p), f).2)
        .collect()
}

/// Vectors from each facet to each vertex of the other body that lies above or below the facet's
/// interior.
fn facet_ways<'a>(
    body: &'a Polyhedron,
    points: &'a [Vector<3>],
    normals: &'a [Vector<3>],
    others: &'a [Vector<3>],
) -> impl Iterator<Item = Vector<3>> + 'a {
    (0..normals.len()).flat_map(move |face| {
        let normal = normals[face];
        let corners: Vec<Vector<3>> = body
            .face_corners(face)
            .map(|i| points[i as usize])
            .collect();
        let stands_over = move |other: &&Vector<3>| {
            (0..corners.len()).all(|k| {
                let edge = corners[(k + 1) % corners.len()] - corners[k];
                normal.cross(&edge).dot(&(**other - corners[k])) >= 0.0
            })
        };
        let corner = points[body.face_corners(face).next().expect("a facet has corners") as usize];
        others
            .iter()
            .filter(stands_over)
            .map(move |other| normal * normal.dot(&(other - corner)))
    })
}
