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
mod tests {
    use super::*;

    #[test]
    fn the_weld_that_closes_a_tetrahedron_is_found() {
        let corners = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 4], [2, 0, 4]];
        let closing = |off: f64| {
            let mut points = corners.map(Point::from).to_vec();
            points.push(Point::from([off, 0.0, 1.0]));
            closing_weld(&points, &faces)
        };
        assert_eq!(closing(0.0), Some(0.0));
        assert_eq!(closing(1e-17), Some(1e-12));
        assert_eq!(closing(3e-6), Some(1e-5));
        assert_eq!(closing(0.1), None);

        let points = corners.map(Point::from);
        assert_eq!(
            closing_weld(&points, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]),
            None
        );

        assert_eq!(closing_weld(&points, &[[0, 2, 1], [0, 1, 3]]), None);
    }
}
