//! Point in polyhedron by labelled cells: the result of exact ray crossing at a fraction of its
//! cost.
//!
//! The potential of a closed surface is piecewise constant [Muth2006, eq. (7)], so a cell of space
//! that contains no surface needs one label, and a point in it one look-up. A cell that contains
//! surface keeps a reference point of known label. A point of the cell has the same label exactly
//! if the segment between them crosses the surface an even number of times. Cells are convex, so
//! only the cell's own triangles can be crossed. These are few, because cells are nested where
//! triangles are small. [`cone`] tests four triangles at a time and is certain of nearly all; exact
//! predicates decide the others, including every point on the surface.
//!
//! Set-up: each triangle is listed in the outermost cells that it meets. A vertical line through
//! the reference points of each column of cells gives their labels, by exact signs. Cells with too
//! many triangles are split, and nested cells are labelled using the triangles of the cell that
//! contains them. The structure depends only on the surface, and is built in parallel over columns.
//!
//! The rule is parity, as in ray crossing: for nested or overlapping shells a point is inside if it
//! is in an odd number of them.
//!
//! Cost: O(triangles) to set up, O(1) per point for an evenly meshed surface, O(log of the ratio of
//! sizes) otherwise. Cells cannot separate a fan of needles; budgets for the lists limit its
//! memory, and its cells cost O(needles).
//!
//! Measured on one shared core, in ns per point: a grid of 80³ over a sphere of 131,072 triangles
//! 6, over a foam of 494,000 15; points within three edge lengths of these surfaces 45 to 65 in
//! spatial order, 130 to 190 in random order. Set-up takes 0.03 s and 0.13 s, most of it for the
//! lists and the cones; 120 bytes per triangle. The loop over the cones takes some 30 vector
//! instructions for four triangles, so memory latency dominates: most of the time of points in
//! random order is the first load of a leaf and of its cones. Smaller leaves therefore gain
//! nothing; larger ones cost grids more than they save in set-up.

mod batch;
mod build;
mod cone;
mod frame;
mod grid;
mod groups;
mod leaf;
mod lists;
mod node;
mod overlap;
#[cfg(test)]
mod tests;
mod upright;

pub use grid::PointGrid;

use super::Position;
use crate::shape::Surface;
use crate::space::Point;
use cone::position_of;
use frame::Frame;
use groups::Groups;
use leaf::Leaf;
use node::{Kind, Node, number_in_block};
use std::sync::Arc;
use upright::by_all_faces;

/// Options of [`LabelledCells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellsOptions {
    /// Target number of triangles per area of a cell's face, for triangles of uniform area; a cell
    /// with surface in it then lists about 1.4 times as many. Fewer take more memory and set-up
    /// time; more make points near the surface slower.
    pub triangles_per_cell: usize,
}

impl Default for CellsOptions {
    fn default() -> Self {
        Self {
            triangles_per_cell: 10,
        }
    }
}

/// Sizes of the parts of [`LabelledCells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CellCounts {
    /// Outermost cells.
    pub outermost: usize,
    /// Cells nested in others, including those that are divided further.
    pub nested: usize,
    /// Innermost cells that contain surface.
    pub leaves: usize,
    /// Groups of up to four triangles in the leaves' lists.
    pub groups: usize,
}

/// A closed surface prepared for locating many points.
///
/// ```
/// use impinge::inside::{LabelledCells, CellsOptions, Position};
/// use impinge::shape::{Feature, Surface};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = Surface::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let cells = LabelledCells::new(tetrahedron, CellsOptions::default());
/// assert_eq!(cells.position(&[0.2, 0.2, 0.2].into()), Position::Inside);
/// assert_eq!(cells.position(&[0.2, 0.2, -0.2].into()), Position::Outside);
/// assert_eq!(cells.position(&[0.0, 0.0, 0.5].into()), Position::On(Feature::Edge([0, 3])));
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug)]
pub struct LabelledCells {
    surface: Arc<Surface>,
    frame: Frame,
    /// The outermost cells.
    nodes: Vec<Node>,
    /// Blocks of nested cells.
    children: Vec<Node>,
    leaves: Vec<Leaf>,
    groups: Vec<Groups>,
}

impl LabelledCells {
    /// Prepares a surface.
    pub fn new(surface: impl Into<Arc<Surface>>, options: CellsOptions) -> Self {
        let surface = surface.into();
        let frame = Frame::of(&surface, options.triangles_per_cell.max(1) as f64);
        let parts = build::parts(&surface, &frame, &options);
        let (nodes, children, leaves, groups) = Default::default();
        let mut cells = Self {
            surface,
            frame,
            nodes,
            children,
            leaves,
            groups,
        };
        cells.nodes.reserve_exact(cells.frame.len());
        cells
            .children
            .reserve_exact(parts.iter().map(|part| part.children.len()).sum());
        cells
            .leaves
            .reserve_exact(parts.iter().map(|part| part.leaves.len()).sum());

        for (number, part) in parts.into_iter().enumerate() {
            let before = (cells.leaves.len(), cells.children.len());
            cells
                .nodes
                .extend(part.nodes.iter().map(|node| node.moved(before.0, before.1)));
            cells.children.extend(
                part.children
                    .iter()
                    .map(|node| node.moved(before.0, before.1)),
            );
            cells
                .leaves
                .extend(part.leaves.iter().map(|leaf| leaf.in_part(number)));

            cells.groups.push(part.groups);
        }

        cells
    }

    /// Returns the prepared surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Returns the exact position of a point. A point with a NaN coordinate is outside.
    pub fn position(&self, point: &Point<3>) -> Position {
        let node = self.find(point);
        match node.label() {
            Some(inside) => position_of(inside),
            None => self.position_in(node, point),
        }
    }

    /// Returns the innermost cell that contains the point.
    #[inline]
    fn find(&self, point: &Point<3>) -> Node {
        let place = self.frame.in_cells(point);
        if !(0..3).all(|axis| self.frame.reaches(axis, place[axis])) {
            return Node::OUTSIDE;
        }
        let cell = place.map(Frame::cell);
        self.descend(self.nodes[self.frame.number(cell)], place)
    }

    /// Returns the innermost of the cells nested in a node, at a position in units of outermost
    /// cells.
    #[inline]
    fn descend(&self, mut node: Node, mut place: [f64; 3]) -> Node {
        while let Kind::Block { shift, first } = node.kind() {
            let side = f64::from(1u32 << shift);
            // Exact: removes the integer part and scales by a power of two.
            place = place.map(|x| (x - f64::from(x as i32)) * side);
            node = self.children[first + number_in_block(shift, place.map(Frame::cell))];
        }
        node
    }

    /// Returns the position of a point in an innermost cell without a label of its own.
    fn position_in(&self, node: Node, point: &Point<3>) -> Position {
        match node.kind() {
            Kind::Leaf(leaf) => self.leaves[leaf as usize]
                .view(&self.groups)
                .position(&self.surface, point),
            Kind::Empty(inside) => position_of(inside),
            _ => by_all_faces(&self.surface, point),
        }
    }

    /// Returns the sizes of the parts of the structure.
    pub fn counts(&self) -> CellCounts {
        CellCounts {
            outermost: self.nodes.len(),
            nested: self.children.len(),
            leaves: self.leaves.len(),
            groups: self.groups.iter().map(|groups| groups.cones.len()).sum(),
        }
    }

    /// Returns the memory of the prepared structure in bytes, excluding the surface.
    pub fn memory(&self) -> usize {
        let nodes = (self.nodes.capacity() + self.children.capacity()) * size_of::<Node>();
        let leaves = self.leaves.capacity() * size_of::<Leaf>();
        nodes + leaves + self.groups.iter().map(Groups::memory).sum::<usize>()
    }

    /// Checks the consistency of the structure; tests only a sample of the leaves.
    ///
    /// # Panics
    /// Panics if labels of outermost cells that share a wall differ, or if the label of a leaf's
    /// reference point disagrees with a test against all triangles.
    pub fn assert_valid(&self) {
        let depth = self.frame.count[2];
        assert_eq!(
            self.nodes.len(),
            self.frame.len(),
            "one node per outermost cell"
        );

        for (number, pair) in self.nodes.windows(2).enumerate() {
            if let ([Some(below), Some(above)], true) =
                ([pair[0].label(), pair[1].label()], (number + 1) % depth > 0)
            {
                assert_eq!(
                    below,
                    above,
                    "cells {number} and {} share a wall",
                    number + 1
                );
            }
        }

        for leaf in self.leaves.iter().step_by(self.leaves.len() / 16 + 1) {
            let eye = leaf.view(&self.groups).eye;
            let label = by_all_faces(&self.surface, &eye.point);
            assert_eq!(
                label,
                position_of(eye.inside),
                "the reference point {:?}",
                eye.point
            );
        }
    }
}
