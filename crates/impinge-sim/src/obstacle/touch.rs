//! Contact points of spheres with an obstacle, and the history of a contact.

use impinge::narrow::ball_surface::FaceClosestPoint;
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// The feature of an obstacle that a particle touches.
pub(crate) use impinge::shape::Feature as MeshFeature;

/// A feature as it is serialised.
#[derive(Serialize, Deserialize)]
#[serde(remote = "MeshFeature")]
enum SavedFeature {
    Vertex(u32),
    Edge([u32; 2]),
    Face(u32),
}

/// The history of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Touch {
    /// Place of the particle in the arrays.
    pub(crate) particle: u32,
    #[serde(with = "SavedFeature")]
    pub(crate) spot: MeshFeature,
    pub(crate) spring: [f64; 3],
    pub(crate) rolled: [f64; 3],
    /// Energy in the spring.
    pub(crate) stored: f64,
    /// Elastic force on the particle.
    pub(crate) pressed: [f64; 3],
}

/// A point of an obstacle whose distance to a sphere's centre is a local minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SurfacePoint {
    pub(crate) spot: MeshFeature,
    pub(crate) point: Point<3>,
    /// Unit normal, out of the obstacle, towards the sphere's centre.
    pub(crate) normal: Vector<3>,
    /// From the point to the centre, along the normal.
    pub(crate) distance: f64,
    /// A face that contains the point, and the barycentric coordinates of the point.
    pub(crate) face: u32,
    pub(crate) weights: [f64; 3],
    /// Weight of the contact: contacts with nearly the same normal share a total weight of one.
    pub(crate) share: f64,
}

impl SurfacePoint {
    pub(super) fn on_face(&self) -> FaceClosestPoint {
        FaceClosestPoint {
            feature: self.spot,
            face: self.face,
            on: self.point,
            distance: self.distance,
        }
    }
}

/// Cosine of the angle between normals above which contacts of one sphere are separate: 20°.
const APART: f64 = 0.94;

/// Shares one contact among closest points with nearly the same normal, in proportion to their
/// depths.
///
/// Where a node of a deforming body yields, the faces around it form a flat funnel, and a sphere
/// touches all of them. With a spring and a dashpot each, the contact would be several times as
/// stiff and as damped as with the flat face before. A closest point with zero depth has no share,
/// so that forces stay continuous when one appears or disappears.
pub(super) fn share(surface_points: &mut [SurfacePoint], radius: f64) {
    if surface_points.len() < 2 {
        return;
    }

    let all: Vec<(Vector<3>, f64)> = surface_points
        .iter()
        .map(|foot| (foot.normal, radius - foot.distance))
        .collect();

    for foot in surface_points {
        let depth = radius - foot.distance;
        let alike = |normal: &Vector<3>| (normal.dot(&foot.normal) - APART) / (1.0 - APART);
        let sum: f64 = all
            .iter()
            .map(|(normal, depth)| alike(normal).clamp(0.0, 1.0) * depth)
            .sum();
        // The sum includes its own depth, up to rounding of the normal's length.
        foot.share = (depth / sum).min(1.0);
    }
}
