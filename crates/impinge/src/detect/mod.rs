//! The stages together, and what is kept from step to step. [Aragon2013, section 4]
//!
//! [`Detector`] is the paper's ContactManager for rigid bodies: hierarchies of balls, a queue of the times at which pairs
//! of them may touch, and the contacts. It sleeps until the earliest of those times.

mod body;
mod counters;
mod detector;
mod event;
mod queue;

pub use counters::Counters;
pub use detector::{Advance, BodyId, Detector, InvalidTime, Settings};
pub use event::{Event, Kind};
