//! How far a solid's surface is from itself, so that self-contact is not searched where it cannot be.
//!
//! A search costs ten times what the elements do. Faces that share no node and are further apart than a margin do not
//! touch before two nodes have come nearer to each other by that much, so as long as nodes have travelled less than
//! half of it, seen from the solid as a whole, there is nothing to find. What is left of the margin is part of the
//! state: neighbours that fold are found by the search alone, and a resumed run must search when the first one did.

use super::ElasticSolid;
use impinge::narrow::meshes::{TriangleTree, self_near_faces};
use impinge::shape::{Problem, Solid};
use impinge::space::Point;

/// The margin as a share of the smallest height of a face: less than the distance to the faces beyond the neighbours.
const MARGIN: f64 = 0.25;

#[derive(Clone, Debug)]
pub(super) struct Clearance {
    surface: TriangleTree,
    margin: f64,
    /// What nodes have not yet used up of the margin; 0 where a search is due.
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

    /// Looks at the surface as it is now.
    fn measure(&mut self, points: &[Point<3>]) {
        self.surface.update(points);
        let mut near = Vec::new();
        self_near_faces(&self.surface, self.margin, &mut near);
        self.left = if near.is_empty() { self.margin } else { 0.0 };
    }
}

impl ElasticSolid {
    /// Whether self-contact must be searched after a step.
    pub(super) fn may_touch_itself(&mut self, dt: f64) -> bool {
        let mean = self.momentum() / self.mass();
        let Some(clearance) = &mut self.clearance else {
            return false;
        };
        let fastest = self
            .velocities
            .iter()
            .map(|v| (v - mean).norm_squared())
            .fold(0.0, f64::max)
            .sqrt();
        clearance.left = (clearance.left - 2.0 * fastest * dt).max(0.0);

        clearance.left == 0.0
    }

    /// To be called after a search that found nothing.
    pub(super) fn measure_clearance(&mut self) {
        if let Some(clearance) = &mut self.clearance {
            clearance.measure(&self.points);
        }
    }
}

fn smallest_height(&[a, b, c]: &[Point<3>; 3]) -> f64 {
    let longest = [b - a, c - b, a - c]
        .map(|edge| edge.norm())
        .into_iter()
        .fold(0.0, f64::max);
    (b - a).cross(&(c - a)).norm() / longest
}
