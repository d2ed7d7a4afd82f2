//! Signed distance of two bodies: if they overlap, a separating translation, with bounds of the
//! penetration depth.
//!
//! The depth along a direction is the length by which the second body must move along it until the
//! two share no volume ([`escape`](super::escape)). The plane between the faces that separate last
//! has a normal, and the escape along that normal is shorter by the cosine of the angle. The depth
//! thus decreases from round to round to a local minimum. If another part of the surface blocks
//! that escape, the shortest shift beyond the planes of both, or of three, is computed. From there
//! the search leads back towards the last end point, so that bodies get out of grooves and corners.
//! A translation counts only if nothing is shared after it, so each one is an upper bound.
//!
//! Balls inscribed in the bodies ([`inscribed`](super::inscribed)) give a lower bound. While the
//! two bounds differ, further directions are tried: the escape of the deepest node, the axes, face
//! normals. Each is abandoned as soon as it is longer than the best. If the bounds still differ at
//! the end, the result says so.

use super::super::triangle::{closest as closest_triangles, closest_on};
use super::super::{Closest, ClosestMethod, ContactPoint, Relative};
use super::distance::{distance, search};
use super::escape::{Escape, Overlapping};
use super::hint::PairHint;
use super::inscribed::Inscribed;
use super::overlap::{Common, in_frame_of_a};
use super::tandem::Tandem;
use super::tree::TriangleTree;
use crate::space::{Aabb, Matrix, Point, Pose, Vector};

/// Maximum number of rounds from direction to direction; each lowers the depth by at least
/// [`GAIN`].
const ROUNDS: usize = 24;

/// Relative reduction of the depth that a direction must achieve to be accepted.
const GAIN: f64 = 1e-9;

/// Relative difference of the bounds up to which the result counts as the exact depth.
const CERTAIN: f64 = 1e-6;

/// Ratio to the best length up to which an escape is followed: its last plane may lead to a shorter
/// one.
const DETOUR: f64 = 4.0;

/// Ratio of the bounds above which no escape is followed beyond the best length: little is left to
/// gain.
const CLOSE: f64 = 0.9;

/// Length, relative to the largest component, below which a vector has no direction.
const NO_LENGTH: f64 = 1e-9;

/// Number of normals of overlapping faces that are tried as directions.
const NORMALS: usize = 8;

/// Computes the closest points of two surfaces or, if both are closed and overlap, a separating
/// translation: moving the second body by −gap along the normal leaves it just touching the first.
/// A body inside another overlaps it.
///
/// The translation is verified: nothing is shared after it. No translation shorter than the bounds
/// state separates the bodies. If the two bounds differ, one shorter than that found may exist.
///
/// ```
/// use impinge::{narrow::meshes::{PairHint, TriangleTree, closest}, shape::generate, space::Pose};
/// let ball = TriangleTree::new(&generate::sphere(4)?);
/// let deep = closest(&ball, &Pose::identity(), &ball, &Pose::at([0.0, 1.6, 0.0]), &mut PairHint::default());
/// assert!((deep.contact.gap + 0.4).abs() < 0.005, "two balls of radius 1, with facets, overlap by 0.4");
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
#[doc(alias = "penetration depth")]
#[doc(alias = "minimum translation distance")]
#[doc(alias = "MTD")]
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

/// Returns whether one body's bounding box can contain the other's; otherwise neither is inside the
/// other.
fn may_nest(a: &TriangleTree, b: &TriangleTree, relative: &Relative<3>) -> bool {
    a.boxes.bounds().overlaps(&bounds_of(b, relative))
}

/// Returns the bounding box of the second body in the first body's frame.
fn bounds_of(b: &TriangleTree, relative: &Relative<3>) -> Aabb<3> {
    Aabb::of(
        b.points
            .iter()
            .map(|p| Point::from(relative.rotation * p.coords + relative.shift)),
    )
}

/// Search for the shortest escape.
struct Depth<'a> {
    bodies: Overlapping<'a>,
    best: Option<Escape>,
    /// Vectors from the deepest nodes to the surface.
    ways: [Vector<3>; 2],
}

impl<'a> Depth<'a> {
    fn new(mut bodies: Overlapping<'a>, common: &Common) -> Self {
        let [of_a, of_b] = inscribed(&bodies).deepest_nodes(&common.inside);
        // Bodies nudged out of a degeneracy have their nodes displaced by at most the nudge.
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

        self.into_contact(pose_a)
    }

    fn depth(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.shift().norm())
    }

    fn is_certain(&self) -> bool {
        self.bodies.lower >= self.depth() * (1.0 - CERTAIN)
    }

    /// Searches for an escape starting from a direction of any length; does nothing if the depth is
    /// already certain.
    fn try_from(&mut self, way: &Vector<3>) {
        let Some(direction) = way.try_normalize(NO_LENGTH * way.amax().max(f64::MIN_POSITIVE))
        else {
            return;
        };

        if self.is_certain() {
            return;
        }

        let detour = if self.bodies.lower >= CLOSE * self.depth() {
            1.0
        } else {
            DETOUR
        };
        let limit = detour * self.depth();
        let mut found = self.descended(direction, limit);
        if found.is_some_and(|end| !self.bodies.careful && !self.bodies.is_apart(&end.shift())) {
            self.bodies.careful = true;
            found = self.descended(direction, limit);
        }

        let shorter = found.filter(|end| end.shift().norm() < self.depth());
        self.best = shorter.or(self.best);
    }

    /// Returns the escape along a direction, improved while it gets shorter.
    fn descended(&mut self, direction: Vector<3>, limit: f64) -> Option<Escape> {
        let mut here = self.bodies.escape(Vector::zeros(), direction, limit)?;
        let mut planes = vec![Plane::of(&here)];
        for _ in 0..ROUNDS {
            let depth = here.shift().norm() * (1.0 - GAIN);
            if self.bodies.lower >= depth * (1.0 - CERTAIN) {
                break;
            } else if let Some(next) = self.along_normal(&here, depth) {
                (here, planes) = (next, vec![Plane::of(&next)]);
            } else if let Some(next) = self.escape_from_planes(&here, &planes, depth) {
                here = next;
                // Keeps the planes that it lies on; the others did not block it.
                planes.retain(|plane| plane.is_at(&here));
                planes.truncate(2);
                planes.push(Plane::of(&here));
            } else {
                break;
            }
        }

        Some(here)
    }

    /// Returns the escape along the normal of the last plane, if it is shorter than `limit`.
    fn along_normal(&mut self, here: &Escape, limit: f64) -> Option<Escape> {
        let plane = Plane::of(here);
        (plane.offset > 0.0 && plane.offset < limit)
            .then(|| self.bodies.escape(Vector::zeros(), plane.normal, limit))
            .flatten()
    }

    /// Searches from the shortest shift beyond the planes back towards `here`, if that ends nearer
    /// than `limit`.
    fn escape_from_planes(
        &mut self,
        here: &Escape,
        planes: &[Plane],
        limit: f64,
    ) -> Option<Escape> {
        let start = shortest_beyond(planes).filter(|shift| shift.norm() < limit)?;
        let back = here.shift() - start;
        let length = back.norm();
        let end = self
            .bodies
            .escape(start, back / length, length * (1.0 - GAIN))?;

        (end.shift().norm() < limit).then_some(end)
    }

    /// Returns the axes of both bodies and the normals of some touching faces.
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

    /// Improves the lower bound with balls around the centre of the faces that separate last and of
    /// the boxes' intersection.
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

    /// Returns the faces that separate last, and a point of each in the first body's frame; the
    /// vector from the second to the first is the translation.
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

    fn into_contact(self, pose_a: &Pose<3>) -> Closest<3> {
        // Moving past the whole other body is always an escape, so a best one exists.
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

/// Half-space of shifts with normal·shift ≥ offset.
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

    /// Returns whether the end of an escape is on it.
    fn is_at(&self, end: &Escape) -> bool {
        let shift = end.shift();
        (self.normal.dot(&shift) - self.offset).abs() <= CERTAIN * shift.norm()
    }
}

/// Returns the shortest shift beyond all of up to three planes.
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

/// Returns the shortest shift on one, two or three planes: a combination of their normals.
fn shortest_on(planes: &[Plane]) -> Option<Vector<3>> {
    // Gram matrix of the normals, with a unit diagonal for absent planes.
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
