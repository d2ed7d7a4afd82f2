//! The stages together, and what is kept from step to step. [Aragon2013, section 4]
//!
//! [`forecast::Forecast`] is the paper's ContactManager for rigid bodies whose motion is known ahead: hierarchies of balls, a
//! queue of the times at which pairs of them may touch, and the contacts. It sleeps until the earliest of those times.

pub mod forecast;
