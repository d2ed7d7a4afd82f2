//! IS A POINT IN IT: points in, inside / outside / on the boundary out. [Muth2006]

use crate::shape::Feature;

/// Where a point is relative to a closed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// Not in the body.
    Outside,
    /// In the body, off its surface.
    Inside,
    /// Exactly on the surface; on the vertex or edge where it is on one, else on the face.
    On(Feature),
}
