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
