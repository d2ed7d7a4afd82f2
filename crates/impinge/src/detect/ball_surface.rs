//! A ball against a surface: one contact for every place where it is locally nearest.
//!
//! In a corner a ball touches several faces, and on a flat wall of many triangles it touches once. So each face within
//! the radius is asked for its nearest point; a point on an edge or a vertex counts only if no other face around that edge
//! or vertex comes nearer, and once. A ball whose centre is inside a closed surface has one
//! contact, the way out. O(log faces + faces within the radius).

use super::contact::PairContact;
use super::nodes::feature;
use super::shape3::SurfaceBody;
use crate::narrow::ContactPoint;
use crate::narrow::projection::FaceTree;
use crate::narrow::triangle::closest_on;
use crate::shape::{Feature, Sphere};
use crate::space::{Point, Pose, Vector};

/// A place of a surface: where one of its faces is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceClosestPoint {
    /// What of the surface it lies on.
    pub feature: Feature,
    /// The face.
    pub face: u32,
    /// The place.
    pub on: Point<3>,
    /// From the point.
    pub distance: f64,
}

/// Appends the contacts of a ball and a surface, sorted by feature.
pub fn ball_surface(
    ball: &Sphere<3>,
    pose_ball: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    found: &mut Vec<PairContact<3>>,
) {
    let centre = pose.to_local(&pose_ball.point(&ball.centre()));
    let closed = surface.tree().is_closed();
    let is_inside = || {
        surface
            .faces()
            .nearest(&centre)
            .is_some_and(|nearest| nearest.projection.gap <= 0.0)
    };
    if closed && surface.faces().bounds().contains(&centre) && is_inside() {
        return found.extend(ball_faces(ball, pose_ball, surface.faces(), pose));
    }
    for near in places(surface, &centre, ball.radius()) {
        let outward = (centre - near.on)
            .try_normalize(0.0)
            .unwrap_or_else(|| face_normal(surface, near.face));
        found.push(contact(
            ball,
            pose_ball,
            pose,
            &near.on,
            &outward,
            near.distance,
            near.feature,
        ));
    }
}

/// The one contact of a ball with the nearest point of faces, if they touch.
pub(super) fn ball_faces<const D: usize>(
    ball: &Sphere<D>,
    pose_ball: &Pose<D>,
    faces: &FaceTree<D>,
    pose: &Pose<D>,
) -> Option<PairContact<D>> {
    let centre = pose.to_local(&pose_ball.point(&ball.centre()));
    let nearest = faces
        .nearest(&centre)
        .filter(|nearest| nearest.projection.gap <= ball.radius())?;
    let projection = &nearest.projection;
    let feature = feature(faces, &nearest);
    Some(contact(
        ball,
        pose_ball,
        pose,
        &projection.point,
        &projection.normal,
        projection.gap,
        feature,
    ))
}

fn contact<const D: usize>(
    ball: &Sphere<D>,
    pose_ball: &Pose<D>,
    pose: &Pose<D>,
    on: &Point<D>,
    outward: &Vector<D>,
    distance: f64,
    feature_b: Feature,
) -> PairContact<D> {
    let normal = -pose.vector(outward);
    PairContact::plain(ContactPoint {
        on_a: pose_ball.point(&ball.centre()) + normal * ball.radius(),
        on_b: pose.point(on),
        normal,
        gap: distance - ball.radius(),
        feature_a: Feature::Face(0),
        feature_b,
    })
}

/// Distance of two places, as a share of the ball's radius, below which they are one: two faces in one plane may both claim
/// a point on their common edge. Beside the edge by h the one is nearer than the other by h²/2 only, which rounding of
/// 1e-12 hides up to h = 1.4e-6.
const TWIN: f64 = 1e-5;

/// The places of the surface within the radius that are nearest among their neighbours, sorted by feature.
fn places(surface: &SurfaceBody, centre: &Point<3>, radius: f64) -> Vec<FaceClosestPoint> {
    let tree = surface.tree();
    let mut faces = Vec::new();
    tree.faces_within(centre, radius, &mut faces);
    let mut found: Vec<FaceClosestPoint> = faces
        .iter()
        .map(|&face| place(surface, face, centre))
        .collect();
    keep_minima(
        &mut found,
        radius,
        |place| *place,
        |face| tree.triangles()[face as usize],
    );
    found
}

fn place(surface: &SurfaceBody, face: u32, centre: &Point<3>) -> FaceClosestPoint {
    let tree = surface.tree();
    let on = closest_on(&tree.corners(face as usize), centre);
    let feature = tree.feature(face, on.between);
    FaceClosestPoint {
        feature,
        face,
        on: on.point,
        distance: on.way.norm(),
    }
}

/// Of places of several faces, one for each face within a ball's radius, leaves those where the distance of the ball's centre
/// to the whole surface has a minimum, each once, sorted by feature: a place within a face; one on an edge or a vertex if no
/// face around that comes nearer. `foot_of` tells an item's place, `nodes_of` a face's nodes as features name them.
pub fn keep_minima<T>(
    found: &mut Vec<T>,
    radius: f64,
    foot_of: impl Fn(&T) -> FaceClosestPoint,
    nodes_of: impl Fn(u32) -> [u32; 3],
) {
    // Most balls touch one face, and nothing is asked for then.
    if found.len() < 2 {
        return;
    }
    let all: Vec<FaceClosestPoint> = found.iter().map(&foot_of).collect();
    let is_nearest = |place: &FaceClosestPoint, nodes: &[u32]| {
        let around = |face: u32| nodes.iter().all(|node| nodes_of(face).contains(node));
        // Without a tolerance: of equals that rounding tells apart the nearest always stays.
        all.iter()
            .all(|other| other.distance >= place.distance || !around(other.face))
    };
    found.retain(|item| {
        let place = foot_of(item);
        match place.feature {
            Feature::Face(_) => true,
            Feature::Edge(ends) => is_nearest(&place, &ends),
            Feature::Vertex(node) => is_nearest(&place, &[node]),
        }
    });
    found.sort_by_key(|item| (foot_of(item).feature, foot_of(item).face));
    // Neighbours that share a place tell it once each.
    let mut kept: Vec<Point<3>> = Vec::new();
    found.retain(|item| {
        let on = foot_of(item).on;
        let is_new = kept
            .iter()
            .all(|other| (other - on).norm_squared() > (TWIN * radius).powi(2));
        kept.extend(is_new.then_some(on));
        is_new
    });
}

/// The unit normal of a face.
pub(super) fn face_normal(surface: &SurfaceBody, face: u32) -> Vector<3> {
    let [a, b, c] = surface.tree().corners(face as usize);
    (b - a)
        .cross(&(c - a))
        .try_normalize(0.0)
        .unwrap_or_else(Vector::x)
}
