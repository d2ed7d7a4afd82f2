//! What a detector looks for.

use crate::broad::BroadMethod;
use crate::space::LARGEST_COORDINATE;
use thiserror::Error;

/// What to compute for each contact. Witness points, normal and gap always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Want {
    /// The penetration depth of two surfaces. Without it their gap is 0 wherever they cross: the search
    /// for the depth takes most of the time of such a pair. Other pairs compute it anyway.
    pub depth: bool,
    /// The intersection: its volume, centroid and mean normal.
    pub overlap: bool,
    /// All points that hold the bodies apart, up to four. Without it the manifold is the deepest point.
    pub manifold: bool,
}

impl Want {
    /// Whether bodies touch, and where.
    pub const TOUCH: Self = Self {
        depth: false,
        overlap: false,
        manifold: false,
    };

    /// Touch and depth.
    pub const DEPTH: Self = Self {
        depth: true,
        ..Self::TOUCH
    };

    /// Everything.
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
    /// Contacts with a gap of up to this length are reported. [`Event`](super::Event)s are those of
    /// bodies that touch, whatever the margin.
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
