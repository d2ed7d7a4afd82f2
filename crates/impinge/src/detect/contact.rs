//! The output of a detector: contacts with stable ids, and begin and end events.

use crate::broad::Pair;
use crate::narrow;
use crate::narrow::overlap2::Overlap2;
use crate::narrow::overlap3::Overlap3;
use crate::shape::Feature;
use crate::space::{Point, Vector};

/// The intersection of two bodies, as needed by force laws based on overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// A contact's identity, constant for its lifetime: force laws look up the contact's history by it.
///
/// Two convex bodies have one contact, whatever its features: the history belongs to the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    /// The bodies; the same id twice for self-contact of a solid.
    pub pair: Pair,
    /// Feature of the first body.
    pub feature_a: Feature,
    /// Feature of the second body.
    pub feature_b: Feature,
}

/// A place where two bodies of a scene touch or overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const D: usize> {
    /// The bodies; the same id twice for self-contact of a solid.
    pub pair: Pair,
    /// Witness points, normal from the first body to the second, gap, features.
    pub touch: narrow::ContactPoint<D>,
    /// The intersection, if the pair method computes it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> Contact<D> {
    /// Returns the contact's identity.
    pub fn id(&self) -> ContactId {
        let narrow::ContactPoint {
            feature_a,
            feature_b,
            ..
        } = self.touch;
        ContactId {
            pair: self.pair,
            feature_a,
            feature_b,
        }
    }
}

/// A contact without the ids of its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact<const D: usize> {
    /// Witness points, normal, gap, features.
    pub touch: narrow::ContactPoint<D>,
    /// The intersection, if the pair method computes it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> PairContact<D> {
    /// Creates a contact without an intersection.
    pub(super) fn plain(touch: narrow::ContactPoint<D>) -> Self {
        Self {
            touch,
            overlap: None,
        }
    }

    /// Returns the contact with the two bodies swapped.
    pub(super) fn swapped(&self) -> Self {
        let swap = |overlap: Overlap<D>| Overlap {
            section: -overlap.section,
            ..overlap
        };
        Self {
            touch: self.touch.swapped(),
            overlap: self.overlap.map(swap),
        }
    }
}

/// How the contact of a pair of bodies changed since the previous step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The bodies touch now and did not before.
    Began,
    /// The bodies touched before and no longer do, or one was removed.
    Ended,
}

/// A pair of bodies that began or ceased to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// The bodies.
    pub pair: Pair,
    /// Whether the contact began or ended.
    pub kind: EventKind,
}
