//! Converts VTK cells to mesh elements.
//!
//! Composite cells are split: strips into triangles, poly-lines into lines, and polygons into
//! triangles, except triangles and convex quadrilaterals. Unsupported cell types are counted. Cell data
//! follow their elements.

use crate::budget::Budget;
use crate::surface::{DENTED, LARGE, Polygon, TOO_SHORT, polygon};
use crate::{Dataset, Field, ParseError, Values};
use impinge::shape::ElementKind;
use std::borrow::Cow;

/// VTK cell type of a triangle strip.
pub(crate) const STRIP: u8 = 6;
/// VTK cell type of a polygon.
pub(crate) const POLYGON: u8 = 7;
/// VTK cell type of a poly-vertex (list of points).
pub(crate) const POLY_VERTEX: u8 = 2;
/// VTK cell type of a poly-line.
pub(crate) const POLY_LINE: u8 = 4;

/// Node lists of cells: those of cell `i` end before `ends[i]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    pub(crate) ends: Vec<u64>,
    pub(crate) nodes: Vec<u32>,
}

impl Lists {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the nodes of cell `i`, or `None` if the ends do not ascend or exceed the nodes.
    fn get(&self, i: usize) -> Option<&[u32]> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        self.nodes
            .get(usize::try_from(start).ok()?..usize::try_from(self.ends[i]).ok()?)
    }
}

/// Converts the nodes of a cell between VTK's order and the library's, in either direction. They differ only for
/// linear wedges: the first triangle faces outward in VTK, but inward in Gmsh, Abaqus, the library and VTK's own
/// quadratic wedges.
pub(crate) fn other_order(kind: ElementKind, nodes: &[u32]) -> Cow<'_, [u32]> {
    match (kind, nodes) {
        (ElementKind::Wedge6, &[a, b, c, d, e, f]) => Cow::Owned(vec![a, c, b, d, f, e]),
        _ => Cow::Borrowed(nodes),
    }
}

/// Appends cells to a dataset one by one.
pub(crate) struct Cells<'d> {
    dataset: &'d mut Dataset,
    /// Index of the point that is node 0 of the cells, and the number of points from there on.
    first: u32,
    points: usize,
    /// The source cell of each element.
    origin: Vec<u32>,
    taken: u32,
}

impl<'d> Cells<'d> {
    /// Starts a set of cells whose node 0 is point `first` of the dataset.
    pub(crate) fn new(dataset: &'d mut Dataset, first: usize) -> Self {
        let points = dataset.mesh.points.len() - first;
        Self {
            dataset,
            first: first as u32,
            points,
            origin: Vec::new(),
            taken: 0,
        }
    }

    /// Appends all cells of a list, with VTK cell types given by `id`.
    pub(crate) fn take_all(
        &mut self,
        lists: &Lists,
        id: impl Fn(usize) -> u8,
        budget: &mut Budget,
    ) -> Result<(), ParseError> {
        for i in 0..lists.len() {
            let cell = self.taken;
            let nodes = lists.get(i).ok_or_else(|| {
                ParseError::whole(format!(
                    "the nodes of cell {cell} do not lie within the list of all nodes"
                ))
            })?;
            let blocks = self.dataset.mesh.blocks.len();
            self.take(id(i), nodes)
                .map_err(|reason| ParseError::whole(format!("cell {cell} {reason}")))?;

            // Every change of cell type costs a new block.
            budget.take(self.dataset.mesh.blocks.len() - blocks, BLOCK_COST)?;
            self.taken = cell
                .checked_add(1)
                .ok_or_else(|| ParseError::whole("more than 4 billion cells"))?;
        }
        Ok(())
    }

    fn take(&mut self, id: u8, nodes: &[u32]) -> Result<(), String> {
        if let Some(&node) = nodes.iter().find(|&&node| node as usize >= self.points) {
            return Err(format!(
                "has node {node}, but there are {} points",
                self.points
            ));
        }

        match (id, nodes) {
            (POLY_VERTEX, _) => nodes
                .iter()
                .for_each(|&a| self.push(ElementKind::Vertex, &[a])),
            (POLY_LINE, _) => nodes
                .windows(2)
                .for_each(|line| self.push(ElementKind::Line2, line)),
            (STRIP, _) => self.strip(nodes),
            (POLYGON, _) => return self.polygon(nodes),
            // Pixels and voxels number their corners row by row.
            (8, &[a, b, c, d]) => self.push(ElementKind::Quad4, &[a, b, d, c]),
            (11, &[a, b, c, d, e, f, g, h]) => {
                self.push(ElementKind::Hex8, &[a, b, d, c, e, f, h, g])
            }
            _ => return self.element(id, nodes),
        }

        Ok(())
    }

    fn element(&mut self, id: u8, nodes: &[u32]) -> Result<(), String> {
        match ElementKind::from_vtk_id(id) {
            Some(kind) if kind.node_count() == nodes.len() => {
                self.push(kind, &other_order(kind, nodes));
            }
            Some(kind) => {
                let (name, right) = (kind.name(), kind.node_count());
                return Err(format!(
                    "is a {name} with {} nodes, but it needs {right}",
                    nodes.len()
                ));
            }
            None => self.dataset.ignore(&foreign_name(id), 1),
        }
        Ok(())
    }

    /// Appends the triangles of a strip; every second one has the opposite orientation.
    fn strip(&mut self, nodes: &[u32]) {
        for (i, corner) in nodes.windows(3).enumerate() {
            let (a, b) = if i % 2 == 0 { (0, 1) } else { (1, 0) };
            self.push(ElementKind::Tri3, &[corner[a], corner[b], corner[2]]);
        }
    }

    fn polygon(&mut self, nodes: &[u32]) -> Result<(), String> {
        let points = &self.dataset.mesh.points[self.first as usize..];
        match polygon(nodes, points)? {
            Polygon::TooShort => self.dataset.ignore(TOO_SHORT, 1),
            Polygon::Quad => self.push(ElementKind::Quad4, nodes),
            Polygon::Triangles(triangles) => {
                match nodes.len() {
                    3 => {}
                    4 => self.dataset.ignore(DENTED, 1),
                    _ => self.dataset.ignore(LARGE, 1),
                }
                triangles
                    .iter()
                    .for_each(|corners| self.push(ElementKind::Tri3, corners));
            }
        }

        Ok(())
    }

    fn push(&mut self, kind: ElementKind, nodes: &[u32]) {
        self.origin.push(self.taken);
        let mut moved = [0; MOST_NODES];
        for (to, from) in moved.iter_mut().zip(nodes) {
            *to = from + self.first;
        }
        self.dataset.mesh.push(kind, &moved[..nodes.len()]);
    }

    /// Returns the source cell of each appended element, and the number of cells.
    pub(crate) fn finish(self) -> (Vec<u32>, usize) {
        (self.origin, self.taken as usize)
    }
}

/// Maximum number of nodes of an element (hex27).
const MOST_NODES: usize = 27;

/// Memory per block: its header, counted twice because the list grows, and its own small list.
pub(crate) const BLOCK_COST: usize = 96;

/// Maps a field on cells to a field on elements.
pub(crate) fn follow(
    field: Field,
    origin: &[u32],
    cells: usize,
    budget: &mut Budget,
) -> Result<Field, ParseError> {
    if origin.len() == cells
        && origin
            .iter()
            .enumerate()
            .all(|(i, &cell)| cell as usize == i)
    {
        return Ok(field);
    }
    budget.take(
        origin.len().saturating_mul(field.components),
        size_of::<f64>(),
    )?;
    let values = match field.values {
        Values::Real(values) => Values::Real(gather(&values, field.components, origin)),
        Values::Whole(values) => Values::Whole(gather(&values, field.components, origin)),
    };

    Ok(Field { values, ..field })
}

fn gather<T: Copy>(values: &[T], components: usize, origin: &[u32]) -> Vec<T> {
    let mut gathered = Vec::with_capacity(origin.len() * components);
    for &cell in origin {
        gathered.extend_from_slice(&values[cell as usize * components..][..components]);
    }
    gathered
}

fn foreign_name(id: u8) -> String {
    let name = match id {
        0 => "empty",
        15 => "pentagonal prism",
        16 => "hexagonal prism",
        30 => "quadratic-linear quadrilateral",
        31 => "quadratic-linear wedge",
        33 => "hex24",
        34 => "tri7",
        35 => "cubic line",
        36 => "quadratic polygon",
        37 => "pyramid19",
        41 => "convex point set",
        42 => "polyhedron",
        68..=74 => "Lagrange",
        75..=81 => "Bézier",
        _ => "unknown",
    };
    format!("{name} cells (VTK type {id})")
}

#[cfg(test)]
mod tests;
