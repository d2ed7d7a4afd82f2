//! IS A POINT IN IT: points in, inside / outside / on the boundary out. \[Muth2006\]
//!
//! | [`InsideMethod`] | answer | nested shells | per point |
//! |---|---|---|---|
//! | `Auto` | exact | parity | a look-up |
//! | `Ray` | exact | parity | the faces along a ray, found through a hierarchy |
//! | `RayAll` | exact | parity | all faces: the paper's reference |
//! | `Potential` | exact | winding number | all faces |
//! | `Multipole` | J rounded, exact near the surface | winding number | a local expansion and the near faces |
//!
//! Parity: a point is inside where a ray crosses the surface an odd number of times, so a shell within a shell bounds
//! a hole whichever way its triangles turn. Winding number: a point is inside where J > ½, so a shell within a shell
//! bounds a hole only if its triangles turn the other way. The rules agree wherever shells do not overlap, or holes
//! are turned inward.

mod bodies;
mod cells;
mod crossing;
mod engine;
mod multipole;
mod order;
mod parts;
mod potential;
mod ray;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
mod winding;

pub use bodies::{NodeInBody, NodesInBodies, PlacedBody, nodes_in_bodies, nodes_in_body};
pub use cells::{CellCounts, CellsOptions, LabelledCells, PointGrid};
pub use crossing::{Crossing, crosses_nearby, crossing, locate_on};
pub(crate) use engine::Locate;
pub use engine::{Inside, NotFinite, Report};
pub use multipole::{Degree, Depth, InvalidMultipole, Multipole, MultipoleOptions, Statistics};
pub use parts::inward_part;
pub use potential::{Potential, solid_angle, winding_number};
pub use ray::RayCrossing;
pub use winding::Winding;

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

impl Position {
    /// The position of a point off the surface around which the surface winds this often.
    pub(crate) fn of_winding(winding: i64) -> Self {
        if winding >= 1 {
            Self::Inside
        } else {
            Self::Outside
        }
    }
}

/// How points are located.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum InsideMethod {
    /// The fastest that is exact.
    #[default]
    Auto,
    /// Ray crossing with a bounding-volume hierarchy.
    Ray,
    /// Ray crossing over all faces.
    RayAll,
    /// The double-layer potential, summed over all faces.
    Potential,
    /// The double-layer potential by the fast multipole method.
    Multipole(MultipoleOptions),
}

/// What to prepare.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// How points are located.
    pub method: InsideMethod,
    /// Chooses the rays. Answers do not depend on it; the number of rays drawn again may.
    pub seed: u64,
}
