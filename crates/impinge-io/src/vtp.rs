//! VTK XML, surfaces (.vtp): points, lines and flat faces, fields and sets.
//!
//! Encodings as for .vtu. The format lists vertices, lines, polygons and strips separately, so the elements of
//! a mixed mesh are read back in that order.

use crate::cells::{Cells, POLY_LINE, POLY_VERTEX, POLYGON, STRIP};
use crate::vtkxml::write::{Array, Grid};
use crate::vtkxml::{self, Piece};
use crate::vtu::running_sum;
use crate::{Dataset, Ignored, ParseError};
use impinge::shape::ElementKind;
use std::io::Write;

/// Cell groups in the order in which cell fields number them (files list the strips before the polygons, but still
/// number them last).
const GROUPS: [(&str, &str, u8); 4] = [
    ("Verts", "NumberOfVerts", POLY_VERTEX),
    ("Lines", "NumberOfLines", POLY_LINE),
    ("Polys", "NumberOfPolys", POLYGON),
    ("Strips", "NumberOfStrips", STRIP),
];

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Dataset, ParseError> {
    vtkxml::parse(bytes, "PolyData", take_cells)
}

fn take_cells(piece: &mut Piece) -> Result<(), ParseError> {
    let mut groups = Vec::new();
    for (name, number_of, id) in GROUPS {
        let count = piece.element.count(number_of)?;
        if count > 0 {
            let group = piece.element.child(name);
            let group = group.ok_or_else(|| piece.element.fault(format!("<{name}> is missing")))?;
            groups.push((group, piece.lists(group, count)?, id));
        }
    }

    let mut cells = Cells::new(piece.dataset, piece.first);
    for (group, lists, id) in &groups {
        let taken = cells.take_all(lists, |_| *id, piece.budget);
        taken.map_err(|fault| group.fault(fault.reason))?;
    }

    (piece.origin, piece.cells) = cells.finish();
    Ok(())
}

/// Returns the group for elements of a kind.
fn group_of(kind: ElementKind) -> Option<&'static str> {
    match kind {
        ElementKind::Vertex => Some("Verts"),
        ElementKind::Line2 => Some("Lines"),
        ElementKind::Tri3 | ElementKind::Quad4 => Some("Polys"),
        _ => None,
    }
}

/// Returns an error if the mesh has solid or curved elements.
pub fn check(dataset: &Dataset) -> Result<Vec<Ignored>, ParseError> {
    match dataset
        .mesh
        .blocks
        .iter()
        .find(|block| group_of(block.kind).is_none())
    {
        None => Ok(Vec::new()),
        Some(block) => {
            let (name, count) = (block.kind.name(), dataset.mesh.count(block.kind));
            Err(ParseError::whole(format!(
                "VTP stores points, lines and flat faces, but the mesh has {count} {name} elements; write .vtu"
            )))
        }
    }
}

/// Writes a dataset that passed [`check`].
pub fn write(dataset: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let mut grid = Grid::new("PolyData", dataset);
    let mut order = Vec::new();
    for (name, number_of, _) in GROUPS {
        let (mut sizes, mut nodes) = (Vec::new(), Vec::new());
        let mut first = 0;
        for block in &dataset.mesh.blocks {
            if group_of(block.kind) == Some(name) {
                order.extend(first..first + block.len());
                sizes.resize(sizes.len() + block.len(), block.kind.node_count() as i64);
                nodes.extend_from_slice(&block.nodes);
            }
            first += block.len();
        }

        grid.counts.push((number_of, sizes.len()));
        let ends: Vec<i64> = sizes.into_iter().scan(0, running_sum).collect();
        grid.groups.push((
            name,
            vec![Array::nodes(&nodes), Array::whole("offsets", 1, &ends)],
        ));
    }

    let keeps_order = order
        .iter()
        .enumerate()
        .all(|(place, &element)| place == element);
    grid.add_fields(dataset, (!keeps_order).then_some(&order[..]));

    grid.write(out)
}
