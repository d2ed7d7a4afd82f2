//! A ball against a surface: one contact for each local minimum of the distance.
//!
//! In a corner a ball touches several faces; on a flat wall of many triangles it touches once. The
//! closest point of each face within the radius is therefore computed. A closest point on an edge or
//! vertex counts only if no adjacent face is closer, and only once. A ball whose centre is inside a
//! closed surface has one contact, at the nearest exit. Cost: O(log faces + faces within the radius).

use super::nodes::feature;
use super::projection::FaceTree;
use super::triangle::closest_on;
use super::{ContactPoint, PairContact, SurfaceBody};
use crate::shape::{Feature, Sphere};
use crate::space::{Point, Pose, Vector};
use std::cell::RefCell;

/// The closest point of one face to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FaceClosestPoint {
    /// Feature of the surface that contains the closest point.
    pub feature: Feature,
    /// The face.
    pub face: u32,
    /// The closest point.
    pub on: Point<3>,
    /// Distance from the given point.
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
    ball_surface_within(ball, pose_ball, surface, pose, 0.0, found);
}

/// Like [`ball_surface`], with all contacts whose gap is at most `margin`.
pub fn ball_surface_within(
    ball: &Sphere<3>,
    pose_ball: &Pose<3>,
    surface: &SurfaceBody,
    pose: &Pose<3>,
    margin: f64,
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
        return found.extend(ball_faces(ball, pose_ball, surface.faces(), pose, margin));
    }

    let mut scratch = SCRATCH.take();
    let Scratch { faces, places } = &mut scratch;
    find_places(surface, &centre, ball.radius() + margin, faces, places);
    for near in places {
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
    SCRATCH.set(scratch);
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
    static MINIMA: RefCell<Minima> = RefCell::default();
}

/// Memory reused from ball to ball.
#[derive(Default)]
struct Scratch {
    faces: Vec<u32>,
    places: Vec<FaceClosestPoint>,
}

/// Memory of [`keep_minima`].
#[derive(Default)]
struct Minima {
    all: Vec<FaceClosestPoint>,
    kept: Vec<Point<3>>,
}

/// Returns the contact of a ball with the closest point of faces, if its gap is at most `margin`.
pub(crate) fn ball_faces<const D: usize>(
    ball: &Sphere<D>,
    pose_ball: &Pose<D>,
    faces: &FaceTree<D>,
    pose: &Pose<D>,
    margin: f64,
) -> Option<PairContact<D>> {
    let centre = pose.to_local(&pose_ball.point(&ball.centre()));
    let nearest = faces
        .nearest(&centre)
        .filter(|nearest| nearest.projection.gap <= ball.radius() + margin)?;
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

/// Distance, relative to the ball's radius, below which two closest points are the same. Two coplanar
/// faces may both report a point on their common edge. At a distance h beside the edge one is nearer by
/// only h²/2, which a rounding of 1e-12 hides up to h = 1.4e-6.
const SAME_POINT: f64 = 1e-5;

/// Finds the closest points within the radius that are local minima of the distance, sorted by
/// feature.
fn find_places(
    surface: &SurfaceBody,
    centre: &Point<3>,
    radius: f64,
    faces: &mut Vec<u32>,
    found: &mut Vec<FaceClosestPoint>,
) {
    let tree = surface.tree();
    faces.clear();
    tree.faces_within(centre, radius, faces);
    found.clear();
    found.extend(faces.iter().map(|&face| place(surface, face, centre)));
    keep_minima(
        found,
        radius,
        |place| *place,
        |face| tree.triangles()[face as usize],
    );
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

/// Reduces closest points, one for each face within a ball's radius, to the local minima of the
/// distance between the ball's centre and the whole surface.
///
/// Each minimum is kept once, and the result is sorted by feature. A point in the interior of a face is
/// a minimum; a point on an edge or vertex is one only if no adjacent face is closer. `foot_of` returns
/// an item's closest point, `nodes_of` the nodes of a face as they appear in features.
pub fn keep_minima<T>(
    found: &mut Vec<T>,
    radius: f64,
    foot_of: impl Fn(&T) -> FaceClosestPoint,
    nodes_of: impl Fn(u32) -> [u32; 3],
) {
    // Most balls touch a single face and need no filtering.
    if found.len() < 2 {
        return;
    }

    // Taken, not borrowed: the callbacks may come back here.
    let Minima { mut all, mut kept } = MINIMA.take();
    all.clear();
    all.extend(found.iter().map(&foot_of));
    let is_nearest = |place: &FaceClosestPoint, nodes: &[u32]| {
        let around = |face: u32| nodes.iter().all(|node| nodes_of(face).contains(node));
        // Compared without a tolerance: among points equal up to rounding, the nearest is always kept.
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
    // There is one item for each face, so that no two are equal.
    found.sort_unstable_by_key(|item| (foot_of(item).feature, foot_of(item).face));

    // Adjacent faces report a shared closest point once each.
    kept.clear();
    found.retain(|item| {
        let on = foot_of(item).on;
        let is_new = kept
            .iter()
            .all(|other| (other - on).norm_squared() > (SAME_POINT * radius).powi(2));
        kept.extend(is_new.then_some(on));
        is_new
    });
    MINIMA.set(Minima { all, kept });
}

/// Returns the unit normal of a face.
pub(crate) fn face_normal(surface: &SurfaceBody, face: u32) -> Vector<3> {
    let [a, b, c] = surface.tree().corners(face as usize);
    (b - a)
        .cross(&(c - a))
        .try_normalize(0.0)
        .unwrap_or_else(Vector::x)
}
