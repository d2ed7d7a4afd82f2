//! How deep convex polyhedra overlap: a kept shell in the difference of the bodies.
//!
//! A and B overlap where the origin is in M = {a − b}, and the depth is the distance from the origin to the boundary
//! of M. A shell is a closed surface of triangles around the origin whose corners are points of M, each the difference
//! of two vertices. If the origin is below all triangles and none of their planes is nearer to it than δ, then every
//! ray from the origin meets the shell at δ or later, and since M is convex it holds the whole ball of radius δ: the
//! depth is at least δ, also where motion has made the shell dented. If the nearest triangle is on the boundary of M
//! the depth is δ, and that it is so is asked of the neighbours of one vertex of each body.
//!
//! As long as it is not so the vertex of M furthest beyond the nearest triangle is added, as in the expanding
//! polytope of van den Bergen (2001), but without a limit: M has finitely many vertices and the shell grows by every
//! one. Planes of slivers are taken from the bodies' own normals, or lowered by their rounding error. What is new is that the shell is kept. Its corners are pairs of vertex numbers; from step to step they are
//! placed anew, a few dozen planes are measured, and mostly the nearest triangle still is a facet of M: the true
//! depth, certified, for the cost of these planes.

use super::Relative;
use super::facet::Part;
use super::features3::TOUCH;
use super::segment::{point_segment, segment_segment};
use crate::shape::Polyhedron;
use crate::space::{Point, Vector};

/// A triangle is on the boundary of M if M reaches no further beyond it than this, relative to the coordinates.
const FLUSH: f64 = 1e-14;

/// Sine of a corner's angle below which the cross product of two sides is not trusted: its plane is off by some
/// 1e-16 of the coordinates divided by this.
const SLIVER: f64 = 1e-2;

/// Rounding error of a plane's height, in units of its sides' lengths times the coordinates.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A shell may follow the motion until it has this many corners, or twice as many as when it was built.
const FEW_CORNERS: usize = 24;

const NONE: u32 = u32::MAX;

/// A point of M.
#[derive(Clone, Copy, Debug)]
struct Corner {
    a: u32,
    b: u32,
    at: Vector<3>,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [u32; 3],
    /// The triangle behind the side from corner k to corner k + 1.
    across: [u32; 3],
    /// Outward, of any length.
    normal: Vector<3>,
    /// Whether the corner that is being added sees it.
    seen: bool,
}

/// The shell; its triangles are counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Shell {
    corners: Vec<Corner>,
    triangles: Vec<Triangle>,
    /// For each triangle its signed distance from the origin times its magnitude: ordered as the distance, without a
    /// root. Infinite for unused places.
    keys: Vec<f64>,
    unused: Vec<u32>,
    /// Magnitude of the coordinates that the corners are differences of.
    magnitude: f64,
    /// Corners right after it was built.
    built: usize,
    /// Whether it was built for the current poses, and so is convex.
    fresh: bool,
    seen: Vec<u32>,
    /// Around the seen triangles: from, to, the triangle behind.
    rim: Vec<[u32; 3]>,
    /// For each corner of the rim the new triangle whose rim side starts there.
    fan: Vec<u32>,
}

/// The facet of M next to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// What each body contributes. Where there is room between the bodies: the vertices next to it.
    pub(super) parts: [Part; 2],
    /// Outward, in the first body's frame.
    pub(super) normal: Vector<3>,
    /// Overlap of the bodies along the normal: no depth is greater.
    pub(super) overlap: f64,
    /// Radius of a ball inside M: no depth is less.
    pub(super) inner: f64,
    /// Witness points, each in its body's own frame.
    pub(super) on: [Point<3>; 2],
    /// Whether there is room between the bodies.
    pub(super) apart: bool,
}

struct Difference<'a> {
    a: &'a Polyhedron,
    b: &'a Polyhedron,
    relative: &'a Relative<3>,
}

impl Difference<'_> {
    #[inline]
    fn corner(&self, a: u32, b: u32) -> Corner {
        let at = -self.relative.seen_from(&self.a.points()[a as usize], &self.b.points()[b as usize]);
        Corner { a, b, at }
    }

    /// The corner of M furthest in a direction, climbing from another.
    fn support(&self, direction: &Vector<3>, start: &Corner) -> Corner {
        let a = self.a.support(direction, start.a);
        let b = self.b.support(&-self.relative.vector_in_b(direction), start.b);
        self.corner(a, b)
    }

    fn magnitude(&self, corner: &Corner) -> f64 {
        self.relative.magnitude(&self.a.points()[corner.a as usize], &self.b.points()[corner.b as usize])
    }

    /// The further one of the two corners of M in this and the opposite direction, seen from a third.
    fn further_side(&self, direction: &Vector<3>, from: &Corner) -> Corner {
        let (up, down) = (self.support(direction, from), self.support(&-direction, from));
        let height = |corner: &Corner| direction.dot(&(corner.at - from.at)).abs();
        if height(&up) >= height(&down) { up } else { down }
    }
}

impl Shell {
    /// Four corners of M that span a volume.
    pub(super) fn new(a: &Polyhedron, b: &Polyhedron, relative: &Relative<3>) -> Self {
        let m = Difference { a, b, relative };
        let mut shell = Self::default();
        shell.build(&m, None);
        shell
    }

    /// A tetrahedron on the given triangle, or on one of its own where that is degenerate.
    fn build(&mut self, m: &Difference, base: Option<[Corner; 3]>) {
        let normal = |[p, q, r]: &[Corner; 3]| (q.at - p.at).cross(&(r.at - p.at));
        let mut base = base.filter(|base| normal(base).amax() > 0.0).unwrap_or_else(|| first_triangle(m));
        let apex = m.further_side(&normal(&base), &base[0]);
        if normal(&base).dot(&(apex.at - base[0].at)) > 0.0 {
            base.swap(1, 2);
        }
        self.corners.clear();
        self.corners.extend(base);
        self.corners.push(apex);
        self.magnitude = self.corners.iter().map(|c| m.magnitude(c)).fold(self.magnitude, f64::max);
        self.triangles.clear();
        self.keys.clear();
        self.unused.clear();
        let sides = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (corners, across) in sides.into_iter().zip(across) {
            self.add(m, corners, across);
        }
        (self.built, self.fresh) = (0, true);
    }

    /// The facet of M next to the origin, for new poses of the bodies.
    pub(super) fn nearest_facet(
        &mut self,
        a: &Polyhedron,
        b: &Polyhedron,
        relative: &Relative<3>,
        tests: &mut u32,
    ) -> Facet {
        let m = Difference { a, b, relative };
        self.place(&m);
        let facet = self.close_in(&m, tests);
        // A shell that was only moved proves nothing if the origin is on it: it might not go around.
        if facet.apart || self.fresh || facet.overlap > TOUCH * self.magnitude {
            return facet;
        }
        self.rebuild(&m);
        self.close_in(&m, tests)
    }

    fn place(&mut self, m: &Difference) {
        self.magnitude = 0.0;
        for corner in &mut self.corners {
            *corner = m.corner(corner.a, corner.b);
            self.magnitude = self.magnitude.max(m.magnitude(corner));
        }
        for t in 0..self.triangles.len() {
            if self.keys[t] < f64::INFINITY {
                self.measure(m, t);
            }
        }
        self.fresh = false;
        if self.corners.len() > FEW_CORNERS.max(2 * self.built) {
            self.rebuild(m);
        }
    }

    fn rebuild(&mut self, m: &Difference) {
        let nearest = self.triangles[self.nearest_triangle()].corners;
        self.build(m, Some(nearest.map(|c| self.corners[c as usize])));
    }

    #[inline]
    fn measure(&mut self, m: &Difference, t: usize) {
        let [p, q, r] = self.triangles[t].corners.map(|c| self.corners[c as usize].at);
        let (u, v) = (q - p, r - p);
        let normal = u.cross(&v);
        let squared = normal.norm_squared();
        if squared > SLIVER * SLIVER * u.norm_squared() * v.norm_squared() {
            let height = normal.dot(&p);
            self.triangles[t].normal = normal;
            self.keys[t] = height * height.abs() / squared;
        } else {
            self.measure_sliver(m, t);
        }
    }

    /// The plane of a triangle whose cross product has few digits.
    #[cold]
    fn measure_sliver(&mut self, m: &Difference, t: usize) {
        let corners = self.triangles[t].corners.map(|c| self.corners[c as usize]);
        let [p, q, r] = corners.map(|c| c.at);
        // The two shorter sides: of a needle, those that are not both long.
        let sides = [(p, q - p, r - p), (q, r - q, p - q), (r, p - r, q - r)];
        let length = |(_, u, v): &(Vector<3>, Vector<3>, Vector<3>)| u.norm_squared() + v.norm_squared();
        let shortest = sides.iter().min_by(|x, y| length(x).total_cmp(&length(y)));
        let (at, u, v) = shortest.unwrap_or(&sides[0]);
        let normal = u.cross(v);
        let area = normal.norm();
        let parts = [0, 1].map(|k| Part::exactly_holding([m.a, m.b][k], corners.map(|c| [c.a, c.b][k])));
        let own = match parts {
            [Some(a), Some(b)] if area > 0.0 && spans_plane([a, b]) => own_normal(m, [a, b], &normal),
            _ => None,
        };
        let by_plane = (normal.dot(at) - ROUNDING * u.norm() * v.norm() * self.magnitude) / area;
        // No point of the triangle is further from its longest side than its height over it.
        let longest = v - u;
        let by_side = point_segment(&-(at + u), &longest).1.norm() - area / longest.norm();
        // `max` ignores a plane that is not a number.
        let distance = own.map_or_else(|| by_side.max(by_plane), |own| own.dot(at));
        self.triangles[t].normal = own.unwrap_or(normal);
        self.keys[t] = distance * distance.abs();
    }

    fn add(&mut self, m: &Difference, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let triangle = Triangle { corners, across, normal: Vector::zeros(), seen: false };
        let t = self.unused.pop().unwrap_or(self.triangles.len() as u32);
        if t as usize == self.triangles.len() {
            self.triangles.push(triangle);
            self.keys.push(0.0);
        } else {
            self.triangles[t as usize] = triangle;
        }
        self.measure(m, t as usize);
        t
    }

    fn nearest_triangle(&self) -> usize {
        let mut best = (0, f64::INFINITY);
        for (t, &key) in self.keys.iter().enumerate() {
            if key < best.1 {
                best = (t, key);
            }
        }
        best.0
    }

    /// Adds corners of M until no triangle is nearer than one on the boundary of M.
    fn close_in(&mut self, m: &Difference, tests: &mut u32) -> Facet {
        *tests += self.triangles.len() as u32;
        let (mut best, mut floor): (Option<Facet>, f64) = (None, f64::INFINITY);
        loop {
            *tests += 1;
            let nearest = self.nearest_triangle();
            let inner = self.keys[nearest].abs().sqrt().copysign(self.keys[nearest]);
            if let Some(facet) = best
                && inner >= facet.overlap - FLUSH * self.magnitude
            {
                self.built = if self.fresh && self.built == 0 { self.corners.len() } else { self.built };
                return Facet { inner: inner.min(floor).min(facet.overlap), ..facet };
            }
            let normal = self.triangles[nearest].normal.normalize();
            let base = self.corners[self.triangles[nearest].corners[0] as usize];
            let furthest = m.support(&normal, &base);
            let overlap = normal.dot(&furthest.at);
            if overlap < -TOUCH * self.magnitude {
                return apart(&furthest, normal, overlap);
            }
            let flush = overlap - normal.dot(&base.at) <= FLUSH * self.magnitude;
            if !flush && self.insert(m, nearest, furthest) {
                continue;
            }
            if !flush && !self.fresh {
                self.rebuild(m);
                (best, floor) = (None, f64::INFINITY);
                continue;
            }
            let facet = self.facet(m, nearest, normal, overlap);
            if best.is_none_or(|best| facet.overlap < best.overlap) {
                best = Some(facet);
            }
            floor = floor.min(inner);
            self.keys[nearest] = f64::MAX;
        }
    }

    /// Adds a corner beyond a triangle: the triangles that it sees make way for a fan from their rim. False where
    /// that cannot be done, because it is a corner already or rounding has torn the rim.
    fn insert(&mut self, m: &Difference, nearest: usize, corner: Corner) -> bool {
        if self.corners.iter().any(|c| (c.a, c.b) == (corner.a, corner.b)) {
            return false;
        }
        self.find_seen(nearest, &corner.at);
        let new = self.corners.len() as u32;
        if !self.rim_is_one_cycle() {
            for &t in &self.seen {
                self.triangles[t as usize].seen = false;
            }
            return false;
        }
        self.corners.push(corner);
        self.magnitude = self.magnitude.max(m.magnitude(&corner));
        for i in 0..self.seen.len() {
            let t = self.seen[i];
            self.keys[t as usize] = f64::INFINITY;
            self.unused.push(t);
        }
        for i in 0..self.rim.len() {
            let [from, to, behind] = self.rim[i];
            let t = self.add(m, [from, to, new], [behind, NONE, NONE]);
            self.fan[from as usize] = t;
            let behind = &mut self.triangles[behind as usize];
            let back = (0..3).find(|&k| behind.corners[k] == to && behind.corners[(k + 1) % 3] == from);
            behind.across[back.expect("neighbours share a side in opposite directions")] = t;
        }
        for i in 0..self.rim.len() {
            let [from, to, _] = self.rim[i];
            let (t, after) = (self.fan[from as usize], self.fan[to as usize]);
            self.triangles[t as usize].across[1] = after;
            self.triangles[after as usize].across[2] = t;
        }
        true
    }

    /// Gathers the triangles below a point, from one of them outward, and their rim.
    fn find_seen(&mut self, start: usize, eye: &Vector<3>) {
        self.seen.clear();
        self.rim.clear();
        self.triangles[start].seen = true;
        self.seen.push(start as u32);
        let mut visited = 0;
        while visited < self.seen.len() {
            let Triangle { corners, across, .. } = self.triangles[self.seen[visited] as usize];
            visited += 1;
            for k in 0..3 {
                let neighbour = &mut self.triangles[across[k] as usize];
                if neighbour.seen {
                    continue;
                }
                let base = self.corners[neighbour.corners[0] as usize].at;
                if neighbour.normal.dot(&(eye - base)) > 0.0 {
                    neighbour.seen = true;
                    self.seen.push(across[k]);
                } else {
                    self.rim.push([corners[k], corners[(k + 1) % 3], across[k]]);
                }
            }
        }
    }

    /// Whether the rim goes once around and meets no corner twice: then what is seen is a disc.
    fn rim_is_one_cycle(&mut self) -> bool {
        self.fan.clear();
        self.fan.resize(self.corners.len(), NONE);
        for &[from, to, _] in &self.rim {
            if self.fan[from as usize] != NONE {
                return false;
            }
            self.fan[from as usize] = to;
        }
        let Some(&[start, mut at, _]) = self.rim.first() else { return false };
        let mut length = 1;
        while at != start && at != NONE && length <= self.rim.len() {
            at = self.fan[at as usize];
            length += 1;
        }
        at == start && length == self.rim.len() && length >= 3
    }

    /// The facet of M that a triangle is on, with the digits of the bodies' own normals, and the witness points.
    fn facet(&self, m: &Difference, nearest: usize, normal: Vector<3>, overlap: f64) -> Facet {
        let (triangle, weights) = self.under_origin(nearest, &normal);
        let corners = self.triangles[triangle].corners.map(|c| self.corners[c as usize]);
        let vertices = [corners.map(|c| c.a), corners.map(|c| c.b)];
        let between = [blend(m.a, vertices[0], weights), blend(m.b, vertices[1], weights)];
        let parts = [0, 1].map(|k| Part::holding([m.a, m.b][k], vertices[k], &between[k]));
        let own = own_normal(m, parts, &normal).map(|own| (own, own.dot(&m.support(&own, &corners[0]).at)));
        // The two normals differ by rounding alone, unless the corners are not those of one facet.
        let enough = overlap + FLUSH * self.magnitude;
        let (normal, overlap) = own.filter(|(_, own)| *own <= enough).unwrap_or((normal, overlap));
        let on = witnesses(m, parts, between[0]);
        Facet { parts, normal, overlap, inner: overlap, on, apart: false }
    }

    /// The triangle in the plane of this one that holds the point next to the origin, and the weights of its corners
    /// there. A facet of M may be many triangles.
    fn under_origin(&self, mut t: usize, normal: &Vector<3>) -> (usize, [f64; 3]) {
        let height = |t: usize| {
            let heights = self.triangles[t].corners.map(|c| normal.dot(&self.corners[c as usize].at));
            heights.into_iter().fold(f64::INFINITY, f64::min)
        };
        let coplanar = height(t) - FLUSH * self.magnitude;
        let mut weights = self.weights(t);
        for _ in 0..self.triangles.len() {
            let least = (0..3).min_by(|&i, &j| weights[i].total_cmp(&weights[j])).unwrap_or(0);
            let neighbour = self.triangles[t].across[(least + 1) % 3] as usize;
            if weights[least] >= 0.0 || height(neighbour) < coplanar {
                break;
            }
            let there = self.weights(neighbour);
            // Rounding could send it back and forth between two slivers.
            if there.iter().copied().fold(f64::INFINITY, f64::min) <= weights[least] {
                break;
            }
            (t, weights) = (neighbour, there);
        }
        (t, weights.map(|w| w.max(0.0)))
    }

    /// Barycentric weights of the origin's projection on a triangle's plane.
    fn weights(&self, t: usize) -> [f64; 3] {
        let Triangle { corners, normal, .. } = self.triangles[t];
        let [p, q, r] = corners.map(|c| self.corners[c as usize].at);
        let share = |u: &Vector<3>, v: &Vector<3>| normal.dot(&u.cross(v));
        let shares = [share(&q, &r), share(&r, &p), share(&p, &q)];
        let sum = shares.iter().sum::<f64>();
        if sum > 0.0 { shares.map(|share| share / sum) } else { [1.0 / 3.0; 3] }
    }
}

/// Three corners of M that are not in line.
fn first_triangle(m: &Difference) -> [Corner; 3] {
    let from = m.support(&Vector::<3>::x(), &m.corner(0, 0));
    let to = m.support(&-Vector::<3>::x(), &from);
    let line = to.at - from.at;
    let axis = Vector::<3>::ith(line.iamin(), 1.0);
    [from, to, m.further_side(&line.cross(&axis), &from)]
}

fn apart(furthest: &Corner, normal: Vector<3>, overlap: f64) -> Facet {
    Facet {
        parts: [Part::Vertex(furthest.a), Part::Vertex(furthest.b)],
        normal,
        overlap,
        inner: overlap,
        on: [Point::origin(); 2],
        apart: true,
    }
}

/// Whether the differences of two features' points are in one plane whatever the poses.
fn spans_plane(parts: [Part; 2]) -> bool {
    matches!(
        parts,
        [Part::Face(_), Part::Vertex(_)] | [Part::Vertex(_), Part::Face(_)] | [Part::Edge(_), Part::Edge(_)]
    )
}

/// The normal of the facet of M that two features make, pointing as `like`; none if they make none.
fn own_normal(m: &Difference, parts: [Part; 2], like: &Vector<3>) -> Option<Vector<3>> {
    let normal = match parts {
        [Part::Face(face), _] => m.a.planes()[face as usize].normal,
        [_, Part::Face(face)] => -m.relative.vector(&m.b.planes()[face as usize].normal),
        [Part::Edge(h), Part::Edge(k)] => {
            let direction = |body: &Polyhedron, h: u32| {
                let [from, to] = body.ends(h).map(|v| body.points()[v as usize]);
                to - from
            };
            let normal = direction(m.a, h).cross(&m.relative.vector(&direction(m.b, k)));
            let largest = normal.amax();
            (normal / if largest > 0.0 { largest } else { return None }).normalize()
        }
        _ => return None,
    };
    Some(if normal.dot(like) < 0.0 { -normal } else { normal })
}

/// Witness points on the two features of a facet of M, from a first one on A. The weights of a needle's corners have
/// few digits along it: the points are projected from one feature to the other.
fn witnesses(m: &Difference, parts: [Part; 2], on_a: Point<3>) -> [Point<3>; 2] {
    if let [Part::Edge(h), Part::Edge(k)] = parts {
        let [p, p_end] = m.a.ends(h).map(|v| m.a.points()[v as usize]);
        let [q, q_end] = m.b.ends(k).map(|v| m.b.points()[v as usize]);
        let (first, second) = (p_end - p, q_end - q);
        let start = m.relative.seen_from(&p, &q);
        let (s, t, _) = segment_segment(&first, &start, &m.relative.vector(&second));
        return [p + first * s.fraction(), q + second * t.fraction()];
    }
    let on_b =
        parts[1].closest_point(m.b, |from| -m.relative.vector_in_b(&m.relative.seen_from(&on_a, from)));
    [parts[0].closest_point(m.a, |from| m.relative.seen_from(from, &on_b)), on_b]
}

fn blend(body: &Polyhedron, corners: [u32; 3], weights: [f64; 3]) -> Point<3> {
    let [p, q, r] = corners.map(|i| body.points()[i as usize]);
    p + ((q - p) * weights[1] + (r - p) * weights[2]) / weights.iter().sum::<f64>()
}
