//! Support points of a capsule, cylinder or cone: candidates for a contact manifold.

use super::super::half_space::vertex_contact;
use super::super::nodes::{Exit, NodeBody};
use super::super::{ContactPoint, Manifold};
use super::ConvexBody;
use crate::shape::{Feature, HalfSpace, Polyhedron, Round, RoundKind};
use crate::space::{Point, Pose, Vector};
use std::cell::RefCell;

/// Sine of the angle to the axis below which a direction counts as along it.
const ALONG_AXIS: f64 = 1e-9;

/// Least cosine of the angle between the normal at a point and that of its contact.
pub(super) const AGREES: f64 = 0.9;

/// Visits the points that may support a body along a direction of its frame: the ends of the line
/// furthest in that direction, and four points of the rim that faces it.
pub(super) fn visit_stance(body: &Round, towards: &Vector<3>, mut visit: impl FnMut(&Point<3>)) {
    let along = body.axis().dot(towards);
    let across = (towards - body.axis() * along)
        .try_normalize(ALONG_AXIS)
        .unwrap_or_else(|| body.across());
    let aside = body.axis().cross(&across);
    let radius = body.radius();
    let [start, end] = body.ends();

    match body.kind() {
        RoundKind::Capsule => [start, end]
            .iter()
            .for_each(|end| visit(&(end + towards * radius))),
        RoundKind::Cylinder => {
            let facing = if along > 0.0 { end } else { start };
            visit(&(start + across * radius));
            visit(&(end + across * radius));
            for way in [-across, aside, -aside] {
                visit(&(facing + way * radius));
            }
        }
        RoundKind::Cone => {
            visit(&end);
            for way in [across, -across, aside, -aside] {
                visit(&(start + way * radius));
            }
        }
    }
}

thread_local! {
    static CANDIDATES: RefCell<Vec<ContactPoint<3>>> = RefCell::default();
}

/// Returns the manifold of a body on a half-space.
pub(crate) fn half_space_manifold(
    body: &Round,
    pose_body: &Pose<3>,
    half: &HalfSpace<3>,
    pose_half: &Pose<3>,
    touch: ContactPoint<3>,
    margin: f64,
) -> Manifold<3> {
    CANDIDATES.with_borrow_mut(|candidates| {
        candidates.clear();
        let towards = pose_body.vector_to_local(&touch.normal);
        visit_stance(body, &towards, |point| {
            let contact = vertex_contact((0, point), pose_body, half, pose_half);
            if contact.gap <= margin {
                candidates.push(ContactPoint {
                    feature_a: touch.feature_a,
                    ..contact
                });
            }
        });
        Manifold::reduced(candidates, touch)
    })
}

/// Returns the manifold of two convex bodies that touch or are within the margin: points of either that
/// lie in the other, or near it, where its surface faces the contact.
pub(crate) fn manifold(
    [a, b]: [&ConvexBody; 2],
    [pose_a, pose_b]: [&Pose<3>; 2],
    touch: ContactPoint<3>,
    margin: f64,
) -> Manifold<3> {
    CANDIDATES.with_borrow_mut(|candidates| {
        candidates.clear();
        let reach = Reach {
            margin,
            normal: touch.normal,
        };
        visit_points(a, &pose_a.vector_to_local(&touch.normal), |point| {
            let exit = |x: &Point<3>| exit_of(b, pose_b, x, margin);
            candidates.extend(reach.point(&pose_a.point(point), touch.feature_a, exit));
        });

        let flipped = Reach {
            normal: -touch.normal,
            ..reach
        };
        visit_points(b, &-pose_b.vector_to_local(&touch.normal), |point| {
            let exit = |x: &Point<3>| exit_of(a, pose_a, x, margin);
            let found = flipped.point(&pose_b.point(point), touch.feature_b, exit);
            candidates.extend(found.map(|contact| contact.swapped()));
        });

        Manifold::reduced(candidates, touch)
    })
}

/// Visits the points that may support a body along a direction of its frame.
fn visit_points(body: &ConvexBody, towards: &Vector<3>, mut visit: impl FnMut(&Point<3>)) {
    match body {
        ConvexBody::Sphere(ball) => visit(&(ball.centre() + towards * ball.radius())),
        ConvexBody::Round(body) => visit_stance(body, towards, visit),
        ConvexBody::Polyhedron(body) => lower_half(body, towards, visit),
    }
}

/// Visits the vertices on the side that faces a direction.
fn lower_half(body: &Polyhedron, towards: &Vector<3>, mut visit: impl FnMut(&Point<3>)) {
    let middle = body.bounds().centre();
    let facing = |point: &&Point<3>| towards.dot(&(*point - middle)) >= 0.0;
    body.points().iter().filter(facing).for_each(&mut visit);
}

fn exit_of(body: &ConvexBody, pose: &Pose<3>, point: &Point<3>, margin: f64) -> Option<Exit<3>> {
    match body {
        ConvexBody::Sphere(_) => None,
        ConvexBody::Round(body) => body.exit(pose, point, margin),
        ConvexBody::Polyhedron(body) => body.exit(pose, point, margin),
    }
}

/// Criteria for points of a manifold.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) margin: f64,
    pub(super) normal: Vector<3>,
}

impl Reach {
    /// Returns the contact of a point of the first body, in world coordinates, with the second.
    pub(super) fn point(
        &self,
        on_a: &Point<3>,
        feature_a: Feature,
        exit: impl Fn(&Point<3>) -> Option<Exit<3>>,
    ) -> Option<ContactPoint<3>> {
        let exit = exit(on_a).filter(|exit| exit.gap <= self.margin)?;
        let agrees = -exit.outward.dot(&self.normal) >= AGREES;
        agrees.then(|| ContactPoint {
            on_a: *on_a,
            on_b: exit.on,
            normal: -exit.outward,
            gap: exit.gap,
            feature_a,
            feature_b: exit.feature,
        })
    }
}
