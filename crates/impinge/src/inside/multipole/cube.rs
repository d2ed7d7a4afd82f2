//! The cube that the trees of panels and of evaluation points divide, and its grid.

use crate::space::{Aabb, Point, Vector};

/// Number of levels that a 64-bit Morton key can distinguish.
pub(super) const MOST_LEVELS: usize = 20;

/// Boxes are enlarged by this, far more than rounding, so that it leaves no corner out.
pub(super) const ENLARGED: f64 = 1.0 + 1e-9;

/// The cube that both trees divide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cube {
    /// Its lower corner.
    pub(super) corner: Point<3>,
    pub(super) edge: f64,
}

impl Cube {
    pub(super) fn around(bounds: &Aabb<3>) -> Self {
        let edge = bounds.longest_edge() * ENLARGED;
        Self {
            corner: bounds.centre() - Vector::repeat(0.5 * edge),
            edge,
        }
    }

    /// Returns the edge length of the boxes of a level.
    pub(super) fn edge_at(&self, level: usize) -> f64 {
        self.edge * 0.5f64.powi(level as i32)
    }

    /// Returns the centre of a box.
    pub(super) fn centre(&self, level: usize, at: [u32; 3]) -> Point<3> {
        let edge = self.edge_at(level);
        self.corner + Vector::from(at.map(|k| (f64::from(k) + 0.5) * edge))
    }

    /// Returns the position on the grid of the finest level.
    pub(super) fn place(&self, point: &Point<3>) -> [u32; 3] {
        let most = (1u32 << MOST_LEVELS) - 1;
        let scale = f64::from(1u32 << MOST_LEVELS) / self.edge;
        // The conversion maps negative numbers and NaN to zero.
        std::array::from_fn(|k| (((point[k] - self.corner[k]) * scale) as u32).min(most))
    }
}
