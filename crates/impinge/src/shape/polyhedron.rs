//! Convex polyhedra with half-edges.
//!
//! Facets are planar polygons with any number of corners, their planes exact: no two neighbours are coplanar, no
//! three corners of a facet are on one line, and all of it is decided by exact orientation. Walks over features
//! (\[Schinner1997\]'s closest features, climbing to a support point) can rely on it: there is no flat edge on which a
//! Voronoi region would be empty. Each facet's half-edges are numbered one after another, counter-clockwise seen from
//! outside.

mod agreement;
mod facets;
mod hull;
mod mass;
mod starts;
#[cfg(test)]
mod tests;
mod topology;

use super::double::unit_normal;
use super::entry::enter;
use super::{Problem, weld};
use crate::space::{Aabb, Point, Sign, Vector, orient3};
use facets::facets;
use hull::hull;
use starts::Starts;
use std::ops::Range;

/// One side of an edge: it belongs to the facet on its left, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfEdge {
    /// The vertex that it starts from.
    pub origin: u32,
    /// The half-edge of the same edge in the neighbouring facet.
    pub twin: u32,
    /// The next half-edge of the facet, counter-clockwise.
    pub next: u32,
    /// The facet.
    pub face: u32,
}

/// The plane of a facet: all x with normal·x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Outward unit normal.
    pub normal: Vector<3>,
    /// Largest product of the normal with a corner of the facet. For bodies far from the origin it has few digits;
    /// [`Polyhedron::height`] measures from a corner instead.
    pub offset: f64,
}

/// A convex body bounded by planar polygons.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    points: Vec<Point<3>>,
    half_edges: Vec<HalfEdge>,
    /// Where the half-edges of each facet start; one more entry than facets.
    face_starts: Vec<u32>,
    planes: Vec<Plane>,
    /// Where the ring of each vertex starts in the next two; one more entry than vertices.
    ring_starts: Vec<u32>,
    outgoing: Vec<u32>,
    neighbours: Vec<u32>,
    bounds: Aabb<3>,
    starts: Starts,
}

impl Polyhedron {
    /// The convex hull of any points. Its vertices are the extreme points in the order of the input; points inside, on
    /// facets or on edges and repeated ones are left out, and exactly coplanar triangles are one facet. Coordinates
    /// below 1e-90 are taken as zero. Errors: `Empty`, `TooMany`, `NotFinite`, `Flat`.
    ///
    /// ```
    /// use impinge::{shape::Polyhedron, space::Point};
    /// let corners: Vec<Point<3>> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
    /// let cube = Polyhedron::hull(&corners)?;
    /// assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
    /// assert_eq!(cube.volume(), 1.0);
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn hull(points: &[Point<3>]) -> Result<Self, Problem> {
        let (points, _) = weld(&enter(points)?);
        let facets = facets(&points, &hull(&points)?);
        Ok(Self::assemble(&points, facets))
    }

    /// The body bounded by these faces: polygons with any number of corners, counter-clockwise seen from outside.
    ///
    /// Corners of a face may leave its plane, and the faces may be dented, by at most 1e-6 of the body's longest
    /// extent: files with single precision hold no exactly planar quadrilaterals. What is kept is the exact hull of
    /// the corners, so that the body is convex without a tolerance; an exactly planar face stays one facet, faces in
    /// one plane are joined, and a face that is not quite planar becomes several facets. Points that no face uses
    /// are ignored.
    ///
    /// Errors: `Empty`, `TooMany`, `NotFinite`; `IndexOutOfRange`, `RepeatedNode`, `ZeroArea` naming the face;
    /// `DuplicatePoint`; `OpenEdge`, `NonManifoldEdge`, `InconsistentOrientation` naming the edge;
    /// `NonManifoldVertex`; `Flat`; `InsideOut`; `NotConvex` naming the first face that is not planar or has points
    /// above it (or the whole, if it is not one surface without holes).
    pub fn from_faces(points: &[Point<3>], faces: &[impl AsRef<[u32]>]) -> Result<Self, Problem> {
        let points = enter(points)?;
        let faces: Vec<&[u32]> = faces.iter().map(AsRef::as_ref).collect();
        let used = topology::check_closed(&points, &faces)?;
        let body = Self::hull(&used)?;
        agreement::check(&body, &points, &faces)?;
        Ok(body)
    }

    /// Half-edges, rings and planes of facets that are known to bound a convex body.
    fn assemble(points: &[Point<3>], facets: Vec<Vec<u32>>) -> Self {
        let (points, facets) = renumber(points, facets);
        let mut face_starts = vec![0];
        face_starts.extend(facets.iter().scan(0, |end, facet| {
            *end += facet.len() as u32;
            Some(*end)
        }));
        let planes = facets.iter().map(|facet| plane(&points, facet)).collect();
        let half_edges = half_edges(&facets, &face_starts);
        let (ring_starts, outgoing) = rings(points.len(), &half_edges);
        let target = |&h: &u32| half_edges[half_edges[h as usize].next as usize].origin;
        let neighbours = outgoing.iter().map(target).collect();
        let (bounds, starts) = (Aabb::of(points.iter().copied()), Starts::default());
        let mut body = Self {
            points,
            half_edges,
            face_starts,
            planes,
            ring_starts,
            outgoing,
            neighbours,
            bounds,
            starts,
        };
        body.starts = Starts::of(&body);
        body
    }

    /// The vertices.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.points.len()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.half_edges.len() / 2
    }

    /// Number of facets.
    pub fn face_count(&self) -> usize {
        self.planes.len()
    }

    /// All half-edges, those of a facet one after another.
    pub fn half_edges(&self) -> &[HalfEdge] {
        &self.half_edges
    }

    /// The half-edge before `half_edge` in its facet.
    #[inline]
    pub fn previous(&self, half_edge: u32) -> u32 {
        let Range { start, end } =
            self.face_half_edges(self.half_edges[half_edge as usize].face as usize);
        if half_edge == start {
            end - 1
        } else {
            half_edge - 1
        }
    }

    /// The two vertices of a half-edge, first its origin.
    #[inline]
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let HalfEdge { origin, next, .. } = self.half_edges[half_edge as usize];
        [origin, self.half_edges[next as usize].origin]
    }

    /// The numbers of a facet's half-edges, counter-clockwise.
    #[inline]
    pub fn face_half_edges(&self, face: usize) -> Range<u32> {
        self.face_starts[face]..self.face_starts[face + 1]
    }

    /// A facet's corners, counter-clockwise seen from outside; no three of them on one line.
    pub fn face_corners(&self, face: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        let Range { start, end } = self.face_half_edges(face);
        self.half_edges[start as usize..end as usize]
            .iter()
            .map(|half_edge| half_edge.origin)
    }

    /// The facets' planes.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Height of a point above a facet's plane, measured from a corner of it: accurate at any offset from the origin.
    #[inline]
    pub fn height(&self, face: usize, point: &Point<3>) -> f64 {
        let corner = self.half_edges[self.face_starts[face] as usize].origin;
        self.planes[face]
            .normal
            .dot(&(point - self.points[corner as usize]))
    }

    /// The half-edges that leave a vertex, clockwise seen from outside.
    #[inline]
    pub fn outgoing(&self, vertex: usize) -> &[u32] {
        &self.outgoing[self.ring(vertex)]
    }

    /// The vertices that share an edge with `vertex`, in the order of [`Polyhedron::outgoing`].
    #[inline]
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.ring(vertex)]
    }

    fn ring(&self, vertex: usize) -> Range<usize> {
        self.ring_starts[vertex] as usize..self.ring_starts[vertex + 1] as usize
    }

    /// The smallest axis-aligned box around it.
    pub fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    /// Whether the closed body holds the point; exact. O(facets).
    pub fn contains(&self, point: &Point<3>) -> bool {
        (0..self.face_count()).all(|face| self.side(face, point) != Sign::Positive)
    }

    /// The exact side of a facet's plane: positive outside.
    pub fn side(&self, face: usize, point: &Point<3>) -> Sign {
        let start = self.face_starts[face] as usize;
        let [a, b, c] = [0, 1, 2].map(|k| &self.points[self.half_edges[start + k].origin as usize]);
        orient3(a, b, c, point)
    }

    /// The vertex furthest in a direction, by climbing from the vertex `start` to the best neighbour until none is
    /// better. A start near the answer costs one ring. Heights are taken relative to `start`, so that the answer is
    /// as good as their rounding at any offset, and they grow at every step, so that it ends.
    pub fn support(&self, direction: &Vector<3>, start: u32) -> u32 {
        let origin = self.points[start as usize];
        let (mut best, mut best_height) = (start, 0.0);
        loop {
            let here = best;
            for &neighbour in self.neighbours(here as usize) {
                let height = direction.dot(&(self.points[neighbour as usize] - origin));
                if height > best_height {
                    (best, best_height) = (neighbour, height);
                }
            }
            if best == here {
                return best;
            }
        }
    }

    /// The vertex furthest in a direction, searched from a table of starts. For where no better start is known.
    pub fn furthest(&self, direction: &Vector<3>) -> u32 {
        self.support(direction, self.starts.towards(direction))
    }

    /// Panics where an invariant is broken: closed half-edges, Euler's formula, exactly planar facets, strictly
    /// convex edges. Locally convex everywhere and one sphere means convex.
    pub fn assert_valid(&self) {
        let count = |n: usize| n as i64;
        let euler =
            count(self.vertex_count()) - count(self.edge_count()) + count(self.face_count());
        assert_eq!(euler, 2, "Euler's formula");
        assert_eq!(
            self.outgoing.len(),
            self.half_edges.len(),
            "every half-edge is in one ring"
        );
        for (h, half_edge) in self.half_edges.iter().enumerate() {
            let twin = self.half_edges[half_edge.twin as usize];
            assert_eq!(twin.twin as usize, h, "twins of each other");
            assert_eq!(
                self.half_edges[half_edge.next as usize].face, half_edge.face,
                "next in the same facet"
            );
            let [origin, target] = self.ends(h as u32);
            assert_eq!(
                self.ends(half_edge.twin),
                [target, origin],
                "twins run opposite ways"
            );
            for corner in self
                .face_corners(twin.face as usize)
                .filter(|c| ![origin, target].contains(c))
            {
                let side = self.side(half_edge.face as usize, &self.points[corner as usize]);
                assert_eq!(side, Sign::Negative, "edge {origin}-{target} is convex");
            }
        }
        for face in 0..self.face_count() {
            let mut corners = self
                .face_corners(face)
                .map(|corner| &self.points[corner as usize]);
            assert!(
                corners.all(|corner| self.side(face, corner) == Sign::Zero),
                "facet {face} is planar"
            );
        }
        for vertex in 0..self.vertex_count() {
            assert!(
                self.neighbours(vertex).len() >= 3,
                "vertex {vertex} has three edges"
            );
        }
    }
}

/// Keeps the points that are corners, in their order.
fn renumber(points: &[Point<3>], mut facets: Vec<Vec<u32>>) -> (Vec<Point<3>>, Vec<Vec<u32>>) {
    let mut number = vec![u32::MAX; points.len()];
    facets
        .iter()
        .flatten()
        .for_each(|&corner| number[corner as usize] = 0);
    let mut kept = Vec::new();
    for (point, number) in points
        .iter()
        .zip(&mut number)
        .filter(|(_, number)| **number == 0)
    {
        *number = kept.len() as u32;
        kept.push(*point);
    }
    facets
        .iter_mut()
        .flatten()
        .for_each(|corner| *corner = number[*corner as usize]);
    (kept, facets)
}

fn plane(points: &[Point<3>], facet: &[u32]) -> Plane {
    let corners: Vec<Point<3>> = facet
        .iter()
        .map(|&corner| points[corner as usize])
        .collect();
    let normal = unit_normal(&corners);
    let offset = corners
        .iter()
        .map(|corner| normal.dot(&corner.coords))
        .fold(f64::NEG_INFINITY, f64::max);
    Plane { normal, offset }
}

fn half_edges(facets: &[Vec<u32>], face_starts: &[u32]) -> Vec<HalfEdge> {
    let faces: Vec<&[u32]> = facets.iter().map(Vec::as_slice).collect();
    let twins = topology::pair_half_edges(&faces).expect("facets of a hull are closed");
    let mut half_edges = Vec::with_capacity(twins.len());
    for (face, facet) in facets.iter().enumerate() {
        let start = face_starts[face];
        for (k, &origin) in facet.iter().enumerate() {
            let next = start + ((k + 1) % facet.len()) as u32;
            half_edges.push(HalfEdge {
                origin,
                twin: twins[half_edges.len()],
                next,
                face: face as u32,
            });
        }
    }
    half_edges
}

/// For each vertex its outgoing half-edges in turn, from the least on.
fn rings(vertices: usize, half_edges: &[HalfEdge]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![u32::MAX; vertices];
    for (h, half_edge) in half_edges.iter().enumerate().rev() {
        first[half_edge.origin as usize] = h as u32;
    }
    let (mut starts, mut outgoing) = (vec![0], Vec::with_capacity(half_edges.len()));
    for start in first {
        let mut h = start;
        loop {
            outgoing.push(h);
            h = half_edges[half_edges[h as usize].twin as usize].next;
            if h == start {
                break;
            }
        }
        starts.push(outgoing.len() as u32);
    }
    (starts, outgoing)
}
