//! The interface between the detector and the shapes, in 2D and 3D.
//!
//! Each dimension has its own enum of shapes, [`Shape2`](super::Shape2) and [`Shape3`](super::Shape3).
//! The rest of this module uses them only through the trait [`Shape`].

use super::contact::{Contact, PairContact};
use crate::broad::{BodyId, Pair};
use crate::narrow::half_space::HalfSpace;
use crate::shape::Problem;
use crate::space::{Aabb, Pose};
use std::fmt::Debug;

/// A body of a scene at one time.
#[derive(Debug)]
pub struct Placed<'a, S, const D: usize> {
    /// Its id.
    pub id: BodyId,
    /// Its shape.
    pub shape: &'a S,
    /// Its pose.
    pub pose: Pose<D>,
    /// Identifies the shape and its version; data cached under another stamp is invalid.
    pub stamp: Stamp,
}

// Implemented by hand: deriving would require `S: Clone` and `S: Copy`.
impl<S, const D: usize> Clone for Placed<'_, S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, const D: usize> Copy for Placed<'_, S, D> {}

/// Identity and version of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Unique to each body ever added.
    pub shape: u64,
    /// Increases whenever the body is deformed.
    pub version: u64,
}

/// The shapes of one dimension.
pub trait Shape<const D: usize>: Clone + Debug + Send + Sync + sealed::Sealed {
    /// Cache of one pair, kept from step to step.
    type Kept: Default + Clone + Debug + Send;
    /// Caches of the deforming bodies.
    type Deforming: Default + Clone + Debug + Sync;

    /// Returns the bounding box in the local frame; infinite for a half-space.
    fn local_bounds(&self) -> Aabb<D>;

    /// Returns the bounding box at a pose.
    fn bounds(&self, pose: &Pose<D>) -> Aabb<D>;

    /// Returns the half-space, or `None` for any other shape.
    fn half_space(&self) -> Option<&HalfSpace<D>>;

    /// Moves the points. On error, nothing has changed.
    fn set_points(&mut self, points: &[crate::space::Point<D>]) -> Result<(), Problem>;

    /// Updates the caches of deforming bodies and appends the contacts among those bodies.
    fn deform(
        kept: &mut Self::Deforming,
        bodies: &[Option<Placed<Self, D>>],
        pairs: &[Pair],
        found: &mut Vec<Contact<D>>,
    );

    /// Appends the contacts of two bodies, by the method that the table gives for their shapes.
    fn meet(
        a: &Placed<Self, D>,
        b: &Placed<Self, D>,
        kept: &mut Self::Kept,
        deforming: &Self::Deforming,
        found: &mut Vec<PairContact<D>>,
    );
}

/// Seals [`Shape`](super::Shape): the table of methods must cover all shapes.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// Relative growth of a rotated box, so that rounding never misses a contact.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the bounding box of a rotated box.
pub(super) fn turned<const D: usize>(local: &Aabb<D>, pose: &Pose<D>) -> Aabb<D> {
    let reach = pose.rotation().abs() * (local.extent() * 0.5);
    let centre = pose.point(&local.centre());
    let rounded = reach + (reach + centre.coords.abs() + local.centre().coords.abs()) * ROUNDING;
    Aabb {
        min: centre - rounded,
        max: centre + rounded,
    }
}

/// Returns the bounding box of rotated points.
pub(super) fn around<const D: usize>(points: &[crate::space::Point<D>], pose: &Pose<D>) -> Aabb<D> {
    let tight = Aabb::of(points.iter().map(|p| pose.point(p)));
    let slack = (tight.min.coords.abs() + tight.max.coords.abs()) * ROUNDING;
    Aabb {
        min: tight.min - slack,
        max: tight.max + slack,
    }
}
