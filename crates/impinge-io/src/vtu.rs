//! VTK XML, unstructured grids (.vtu): any elements, fields and sets.
//!
//! Reads text, base64 and appended data, uncompressed or compressed with zlib, in either byte order. Writes appended
//! raw data, compressed with zlib.

use crate::cells::{Cells, other_order};
use crate::vtkxml::write::{Array, Grid};
use crate::vtkxml::{self, Piece};
use crate::{Dataset, Ignored, ParseError};
use impinge::shape::Block;
use std::io::Write;

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    vtkxml::parse(bytes, "UnstructuredGrid", take_cells)
}

fn take_cells(piece: &mut Piece) -> Result<(), ParseError> {
    let count = piece.element.count("NumberOfCells")?;
    piece.cells = count;
    if count == 0 {
        return Ok(());
    }

    let group = piece
        .element
        .child("Cells")
        .ok_or_else(|| piece.element.fault("<Cells> is missing"))?;
    let lists = piece.lists(group, count)?;
    let types = piece.types(group, count)?;
    let mut cells = Cells::new(piece.dataset, piece.first);
    let taken = cells.take_all(&lists, |i| types[i], piece.budget);
    taken.map_err(|fault| group.fault(fault.reason))?;
    (piece.origin, _) = cells.finish();

    Ok(())
}

/// Returns what the format cannot represent: nothing. Sets are written as marker fields.
pub fn check(_dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    Ok(Vec::new())
}

/// Writes a dataset that passed [`Dataset::check`].
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let blocks = &dataset.mesh.blocks;
    let cells = blocks.iter().map(Block::len).sum();
    let mut grid = Grid::new("UnstructuredGrid", dataset);
    grid.counts.push(("NumberOfCells", cells));
    let mut connectivity = Vec::with_capacity(blocks.iter().map(|block| block.nodes.len()).sum());

    for block in blocks {
        let elements = block.elements();
        elements.for_each(|nodes| connectivity.extend_from_slice(&other_order(block.kind, nodes)));
    }

    let sizes = blocks
        .iter()
        .flat_map(|block| vec![block.kind.node_count() as i64; block.len()]);
    let ends: Vec<i64> = sizes.scan(0, running_sum).collect();
    let types: Vec<u8> = blocks
        .iter()
        .flat_map(|block| vec![block.kind.vtk_id(); block.len()])
        .collect();

    let arrays = vec![
        Array::nodes(&connectivity),
        Array::whole("offsets", 1, &ends),
        Array::bytes("types", &types),
    ];
    grid.groups.push(("Cells", arrays));
    grid.add_fields(dataset, None);

    grid.write(out)
}

pub(crate) fn running_sum(sum: &mut i64, size: i64) -> Option<i64> {
    *sum += size;
    Some(*sum)
}
