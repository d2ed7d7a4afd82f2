//! Start vertices for hill climbing to a support point: a table over the directions.
//!
//! The directions are the cells of grids on the six sides of a cube, about one cell for three
//! vertices, each with the vertex furthest along its centre. From there the result is a ring or two
//! away; the climb from a fixed vertex would have to go around half the body: √n rings.

use super::Polyhedron;
use crate::space::Vector;

/// Number of vertices per cell on one side of the cube.
const VERTICES_PER_CELL: f64 = 16.0;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Starts {
    /// Number of cells along an edge of the cube.
    cells: usize,
    vertices: Vec<u32>,
}

impl Starts {
    pub(super) fn of(body: &Polyhedron) -> Self {
        let cells = (body.vertex_count() as f64 / VERTICES_PER_CELL)
            .sqrt()
            .ceil() as usize;
        let middle = |k: usize| (2 * k + 1) as f64 / cells as f64 - 1.0;
        let mut vertices = Vec::with_capacity(6 * cells * cells);
        let mut last = 0;

        for side in 0..6 {
            for cell in 0..cells * cells {
                let (axis, sign) = (side / 2, [1.0, -1.0][side % 2]);
                let mut direction = Vector::<3>::zeros();
                direction[axis] = sign;
                direction[(axis + 1) % 3] = middle(cell / cells);
                direction[(axis + 2) % 3] = middle(cell % cells);
                last = body.support(&direction, last);
                vertices.push(last);
            }
        }

        Self { cells, vertices }
    }

    /// The start for a direction; any vertex if it is zero.
    #[inline]
    pub(super) fn towards(&self, direction: &Vector<3>) -> u32 {
        let axis = direction.iamax();
        let side = 2 * axis + usize::from(direction[axis] < 0.0);

        // NaN becomes zero in the conversion.
        let largest = direction[axis].abs();
        let along = |k: usize| {
            let part = (direction[(axis + k) % 3] / largest + 1.0) * (0.5 * self.cells as f64);
            (part as usize).min(self.cells - 1)
        };

        self.vertices[(side * self.cells + along(1)) * self.cells + along(2)]
    }
}
