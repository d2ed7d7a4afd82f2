//! The signed distance of two bodies: where they overlap, the translation that parts them, and how sure that is.
//!
//! The depth along a direction is how far the second body must be moved along it until the two have no volume in common
//! ([`escape`](super::escape)). The plane between the faces that come apart last has a normal, and along that the way
//! out is shorter by the cosine of the angle: so the depth falls from round to round to a local minimum. Where another
//! part of the surface is in that way, the planes of both, or of three, have a shortest shift beyond them, and from
//! there the way leads back towards the end of the last one: so bodies come out of grooves and corners. A translation
//! counts only if nothing is in common after it, so every one is an upper bound.
//! Balls that fit into the bodies ([`inscribed`](super::inscribed)) give a lower bound. While the two differ further
//! directions are tried: the way out of the deepest node, the axes, normals of faces; each is given up as soon as it is
//! longer than the best. Where they differ at the end, the bounds in the answer say so.

use super::super::triangle::{closest as closest_triangles, closest_on};
use super::super::{Closest, ClosestMethod, ContactPoint, Relative};
use super::distance::{PairHint, distance, search};
use super::escape::{Escape, Overlapping};
use super::inscribed::Inscribed;
use super::overlap::{Common, in_frame_of_a};
use super::tandem::Tandem;
use super::tree::TriangleTree;
use crate::space::{Aabb, Matrix, Point, Pose, Vector};

/// Rounds from direction to direction at most; each at least lowers the depth by [`GAIN`].
const ROUNDS: usize = 24;

/// Share by which a direction must lower the depth to be taken.
const GAIN: f64 = 1e-9;

/// Share of the depth by which the bounds may differ for the answer to be the depth.
const CERTAIN: f64 = 1e-6;

/// How much longer than the best a way out is followed: its last plane may lead to a shorter one.
const DETOUR: f64 = 4.0;

/// Normals of faces in the overlap that are tried as directions.
const NORMALS: usize = 8;

/// The closest points of two surfaces, or, where both are closed and overlap, the translation that parts them: the second
/// body moved by −gap along the normal just touches the first. One body wholly within the other overlaps it.
///
/// That translation is verified: nothing is in common after it. No shorter one than the bounds say parts the bodies; where
/// the two bounds differ, a shorter one than that found may exist.
///
/// ```
/// use impinge::{narrow::meshes::{PairHint, TriangleTree, closest}, shape::generate, space::Pose};
/// let ball = TriangleTree::new(&generate::sphere(4)?);
/// let deep = closest(&ball, &Pose::identity(), &ball, &Pose::at([0.0, 1.6, 0.0]), &mut PairHint::default());
/// assert!((deep.contact.gap + 0.4).abs() < 0.005, "two balls of radius 1, with facets, overlap by 0.4");
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn closest(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    kept: &mut PairHint,
) -> Closest<3> {
    let found = distance(a, pose_a, b, pose_b, kept);
    let relative = Relative::of(pose_a, pose_b);
    if !(a.closed && b.closed) || found.contact.gap > 0.0 && !may_nest(a, b, &relative) {
        return found;
    }
    let common = in_frame_of_a(a, b, relative);
    let mut bodies = Overlapping::new(a, b, relative);
    if bodies.is_rounding(&common) && !bodies.crosses() {
        return found;
    }
    bodies.tests = found.tests;
    Depth::new(bodies, &common).found(&common, pose_a)
}

/// Whether one body's box has room for the other: else neither is within the other.
fn may_nest(a: &TriangleTree, b: &TriangleTree, relative: &Relative<3>) -> bool {
    a.boxes.bounds().overlaps(&bounds_of(b, relative))
}

/// The box of the second body in the first one's frame.
fn bounds_of(b: &TriangleTree, relative: &Relative<3>) -> Aabb<3> {
    Aabb::of(
        b.points
            .iter()
            .map(|p| Point::from(relative.rotation * p.coords + relative.shift)),
    )
}

/// The search for the shortest way out.
struct Depth<'a> {
    bodies: Overlapping<'a>,
    best: Option<Escape>,
    /// The ways of the deepest nodes to the surface.
    ways: [Vector<3>; 2],
}

impl<'a> Depth<'a> {
    fn new(mut bodies: Overlapping<'a>, common: &Common) -> Self {
        let [of_a, of_b] = inscribed(&bodies).deepest_nodes(&common.inside);
        // Bodies that were moved out of a degeneracy have their nodes where they were up to that.
        bodies.lower = (of_a.0.max(of_b.0) - common.nudge).max(0.0);
        let ways = if of_a.0 > of_b.0 {
            [of_a.1, of_b.1]
        } else {
            [of_b.1, of_a.1]
        };
        Self {
            bodies,
            best: None,
            ways,
        }
    }

    fn found(mut self, common: &Common, pose_a: &Pose<3>) -> Closest<3> {
        for way in [common.overlap.push, self.ways[0], self.ways[1]] {
            self.try_from(&way);
        }
        self.raise_lower();
        for way in self.further_ways() {
            let was_open = self.best.is_none();
            self.try_from(&way);
            if was_open {
                self.raise_lower();
            }
        }
        self.as_contact(pose_a)
    }

    fn depth(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.shift().norm())
    }

    fn is_certain(&self) -> bool {
        self.bodies.lower >= self.depth() * (1.0 - CERTAIN)
    }

    /// Looks for a way out from a direction, of any length, on; nothing to do where the depth is known.
    fn try_from(&mut self, way: &Vector<3>) {
        let Some(direction) = way.try_normalize(1e-9 * way.amax().max(f64::MIN_POSITIVE)) else {
            return;
        };
        if self.is_certain() {
            return;
        }
        let limit = DETOUR * self.depth();
        let mut found = self.descended(direction, limit);
        if found.is_some_and(|end| !self.bodies.careful && !self.bodies.is_apart(&end.shift())) {
            self.bodies.careful = true;
            found = self.descended(direction, limit);
        }
        let shorter = found.filter(|end| end.shift().norm() < self.depth());
        self.best = shorter.or(self.best);
    }

    /// The way out along a direction, and on from there while it gets shorter.
    fn descended(&mut self, direction: Vector<3>, limit: f64) -> Option<Escape> {
        let mut here = self.bodies.escape(Vector::zeros(), direction, limit)?;
        let mut planes = vec![Plane::of(&here)];
        for _ in 0..ROUNDS {
            let depth = here.shift().norm() * (1.0 - GAIN);
            if self.bodies.lower >= depth * (1.0 - CERTAIN) {
                break;
            } else if let Some(next) = self.along_normal(&here, depth) {
                (here, planes) = (next, vec![Plane::of(&next)]);
            } else if let Some(next) = self.from_planes(&here, &planes, depth) {
                here = next;
                // Those that it lies on hold it back; the others were not in the way.
                planes.retain(|plane| plane.is_at(&here));
                planes.truncate(2);
                planes.push(Plane::of(&here));
            } else {
                break;
            }
        }
        Some(here)
    }

    /// The way out along the normal of the last plane, if it is shorter than `limit`.
    fn along_normal(&mut self, here: &Escape, limit: f64) -> Option<Escape> {
        let plane = Plane::of(here);
        (plane.offset > 0.0 && plane.offset < limit)
            .then(|| self.bodies.escape(Vector::zeros(), plane.normal, limit))
            .flatten()
    }

    /// From the shortest shift beyond the planes back towards `here`, if that ends nearer than `limit`.
    fn from_planes(&mut self, here: &Escape, planes: &[Plane], limit: f64) -> Option<Escape> {
        let start = shortest_beyond(planes).filter(|shift| shift.norm() < limit)?;
        let back = here.shift() - start;
        let length = back.norm();
        let end = self
            .bodies
            .escape(start, back / length, length * (1.0 - GAIN))?;
        (end.shift().norm() < limit).then_some(end)
    }

    /// The axes of both bodies and normals of some faces that touch.
    fn further_ways(&mut self) -> Vec<Vector<3>> {
        if self.is_certain() {
            return Vec::new();
        }
        let relative = self.bodies.relative;
        let axes = (0..6).map(|k| Vector::<3>::ith(k % 3, if k < 3 { 1.0 } else { -1.0 }));
        let mut ways: Vec<Vector<3>> = axes
            .flat_map(|axis| [axis, relative.vector(&axis)])
            .collect();

        let tandem = Tandem::of(self.bodies.a, self.bodies.b, &relative);
        let pairs = tandem.touching();
        for [a, b] in pairs.iter().step_by(pairs.len().div_ceil(NORMALS).max(1)) {
            ways.push(normal(&self.bodies.a.corners(*a as usize)));
            ways.push(-normal(&tandem.corners_of_b(*b as usize)));
        }
        ways
    }

    /// A better lower bound, from balls around the middle of what comes apart last and of the boxes' common part.
    fn raise_lower(&mut self) {
        let Some(best) = self.best else { return };
        let [on_a, on_b] = self.witnesses(&best).1;
        let (of_a, of_b) = (
            self.bodies.a.boxes.bounds(),
            bounds_of(self.bodies.b, &self.bodies.relative),
        );
        let common = Aabb {
            min: of_a.min.sup(&of_b.min),
            max: of_a.max.inf(&of_b.max),
        };
        for middle in [on_a + (on_b - on_a) * 0.5, common.centre()] {
            if !self.is_certain() {
                let found = inscribed(&self.bodies).around(&middle, self.depth());
                self.bodies.lower = self.bodies.lower.max(found);
            }
        }
    }

    /// The faces that come apart last, and a point of each in the first body's frame: from the second to the first is the
    /// translation.
    fn witnesses(&self, best: &Escape) -> ([u32; 2], [Point<3>; 2]) {
        let shift = best.shift();
        let relative = self.bodies.moved(&shift);
        let tandem = Tandem::of(self.bodies.a, self.bodies.b, &relative);
        let faces = best
            .faces
            .unwrap_or_else(|| search(&tandem, &mut PairHint::default()).faces);
        let on_a = closest_triangles(
            &self.bodies.a.corners(faces[0] as usize),
            &tandem.corners_of_b(faces[1] as usize),
        )
        .on_a;
        (faces, [on_a, on_a - shift])
    }

    fn as_contact(self, pose_a: &Pose<3>) -> Closest<3> {
        // Beyond all of the other body is always a way out, so that there is a best one.
        let best = self.best.unwrap_or(Escape {
            from: Vector::zeros(),
            direction: Vector::x(),
            length: 0.0,
            normal: Vector::x(),
            faces: None,
        });
        let depth = best.shift().norm();
        let normal = best.shift().try_normalize(0.0).unwrap_or(best.direction);
        let ([face_a, face_b], [on_a, on_b]) = self.witnesses(&best);
        let tandem = Tandem::of(self.bodies.a, self.bodies.b, &self.bodies.relative);
        let between_a = closest_on(&self.bodies.a.corners(face_a as usize), &on_a).between;
        let between_b = closest_on(&tandem.corners_of_b(face_b as usize), &on_b).between;
        let contact = ContactPoint {
            on_a: pose_a.point(&on_a),
            on_b: pose_a.point(&on_b),
            normal: pose_a.vector(&normal),
            gap: -depth,
            feature_a: self.bodies.a.feature(face_a, between_a),
            feature_b: self.bodies.b.feature(face_b, between_b),
        };
        Closest {
            contact,
            bounds: [-depth, -self.bodies.lower.min(depth)],
            tests: self.bodies.tests,
            method: ClosestMethod::Tree,
        }
    }
}

fn inscribed<'a>(bodies: &Overlapping<'a>) -> Inscribed<'a> {
    Inscribed {
        a: bodies.a,
        b: bodies.b,
        relative: bodies.relative,
    }
}

fn normal([a, b, c]: &[Point<3>; 3]) -> Vector<3> {
    (b - a).cross(&(c - a))
}

/// Shifts with normal·shift ≥ offset are beyond it.
#[derive(Clone, Copy)]
struct Plane {
    normal: Vector<3>,
    offset: f64,
}

impl Plane {
    fn of(end: &Escape) -> Self {
        Self {
            normal: end.normal,
            offset: end.normal.dot(&end.shift()),
        }
    }

    /// Whether the end of a way is on it.
    fn is_at(&self, end: &Escape) -> bool {
        let shift = end.shift();
        (self.normal.dot(&shift) - self.offset).abs() <= CERTAIN * shift.norm()
    }
}

/// The shortest shift beyond all of up to three planes.
fn shortest_beyond(planes: &[Plane]) -> Option<Vector<3>> {
    let is_beyond = |shift: &Vector<3>| {
        planes
            .iter()
            .all(|plane| plane.normal.dot(shift) >= plane.offset * (1.0 - GAIN))
    };
    let subsets = 1usize..1 << planes.len();
    let shifts = subsets.filter_map(|subset| {
        let on: Vec<Plane> = (0..planes.len())
            .filter(|k| subset >> k & 1 == 1)
            .map(|k| planes[k])
            .collect();
        shortest_on(&on)
    });
    shifts
        .filter(is_beyond)
        .min_by(|p, q| p.norm().total_cmp(&q.norm()))
}

/// The shortest shift on one, two or three planes: a sum of their normals.
fn shortest_on(planes: &[Plane]) -> Option<Vector<3>> {
    // The products of the normals, and a unit diagonal for planes that are not there.
    let products = Matrix::<3>::from_fn(|i, j| match (planes.get(i), planes.get(j)) {
        (Some(p), Some(q)) => p.normal.dot(&q.normal),
        _ => f64::from(u8::from(i == j)),
    });
    let offsets = Vector::<3>::from_fn(|i, _| planes.get(i).map_or(0.0, |plane| plane.offset));
    let weights = products.try_inverse()? * offsets;
    let shift = (0..planes.len())
        .map(|i| planes[i].normal * weights[i])
        .sum::<Vector<3>>();
    shift.iter().all(|x| x.is_finite()).then_some(shift)
}
