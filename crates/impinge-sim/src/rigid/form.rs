//! What a rigid body's shape must answer, in the plane and in space.
//!
//! Two enums, [`RigidShape2`](super::RigidShape2) and [`RigidShape3`](super::RigidShape3), and this trait; everything else of the folder is
//! written once, with vectors of three components of which the plane uses two (and the third for spin).

use impinge::detect::Overlap;
use impinge::narrow::half_space::HalfSpace;
use impinge::shape::Surface;
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
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

/// The same as plain numbers, for files.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct PlainMass {
    measure: f64,
    centre: [f64; 3],
    inertia: [[f64; 3]; 3],
}

impl From<Mass> for PlainMass {
    fn from(mass: Mass) -> Self {
        Self {
            measure: mass.measure,
            centre: mass.centre.into(),
            inertia: mass.inertia.into(),
        }
    }
}

impl From<PlainMass> for Mass {
    fn from(plain: PlainMass) -> Self {
        Self {
            measure: plain.measure,
            centre: plain.centre.into(),
            inertia: plain.inertia.into(),
        }
    }
}

impl Mass {
    /// That of the body that a closed surface encloses, by the tetrahedra from the middle of its box to its triangles.
    pub fn of_surface(surface: &Surface) -> Self {
        let apex = surface.bounds().centre();
        let (mut measure, mut moment, mut second) = (0.0, Vector::zeros(), Matrix::<3>::zeros());
        for triangle in surface.triangles() {
            let arms: [Vector<3>; 3] = triangle.map(|n| surface.points()[n as usize] - apex);
            let volume = arms[0].dot(&arms[1].cross(&arms[2])) / 6.0;
            let sum: Vector<3> = arms.iter().sum();
            // ∫ x xᵀ over a tetrahedron = volume/20 (Σ xᵢ xᵢᵀ + (Σ xᵢ)(Σ xᵢ)ᵀ), with the apex as the origin.
            let products = arms.iter().fold(sum * sum.transpose(), |products, x| {
                products + x * x.transpose()
            });
            measure += volume;
            moment += sum * (0.25 * volume);
            second += products * (volume / 20.0);
        }

        let middle = moment / measure;
        second -= middle * middle.transpose() * measure;
        Self {
            measure,
            centre: apex.coords + middle,
            inertia: Matrix::from_diagonal_element(second.trace()) - second,
        }
    }
}

/// The part of a body in a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dent<const D: usize> {
    /// Measure, centroid, and section towards the wall.
    pub overlap: Overlap<D>,
    /// Depth of the centroid below the wall's surface.
    pub lever: f64,
}

impl<const D: usize> Dent<D> {
    /// The part of a body that is in a half-space. As in a fluid, the centroid's depth is the mean way that it has been
    /// pushed.
    pub(super) fn of(overlap: Overlap<D>, half: &HalfSpace<D>) -> Self {
        let depth = half.normal().dot(&(half.point() - overlap.centroid));
        Self {
            overlap,
            lever: depth.max(0.0),
        }
    }
}

/// The shapes of rigid bodies of one dimension.
pub trait RigidShape<const D: usize>:
    Clone + Debug + Send + Sync + Serialize + DeserializeOwned
{
    /// What a pair keeps from step to step.
    type Kept: Default + Clone + Debug + Send + Sync;
    /// A wall of triangles, where the dimension has them.
    type Mesh: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// Mass properties for a density of one, exact up to rounding.
    fn mass(&self) -> Mass;

    /// Greatest distance of a point of it from a point of its frame.
    fn reach(&self, from: &Vector<3>) -> f64;

    /// Radius of a ball or disc.
    fn radius(&self) -> Option<f64>;

    /// How far it reaches along a direction of the world.
    fn height(&self, pose: &Pose<D>, direction: &Vector<D>) -> f64;

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

    /// The parts of it in a wall, one for each direction in which the wall pushes.
    fn in_mesh(
        &self,
        pose: &Pose<D>,
        mesh: &Self::Mesh,
        pose_mesh: &Pose<D>,
        found: &mut Vec<Dent<D>>,
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
