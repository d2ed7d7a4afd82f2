//! Exact intersecting pairs of triangles within one surface and between two, touching included.
//!
//! Pairs without common nodes are tested with [`touch`]. If nodes are shared or a triangle has no
//! area, the exact test of [`triangle_tetrahedron`](super::triangle_tetrahedron) decides: a
//! triangle is also a tetrahedron of zero volume whose last two corners coincide. Candidates come
//! from a bounding-volume hierarchy, around nodes of many triangles by directions: O(n log n +
//! pairs).

mod fans;

use super::solids::Neighbours;
use super::triangle::touch;
use super::triangle_tetrahedron::{Relation, Shared, relation_beyond};
use crate::parallel::prelude::*;
use crate::shape::{Item, Problem, ProblemKind};
use crate::space::{self, Aabb, Point, collinear, is_usable};
use crate::tree::Bvh;
use fans::Fans;

/// Number of triangles per parallel task.
const PIECE: usize = 1024;

/// A list of triangles, closed or not, with its bounding-volume hierarchy.
///
/// ```
/// use impinge::narrow::triangles::Triangles;
/// use impinge::shape::generate;
/// use impinge::space::{Point, Vector};
/// let ball = generate::sphere(3)?;
/// let moved: Vec<Point<3>> = ball.points().iter().map(|p| p + Vector::repeat(0.7)).collect();
/// let (a, b) = (Triangles::new(ball.points(), ball.triangles())?, Triangles::new(&moved, ball.triangles())?);
/// let mut pairs = Vec::new();
/// a.find_between(&b, &mut pairs);
/// assert!(pairs.len() > 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Triangles {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    /// Whether each triangle has an area.
    has_area: Vec<bool>,
    tree: Bvh<3>,
}

impl Triangles {
    /// Copies the triangles. Coordinates must be usable and nodes must exist; triangles may be
    /// degenerate.
    pub fn new(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        let points = space::points(points);
        let bad = points
            .iter()
            .enumerate()
            .filter(|(_, p)| !is_usable(p))
            .map(|(i, _)| Item::Point(i));

        if let Some(problem) = Problem::of(ProblemKind::NotFinite, bad) {
            return Err(problem);
        }

        let missing = |t: &[u32; 3]| t.iter().any(|&n| n as usize >= points.len());
        let bad = triangles
            .iter()
            .enumerate()
            .filter(|(_, t)| missing(t))
            .map(|(i, _)| Item::Triangle(i));

        if let Some(problem) = Problem::of(ProblemKind::IndexOutOfRange, bad) {
            return Err(problem);
        }

        let corners = |t: &[u32; 3]| t.map(|n| points[n as usize]);
        let boxes: Vec<Aabb<3>> = triangles.iter().map(|t| Aabb::of(corners(t))).collect();
        let has_area = triangles
            .iter()
            .map(corners)
            .map(|[a, b, c]| !collinear(&a, &b, &c))
            .collect();
        let tree = Bvh::new(&boxes);

        Ok(Self {
            points,
            triangles: triangles.to_vec(),
            has_area,
            tree,
        })
    }

    /// Returns the points.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// Returns the nodes of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn corners(&self, triangle: u32) -> [Point<3>; 3] {
        self.triangles[triangle as usize].map(|n| self.points[n as usize])
    }

    /// Replaces `pairs` by the intersecting pairs of triangles of this and the other surface,
    /// sorted.
    pub fn find_between(&self, other: &Self, pairs: &mut Vec<[u32; 2]>) {
        self.find(
            pairs,
            |a, near| other.tree.find_overlapping(&self.bounds_of(a), near),
            |a, b| self.meets(a, other, b, Shared::NOTHING),
        );
    }

    /// Replaces `pairs` by the intersecting pairs of triangles of this surface, lower index first,
    /// sorted. Neighbours over a face are here those that share an edge.
    pub fn find_self(&self, neighbours: Neighbours, pairs: &mut Vec<[u32; 2]>) {
        let meets = |a, b| a < b && self.meets_within(a, b, neighbours);
        match Fans::new(self).filter(|_| neighbours != Neighbours::Face) {
            Some(fans) => self.find(pairs, |a, near| fans.find(a, near), meets),
            None => self.find(
                pairs,
                |a, near| self.tree.find_overlapping(&self.bounds_of(a), near),
                meets,
            ),
        }
    }

    fn bounds_of(&self, triangle: u32) -> Aabb<3> {
        Aabb::of(self.corners(triangle))
    }

    fn meets_within(&self, a: u32, b: u32, neighbours: Neighbours) -> bool {
        let shared = Shared::of(
            &self.triangles[a as usize],
            &doubled(self.triangles[b as usize]),
        );
        match (neighbours, shared.count()) {
            // The same triangle twice.
            (_, 3) => true,
            (Neighbours::Face, 2) | (Neighbours::Node, 1..) => false,
            (Neighbours::Exact, _) => self.meets(a, self, b, shared),
            _ => self.meets(a, self, b, Shared::NOTHING),
        }
    }

    /// Returns whether two triangles share any point besides their shared nodes.
    fn meets(&self, a: u32, other: &Self, b: u32, shared: Shared) -> bool {
        let (first, second) = (self.corners(a), other.corners(b));
        if shared == Shared::NOTHING && self.has_area[a as usize] && other.has_area[b as usize] {
            return touch(&first, &second);
        }
        relation_beyond(&first, &doubled(second), shared) != Relation::Apart
    }

    /// Replaces `pairs` by those that meet among each triangle and its candidates, sorted lists.
    fn find(
        &self,
        pairs: &mut Vec<[u32; 2]>,
        candidates: impl Fn(u32, &mut Vec<u32>) + Sync,
        meets: impl Fn(u32, u32) -> bool + Sync,
    ) {
        let pieces: Vec<Vec<[u32; 2]>> = (0..self.triangles.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let (mut found, mut near) = (Vec::new(), Vec::new());
                for a in piece * PIECE..((piece + 1) * PIECE).min(self.triangles.len()) {
                    candidates(a as u32, &mut near);
                    found.extend(
                        near.iter()
                            .filter(|&&b| meets(a as u32, b))
                            .map(|&b| [a as u32, b]),
                    );
                }
                found
            })
            .collect();
        pairs.clear();

        pieces
            .iter()
            .for_each(|piece| pairs.extend_from_slice(piece));
    }
}

/// Returns the triangle as a flat tetrahedron.
fn doubled<T: Copy>([a, b, c]: [T; 3]) -> [T; 4] {
    [a, b, c, c]
}

#[cfg(test)]
mod tests;
