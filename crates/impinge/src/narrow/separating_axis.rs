//! Overlap of two polyhedra, with a separating axis cached between steps.
//!
//! In a pile most pairs whose boxes overlap do not touch, and stay apart along the direction that
//! separated them in the last step. Two hill climbs from the last support vertices verify this. Only if
//! the axis no longer separates are the closest features found again, which give a new axis; pairs
//! that touched compute their intersection at once.

use super::ContactPoint;
use super::features3::{FeatureCache3, closest};
use super::overlap3::{Overlap3, polyhedra};
use crate::shape::{Feature, Polyhedron};
use crate::space::{Pose, Vector};

/// Gap, relative to the magnitude of the coordinates, above which bodies are certainly apart.
const APART: f64 = 1e-9;

/// A separating axis, and the support vertices of both bodies along it.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "separating axis theorem")]
#[doc(alias = "SAT")]
pub struct SeparatingAxis {
    /// Unit vector from the first body to the second.
    along: Vector<3>,
    supports: [u32; 2],
}

impl SeparatingAxis {
    /// Returns the axis along which the closest points separate two bodies; `None` if they are not
    /// separated.
    pub fn of([a, b]: [&Polyhedron; 2], contact: &ContactPoint<3>) -> Option<Self> {
        let size = a.bounds().longest_edge() + b.bounds().longest_edge();
        (contact.gap > APART * size).then(|| Self {
            along: contact.normal,
            supports: [vertex(a, contact.feature_a), vertex(b, contact.feature_b)],
        })
    }

    /// Returns whether the axis still separates two bodies; also updates the support vertices.
    pub fn separates(&mut self, [a, b]: [&Polyhedron; 2], [pose_a, pose_b]: [&Pose<3>; 2]) -> bool {
        let on_a = a.support(&pose_a.vector_to_local(&self.along), self.supports[0]);
        let on_b = b.support(&-pose_b.vector_to_local(&self.along), self.supports[1]);
        self.supports = [on_a, on_b];
        let [p, q] = [a.points()[on_a as usize], b.points()[on_b as usize]];
        let way = pose_b.vector(&q.coords) - pose_a.vector(&p.coords);
        let way = (pose_b.position() - pose_a.position()) + way;

        self.along.dot(&way) > APART * (magnitude(a) + magnitude(b))
    }
}

/// Returns the magnitude of a body's coordinates in its own frame, which scales their rounding.
fn magnitude(body: &Polyhedron) -> f64 {
    let bounds = body.bounds();
    bounds.min.coords.amax() + bounds.max.coords.amax()
}

/// Returns a vertex of a feature.
fn vertex(body: &Polyhedron, feature: Feature) -> u32 {
    match feature {
        Feature::Vertex(v) | Feature::Edge([v, _]) => v,
        Feature::Face(face) => body.face_corners(face as usize).next().unwrap_or_default(),
    }
}

/// What [`overlap`] keeps of a pair between steps: closest features and a separating axis while the
/// bodies are apart.
#[derive(Clone, Debug, Default)]
pub struct OverlapCache {
    touching: bool,
    features: Option<FeatureCache3>,
    axis: Option<SeparatingAxis>,
}

impl OverlapCache {
    /// Returns the axis that separated the bodies in the last step, if one is cached.
    pub fn axis(&self) -> Option<&SeparatingAxis> {
        self.axis.as_ref()
    }
}

/// Computes the intersection of two polyhedra; `None` if they are apart.
pub fn overlap(
    a: &Polyhedron,
    pose_a: &Pose<3>,
    b: &Polyhedron,
    pose_b: &Pose<3>,
    kept: &mut OverlapCache,
) -> Option<Overlap3> {
    if !kept.touching && is_apart([a, b], [pose_a, pose_b], kept) {
        return None;
    }

    let found = polyhedra(a, pose_a, b, pose_b);
    *kept = OverlapCache {
        touching: found.is_some(),
        ..OverlapCache::default()
    };

    found
}

/// Returns whether two bodies are certainly apart.
fn is_apart([a, b]: [&Polyhedron; 2], poses: [&Pose<3>; 2], kept: &mut OverlapCache) -> bool {
    let still = |axis: &mut SeparatingAxis| axis.separates([a, b], poses);
    if kept.axis.as_mut().is_some_and(still) {
        return true;
    }

    let features = kept.features.get_or_insert_default();
    let contact = closest(a, poses[0], b, poses[1], features).contact;
    kept.axis = SeparatingAxis::of([a, b], &contact);
    kept.axis.is_some()
}

#[cfg(test)]
mod tests;
