//! A validated mesh of finite elements (3D solid elements, or 2D planar ones) and its boundary.
//!
//! Elements of any order are supported: tetrahedra, hexahedra, wedges and pyramids in 3D, triangles
//! and quadrilaterals in 2D. Sides that belong to only one element form the boundary, as faces of
//! the element's own order. Two elements are neighbours if the corners of their sides coincide, so
//! an element with curved sides may have a straight neighbour. Linear in the number of elements.

use super::check;
use super::faces::{is_degenerate, points_of};
use super::layout::{MOST_SIDES, Turn, layout};
use super::sides::{Matching, match_sides, run_opposite, side_key};
use super::{
    ElementKind, FaceKind, Faces, Item, MOST_FACE_NODES, Mesh, NO_NEIGHBOUR, PerNode, Problem,
    ProblemKind,
};
use crate::parallel::prelude::*;
use crate::space::Point;

/// Elements of dimension `D` in `D`-dimensional space.
///
/// All points are finite. Each element refers to existing nodes, none twice, and is not inverted at
/// any corner. No side belongs to more than two elements, and two elements that share one lie on
/// opposite sides of it.
///
/// The test at the corners is exact for elements of order 1. Except for linear triangles and
/// tetrahedra it is necessary but not sufficient: an element may still be inverted somewhere in its
/// interior.
#[derive(Clone, Debug)]
pub struct Cells<const D: usize> {
    points: Vec<Point<D>>,
    kinds: Vec<ElementKind>,
    starts: Vec<u32>,
    nodes: Vec<u32>,
    /// Side `MOST_SIDES` · cell + k lies across this one.
    mates: Vec<u32>,
    turned_wedges: usize,
}

/// The boundary of [`Cells`]: faces oriented counter-clockwise seen from outside (lines with the
/// body on the left), by ascending cell and side.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Boundary<const D: usize> {
    /// The faces, over all points of the cells, so that the points can be moved together.
    pub faces: Faces<D>,
    /// The cell of each face.
    pub cells: Vec<u32>,
    /// The side of its cell that each face is, in the order of [`ElementKind::faces`].
    pub sides: Vec<u8>,
}

impl<const D: usize> Cells<D> {
    /// Creates the cells from the elements of dimension `D` of a mesh, in its order; other elements
    /// are ignored. The error names the first offending item and their number.
    ///
    /// Wedges are accepted in both node orders found in files, and stored in that of Gmsh: if the
    /// mirror image of a wedge is valid, its two triangles are swapped. [`Cells::turned_wedges`]
    /// returns the number of swapped wedges.
    ///
    /// ```
    /// use impinge::{shape::{Cells, ElementKind, FaceKind, Mesh}, space::Point};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [1., 1., 1.], [0., 1., 1.]];
    /// let mut mesh = Mesh { points: corners.map(Point::from).to_vec(), blocks: vec![] };
    /// mesh.push(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]);
    /// let boundary = Cells::<3>::from_mesh(&mesh)?.boundary();
    /// assert_eq!((boundary.faces.len(), boundary.faces.kind(0)), (6, FaceKind::Quad4));
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, Problem> {
        let (cells, problems) = Self::examine(mesh)?;
        problems.first().map_or(Ok(cells), |problem| Err(*problem))
    }

    /// Builds the elements, valid or not, with one entry for each kind of problem. Problems that
    /// prevent further checks, such as nodes that do not exist, are returned as the error.
    pub(crate) fn examine(mesh: &Mesh) -> Result<(Self, Vec<Problem>), Problem> {
        let mut cells = Self::gather(mesh)?;
        cells.check_nodes()?;
        let mut problems = cells.wrong_turns();
        let matching = match_sides(
            cells.points.len(),
            MOST_SIDES * cells.len(),
            cells.side_keys(),
        );
        problems.extend(cells.wrong_meetings(&matching));
        cells.mates = matching.mates;
        let flat = cells
            .boundary_sides()
            .filter(|&(cell, side)| cells.is_flat(cell, side));

        problems.extend(Problem::of(
            ProblemKind::ZeroArea,
            flat.map(|(cell, side)| Item::Side { cell, side }),
        ));
        Ok((cells, problems))
    }

    fn gather(mesh: &Mesh) -> Result<Self, Problem> {
        let blocks = || {
            mesh.blocks
                .iter()
                .filter(|block| block.kind.dimension() == D && !block.is_empty())
        };
        let node_count: usize = blocks().map(|block| block.nodes.len()).sum();
        let cell_count: usize = blocks().map(|block| block.len()).sum();

        if blocks().any(|block| block.nodes.len() % block.kind.node_count() != 0) {
            return Err(Problem::whole(ProblemKind::WrongCount));
        }

        if cell_count == 0 {
            return Err(Problem::whole(ProblemKind::Empty));
        }

        if [node_count, MOST_SIDES * cell_count, mesh.points.len()]
            .iter()
            .any(|&n| n >= u32::MAX as usize)
        {
            return Err(Problem::whole(ProblemKind::TooMany));
        }
        let kinds = || blocks().flat_map(|block| std::iter::repeat_n(block.kind, block.len()));
        let mut starts = vec![0];
        starts.extend(kinds().scan(0, |end, kind| {
            *end += kind.node_count() as u32;
            Some(*end)
        }));

        Ok(Self {
            points: points_of(mesh)?,
            kinds: kinds().collect(),
            starts,
            nodes: blocks()
                .flat_map(|block| block.nodes.iter().copied())
                .collect(),
            mates: Vec::new(),
            turned_wedges: 0,
        })
    }

    fn check_nodes(&self) -> Result<(), Problem> {
        let count = self.points.len();
        check::none(self.those(ProblemKind::IndexOutOfRange, |i| {
            self.nodes(i).iter().any(|&n| n as usize >= count)
        }))?;
        check::none(self.those(ProblemKind::RepeatedNode, |i| check::repeats(self.nodes(i))))
    }

    /// Cells that are flat or inverted, after swapping wedges in VTK's order.
    fn wrong_turns(&mut self) -> Vec<Problem> {
        let mut turns: Vec<Turn> = (0..self.len())
            .into_par_iter()
            .map(|cell| layout(self.kinds[cell]).turn(&self.points, self.nodes(cell)))
            .collect();

        for cell in 0..self.len() {
            if turns[cell] == Turn::Mirrored && is_wedge(self.kinds[cell]) {
                turn_wedge(
                    &mut self.nodes[self.starts[cell] as usize..self.starts[cell + 1] as usize],
                );
                self.turned_wedges += 1;
                turns[cell] = Turn::Right;
            }
        }

        let nothing = if D == 2 {
            ProblemKind::ZeroArea
        } else {
            ProblemKind::ZeroVolume
        };
        let flat = self.those(nothing, |cell| turns[cell] == Turn::Flat);
        let inverted = self.those(ProblemKind::Inverted, |cell| {
            !matches!(turns[cell], Turn::Right | Turn::Flat)
        });

        flat.into_iter().chain(inverted).collect()
    }

    /// Sides shared by more than two cells, and pairs of cells on the same side of a face.
    fn wrong_meetings(&self, matching: &Matching) -> impl Iterator<Item = Problem> {
        let item = |side: u32| Item::Side {
            cell: side as usize / MOST_SIDES,
            side: side as usize % MOST_SIDES,
        };
        let crowded = matching.crowded.iter().map(|&side| item(side));
        let same_way = (0..).zip(&matching.mates).filter(|&(side, &mate)| {
            mate != NO_NEIGHBOUR && side < mate && !self.run_opposite(side, mate)
        });

        [
            Problem::of(ProblemKind::NonManifoldFace, crowded),
            Problem::of(
                ProblemKind::InconsistentOrientation,
                same_way.map(|(side, _)| item(side)),
            ),
        ]
        .into_iter()
        .flatten()
    }

    fn those(&self, kind: ProblemKind, bad: impl Fn(usize) -> bool) -> Option<Problem> {
        Problem::of(kind, (0..self.len()).filter(|&i| bad(i)).map(Item::Cell))
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there is no cell; never true.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// All points, including those not used by any cell.
    pub fn points(&self) -> &[Point<D>] {
        &self.points
    }

    /// The kind of a cell.
    pub fn kind(&self, cell: usize) -> ElementKind {
        self.kinds[cell]
    }

    /// The nodes of a cell, in VTK's order (wedges: see [`Cells::from_mesh`]).
    pub fn nodes(&self, cell: usize) -> &[u32] {
        &self.nodes[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Number of wedges that came in VTK's order and were swapped.
    pub fn turned_wedges(&self) -> usize {
        self.turned_wedges
    }

    /// Returns the cell across a side and its matching side; `None` on the boundary and for sides
    /// that do not exist.
    pub fn neighbour(&self, cell: usize, side: usize) -> Option<(usize, usize)> {
        let exists = cell < self.len() && side < layout(self.kinds[cell]).sides.len();
        let mate = *self
            .mates
            .get(MOST_SIDES * cell + side)
            .filter(|&&mate| exists && mate != NO_NEIGHBOUR)?;
        Some((mate as usize / MOST_SIDES, mate as usize % MOST_SIDES))
    }

    /// Extracts the boundary.
    pub fn boundary(&self) -> Boundary<D> {
        let (mut kinds, mut nodes) = (Vec::new(), Vec::new());
        let (mut cells, mut sides) = (Vec::new(), Vec::new());
        for (cell, side) in self.boundary_sides() {
            let (kind, numbers) = self.side_nodes(cell, side);
            kinds.push(kind);
            nodes.extend_from_slice(&numbers[..kind.node_count()]);
            cells.push(cell as u32);
            sides.push(side as u8);
        }

        Boundary {
            faces: Faces::trusted(self.points.clone(), kinds, nodes),
            cells,
            sides,
        }
    }

    /// Panics if the structure is inconsistent.
    pub fn assert_valid(&self) {
        for cell in 0..self.len() {
            for side in 0..layout(self.kinds[cell]).sides.len() {
                let Some((other, back)) = self.neighbour(cell, side) else {
                    continue;
                };
                assert_eq!(
                    self.neighbour(other, back),
                    Some((cell, side)),
                    "neighbours are mutual"
                );
                let [a, b] =
                    [(cell, side), (other, back)].map(|(c, s)| (MOST_SIDES * c + s) as u32);

                assert!(self.run_opposite(a, b), "cell {cell}, side {side}");
            }
        }
    }

    fn boundary_sides(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len())
            .flat_map(|cell| {
                (0..layout(self.kinds[cell]).sides.len()).map(move |side| (cell, side))
            })
            .filter(|&(cell, side)| self.mates[MOST_SIDES * cell + side] == NO_NEIGHBOUR)
    }

    fn side_keys(&self) -> impl Iterator<Item = (u32, [u32; 4])> + Clone {
        (0..self.len()).flat_map(move |cell| {
            let nodes = self.nodes(cell);
            (MOST_SIDES * cell..)
                .zip(&layout(self.kinds[cell]).sides)
                .map(move |(number, side)| {
                    let mut corners = [u32::MAX; 4];
                    for (place, &node) in corners
                        .iter_mut()
                        .zip(&side.nodes[..side.kind.corner_count()])
                    {
                        *place = nodes[node as usize];
                    }
                    (number as u32, side_key(&corners))
                })
        })
    }

    /// The kind of a side and its nodes.
    fn side_nodes(&self, cell: usize, side: usize) -> (FaceKind, PerNode<u32>) {
        let (nodes, side) = (self.nodes(cell), &layout(self.kinds[cell]).sides[side]);
        let mut numbers = [0; MOST_FACE_NODES];
        for (place, &node) in numbers.iter_mut().zip(&side.nodes) {
            *place = nodes[node as usize];
        }
        (side.kind, numbers)
    }

    /// Returns whether two sides with the same corners have opposite orientations.
    fn run_opposite(&self, a: u32, b: u32) -> bool {
        let [(kind, a), (_, b)] =
            [a, b].map(|i| self.side_nodes(i as usize / MOST_SIDES, i as usize % MOST_SIDES));
        let corners = ..kind.corner_count();
        run_opposite(&a[corners], &b[corners])
    }

    fn is_flat(&self, cell: usize, side: usize) -> bool {
        let (kind, nodes) = self.side_nodes(cell, side);
        is_degenerate(&nodes.map(|node| self.points[node as usize])[..kind.node_count()])
    }
}

fn is_wedge(kind: ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Wedge6 | ElementKind::Wedge15 | ElementKind::Wedge18
    )
}

/// Swaps the triangles (0, 1, 2) and (3, 4, 5) together with the mid nodes of their sides. The
/// other mid nodes remain between the same corners.
fn turn_wedge(nodes: &mut [u32]) {
    let (bottom, top) = nodes[..6].split_at_mut(3);
    bottom.swap_with_slice(top);
    if nodes.len() > 6 {
        let (bottom, top) = nodes[6..12].split_at_mut(3);
        bottom.swap_with_slice(top);
    }
}

#[cfg(test)]
mod tests;
