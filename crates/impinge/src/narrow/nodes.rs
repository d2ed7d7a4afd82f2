//! Node-to-surface contact, in both directions, for bodies that deform or have curved faces.
//!
//! A node inside the other body, or within the margin of it, is a contact with the closest point of that
//! body's surface \[Aragon2013, eq. (17)\]. Its gap is the signed distance. Contacts of adjacent nodes
//! are one place ([`places`](super::places)). Cost: O(nodes in the other body's box · log faces).

use super::places::{Dimension, Key, Parts, Role, Scratch};
use super::projection::{FaceTree, NearestFace, On};
use super::{ContactPoint, PairContact, sphere};
use crate::shape::{Feature, HalfSpace, Polygon, Polyhedron, Sphere};
use crate::space::{Point, Pose, Vector};

/// Shortest way from a point to the surface of a body, in world coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit<const D: usize> {
    pub(crate) on: Point<D>,
    /// Unit vector out of the body.
    pub(crate) outward: Vector<D>,
    /// Negative inside the body.
    pub(crate) gap: f64,
    pub(crate) feature: Feature,
}

/// A body whose nodes are tested against others, and which tests theirs.
pub(crate) trait NodeBody<const D: usize> {
    /// Visits all nodes in the body's frame, in ascending order.
    fn visit_nodes(&self, visit: impl FnMut(u32, &Point<D>));

    /// Returns the exit of a point that is inside the body or at most `margin` outside.
    fn exit(&self, pose: &Pose<D>, point: &Point<D>, margin: f64) -> Option<Exit<D>>;

    /// Visits the nodes of a face.
    fn visit_face_nodes(&self, face: u32, visit: impl FnMut(u32));

    /// Visits the faces around a node.
    fn visit_faces_around(&self, node: u32, visit: impl FnMut(u32));
}

/// Appends a contact for each connected place where nodes of one body lie in the other, or at most
/// `margin` outside.
pub(crate) fn nodes_of_both<const D: usize>(
    a: &impl NodeBody<D>,
    pose_a: &Pose<D>,
    b: &impl NodeBody<D>,
    pose_b: &Pose<D>,
    margin: f64,
    found: &mut Vec<PairContact<D>>,
) where
    Dimension: Scratch<D>,
{
    <Dimension as Scratch<D>>::with(|parts| {
        nodes_within(a, pose_a, b, pose_b, margin, parts);
        parts.join(found);
    });
}

/// Adds a contact for each node of either body in the other, or at most `margin` outside.
pub(crate) fn nodes_within<const D: usize>(
    a: &impl NodeBody<D>,
    pose_a: &Pose<D>,
    b: &impl NodeBody<D>,
    pose_b: &Pose<D>,
    margin: f64,
    parts: &mut Parts<D>,
) {
    let range = [f64::NEG_INFINITY, margin];
    of_nodes([0, 1], a, pose_a, b, pose_b, range, parts);
    of_nodes([1, 0], b, pose_b, a, pose_a, range, parts);
}

/// Adds a contact for each node of the first body in the second.
pub(crate) fn nodes_in<const D: usize>(
    a: &impl NodeBody<D>,
    pose_a: &Pose<D>,
    b: &impl NodeBody<D>,
    pose_b: &Pose<D>,
    parts: &mut Parts<D>,
) {
    of_nodes(
        [0, 1],
        a,
        pose_a,
        b,
        pose_b,
        [f64::NEG_INFINITY, 0.0],
        parts,
    );
}

/// Adds a contact for each node of either body that is outside the other, but at most by `margin`.
pub(crate) fn nodes_near<const D: usize>(
    a: &impl NodeBody<D>,
    pose_a: &Pose<D>,
    b: &impl NodeBody<D>,
    pose_b: &Pose<D>,
    margin: f64,
    parts: &mut Parts<D>,
) {
    of_nodes([0, 1], a, pose_a, b, pose_b, [0.0, margin], parts);
    of_nodes([1, 0], b, pose_b, a, pose_a, [0.0, margin], parts);
}

/// Adds a contact for each node of the first body whose gap to the second lies in a range: above the
/// first limit, up to the second. `sides` gives the order of the two bodies in the pair.
fn of_nodes<const D: usize>(
    sides: [u8; 2],
    a: &impl NodeBody<D>,
    pose_a: &Pose<D>,
    b: &impl NodeBody<D>,
    pose_b: &Pose<D>,
    [above, margin]: [f64; 2],
    parts: &mut Parts<D>,
) {
    a.visit_nodes(|node, local| {
        let on_a = pose_a.point(local);
        let exit = b.exit(pose_b, &on_a, margin);
        let Some(exit) = exit.filter(|exit| exit.gap > above) else {
            return;
        };
        let contact = PairContact::plain(ContactPoint {
            on_a,
            on_b: exit.on,
            normal: -exit.outward,
            gap: exit.gap,
            feature_a: Feature::Vertex(node),
            feature_b: exit.feature,
        });
        let is_first = sides[0] == 0;
        parts
            .contacts
            .push(if is_first { contact } else { contact.swapped() });

        parts.key(Key::Node(sides[0], node), Role::Own);
        a.visit_faces_around(node, |face| parts.key(Key::Face(sides[0], face), Role::Own));
        let mut target = |node: u32| parts.key(Key::Node(sides[1], node), Role::Target);
        match exit.feature {
            Feature::Vertex(node) => target(node),
            Feature::Edge(ends) => ends.into_iter().for_each(target),
            Feature::Face(face) => b.visit_face_nodes(face, target),
        }
    });
}

impl<const D: usize> NodeBody<D> for FaceTree<D> {
    fn visit_nodes(&self, mut visit: impl FnMut(u32, &Point<D>)) {
        for (node, point) in (0..).zip(self.faces().points()) {
            if !self.faces_around(node).is_empty() {
                visit(node, point);
            }
        }
    }

    fn exit(&self, pose: &Pose<D>, point: &Point<D>, margin: f64) -> Option<Exit<D>> {
        let local = pose.to_local(point);
        if !self.bounds().grown(margin).contains(&local) {
            return None;
        }

        let nearest = self
            .nearest(&local)
            .filter(|nearest| nearest.projection.gap <= margin)?;
        Some(Exit {
            on: pose.point(&nearest.projection.point),
            outward: pose.vector(&nearest.projection.normal),
            gap: nearest.projection.gap,
            feature: feature(self, &nearest),
        })
    }

    fn visit_face_nodes(&self, face: u32, visit: impl FnMut(u32)) {
        self.faces()
            .nodes(face as usize)
            .iter()
            .copied()
            .for_each(visit);
    }

    fn visit_faces_around(&self, node: u32, mut visit: impl FnMut(u32)) {
        self.faces_around(node)
            .iter()
            .for_each(|&(face, _)| visit(face));
    }
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

impl NodeBody<2> for Polygon {
    fn visit_nodes(&self, mut visit: impl FnMut(u32, &Point<2>)) {
        (0..)
            .zip(self.points())
            .for_each(|(node, point)| visit(node, point));
    }

    fn exit(&self, pose: &Pose<2>, point: &Point<2>, margin: f64) -> Option<Exit<2>> {
        let local = pose.to_local(point);
        let height = |edge: usize| self.normals()[edge].dot(&(local - self.points()[edge]));
        let top = (0..self.corner_count()).max_by(|&i, &j| height(i).total_cmp(&height(j)))?;
        let (from, to) = (top as u32, self.next(top) as u32);
        let feature = Feature::Edge([from.min(to), from.max(to)]);
        below(&local, height(top), &self.normals()[top], pose, feature).or_else(|| {
            let probe = Sphere::new(*point, margin).ok()?;
            outside(
                &sphere::polygon(&probe, &Pose::identity(), self, pose),
                point,
                margin,
            )
        })
    }

    fn visit_face_nodes(&self, _: u32, _: impl FnMut(u32)) {}

    /// An edge, by its first corner.
    fn visit_faces_around(&self, node: u32, mut visit: impl FnMut(u32)) {
        visit(node);
        visit(self.previous(node as usize) as u32);
    }
}

impl NodeBody<3> for Polyhedron {
    fn visit_nodes(&self, mut visit: impl FnMut(u32, &Point<3>)) {
        (0..)
            .zip(self.points())
            .for_each(|(node, point)| visit(node, point));
    }

    fn exit(&self, pose: &Pose<3>, point: &Point<3>, margin: f64) -> Option<Exit<3>> {
        let local = pose.to_local(point);
        if !self.bounds().grown(margin).contains(&local) {
            return None;
        }

        let height = |face: usize| self.height(face, &local);
        let top = (0..self.face_count()).max_by(|&i, &j| height(i).total_cmp(&height(j)))?;
        let normal = &self.planes()[top].normal;
        below(&local, height(top), normal, pose, Feature::Face(top as u32)).or_else(|| {
            let probe = Sphere::new(*point, margin).ok()?;
            let here = Pose::identity();
            let near = sphere::polyhedron(&probe, &here, self, pose, &mut Default::default());
            outside(&near, point, margin)
        })
    }

    fn visit_face_nodes(&self, face: u32, visit: impl FnMut(u32)) {
        self.face_corners(face as usize).for_each(visit);
    }

    fn visit_faces_around(&self, node: u32, mut visit: impl FnMut(u32)) {
        let face = |&half_edge: &u32| self.half_edges()[half_edge as usize].face;
        self.outgoing(node as usize)
            .iter()
            .for_each(|edge| visit(face(edge)));
    }
}

impl<const D: usize> NodeBody<D> for HalfSpace<D> {
    fn visit_nodes(&self, _: impl FnMut(u32, &Point<D>)) {}

    fn exit(&self, pose: &Pose<D>, point: &Point<D>, margin: f64) -> Option<Exit<D>> {
        let local = pose.to_local(point);
        let height = self.normal().dot(&(local - self.point()));
        let exit = Exit {
            on: pose.point(&(local - self.normal() * height)),
            outward: pose.vector(&self.normal()),
            gap: height,
            feature: Feature::Face(0),
        };
        (height <= margin).then_some(exit)
    }

    fn visit_face_nodes(&self, _: u32, _: impl FnMut(u32)) {}

    fn visit_faces_around(&self, _: u32, _: impl FnMut(u32)) {}
}

/// Returns the exit over a plane, for a point on or below it.
fn below<const D: usize>(
    local: &Point<D>,
    height: f64,
    normal: &Vector<D>,
    pose: &Pose<D>,
    feature: Feature,
) -> Option<Exit<D>> {
    (height <= 0.0).then(|| Exit {
        on: pose.point(&(local - normal * height)),
        outward: pose.vector(normal),
        gap: height,
        feature,
    })
}

/// Returns the exit of a point outside a body, from the contact of the body with a ball of radius
/// `margin` around the point.
fn outside<const D: usize>(
    near: &ContactPoint<D>,
    point: &Point<D>,
    margin: f64,
) -> Option<Exit<D>> {
    let gap = (near.on_b - point).norm();
    (gap <= margin).then(|| Exit {
        on: near.on_b,
        outward: -near.normal,
        gap,
        feature: near.feature_b,
    })
}
