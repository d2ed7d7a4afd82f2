//! The interface between the detector and the shapes, in 2D and 3D.
//!
//! Each dimension has its own enum of shapes, [`Shape2`](super::Shape2) and [`Shape3`](super::Shape3).
//! The rest of this module uses them only through the traits [`Shape`] and [`PairMethods`].

use super::contact::Contact;
use super::options::Options;
use crate::broad::{BodyId, Pair};
use crate::narrow::PairContact;
use crate::shape::{HalfSpace, Problem};
use crate::space::{Aabb, Point, Pose, Vector};
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

/// The shapes of one dimension: their geometry.
pub trait Shape<const D: usize>: Clone + Debug + Send + Sync + sealed::Sealed + 'static {
    /// Returns the bounding box in the local frame; infinite for a half-space.
    fn local_bounds(&self) -> Aabb<D>;

    /// Returns the bounding box at a pose.
    fn bounds(&self, pose: &Pose<D>) -> Aabb<D>;

    /// Returns whether the body is convex: two convex bodies touch at one place.
    fn is_convex(&self) -> bool;

    /// Returns the half-space, or `None` for any other shape.
    fn half_space(&self) -> Option<&HalfSpace<D>>;

    /// Moves the points. On error, nothing has changed.
    fn set_points(&mut self, points: &[Point<D>]) -> Result<(), Problem>;
}

/// The methods for pairs of shapes of one dimension. `table.rs` implements it.
pub trait PairMethods<const D: usize>: Shape<D> {
    /// Cache of one pair, kept from step to step.
    type Cache: Default + Clone + Debug + Send;
    /// Caches of the deforming bodies.
    type Deforming: Default + Clone + Debug + Sync;

    /// Updates the caches of deforming bodies and appends the contacts among those bodies.
    fn deform(
        kept: &mut Self::Deforming,
        bodies: &[Option<Placed<Self, D>>],
        pairs: &[Pair],
        options: &Options,
        found: &mut Vec<Contact<D>>,
    );

    /// Appends the contacts of two bodies, by the method that the table gives for their shapes.
    fn meet(
        a: &Placed<Self, D>,
        b: &Placed<Self, D>,
        kept: &mut Self::Cache,
        deforming: &Self::Deforming,
        options: &Options,
        found: &mut Vec<PairContact<D>>,
    );
}

/// Seals [`Shape`](super::Shape): the table of methods must cover all shapes.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// Returns an infinite box.
pub(super) fn endless<const D: usize>() -> Aabb<D> {
    Aabb {
        min: Point::from(Vector::repeat(f64::NEG_INFINITY)),
        max: Point::from(Vector::repeat(f64::INFINITY)),
    }
}
