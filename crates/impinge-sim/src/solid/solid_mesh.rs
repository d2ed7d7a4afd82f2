//! The mesh of an elastic solid: its cells, and the tetrahedra in which contacts are searched.

use super::InvalidSolid;
use super::cell::check_volume;
use super::shape_functions::SUPPORTED;
use super::subdivide;
use impinge::shape::{Block, Cells, ElementKind, Mesh, Solid};
use impinge::space::{Point, Vector};
use rustc_hash::FxHashMap;

/// Cells of tet4, tet10, hex8, hex20 and hex27, alone or mixed, with a positive volume everywhere.
///
/// ```
/// use impinge::shape::{ElementKind, generate::brick};
/// use impinge_sim::solid::SolidMesh;
/// let beam = SolidMesh::from_mesh(&brick([8, 1, 1], [8.0, 1.0, 1.0], ElementKind::Tet10)?)?;
/// assert_eq!(beam.cells().count(), 48);
/// // Contacts see tetrahedra on the same nodes: eight in each cell.
/// assert_eq!(beam.shape().tetrahedra().len(), 8 * 48);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolidMesh {
    /// Blocks by ascending kind, tet4 first.
    blocks: Vec<Block>,
    shape: Solid,
}

impl SolidMesh {
    /// Takes the solid cells of a mesh; others are ignored. The error names the first offending
    /// cell, numbered among the solid cells, and its kind.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, InvalidSolid> {
        let solid = || {
            mesh.blocks
                .iter()
                .filter(|block| block.kind.dimension() == 3)
        };
        let is_supported = |block: &&Block| SUPPORTED.contains(&block.kind);
        if let Some(other) = solid().find(|block| !is_supported(block) && !block.is_empty()) {
            let kind = other.kind.name();
            return Err(InvalidSolid::CellKind { kind });
        }

        if solid().all(|block| block.kind == ElementKind::Tet4) {
            return Ok(Solid::from_mesh(mesh)?.into());
        }

        let cells = Cells::<3>::from_mesh(mesh)?;
        for cell in 0..cells.len() {
            let corners = corners(&cells, cell);
            check_volume(cells.kind(cell), cell, &corners)?;
        }
        check_conformity(&cells)?;

        let blocks = by_kind(&cells);
        let mut tetrahedra = Vec::new();
        for block in &blocks {
            for nodes in block.elements() {
                subdivide::tetrahedra(block.kind, nodes, |t| tetrahedra.push(t));
            }
        }

        // Strongly curved cells have inverted tetrahedra, which the search tolerates.
        let (shape, _) = Solid::deformed(cells.points(), &tetrahedra)?;
        Ok(Self { blocks, shape })
    }

    /// Returns the points.
    pub fn points(&self) -> &[Point<3>] {
        self.shape.points()
    }

    /// Returns the kind and the nodes of each cell, by ascending kind.
    pub fn cells(&self) -> impl Iterator<Item = (ElementKind, &[u32])> {
        cells_in(&self.blocks)
    }

    /// Returns the tetrahedra in which contacts are searched: cells of tet4 themselves, others
    /// divided.
    pub fn shape(&self) -> &Solid {
        &self.shape
    }

    pub(super) fn into_parts(self) -> (Vec<Block>, Solid) {
        (self.blocks, self.shape)
    }
}

impl From<Solid> for SolidMesh {
    fn from(shape: Solid) -> Self {
        let block = Block {
            nodes: shape.tetrahedra().as_flattened().to_vec(),
            ..Block::new(ElementKind::Tet4)
        };
        let blocks = vec![block];
        Self { blocks, shape }
    }
}

/// Returns the kind and the nodes of each cell.
pub(super) fn cells_in(blocks: &[Block]) -> impl Iterator<Item = (ElementKind, &[u32])> {
    blocks
        .iter()
        .flat_map(|block| block.elements().map(move |nodes| (block.kind, nodes)))
}

fn corners(cells: &Cells<3>, cell: usize) -> Vec<Vector<3>> {
    let nodes = cells.nodes(cell).iter();
    nodes
        .map(|&node| cells.points()[node as usize].coords)
        .collect()
}

/// Sorts cells by kind; within a kind they stay in order.
fn by_kind(cells: &Cells<3>) -> Vec<Block> {
    let mut blocks = SUPPORTED.map(Block::new);
    for cell in 0..cells.len() {
        let of_kind = blocks
            .iter_mut()
            .find(|block| block.kind == cells.kind(cell));
        of_kind
            .into_iter()
            .for_each(|block| block.nodes.extend_from_slice(cells.nodes(cell)));
    }

    blocks
        .into_iter()
        .filter(|block| !block.is_empty())
        .collect()
}

/// Checks that cells meet at whole faces with the same nodes: other nodes would come apart.
fn check_conformity(cells: &Cells<3>) -> Result<(), InvalidSolid> {
    let face = |cell: usize, side: usize| {
        let places = &cells.kind(cell).faces()[side].1;
        let mut nodes: Vec<u32> = places
            .iter()
            .map(|&k| cells.nodes(cell)[k as usize])
            .collect();
        nodes.sort_unstable();
        nodes
    };
    let nonconforming = |cell: usize, other: usize| InvalidSolid::Nonconforming {
        cells: [cell, other],
        kinds: [cells.kind(cell).name(), cells.kind(other).name()],
    };

    let (mut triangles, mut quads) = (FxHashMap::default(), Vec::new());
    for cell in 0..cells.len() {
        for side in 0..cells.kind(cell).faces().len() {
            let nodes = face(cell, side);
            match cells.neighbour(cell, side) {
                Some((other, back)) if face(other, back) != nodes => {
                    return Err(nonconforming(cell, other));
                }
                Some(_) => (),
                None if cells.kind(cell).corner_count() == 4 => {
                    triangles.insert(corners_of(cells, cell, side), cell);
                }
                None => quads.push((corners_of(cells, cell, side), cell)),
            }
        }
    }

    // A quadrilateral beside two triangles on the same nodes bends differently.
    for (quad, cell) in quads {
        for left_out in 0..quad.len() {
            let mut three = quad.clone();
            three.remove(left_out);
            if let Some(&other) = triangles.get(&three) {
                return Err(nonconforming(cell, other));
            }
        }
    }

    Ok(())
}

fn corners_of(cells: &Cells<3>, cell: usize, side: usize) -> Vec<u32> {
    let (kind, places) = &cells.kind(cell).faces()[side];
    let places = places[..kind.corner_count()].iter();
    let mut corners: Vec<u32> = places.map(|&k| cells.nodes(cell)[k as usize]).collect();
    corners.sort_unstable();
    corners
}
