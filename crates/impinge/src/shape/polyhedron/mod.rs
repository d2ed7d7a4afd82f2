//! Convex polyhedra with half-edges.
//!
//! Facets are planar polygons with any number of corners, and their planes are exact. By exact
//! orientation predicates, no two neighbours are coplanar, and no three corners of a facet are
//! collinear. Walks over features (\[Schinner1997\]'s closest features, hill climbing to a support
//! point) can rely on it: there is no flat edge with an empty Voronoi region. The half-edges of
//! each facet are numbered consecutively, counter-clockwise seen from outside.

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
use super::{Problem, ProblemKind, weld};
use crate::space::{self, Aabb, LARGEST_COORDINATE, Point, Sign, Vector, orient3};
use facets::facets;
use hull::hull;
use starts::Starts;
use std::ops::Range;

/// One side of an edge; it belongs to the facet on its left, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfEdge {
    /// The start vertex.
    pub origin: u32,
    /// The half-edge of the same edge in the neighbouring facet.
    pub twin: u32,
    /// The next half-edge of the facet, counter-clockwise.
    pub next: u32,
    /// The facet that the half-edge belongs to.
    pub face: u32,
}

/// The plane of a facet: all x with normal·x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane {
    /// Outward unit normal.
    pub normal: Vector<3>,
    /// Largest product of the normal with a corner of the facet. For bodies far from the origin it
    /// has few significant digits; [`Polyhedron::height`] measures from a corner instead.
    pub offset: f64,
}

/// A convex body bounded by planar polygons.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "convex hull")]
#[doc(alias = "convex mesh")]
pub struct Polyhedron {
    points: Vec<Point<3>>,
    half_edges: Vec<HalfEdge>,
    /// Start of the half-edges of each facet; one more entry than facets.
    face_starts: Vec<u32>,
    planes: Vec<Plane>,
    /// Start of the ring of each vertex in the next two arrays; one more entry than vertices.
    ring_starts: Vec<u32>,
    outgoing: Vec<u32>,
    neighbours: Vec<u32>,
    bounds: Aabb<3>,
    starts: Starts,
}

impl Polyhedron {
    /// Computes the convex hull of any points. Its vertices are the extreme points in the order of
    /// the input. Points inside, on facets or on edges and duplicates are omitted, and exactly
    /// coplanar triangles are merged into one facet. Coordinates below 1e-90 are taken as zero.
    /// Errors: `Empty`, `TooMany`, `NotFinite`, `Flat`.
    ///
    /// ```
    /// use impinge::shape::Polyhedron;
    /// let corners: Vec<[f64; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    /// let cube = Polyhedron::hull(&corners)?;
    /// assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
    /// assert_eq!(cube.volume(), 1.0);
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn hull(points: &[impl Copy + Into<Point<3>>]) -> Result<Self, Problem> {
        let (points, _) = weld(&enter(&space::points(points))?);
        let facets = facets(&points, &hull(&points)?);
        Ok(Self::assemble(&points, facets))
    }

    /// Creates a box with the given edges, centred at the origin. Errors: `NotFinite`, `NotPositive`.
    ///
    /// ```
    /// use impinge::shape::Polyhedron;
    /// let brick = Polyhedron::cuboid([2.0, 3.0, 4.0])?;
    /// assert_eq!((brick.face_count(), brick.volume()), (6, 24.0));
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn cuboid(edges: [f64; 3]) -> Result<Self, Problem> {
        let half = edges.map(|edge| 0.5 * edge);
        if half.iter().any(|x| x.is_nan() || *x > LARGEST_COORDINATE) {
            return Err(Problem::whole(ProblemKind::NotFinite));
        }

        if half.iter().any(|x| *x <= 0.0) {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }

        let corner = |i: usize| {
            let sign = |axis: usize| if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
            Point::from([0, 1, 2].map(|axis| sign(axis) * half[axis]))
        };
        Self::hull(&(0..8).map(corner).collect::<Vec<_>>())
    }

    /// Creates the body bounded by these faces: polygons with any number of corners,
    /// counter-clockwise seen from outside.
    ///
    /// Corners of a face may deviate from its plane, and the faces may be concave, by at most 1e-6
    /// of the body's longest extent; single-precision files contain no exactly planar
    /// quadrilaterals. The result is the exact hull of the corners, so that the body is convex
    /// without a tolerance. An exactly planar face remains one facet, coplanar faces are merged,
    /// and a face that is not quite planar becomes several facets. Points not used by any face are
    /// ignored.
    ///
    /// Errors: `Empty`, `TooMany`, `NotFinite`; `IndexOutOfRange`, `RepeatedNode`, `ZeroArea`
    /// naming the face; `DuplicatePoint`; `OpenEdge`, `NonManifoldEdge`, `InconsistentOrientation`
    /// naming the edge; `NonManifoldVertex`; `Flat`; `InsideOut`; `NotConvex` naming the first face
    /// that is not planar or has points above it (or the whole, if it is not one surface without
    /// holes).
    pub fn from_faces(
        points: &[impl Copy + Into<Point<3>>],
        faces: &[impl AsRef<[u32]>],
    ) -> Result<Self, Problem> {
        let points = enter(&space::points(points))?;
        let faces: Vec<&[u32]> = faces.iter().map(AsRef::as_ref).collect();
        let used = topology::check_closed(&points, &faces)?;
        let body = Self::hull(&used)?;
        agreement::check(&body, &points, &faces)?;
        Ok(body)
    }

    /// Builds half-edges, rings and planes from facets that are known to bound a convex body.
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

    /// All half-edges, facet by facet.
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

    /// The two vertices of a half-edge, its origin first.
    #[inline]
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let HalfEdge { origin, next, .. } = self.half_edges[half_edge as usize];
        [origin, self.half_edges[next as usize].origin]
    }

    /// The indices of a facet's half-edges, counter-clockwise.
    #[inline]
    pub fn face_half_edges(&self, face: usize) -> Range<u32> {
        self.face_starts[face]..self.face_starts[face + 1]
    }

    /// The corners of a facet, counter-clockwise seen from outside; no three of them are collinear.
    pub fn face_corners(&self, face: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        let Range { start, end } = self.face_half_edges(face);
        self.half_edges[start as usize..end as usize]
            .iter()
            .map(|half_edge| half_edge.origin)
    }

    /// The planes of the facets.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Height of a point above the plane of a facet, measured from one of its corners: accurate at
    /// any distance from the origin.
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

    /// The smallest enclosing axis-aligned box.
    pub fn bounds(&self) -> Aabb<3> {
        self.bounds
    }

    /// Returns whether the closed body contains the point; exact. O(facets).
    pub fn contains(&self, point: &Point<3>) -> bool {
        (0..self.face_count()).all(|face| self.side(face, point) != Sign::Positive)
    }

    /// Returns the exact side of a facet's plane: positive outside.
    pub fn side(&self, face: usize, point: &Point<3>) -> Sign {
        let start = self.face_starts[face] as usize;
        let [a, b, c] = [0, 1, 2].map(|k| &self.points[self.half_edges[start + k].origin as usize]);
        orient3(a, b, c, point)
    }

    /// Support map: the vertex furthest in a direction. Climbs from the vertex `start` to the best
    /// neighbour until none is better. A start near the answer costs one ring. Heights are relative
    /// to `start`, so that the result is accurate to their rounding at any distance from the
    /// origin. They grow at every step, so the climb terminates.
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

    /// Support map without a start vertex: begins at one from a table. For callers that know no
    /// better start.
    pub fn furthest(&self, direction: &Vector<3>) -> u32 {
        self.support(direction, self.starts.towards(direction))
    }

    /// Panics if an invariant is violated: closed half-edges, Euler's formula, exactly planar
    /// facets, strictly convex edges. A surface that is locally convex everywhere and a single
    /// topological sphere is convex.
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

/// The outgoing half-edges of each vertex in cyclic order, starting with the lowest.
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
