//! A ball against a surface: one contact for every place where it is locally nearest.
//!
//! In a corner a ball touches several faces, and on a flat wall of many triangles it touches once. So each face within
//! the radius is asked for its nearest point; a point on an edge or a vertex counts only if no other face around that edge
//! or vertex comes nearer, and once. A ball whose centre is inside a closed surface has one
//! contact, the way out. O(log faces + faces within the radius).

use super::contact::Found;
use super::nodes::feature;
use super::shape3::SurfaceBody;
use crate::narrow::Contact;
use crate::narrow::projection::FaceTree;
use crate::narrow::triangle::closest_on;
use crate::shape::{Feature, Sphere};
use crate::space::{Point, Pose, Vector};

/// A place of the surface within the ball.
#[derive(Clone, Copy)]
struct Near {
    feature: Feature,
    face: u32,
    on: Point<3>,
    distance: f64,
}

/// Appends the contacts of a ball and a surface, sorted by feature.
pub fn ball_surface(
    ball: &Sphere<3>,
    pose_ball: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    found: &mut Vec<Found<3>>,
) {
    let centre = pose.to_local(&pose_ball.point(&ball.centre()));
    let closed = surface.tree().is_closed();
    let is_inside = || surface.faces().nearest(&centre).is_some_and(|nearest| nearest.projection.gap <= 0.0);
    if closed && surface.faces().bounds().contains(&centre) && is_inside() {
        return found.extend(ball_faces(ball, pose_ball, surface.faces(), pose));
    }
    for near in places(surface, &centre, ball.radius()) {
        let outward =
            (centre - near.on).try_normalize(0.0).unwrap_or_else(|| face_normal(surface, near.face));
        found.push(contact(ball, pose_ball, pose, &near.on, &outward, near.distance, near.feature));
    }
}

/// The one contact of a ball with the nearest point of faces, if they touch.
pub(super) fn ball_faces<const D: usize>(
    ball: &Sphere<D>,
    pose_ball: &Pose<D>,
    faces: &FaceTree<D>,
    pose: &Pose<D>,
) -> Option<Found<D>> {
    let centre = pose.to_local(&pose_ball.point(&ball.centre()));
    let nearest = faces.nearest(&centre).filter(|nearest| nearest.projection.gap <= ball.radius())?;
    let projection = &nearest.projection;
    let feature = feature(faces, &nearest);
    Some(contact(ball, pose_ball, pose, &projection.point, &projection.normal, projection.gap, feature))
}

fn contact<const D: usize>(
    ball: &Sphere<D>,
    pose_ball: &Pose<D>,
    pose: &Pose<D>,
    on: &Point<D>,
    outward: &Vector<D>,
    distance: f64,
    feature_b: Feature,
) -> Found<D> {
    let normal = -pose.vector(outward);
    Found::plain(Contact {
        on_a: pose_ball.point(&ball.centre()) + normal * ball.radius(),
        on_b: pose.point(on),
        normal,
        gap: distance - ball.radius(),
        feature_a: Feature::Face(0),
        feature_b,
    })
}

/// Share of a distance by which another place must be nearer to count as such, and of the radius within which two
/// places are one: above the rounding of a triangle's nearest point, far below anything that a force would notice.
const SAME: f64 = 1e-9;

/// The places of the surface within the radius that are nearest among their neighbours, sorted by feature.
fn places(surface: &SurfaceBody, centre: &Point<3>, radius: f64) -> Vec<Near> {
    let tree = surface.tree();
    let mut faces = Vec::new();
    tree.faces_within(centre, radius, &mut faces);
    let all: Vec<Near> = faces.iter().map(|&face| place(surface, face, centre)).collect();
    let holds = |face: u32, nodes: &[u32]| nodes.iter().all(|n| tree.triangles()[face as usize].contains(n));
    let is_nearest = |near: &Near, nodes: &[u32]| {
        all.iter().all(|other| other.distance >= near.distance * (1.0 - SAME) || !holds(other.face, nodes))
    };
    let is_local = |near: &Near| match near.feature {
        Feature::Face(_) => true,
        Feature::Edge(ends) => is_nearest(near, &ends),
        Feature::Vertex(node) => is_nearest(near, &[node]),
    };
    let mut found: Vec<Near> = Vec::new();
    for near in all.iter().filter(|near| is_local(near)) {
        // Neighbours that share the place tell it once each.
        if found.iter().all(|other| (other.on - near.on).norm() > SAME * radius) {
            found.push(*near);
        }
    }
    found.sort_by_key(|near| (near.feature, near.face));
    found
}

fn place(surface: &SurfaceBody, face: u32, centre: &Point<3>) -> Near {
    let tree = surface.tree();
    let on = closest_on(&tree.corners(face as usize), centre);
    let feature = tree.feature(face, on.between);
    Near { feature, face, on: on.point, distance: on.way.norm() }
}

/// The unit normal of a face.
pub(super) fn face_normal(surface: &SurfaceBody, face: u32) -> Vector<3> {
    let [a, b, c] = surface.tree().corners(face as usize);
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector::x)
}
