//! Brute force over all pairs: the reference for tests.

use super::{FaceHit, Neighbours};
use crate::narrow::triangle_tetrahedron::{Relation, Shared, relation, relation_beyond};
use crate::shape::Solid;
use crate::space::{Aabb, Point};

/// The corners of a boundary face.
#[inline]
pub(super) fn face_corners(solid: &Solid, face: u32) -> [Point<3>; 3] {
    solid.boundary_triangles()[face as usize].map(|n| solid.points()[n as usize])
}

/// Returns whether two tetrahedra are neighbours in either of the paper's senses.
fn are_neighbours(solid: &Solid, owner: u32, tetrahedron: u32, neighbours: Neighbours) -> bool {
    let nodes = |t: u32| solid.tetrahedra()[t as usize];
    match neighbours {
        Neighbours::Face => {
            owner == tetrahedron || solid.neighbours()[owner as usize].contains(&tetrahedron)
        }
        Neighbours::Node => nodes(owner)
            .iter()
            .any(|node| nodes(tetrahedron).contains(node)),
        Neighbours::Exact => owner == tetrahedron,
    }
}

/// Returns how a face is related to a tetrahedron of its own solid.
pub(super) fn relation_within(
    solid: &Solid,
    face: u32,
    tetrahedron: u32,
    neighbours: Neighbours,
) -> Relation {
    if are_neighbours(
        solid,
        solid.boundary_owners()[face as usize],
        tetrahedron,
        neighbours,
    ) {
        return Relation::Apart;
    }

    let corners = (
        face_corners(solid, face),
        solid.corners(tetrahedron as usize),
    );

    match neighbours {
        Neighbours::Exact => {
            let nodes = &solid.boundary_triangles()[face as usize];
            relation_beyond(
                &corners.0,
                &corners.1,
                Shared::of(nodes, &solid.tetrahedra()[tetrahedron as usize]),
            )
        }
        _ => relation(&corners.0, &corners.1),
    }
}

pub(super) fn within(solid: &Solid, neighbours: Neighbours, hits: &mut Vec<FaceHit>) -> u64 {
    all(solid, solid, hits, |face, t| {
        relation_within(solid, face, t, neighbours)
    })
}

pub(super) fn between(solid: &Solid, other: &Solid, hits: &mut Vec<FaceHit>) -> u64 {
    all(solid, other, hits, |face, t| {
        relation(&face_corners(solid, face), &other.corners(t as usize))
    })
}

fn all(
    solid: &Solid,
    other: &Solid,
    hits: &mut Vec<FaceHit>,
    relation: impl Fn(u32, u32) -> Relation,
) -> u64 {
    hits.clear();
    let boxes: Vec<Aabb<3>> = (0..other.tetrahedra().len())
        .map(|t| Aabb::of(other.corners(t)))
        .collect();
    let mut tests = 0;

    for face in 0..solid.boundary_triangles().len() as u32 {
        let bounds = Aabb::of(face_corners(solid, face));
        for tetrahedron in (0..boxes.len() as u32).filter(|&t| boxes[t as usize].overlaps(&bounds))
        {
            tests += 1;
            let relation = relation(face, tetrahedron);
            if relation != Relation::Apart {
                hits.push(FaceHit {
                    face,
                    tetrahedron,
                    relation,
                });
            }
        }
    }

    tests
}
