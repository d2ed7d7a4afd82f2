//! Clearance of a solid's surface from itself, to skip self-contact searches that cannot find
//! anything.
//!
//! A search costs ten times as much as the elements. Faces that share no node and are further apart
//! than a margin cannot touch before two nodes have approached by that much. While nodes have travelled
//! less than half of it, relative to the solid as a whole, no search is needed. The remaining margin is
//! part of the state: folding neighbours are found only by the search, and a resumed run must search at
//! the same steps as the original one.

use impinge::narrow::meshes::{TriangleTree, self_near_faces};
use impinge::shape::{Problem, Solid};
use impinge::space::Point;

/// The margin as a fraction of the smallest height of a face: less than the distance to the faces
/// beyond the neighbours.
const MARGIN: f64 = 0.25;

#[derive(Clone, Debug)]
pub(super) struct Clearance {
    surface: TriangleTree,
    margin: f64,
    /// Remaining margin; 0 if a search is due.
    pub(super) left: f64,
}

impl Clearance {
    pub(super) fn new(shape: &Solid) -> Result<Self, Problem> {
        let triangles = shape.boundary_triangles();
        let surface = TriangleTree::of_triangles(shape.points(), triangles)?;
        let heights = (0..triangles.len()).map(|face| smallest_height(&surface.corners(face)));
        Ok(Self {
            margin: MARGIN * heights.fold(f64::INFINITY, f64::min),
            surface,
            left: 0.0,
        })
    }

    /// Measures the clearance of the current surface.
    pub(super) fn measure(&mut self, points: &[Point<3>]) {
        self.surface.update(points);
        let mut near = Vec::new();
        self_near_faces(&self.surface, self.margin, &mut near);
        self.left = if near.is_empty() { self.margin } else { 0.0 };
    }
}

fn smallest_height(&[a, b, c]: &[Point<3>; 3]) -> f64 {
    let longest = [b - a, c - b, a - c]
        .map(|edge| edge.norm())
        .into_iter()
        .fold(0.0, f64::max);
    (b - a).cross(&(c - a)).norm() / longest
}
