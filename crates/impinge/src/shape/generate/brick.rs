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
mod tests {
    use super::super::test_support::hash_of_mesh;
    use super::*;
    use crate::space::Vector;
    use ElementKind::*;

    /// Six times the volume of the tetrahedron with four nodes.
    fn six_volumes(mesh: &Mesh, nodes: [u32; 4]) -> f64 {
        let [a, b, c, d]: [Vector<3>; 4] = nodes.map(|n| mesh.points[n as usize].coords);
        (b - a).dot(&(c - a).cross(&(d - a)))
    }

    #[test]
    fn tetrahedra_are_positive_and_fill_the_brick_exactly() {
        for kind in [Tet4, Tet10] {
            let mesh = brick([3, 4, 5], [1.5, 1.0, 2.5], kind).expect("valid");
            assert_eq!(mesh.count(kind), 6 * 60);
            let each: Vec<f64> = mesh.blocks[0]
                .elements()
                .map(|t| six_volumes(&mesh, [t[0], t[1], t[2], t[3]]))
                .collect();
            // Cells of ½ × ¼ × ½: six times the volume of every tetrahedron is 1/16, without
            // rounding.
            assert!(each.iter().all(|&v| v == 0.0625), "{each:?}");
        }
    }

    #[test]
    fn hexahedra_have_the_corners_of_their_cell_in_vtks_order() {
        for kind in [Hex8, Hex20, Hex27] {
            let mesh = brick([2, 3, 1], [2.0, 3.0, 1.0], kind).expect("valid");
            assert_eq!(mesh.count(kind), 6);
            for element in mesh.blocks[0].elements() {
                let low = mesh.points[element[0] as usize];
                for (&node, corner) in element.iter().zip(HEXAHEDRON) {
                    let expected = Vector::<3>::from(corner.map(|x| x as f64));
                    assert_eq!(mesh.points[node as usize] - low, expected);
                }
            }
        }
    }

    #[test]
    fn mid_nodes_lie_between_their_corners() {
        for kind in [Tet10, Hex20, Hex27] {
            let mesh = brick([2, 1, 3], [1.0, 2.0, 3.0], kind).expect("valid");
            for element in mesh.blocks[0].elements() {
                for (k, between) in kind.vtk_mid_nodes().iter().enumerate() {
                    let sum: Vector<3> = between
                        .iter()
                        .map(|&c| mesh.points[element[c as usize] as usize].coords)
                        .sum();
                    let mid = mesh.points[element[kind.corner_count() + k] as usize];
                    assert!((mid.coords - sum / between.len() as f64).norm() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn nodes_are_shared_and_none_is_unused() {
        let [x, y, z] = [3, 4, 2];
        let corners = (x + 1) * (y + 1) * (z + 1);
        let edges = x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z;
        let all = (2 * x + 1) * (2 * y + 1) * (2 * z + 1);

        for (kind, count) in [
            (Tet4, corners),
            (Hex8, corners),
            (Hex20, corners + edges),
            (Tet10, all),
            (Hex27, all),
        ] {
            let mesh = brick([x, y, z], [1.0; 3], kind).expect("valid");
            assert_eq!(mesh.points.len(), count, "{}", kind.name());
            let mut used = vec![false; count];
            mesh.blocks[0]
                .nodes
                .iter()
                .for_each(|&n| used[n as usize] = true);
            assert!(used.into_iter().all(|u| u));
        }
    }

    #[test]
    fn the_wall_of_12_by_12_has_144_hexahedra() {
        let mesh = wall([12, 12], [6.0, 3.0], 0.25, Hex8).expect("valid");
        assert_eq!(mesh.count(Hex8), 144);
        let bounds = mesh.bounds();
        assert_eq!(bounds.min, Point::from([0.0, -3.0, -1.5]));
        assert_eq!(bounds.max, Point::from([0.25, 3.0, 1.5]));
    }

    #[test]
    fn the_bytes_are_known() {
        assert_eq!(
            hash_of_mesh(&brick([3, 2, 1], [1.0, 0.7, 0.3], Tet10).expect("valid")),
            0x2687_d092_9900_cd65
        );
        assert_eq!(
            hash_of_mesh(&brick([3, 2, 1], [1.0, 0.7, 0.3], Hex20).expect("valid")),
            0xa20b_11c7_3f1f_19a2
        );
    }

    #[test]
    fn bad_arguments_are_named() {
        let argument = |cells, size, kind| brick(cells, size, kind).unwrap_err().argument;
        assert_eq!(argument([1, 0, 1], [1.0; 3], Tet4), "cells");
        assert_eq!(argument([1, usize::MAX, 1], [1.0; 3], Tet4), "cells");
        assert_eq!(argument([5000; 3], [1.0; 3], Tet4), "cells");
        assert_eq!(argument([1; 3], [1.0, f64::NAN, 1.0], Tet4), "size");
        assert_eq!(argument([1; 3], [1.0, -1.0, 1.0], Tet4), "size");
        assert_eq!(argument([1; 3], [1.0, f64::INFINITY, 1.0], Tet4), "size");
        assert_eq!(argument([1; 3], [1.0; 3], Wedge6), "element");

        assert_eq!(
            wall([2, 2], [1.0; 2], 0.0, Hex8).unwrap_err().argument,
            "thickness"
        );
    }
}
