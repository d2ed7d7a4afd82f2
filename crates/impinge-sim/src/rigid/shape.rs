//! The interface of rigid body shapes, in 2D and 3D.
//!
//! There are two enums, [`RigidShape2`](super::RigidShape2) and
//! [`RigidShape3`](super::RigidShape3), and this trait. Everything else in the folder is written
//! once, with three-component vectors; 2D uses two components (and the third for rotation).

use impinge::narrow::Overlap;
use impinge::shape::{HalfSpace, Surface};
use impinge::space::{Aabb, Matrix, Point, Pose, Vector};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Area or volume, centre and inertia at unit density, in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Area in two dimensions, volume in three.
    pub measure: f64,
    /// Centre of mass.
    pub centre: Vector<3>,
    /// Inertia tensor about the centre. In 2D only its last entry is used.
    pub inertia: Matrix<3>,
}

/// Mass properties as plain numbers, for serialisation.
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
    /// Computes the mass properties of the interior of a closed surface, from the tetrahedra
    /// between the centre of its box and its triangles.
    pub fn of_surface(surface: &Surface) -> Self {
        Self::of_triangles(surface.points(), surface.triangles())
    }

    pub(super) fn of_triangles(points: &[Point<3>], triangles: &[[u32; 3]]) -> Self {
        let apex = Aabb::of(triangles.as_flattened().iter().map(|&n| points[n as usize])).centre();
        let (mut measure, mut moment, mut second) = (0.0, Vector::zeros(), Matrix::<3>::zeros());
        for triangle in triangles {
            let arms: [Vector<3>; 3] = triangle.map(|n| points[n as usize] - apex);
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

/// A place where two bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapRegion<const D: usize> {
    /// Measure, centroid, and section with the other body.
    pub overlap: Overlap<D>,
    /// Energy of compression divided by the force.
    pub lever: f64,
    /// Penetration depth along the normal.
    pub depth: f64,
}

impl<const D: usize> OverlapRegion<D> {
    /// Returns the part of a body inside a half-space, given the depth of its lowest point. As for
    /// buoyancy, the depth of the centroid is the mean displacement.
    pub(super) fn of(overlap: Overlap<D>, half: &HalfSpace<D>, depth: f64) -> Self {
        let lever = half.normal().dot(&(half.point() - overlap.centroid));
        Self {
            overlap,
            lever: lever.max(0.0),
            depth,
        }
    }

    /// Returns the common part of two bodies. If the intersection grows as the power p of the depth
    /// (2 for balls and edges, 3 for corners), the ratio T of depth to mean thickness is p and the
    /// energy is p/(p + 1) of the mean thickness. For tilted flat bodies, thicker by the fraction a at
    /// one end and thinner at the other, T is 1 + a and the energy is ½ (1 + a²/3) of the mean
    /// thickness.
    pub(super) fn between(overlap: Overlap<D>, depth: f64) -> Self {
        let section = overlap.section.norm();
        if section == 0.0 {
            return Self {
                overlap,
                lever: 0.0,
                depth,
            };
        }

        let mean = overlap.measure / section;
        let power = (depth / mean).clamp(1.0, D as f64);
        let lever = if power < 2.0 {
            0.5 * mean * (1.0 + (power - 1.0).powi(2) / 3.0)
        } else {
            mean * power / (power + 1.0)
        };

        Self {
            overlap,
            lever,
            depth,
        }
    }

    /// Returns it with the roles of the bodies exchanged.
    pub(super) fn swapped(&self) -> Self {
        let overlap = Overlap {
            section: -self.overlap.section,
            ..self.overlap
        };
        Self { overlap, ..*self }
    }
}

/// The shapes of rigid bodies in one dimension (2D or 3D).
pub trait RigidShape<const D: usize>:
    Clone + Debug + Send + Sync + Serialize + DeserializeOwned
{
    /// Data cached for a pair from step to step.
    type Kept: Default + Clone + Debug + Send + Sync;
    /// Triangle mesh walls, if the dimension has them.
    type Mesh: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// Returns the mass properties at unit density, exact up to rounding.
    fn mass(&self) -> Mass;

    /// Returns the largest distance of a point of the shape from a point of its frame.
    fn reach(&self, from: &Vector<3>) -> f64;

    /// Returns the radius of a ball or disc.
    fn radius(&self) -> Option<f64>;

    /// Returns approximately the largest length or area of a cross-section, which gives the
    /// stiffest contact.
    fn widest(&self) -> f64;

    /// Returns its bounding box at a pose.
    fn bounds(&self, pose: &Pose<D>) -> Aabb<D>;

    /// Appends each connected part of the intersection of two bodies; the sections point to the
    /// other. The cache never changes the result.
    fn meet(
        &self,
        pose: &Pose<D>,
        other: &Self,
        pose_other: &Pose<D>,
        kept: &mut Self::Kept,
        found: &mut Vec<OverlapRegion<D>>,
    );

    /// Appends its connected parts inside a half-space.
    fn in_half_space(&self, pose: &Pose<D>, half: &HalfSpace<D>, found: &mut Vec<OverlapRegion<D>>);

    /// Appends its parts inside a wall, one for each direction in which the wall pushes.
    fn in_mesh(
        &self,
        pose: &Pose<D>,
        mesh: &Self::Mesh,
        pose_mesh: &Pose<D>,
        found: &mut Vec<OverlapRegion<D>>,
    );
}

/// Cosine of the largest angle between the mean normal and a facet that counts as facing it.
const FACING: f64 = 0.985;

/// Returns the direction along which two convex bodies overlap least: the normal of the facet that is
/// closest to the mean normal, or that itself if none is close. The narrow side faces of a shallow
/// overlap tilt the mean normal, and along a tilted normal wide bodies seem several times as deep.
pub(super) fn facing<const D: usize>(
    mean: Vector<D>,
    facets: impl Iterator<Item = Vector<D>>,
) -> Vector<D> {
    let closer = |best: (f64, Vector<D>), facet: Vector<D>| {
        let cosine = facet.dot(&mean);
        if cosine > best.0 {
            (cosine, facet)
        } else {
            best
        }
    };
    facets.fold((FACING, mean), closer).1
}

/// Extends a 2D or 3D vector to three components.
pub(super) fn lifted<const D: usize>(v: &Vector<D>) -> Vector<3> {
    Vector::<3>::from_fn(|i, _| if i < D { v[i] } else { 0.0 })
}

/// Truncates a vector to `D` components.
pub(super) fn lowered<const D: usize>(v: &Vector<3>) -> Vector<D> {
    Vector::from_fn(|i, _| v[i])
}

/// Creates a pose from a position and a rotation matrix; `None` if they are not finite.
pub(super) fn pose<const D: usize>(rotation: &Matrix<3>, position: &Vector<3>) -> Option<Pose<D>> {
    let rotation = Matrix::<D>::from_fn(|i, j| rotation[(i, j)]);
    Pose::new(rotation, Point::from(lowered::<D>(position))).ok()
}
