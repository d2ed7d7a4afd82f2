//! Contact manifold of two facets in contact: all corners of their common part.
//!
//! A single pair of closest points cannot support a body at rest on a table. The facets that face
//! each other along the contact's normal are projected onto a plane orthogonal to it and clipped
//! against each other. Every corner of the result is a contact of its own. A corner is identified
//! by the features that produce it: vertex on facet, edge on edge or facet on vertex. A force law
//! can thus find it again in the next step. Corners are sorted by these identifiers.

use super::clip::{Origin, area_and_centroid, common_part};
use super::{ContactPoint, Relative};
use crate::shape::{Feature, Polygon, Polyhedron};
use crate::space::{Point, Pose, Vector};

/// Criterion for two facets to count as in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchOptions {
    /// Largest angle between a facet and the plane orthogonal to the normal, in radians.
    pub angle: f64,
}

impl Default for PatchOptions {
    /// 0.1 rad: a brick of 1 m that tilts by more rests on an edge.
    fn default() -> Self {
        Self { angle: 0.1 }
    }
}

/// Computes the contact manifold of two polyhedra. Replaces the contents of `corners` by its
/// corners, sorted by their features, and returns its area projected along the contact's normal. If no
/// facets are in contact, the manifold is the contact itself and the area is zero.
///
/// ```
/// use impinge::narrow::{features3, patch};
/// use impinge::{shape::Polyhedron, space::{Point, Pose}};
/// let corners: Vec<Point<3>> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
/// let cube = Polyhedron::hull(&corners)?;
/// let (below, above) = (Pose::identity(), Pose::at([0.5, 0.0, 0.99]));
/// let contact = features3::closest(&cube, &below, &cube, &above, &mut Default::default()).contact;
/// let mut corners = Vec::new();
/// let area = patch::polyhedra(&cube, &below, &cube, &above, &contact, &Default::default(), &mut corners);
/// assert_eq!((corners.len(), area), (4, 0.5));
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[doc(alias = "contact manifold")]
pub fn polyhedra(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    contact: &ContactPoint<3>,
    options: &PatchOptions,
    corners: &mut Vec<ContactPoint<3>>,
) -> f64 {
    corners.clear();
    let area = facets_along(a, pose_a, b, pose_b, contact, options)
        .map_or(0.0, |facing| facing.corners(contact, corners));

    if corners.is_empty() {
        corners.push(*contact);
    }

    corners.sort_by_key(|corner| (corner.feature_a, corner.feature_b));
    area
}

/// Two facets in world orientation, relative to a corner of the first.
struct Facing {
    /// Position of that corner.
    root: Point<3>,
    numbers: [u32; 2],
    vertices: [Vec<u32>; 2],
    points: [Vec<Vector<3>>; 2],
    normals: [Vector<3>; 2],
}

/// Returns the facets at the contact's features that face each other along its normal, if they are
/// flat enough.
fn facets_along(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    contact: &ContactPoint<3>,
    options: &PatchOptions,
) -> Option<Facing> {
    let least = options.angle.cos();
    let face_a = flattest(
        a,
        contact.feature_a,
        &pose_a.vector_to_local(&contact.normal),
        least,
    )?;
    let face_b = flattest(
        b,
        contact.feature_b,
        &-pose_b.vector_to_local(&contact.normal),
        least,
    )?;

    // Relative to a vertex of A in A's frame, so that no digits are lost far from the world origin.
    let relative = Relative::of(pose_a, pose_b);
    let vertices = [
        a.face_corners(face_a as usize).collect::<Vec<_>>(),
        b.face_corners(face_b as usize).collect(),
    ];
    let root = a.points()[vertices[0][0] as usize];
    let seen_a = vertices[0]
        .iter()
        .map(|&i| pose_a.vector(&(a.points()[i as usize] - root)));
    let seen_b = vertices[1]
        .iter()
        .map(|&j| pose_a.vector(&relative.seen_from(&root, &b.points()[j as usize])));
    let points = [seen_a.collect(), seen_b.collect()];

    let normals = [
        pose_a.vector(&a.planes()[face_a as usize].normal),
        pose_b.vector(&b.planes()[face_b as usize].normal),
    ];
    Some(Facing {
        root: pose_a.point(&root),
        numbers: [face_a, face_b],
        vertices,
        points,
        normals,
    })
}

/// Returns the facet at a feature whose normal is closest to a direction, if the cosine of the
/// angle between them is at least `least`.
fn flattest(body: &Polyhedron, feature: Feature, direction: &Vector<3>, least: f64) -> Option<u32> {
    let around = |v: u32| {
        body.outgoing(v as usize)
            .iter()
            .map(|&h| body.half_edges()[h as usize].face)
    };
    let slope = |face: &u32| body.planes()[*face as usize].normal.dot(direction);
    let candidates: Vec<u32> = match feature {
        Feature::Vertex(v) => around(v).collect(),
        Feature::Edge([i, j]) => around(i).chain(around(j)).collect(),
        Feature::Face(face) => vec![face],
    };
    let best = candidates
        .into_iter()
        .max_by(|f, g| slope(f).total_cmp(&slope(g)).then(g.cmp(f)));

    best.filter(|face| slope(face) >= least)
}

impl Facing {
    /// Writes the corners of the manifold and returns its area.
    fn corners(&self, contact: &ContactPoint<3>, corners: &mut Vec<ContactPoint<3>>) -> f64 {
        let normal = contact.normal;
        let u = normal
            .cross(&Vector::<3>::ith(normal.iamin(), 1.0))
            .normalize();
        let v = normal.cross(&u);
        let flat = |p: &Vector<3>| Vector::<2>::new(u.dot(p), v.dot(p));
        let first: Vec<Vector<2>> = self.points[0].iter().map(flat).collect();

        // Seen along the normal, the facet of B is clockwise.
        let second: Vec<Vector<2>> = self.points[1].iter().rev().map(flat).collect();
        let common = common_part(&first, &second);
        for corner in &common {
            let [on_a, on_b] =
                [0, 1].map(|k| self.lifted(k, &normal, u * corner.at.x + v * corner.at.y));
            let (feature_a, feature_b) = self.features(corner.origin);
            corners.push(ContactPoint {
                on_a: self.root + on_a,
                on_b: self.root + on_b,
                normal,
                gap: normal.dot(&(on_b - on_a)),
                feature_a,
                feature_b,
            });
        }

        area_and_centroid(&common).0.max(0.0)
    }

    /// Projects a point of the plane orthogonal to the normal onto a facet's plane, along the
    /// normal.
    fn lifted(&self, body: usize, normal: &Vector<3>, at: Vector<3>) -> Vector<3> {
        let slope = self.normals[body].dot(normal);
        at + normal * (self.normals[body].dot(&(self.points[body][0] - at)) / slope)
    }

    fn features(&self, origin: Origin) -> (Feature, Feature) {
        let edge = |body: usize, from: usize, to: usize| {
            let [i, j] = [from, to].map(|k| self.vertices[body][k % self.vertices[body].len()]);
            Feature::Edge([i.min(j), i.max(j)])
        };
        let reversed = |k: usize| self.vertices[1].len() - 1 - k % self.vertices[1].len();

        match origin {
            Origin::First(i) => (
                Feature::Vertex(self.vertices[0][i]),
                Feature::Face(self.numbers[1]),
            ),
            Origin::Second(j) => (
                Feature::Face(self.numbers[0]),
                Feature::Vertex(self.vertices[1][reversed(j)]),
            ),
            Origin::Crossing(i, j) => (edge(0, i, i + 1), edge(1, reversed(j), reversed(j + 1))),
        }
    }
}

/// Computes the contact manifold of two polygons. Replaces the contents of `corners` by its two
/// ends, sorted by their features, and returns its length orthogonal to the contact's normal. If no
/// edges are in contact, the only corner is the contact itself.
#[doc(alias = "contact manifold")]
pub fn polygons(
    a: &Polygon,
    pose_a: &Pose<2>,
    b: &Polygon,
    pose_b: &Pose<2>,
    contact: &ContactPoint<2>,
    options: &PatchOptions,
    corners: &mut Vec<ContactPoint<2>>,
) -> f64 {
    corners.clear();
    let length = edges_along(a, pose_a, b, pose_b, contact, options, corners).unwrap_or(0.0);
    if corners.is_empty() {
        corners.push(*contact);
    }

    corners.sort_by_key(|corner| (corner.feature_a, corner.feature_b));
    length
}

fn edges_along(
    a: &Polygon,
    pose_a: &Pose<2>,
    b: &Polygon,
    pose_b: &Pose<2>,
    contact: &ContactPoint<2>,
    options: &PatchOptions,
    corners: &mut Vec<ContactPoint<2>>,
) -> Option<f64> {
    let least = options.angle.cos();
    let i = flattest_edge(
        a,
        contact.feature_a,
        &pose_a.vector_to_local(&contact.normal),
        least,
    )?;
    let j = flattest_edge(
        b,
        contact.feature_b,
        &-pose_b.vector_to_local(&contact.normal),
        least,
    )?;
    let relative = Relative::of(pose_a, pose_b);
    let root = a.points()[i];

    let first = [
        Vector::zeros(),
        pose_a.vector(&(a.points()[a.next(i)] - root)),
    ];
    // The edge of B runs in the opposite direction.
    let second = [b.next(j), j].map(|k| pose_a.vector(&relative.seen_from(&root, &b.points()[k])));
    let across = Vector::<2>::new(-contact.normal.y, contact.normal.x);
    let [s, t] = [&first, &second].map(|ends| [across.dot(&ends[0]), across.dot(&ends[1])]);
    let (from, to) = (s[0].max(t[0]), s[1].min(t[1]));

    if from > to {
        return None;
    }

    let features = [[i, a.next(i)], [b.next(j), j]];
    let edge = |k: usize| {
        let [p, q] = features[k].map(|v| v as u32);
        Feature::Edge([p.min(q), p.max(q)])
    };
    let origin = pose_a.point(&root);

    for (end, at) in [(0, from), (1, to)] {
        let lift = |ends: &[Vector<2>; 2], along: [f64; 2]| {
            ends[0] + (ends[1] - ends[0]) * ((at - along[0]) / (along[1] - along[0]))
        };
        let (on_a, on_b) = (lift(&first, s), lift(&second, t));
        let is_of_a = s[end] == at;

        corners.push(ContactPoint {
            on_a: origin + on_a,
            on_b: origin + on_b,
            normal: contact.normal,
            gap: contact.normal.dot(&(on_b - on_a)),
            feature_a: if is_of_a {
                Feature::Vertex(features[0][end] as u32)
            } else {
                edge(0)
            },
            feature_b: if is_of_a {
                edge(1)
            } else {
                Feature::Vertex(features[1][end] as u32)
            },
        });
    }

    Some(to - from)
}

/// Returns the edge at a feature whose normal is closest to a direction, if the cosine of the angle
/// between them is large enough.
fn flattest_edge(
    body: &Polygon,
    feature: Feature,
    direction: &Vector<2>,
    least: f64,
) -> Option<usize> {
    let slope = |edge: &usize| body.normals()[*edge].dot(direction);
    let at = |v: u32| [v as usize, body.previous(v as usize)];
    let candidates: Vec<usize> = match feature {
        Feature::Vertex(v) => at(v).to_vec(),
        Feature::Edge([i, j]) => [at(i), at(j)].concat(),
        Feature::Face(_) => Vec::new(),
    };
    let best = candidates
        .into_iter()
        .max_by(|f, g| slope(f).total_cmp(&slope(g)).then(g.cmp(f)));

    best.filter(|edge| slope(edge) >= least)
}

#[cfg(test)]
mod tests;
