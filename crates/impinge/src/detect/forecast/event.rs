//! What happens between two bodies, and when.

use super::BodyId;
use crate::space::Point;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The bodies' bounding balls will touch at this time: nothing can happen before.
    Predicted,
    /// The bodies touch.
    Contact,
    /// They no longer do.
    Separation,
}

impl Kind {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Predicted => "predicted",
            Self::Contact => "contact",
            Self::Separation => "separation",
        }
    }
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: Kind,
    /// When; for a contact never later than the true time, and earlier by the tolerance at most.
    pub time: f64,
    /// Who, in the order of their numbers.
    pub bodies: [BodyId; 2],
    /// With which faces, where they are known.
    pub faces: Option<[u32; 2]>,
    /// Where, if they touch.
    pub point: Option<Point<3>>,
}
