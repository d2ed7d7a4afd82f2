//! Node-to-surface contact, in both directions, for bodies that deform or have curved faces.
//!
//! A node inside the other body is a contact with the closest point of that body's surface
//! \[Aragon2013, eq. (17)\]. Its gap is the signed distance. Cost: O(nodes in the other body's box ·
//! log faces).

use super::projection::{FaceTree, NearestFace, On};
use super::{ContactPoint, PairContact};
use crate::shape::{Feature, HalfSpace, Polygon, Polyhedron};
use crate::space::{Point, Pose, Vector};

/// Shortest exit from a body for a point inside it, in world coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dent<const D: usize> {
    pub(crate) on: Point<D>,
    /// Unit vector out of the body.
    pub(crate) outward: Vector<D>,
    /// Zero or negative.
    pub(crate) gap: f64,
    pub(crate) feature: Feature,
}

/// Appends a contact for each node of the first body that lies in the second.
pub(crate) fn nodes_in<const D: usize>(
    nodes: impl Iterator<Item = (u32, Point<D>)>,
    dent: impl Fn(&Point<D>) -> Option<Dent<D>>,
    found: &mut Vec<PairContact<D>>,
) {
    let contact = |(node, on_a): (u32, Point<D>)| {
        let Dent {
            on,
            outward,
            gap,
            feature,
        } = dent(&on_a)?;
        let feature_a = Feature::Vertex(node);
        Some(PairContact::plain(ContactPoint {
            on_a,
            on_b: on,
            normal: -outward,
            gap,
            feature_a,
            feature_b: feature,
        }))
    };
    found.extend(nodes.filter_map(contact));
}

/// Like [`nodes_in`], for nodes of the second body in the first.
pub(crate) fn nodes_of_second_in<const D: usize>(
    nodes: impl Iterator<Item = (u32, Point<D>)>,
    dent: impl Fn(&Point<D>) -> Option<Dent<D>>,
    found: &mut Vec<PairContact<D>>,
) {
    let start = found.len();
    nodes_in(nodes, dent, found);
    found[start..]
        .iter_mut()
        .for_each(|contact| *contact = contact.swapped());
}

/// Iterates over points in world coordinates, with their indices.
pub(crate) fn corners<'a, const D: usize>(
    points: &'a [Point<D>],
    pose: &'a Pose<D>,
) -> impl Iterator<Item = (u32, Point<D>)> + 'a {
    (0..).zip(points).map(|(node, p)| (node, pose.point(p)))
}

/// Iterates over the nodes of faces in world coordinates, with their indices.
pub(crate) fn nodes<'a, const D: usize>(
    tree: &'a FaceTree<D>,
    pose: &'a Pose<D>,
) -> impl Iterator<Item = (u32, Point<D>)> + 'a {
    let points = tree.faces().points();
    tree.nodes()
        .into_iter()
        .map(move |node| (node, pose.point(&points[node as usize])))
}

/// Returns the exit from the region enclosed by closed faces, if the point is in it.
pub(crate) fn in_faces<const D: usize>(
    tree: &FaceTree<D>,
    pose: &Pose<D>,
    point: &Point<D>,
) -> Option<Dent<D>> {
    let local = pose.to_local(point);
    if !tree.bounds().contains(&local) {
        return None;
    }

    let nearest = tree
        .nearest(&local)
        .filter(|nearest| nearest.projection.gap <= 0.0)?;
    Some(Dent {
        on: pose.point(&nearest.projection.point),
        outward: pose.vector(&nearest.projection.normal),
        gap: nearest.projection.gap,
        feature: feature(tree, &nearest),
    })
}

/// Returns the feature of the surface that contains a closest point.
pub(crate) fn feature<const D: usize>(tree: &FaceTree<D>, nearest: &NearestFace<D>) -> Feature {
    let face = nearest.face as usize;
    let nodes = tree.faces().nodes(face);
    match nearest.projection.on {
        On::Face => Feature::Face(nearest.face),
        On::Vertex(corner) => Feature::Vertex(nodes[corner as usize]),
        On::Edge(edge) => {
            let count = tree.faces().kind(face).corner_count();
            let (from, to) = (nodes[edge as usize], nodes[(edge as usize + 1) % count]);
            Feature::Edge([from.min(to), from.max(to)])
        }
    }
}

/// Returns the exit from a polygon over its nearest edge.
pub(crate) fn in_polygon(body: &Polygon, pose: &Pose<2>, point: &Point<2>) -> Option<Dent<2>> {
    let local = pose.to_local(point);
    let height = |edge: usize| body.normals()[edge].dot(&(local - body.points()[edge]));
    let top = (0..body.corner_count()).max_by(|&i, &j| height(i).total_cmp(&height(j)))?;
    let (from, to) = (top as u32, body.next(top) as u32);
    let feature = Feature::Edge([from.min(to), from.max(to)]);
    below(&local, height(top), &body.normals()[top], pose, feature)
}

/// Returns the exit from a polyhedron over its nearest facet.
pub(crate) fn in_polyhedron(
    body: &Polyhedron,
    pose: &Pose<3>,
    point: &Point<3>,
) -> Option<Dent<3>> {
    let local = pose.to_local(point);
    let height = |face: usize| body.height(face, &local);
    let top = (0..body.face_count()).max_by(|&i, &j| height(i).total_cmp(&height(j)))?;
    below(
        &local,
        height(top),
        &body.planes()[top].normal,
        pose,
        Feature::Face(top as u32),
    )
}

/// Returns the exit from a half-space.
pub(crate) fn in_half_space<const D: usize>(
    half: &HalfSpace<D>,
    pose: &Pose<D>,
    point: &Point<D>,
) -> Option<Dent<D>> {
    let local = pose.to_local(point);
    let height = half.normal().dot(&(local - half.point()));
    below(&local, height, &half.normal(), pose, Feature::Face(0))
}

/// Returns the exit over a plane, for a point on or below it.
fn below<const D: usize>(
    local: &Point<D>,
    height: f64,
    normal: &Vector<D>,
    pose: &Pose<D>,
    feature: Feature,
) -> Option<Dent<D>> {
    (height <= 0.0).then(|| Dent {
        on: pose.point(&(local - normal * height)),
        outward: pose.vector(normal),
        gap: height,
        feature,
    })
}
