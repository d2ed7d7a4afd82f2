//! Contacts of capsules, cylinders and cones with convex bodies, half-spaces and surfaces.
//!
//! A convex body is a core with a radius around it: a sphere is a point, a capsule a segment, everything
//! else its own core without a radius. The gap of two bodies is that of their cores minus both radii,
//! apart as well as overlapping. Cores that are points or segments have closed forms. The others are
//! compared by GJK on exact support points; if the cores overlap, `depth` finds the least translation
//! that separates them.
//!
//! Results include bounds of the gap. Where many directions are equally good, as for two coaxial
//! cylinders, the depth itself is exact but its lower bound is not tight; see `depth`.

mod chord;
mod closest;
mod core;
mod depth;
mod nodes;
mod stance;
mod surface;
#[cfg(test)]
mod tests;

pub(crate) use chord::{enter_ball, enter_round};
pub(crate) use closest::{exit, outward};
pub use core::ConvexBody;
pub(crate) use stance::{half_space_manifold, manifold};
pub(crate) use surface::round_surface;

use self::core::Core;
use super::gjk::{self, SupportMap};
use super::segment::segment_segment;
use super::{Closest, ClosestMethod, ContactPoint, Relative};
use crate::shape::{Feature, HalfSpace, Round, RoundKind, Sphere};
use crate::space::{Pose, Vector};

/// Distance of two cores, relative to the magnitude of the coordinates, below which its direction is
/// mostly rounding and the depth is searched instead.
const NEAR: f64 = 1e-11;

/// Whether GJK proved that two cores are apart. Where its simplex degenerates it stops with a distance but
/// without a separation.
fn is_proven(bounds: &[f64; 2]) -> bool {
    bounds[0] > 0.5 * bounds[1]
}

/// Computes the gap, normal and witness points of two convex bodies, with bounds of the gap.
///
/// ```
/// use impinge::narrow::round::{self, ConvexBody};
/// use impinge::{shape::Round, space::Pose};
/// let drum = Round::cylinder([0.0; 3], [0.0, 0.0, 2.0], 0.5)?;
/// let body = ConvexBody::Round(&drum);
/// let found = round::closest(&body, &Pose::identity(), &body, &Pose::at([1.75, 0.0, 0.5]));
/// assert!((found.contact.gap - 0.75).abs() < 1e-12);
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
pub fn closest(a: &ConvexBody, pose_a: &Pose<3>, b: &ConvexBody, pose_b: &Pose<3>) -> Closest<3> {
    match (a, b) {
        (ConvexBody::Sphere(ball), ConvexBody::Round(body)) => {
            sphere_round(ball, pose_a, body, pose_b)
        }
        (ConvexBody::Round(body), ConvexBody::Sphere(ball)) => {
            sphere_round(ball, pose_b, body, pose_a).swapped()
        }
        _ => {
            let (p, q) = (Core::of(a), Core::of(b));
            match (p.segment(), q.segment()) {
                (Some(_), Some(_)) => segments(&p, pose_a, &q, pose_b),
                _ => cores([a, b], &p, pose_a, &q, pose_b),
            }
        }
    }
}

/// A sphere against a body: the closest point to its centre, in closed form.
fn sphere_round(
    ball: &Sphere<3>,
    pose_ball: &Pose<3>,
    body: &Round,
    pose_body: &Pose<3>,
) -> Closest<3> {
    let relative = Relative::of(pose_body, pose_ball);
    let centre = body.ends()[0] + relative.seen_from(&body.ends()[0], &ball.centre());
    let near = closest::closest_point(body, &centre);
    let normal = -pose_body.vector(&near.outward);
    let gap = near.gap - ball.radius();

    Closest {
        contact: ContactPoint {
            on_a: pose_ball.point(&ball.centre()) + normal * ball.radius(),
            on_b: pose_body.point(&near.on),
            normal,
            gap,
            feature_a: Feature::Face(0),
            feature_b: Feature::Face(near.face),
        },
        bounds: [gap; 2],
        tests: 1,
        method: ClosestMethod::Formula,
    }
}

/// Two capsules, or a capsule and a sphere: the distance of their segments.
fn segments(a: &Core, pose_a: &Pose<3>, b: &Core, pose_b: &Pose<3>) -> Closest<3> {
    let relative = Relative::of(pose_a, pose_b);
    let ([p, p_end], [q, q_end]) = match (a.segment(), b.segment()) {
        (Some(p), Some(q)) => (p, q),
        _ => ([a.start().1; 2], [b.start().1; 2]),
    };
    let (first, second) = (p_end - p, relative.vector(&(q_end - q)));
    let (s, _, way) = segment_segment(&first, &relative.seen_from(&p, &q), &second);
    let distance = way.norm();

    // For crossing segments: perpendicular to both, or to either if they are parallel.
    let normal = if distance > 0.0 {
        way / distance
    } else {
        let across = first.cross(&second);
        let size = first.norm() * second.norm();
        across
            .try_normalize(f64::EPSILON * size)
            .unwrap_or_else(|| across_of(&first))
    };
    let on_a = pose_a.point(&(p + first * s.fraction() + normal * a.radius));
    let normal = pose_a.vector(&normal);
    let gap = distance - (a.radius + b.radius);
    let on_b = on_a + normal * gap;

    Closest {
        contact: ContactPoint {
            on_a,
            on_b,
            normal,
            gap,
            feature_a: a.feature(&pose_a.to_local(&on_a)),
            feature_b: b.feature(&pose_b.to_local(&on_b)),
        },
        bounds: [gap; 2],
        tests: 1,
        method: ClosestMethod::Formula,
    }
}

/// Returns a unit vector perpendicular to another.
fn across_of(vector: &Vector<3>) -> Vector<3> {
    let least = vector.iamin();
    vector
        .cross(&Vector::<3>::ith(least, 1.0))
        .try_normalize(0.0)
        .unwrap_or_else(Vector::x)
}

/// Any other two bodies: GJK if their cores are apart, otherwise the least translation that separates
/// them.
fn cores(
    bodies: [&ConvexBody; 2],
    a: &Core,
    pose_a: &Pose<3>,
    b: &Core,
    pose_b: &Pose<3>,
) -> Closest<3> {
    let relative = Relative::of(pose_a, pose_b);
    let found = gjk::in_frame(a, b, &relative, (a.start(), b.start()));
    let radii = a.radius + b.radius;
    let near = NEAR * relative.magnitude(&found.on[0], &found.on[1]);

    let (on, normal, bounds, tests, method) = if found.bounds[1] > near && is_proven(&found.bounds)
    {
        let bounds = found.bounds;
        (
            found.on[0],
            found.normal,
            bounds,
            found.iterations,
            ClosestMethod::Gjk,
        )
    } else {
        let deep = depth::separate(a, b, &relative);
        let bounds = [-deep.bounds[1], -deep.bounds[0]];
        (
            deep.on_a,
            deep.normal,
            bounds,
            deep.tests,
            ClosestMethod::Epa,
        )
    };

    // Apart, the distance of the witness points; overlapping, a translation that does separate.
    let core_gap = match method {
        ClosestMethod::Gjk => bounds[1],
        _ => bounds[0],
    };
    let gap = core_gap - radii;
    let on_a = pose_a.point(&(on + normal * a.radius));
    let normal = pose_a.vector(&normal);
    let on_b = on_a + normal * gap;

    Closest {
        contact: ContactPoint {
            on_a,
            on_b,
            normal,
            gap,
            feature_a: core::feature(
                bodies[0],
                &pose_a.to_local(&on_a),
                &pose_a.vector_to_local(&normal),
            ),
            feature_b: core::feature(
                bodies[1],
                &pose_b.to_local(&on_b),
                &-pose_b.vector_to_local(&normal),
            ),
        },
        bounds: bounds.map(|bound| bound - radii),
        tests,
        method,
    }
}

/// Returns whether two bodies are more than a margin apart along a unit vector from the first to the
/// second.
pub(crate) fn is_apart(
    [a, b]: [&ConvexBody; 2],
    [pose_a, pose_b]: [&Pose<3>; 2],
    along: &Vector<3>,
    margin: f64,
) -> bool {
    let (a, b) = (Core::of(a), Core::of(b));
    let on_a = a.support(&pose_a.vector_to_local(along), a.start()).1;
    let on_b = b.support(&-pose_b.vector_to_local(along), b.start()).1;
    let apart = pose_b.position() - pose_a.position();
    let way = apart + (pose_b.vector(&on_b.coords) - pose_a.vector(&on_a.coords));
    let size = apart.amax() + on_a.coords.amax() + on_b.coords.amax();

    along.dot(&way) - a.radius - b.radius > margin + APART * size
}

/// Gap, relative to the magnitude of the coordinates, above which bodies are certainly apart.
const APART: f64 = 1e-9;

/// Computes the gap of a body over a half-space, at its lowest point.
pub fn half_space_contact(
    body: &Round,
    pose_body: &Pose<3>,
    half: &HalfSpace<3>,
    pose_half: &Pose<3>,
) -> ContactPoint<3> {
    let down = -Relative::of(pose_body, pose_half).vector(&half.normal());
    let lowest = match body.kind() {
        // Horizontal up to rounding: the middle of the lowest line.
        RoundKind::Capsule | RoundKind::Cylinder
            if body.axis().dot(&down).abs() * body.length() <= LEVEL * body.radius() =>
        {
            let across = down - body.axis() * body.axis().dot(&down);
            body.centroid() + across.normalize() * body.radius()
        }
        // Upright: the centre of the cap.
        RoundKind::Cylinder if body.axis().cross(&down).norm() <= LEVEL => {
            body.ends()[usize::from(body.axis().dot(&down) > 0.0)]
        }
        RoundKind::Cone
            if body.axis().cross(&down).norm() <= LEVEL && body.axis().dot(&down) < 0.0 =>
        {
            body.ends()[0]
        }
        _ => body.support(&down),
    };

    let touch = super::half_space::vertex_contact((0, &lowest), pose_body, half, pose_half);
    ContactPoint {
        feature_a: Feature::Face(closest::closest_point(body, &lowest).face),
        ..touch
    }
}

/// Slope below which a body counts as horizontal: its lowest line or disc then touches as a whole.
const LEVEL: f64 = 1e-12;
