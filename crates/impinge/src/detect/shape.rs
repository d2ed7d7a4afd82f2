//! What the detector must know of a shape, in the plane and in space.
//!
//! The two dimensions have different shapes: [`Shape2`](super::Shape2) and [`Shape3`](super::Shape3) are two enums, and
//! this trait is all that the rest of the folder knows of them.

use super::contact::{Contact, PairContact};
use crate::broad::{BodyId, Pair};
use crate::narrow::half_space::HalfSpace;
use crate::shape::Problem;
use crate::space::{Aabb, Pose};
use std::fmt::Debug;

/// A body of a scene at one moment.
#[derive(Debug)]
pub struct Placed<'a, S, const D: usize> {
    /// Its number.
    pub id: BodyId,
    /// Its shape.
    pub shape: &'a S,
    /// Where it stands.
    pub pose: Pose<D>,
    /// Changes with the shape: what was kept for another stamp is of no use.
    pub stamp: Stamp,
}

// Derived, these would ask the shape itself to be copied.
impl<S, const D: usize> Clone for Placed<'_, S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, const D: usize> Copy for Placed<'_, S, D> {}

/// Which shape, and how often its points were moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Another number for every body that was ever added.
    pub shape: u64,
    /// Grows when the body is deformed.
    pub version: u64,
}

/// The shapes of one dimension.
pub trait Shape<const D: usize>: Clone + Debug + Send + Sync + sealed::Sealed {
    /// What a pair keeps from step to step.
    type Kept: Default + Clone + Debug + Send;
    /// What deforming bodies keep.
    type Deforming: Default + Clone + Debug + Sync;

    /// A box around it in its own frame; infinite for a half-space.
    fn local_bounds(&self) -> Aabb<D>;

    /// A box around it where it stands.
    fn bounds(&self, pose: &Pose<D>) -> Aabb<D>;

    /// The half-space, if it is one.
    fn half_space(&self) -> Option<&HalfSpace<D>>;

    /// Moves its points; the error says what is wrong with them, and nothing has changed.
    fn set_points(&mut self, points: &[crate::space::Point<D>]) -> Result<(), Problem>;

    /// Brings what deforming bodies keep up to date, and appends the contacts that they find together.
    fn deform(
        kept: &mut Self::Deforming,
        bodies: &[Option<Placed<Self, D>>],
        pairs: &[Pair],
        found: &mut Vec<Contact<D>>,
    );

    /// Appends the contacts of two bodies: the table.
    fn meet(
        a: &Placed<Self, D>,
        b: &Placed<Self, D>,
        kept: &mut Self::Kept,
        deforming: &Self::Deforming,
        found: &mut Vec<PairContact<D>>,
    );
}

/// Nobody else makes shapes: the table is exhaustive.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// Share of the coordinates by which a turned box is grown, so that rounding loses no touch.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The box around a turned box.
pub(super) fn turned<const D: usize>(local: &Aabb<D>, pose: &Pose<D>) -> Aabb<D> {
    let reach = pose.rotation().abs() * (local.extent() * 0.5);
    let centre = pose.point(&local.centre());
    let rounded = reach + (reach + centre.coords.abs() + local.centre().coords.abs()) * ROUNDING;
    Aabb {
        min: centre - rounded,
        max: centre + rounded,
    }
}

/// The box around turned points.
pub(super) fn around<const D: usize>(points: &[crate::space::Point<D>], pose: &Pose<D>) -> Aabb<D> {
    let tight = Aabb::of(points.iter().map(|p| pose.point(p)));
    let slack = (tight.min.coords.abs() + tight.max.coords.abs()) * ROUNDING;
    Aabb {
        min: tight.min - slack,
        max: tight.max + slack,
    }
}
