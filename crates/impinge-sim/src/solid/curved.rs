//! Contacts on the curved faces of a solid.
//!
//! The search in tetrahedra approximates a face with more than three nodes by flat triangles, which
//! deviate from it by the order of h²κ. Where it finds a point inside, depth and normal come from the
//! closest point of the face itself [Aragon2013, eq. (16)]. The force acts there, and goes to the nodes
//! of the triangle under it.

use super::SolidMesh;
use impinge::narrow::projection::project;
use impinge::narrow::solids::BoundaryPoint;
use impinge::shape::{ElementKind, Face, FaceKind, MOST_FACE_NODES};
use impinge::space::Point;
use rustc_hash::FxHashMap;

/// The faces of a solid with cells other than tet4.
#[derive(Clone, Debug)]
pub(super) struct CurvedSurface {
    /// The kind and the nodes of each face.
    faces: Vec<(FaceKind, [u32; MOST_FACE_NODES])>,
    /// The face of each boundary triangle.
    of_triangle: Vec<u32>,
}

impl CurvedSurface {
    /// Returns the faces of a mesh; `None` if all of its cells are tet4.
    pub(super) fn new(mesh: &SolidMesh) -> Option<Self> {
        if mesh.cells().all(|(kind, _)| kind == ElementKind::Tet4) {
            return None;
        }

        let triangles = mesh.shape().boundary_triangles();
        let mut numbers: FxHashMap<[u32; 3], usize> = FxHashMap::default();
        numbers.extend(triangles.iter().map(sorted).zip(0..));
        let mut surface = Self {
            faces: Vec::new(),
            of_triangle: vec![0; triangles.len()],
        };

        for (kind, nodes) in mesh.cells() {
            for (face, places) in kind.faces() {
                let nodes: Vec<u32> = places.iter().map(|&k| nodes[k as usize]).collect();
                surface.enter(face, &nodes, &numbers);
            }
        }

        Some(surface)
    }

    /// Adds a face if its triangles are on the boundary.
    fn enter(&mut self, kind: ElementKind, nodes: &[u32], numbers: &FxHashMap<[u32; 3], usize>) {
        let Some(kind) = FaceKind::of_element(kind) else {
            return;
        };
        let count = nodes.len();
        let number = self.faces.len() as u32;
        let mut is_outside = false;

        for (a, b, c) in triples(count) {
            let triangle = sorted(&[nodes[a], nodes[b], nodes[c]]);
            if let Some(&found) = numbers.get(&triangle) {
                self.of_triangle[found] = number;
                is_outside = true;
            }
        }

        if is_outside {
            let mut all = [0; MOST_FACE_NODES];
            all[..count].copy_from_slice(nodes);
            self.faces.push((kind, all));
        }
    }

    /// Returns the exit of a point from the solid, given the result of the search in tetrahedra;
    /// `points` are the current nodes.
    pub(super) fn refined(
        &self,
        point: &Point<3>,
        found: &BoundaryPoint,
        points: &[Point<3>],
    ) -> BoundaryPoint {
        let (kind, nodes) = &self.faces[self.of_triangle[found.face as usize] as usize];
        let corners = nodes.map(|node| points[node as usize]);
        let face = Face::new(*kind, &corners[..kind.node_count()]);

        let mut refined = *found;
        if let Some(projection) = face.and_then(|face| project(&face, point)) {
            refined.on = projection.point;
            refined.direction = projection.normal;
            refined.depth = -projection.gap;
        }

        refined
    }
}

fn sorted(triangle: &[u32; 3]) -> [u32; 3] {
    let mut nodes = *triangle;
    nodes.sort_unstable();
    nodes
}

fn triples(count: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let pairs = (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)));
    pairs.flat_map(move |(a, b)| (b + 1..count).map(move |c| (a, b, c)))
}
