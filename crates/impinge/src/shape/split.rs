//! Splits hexahedra, wedges and pyramids into tetrahedra, so that neighbouring cells conform.
//!
//! A cell is divided from its lowest node: that node is joined with the triangles of every face that
//! does not contain it. A quadrilateral is divided by the diagonal through its own lowest node. The
//! division of a face therefore depends only on its node numbers, and two cells that share a face
//! divide it in the same way (Dompierre et al., "How to subdivide pyramids, prisms and hexahedra into
//! tetrahedra", 1999). A hexahedron gives six tetrahedra, a wedge three, a pyramid two. O(cells).

use super::{ElementKind, Mesh, Problem, ProblemKind};

/// The tetrahedra of a mesh's solid cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SplitCells {
    /// The tetrahedra, cell by cell.
    pub tetrahedra: Vec<[u32; 4]>,
    /// For each tetrahedron, the index of its cell among the mesh's solid elements.
    pub cells: Vec<u32>,
    /// Number of cells that are not tetrahedra.
    pub split: usize,
}

impl Mesh {
    /// Splits the solid cells into tetrahedra that conform across shared faces. Only corners are used:
    /// cells of order 2 lose their mid nodes. Tetrahedra with a repeated node, as from a hexahedron
    /// collapsed to a wedge, are omitted.
    ///
    /// ```
    /// use impinge::shape::{ElementKind, Solid, generate};
    /// let brick = generate::brick([3, 2, 2], [3.0, 2.0, 2.0], ElementKind::Hex8)?;
    /// let split = brick.split_cells()?;
    /// assert_eq!((split.tetrahedra.len(), split.split), (6 * 12, 12));
    /// let solid = Solid::new(&brick.points, &split.tetrahedra)?;
    /// assert!((solid.volume() - 12.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split_cells(&self) -> Result<SplitCells, Problem> {
        let solid = |block: &&super::Block| block.kind.dimension() == 3;
        let (mut split, mut cell) = (SplitCells::default(), 0);

        for block in self.blocks.iter().filter(solid) {
            if block.nodes.len() % block.kind.node_count() != 0 {
                return Err(Problem::whole(ProblemKind::WrongCount));
            }
            let is_tetrahedron = matches!(block.kind, ElementKind::Tet4 | ElementKind::Tet10);
            let faces = faces(block.kind);

            for nodes in block.elements() {
                let first = split.tetrahedra.len();
                if is_tetrahedron {
                    let corners = [nodes[0], nodes[1], nodes[2], nodes[3]];
                    split.tetrahedra.push(corners);
                } else {
                    let corners = &nodes[..block.kind.corner_count()];
                    pull(corners, &faces, &mut split.tetrahedra);
                    split.split += 1;
                }
                let made = split.tetrahedra.len() - first;
                split.cells.extend(std::iter::repeat_n(cell, made));
                cell += 1;
            }
        }

        Ok(split)
    }
}

/// Returns the corners of each face, counter-clockwise seen from outside.
fn faces(kind: ElementKind) -> Vec<Vec<u8>> {
    let corners = |(kind, mut nodes): (ElementKind, Vec<u8>)| {
        nodes.truncate(kind.corner_count());
        nodes
    };
    kind.faces().into_iter().map(corners).collect()
}

/// Joins the lowest node of a cell with the faces that do not contain it.
fn pull(cell: &[u32], faces: &[Vec<u8>], tetrahedra: &mut Vec<[u32; 4]>) {
    let Some(&apex) = cell.iter().min() else {
        return;
    };
    for face in faces {
        let nodes: Vec<u32> = face
            .iter()
            .map(|&corner| cell[usize::from(corner)])
            .collect();
        if nodes.contains(&apex) {
            continue;
        }

        // A fan about the face's lowest node.
        let count = nodes.len();
        let lowest = (0..count).min_by_key(|&k| nodes[k]).unwrap_or(0);
        let at = |k: usize| nodes[(lowest + k) % count];
        for k in 1..count - 1 {
            // Seen from outside counter-clockwise, so reversed below the apex.
            let tetrahedron = [at(0), at(k + 1), at(k), apex];
            if has_distinct_nodes(&tetrahedron) {
                tetrahedra.push(tetrahedron);
            }
        }
    }
}

fn has_distinct_nodes(nodes: &[u32; 4]) -> bool {
    (1..4).all(|k| !nodes[..k].contains(&nodes[k]))
}
