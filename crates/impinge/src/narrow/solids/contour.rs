//! Contour following: the hits between two solids, from where their surfaces meet.
//!
//! \[Erleben2005\] closes with the plan to find initial penetrating primitives by the tree, and from
//! there to search the neighbours. The seeds are faces of A that meet tetrahedra of B *at its
//! boundary*. Hierarchies of the boundary faces alone find them, so that the boxes of the tetrahedra
//! need no refit. A hit (f, t) is followed to the tetrahedra across those sides of t that f may meet,
//! and to the faces across those edges of f that t may meet.
//!
//! No patch is missed. Let P be the pairs of a point of A's surface and a point of the mesh B that lie
//! at the same place, and C a connected component of P.
//!
//! - If C contains a point of B's boundary, two boundary faces meet there, which are a seed. Cells of C
//!   that have a point in common are joined by a chain of steps across edges and sides that contain
//!   this point; the flood takes each of these steps.
//! - Otherwise C is in the interior of B. If all tetrahedra have positive volume, the mesh covers a
//!   neighbourhood of each of its interior points, so C can be continued from every point of A's
//!   surface to its neighbours: it covers a whole connected part of the surface. That part lies in the
//!   box of B, and one face of it is tested against all tetrahedra.
//!
//! Cost: O(boundary + hits), without a term in the tetrahedra.

use super::brute::face_corners;
use super::{FaceHit, gather};
use crate::narrow::triangle_tetrahedron::{Probe, SolidCorners};
use crate::shape::{NO_NEIGHBOUR, Solid};
use crate::space::{Aabb, Point, Vector};
use crate::tree::{Candidates, SolidTree};
use fearless_simd::Level;

/// Error bound of a height above a face's plane, relative to the cube of the largest coordinate.
const ERROR: f64 = 1e-13;

/// What following contours on the boundary of a solid needs, independent of its shape, and memory for a
/// flood.
#[derive(Clone, Debug)]
pub(super) struct Contours {
    /// For each boundary face and edge, from corner k to the next, the face on its other side.
    beside: Vec<[u32; 3]>,
    /// The faces of each connected part of the boundary.
    parts: Vec<Vec<u32>>,
    flood: Flood,
}

/// The pairs of a flood over the faces of one solid.
#[derive(Clone, Debug, Default)]
struct Flood {
    /// For each face the tetrahedra met so far, and how many of them have been tested.
    lists: Vec<(Vec<u32>, usize)>,
    /// Faces with a list.
    touched: Vec<u32>,
    /// Faces with tetrahedra that have not been tested; this round and the next.
    now: Vec<u32>,
    next: Vec<u32>,
    hits: Vec<FaceHit>,
}

impl Contours {
    /// Returns `None` if more than two boundary faces share an edge.
    pub(super) fn new(solid: &Solid) -> Option<Self> {
        let faces = solid.boundary_triangles();
        let mut edges: Vec<([u32; 2], u32, usize)> = Vec::with_capacity(3 * faces.len());
        for (face, nodes) in (0..).zip(faces) {
            for k in 0..3 {
                let (a, b) = (nodes[k], nodes[(k + 1) % 3]);
                edges.push(([a.min(b), a.max(b)], face, k));
            }
        }
        edges.sort_unstable();

        let mut beside = vec![[0; 3]; faces.len()];
        for edge in edges.chunk_by(|a, b| a.0 == b.0) {
            let &[(_, face, k), (_, other, l)] = edge else {
                return None;
            };
            beside[face as usize][k] = other;
            beside[other as usize][l] = face;
        }

        let flood = Flood {
            lists: vec![Default::default(); faces.len()],
            ..Flood::default()
        };
        Some(Self {
            parts: parts(&beside),
            beside,
            flood,
        })
    }
}

/// The connected parts of the boundary.
fn parts(beside: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut is_in_one = vec![false; beside.len()];
    for first in 0..beside.len() {
        if std::mem::replace(&mut is_in_one[first], true) {
            continue;
        }
        let mut part = vec![first as u32];
        let mut done = 0;
        while let Some(&face) = part.get(done) {
            done += 1;
            for next in beside[face as usize] {
                if !std::mem::replace(&mut is_in_one[next as usize], true) {
                    part.push(next);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// Replaces `hits` by those of the first solid's faces in the second, which has no inverted or flat
/// elements, and returns the number of tests. The faces of both trees are up to date.
pub(super) fn search(
    contours: &mut Contours,
    (tree, solid): (&SolidTree, &Solid),
    (other_tree, other): (&SolidTree, &Solid),
    hits: &mut Vec<FaceHit>,
) -> u64 {
    let Contours {
        beside,
        parts,
        flood,
    } = contours;

    flood.clear();
    let mut lists = Candidates::default();
    for leaf in 0..tree.face_leaves() {
        tree.find_faces(leaf, other_tree, &mut lists);
        for (&face, list) in tree.faces_of(leaf).iter().zip(&lists) {
            for &theirs in list {
                flood.add(face, other.boundary_owners()[theirs as usize]);
            }
        }
    }

    let bounds = other_tree.face_bounds();
    let is_within = |face: &u32| bounds.overlaps(&Aabb::of(face_corners(solid, *face)));
    for part in parts.iter().filter(|part| part.iter().all(is_within)) {
        flood.add_near(part[0], solid, other);
    }

    let tests = flood.run(beside, solid, other);
    gather(|| flood.hits.iter(), hits);
    tests
}

impl Flood {
    fn clear(&mut self) {
        for face in self.touched.drain(..) {
            let (list, tested) = &mut self.lists[face as usize];
            list.clear();
            *tested = 0;
        }
        self.now.clear();
        self.next.clear();
        self.hits.clear();
    }

    /// Adds a pair to those to be tested, unless it is known.
    #[inline]
    fn add(&mut self, face: u32, tetrahedron: u32) {
        let (list, tested) = &mut self.lists[face as usize];
        if list.contains(&tetrahedron) {
            return;
        }
        if list.is_empty() {
            self.touched.push(face);
        }
        if list.len() == *tested {
            self.next.push(face);
        }
        list.push(tetrahedron);
    }

    /// Adds the pairs of a face and all tetrahedra whose boxes overlap it.
    fn add_near(&mut self, face: u32, solid: &Solid, other: &Solid) {
        let bounds = Aabb::of(face_corners(solid, face));
        for t in 0..other.tetrahedra().len() {
            if Aabb::of(other.corners(t)).overlaps(&bounds) {
                self.add(face, t as u32);
            }
        }
    }

    /// Tests pairs until there are no more; returns their number.
    fn run(&mut self, beside: &[[u32; 3]], solid: &Solid, other: &Solid) -> u64 {
        let (level, mut tests) = (Level::new(), 0);
        let (mut list, mut found) = (Vec::new(), Vec::new());
        let corners = SolidCorners {
            points: other.points(),
            tetrahedra: other.tetrahedra(),
        };

        while !self.next.is_empty() {
            std::mem::swap(&mut self.now, &mut self.next);
            for place in 0..self.now.len() {
                let face = self.now[place];
                let (pairs, tested) = &mut self.lists[face as usize];
                list.clear();
                list.extend_from_slice(&pairs[*tested..]);
                *tested = pairs.len();
                tests += list.len() as u64;

                let at = Face::new(face, solid);
                let hits = &mut self.hits;
                found.clear();
                Probe::new(&at.corners).find(level, corners, &mut list, |tetrahedron, relation| {
                    found.push(tetrahedron);
                    hits.push(FaceHit {
                        face,
                        tetrahedron,
                        relation,
                    });
                });
                for &t in &found {
                    self.spread(&at, beside[face as usize], t, other);
                }
            }
            self.now.clear();
        }
        tests
    }

    /// Follows a hit to its neighbours.
    fn spread(&mut self, at: &Face, beside: [u32; 3], t: u32, other: &Solid) {
        let corners = other.corners(t as usize);
        let sides = at.sides(&corners);
        for (k, &across) in other.neighbours()[t as usize].iter().enumerate() {
            if across == NO_NEIGHBOUR {
                continue;
            }
            let of_side = |i: usize| (0..4).filter(|&j| j != k).nth(i).unwrap_or(0);
            let [p, q, r] = [0, 1, 2].map(of_side);
            let is_off = sides[p] != 0 && sides[p] == sides[q] && sides[p] == sides[r];
            if !is_off
                && at
                    .bounds
                    .overlaps(&Aabb::of([corners[p], corners[q], corners[r]]))
            {
                self.add(at.face, across);
            }
        }

        let bounds = Aabb::of(corners);
        for (k, face) in beside.into_iter().enumerate() {
            if bounds.overlaps(&Aabb::of([at.corners[k], at.corners[(k + 1) % 3]])) {
                self.add(face, t);
            }
        }
    }
}

/// A face from which hits are followed.
struct Face {
    face: u32,
    corners: [Point<3>; 3],
    bounds: Aabb<3>,
    normal: Vector<3>,
    largest: f64,
}

impl Face {
    fn new(face: u32, solid: &Solid) -> Self {
        let corners = face_corners(solid, face);
        let [t, u] = [corners[1] - corners[0], corners[2] - corners[0]];
        Self {
            face,
            corners,
            bounds: Aabb::of(corners),
            normal: t.cross(&u),
            largest: t.amax().max(u.amax()),
        }
    }

    /// Returns on which side of the face's plane each corner is; 0 if f64 cannot tell.
    fn sides(&self, corners: &[Point<3>; 4]) -> [i8; 4] {
        let from = corners.map(|corner| corner - self.corners[0]);
        let largest = from.iter().fold(self.largest, |most, k| most.max(k.amax()));
        let bound = largest * largest * largest * ERROR;
        from.map(|k| {
            let height = self.normal.dot(&k);
            i8::from(height > bound) - i8::from(height < -bound)
        })
    }
}

#[cfg(test)]
mod tests;
