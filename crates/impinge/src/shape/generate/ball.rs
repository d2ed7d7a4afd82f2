//! Balls of tetrahedra or hexahedra: a cube in the middle, and a block from each of its sides to the
//! sphere.

use super::InvalidArgument;
use super::argument::{check_count, check_length};
use super::brick::{MOST_CELLS, brick};
use crate::shape::{Block, ElementKind, Mesh};
use crate::space::{Point, Vector};
use std::f64::consts::FRAC_PI_4;

/// Half the edge of the cube in the middle, in radii: cells there and outside are about as large.
const CUBE: f64 = 0.45;

/// Distance, in radii, within which nodes of neighbouring blocks are merged.
const SAME: f64 = 1e-9;

/// Generates a ball around the origin of 7 · `cells`³ cells, each one hexahedron or six tetrahedra.
/// All nodes of its surface are on the sphere.
///
/// ```
/// use impinge::shape::{ElementKind, generate};
/// let ball = generate::ball(2, 0.5, ElementKind::Hex27)?;
/// assert_eq!(ball.count(ElementKind::Hex27), 56);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn ball(cells: usize, radius: f64, kind: ElementKind) -> Result<Mesh, InvalidArgument> {
    check_count("cells", cells, 1, ((MOST_CELLS / 7) as f64).cbrt() as usize)?;
    check_length("radius", radius)?;
    let block = brick([cells; 3], [1.0; 3], hexahedron(kind))?;
    let mut ball = Mesh::default();
    add(&mut ball, &block, |p| {
        (p * 2.0 - Vector::repeat(1.0)) * (CUBE * radius)
    });

    for side in 0..6 {
        add(&mut ball, &block, |p| {
            // The first axis points outward.
            let [t, u] = [p.y, p.z].map(|x| 2.0 * x - 1.0);
            let inner = Vector::<3>::new(1.0, t, u) * (CUBE * radius);
            let outer = Vector::<3>::new(1.0, (t * FRAC_PI_4).tan(), (u * FRAC_PI_4).tan());
            turned(
                side,
                inner * (1.0 - p.x) + outer.normalize() * (radius * p.x),
            )
        });
    }

    ball.weld(SAME * radius);
    Ok(divided(ball.compacted(), kind))
}

/// Returns the hexahedron with the nodes of its tetrahedra; other kinds are kept.
fn hexahedron(kind: ElementKind) -> ElementKind {
    match kind {
        ElementKind::Tet4 => ElementKind::Hex8,
        ElementKind::Tet10 => ElementKind::Hex27,
        other => other,
    }
}

/// Divides hexahedra into tetrahedra that fit across all blocks, if these are wanted.
fn divided(mesh: Mesh, kind: ElementKind) -> Mesh {
    let (ElementKind::Tet4 | ElementKind::Tet10, Ok(split)) = (kind, mesh.split_cells()) else {
        return mesh;
    };
    let whole = hexahedron(kind);
    let mut block = Block::new(kind);
    for (corners, &cell) in split.tetrahedra.iter().zip(&split.cells) {
        let first = cell as usize * whole.node_count();
        let nodes = &mesh.blocks[0].nodes[first..first + whole.node_count()];
        let place = |node: u32| nodes.iter().position(|&n| n == node).unwrap_or(0) as u8;
        block.nodes.extend_from_slice(corners);

        // Each edge lies on an edge, a face or the diagonal of its cell, and takes the mid node from
        // there.
        for between in kind.vtk_mid_nodes() {
            let ends = [between[0], between[1]].map(|k| place(corners[k as usize]));
            let mid_nodes = whole.vtk_mid_nodes().iter();
            let shared = mid_nodes
                .zip(&nodes[8..])
                .find(|(set, _)| ends.iter().all(|e| set.contains(e)));
            block.nodes.extend(shared.map(|(_, &node)| node));
        }
    }

    Mesh {
        points: mesh.points,
        blocks: vec![block],
    }
    .compacted()
}

fn add(ball: &mut Mesh, block: &Mesh, place: impl Fn(Vector<3>) -> Vector<3>) {
    let first = ball.points.len() as u32;
    let points = block.points.iter().map(|p| Point::from(place(p.coords)));
    ball.points.extend(points);

    for cells in &block.blocks {
        for nodes in cells.elements() {
            let nodes: Vec<u32> = nodes.iter().map(|node| first + node).collect();
            ball.push(cells.kind, &nodes);
        }
    }
}

/// Turns the first axis to one of the six directions.
fn turned(side: usize, v: Vector<3>) -> Vector<3> {
    let [x, y, z] = match side {
        0 => [v.x, v.y, v.z],
        1 => [-v.x, -v.y, v.z],
        2 => [-v.y, v.x, v.z],
        3 => [v.y, -v.x, v.z],
        4 => [-v.z, v.y, v.x],
        _ => [v.z, v.y, -v.x],
    };
    Vector::<3>::new(x, y, z)
}

#[cfg(test)]
mod tests;
