//! The signed distance of two bodies: where they overlap, the translation that parts them.
//!
//! The depth along a direction is how far the second body must be moved along it until nothing touches, found from the
//! far side: moved beyond all of the first body, and back by the distance of the surfaces again and again, which can
//! never pass a contact. The first direction is that in which the common volume shrinks fastest, ∫ n dS over the part of
//! the first surface within the second. Where the parted bodies then touch, the normal of the contact is the next
//! direction: convex bodies are parted along it by cos(angle) of the depth so far, so that the depth falls from round to
//! round, to a local minimum. For bodies that are not convex a round counts only if the depth did fall.
//!
//! Some 10 searches for the distance a round, three or four rounds.

use super::super::triangle::closest_on;
use super::super::{Closest, Contact, Method, Relative};
use super::distance::{Best, KeptPair, distance, search};
use super::overlap::in_frame_of_a;
use super::tandem::Tandem;
use super::tree::TriangleTree;
use crate::space::{Aabb, Point, Pose, Vector};

/// Rounds of directions at most; each at least lowers the depth by [`GAIN`].
const ROUNDS: usize = 12;

/// Share by which a direction must lower the depth to be taken.
const GAIN: f64 = 1e-9;

/// Distance of the surfaces, in sizes, at which they count as touching. The rest is made up by the normal.
const TOUCH: f64 = 1e-10;

/// Steps back at most. Each leaves at most 1 − cos(angle) of the way, and the angle falls from round to round.
const STEPS: usize = 100;

/// The closest points of two surfaces, or, where both are closed and overlap, the translation that parts them: the second
/// body moved by −gap along the normal just touches the first. One body wholly within the other overlaps it.
///
/// ```
/// use impinge::{narrow::meshes::{KeptPair, TriangleTree, closest}, shape::generate, space::Pose};
/// let ball = TriangleTree::new(&generate::sphere(4)?);
/// let deep = closest(&ball, &Pose::identity(), &ball, &Pose::at([0.0, 1.6, 0.0]), &mut KeptPair::default());
/// assert!((deep.contact.gap + 0.4).abs() < 0.005, "two balls of radius 1, with facets, overlap by 0.4");
/// # Ok::<(), impinge::shape::generate::InvalidArgument>(())
/// ```
pub fn closest(
    a: &TriangleTree,
    pose_a: &Pose<3>,
    b: &TriangleTree,
    pose_b: &Pose<3>,
    kept: &mut KeptPair,
) -> Closest<3> {
    let found = distance(a, pose_a, b, pose_b, kept);
    let relative = Relative::of(pose_a, pose_b);
    if !(a.closed && b.closed) || found.contact.gap > 0.0 && !may_nest(a, b, &relative) {
        return found;
    }
    let common = in_frame_of_a(a, b, relative);
    // Volumes below this are rounding: bodies that touch, or are apart.
    let size = a
        .boxes
        .bounds()
        .longest_edge()
        .min(b.boxes.bounds().longest_edge());
    if common.volume <= 1e-14 * size.powi(3) {
        return found;
    }
    Parting {
        a,
        b,
        relative,
        tests: found.tests,
    }
    .found(&common.push, pose_a)
}

/// Whether one body's box has room for the other: else neither is within the other.
fn may_nest(a: &TriangleTree, b: &TriangleTree, relative: &Relative<3>) -> bool {
    let of_b = Aabb::of(
        b.points
            .iter()
            .map(|p| Point::from(relative.rotation * p.coords + relative.shift)),
    );
    a.boxes.bounds().overlaps(&of_b)
}

/// Two bodies that overlap.
struct Parting<'a> {
    a: &'a TriangleTree,
    b: &'a TriangleTree,
    relative: Relative<3>,
    tests: u32,
}

/// The second body moved along a direction until it just touches.
struct Parted {
    direction: Vector<3>,
    depth: f64,
    normal: Vector<3>,
    best: Best,
    relative: Relative<3>,
}

impl Parting<'_> {
    fn found(mut self, push: &Vector<3>, pose_a: &Pose<3>) -> Closest<3> {
        let mut best = self.first(push);
        for _ in 0..ROUNDS {
            let expected = best.depth * best.direction.dot(&best.normal);
            if !(expected > 0.0 && expected < best.depth * (1.0 - GAIN)) {
                break;
            }
            let next = self.parted(best.normal);
            if next.depth >= best.depth * (1.0 - GAIN) {
                break;
            }
            best = next;
        }
        self.as_contact(&best, pose_a)
    }

    /// Along the push; bodies in the same place have none, and take the best of the axes.
    fn first(&mut self, push: &Vector<3>) -> Parted {
        let size = self.a.boxes.bounds().longest_edge();
        if push.norm() > 1e-9 * size * size {
            return self.parted(push.normalize());
        }
        let axes = (0..6).map(|k| Vector::<3>::ith(k % 3, if k < 3 { 1.0 } else { -1.0 }));
        let least = axes
            .min_by(|p, q| self.beyond(p).total_cmp(&self.beyond(q)))
            .unwrap_or(Vector::x());
        self.parted(least)
    }

    /// How far the second body is moved to have all of it beyond all of the first.
    fn beyond(&self, direction: &Vector<3>) -> f64 {
        let in_b = self.relative.rotation.tr_mul(direction);
        let highest = self
            .a
            .points
            .iter()
            .map(|p| p.coords.dot(direction))
            .fold(f64::NEG_INFINITY, f64::max);
        let lowest = self
            .b
            .points
            .iter()
            .map(|p| p.coords.dot(&in_b))
            .fold(f64::INFINITY, f64::min);
        (highest - lowest - self.relative.shift.dot(direction)).max(0.0)
    }

    fn parted(&mut self, direction: Vector<3>) -> Parted {
        let size = self.a.boxes.bounds().longest_edge() + self.b.boxes.bounds().longest_edge();
        let mut depth = self.beyond(&direction) + TOUCH * size;
        let mut kept = KeptPair::default();
        let mut steps = 0;
        loop {
            let mut relative = self.relative;
            relative.shift += direction * depth;
            let best = search(&Tandem::of(self.a, self.b, &relative), &mut kept);
            self.tests += best.tests;
            steps += 1;
            if best.distance <= TOUCH * size || steps == STEPS || depth <= 0.0 {
                let normal = best.witness.way.try_normalize(0.0).unwrap_or(direction);
                let rest = best.distance * normal.dot(&direction).max(0.0);
                return Parted {
                    direction,
                    depth: (depth - rest).max(0.0),
                    normal,
                    best,
                    relative,
                };
            }
            depth = (depth - best.distance * (1.0 - TOUCH)).max(0.0);
        }
    }

    fn as_contact(&self, parted: &Parted, pose_a: &Pose<3>) -> Closest<3> {
        let ([face_a, face_b], witness) = (parted.best.faces, parted.best.witness);
        let tandem = Tandem::of(self.a, self.b, &parted.relative);
        let between_a = closest_on(&self.a.corners(face_a as usize), &witness.on_a).between;
        let between_b = closest_on(&tandem.corners_of_b(face_b as usize), &witness.on_b).between;
        let contact = Contact {
            on_a: pose_a.point(&witness.on_a),
            on_b: pose_a.point(&(witness.on_b - parted.direction * parted.depth)),
            normal: pose_a.vector(&parted.direction),
            gap: -parted.depth,
            feature_a: self.a.feature(face_a, between_a),
            feature_b: self.b.feature(face_b, between_b),
        };
        Closest {
            contact,
            bounds: [-parted.depth, 0.0],
            tests: self.tests,
            method: Method::Tree,
        }
    }
}
