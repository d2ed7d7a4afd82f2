//! Division of cells into tetrahedra on their own nodes, for the contact search.
//!
//! Each face is divided by a rule that depends on its nodes alone, so that the two cells at a face
//! divide it alike [Dompierre1999]: a quad4 along the diagonal of its smallest node, a tri6 into
//! four triangles, a quad8 into a fan around its smallest mid node, a quad9 into four quad4. A
//! hexahedron is then the cone from its smallest node over the faces that do not contain it.

use impinge::shape::ElementKind;

/// Corner triangles and octahedron of a tet10; the first corner of the octahedron's diagonal is
/// 4 (between corners 0 and 1), the second 9 (between 2 and 3).
const TET10: [[usize; 4]; 8] = [
    [0, 4, 6, 7],
    [4, 1, 5, 8],
    [6, 5, 2, 9],
    [7, 8, 9, 3],
    [4, 9, 6, 7],
    [4, 9, 7, 8],
    [4, 9, 8, 5],
    [4, 9, 5, 6],
];

/// The nodes of a hex27 by x, y, z on its 3 × 3 × 3 lattice.
#[rustfmt::skip]
const LATTICE: [usize; 27] = [
    0, 8, 1, 11, 24, 9, 3, 10, 2,
    16, 22, 17, 20, 26, 21, 19, 23, 18,
    4, 12, 5, 15, 25, 13, 7, 14, 6,
];

/// Calls `found` with each tetrahedron of a cell of a supported kind.
pub(super) fn tetrahedra(kind: ElementKind, nodes: &[u32], mut found: impl FnMut([u32; 4])) {
    match kind {
        ElementKind::Tet4 => found([nodes[0], nodes[1], nodes[2], nodes[3]]),
        ElementKind::Tet10 => TET10
            .map(|places| places.map(|k| nodes[k]))
            .into_iter()
            .for_each(found),
        ElementKind::Hex27 => {
            for low in [0, 1, 3, 4, 9, 10, 12, 13] {
                let corners = [0, 1, 4, 3, 9, 10, 13, 12].map(|step| nodes[LATTICE[low + step]]);
                cone(ElementKind::Hex8, &corners, &mut found);
            }
        }
        _ => cone(kind, nodes, &mut found),
    }
}

/// Divides a hex8 or hex20 into the cone from its smallest node over the faces without it. On a
/// hex20 it is the smallest mid node: a fan around a corner would begin with three collinear nodes.
fn cone(kind: ElementKind, nodes: &[u32], found: &mut impl FnMut([u32; 4])) {
    let first_mid_node = if kind.order() == 2 { 8 } else { 0 };
    let Some(&apex) = nodes[first_mid_node..].iter().min() else {
        return;
    };

    for (_, face) in kind.faces() {
        let around = rim(&face)
            .map(|place| nodes[place as usize])
            .collect::<Vec<_>>();
        if around.contains(&apex) {
            continue;
        }

        let candidates = if first_mid_node > 0 { 1 } else { 0 };
        let step = 1 + candidates;
        let Some(start) = (candidates..around.len())
            .step_by(step)
            .min_by_key(|&k| around[k])
        else {
            continue;
        };
        let node = |k: usize| around[(start + k) % around.len()];
        for k in 1..around.len() - 1 {
            // Seen from inside, the face is clockwise.
            found([node(0), node(k + 1), node(k), apex]);
        }
    }
}

/// Returns the nodes around a face, mid nodes between their corners.
fn rim(face: &[u8]) -> impl Iterator<Item = u8> {
    let (corners, mid_nodes) = face.split_at(4);
    (0..4)
        .flat_map(move |k| [Some(corners[k]), mid_nodes.get(k).copied()])
        .flatten()
}

#[cfg(test)]
mod tests;
