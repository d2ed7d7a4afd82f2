//! Point-in-polyhedron tests: classifies points as inside, outside or on the boundary of a closed
//! surface. \[Muth2006\]
//!
//! | [`InsideMethod`] | result | nested shells | cost per point |
//! |---|---|---|---|
//! | `Auto` | exact | parity | one look-up |
//! | `Ray` | exact | parity | the faces along a ray, found through a bounding-volume hierarchy |
//! | `RayAll` | exact | parity | all faces: the paper's reference |
//! | `Potential` | exact | winding number | all faces |
//! | `Multipole` | J rounded, exact near the surface | winding number | a local expansion and the near faces |
//!
//! Parity: a point is inside if a ray from it crosses the surface an odd number of times, so a
//! shell within a shell bounds a hole whatever the orientation of its triangles. Winding number: a
//! point is inside if J > ½, so a shell within a shell bounds a hole only if its triangles have the
//! opposite orientation. The rules agree if shells do not overlap, or if holes are oriented inward.

mod bodies;
mod cells;
mod crossing;
mod engine;
mod multipole;
mod order;
mod parts;
mod potential;
mod ray;
mod report;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
mod winding;

pub use bodies::{NodeInBody, NodesInBodies, PlacedBody, nodes_in_bodies, nodes_in_body};
pub use cells::{CellCounts, CellsOptions, LabelledCells, PointGrid};
pub use crossing::{Crossing, crossing};
pub(crate) use crossing::{crosses_nearby, locate_on};
pub use engine::{Inside, Located, NotFinite};
pub use multipole::{
    Degree, Depth, FreeCells, InvalidMultipole, LevelOrder, Multipole, MultipoleOptions, Statistics,
};
pub use parts::inward_part;
pub use potential::{Potential, solid_angle, winding_number};
pub use ray::RayCrossing;
pub use report::Report;
pub use winding::Winding;

use crate::shape::Feature;

/// Position of a point relative to a closed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Position {
    /// Outside the body.
    Outside,
    /// Strictly inside the body.
    Inside,
    /// Exactly on the surface: on a vertex or edge if it lies on one, otherwise on a face. If parts
    /// of the surface touch each other, the lowest of the features that the point lies on.
    On(Feature),
}

impl Position {
    /// Returns the position of a point off the surface with this winding number.
    pub(crate) fn of_winding(winding: i64) -> Self {
        if winding >= 1 {
            Self::Inside
        } else {
            Self::Outside
        }
    }
}

/// Method of point location.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum InsideMethod {
    /// The fastest exact method.
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

/// Options for preparing a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InsideOptions {
    /// Method of point location.
    pub method: InsideMethod,
    /// Seed of the random rays. The results do not depend on it; the number of redrawn rays may.
    pub seed: u64,
}
