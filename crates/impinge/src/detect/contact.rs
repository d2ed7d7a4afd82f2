//! The output of a detector: contacts with stable ids, and begin and end events.

use crate::broad::Pair;
use crate::narrow::{ContactPoint, Overlap};
use crate::shape::Feature;

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
    pub touch: ContactPoint<D>,
    /// The intersection, if the pair method computes it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> Contact<D> {
    /// Returns the contact's identity.
    pub fn id(&self) -> ContactId {
        let ContactPoint {
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
