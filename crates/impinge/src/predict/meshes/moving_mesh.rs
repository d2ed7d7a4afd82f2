//! A triangle mesh with its hierarchy of moving boxes.

use super::moving_box::MovingBox;
use crate::shape::{Problem, ProblemKind, check, check_triangles, visit_edges};
use crate::space::{self, Aabb, Point};
use crate::tree::Bvh;

/// A triangle mesh prepared for continuous collision detection. Reuse it from step to step.
///
/// ```
/// use impinge::predict::{ImpactOptions, MovingMesh, first_impact};
/// use impinge::space::points;
/// let at = |z: f64| points::<3>(&[[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]);
/// let mut falling = MovingMesh::new(&at(1.0), &[[0, 1, 2]])?;
/// falling.set_step(&at(1.0), &at(-3.0))?;
/// let floor = MovingMesh::new(&at(0.0), &[[0, 1, 2]])?;
/// let impact = first_impact(&falling, &floor, &ImpactOptions::default()).expect("it falls through");
/// assert!((impact.from - 0.25).abs() < 1e-9);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[doc(alias = "CCD")]
#[derive(Clone, Debug)]
pub struct MovingMesh {
    triangles: Vec<[u32; 3]>,
    /// Bits 0 to 2: this face tests its vertex at that index; bits 3 to 5: its edge starting at
    /// that index.
    owned: Vec<u8>,
    start: Vec<Point<3>>,
    end: Vec<Point<3>>,
    pub(super) tree: Bvh<3>,
    pub(super) boxes: Vec<MovingBox>,
    /// Bound on the rounding of a coordinate.
    pub(super) rounding: f64,
}

impl MovingMesh {
    /// Prepares a mesh at rest. It may be open, non-manifold or have faces without area; vertices
    /// without a face are ignored.
    pub fn new(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        let points = space::points(points);
        if !triangles.is_empty() {
            check_triangles(&points, triangles)?;
        }

        let boxes: Vec<Aabb<3>> = triangles
            .iter()
            .map(|t| Aabb::of(t.map(|n| points[n as usize])))
            .collect();
        let mut mesh = Self {
            owned: owners(points.len(), triangles),
            triangles: triangles.to_vec(),
            start: points.clone(),
            end: points,
            tree: Bvh::new(&boxes),
            boxes: Vec::new(),
            rounding: 0.0,
        };
        mesh.fit();

        Ok(mesh)
    }

    /// Sets the vertex positions at the start and at the end of the step.
    pub fn set_step(&mut self, start: &[Point<3>], end: &[Point<3>]) -> Result<(), Problem> {
        for points in [start, end] {
            if points.len() != self.start.len() {
                return Err(Problem::whole(ProblemKind::WrongCount));
            }
            check::none(check::not_finite(points))?;
        }

        self.start.copy_from_slice(start);
        self.end.copy_from_slice(end);
        self.fit();
        Ok(())
    }

    /// Returns the triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the positions at the start and at the end of the step.
    pub fn points(&self) -> [&[Point<3>]; 2] {
        [&self.start, &self.end]
    }

    /// Refits the hierarchy to the step; rebuilds it if the mesh has deformed too much.
    fn fit(&mut self) {
        let faces: Vec<Aabb<3>> = self
            .triangles
            .iter()
            .map(|t| Aabb::of(t.map(|n| self.start[n as usize])))
            .collect();
        self.tree.update(&faces);

        self.boxes.clear();
        self.boxes.resize(self.tree.nodes.len(), MovingBox::EMPTY);

        // Children are stored after their parents.
        for (number, node) in self.tree.nodes.iter().enumerate().rev() {
            self.boxes[number] = if node.is_leaf() {
                let faces = self.tree.items_of(node).iter();
                faces.fold(MovingBox::EMPTY, |sum, &face| {
                    sum.merged(&self.face_box(face))
                })
            } else {
                let first = node.first as usize;
                self.boxes[first].merged(&self.boxes[first + 1])
            };
        }

        let largest = [&self.start, &self.end]
            .into_iter()
            .flatten()
            .map(|p| p.coords.amax())
            .fold(0.0, f64::max);

        self.rounding = 4.0 * f64::EPSILON * largest;
    }

    /// Positions of some vertices at the start and at the end of the step.
    pub(super) fn step<const N: usize>(&self, vertices: [u32; N]) -> [[Point<3>; N]; 2] {
        [&self.start, &self.end].map(|points| vertices.map(|n| points[n as usize]))
    }

    pub(super) fn face_box(&self, face: u32) -> MovingBox {
        let [start, end] = self.step(self.triangles[face as usize]);
        MovingBox::of(start, end)
    }

    /// The vertices that a face owns and tests.
    pub(super) fn owned_vertices(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        let (triangle, owned) = (self.triangles[face as usize], self.owned[face as usize]);
        (0..3)
            .filter(move |k| owned & (1 << k) != 0)
            .map(move |k| triangle[k])
    }

    /// The edges that a face owns and tests, as vertices in ascending order.
    pub(super) fn owned_edges(&self, face: u32) -> impl Iterator<Item = [u32; 2]> + '_ {
        let (triangle, owned) = (self.triangles[face as usize], self.owned[face as usize]);
        (0..3).filter(move |k| owned & (8 << k) != 0).map(move |k| {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            [a.min(b), a.max(b)]
        })
    }
}

/// Assigns every vertex and every edge to the first face that has it.
fn owners(node_count: usize, triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut owned = vec![0u8; triangles.len()];
    let mut seen = vec![false; node_count];

    for (triangle, owned) in triangles.iter().zip(&mut owned) {
        for (k, &vertex) in triangle.iter().enumerate() {
            if !std::mem::replace(&mut seen[vertex as usize], true) {
                *owned |= 1 << k;
            }
        }
    }

    visit_edges(node_count, triangles, |_, half_edges| {
        let first = half_edges[0];
        owned[first.triangle()] |= 8 << first.side();
    });
    owned
}
