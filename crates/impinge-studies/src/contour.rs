//! The outlook of \[Erleben2005\]: flood from the hits of the last step to their neighbours, instead of
//! a search.
//!
//! A face that meets a tetrahedron is tested against the adjacent tetrahedra, and a tetrahedron against
//! the faces adjacent to one that it meets. Starting from the hits of the last step, this flood finds
//! the current contact patches. A new patch has no starting point: all hits found are correct, but some
//! may be missed. The study measures [`follow`].

use impinge::narrow::solids::FaceHit;
use impinge::narrow::triangle_tetrahedron::{Relation, relation};
use impinge::shape::{NO_NEIGHBOUR, Solid};
use std::collections::{HashMap, HashSet};

/// For each boundary face, the faces that share an edge with it.
pub(crate) struct Faces {
    around: Vec<Vec<u32>>,
}

impl Faces {
    pub(crate) fn of(solid: &Solid) -> Self {
        let mut at_edge: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
        for (face, t) in (0u32..).zip(solid.boundary_triangles()) {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                at_edge.entry([a.min(b), a.max(b)]).or_default().push(face);
            }
        }

        let mut around = vec![Vec::new(); solid.boundary_triangles().len()];
        for faces in at_edge.values() {
            for &face in faces {
                around[face as usize].extend(faces.iter().filter(|&&other| other != face));
            }
        }

        around.iter_mut().for_each(|list| list.sort_unstable());
        Self { around }
    }
}

/// Returns the hits of a surface in another solid that are connected to those of the last step, sorted,
/// and the number of tests.
pub(crate) fn follow(
    solid: &Solid,
    faces: &Faces,
    other: &Solid,
    last: &[FaceHit],
) -> (Vec<(u32, u32)>, usize) {
    let mut open: Vec<(u32, u32)> = last.iter().map(|hit| (hit.face, hit.tetrahedron)).collect();
    let mut seen: HashSet<(u32, u32)> = open.iter().copied().collect();
    let (mut found, mut tests) = (Vec::new(), 0);

    while let Some((face, t)) = open.pop() {
        tests += 1;
        let corners = solid.boundary_triangles()[face as usize].map(|n| solid.points()[n as usize]);
        if relation(&corners, &other.corners(t as usize)) == Relation::Apart {
            continue;
        }

        found.push((face, t));
        let across = other.neighbours()[t as usize]
            .into_iter()
            .filter(|&n| n != NO_NEIGHBOUR);
        let next = across
            .map(|n| (face, n))
            .chain(faces.around[face as usize].iter().map(|&f| (f, t)));

        open.extend(next.filter(|pair| seen.insert(*pair)));
    }

    found.sort_unstable();
    (found, tests)
}
