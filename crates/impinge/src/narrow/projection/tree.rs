//! Closest point of a surface of finite-element faces [Aragon2013, eq. (17)], found through a
//! bounding-volume hierarchy.
//!
//! The boxes contain the curved faces ([`Faces::bounds`]), so the search never depends on which
//! node is nearest: it cannot miss on stretched faces, nor for points deep inside. Expected O(log
//! faces) per point.
//!
//! If the closest point is on an edge or a vertex, the normal of a single face does not determine
//! the side: a point in front of one face may be behind its neighbour's plane. The sign is then
//! taken from the angle-weighted sum of the normals of all adjacent faces (Bærentzen and Aanæs
//! 2005). At an open edge there is no inside, and the gap is positive.

use super::answer::{On, Projection, Status};
use super::foot::{ClosestPoint, foot};
use super::{TOUCH, dress, reach};
use crate::parallel::prelude::*;
use crate::shape::{Faces, Item, Problem, ProblemKind};
use crate::space::{Aabb, Point, Vector, is_usable};
use crate::tree::{Bvh, Update};
use std::cell::RefCell;

/// Finite-element faces with a bounding-volume hierarchy.
///
/// ```
/// use impinge::narrow::projection::FaceTree;
/// use impinge::shape::Cells;
/// use impinge::space::Point;
/// # use impinge::shape::{ElementKind, Mesh};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [1., 1., 1.], [0., 1., 1.]];
/// let mut mesh = Mesh { points: corners.map(Point::from).to_vec(), blocks: vec![] };
/// mesh.push(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]);
/// let cube = FaceTree::new(Cells::<3>::from_mesh(&mesh)?.boundary().faces);
/// assert_eq!(cube.nearest(&Point::from([0.5, 0.5, 0.75])).map(|found| found.projection.gap), Some(-0.25));
/// assert_eq!(cube.nearest(&Point::from([2.0, 1.0, 1.0])).map(|found| found.projection.gap), Some(1.0));
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "signed distance")]
#[doc(alias = "SDF")]
#[doc(alias = "contact search")]
pub struct FaceTree<const D: usize> {
    faces: Faces<D>,
    tree: Bvh<D>,
    around: Around,
    /// Memory of the boxes of the faces.
    boxes: Vec<Aabb<D>>,
}

/// The closest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearestFace<const D: usize> {
    /// The face that contains it; the first of those that share it.
    pub face: u32,
    /// Its projection onto the face. The sign of the gap is that of the surface, not of this face
    /// alone.
    pub projection: Projection<D>,
}

/// Squared distances that differ by less, relative to the squares of the coordinates involved, are
/// equal.
const TIE: f64 = 64.0 * f64::EPSILON;

impl<const D: usize> FaceTree<D> {
    /// Builds the hierarchy of the faces.
    pub fn new(faces: Faces<D>) -> Self {
        let mut boxes = Vec::new();
        find_boxes(&faces, &mut boxes);
        let tree = Bvh::new(&boxes);
        let around = Around::of(&faces);
        Self {
            faces,
            tree,
            around,
            boxes,
        }
    }

    /// Returns the faces.
    pub fn faces(&self) -> &Faces<D> {
        &self.faces
    }

    /// Returns the bounding box of all faces.
    pub fn bounds(&self) -> Aabb<D> {
        self.tree.bounds()
    }

    /// Returns the nodes of the faces, ascending.
    pub fn nodes(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> = (0..self.faces.len())
            .flat_map(|face| self.faces.nodes(face).iter().copied())
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Moves the points and refits the hierarchy, or rebuilds it if it has degraded. On an error
    /// nothing changes.
    pub fn set_points(&mut self, points: &[Point<D>]) -> Result<Update, Problem> {
        self.faces.set_points(points)?;
        find_boxes(&self.faces, &mut self.boxes);
        Ok(self.tree.update(&self.boxes))
    }

    /// Returns the closest point of the surface; `None` if the point is not finite or there are no
    /// faces.
    pub fn nearest(&self, point: &Point<D>) -> Option<NearestFace<D>> {
        self.nearest_among(point, f64::INFINITY, |_| true)
    }

    /// Returns the closest point of the surface, if one is at most `limit` away.
    pub fn nearest_within(&self, point: &Point<D>, limit: f64) -> Option<NearestFace<D>> {
        self.nearest_among(point, limit, |_| true)
    }

    /// Finds the closest points of the surface to many points, in parallel. The error names a point
    /// that is not finite.
    pub fn nearest_points(
        &self,
        points: &[Point<D>],
        found: &mut Vec<NearestFace<D>>,
    ) -> Result<(), Problem> {
        let bad = points
            .iter()
            .enumerate()
            .filter(|(_, point)| !is_usable(point));
        if let Some(problem) = Problem::of(ProblemKind::NotFinite, bad.map(|(i, _)| Item::Point(i)))
        {
            return Err(problem);
        }

        if self.faces.is_empty() {
            return Err(Problem::whole(ProblemKind::Empty));
        }

        let one = |point: &Point<D>| {
            self.nearest(point)
                .expect("a finite point has a closest point")
        };
        points
            .par_iter()
            .with_min_len(64)
            .map(one)
            .collect_into_vec(found);

        Ok(())
    }

    /// Returns the closest point on those faces that `may` accepts.
    pub(super) fn nearest_among(
        &self,
        point: &Point<D>,
        limit: f64,
        may: impl Fn(u32) -> bool,
    ) -> Option<NearestFace<D>> {
        if !is_usable(point) {
            return None;
        }

        let mut best: Option<(u32, ClosestPoint<D>)> = None;
        let mut is_tied = false;
        let least = self.tree.nearest(point, limit, |face, to_beat| {
            if !may(face) {
                return f64::INFINITY;
            }
            let Some(new) = foot(&self.faces.face(face as usize), point, to_beat, |_| ()) else {
                return f64::INFINITY;
            };
            let known = best
                .as_ref()
                .map_or(f64::INFINITY, |(_, foot)| foot.squared);
            let tie = TIE * (new.squared + reach(&new) * reach(&new));
            is_tied = match &best {
                _ if new.squared < known - tie => false,
                Some((_, old)) if new.squared <= known + tie => is_tied || are_apart(old, &new),
                _ => is_tied,
            };
            let first = best.as_ref().is_none_or(|&(other, _)| face < other);
            if new.squared < known || new.squared == known && first {
                best = Some((face, new));
            }
            new.squared
        })?;
        let (face, mut foot) = best.filter(|&(face, _)| face == least.item)?;

        if is_tied && foot.status == Status::Unique {
            foot.status = Status::Several;
        }

        Some(NearestFace {
            face,
            projection: self.signed(point, face, &foot),
        })
    }

    /// Completes the result with the sign of the surface.
    fn signed(&self, point: &Point<D>, face: u32, foot: &ClosestPoint<D>) -> Projection<D> {
        let mut projection = dress(&self.faces.face(face as usize), point, foot);
        if projection.on == On::Face {
            return projection;
        }

        let distance = projection.gap.abs();
        let outward = self.pseudo_normal(face, projection.on, foot.local);
        let behind = outward.is_some_and(|n| foot.r.dot(&n) > 0.0);
        projection.gap = if behind { -distance } else { distance };

        if distance > TOUCH * reach(foot) {
            projection.normal = foot.r * (-1.0 / projection.gap);
        } else if let Some(n) = outward {
            projection.normal = n;
        }

        projection
    }

    /// Returns the mean outward normal around an edge or a vertex; `None` if the surface is open
    /// there or has no normal.
    fn pseudo_normal(&self, face: u32, on: On, local: [f64; 2]) -> Option<Vector<D>> {
        let sum = match on {
            On::Face => return self.faces.face(face as usize).normal(local),
            On::Vertex(corner) => {
                self.normal_at_vertex(self.faces.nodes(face as usize)[corner as usize])?
            }
            On::Edge(edge) => self.normal_at_edge(face as usize, edge as usize, local)?,
        };
        let length = sum.norm();

        (length > 0.0).then(|| sum / length)
    }

    /// Returns Σ angle · normal over the corners at a node, or `None` if an edge from it has only
    /// one face.
    fn normal_at_vertex(&self, node: u32) -> Option<Vector<D>> {
        let mut sum = Vector::zeros();
        let mut ends = ENDS.take();
        ends.clear();
        for &(face, corner) in self.around.list(node) {
            let (face, corner) = (face as usize, corner as usize);
            let (kind, nodes) = (self.faces.kind(face), self.faces.nodes(face));
            let count = kind.corner_count();
            let shape = self.faces.face(face);
            let local = kind.node_positions()[corner];
            let Some(normal) = shape.normal(local) else {
                continue;
            };

            if D == 2 {
                ends.push(u32::from(corner == 0));
                sum += normal;
            } else {
                ends.extend([
                    nodes[(corner + 1) % count],
                    nodes[(corner + count - 1) % count],
                ]);
                sum += normal
                    * corner_angle(&shape.tangents(local), kind.node_positions(), corner, count);
            }
        }

        let is_closed = is_closed::<D>(&mut ends);
        ENDS.set(ends);
        is_closed.then_some(sum)
    }

    /// Returns the sum of the two normals at an edge, or `None` if it has only one face.
    fn normal_at_edge(&self, face: usize, edge: usize, local: [f64; 2]) -> Option<Vector<D>> {
        let (kind, nodes) = (self.faces.kind(face), self.faces.nodes(face));
        let next = (edge + 1) % kind.corner_count();
        let (from, to) = (nodes[edge], nodes[next]);
        let share = share_along(
            kind.node_positions()[edge],
            kind.node_positions()[next],
            local,
        );

        let mut sum = self
            .faces
            .face(face)
            .normal(local)
            .unwrap_or_else(Vector::zeros);
        let mut others = 0;

        for &(other, corner) in self.around.list(from) {
            let (other, corner) = (other as usize, corner as usize);
            let (kind, nodes) = (self.faces.kind(other), self.faces.nodes(other));
            let count = kind.corner_count();
            let ends = [(corner + 1) % count, (corner + count - 1) % count];
            let Some(&end) = ends.iter().find(|&&end| other != face && nodes[end] == to) else {
                continue;
            };
            let [p, q] = [corner, end].map(|corner| kind.node_positions()[corner]);
            let there = [0, 1].map(|i| p[i] + share * (q[i] - p[i]));

            sum += self
                .faces
                .face(other)
                .normal(there)
                .unwrap_or_else(Vector::zeros);

            others += 1;
        }

        (others > 0).then_some(sum)
    }

    /// Returns the mean outward normal at a node, over the faces that have it as a corner or a
    /// mid-side node.
    pub(super) fn normal_at_node(&self, node: u32) -> Option<Vector<D>> {
        let sum = self.around.list(node).iter().fold(
            Vector::zeros(),
            |sum: Vector<D>, &(face, place)| {
                let local = self.faces.kind(face as usize).node_positions()[place as usize];
                sum + self
                    .faces
                    .face(face as usize)
                    .normal(local)
                    .unwrap_or_else(Vector::zeros)
            },
        );
        let length = sum.norm();

        (length > 0.0).then(|| sum / length)
    }

    /// Returns the faces that have a node, with its position among the face's nodes; ascending.
    pub(crate) fn faces_around(&self, node: u32) -> &[(u32, u8)] {
        self.around.list(node)
    }
}

fn find_boxes<const D: usize>(faces: &Faces<D>, boxes: &mut Vec<Aabb<D>>) {
    (0..faces.len())
        .into_par_iter()
        .map(|face| faces.bounds(face))
        .collect_into_vec(boxes);
}

thread_local! {
    /// The nodes around a node, reused from query to query.
    static ENDS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Returns whether two closest points are different, not one point on a shared edge.
fn are_apart<const D: usize>(a: &ClosestPoint<D>, b: &ClosestPoint<D>) -> bool {
    const SAME: f64 = 1e-7;
    let size = reach(a).max(reach(b));
    (a.r - b.r).amax() > SAME * size
}

/// Returns the angle at a corner of a face, between its two edges.
fn corner_angle<const D: usize>(
    tangents: &[Vector<D>; 2],
    positions: &[[f64; 2]],
    corner: usize,
    count: usize,
) -> f64 {
    let towards = |end: usize| {
        let [x, y] = [0, 1].map(|i| positions[end][i] - positions[corner][i]);
        tangents[0] * x + tangents[1] * y
    };
    let (u, v) = (
        towards((corner + 1) % count),
        towards((corner + count - 1) % count),
    );

    let (across, along) = (
        (u.norm_squared() * v.norm_squared() - u.dot(&v).powi(2))
            .max(0.0)
            .sqrt(),
        u.dot(&v),
    );

    across.atan2(along)
}

/// Returns the fraction along an edge of natural coordinates.
fn share_along(from: [f64; 2], to: [f64; 2], local: [f64; 2]) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let off = [local[0] - from[0], local[1] - from[1]];
    (off[0] * along[0] + off[1] * along[1]) / (along[0] * along[0] + along[1] * along[1])
}

/// Returns whether every edge around a vertex, by its other end, belongs to two faces or more; in
/// 2D, whether one line begins here and another ends.
fn is_closed<const D: usize>(ends: &mut [u32]) -> bool {
    ends.sort_unstable();
    if D == 2 {
        return ends.contains(&0) && ends.contains(&1);
    }
    ends.chunk_by(|a, b| a == b).all(|same| same.len() > 1)
}

/// For each node the faces that have it and its position in them: those of node n are
/// `list[starts[n]..starts[n + 1]]`.
#[derive(Clone, Debug)]
struct Around {
    starts: Vec<u32>,
    list: Vec<(u32, u8)>,
}

impl Around {
    fn of<const D: usize>(faces: &Faces<D>) -> Self {
        let mut starts = vec![0u32; faces.points().len() + 1];
        let each = || {
            (0..faces.len())
                .flat_map(|face| faces.nodes(face).iter().map(move |&node| (face, node)))
        };
        each().for_each(|(_, node)| starts[node as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut next = starts.clone();
        let mut list = vec![(0, 0); starts[starts.len() - 1] as usize];

        for face in 0..faces.len() {
            for (place, &node) in faces.nodes(face).iter().enumerate() {
                list[next[node as usize] as usize] = (face as u32, place as u8);
                next[node as usize] += 1;
            }
        }

        Self { starts, list }
    }

    fn list(&self, node: u32) -> &[(u32, u8)] {
        &self.list[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}
