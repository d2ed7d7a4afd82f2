//! What a rigid body's shape must answer, in the plane and in space.
//!
//! Two enums, [`Form2`](super::Form2) and [`Form3`](super::Form3), and this trait; everything else of the folder is
//! written once, with vectors of three components of which the plane uses two (and the third for spin).

use impinge::detect::Overlap;
use impinge::narrow::half_space::HalfSpace;
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Area or volume, centre and inertia for a density of one, in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Area in two dimensions, volume in three.
    pub measure: f64,
    /// Centre of mass.
    pub centre: Vector<3>,
    /// Inertia tensor about the centre. In the plane only its last entry counts.
    pub inertia: Matrix<3>,
}

/// The shapes of rigid bodies of one dimension.
pub trait Form<const D: usize>: Clone + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// What a pair keeps from step to step.
    type Kept: Default + Clone + Debug + Send + Sync;
    /// A wall of triangles, where the dimension has them.
    type Mesh: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// Mass properties for a density of one, exact up to rounding.
    fn mass(&self) -> Mass;

    /// Greatest distance of a point of it from the origin of its frame.
    fn reach(&self) -> f64;

    /// About the largest length or area at which it can be cut: the stiffest contact.
    fn widest(&self) -> f64;

    /// A box around it where it stands.
    fn bounds(&self, pose: &Pose<D>) -> Aabb<D>;

    /// The common part of two bodies. What is kept never changes the answer.
    fn overlap(
        &self,
        pose: &Pose<D>,
        other: &Self,
        pose_other: &Pose<D>,
        kept: &mut Self::Kept,
    ) -> Option<Overlap<D>>;

    /// The part of it in a half-space.
    fn in_half_space(&self, pose: &Pose<D>, half: &HalfSpace<D>) -> Option<Overlap<D>>;

    /// The parts of a wall's faces in it.
    fn in_mesh(
        &self,
        pose: &Pose<D>,
        mesh: &Self::Mesh,
        pose_mesh: &Pose<D>,
        found: &mut Vec<Overlap<D>>,
    );
}

/// A vector of the plane or of space with three components.
pub(super) fn lifted<const D: usize>(v: &Vector<D>) -> Vector<3> {
    Vector::<3>::from_fn(|i, _| if i < D { v[i] } else { 0.0 })
}

/// Its first components again.
pub(super) fn lowered<const D: usize>(v: &Vector<3>) -> Vector<D> {
    Vector::from_fn(|i, _| v[i])
}

/// A pose from three components and a rotation matrix; none where they are not finite.
pub(super) fn pose<const D: usize>(rotation: &Matrix<3>, position: &Vector<3>) -> Option<Pose<D>> {
    let rotation = Matrix::<D>::from_fn(|i, j| rotation[(i, j)]);
    Pose::new(rotation, Point::from(lowered::<D>(position))).ok()
}
