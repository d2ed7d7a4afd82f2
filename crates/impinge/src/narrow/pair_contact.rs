//! The result of a pair method: the contact of two bodies without their ids, and their intersection.

use super::overlap2::Overlap2;
use super::overlap3::Overlap3;
use super::{ContactPoint, Manifold};
use crate::space::{Point, Vector};

/// The intersection of two bodies, as needed by force laws based on overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap<const D: usize> {
    /// Area in 2D, volume in 3D. For a convex body against a surface: the integral of the depth over
    /// the part of one face inside the body.
    pub measure: f64,
    /// Centroid of the intersection.
    pub centroid: Point<D>,
    /// Sum of outward normal times length or area over the part of the first body's surface inside the
    /// second. It is the mean normal from the first body to the second, with the size of the contact as
    /// its length. Zero if one body contains the other.
    pub section: Vector<D>,
}

impl From<Overlap2> for Overlap<2> {
    fn from(found: Overlap2) -> Self {
        Self {
            measure: found.area,
            centroid: found.centroid,
            section: found.section,
        }
    }
}

impl From<Overlap3> for Overlap<3> {
    fn from(found: Overlap3) -> Self {
        Self {
            measure: found.volume,
            centroid: found.centroid,
            section: found.section,
        }
    }
}

/// A contact without the ids of its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairContact<const D: usize> {
    /// The deepest point: witness points, normal, gap, features.
    pub touch: ContactPoint<D>,
    /// Up to four points of the contact, the deepest first.
    pub manifold: Manifold<D>,
    /// The intersection, if the pair method computes it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> PairContact<D> {
    /// Creates a contact of one point without an intersection.
    pub(crate) fn plain(touch: ContactPoint<D>) -> Self {
        Self {
            touch,
            manifold: touch.into(),
            overlap: None,
        }
    }

    /// Returns the contact with the two bodies swapped.
    pub(crate) fn swapped(&self) -> Self {
        let swap = |overlap: Overlap<D>| Overlap {
            section: -overlap.section,
            ..overlap
        };
        Self {
            touch: self.touch.swapped(),
            manifold: self.manifold.swapped(),
            overlap: self.overlap.map(swap),
        }
    }
}
