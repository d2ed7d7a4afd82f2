//! What leaves a detector: contacts with an identity, what began and what ended.

use crate::broad::Pair;
use crate::narrow;
use crate::narrow::overlap2::Overlap2;
use crate::narrow::overlap3::Overlap3;
use crate::shape::Feature;
use crate::space::{Point, Vector};

/// The common part of two bodies, as force laws on overlap need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap<const D: usize> {
    /// Area in two dimensions, volume in three. Of a convex body in a surface: the integral of the depth over the
    /// part of one face that is in the body.
    pub measure: f64,
    /// Its centre of mass.
    pub centroid: Point<D>,
    /// Sum of outward normal times length or area over the first body's surface within the second: the mean normal from
    /// the first body to the second, as long as the contact is wide. Zero where one body holds the other.
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

/// A name that a contact keeps while it lasts: a force law finds its history by it.
///
/// Two convex bodies have one contact, whatever its features: their history belongs to the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    /// The bodies; twice the same for a solid that touches itself.
    pub pair: Pair,
    /// The part of the first body.
    pub feature_a: Feature,
    /// The part of the second body.
    pub feature_b: Feature,
}

/// Where two bodies of a scene touch or overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const D: usize> {
    /// The bodies; twice the same for a solid that touches itself.
    pub pair: Pair,
    /// Points, normal from the first to the second, gap, features.
    pub touch: narrow::ContactPoint<D>,
    /// The common part, where the method gives it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> Contact<D> {
    /// The name that lasts.
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

/// A contact before its bodies have numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact<const D: usize> {
    /// Points, normal, gap, features.
    pub touch: narrow::ContactPoint<D>,
    /// The common part, where the method gives it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> PairContact<D> {
    /// A contact whose method gives no common part.
    pub(super) fn plain(touch: narrow::ContactPoint<D>) -> Self {
        Self {
            touch,
            overlap: None,
        }
    }

    /// The same seen from the other body.
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

/// What happened to a pair of bodies since the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The bodies touch, and did not before.
    Began,
    /// The bodies touched, and do no more; or one was removed.
    Ended,
}

/// A pair that began or ended to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// The bodies.
    pub pair: Pair,
    /// What.
    pub kind: EventKind,
}
