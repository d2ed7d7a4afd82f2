//! Penetration depth of a hit: its depth, its deepest point and the direction out.
//!
//! The way out of a solid leads to its own nearest surface. In a self-contact the nearest face
//! overall belongs to the penetrating part itself, so the search must stay within the penetrated
//! part. [`Depths`] propagates the nearest boundary triangle from the boundary to the inner nodes
//! over the mesh, in order of distance. A point query then starts from the triangles of the
//! surrounding nodes and descends over the surface while the distance decreases. The distance is
//! that of a true surface point: never too small, and too large by less than an element where two
//! parts of the surface are equally far. O(n log n) for a solid, a few microseconds per point.

use super::brute::face_corners;
use super::{FaceHit, Relation};
use crate::parallel::prelude::*;
use crate::shape::{NO_NEIGHBOUR, Solid};
use crate::space::{Point, Sign, Vector, orient3};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No triangle.
const NONE: u32 = u32::MAX;

/// Number of tetrahedra around a point whose nodes are used. Where parts of the surface are equally
/// far, adjacent nodes store different ones.
const MOST_SEEN: usize = 40;

/// Minimum number of hits per task.
const CHUNK: usize = 32;

/// Number of triangles that a search remembers.
const MOST_TESTED: usize = 48;

/// Largest number of corners of a triangle clipped by a tetrahedron.
const MOST_CORNERS: usize = 3 + 4;

/// Cosine between a point's own normal and a face normal, above which the point cannot have entered
/// through the face.
const FACING: f64 = -0.1;

/// The nearest boundary triangle of each node of a solid in its current shape.
#[derive(Clone, Debug)]
pub struct Depths {
    nearest: Vec<u32>,
    /// The boundary triangles around each node.
    starts: Vec<u32>,
    faces: Vec<u32>,
    /// Memory of the propagation.
    spread: Spread,
}

/// Memory of the propagation of the nearest triangles.
#[derive(Clone, Debug, Default)]
struct Spread {
    /// Squared distance of each node to its triangle.
    best: Vec<f64>,
    /// A node is met in several tetrahedra: the triangle that it was compared with last.
    compared: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

/// The nearest surface point of a point inside, with depth and direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BoundaryPoint {
    /// The boundary triangle.
    pub face: u32,
    /// The point on it.
    pub on: Point<3>,
    /// The distance.
    pub depth: f64,
    /// Unit vector from the point to the surface; zero for a point on it.
    pub direction: Vector<3>,
}

/// A hit with its deepest point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Penetration {
    /// Face, tetrahedron, relation.
    pub hit: FaceHit,
    /// The deepest point shared by face and tetrahedron.
    pub deepest: Point<3>,
    /// Its barycentric coordinates in the tetrahedron; they are ≥ 0 and add up to 1.
    pub barycentric: [f64; 4],
    /// Nearest surface point.
    pub out: BoundaryPoint,
}

/// A boundary node inside a tetrahedron that does not have it as a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NodePenetration {
    /// The node.
    pub node: u32,
    /// The tetrahedron; the first of several.
    pub tetrahedron: u32,
    /// The node's barycentric coordinates in it.
    pub barycentric: [f64; 4],
    /// Nearest surface point among the faces that oppose the node's own normal.
    pub out: BoundaryPoint,
    /// Nearest surface point of all, for a node that came in from the side.
    pub nearest: BoundaryPoint,
}

impl Depths {
    /// Propagates the nearest boundary triangles through the solid.
    pub fn new(solid: &Solid) -> Self {
        let (starts, faces) = faces_around(solid);
        let mut depths = Self {
            nearest: vec![NONE; solid.points().len()],
            starts,
            faces,
            spread: Spread::default(),
        };
        depths.update(solid);

        depths
    }

    fn around(&self, node: u32) -> &[u32] {
        &self.faces[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Follows the solid after its points have moved.
    ///
    /// Dijkstra's algorithm: a node passes on its triangle once no nearer one can arrive.
    pub fn update(&mut self, solid: &Solid) {
        let mut spread = std::mem::take(&mut self.spread);
        let Spread {
            best,
            compared,
            heap,
        } = &mut spread;
        best.clear();
        best.resize(solid.points().len(), f64::INFINITY);
        compared.clear();
        compared.resize(solid.points().len(), NONE);
        self.nearest.fill(NONE);
        for &node in solid.boundary_nodes() {
            best[node as usize] = 0.0;
            self.nearest[node as usize] = self.around(node)[0];
            // Squared distances are not negative, so they order like their bits.
            heap.push(Reverse((0u64, node)));
        }

        while let Some(Reverse((bits, node))) = heap.pop() {
            if f64::from_bits(bits) > best[node as usize] {
                continue;
            }

            let face = self.nearest[node as usize];
            for &t in solid.tetrahedra_around(node as usize) {
                for &next in &solid.tetrahedra()[t as usize] {
                    if std::mem::replace(&mut compared[next as usize], face) == face
                        || best[next as usize] == 0.0
                    {
                        continue;
                    }
                    let squared = squared_distance(solid, face, &solid.points()[next as usize]);
                    if squared < best[next as usize] {
                        best[next as usize] = squared;
                        self.nearest[next as usize] = face;
                        heap.push(Reverse((squared.to_bits(), next)));
                    }
                }
            }
        }
        self.spread = spread;
    }

    /// Returns the nearest surface point for a point in a tetrahedron.
    pub fn at(&self, solid: &Solid, point: &Point<3>, tetrahedron: u32) -> BoundaryPoint {
        let mut search = Search::new(solid, point);
        let (mut seen, mut next) = (Seen::new(tetrahedron), 0);
        while let Some(t) = seen.get(next) {
            next += 1;
            let nodes = solid.tetrahedra()[t as usize];
            nodes
                .into_iter()
                .for_each(|node| search.test(self.nearest[node as usize]));

            if seen.has_room() && search.reaches(&nodes) {
                seen.add_neighbours(&solid.neighbours()[t as usize]);
            }
        }

        self.descend(search)
    }

    /// Returns an upper bound of the squared depth of a point in a tetrahedron.
    fn bound(&self, solid: &Solid, point: &Point<3>, tetrahedron: u32) -> f64 {
        let mut search = Search::new(solid, point);
        for node in solid.tetrahedra()[tetrahedron as usize] {
            search.test(self.nearest[node as usize]);
        }
        search.best.0
    }

    /// Returns the deepest of some points in a tetrahedron; the first of several that are equally deep.
    /// Points whose bound is below the depth of another are not searched for.
    fn deepest(
        &self,
        solid: &Solid,
        points: &[Point<3>],
        tetrahedron: u32,
    ) -> Option<(Point<3>, BoundaryPoint)> {
        let mut bounds = [(0.0, 0); MOST_CORNERS];
        let bounds = &mut bounds[..points.len()];
        for (n, (bound, point)) in bounds.iter_mut().zip(points).enumerate() {
            *bound = (self.bound(solid, point, tetrahedron), n);
        }
        bounds.sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));

        let mut best: Option<(usize, BoundaryPoint)> = None;
        for &(bound, n) in bounds.iter() {
            // Squares and roots round: only what is clearly less deep is left out.
            if best.is_some_and(|(_, out)| bound * (1.0 + 1e-12) < out.depth * out.depth) {
                break;
            }
            let out = self.at(solid, &points[n], tetrahedron);
            let is_deeper = |(m, best): (usize, BoundaryPoint)| {
                out.depth > best.depth || (out.depth == best.depth && n < m)
            };
            if best.is_none_or(is_deeper) {
                best = Some((n, out));
            }
        }

        best.map(|(n, out)| (points[n], out))
    }

    /// Returns the surface point for a point of another surface in a tetrahedron, restricted to
    /// faces it can have entered through: those that oppose its own outward normal. Two stacked
    /// blocks thus press normal to their common plane even at its rim, where the nearest surface is
    /// sideways. Falls back to [`Self::at`] if no such face is near.
    pub fn facing(
        &self,
        solid: &Solid,
        point: &Point<3>,
        tetrahedron: u32,
        normal: &Vector<3>,
    ) -> BoundaryPoint {
        let mut search = Search {
            facing: Some(*normal),
            ..Search::new(solid, point)
        };
        let (mut seen, mut next) = (Seen::new(tetrahedron), 0);
        while let Some(t) = seen.get(next) {
            next += 1;
            let nodes = solid.tetrahedra()[t as usize];
            for node in nodes {
                search.test(self.nearest[node as usize]);
                self.around(node).iter().for_each(|&face| search.test(face));
            }

            if seen.has_room() && search.reaches(&nodes) {
                seen.add_neighbours(&solid.neighbours()[t as usize]);
            }
        }

        if search.best.1 == NONE {
            return self.at(solid, point, tetrahedron);
        }

        self.improve(&mut search);
        along_normal(solid, point, search.best.1)
    }

    /// Returns the outward unit normal of a boundary node: the angle-weighted mean of its faces;
    /// zero if they cancel.
    pub fn normal(&self, solid: &Solid, node: u32) -> Vector<3> {
        let of_face = |&face: &u32| {
            let nodes = solid.boundary_triangles()[face as usize];
            let place = nodes.iter().position(|&n| n == node).unwrap_or(0);
            let [a, b, c] = [0, 1, 2].map(|i| solid.points()[nodes[(place + i) % 3] as usize]);
            face_normal(solid, face) * (b - a).angle(&(c - a))
        };
        let sum: Vector<3> = self.around(node).iter().map(of_face).sum();

        sum.try_normalize(0.0).unwrap_or_else(Vector::zeros)
    }

    /// Descends over the surface while the distance decreases.
    fn improve(&self, search: &mut Search) {
        loop {
            let before = search.best;
            for node in search.solid.boundary_triangles()[before.1 as usize] {
                self.around(node).iter().for_each(|&face| search.test(face));
            }
            if search.best.0 >= before.0 {
                return;
            }
        }
    }

    fn descend(&self, mut search: Search) -> BoundaryPoint {
        self.improve(&mut search);
        self.way(search.solid, &search.point, search.best.1)
    }

    fn way(&self, solid: &Solid, point: &Point<3>, face: u32) -> BoundaryPoint {
        let on = closest(solid, face, point);
        let way = on - point;
        let depth = way.norm();
        let direction = if depth > 0.0 {
            way / depth
        } else {
            Vector::zeros()
        };

        BoundaryPoint {
            face,
            on,
            depth,
            direction,
        }
    }
}

/// A search for the boundary triangle nearest to a point. None is compared twice.
struct Search<'a> {
    solid: &'a Solid,
    point: Point<3>,
    /// Only triangles that oppose this direction count.
    facing: Option<Vector<3>>,
    /// Squared distance, triangle.
    best: (f64, u32),
    tested: [u32; MOST_TESTED],
    count: usize,
}

impl<'a> Search<'a> {
    fn new(solid: &'a Solid, point: &Point<3>) -> Self {
        Self {
            solid,
            point: *point,
            facing: None,
            best: (f64::INFINITY, NONE),
            tested: [NONE; MOST_TESTED],
            count: 0,
        }
    }

    fn test(&mut self, face: u32) {
        if face == NONE || self.tested[..self.count].contains(&face) {
            return;
        }
        // With no room left, triangles may be compared again.
        if self.count < MOST_TESTED {
            self.tested[self.count] = face;
            self.count += 1;
        }

        let is_behind = |normal: Vector<3>| face_normal(self.solid, face).dot(&normal) > FACING;
        if !self.facing.is_some_and(is_behind) {
            let squared = squared_distance(self.solid, face, &self.point);
            if squared < self.best.0 {
                self.best = (squared, face);
            }
        }
    }

    /// Returns whether a node is closer than the nearest triangle.
    fn reaches(&self, nodes: &[u32; 4]) -> bool {
        let points = self.solid.points();
        let is_closer =
            |&node: &u32| (points[node as usize] - self.point).norm_squared() < self.best.0;
        nodes.iter().any(is_closer)
    }
}

/// The tetrahedra around a point, in the order in which they are found.
struct Seen {
    tetrahedra: [u32; MOST_SEEN + 3],
    count: usize,
}

impl Seen {
    fn new(first: u32) -> Self {
        Self {
            tetrahedra: [first; MOST_SEEN + 3],
            count: 1,
        }
    }

    fn get(&self, number: usize) -> Option<u32> {
        self.tetrahedra[..self.count].get(number).copied()
    }

    fn has_room(&self) -> bool {
        self.count < MOST_SEEN
    }

    fn add_neighbours(&mut self, neighbours: &[u32; 4]) {
        for &other in neighbours {
            if other != NO_NEIGHBOUR && !self.tetrahedra[..self.count].contains(&other) {
                self.tetrahedra[self.count] = other;
                self.count += 1;
            }
        }
    }
}

/// Outward unit normal of a boundary triangle; zero for one without area.
fn face_normal(solid: &Solid, face: u32) -> Vector<3> {
    let [a, b, c] = face_corners(solid, face);
    let normal = (b - a).cross(&(c - a));
    normal.try_normalize(0.0).unwrap_or_else(Vector::zeros)
}

/// Returns the surface point on a face along its normal, also from beside it.
fn along_normal(solid: &Solid, point: &Point<3>, face: u32) -> BoundaryPoint {
    let (on, direction) = (closest(solid, face, point), face_normal(solid, face));
    let depth = (on - point).dot(&direction).max(0.0);
    BoundaryPoint {
        face,
        on,
        depth,
        direction: if depth > 0.0 {
            direction
        } else {
            Vector::zeros()
        },
    }
}

fn squared_distance(solid: &Solid, face: u32, point: &Point<3>) -> f64 {
    (closest(solid, face, point) - point).norm_squared()
}

fn faces_around(solid: &Solid) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; solid.points().len() + 2];
    let corners = solid.boundary_triangles().as_flattened();
    corners
        .iter()
        .for_each(|&node| starts[node as usize + 2] += 1);
    (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
    let mut faces = vec![0; corners.len()];

    for (corner, &node) in corners.iter().enumerate() {
        faces[starts[node as usize + 1] as usize] = corner as u32 / 3;
        starts[node as usize + 1] += 1;
    }

    starts.pop();
    (starts, faces)
}

/// Returns the point of a boundary triangle nearest to a point.
fn closest(solid: &Solid, face: u32, point: &Point<3>) -> Point<3> {
    let [a, b, c] = face_corners(solid, face);
    let (u, v, w) = (b - a, c - a, point - a);
    let normal = u.cross(&v);
    let squared = normal.norm_squared();

    if squared > 0.0 {
        let (beta, gamma) = (
            w.cross(&v).dot(&normal) / squared,
            u.cross(&w).dot(&normal) / squared,
        );
        if beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0 {
            return a + u * beta + v * gamma;
        }
    }

    let on_side = |p: Point<3>, q: Point<3>| {
        let edge = q - p;
        let share = edge.dot(&(point - p)) / edge.norm_squared();
        // NaN for a side of zero length, which the comparison sends to the start.
        if share > 0.0 {
            p + edge * share.min(1.0)
        } else {
            p
        }
    };

    let nearer = |p: Point<3>, q: Point<3>| {
        if (q - point).norm_squared() < (p - point).norm_squared() {
            q
        } else {
            p
        }
    };

    nearer(nearer(on_side(a, b), on_side(b, c)), on_side(c, a))
}

/// Computes the deepest points of hits of `faces_of`'s faces in `solid`, which may be the same, in
/// the order of the hits; replaces `found`.
pub fn penetrations(
    faces_of: &Solid,
    solid: &Solid,
    hits: &[FaceHit],
    depths: &Depths,
    found: &mut Vec<Penetration>,
) {
    let penetration = |&hit: &FaceHit| {
        let corners = solid.corners(hit.tetrahedron as usize);
        let common = Corners::common(&face_corners(faces_of, hit.face), &corners);
        let deepest = depths.deepest(solid, common.as_slice(), hit.tetrahedron);
        let (deepest, out) = deepest.unwrap_or_else(|| {
            let point = pulled_in(&face_corners(faces_of, hit.face), &corners);
            (point, depths.at(solid, &point, hit.tetrahedron))
        });
        Penetration {
            hit,
            deepest,
            barycentric: barycentric(&corners, &deepest),
            out,
        }
    };
    hits.par_iter()
        .with_min_len(CHUNK)
        .map(penetration)
        .collect_into_vec(found);
}

/// Returns the boundary nodes of `faces_of` inside tetrahedra of `solid`, from the hits of their
/// faces, ascending by node; replaces `found`.
pub fn node_penetrations(
    (faces_of, own_depths): (&Solid, &Depths),
    (solid, depths): (&Solid, &Depths),
    hits: &[FaceHit],
    found: &mut Vec<NodePenetration>,
) {
    let mut inside = INSIDE.take();
    inside.clear();
    let is_same = std::ptr::eq(faces_of, solid);
    for hit in hits {
        let nodes = solid.tetrahedra()[hit.tetrahedron as usize];
        let corners = solid.corners(hit.tetrahedron as usize);
        for node in faces_of.boundary_triangles()[hit.face as usize] {
            if !(is_same && nodes.contains(&node))
                && holds(&corners, &faces_of.points()[node as usize])
            {
                inside.push((node, hit.tetrahedron));
            }
        }
    }

    inside.sort_unstable();
    inside.dedup_by_key(|entry| entry.0);
    let penetration = |&(node, tetrahedron): &(u32, u32)| {
        let point = &faces_of.points()[node as usize];
        let barycentric = barycentric(&solid.corners(tetrahedron as usize), point);
        NodePenetration {
            node,
            tetrahedron,
            barycentric,
            out: depths.facing(
                solid,
                point,
                tetrahedron,
                &own_depths.normal(faces_of, node),
            ),
            nearest: depths.at(solid, point, tetrahedron),
        }
    };

    found.clear();
    found.extend(inside.iter().map(penetration));
    INSIDE.set(inside);
}

thread_local! {
    /// Nodes and the tetrahedra that hold them, reused from call to call.
    static INSIDE: RefCell<Vec<(u32, u32)>> = const { RefCell::new(Vec::new()) };
}

/// Returns whether a point lies in or on a tetrahedron that is not flat, exactly.
fn holds(corners: &[Point<3>; 4], point: &Point<3>) -> bool {
    let [a, b, c, d] = corners;
    let volume = orient3(a, b, c, d) as i8;
    let signs = [
        orient3(point, b, c, d),
        orient3(a, point, c, d),
        orient3(a, b, point, d),
        orient3(a, b, c, point),
    ];

    volume != Sign::Zero as i8 && signs.iter().all(|&sign| sign as i8 * volume >= 0)
}

/// Corners of a clipped triangle.
#[derive(Clone, Copy)]
struct Corners {
    points: [Point<3>; MOST_CORNERS],
    count: usize,
}

impl Corners {
    /// Returns the corners of the intersection of a triangle and a tetrahedron, by clipping; none if
    /// lost to rounding.
    fn common(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4]) -> Self {
        let mut corners = Self::none();
        triangle.iter().for_each(|&corner| corners.push(corner));
        for opposite in 0..4 {
            let [a, b, c] = [1, 2, 3].map(|i| tetrahedron[(opposite + i) % 4]);
            let normal = (b - a).cross(&(c - a));
            let inner = normal.dot(&(tetrahedron[opposite] - a)).signum();
            corners = corners.clipped(|p| normal.dot(&(p - a)) * inner);
        }

        corners
    }

    fn none() -> Self {
        Self {
            points: [Point::origin(); MOST_CORNERS],
            count: 0,
        }
    }

    fn push(&mut self, point: Point<3>) {
        // Rounding may let the border cross a plane more than twice.
        if self.count < MOST_CORNERS {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Point<3>] {
        &self.points[..self.count]
    }

    /// Returns the part whose height is not negative.
    fn clipped(&self, height: impl Fn(&Point<3>) -> f64) -> Self {
        let (points, mut kept) = (self.as_slice(), Self::none());
        for (i, p) in points.iter().enumerate() {
            let q = &points[(i + 1) % points.len()];
            let (at_p, at_q) = (height(p), height(q));
            if at_p >= 0.0 {
                kept.push(*p);
            }
            if (at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0) {
                kept.push(p + (q - p) * (at_p / (at_p - at_q)));
            }
        }

        kept
    }
}

/// Returns a point of the tetrahedron near the triangle, for hits that touch in a point not
/// representable in floating point.
fn pulled_in(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4]) -> Point<3> {
    let middle = Point::from(triangle.iter().map(|p| p.coords).sum::<Vector<3>>() / 3.0);
    let weights = barycentric(tetrahedron, &middle);
    Point::from(
        (0..4)
            .map(|i| tetrahedron[i].coords * weights[i])
            .sum::<Vector<3>>(),
    )
}

/// Barycentric coordinates, clamped to ≥ 0; in a flat tetrahedron those of the nearest corner.
fn barycentric(corners: &[Point<3>; 4], point: &Point<3>) -> [f64; 4] {
    let volume = |[a, b, c, d]: [Point<3>; 4]| (b - a).cross(&(c - a)).dot(&(d - a));
    let whole = volume(*corners);
    let weights: [f64; 4] = std::array::from_fn(|i| {
        let mut with = *corners;
        with[i] = *point;
        (volume(with) / whole).max(0.0)
    });
    let sum: f64 = weights.iter().sum();

    if sum.is_finite() && sum > 0.0 {
        return weights.map(|w| w / sum);
    }

    let away = |i: &usize| (corners[*i] - point).norm_squared();
    let nearest = (0..4)
        .reduce(|best, i| if away(&i) < away(&best) { i } else { best })
        .unwrap_or(0);
    std::array::from_fn(|i| if i == nearest { 1.0 } else { 0.0 })
}

impl FaceHit {
    /// Returns whether the face enters the interior of the tetrahedron, not only its boundary.
    pub fn crosses(&self) -> bool {
        self.relation == Relation::Crossing
    }
}
