//! Options of a detector.

use crate::broad::BroadMethod;
use crate::space::LARGEST_COORDINATE;
use thiserror::Error;

/// Optional results for each contact. Witness points, normal and gap are always computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Want {
    /// The penetration depth of two surfaces, whose search takes most of the time of such a pair.
    /// Without it their gap is 0 where they intersect. Other pairs always compute it.
    pub depth: bool,
    /// The intersection: its volume, centroid and mean normal.
    pub overlap: bool,
    /// A contact manifold of up to four points. Without it the manifold is the deepest point.
    pub manifold: bool,
}

impl Want {
    /// Contact points only.
    pub const TOUCH: Self = Self {
        depth: false,
        overlap: false,
        manifold: false,
    };

    /// Contact points and penetration depths.
    pub const DEPTH: Self = Self {
        depth: true,
        ..Self::TOUCH
    };

    /// Everything: contact points, depths, intersections and manifolds.
    pub const ALL: Self = Self {
        depth: true,
        overlap: true,
        manifold: true,
    };
}

impl Default for Want {
    fn default() -> Self {
        Self::ALL
    }
}

/// Options of a detector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Contacts with a gap of up to this length are reported. [`Event`](super::Event)s refer to
    /// actual touching, whatever the margin.
    pub margin: f64,
    /// What to compute for each contact.
    pub want: Want,
    /// The broad phase. All give the same contacts.
    pub broad: BroadMethod,
}

/// Error: the options of a detector are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidOptions {
    /// The margin is negative, NaN or larger than the supported range of coordinates.
    #[error("the margin {0} is not a length between 0 and 1e60")]
    Margin(f64),
}

impl Options {
    pub(super) fn checked(self) -> Result<Self, InvalidOptions> {
        // NaN is in no range.
        if (0.0..=LARGEST_COORDINATE).contains(&self.margin) {
            Ok(self)
        } else {
            Err(InvalidOptions::Margin(self.margin))
        }
    }
}
