//! How far apart points may be at most for a weld to close a surface.

use super::{WELD_TOLERANCE, open_edges, weld_within};
use crate::space::{Aabb, Point};

/// The largest weld that is looked at, as a share of the size: beyond, a weld would change the shape.
const LARGEST: f64 = 1e-3;

/// The least power of ten, or zero for points that are equal, such that welding points up to that far apart pairs all
/// open edges. None where no edge is open, or where only more than a thousandth of the size would do. Every node must
/// exist.
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

/// Zero, then the powers of ten from the finest sensible one on.
fn tolerances(size: f64) -> impl Iterator<Item = f64> {
    let least = (size * WELD_TOLERANCE).log10().ceil().clamp(-300.0, 300.0) as i32;
    let powers = (least..).map(|exponent| 10f64.powi(exponent));
    let powers = powers.take_while(move |&tolerance| tolerance <= LARGEST * size);
    [0.0].into_iter().chain(powers)
}

/// Whether each directed edge has one that runs back along it; edges without length do not count.
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
