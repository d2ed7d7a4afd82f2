//! A capsule, cylinder or cone against a surface that need not be convex.
//!
//! Each face in the body's box is compared by GJK. A face outside, within the margin, is a contact along
//! the shortest way. A face that meets the body is a contact along its own normal; its depth is the
//! distance by which the face must move along the normal to clear the body, found by conservative
//! advancement with GJK. On a flat wall this is the depth below its plane, however the wall is cut into
//! triangles. Adjacent faces are one place. Faces behind which the body is much thicker than the
//! penetration are the sides of a rim, not contacts of their own.

use super::super::ball_surface::face_normal;
use super::super::gjk::{self, Corners};
use super::super::nodes::{Exit, NodeBody};
use super::super::places::{Dimension, Key, Parts, Role, Scratch};
use super::super::{ContactPoint, Manifold, PairContact, Relative, SurfaceBody};
use super::closest::closest_point;
use super::core::Core;
use super::stance::{AGREES, Reach, visit_stance};
use super::{NEAR, is_proven};
use crate::bound::round_around;
use crate::shape::{Feature, Round, RoundKind};
use crate::space::{Point, Pose, Vector};
use std::cell::RefCell;

/// Largest ratio of the depth along a face's normal to the greatest depth of a point in the body.
const THICKER: f64 = 4.0;

/// Distance, relative to the body, above which two points of a manifold count as distinct. The deepest
/// point of a curved end is known only to the square root of the precision of its depth.
const DISTINCT: f64 = 1e-4;

/// Cosine of the largest angle between a flat cap and a contact that it supports.
const CAP_FACES: f64 = 0.9;

/// Maximum number of steps of the advancement.
const MOST_STEPS: usize = 40;

thread_local! {
    static FACES: RefCell<Vec<u32>> = RefCell::default();
    static CANDIDATES: RefCell<Vec<ContactPoint<3>>> = RefCell::default();
}

/// Appends a contact for each connected place where the surface is in the body or at most `margin` away.
pub(crate) fn round_surface(
    body: &Round,
    pose_body: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    margin: f64,
    wants_manifold: bool,
    found: &mut Vec<PairContact<3>>,
) {
    let press = SurfaceQuery {
        body,
        core: Core::of_round(body),
        pose_body,
        surface,
        pose,
        relative: Relative::of(pose_body, pose),
        margin,
    };
    let start = found.len();
    <Dimension as Scratch<3>>::with(|parts| {
        let deepest = press.find(parts);
        // With a margin, a body inside the surface may be near faces too.
        if parts.contacts.iter().all(|contact| contact.touch.gap > 0.0)
            && let Some(inside) = press.inside()
        {
            return found.push(inside);
        }
        parts.convex = Some(1);
        // Contacts within the margin carry no load, so they must not replace those that do.
        let limit = THICKER * deepest;
        let bears = |contact: &PairContact<3>| (-limit..=0.0).contains(&contact.touch.gap);
        if parts.contacts.iter().any(bears) {
            parts.prefer(|contact| -contact.touch.gap <= limit);
        }
        if !parts.contacts.is_empty() {
            parts.join(found);
        }
    });

    if wants_manifold {
        found[start..]
            .iter_mut()
            .for_each(|contact| press.stand(contact));
    }
}

struct SurfaceQuery<'a> {
    body: &'a Round,
    core: Core<'a>,
    pose_body: &'a Pose<3>,
    surface: &'a SurfaceBody,
    pose: &'a Pose<3>,
    relative: Relative<3>,
    margin: f64,
}

impl SurfaceQuery<'_> {
    /// Adds the contacts of all faces; returns the greatest depth of a point of the surface in the body.
    fn find(&self, parts: &mut Parts<3>) -> f64 {
        let seen = self.pose.inverse().after(self.pose_body);
        let seen = round_around(self.body, &seen).grown(self.margin);
        let mut deepest = 0.0f64;
        FACES.with_borrow_mut(|faces| {
            faces.clear();
            let tree = self.surface.tree().boxes();
            tree.visit_overlapping(&seen, |face| faces.push(face));
            faces.sort_unstable();
            for &face in faces.iter() {
                if let Some(depth) = self.face(face, parts) {
                    deepest = deepest.max(depth);
                }
            }
        });

        deepest
    }

    /// Returns the gap from the bounds of the distance of two cores; cores not proven separated count
    /// as touching.
    fn gap(&self, bounds: &[f64; 2]) -> f64 {
        let distance = if is_proven(bounds) { bounds[1] } else { 0.0 };
        distance - self.core.radius
    }

    /// Adds the contact of a face; returns the depth of its deepest point in the body.
    fn face(&self, face: u32, parts: &mut Parts<3>) -> Option<f64> {
        let corners = self
            .surface
            .tree()
            .corners(face as usize)
            .map(|p| self.body.ends()[0] + self.relative.seen_from(&self.body.ends()[0], &p));
        let same = Relative::of(&Pose::identity(), &Pose::identity());
        let near = gjk::in_frame(
            &self.core,
            &Corners(&corners),
            &same,
            (gjk_start(&self.core), 0),
        );
        let gap = self.gap(&near.bounds);
        if gap > self.margin {
            return None;
        }

        let touch = if gap > NEAR * self.body.length().max(self.body.radius()) {
            self.apart(face, near.on, near.normal, gap)
        } else {
            self.pressed(face, &corners, &near.on[1])
        };
        parts.contacts.push(PairContact::plain(touch));
        parts.point(touch);
        for node in self.surface.tree().triangles()[face as usize] {
            parts.key(Key::Node(1, node), Role::Own);
        }

        // Points of the face in the body, for the manifold and as a measure of the depth.
        let mut depth = 0.0f64;
        let deepest = self.pose_body.to_local(&touch.on_b);
        for (n, point) in corners.iter().chain([&near.on[1], &deepest]).enumerate() {
            let exit = closest_point(self.body, point);
            depth = depth.max(-exit.gap);
            // A flat cap is supported by nodes, the side by its lowest line.
            if n < 3 && self.is_flat(exit.face) && exit.gap <= self.margin {
                let on_b = self.pose_body.point(point);
                let on_a = self.pose_body.point(&exit.on);
                let faces = self.pose_body.vector(&exit.outward).dot(&touch.normal);
                if faces >= CAP_FACES {
                    parts.point(ContactPoint {
                        on_a,
                        on_b,
                        gap: exit.gap,
                        feature_a: Feature::Face(exit.face),
                        ..touch
                    });
                }
            }
        }

        Some(depth)
    }

    /// The contact of a face that does not meet the body.
    fn apart(&self, face: u32, on: [Point<3>; 2], normal: Vector<3>, gap: f64) -> ContactPoint<3> {
        let on_a = on[0] + normal * self.core.radius;
        ContactPoint {
            on_a: self.pose_body.point(&on_a),
            on_b: self.pose_body.point(&on[1]),
            normal: self.pose_body.vector(&normal),
            gap,
            feature_a: Feature::Face(closest_point(self.body, &on_a).face),
            feature_b: Feature::Face(face),
        }
    }

    /// The contact of a face that meets the body at a point, along the face's normal.
    fn pressed(&self, face: u32, corners: &[Point<3>; 3], common: &Point<3>) -> ContactPoint<3> {
        let normal = self.normal(face, corners);
        let lowest = self.body.support(&normal);
        let mut depth = normal.dot(&(lowest - corners[0])).max(0.0);
        let mut on = *common;
        let near = NEAR * self.body.length().max(self.body.radius());
        let same = Relative::of(&Pose::identity(), &Pose::identity());

        for _ in 0..MOST_STEPS {
            let moved = corners.map(|p| p + normal * depth);
            let start = (gjk_start(&self.core), 0);
            let found = gjk::in_frame(&self.core, &Corners(&moved), &same, start);
            on = found.on[1] - normal * depth;
            let gap = self.gap(&found.bounds);
            let speed = found.normal.dot(&normal);
            if gap <= near || speed <= 0.0 {
                break;
            }
            depth -= gap / speed;
            if depth <= 0.0 {
                depth = 0.0;
                on = *common;
                break;
            }
        }

        let on_b = self.pose_body.point(&on);
        let on_a = on + normal * depth;
        let world = self.pose_body.vector(&normal);
        ContactPoint {
            on_a: on_b + world * depth,
            on_b,
            normal: world,
            gap: -depth,
            feature_a: Feature::Face(closest_point(self.body, &on_a).face),
            feature_b: Feature::Face(face),
        }
    }

    /// Whether a face of the body is a flat cap.
    fn is_flat(&self, face: u32) -> bool {
        face != 0 && self.body.kind() != RoundKind::Capsule
    }

    /// Returns the unit normal from the body to the wall, in the body's frame. An open wall pushes towards
    /// the side of the body's centre.
    fn normal(&self, face: u32, corners: &[Point<3>; 3]) -> Vector<3> {
        let outward = self.relative.vector(&face_normal(self.surface, face));
        let is_behind = outward.dot(&(self.body.centroid() - corners[0])) < 0.0;
        if is_behind && !self.surface.tree().is_closed() {
            outward
        } else {
            -outward
        }
    }

    /// The contact of a body that meets no face but is inside a closed surface: it exits through the
    /// face nearest to its centre.
    fn inside(&self) -> Option<PairContact<3>> {
        if !self.surface.tree().is_closed() {
            return None;
        }

        let centre = self.pose_body.point(&self.body.centroid());
        let exit = self.surface.faces().exit(self.pose, &centre, 0.0)?;
        let normal = -exit.outward;
        let lowest = self.body.support(&self.pose_body.vector_to_local(&normal));
        let below = normal.dot(&(self.pose_body.point(&lowest) - centre));
        let gap = exit.gap - below;

        Some(PairContact::plain(ContactPoint {
            on_a: exit.on - normal * gap,
            on_b: exit.on,
            normal,
            gap,
            feature_a: Feature::Face(closest_point(self.body, &lowest).face),
            feature_b: exit.feature,
        }))
    }

    /// Returns the exit of a point from the surface. An open wall is seen from the side of the contact.
    fn exit(&self, point: &Point<3>, normal: &Vector<3>) -> Option<Exit<3>> {
        if self.surface.tree().is_closed() {
            return self.surface.faces().exit(self.pose, point, self.margin);
        }

        let limit = self.margin + self.body.length() + 2.0 * self.body.radius();
        let exit = self.surface.faces().exit(self.pose, point, limit)?;
        if exit.outward.dot(normal) < 0.0 {
            return Some(exit);
        }
        Some(Exit {
            outward: -exit.outward,
            gap: -exit.gap,
            ..exit
        })
    }

    /// Adds the points on which the body stands to the manifold of a contact.
    fn stand(&self, contact: &mut PairContact<3>) {
        let touch = contact.touch;
        let reach = Reach {
            margin: self.margin,
            normal: touch.normal,
        };
        CANDIDATES.with_borrow_mut(|candidates| {
            candidates.clear();
            let is_on_cap = |point: &&ContactPoint<3>| match point.feature_a {
                Feature::Face(face) => self.is_flat(face),
                _ => false,
            };
            let towards = self.pose_body.vector_to_local(&touch.normal);
            if self.body.axis().dot(&towards).abs() >= AGREES {
                candidates.extend(contact.manifold.points().iter().filter(is_on_cap));
            }
            visit_stance(self.body, &towards, |point| {
                let exit = |x: &Point<3>| self.exit(x, &touch.normal);
                let world = self.pose_body.point(point);
                candidates.extend(reach.point(&world, touch.feature_a, exit));
            });
            // For a surface smaller than the body: the deepest points of its faces; points beside them
            // carry no load.
            if candidates.len() < 2 {
                let near = NEAR * (self.body.length() + self.body.radius());
                let least = DISTINCT * (self.body.length() + self.body.radius());
                let known = candidates.first().map(|point| point.on_a);
                let is_new = |point: &&ContactPoint<3>| {
                    let is_apart = |on: Point<3>| (on - point.on_a).norm() > least;
                    point.gap <= touch.gap + near && known.is_none_or(is_apart)
                };
                candidates.extend(contact.manifold.points().iter().filter(is_new));
            }
            contact.manifold = Manifold::reduced(candidates, touch);
        });
    }
}

fn gjk_start(core: &Core) -> (u32, Point<3>) {
    gjk::SupportMap::start(core)
}
