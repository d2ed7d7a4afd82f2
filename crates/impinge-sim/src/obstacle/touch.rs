//! Where a sphere touches an obstacle, and what a contact remembers.

use impinge::detect::FaceClosestPoint;
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// The feature of an obstacle that a particle touches.
pub(crate) use impinge::shape::Feature as Spot;

/// A spot as it is saved.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Spot")]
enum SavedSpot {
    Vertex(u32),
    Edge([u32; 2]),
    Face(u32),
}

/// A contact's memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Touch {
    /// FaceClosestPoint of the particle in the arrays.
    pub(crate) particle: u32,
    #[serde(with = "SavedSpot")]
    pub(crate) spot: Spot,
    pub(crate) spring: [f64; 3],
    pub(crate) rolled: [f64; 3],
    /// Energy in the spring.
    pub(crate) stored: f64,
    /// Elastic force on the particle.
    pub(crate) pressed: [f64; 3],
}

/// A point of an obstacle that is the nearest around to a sphere's centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foot {
    pub(crate) spot: Spot,
    pub(crate) point: Point<3>,
    /// Unit, out of the obstacle, to the sphere's centre.
    pub(crate) normal: Vector<3>,
    /// From the point to the centre, along the normal.
    pub(crate) distance: f64,
    /// A face that the point is on, and its shares of that face's corners.
    pub(crate) face: u32,
    pub(crate) weights: [f64; 3],
    /// The part of a whole contact that it is, beside others with nearly its normal.
    pub(crate) share: f64,
}

impl Foot {
    pub(super) fn on_face(&self) -> FaceClosestPoint {
        FaceClosestPoint {
            feature: self.spot,
            face: self.face,
            on: self.point,
            distance: self.distance,
        }
    }
}

/// Cosine of the angle between normals from which on contacts of one sphere are contacts of their own: 20°.
const APART: f64 = 0.94;

/// Lets feet with nearly one normal share one contact, each by its depth.
///
/// Where a node of a body that deforms gives way, the faces around it are a flat funnel, and a sphere touches all of them:
/// with a spring and a dashpot each, the contact would be several times as stiff and as damped as that with the flat face
/// it was before. A foot without depth has no share, so that forces do not leap where one comes or goes.
pub(super) fn share(feet: &mut [Foot], radius: f64) {
    if feet.len() < 2 {
        return;
    }

    let all: Vec<(Vector<3>, f64)> = feet
        .iter()
        .map(|foot| (foot.normal, radius - foot.distance))
        .collect();

    for foot in feet {
        let depth = radius - foot.distance;
        let alike = |normal: &Vector<3>| (normal.dot(&foot.normal) - APART) / (1.0 - APART);
        let sum: f64 = all
            .iter()
            .map(|(normal, depth)| alike(normal).clamp(0.0, 1.0) * depth)
            .sum();
        // The sum has its own depth in it, but for the rounding of a normal's length.
        foot.share = (depth / sum).min(1.0);
    }
}
