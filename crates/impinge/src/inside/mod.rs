//! IS A POINT IN IT: points in, inside / outside / on the boundary out. [Muth2006]

mod crossing;

pub use crossing::{Crossing, crosses_nearby, crossing, locate_on};

use crate::shape::Feature;

/// Where a point is relative to a closed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// Not in the body.
    Outside,
    /// In the body, off its surface.
    Inside,
    /// Exactly on the surface; on the vertex or edge where it is on one, else on the face. Where parts of the surface
    /// touch each other, the least of the features that the point is on.
    On(Feature),
}
