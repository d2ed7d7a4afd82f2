//! Contact detection over whole scenes, with caches kept from step to step. [Aragon2013, section 4]
//!
//! A [`Scene`] contains bodies of any shape: fixed, on prescribed motions, or moved by the user. After
//! each step, a [`Detector`] reports which bodies touch, where and how deep, and which contacts began
//! and ended. The method for each pair of shapes is chosen in one table, in `table.rs`.
//!
//! [`forecast::Forecast`] does continuous collision detection for rigid bodies whose motion is known in
//! advance; it is the paper's ContactManager. It keeps hierarchies of bounding spheres, a queue of the
//! times at which pairs of spheres may touch, and the contacts. It sleeps until the earliest of those
//! times.

mod contact;
mod deforming;
mod detector;
pub mod forecast;
mod identity;
mod options;
mod scene;
mod shape;
mod shape2;
mod shape3;
mod sleep;
mod table;
#[cfg(test)]
mod tests;

pub use contact::{Contact, ContactId, Event, EventKind};
pub use deforming::SolidCaches;
pub use detector::{Detector, Detector2, Detector3, InvalidStep, StepSummary};
pub use options::{InvalidOptions, Options, Want};
pub use scene::{Cause, InvalidBody, Place, Scene, Scene2, Scene3};
pub use shape::{PairMethods, Placed, Shape, Stamp};
pub use shape2::Shape2;
pub use shape3::Shape3;
pub use table::PairState;
