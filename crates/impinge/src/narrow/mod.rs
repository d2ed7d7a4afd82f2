//! Who touches, where, how deep: pairs of shapes in, contacts out.
//!
//! | question | answer by | cost |
//! |---|---|---|
//! | closest points or depth of two polygons | [`features2`] | constant with kept features \[Schinner1997\] |
//! | the same of two polyhedra | [`features3`] | constant with kept features |
//! | distance of any two convex bodies | [`gjk`] | some ten supports \[Erleben2005\] |
//! | the oracles | [`brute2`], [`brute3`] | all pairs of features |
//!
//! Every answer is a [`Closest`]: a [`Contact`] with bounds that hold the true gap between them.

mod contact;
mod relative;
#[cfg(test)]
mod samples;
mod segment;

pub mod brute2;
pub mod brute3;
mod facet;
pub mod features2;
pub mod features3;
pub mod gjk;
mod penetration2;
mod penetration3;

pub use contact::{Closest, Contact, Method};
pub(crate) use relative::Relative;
