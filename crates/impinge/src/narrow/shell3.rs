//! A closed surface of triangles whose corners are points of M: the shell of `penetration3`.
//!
//! The triangles know their neighbours. A corner is added as in an incremental hull: the triangles that it sees make
//! way for a fan from their rim. Corners and triangles are placed for the current poses only when they are needed.

use super::difference3::{Corner, Difference3, own_normal, spans_plane};
use super::facet::Part;
use super::segment::point_segment;
use crate::space::Vector;

/// Sine of a corner's angle below which the cross product of two sides is not trusted: its plane is off by some
/// 1e-16 of the coordinates divided by this.
const SLIVER: f64 = 1e-2;

/// Rounding error of a plane's height, in units of its sides' lengths times the coordinates.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// The triangle behind the side from corner k to corner k + 1.
    pub(super) across: [u32; 3],
    /// Outward, of any length.
    pub(super) normal: Vector<3>,
    /// The poses for which it was measured.
    pub(super) stamp: u32,
    /// Whether the corner that is being added sees it.
    seen: bool,
}

/// The surface; its triangles are counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// With the poses for which they were placed; `NONE` in an unused place.
    corners: Vec<(Corner, u32)>,
    pub(super) triangles: Vec<Triangle>,
    /// For each triangle a lower bound of its signed distance from the origin when it was measured, plus the drift of
    /// that time: so that the bound of now is this minus the drift of now. Infinite for unused places.
    pub(super) levels: Vec<f64>,
    pub(super) drift: f64,
    /// The current poses.
    pub(super) now: u32,
    unused: Vec<u32>,
    unused_corners: Vec<u32>,
    /// Largest sum of coordinates' magnitudes of the vertices that the corners are differences of.
    reach: f64,
    /// The same with the shift between the bodies: what the corners' rounding errors are relative to.
    pub(super) magnitude: f64,
    /// Largest distance of a used vertex of the second body from its origin.
    pub(super) radius: f64,
    seen: Vec<u32>,
    /// Around the seen triangles: from, to, the triangle behind.
    rim: Vec<[u32; 3]>,
    /// For each corner of the rim the new triangle whose rim side starts there.
    fan: Vec<u32>,
}

impl Surface {
    /// Starts anew with a tetrahedron on the given triangle, or on one of its own where that is degenerate.
    pub(super) fn span(&mut self, m: &Difference3, base: Option<[Corner; 3]>) {
        let normal = |[p, q, r]: &[Corner; 3]| (q.at - p.at).cross(&(r.at - p.at));
        let mut base = base.filter(|base| normal(base).amax() > 0.0).unwrap_or_else(|| m.first_triangle());
        let apex = m.further_side(&normal(&base), &base[0]);
        if normal(&base).dot(&(apex.at - base[0].at)) > 0.0 {
            base.swap(1, 2);
        }
        (self.reach, self.radius, self.drift) = (0.0, 0.0, 0.0);
        self.corners.clear();
        self.triangles.clear();
        self.levels.clear();
        self.unused.clear();
        self.unused_corners.clear();
        for corner in [base[0], base[1], base[2], apex] {
            self.add_corner(m, corner);
        }
        let sides = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (corners, across) in sides.into_iter().zip(across) {
            self.add(m, corners, across);
        }
    }

    pub(super) fn used_corners(&self) -> usize {
        self.corners.len() - self.unused_corners.len()
    }

    pub(super) fn set_shift(&mut self, m: &Difference3) {
        self.magnitude = self.reach + m.relative.shift.amax();
    }

    fn add_corner(&mut self, m: &Difference3, corner: Corner) -> u32 {
        let (p, q) = (m.a.points()[corner.a as usize].coords, m.b.points()[corner.b as usize].coords);
        self.reach = self.reach.max(p.amax() + q.amax());
        self.radius = self.radius.max(q.norm());
        self.set_shift(m);
        let place = self.unused_corners.pop().unwrap_or(self.corners.len() as u32);
        if place as usize == self.corners.len() {
            self.corners.push((corner, self.now));
        } else {
            self.corners[place as usize] = (corner, self.now);
        }
        place
    }

    /// A corner at the current poses.
    #[inline]
    fn corner(&mut self, m: &Difference3, c: u32) -> Corner {
        let (corner, stamp) = &mut self.corners[c as usize];
        if *stamp != self.now {
            *corner = m.corner(corner.a, corner.b);
            *stamp = self.now;
        }
        *corner
    }

    #[inline]
    pub(super) fn corners(&mut self, m: &Difference3, t: usize) -> [Corner; 3] {
        let [p, q, r] = self.triangles[t].corners;
        [self.corner(m, p), self.corner(m, q), self.corner(m, r)]
    }

    /// Measures a triangle if it was not yet measured at the current poses.
    #[inline]
    fn refresh(&mut self, m: &Difference3, t: usize) {
        if self.triangles[t].stamp != self.now {
            self.measure(m, t);
        }
    }

    pub(super) fn measure(&mut self, m: &Difference3, t: usize) {
        let corners = self.corners(m, t);
        let [p, q, r] = corners.map(|c| c.at);
        let (u, v) = (q - p, r - p);
        let mut normal = u.cross(&v);
        let squared = normal.norm_squared();
        let distance = if squared > SLIVER * SLIVER * u.norm_squared() * v.norm_squared() {
            normal.dot(&p) / squared.sqrt()
        } else {
            let (distance, own) = self.measure_sliver(m, corners);
            normal = own;
            distance
        };
        self.triangles[t].normal = normal;
        self.triangles[t].stamp = self.now;
        self.levels[t] = distance + self.drift;
    }

    /// A lower bound of the distance of a triangle whose cross product has few digits, and its normal.
    #[cold]
    fn measure_sliver(&self, m: &Difference3, corners: [Corner; 3]) -> (f64, Vector<3>) {
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
        if let Some(own) = own {
            return (own.dot(at), own);
        }
        let by_plane = (normal.dot(at) - ROUNDING * u.norm() * v.norm() * self.magnitude) / area;
        // No point of the triangle is further from its longest side than its height over it.
        let longest = v - u;
        let by_side = point_segment(&-(at + u), &longest).1.norm() - area / longest.norm();
        // `max` ignores a plane that is not a number.
        (by_side.max(by_plane), normal)
    }

    fn add(&mut self, m: &Difference3, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let triangle = Triangle { corners, across, normal: Vector::zeros(), stamp: self.now, seen: false };
        let t = self.unused.pop().unwrap_or(self.triangles.len() as u32);
        if t as usize == self.triangles.len() {
            self.triangles.push(triangle);
            self.levels.push(0.0);
        } else {
            self.triangles[t as usize] = triangle;
        }
        self.measure(m, t as usize);
        t
    }

    /// The triangle with the least bound, its bound and that of the next.
    pub(super) fn nearest_two(&self) -> (usize, f64, f64) {
        let (mut best, mut next) = ((0, f64::INFINITY), f64::INFINITY);
        for (t, &level) in self.levels.iter().enumerate() {
            if level < next {
                next = level;
                if level < best.1 {
                    (next, best) = (best.1, (t, level));
                }
            }
        }
        (best.0, best.1 - self.drift, next - self.drift)
    }

    /// Adds a corner beyond a triangle. False where that cannot be done, because it is a corner already or rounding
    /// has torn the rim.
    pub(super) fn insert(&mut self, m: &Difference3, nearest: usize, corner: Corner) -> bool {
        let known = |(c, _): &(Corner, u32)| (c.a, c.b) == (corner.a, corner.b);
        if self.corners.iter().any(known) {
            return false;
        }
        self.find_seen(m, nearest, &corner.at);
        if !self.rim_is_one_cycle() {
            for &t in &self.seen {
                self.triangles[t as usize].seen = false;
            }
            return false;
        }
        self.drop_seen();
        let new = self.add_corner(m, corner);
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
    fn find_seen(&mut self, m: &Difference3, start: usize, eye: &Vector<3>) {
        self.seen.clear();
        self.rim.clear();
        self.triangles[start].seen = true;
        self.seen.push(start as u32);
        let mut visited = 0;
        while visited < self.seen.len() {
            let Triangle { corners, across, .. } = self.triangles[self.seen[visited] as usize];
            visited += 1;
            for k in 0..3 {
                let neighbour = across[k] as usize;
                if self.triangles[neighbour].seen {
                    continue;
                }
                self.refresh(m, neighbour);
                let base = self.corners[self.triangles[neighbour].corners[0] as usize].0.at;
                if self.triangles[neighbour].normal.dot(&(eye - base)) > 0.0 {
                    self.triangles[neighbour].seen = true;
                    self.seen.push(across[k]);
                } else {
                    self.rim.push([corners[k], corners[(k + 1) % 3], across[k]]);
                }
            }
        }
    }

    /// Frees the places of the seen triangles and of the corners inside their rim.
    fn drop_seen(&mut self) {
        for &t in &self.seen {
            self.levels[t as usize] = f64::INFINITY;
            self.unused.push(t);
            for c in self.triangles[t as usize].corners {
                if self.fan[c as usize] == NONE && self.corners[c as usize].0.a != NONE {
                    self.corners[c as usize].0.a = NONE;
                    self.unused_corners.push(c);
                }
            }
        }
    }

    /// Whether the rim goes once around and meets no corner twice: then what is seen is a disc. Leaves in `fan` for
    /// each corner of the rim the next, for all others `NONE`.
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

    /// The triangle in the plane of this one that holds the point next to the origin, and the weights of its corners
    /// there. A facet of M may be many triangles.
    pub(super) fn under_origin(
        &mut self,
        m: &Difference3,
        mut t: usize,
        normal: &Vector<3>,
        error: f64,
    ) -> (usize, [f64; 3]) {
        let height =
            |corners: [Corner; 3]| corners.iter().map(|c| normal.dot(&c.at)).fold(f64::INFINITY, f64::min);
        let coplanar = height(self.corners(m, t)) - error;
        let mut weights = self.weights(m, t);
        for _ in 0..self.triangles.len() {
            let least = (0..3).min_by(|&i, &j| weights[i].total_cmp(&weights[j])).unwrap_or(0);
            let neighbour = self.triangles[t].across[(least + 1) % 3] as usize;
            if weights[least] >= 0.0 || height(self.corners(m, neighbour)) < coplanar {
                break;
            }
            let there = self.weights(m, neighbour);
            // Rounding could send it back and forth between two slivers.
            if there.iter().copied().fold(f64::INFINITY, f64::min) <= weights[least] {
                break;
            }
            (t, weights) = (neighbour, there);
        }
        (t, weights.map(|w| w.max(0.0)))
    }

    /// Barycentric weights of the origin's projection on a triangle's plane.
    fn weights(&mut self, m: &Difference3, t: usize) -> [f64; 3] {
        self.refresh(m, t);
        let normal = self.triangles[t].normal;
        let [p, q, r] = self.corners(m, t).map(|c| c.at);
        let share = |u: &Vector<3>, v: &Vector<3>| normal.dot(&u.cross(v));
        let shares = [share(&q, &r), share(&r, &p), share(&p, &q)];
        let sum = shares.iter().sum::<f64>();
        if sum > 0.0 { shares.map(|share| share / sum) } else { [1.0 / 3.0; 3] }
    }
}
