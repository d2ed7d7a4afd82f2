//! The weld tolerance that closes a surface.

use super::{WELD_TOLERANCE, open_edges, weld_within};
use crate::space::{Aabb, Point};

/// Largest tolerance considered, relative to the size: beyond this, a weld would change the shape.
const LARGEST: f64 = 1e-3;

/// Returns the smallest tolerance at which welding closes all open edges: zero (merging equal
/// points) or a power of ten. `None` if no edge is open, or if that would take more than a
/// thousandth of the size. Every node must exist.
pub fn closing_weld(points: &[Point<3>], triangles: &[[u32; 3]]) -> Option<f64> {
    let open = open_edges(points.len(), triangles);
    if open.is_empty() {
        return None;
    }

    let mut nodes = open.as_flattened().to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    let ends: Vec<Point<3>> = nodes.iter().map(|&n| points[n as usize]).collect();
    let place = |node: u32| nodes.partition_point(|&n| n < node);
    let open: Vec<[usize; 2]> = open.iter().map(|edge| edge.map(place)).collect();

    let size =
        Aabb::of(triangles.as_flattened().iter().map(|&n| points[n as usize])).longest_edge();
    tolerances(size).find(|&tolerance| {
        let (_, number) = weld_within(&ends, tolerance);
        are_paired(
            open.iter()
                .map(|edge| edge.map(|end| number[end]))
                .collect(),
        )
    })
}

/// Zero, then the powers of ten from the finest sensible one.
fn tolerances(size: f64) -> impl Iterator<Item = f64> {
    let least = (size * WELD_TOLERANCE).log10().ceil().clamp(-300.0, 300.0) as i32;
    let powers = (least..).map(|exponent| 10f64.powi(exponent));
    let powers = powers.take_while(move |&tolerance| tolerance <= LARGEST * size);
    [0.0].into_iter().chain(powers)
}

/// Returns whether each directed edge has an opposite one; edges of zero length are ignored.
fn are_paired(mut edges: Vec<[u32; 2]>) -> bool {
    edges.retain(|[a, b]| a != b);
    edges.sort_unstable_by_key(|&[a, b]| (a.min(b), a.max(b)));
    let mut groups = edges.chunk_by(|[a, b], [c, d]| (a.min(b), a.max(b)) == (c.min(d), c.max(d)));
    groups.all(|group| 2 * group.iter().filter(|[a, b]| a < b).count() == group.len())
}

#[cfg(test)]
mod tests;
