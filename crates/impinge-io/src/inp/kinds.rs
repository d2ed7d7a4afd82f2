//! Abaqus element types, their node orders and face names.

use crate::{SIDE_AGAINST, SIDE_ALONG};
use impinge::shape::ElementKind::{self, *};

/// Naming convention for the faces of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// S1, S2, … are faces.
    Solid,
    /// S1, S2, … are edges.
    Plane,
    /// SPOS and SNEG are the two faces, E1, E2, … the edges.
    Shell,
    Line,
}

/// An element type, without the letters for its integration or additional physics.
#[derive(Debug)]
pub(super) struct Row {
    name: &'static str,
    pub(super) kind: ElementKind,
    pub(super) family: Family,
}

const fn row(name: &'static str, kind: ElementKind, family: Family) -> Row {
    Row { name, kind, family }
}

use Family::{Line, Plane, Shell, Solid};

static ROWS: [Row; 62] = [
    row("C3D4", Tet4, Solid),
    row("C3D5", Pyramid5, Solid),
    row("C3D6", Wedge6, Solid),
    row("C3D8", Hex8, Solid),
    row("C3D10", Tet10, Solid),
    row("C3D15", Wedge15, Solid),
    row("C3D20", Hex20, Solid),
    row("C3D27", Hex27, Solid),
    row("SC6", Wedge6, Solid),
    row("SC8", Hex8, Solid),
    row("COH3D6", Wedge6, Solid),
    row("COH3D8", Hex8, Solid),
    row("CPS3", Tri3, Plane),
    row("CPS4", Quad4, Plane),
    row("CPS6", Tri6, Plane),
    row("CPS8", Quad8, Plane),
    row("CPE3", Tri3, Plane),
    row("CPE4", Quad4, Plane),
    row("CPE6", Tri6, Plane),
    row("CPE8", Quad8, Plane),
    row("CAX3", Tri3, Plane),
    row("CAX4", Quad4, Plane),
    row("CAX6", Tri6, Plane),
    row("CAX8", Quad8, Plane),
    row("C2D3", Tri3, Plane),
    row("C2D4", Quad4, Plane),
    row("C2D6", Tri6, Plane),
    row("C2D8", Quad8, Plane),
    row("S3", Tri3, Shell),
    row("S4", Quad4, Shell),
    row("S6", Tri6, Shell),
    row("S8", Quad8, Shell),
    row("S9", Quad9, Shell),
    row("STRI3", Tri3, Shell),
    row("STRI65", Tri6, Shell),
    row("DS3", Tri3, Shell),
    row("DS4", Quad4, Shell),
    row("DS6", Tri6, Shell),
    row("DS8", Quad8, Shell),
    row("M3D3", Tri3, Shell),
    row("M3D4", Quad4, Shell),
    row("M3D6", Tri6, Shell),
    row("M3D8", Quad8, Shell),
    row("M3D9", Quad9, Shell),
    row("SFM3D3", Tri3, Shell),
    row("SFM3D4", Quad4, Shell),
    row("SFM3D6", Tri6, Shell),
    row("SFM3D8", Quad8, Shell),
    row("R3D3", Tri3, Shell),
    row("R3D4", Quad4, Shell),
    row("B21", Line2, Line),
    row("B22", Line3, Line),
    row("B31", Line2, Line),
    row("B32", Line3, Line),
    row("PIPE21", Line2, Line),
    row("PIPE31", Line2, Line),
    row("PIPE32", Line3, Line),
    row("T2D2", Line2, Line),
    row("T2D3", Line3, Line),
    row("T3D2", Line2, Line),
    row("T3D3", Line3, Line),
    row("R2D2", Line2, Line),
];

/// Returns the row of a type: `C3D8RT` and `DC3D8` are variants of `C3D8`, `S4R5` of `S4`.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    let name = name.to_ascii_uppercase();
    // Heat-transfer and acoustic elements have the same geometry, with a letter prefix.
    let solid = name
        .strip_prefix(['D', 'A'])
        .filter(|rest| rest.starts_with("C3D") || rest.starts_with("C2D"));
    let name = solid.unwrap_or(&name);
    let fits = |row: &&Row| {
        // C3D15V and C3D27 may have a variable number of nodes; the former is marked by its V.
        let letters = name
            .strip_prefix(row.name)
            .map(|rest| rest.strip_suffix('5').unwrap_or(rest));
        letters.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_uppercase() && b != b'V'))
    };

    ROWS.iter().filter(fits).max_by_key(|row| row.name.len())
}

/// Returns, for each node in VTK's order, its index in Abaqus' order.
pub(super) fn order(kind: ElementKind) -> Vec<usize> {
    match kind {
        // The middle node comes between the end nodes.
        Line3 => vec![0, 2, 1],
        // The centre comes before the faces, which are in the order of their names.
        Hex27 => (0..20).chain([26, 24, 23, 25, 21, 22, 20]).collect(),
        _ => (0..kind.node_count()).collect(),
    }
}

/// Returns the side for a face name.
pub(super) fn side(row: &Row, face: &str) -> Option<u64> {
    let numbered = |letter: char| {
        face.strip_prefix(letter)?
            .parse::<usize>()
            .ok()?
            .checked_sub(1)
    };
    match (row.family, face) {
        (Shell, "SPOS") => Some(SIDE_ALONG),
        (Shell, "SNEG") => Some(SIDE_AGAINST),
        // Edges are numbered as in the library.
        (Shell, _) => numbered('E')
            .filter(|&edge| edge < row.kind.corner_count())
            .map(|edge| edge as u64),
        (Plane, _) => numbered('S')
            .filter(|&edge| edge < row.kind.corner_count())
            .map(|edge| edge as u64),
        (Solid, _) => solid_side(row.kind, numbered('S')?),
        (Line, _) => None,
    }
}

fn solid_side(kind: ElementKind, face: usize) -> Option<u64> {
    let corners: &[&[u8]] = match kind.corner_count() {
        4 => &[&[0, 1, 2], &[0, 3, 1], &[1, 3, 2], &[2, 3, 0]],
        5 => &[
            &[0, 1, 2, 3],
            &[0, 4, 1],
            &[1, 4, 2],
            &[2, 4, 3],
            &[3, 4, 0],
        ],
        6 => &[
            &[0, 1, 2],
            &[3, 5, 4],
            &[0, 3, 4, 1],
            &[1, 4, 5, 2],
            &[2, 5, 3, 0],
        ],
        _ => &[
            &[0, 1, 2, 3],
            &[4, 7, 6, 5],
            &[0, 4, 5, 1],
            &[1, 5, 6, 2],
            &[2, 6, 7, 3],
            &[3, 7, 4, 0],
        ],
    };
    let corners = corners.get(face)?;

    let is_it = |(kind, nodes): &(ElementKind, Vec<u8>)| {
        kind.corner_count() == corners.len()
            && corners.iter().all(|c| nodes[..corners.len()].contains(c))
    };
    kind.faces().iter().position(is_it).map(|side| side as u64)
}

#[cfg(test)]
mod tests;
