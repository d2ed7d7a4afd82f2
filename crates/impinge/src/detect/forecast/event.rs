//! Events between two bodies.

use super::ForecastId;
use crate::space::Point;

/// Kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ForecastEventKind {
    /// The bounding balls of the bodies will touch at this time: no contact is possible before.
    Predicted,
    /// The bodies touch.
    Contact,
    /// The bodies no longer touch: their distance exceeds the rounding error.
    Separation,
    /// The pair is undecided from this time on, because the search exceeded
    /// [`Settings::most_work`](super::Settings::most_work). A new motion of either body restarts
    /// it.
    Undecided,
}

impl ForecastEventKind {
    /// Returns the kind as one lower-case word, for machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Predicted => "predicted",
            Self::Contact => "contact",
            Self::Separation => "separation",
            Self::Undecided => "undecided",
        }
    }
}

/// An event between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ForecastEvent {
    /// Kind of the event.
    pub kind: ForecastEventKind,
    /// Time of the event; for a contact never later than the true time.
    pub time: f64,
    /// Upper bound of the true time of a contact. At most the tolerance after `time`, except for
    /// grazing or slow bodies, where rounding hides more. Equal to `time` for other events.
    pub latest: f64,
    /// Whether a contact is proven. If not, the bodies only approach to within rounding.
    pub certain: bool,
    /// The bodies, in ascending order.
    pub bodies: [ForecastId; 2],
    /// The faces in contact, if known.
    pub faces: Option<[u32; 2]>,
    /// The contact point, if they touch.
    pub point: Option<Point<3>>,
}
