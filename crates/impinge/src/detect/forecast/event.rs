//! What happens between two bodies, and when.

use super::ForecastId;
use crate::space::Point;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForecastEventKind {
    /// The bodies' bounding balls will touch at this time: nothing can happen before.
    Predicted,
    /// The bodies touch.
    Contact,
    /// They no longer do: they are further apart than rounding can tell from a touch.
    Separation,
    /// From this time on nothing is known of the two: looking further took more than
    /// [`Settings::most_work`](super::Settings::most_work). Another motion of one of them starts anew.
    Undecided,
}

impl ForecastEventKind {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Predicted => "predicted",
            Self::Contact => "contact",
            Self::Separation => "separation",
            Self::Undecided => "undecided",
        }
    }
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForecastEvent {
    /// What.
    pub kind: ForecastEventKind,
    /// When; for a contact never later than the true time.
    pub time: f64,
    /// Not earlier than the true time of a contact: later than `time` by the tolerance at most, but where bodies graze
    /// or are slow and rounding hides more. The same as `time` for what is not a contact.
    pub latest: f64,
    /// Whether a contact is beyond doubt. If not, the bodies come as near as rounding can tell from a touch.
    pub certain: bool,
    /// Who, in the order of their numbers.
    pub bodies: [ForecastId; 2],
    /// With which faces, where they are known.
    pub faces: Option<[u32; 2]>,
    /// Where, if they touch.
    pub point: Option<Point<3>>,
}
