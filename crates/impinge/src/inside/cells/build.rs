//! Set-up: lists of triangles, labels by columns, leaves and nested blocks, in independent parts.

use super::CellsOptions;
use super::cone::{Eye, LANES, View};
use super::frame::{Frame, Lattice};
use super::groups::Groups;
use super::leaf::Leaf;
use super::lists::{GridLists, Lists};
use super::node::{Node, number_in_block};
use super::overlap::{CellGrid, each};
use super::upright::{by_all_faces, covers, is_above};
use crate::inside::Position;
use crate::parallel::prelude::*;
use crate::shape::Surface;
use crate::space::Point;
use std::ops::Range;

/// Number of parts that the columns are divided into: enough to keep many threads busy, few enough
/// that each is worth a task.
const PARTS: usize = 256;

/// A cell with more than this multiple of the target number of triangles is split. Below 4 the
/// normal variation between cells would already trigger splitting.
const SPLIT_ABOVE: usize = 4;

/// Maximum number of entries in the lists of all cells nested in an outermost cell, per entry of
/// its own list. Triangles of uniform size need 2 to 3. A fan of needles would double its entries
/// with every level without ever being separated.
const NESTED_ENTRIES: usize = 4;

/// Number of points drawn in a cell before it is given up as full of surface.
const DRAWS: u64 = 64;

/// Distance from a reference point to any point of its cell, in cell widths: slightly more than one,
/// because rounding may put points beyond the walls.
const EYE_REACH: f64 = 1.001;

/// A share of the outermost columns, with indices local to the part.
#[derive(Default)]
pub(super) struct Part {
    /// The outermost cells.
    pub(super) nodes: Vec<Node>,
    /// Nested cells.
    pub(super) children: Vec<Node>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) groups: Groups,
}

/// Builds all parts, in the order of their columns.
pub(super) fn parts(surface: &Surface, frame: &Frame, options: &CellsOptions) -> Vec<Part> {
    let lattice = Lattice::of(frame);
    let lists = GridLists::of(surface, frame, &lattice);
    let columns = frame.columns();
    let per_part = columns.div_ceil(PARTS);
    let ranges: Vec<Range<usize>> = (0..columns)
        .step_by(per_part)
        .map(|first| first..columns.min(first + per_part))
        .collect();
    let wanted = options.triangles_per_cell.max(1);

    let build = |range: Range<usize>| {
        let part = Part::default();
        Builder {
            surface,
            frame,
            lattice: &lattice,
            lists: &lists,
            wanted,
            part,
        }
        .build(range)
    };

    ranges.into_par_iter().map(build).collect()
}

/// A cell, in units of outermost cells.
#[derive(Clone, Copy)]
struct Cell {
    low: [f64; 3],
    width: f64,
}

struct Builder<'a> {
    surface: &'a Surface,
    frame: &'a Frame,
    lattice: &'a Lattice,
    lists: &'a GridLists,
    wanted: usize,
    part: Part,
}

impl Builder<'_> {
    fn build(mut self, columns: Range<usize>) -> Part {
        self.reserve(columns.clone());
        let mut inside = Vec::new();
        for column in columns {
            let place = [column / self.frame.count[1], column % self.frame.count[1]];
            self.label_column(column, place, &mut inside);
            for k in 0..self.frame.count[2] {
                let node = self.outermost([place[0], place[1], k], inside[k]);
                self.part.nodes.push(node);
            }
        }

        self.part
    }

    /// Reserves the capacity that the part needs if no cell is split.
    fn reserve(&mut self, columns: Range<usize>) {
        let depth = self.frame.count[2];
        self.part.nodes.reserve_exact(columns.len() * depth);
        let lengths = (columns.start * depth..columns.end * depth)
            .map(|cell| self.lists.cells.get(cell).len());
        let (leaves, groups) = lengths
            .filter(|&length| length > 0)
            .fold((0, 0), |(leaves, groups), length| {
                (leaves + 1, groups + length.div_ceil(LANES))
            });
        self.part.leaves.reserve_exact(leaves);
        self.part.groups.cones.reserve_exact(groups);

        self.part.groups.triangles.reserve_exact(groups);
    }

    /// Computes whether each reference point of a column is inside. All triangles crossed by the
    /// vertical line through these points are known; a point is inside if an odd number of them
    /// lies below it.
    fn label_column(&self, column: usize, [i, j]: [usize; 2], inside: &mut Vec<bool>) {
        let heights = self.lattice.axis(2);
        inside.clear();
        inside.resize(heights.len(), false);
        let line = Point::from([self.lattice.axis(0)[i], self.lattice.axis(1)[j]]);

        for &triangle in self.lists.columns.get(column) {
            let corners = self.surface.corners(triangle as usize);
            let sign = covers(&corners, &line);
            let above =
                |k: usize| is_above(&corners, sign, &Point::from([line.x, line.y, heights[k]]));
            let mut k = self.layer_crossed(&corners, &line);

            while k < heights.len() && !above(k) {
                k += 1;
            }

            while k > 0 && above(k - 1) {
                k -= 1;
            }

            if k < heights.len() {
                inside[k] ^= true;
            }
        }

        for k in 1..inside.len() {
            inside[k] ^= inside[k - 1];
        }
    }

    /// Estimates the layer in which a vertical line crosses a triangle.
    fn layer_crossed(&self, [a, b, c]: &[Point<3>; 3], line: &Point<2>) -> usize {
        let normal = (b - a).cross(&(c - a));
        let across = line - a.xy();
        let height = a.z - (normal.x * across.x + normal.y * across.y) / normal.z;
        // The cast maps NaN to zero.
        (self.frame.coordinate(2, height) as usize).min(self.frame.count[2] - 1)
    }

    /// Builds an outermost cell, whose reference point has the given label unless it lies on the
    /// surface.
    fn outermost(&mut self, place: [usize; 3], inside: bool) -> Node {
        let lists = self.lists;
        let triangles = lists.cells.get(self.frame.number(place));
        if triangles.is_empty() {
            return Node::empty(inside);
        }

        let cell = Cell {
            low: place.map(|i| i as f64),
            width: 1.0,
        };
        let eye = self.eye(&cell, self.lattice.point(place), inside);
        let budget = NESTED_ENTRIES * triangles.len();

        self.cell(&cell, triangles, &eye, budget)
            .or_else(|| {
                let label = |point: &Point<3>| by_all_faces(self.surface, point);
                let eye = self.draw_eye(&cell, label)?;
                self.cell(&cell, triangles, &eye, budget)
            })
            .unwrap_or(Node::UNLABELLED)
    }

    /// Builds a cell that contains surface; `None` if the reference point lies on it.
    fn cell(&mut self, cell: &Cell, triangles: &[u32], eye: &Eye, budget: usize) -> Option<Node> {
        let shift = self.shift(triangles.len(), cell.width);
        match self.split(cell, triangles, shift, budget) {
            Some((grid, lists)) => self.block(&grid, &lists, triangles, shift, eye, budget),
            None => self.leaf(triangles, eye),
        }
    }

    fn leaf(&mut self, triangles: &[u32], eye: &Eye) -> Option<Node> {
        let part = &mut self.part;
        let first = part.groups.cones.len();
        if !part.groups.append(eye, self.surface, triangles) {
            return None;
        }

        part.leaves
            .push(Leaf::new(eye, first, part.groups.cones.len() - first));
        Some(Node::leaf(part.leaves.len() - 1))
    }

    /// Returns the base-2 logarithm of the number of nested cells along an axis; zero for none. The
    /// number of a surface's triangles in a cell is proportional to the square of its width.
    fn shift(&self, triangles: usize, width: f64) -> u32 {
        if triangles <= SPLIT_ABOVE * self.wanted {
            return 0;
        }

        let side = (triangles as f64 / self.wanted as f64).sqrt();
        let mut shift = if side < 3.0 {
            1
        } else if side < 6.0 {
            2
        } else {
            3
        };

        while shift > 0 && width / f64::from(1 << shift) < self.frame.finest {
            shift -= 1;
        }

        shift
    }

    /// Returns the lists of the nested cells, or `None` if the cell is not to be split or they
    /// would exceed the budget.
    fn split(
        &self,
        cell: &Cell,
        triangles: &[u32],
        shift: u32,
        budget: usize,
    ) -> Option<(CellGrid, Lists)> {
        if shift == 0 {
            return None;
        }

        let side = 1usize << shift;
        let width = cell.width / side as f64;
        let grid = CellGrid {
            low: cell.low,
            width,
            count: [side; 3],
            slack: self.frame.slack,
        };
        let mut pairs = Vec::with_capacity(2 * triangles.len());

        for &triangle in triangles {
            let corners = self.surface.corners(triangle as usize);
            let corners = each(|k| self.frame.in_cells(&corners[k]));
            grid.for_each(&corners, |place| {
                pairs.push((number_in_block(shift, place) as u32, triangle))
            });
            if pairs.len() > budget {
                return None;
            }
        }

        Some((grid, Lists::of(side * side * side, &[pairs])))
    }

    /// Builds nested cells, which are labelled using the triangles of the cell that contains them.
    /// `None` if the reference point lies on one of these triangles.
    fn block(
        &mut self,
        grid: &CellGrid,
        lists: &Lists,
        triangles: &[u32],
        shift: u32,
        eye: &Eye,
        budget: usize,
    ) -> Option<Node> {
        let mut groups = Groups::default();
        if !groups.append(eye, self.surface, triangles) {
            return None;
        }

        let view = View {
            eye: *eye,
            cones: &groups.cones,
            triangles: &groups.triangles,
        };
        let first = self.part.children.len();
        let side = 1usize << shift;
        self.part
            .children
            .resize(first + side * side * side, Node::UNLABELLED);

        for child in 0..side * side * side {
            let place = [
                child >> (2 * shift),
                child >> shift & (side - 1),
                child & (side - 1),
            ];
            let cell = Cell {
                low: grid.corner(place),
                width: grid.width,
            };
            let share =
                (budget as f64 * lists.get(child).len() as f64 / lists.len() as f64) as usize;
            let known = self.label_beside(first, place, shift);
            let node = self.child(&cell, lists.get(child), &view, known, share);

            self.part.children[first + child] = node;
        }

        Some(Node::block(shift, first))
    }

    /// Returns the label of an empty adjacent cell that comes before this one in its block.
    fn label_beside(&self, first: usize, place: [usize; 3], shift: u32) -> Option<bool> {
        (0..3).filter(|&axis| place[axis] > 0).find_map(|axis| {
            let mut beside = place;
            beside[axis] -= 1;
            self.part.children[first + number_in_block(shift, beside)].label()
        })
    }

    fn child(
        &mut self,
        cell: &Cell,
        triangles: &[u32],
        view: &View,
        known: Option<bool>,
        budget: usize,
    ) -> Node {
        if let (true, Some(inside)) = (triangles.is_empty(), known) {
            return Node::empty(inside);
        }

        let Some(eye) = self.draw_eye(cell, |point| view.position(self.surface, point)) else {
            return Node::UNLABELLED;
        };

        if triangles.is_empty() {
            return Node::empty(eye.inside);
        }

        self.cell(cell, triangles, &eye, budget)
            .unwrap_or(Node::UNLABELLED)
    }

    /// Draws a reference point in the cell, off the surface, labelled by `position`.
    fn draw_eye(&self, cell: &Cell, position: impl Fn(&Point<3>) -> Position) -> Option<Eye> {
        (0..DRAWS)
            .map(|attempt| self.frame.draw(cell.low, cell.width, attempt))
            .find_map(|point| {
                let inside = match position(&point) {
                    Position::Inside => true,
                    Position::Outside => false,
                    Position::On(_) => return None,
                };
                Some(self.eye(cell, point, inside))
            })
    }

    fn eye(&self, cell: &Cell, point: Point<3>, inside: bool) -> Eye {
        Eye {
            point,
            inverse: 1.0 / (EYE_REACH * cell.width * self.frame.width),
            inside,
        }
    }
}
