//! Bricks of tetrahedra or hexahedra, of order 1 or 2.
//!
//! All nodes lie on a lattice of half cells. An element specifies its corners there; its mid nodes
//! are the means of the surrounding corners, which for cells at even lattice positions are lattice
//! positions again. The tetrahedra are Kuhn's: six per cell, around the diagonal from its lowest to
//! its highest corner, so that neighbouring cells divide their common face in the same way.

use super::InvalidArgument;
use super::argument::{MOST_ITEMS, check_count, check_length};
use crate::shape::{Block, ElementKind, Mesh};
use crate::space::Point;

/// The corners of a cell in VTK's order.
const HEXAHEDRON: [[usize; 3]; 8] = [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
];

/// Kuhn's tetrahedra by the corners of [`HEXAHEDRON`]: from 0 to 6 along three edges, one on each
/// axis.
const KUHN: [[usize; 4]; 6] = [
    [0, 1, 2, 6],
    [0, 5, 1, 6],
    [0, 2, 3, 6],
    [0, 3, 7, 6],
    [0, 4, 5, 6],
    [0, 7, 4, 6],
];

/// Generates a brick from the origin to `size`, with `cells` equal cells along the axes. A cell is
/// one hexahedron (`Hex8`, `Hex20`, `Hex27`) or six tetrahedra (`Tet4`, `Tet10`).
///
/// ```
/// use impinge::shape::{ElementKind, generate};
/// let mesh = generate::brick([4, 2, 1], [4.0, 2.0, 1.0], ElementKind::Tet10)?;
/// assert_eq!(mesh.count(ElementKind::Tet10), 48);
/// assert_eq!(mesh.points.len(), 9 * 5 * 3);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn brick(
    cells: [usize; 3],
    size: [f64; 3],
    kind: ElementKind,
) -> Result<Mesh, InvalidArgument> {
    check_cells(cells)?;
    size.into_iter()
        .try_for_each(|length| check_length("size", length))?;
    let elements = elements_of_a_cell(kind)?;
    let half = |i: usize, axis: usize| size[axis] * (i as f64 / (2 * cells[axis]) as f64);
    let mut lattice = Lattice::new(cells.map(|n| 2 * n + 1));
    let mut block = Block::new(kind);

    for cell in places(cells) {
        for element in &elements {
            let nodes = element
                .iter()
                .map(|place| lattice.number([0, 1, 2].map(|k| 2 * cell[k] + place[k])));
            block.nodes.extend(nodes);
        }
    }

    let points = lattice
        .used
        .iter()
        .map(|place| Point::from([0, 1, 2].map(|k| half(place[k], k))))
        .collect();

    Ok(Mesh {
        points,
        blocks: vec![block],
    })
}

/// Generates a wall: a brick one cell thick that fills 0 ≤ x ≤ `thickness` and, centred, `size` in
/// y and z. With 12 × 12 cells of hexahedra it has the 144 elements of [Aragon2013, section 5.2].
pub fn wall(
    cells: [usize; 2],
    size: [f64; 2],
    thickness: f64,
    kind: ElementKind,
) -> Result<Mesh, InvalidArgument> {
    check_length("thickness", thickness)?;
    let mut mesh = brick([1, cells[0], cells[1]], [thickness, size[0], size[1]], kind)?;
    for p in &mut mesh.points {
        p.y -= size[0] / 2.0;
        p.z -= size[1] / 2.0;
    }

    Ok(mesh)
}

/// Maximum number of cells whose lattice of half cells, at eight nodes each, is certain to fit the
/// node numbering.
pub(super) const MOST_CELLS: usize = MOST_ITEMS / 27;

/// Checks that there are cells on every axis and that their number is within the limit.
pub(super) fn check_cells(cells: [usize; 3]) -> Result<(), InvalidArgument> {
    cells
        .into_iter()
        .try_for_each(|n| check_count("cells", n, 1, MOST_ITEMS))?;
    let nodes = cells.iter().map(|&n| 2 * n as u128 + 1).product::<u128>();

    if nodes > MOST_ITEMS as u128 {
        let must = format!("few enough for {MOST_ITEMS} nodes on the lattice of half cells");
        return Err(InvalidArgument::new("cells", format!("{cells:?}"), must));
    }

    Ok(())
}

/// All positions of a grid, the first axis fastest.
pub(super) fn places(counts: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = counts;
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// The elements of one cell, by the positions of their nodes on the cell's 3 × 3 × 3 lattice.
fn elements_of_a_cell(kind: ElementKind) -> Result<Vec<Vec<[usize; 3]>>, InvalidArgument> {
    use ElementKind::*;
    let corner = |k: usize| HEXAHEDRON[k].map(|x| 2 * x);
    match kind {
        Hex8 | Hex20 | Hex27 => Ok(vec![with_mid_nodes(kind, (0..8).map(corner).collect())]),
        Tet4 | Tet10 => Ok(KUHN
            .iter()
            .map(|t| with_mid_nodes(kind, t.map(corner).to_vec()))
            .collect()),
        _ => Err(InvalidArgument::new(
            "element",
            kind.name(),
            "tet4, tet10, hex8, hex20 or hex27",
        )),
    }
}

fn with_mid_nodes(kind: ElementKind, mut places: Vec<[usize; 3]>) -> Vec<[usize; 3]> {
    for between in kind.vtk_mid_nodes() {
        let sum = |axis: usize| {
            between
                .iter()
                .map(|&c| places[c as usize][axis])
                .sum::<usize>()
        };
        places.push([0, 1, 2].map(|axis| sum(axis) / between.len()));
    }
    places
}

/// Lattice positions, numbered in order of first use.
struct Lattice {
    counts: [usize; 3],
    numbers: Vec<u32>,
    used: Vec<[usize; 3]>,
}

impl Lattice {
    fn new(counts: [usize; 3]) -> Self {
        Self {
            counts,
            numbers: vec![u32::MAX; counts.iter().product()],
            used: Vec::new(),
        }
    }

    fn number(&mut self, place: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.counts;
        let number = &mut self.numbers[place[0] + nx * (place[1] + ny * place[2])];
        if *number == u32::MAX {
            *number = self.used.len() as u32;
            self.used.push(place);
        }

        *number
    }
}

#[cfg(test)]
mod tests;
