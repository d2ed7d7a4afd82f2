//! Polytope of the expanding polytope algorithm (EPA) in 3D: a closed triangle surface with
//! vertices in the Minkowski difference M. Used by `penetration3`.
//!
//! Each triangle stores its neighbours. A corner is inserted as in an incremental convex hull: the
//! triangles visible from it are replaced by a fan from their rim. Corners and triangles are moved
//! to the current poses only on demand.
//!
//! Each triangle has a *level*, a lower bound of its distance from the origin. For any unit vector
//! w, no point of a triangle is nearer than the least w·p over its corners p; with w towards its
//! nearest point the bound is sharp. The bound needs no exact normal, so it is as good for slivers
//! as for other triangles.

use super::facet::Part;
use super::minkowski3::{Corner, FLUSH, Minkowski3, own_normal, spans_plane};
use super::segment::point_segment;
use crate::space::{Matrix, Point, Sign, Vector, collinear, orient3};

/// Sine of a corner's angle below which the cross product of two sides is not trusted. The error of
/// the plane is about 1e-16 of the coordinates divided by this.
const SLIVER: f64 = 1e-2;

/// Rounding error of a step's levels, in units of [`FLUSH`] times the coordinates.
const ROUNDING: f64 = 0.25;

/// Accumulated rotation in radians after which the levels are recomputed, to limit the rounding of
/// their sums.
const FULL_TURN: f64 = 1.0;

/// Distance between contact and pivot, relative to the second body's size, above which moving the
/// pivot pays.
const OFF_PIVOT: f64 = 0.1;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// The neighbour across the side from corner k to corner k + 1.
    pub(super) across: [u32; 3],
    /// Outward normal, not normalised.
    pub(super) normal: Vector<3>,
    /// Pose counter at which the normal was computed.
    placed: u32,
    /// Pose counter at which the level was computed.
    pub(super) measured: u32,
    /// Whether it is visible from the corner that is being inserted.
    seen: bool,
}

/// Lower bound of a triangle's level valid at all later poses: `level` − `way`·T − `swing`·Θ, with
/// T the position of the pivot and Θ the accumulated rotation. Translation of the pivot counts only
/// along `way`, to first order exactly. Rotation about the pivot counts in full, but corners near
/// the contact are near the pivot.
#[derive(Clone, Debug, Default)]
struct Bounds {
    level: Vec<f64>,
    way: [Vec<f64>; 3],
    swing: Vec<f64>,
}

/// The polytope's surface; its triangles are counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Corners with the pose counter at which they were computed; `a` is `NONE` in an unused slot.
    corners: Vec<(Corner, u32)>,
    /// For each corner the distance from the pivot to its vertex of the second body.
    swings: Vec<f64>,
    pub(super) triangles: Vec<Triangle>,
    bounds: Bounds,
    /// For each triangle a lower bound of its current distance from the origin; negative if the
    /// origin is above it, infinite for unused slots.
    pub(super) levels: Vec<f64>,
    /// A point of the second body, in its frame, and its current position.
    pivot: Point<3>,
    pivot_at: Vector<3>,
    rotation: Matrix<3>,
    /// Accumulated rotation since the bounds were last recomputed.
    turned: f64,
    /// Whether it is known to enclose the origin.
    pub(super) around: bool,
    /// Counter of the current poses.
    pub(super) now: u32,
    unused: Vec<u32>,
    unused_corners: Vec<u32>,
    /// Largest sum of coordinate magnitudes over the vertex pairs whose differences are the
    /// corners.
    reach: f64,
    /// The same plus the shift between the bodies: the scale of the corners' rounding errors.
    pub(super) magnitude: f64,
    /// Largest distance of a used vertex of the second body from the pivot.
    radius: f64,
    seen: Vec<u32>,
    /// Boundary of the visible triangles: from, to, the triangle behind.
    rim: Vec<[u32; 3]>,
    /// For each corner of the rim, the new triangle whose rim side starts there.
    fan: Vec<u32>,
}

impl Surface {
    /// Restarts from a tetrahedron on the given triangle, or on a new one if that is degenerate.
    pub(super) fn span(&mut self, m: &Minkowski3, base: Option<[Corner; 3]>) {
        let normal = |[p, q, r]: &[Corner; 3]| (q.at - p.at).cross(&(r.at - p.at));
        let mut base = base
            .filter(|base| normal(base).amax() > 0.0)
            .unwrap_or_else(|| m.first_triangle());
        let apex = m.further_side(&normal(&base), &base[0]);

        if normal(&base).dot(&(apex.at - base[0].at)) > 0.0 {
            base.swap(1, 2);
        }

        self.clear();
        (self.rotation, self.turned) = (m.relative.rotation, 0.0);
        self.pivot_at = m.seen(&self.pivot);

        for corner in [base[0], base[1], base[2], apex] {
            self.add_corner(m, corner);
        }

        let sides = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (corners, across) in sides.into_iter().zip(across) {
            self.add(m, corners, across);
        }
    }

    fn clear(&mut self) {
        (self.reach, self.radius, self.around) = (0.0, 0.0, false);
        self.corners.clear();
        self.swings.clear();
        self.triangles.clear();
        self.levels.clear();
        self.bounds.level.clear();
        self.bounds.swing.clear();
        self.bounds.way.iter_mut().for_each(Vec::clear);
        self.unused.clear();

        self.unused_corners.clear();
    }

    pub(super) fn used_corners(&self) -> usize {
        self.corners.len() - self.unused_corners.len()
    }

    /// Updates the levels for new poses.
    pub(super) fn follow(&mut self, m: &Minkowski3) {
        // If two rotations differ by an angle φ, their difference stretches no vector by more than
        // 2 sin φ/2, which is its Frobenius norm over √2.
        self.turned +=
            (m.relative.rotation - self.rotation).norm() * std::f64::consts::FRAC_1_SQRT_2;
        self.rotation = m.relative.rotation;
        self.pivot_at = m.seen(&self.pivot);
        self.magnitude = self.reach + m.relative.shift.amax();
        self.now = self.now.wrapping_add(1);
        let ([x, y, z], turned) = (self.pivot_at.into(), self.turned);
        let Bounds {
            level,
            way: [u, v, w],
            swing,
        } = &self.bounds;
        let ways = u.iter().zip(v).zip(w);
        let bounds = level.iter().zip(swing).zip(ways);

        for (now, ((level, swing), ((u, v), w))) in self.levels.iter_mut().zip(bounds) {
            *now = level - (u * x + v * y + w * z + swing * turned);
        }
    }

    /// Moves the pivot to the contact and recomputes the bounds, if that pays.
    pub(super) fn pivot_near(&mut self, m: &Minkowski3, contact: &Point<3>) {
        let off = (contact - self.pivot).norm() > OFF_PIVOT * self.radius;
        if !off && self.turned < FULL_TURN {
            return;
        }

        (self.pivot, self.pivot_at, self.turned) = (*contact, m.seen(contact), 0.0);
        self.radius = 0.0;
        for (swing, (corner, _)) in self.swings.iter_mut().zip(&self.corners) {
            if corner.a != NONE {
                *swing = (m.b.points()[corner.b as usize] - contact).norm();
                self.radius = self.radius.max(*swing);
            }
        }

        for t in 0..self.triangles.len() {
            let way = Vector::<3>::from_fn(|k, _| self.bounds.way[k][t]);
            self.keep(t, &way);
        }
    }

    /// Stores the current level as a bound for later poses.
    #[inline]
    fn keep(&mut self, t: usize, way: &Vector<3>) {
        let [p, q, r] = self.triangles[t].corners.map(|c| self.swings[c as usize]);
        let swing = p.max(q).max(r);
        let slack = ROUNDING * FLUSH * self.magnitude;
        self.bounds.level[t] =
            self.levels[t] - slack + way.dot(&self.pivot_at) + swing * self.turned;
        self.bounds.swing[t] = swing;

        for k in 0..3 {
            self.bounds.way[k][t] = way[k];
        }
    }

    fn add_corner(&mut self, m: &Minkowski3, corner: Corner) -> u32 {
        let (p, q) = (
            m.a.points()[corner.a as usize].coords,
            m.b.points()[corner.b as usize],
        );
        self.reach = self.reach.max(p.amax() + q.coords.amax());
        self.magnitude = self.reach + m.relative.shift.amax();
        let swing = (q - self.pivot).norm();
        self.radius = self.radius.max(swing);

        let place = self
            .unused_corners
            .pop()
            .unwrap_or(self.corners.len() as u32);

        if place as usize == self.corners.len() {
            self.corners.push((corner, self.now));
            self.swings.push(swing);
        } else {
            self.corners[place as usize] = (corner, self.now);
            self.swings[place as usize] = swing;
        }

        place
    }

    /// Returns a corner at the current poses.
    #[inline]
    fn corner(&mut self, m: &Minkowski3, c: u32) -> Corner {
        let (corner, stamp) = &mut self.corners[c as usize];
        if *stamp != self.now {
            *corner = m.corner(corner.a, corner.b);
            *stamp = self.now;
        }
        *corner
    }

    #[inline]
    pub(super) fn corners(&mut self, m: &Minkowski3, t: usize) -> [Corner; 3] {
        let [p, q, r] = self.triangles[t].corners;
        [self.corner(m, p), self.corner(m, q), self.corner(m, r)]
    }

    /// Computes the normal at the current poses, and returns whether the cross product is accurate
    /// enough.
    #[inline]
    fn place(&mut self, m: &Minkowski3, t: usize) -> bool {
        let corners = self.corners(m, t);
        let [p, q, r] = corners.map(|c| c.at);
        let (u, v) = (q - p, r - p);
        let normal = u.cross(&v);
        let sharp = normal.norm_squared() > SLIVER * SLIVER * u.norm_squared() * v.norm_squared();
        self.triangles[t].normal = if sharp {
            normal
        } else {
            normal_of_sliver(m, corners)
        };
        self.triangles[t].placed = self.now;

        sharp
    }

    /// Computes normal and level at the current poses.
    #[inline]
    pub(super) fn measure(&mut self, m: &Minkowski3, t: usize) {
        let sharp = self.place(m, t);
        let corners = self.corners(m, t).map(|c| c.at);
        let normal = self.triangles[t].normal;
        let (way, level) = nearest_way(&corners, &normal, sharp, self.around);
        self.triangles[t].measured = self.now;
        self.levels[t] = level;

        self.keep(t, &way);
    }

    /// Returns whether the origin certainly has not passed through a triangle since the last poses:
    /// its corners are still beyond the plane that separated them from the origin then.
    pub(super) fn is_still_beyond(&mut self, m: &Minkowski3, t: usize) -> bool {
        let way = Vector::<3>::from_fn(|k, _| self.bounds.way[k][t]);
        self.corners(m, t).iter().all(|c| way.dot(&c.at) > 0.0)
    }

    /// Measures all triangles, and returns whether the origin is below every one, so that the
    /// surface encloses it.
    pub(super) fn is_around(&mut self, m: &Minkowski3) -> bool {
        let used: Vec<usize> = (0..self.levels.len())
            .filter(|&t| self.levels[t] < f64::INFINITY)
            .collect();
        used.into_iter().all(|t| {
            self.measure(m, t);
            origin_is_below(&self.corners(m, t).map(|c| c.at))
        })
    }

    fn add(&mut self, m: &Minkowski3, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let (normal, now) = (Vector::zeros(), self.now);
        let triangle = Triangle {
            corners,
            across,
            normal,
            placed: now,
            measured: now,
            seen: false,
        };
        let t = self.unused.pop().unwrap_or(self.triangles.len() as u32);

        if t as usize == self.triangles.len() {
            self.triangles.push(triangle);
            self.levels.push(0.0);
            self.bounds.level.push(0.0);
            self.bounds.swing.push(0.0);
            self.bounds.way.iter_mut().for_each(|way| way.push(0.0));
        } else {
            self.triangles[t as usize] = triangle;
        }

        self.measure(m, t as usize);
        t
    }

    /// Returns the triangle with the least level, its level and the second-least level.
    #[inline]
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

        (best.0, best.1, next)
    }

    /// Inserts a corner beyond a triangle. Returns false if that is impossible: it is already a
    /// corner, or rounding has torn the rim.
    pub(super) fn insert(&mut self, m: &Minkowski3, nearest: usize, corner: Corner) -> bool {
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
            let back =
                (0..3).find(|&k| behind.corners[k] == to && behind.corners[(k + 1) % 3] == from);
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

    /// Collects the triangles visible from a point and their rim, by flood fill from one of them.
    fn find_seen(&mut self, m: &Minkowski3, start: usize, eye: &Vector<3>) {
        self.seen.clear();
        self.rim.clear();
        self.triangles[start].seen = true;
        self.seen.push(start as u32);
        let mut visited = 0;

        while visited < self.seen.len() {
            let Triangle {
                corners, across, ..
            } = self.triangles[self.seen[visited] as usize];
            visited += 1;

            for k in 0..3 {
                let neighbour = across[k] as usize;
                if self.triangles[neighbour].seen {
                    continue;
                }

                if self.triangles[neighbour].placed != self.now {
                    self.place(m, neighbour);
                }

                let first = self.triangles[neighbour].corners[0];
                let base = self.corner(m, first).at;
                let normal = self.triangles[neighbour].normal;

                // The volume between the triangle and the eye is added to the polytope; the origin
                // must not lie in it.
                let below = !self.around || normal.dot(&base) > 0.0;
                if below && normal.dot(&(eye - base)) > 0.0 {
                    self.triangles[neighbour].seen = true;
                    self.seen.push(across[k]);
                } else {
                    self.rim.push([corners[k], corners[(k + 1) % 3], across[k]]);
                }
            }
        }
    }

    /// Frees the slots of the visible triangles and of the corners inside their rim.
    fn drop_seen(&mut self) {
        for &t in &self.seen {
            self.levels[t as usize] = f64::INFINITY;
            self.bounds.level[t as usize] = f64::INFINITY;
            self.unused.push(t);
            for c in self.triangles[t as usize].corners {
                if self.fan[c as usize] == NONE && self.corners[c as usize].0.a != NONE {
                    self.corners[c as usize].0.a = NONE;
                    self.unused_corners.push(c);
                }
            }
        }
    }

    /// Returns whether the rim is a single cycle that visits no corner twice, so that the visible
    /// region is a disc. Leaves in `fan` the next corner for each corner of the rim, and `NONE` for
    /// all others.
    fn rim_is_one_cycle(&mut self) -> bool {
        self.fan.clear();
        self.fan.resize(self.corners.len(), NONE);
        for &[from, to, _] in &self.rim {
            if self.fan[from as usize] != NONE {
                return false;
            }
            self.fan[from as usize] = to;
        }

        let Some(&[start, mut at, _]) = self.rim.first() else {
            return false;
        };
        let mut length = 1;

        while at != start && at != NONE && length <= self.rim.len() {
            at = self.fan[at as usize];
            length += 1;
        }

        at == start && length == self.rim.len() && length >= 3
    }

    /// Returns the triangle coplanar with this one that contains the point nearest to the origin,
    /// and the barycentric weights of that point. A facet of M may consist of many triangles.
    pub(super) fn under_origin(
        &mut self,
        m: &Minkowski3,
        mut t: usize,
        normal: &Vector<3>,
        error: f64,
    ) -> (usize, [f64; 3]) {
        let height = |corners: [Corner; 3]| {
            corners
                .iter()
                .map(|c| normal.dot(&c.at))
                .fold(f64::INFINITY, f64::min)
        };
        let coplanar = height(self.corners(m, t)) - error;
        let mut weights = self.weights(m, t);

        for _ in 0..self.triangles.len() {
            let least = (0..3)
                .min_by(|&i, &j| weights[i].total_cmp(&weights[j]))
                .unwrap_or(0);
            let neighbour = self.triangles[t].across[(least + 1) % 3] as usize;

            if weights[least] >= 0.0 || height(self.corners(m, neighbour)) < coplanar {
                break;
            }

            let there = self.weights(m, neighbour);
            // Rounding could make the walk oscillate between two slivers.
            if there.iter().copied().fold(f64::INFINITY, f64::min) <= weights[least] {
                break;
            }

            (t, weights) = (neighbour, there);
        }

        (t, weights.map(|w| w.max(0.0)))
    }

    /// Barycentric weights of the origin's projection onto a triangle's plane.
    #[inline]
    fn weights(&mut self, m: &Minkowski3, t: usize) -> [f64; 3] {
        if self.triangles[t].placed != self.now {
            self.place(m, t);
        }

        let normal = self.triangles[t].normal;
        let [p, q, r] = self.corners(m, t).map(|c| c.at);
        let share = |u: &Vector<3>, v: &Vector<3>| normal.dot(&u.cross(v));
        let shares = [share(&q, &r), share(&r, &p), share(&p, &q)];
        let sum = shares.iter().sum::<f64>();

        if sum > 0.0 {
            shares.map(|share| share / sum)
        } else {
            [1.0 / 3.0; 3]
        }
    }
}

/// Normal of a triangle with an inaccurate cross product: that of the features that make it, if
/// they define one.
#[cold]
fn normal_of_sliver(m: &Minkowski3, corners: [Corner; 3]) -> Vector<3> {
    let [p, q, r] = corners.map(|c| c.at);
    // The two shorter sides; for a needle, not the two long ones.
    let sides = [(q - p, r - p), (r - q, p - q), (p - r, q - r)];
    let length = |(u, v): &(Vector<3>, Vector<3>)| u.norm_squared() + v.norm_squared();
    let shortest = sides.iter().min_by(|x, y| length(x).total_cmp(&length(y)));
    let normal = shortest.map_or_else(Vector::zeros, |(u, v)| u.cross(v));
    let parts =
        [0, 1].map(|k| Part::exactly_holding([m.a, m.b][k], corners.map(|c| [c.a, c.b][k])));
    let own = match parts {
        [Some(a), Some(b)] if normal.amax() > 0.0 && spans_plane([a, b]) => {
            own_normal(m, [a, b], &normal)
        }
        _ => None,
    };

    own.unwrap_or(normal)
}

/// Exact test whether the origin is strictly below a triangle. A triangle without area has no sides
/// and does not count.
fn origin_is_below(corners: &[Vector<3>; 3]) -> bool {
    let [p, q, r] = corners.map(Point::from);
    match orient3(&p, &q, &r, &Point::origin()) {
        Sign::Negative => true,
        Sign::Zero => collinear(&p, &q, &r),
        Sign::Positive => false,
    }
}

/// Returns the unit vector from the origin to the nearest point of a triangle, and the least dot
/// product of a corner with it: a lower bound of the distance, valid for any unit vector. The bound
/// is not positive if the origin is not below the triangle, unless the triangle is known to be part
/// of a surface around the origin.
#[inline]
fn nearest_way(
    corners: &[Vector<3>; 3],
    normal: &Vector<3>,
    sharp: bool,
    around: bool,
) -> (Vector<3>, f64) {
    let [p, q, r] = corners;
    let least = |way: &Vector<3>| way.dot(p).min(way.dot(q)).min(way.dot(r));
    let length = normal.norm();
    let mut best = (Vector::zeros(), 0.0);

    if length > 0.0 {
        let way = normal / length;
        best = (way, least(&way));
    }

    if !around && !origin_is_below(corners) {
        return (best.0, best.1.min(0.0));
    }

    for (from, to) in [(p, q), (q, r), (r, p)] {
        let side = to - from;
        if !sharp || normal.cross(&side).dot(from) > 0.0 {
            let to_origin = point_segment(&-from, &side).1;
            let way = to_origin / -to_origin.norm();
            let level = least(&way);
            if level > best.1 {
                best = (way, level);
            }
        }
    }

    best
}
