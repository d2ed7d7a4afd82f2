//! The output of a detector: contacts with stable ids, and begin and end events.

use crate::broad::Pair;
use crate::narrow::{ContactPoint, Manifold, Overlap, PairContact};

/// A contact's identity, constant for its lifetime: force laws look up the contact's history by it.
///
/// Two convex bodies have a single place, 0, whatever its features: the history belongs to the pair.
/// Other pairs may touch at several places. A place keeps its number from step to step while it moves by
/// less than a quarter of the smaller body's size per step, and its normal turns by less than 90°.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactId {
    /// The bodies; the same id twice for self-contact of a solid.
    pub pair: Pair,
    /// The place.
    pub place: u32,
}

/// A connected place where two bodies of a scene touch, overlap or come close.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "contact manifold")]
#[doc(alias = "collision")]
pub struct Contact<const D: usize> {
    /// The bodies; the same id twice for self-contact of a solid.
    pub pair: Pair,
    /// Number of the place among those of the pair, constant for its lifetime.
    pub place: u32,
    /// The deepest point: witness points, normal from the first body to the second, gap, features.
    pub touch: ContactPoint<D>,
    /// Contact manifold: up to four points that support the bodies against each other, the deepest
    /// first.
    pub manifold: Manifold<D>,
    /// The intersection, if the pair method computes it.
    pub overlap: Option<Overlap<D>>,
}

impl<const D: usize> Contact<D> {
    /// Returns the contact's identity.
    pub fn id(&self) -> ContactId {
        ContactId {
            pair: self.pair,
            place: self.place,
        }
    }

    /// Adds the ids of the bodies to a contact; the place is not known yet.
    pub(super) fn of(pair: Pair, contact: &PairContact<D>) -> Self {
        Self {
            pair,
            place: 0,
            touch: contact.touch,
            manifold: contact.manifold,
            overlap: contact.overlap,
        }
    }
}

/// How the contact of a pair of bodies changed since the previous step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "collision event")]
pub enum EventKind {
    /// The bodies touch now and did not before.
    Began,
    /// The bodies touched before and no longer do, or one was removed.
    Ended,
}

/// A pair of bodies that began or ceased to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Event {
    /// The bodies.
    pub pair: Pair,
    /// Whether the contact began or ended.
    pub kind: EventKind,
}
