//! Volume, centroid and inertia of bodies, for a density of one.

use super::double::six_volumes;
use super::{Polyhedron, Sphere};
use crate::space::{Matrix, Point, Pose, Vector};

/// Volume, centroid and inertia of a body of density one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "mass")]
#[doc(alias = "moment of inertia")]
#[doc(alias = "centre of mass")]
#[non_exhaustive]
pub struct MassProperties {
    /// Volume: the mass at a density of one.
    pub volume: f64,
    /// Centre of mass.
    pub centroid: Point<3>,
    /// Inertia tensor about the centroid: ∫ (|x|² I − x xᵀ), with x relative to the centroid.
    pub inertia: Matrix<3>,
}

impl MassProperties {
    /// Computes the mass properties of a closed surface with outward triangles.
    ///
    /// Sums signed tetrahedra from the first point; terms of opposite sign cancel where the surface is
    /// not convex.
    pub fn of_surface(points: &[Point<3>], triangles: &[[u32; 3]]) -> Self {
        let apex = points[0];
        let (mut volume, mut moment, mut second) = (0.0, Vector::zeros(), Matrix::zeros());
        for corners in triangles {
            let [p, q, r] = corners.map(|corner| points[corner as usize]);
            let sixfold = six_volumes(&apex, &p, &q, &r);
            let arms = [p - apex, q - apex, r - apex];
            let sum: Vector<3> = arms.iter().sum();
            volume += sixfold / 6.0;
            moment += sum * (sixfold / 24.0);
            // ∫ x xᵀ over a tetrahedron = volume/20 (Σ xᵢ xᵢᵀ + (Σ xᵢ)(Σ xᵢ)ᵀ).
            let products = arms.iter().fold(sum * sum.transpose(), |products, x| {
                products + x * x.transpose()
            });
            second += products * (sixfold / 120.0);
        }

        let arm = moment / volume;
        let second = second - arm * arm.transpose() * volume;
        Self {
            volume,
            centroid: apex + arm,
            inertia: Matrix::from_diagonal_element(second.trace()) - second,
        }
    }

    /// Returns the mass properties of the body at a pose.
    #[must_use]
    pub fn moved(&self, pose: &Pose<3>) -> Self {
        Self {
            volume: self.volume,
            centroid: pose.point(&self.centroid),
            inertia: pose.rotation() * self.inertia * pose.rotation().transpose(),
        }
    }

    /// Combines the mass properties of several bodies; where they overlap, the volume counts once for
    /// each. `None` for an empty list.
    pub fn sum(parts: &[Self]) -> Option<Self> {
        let first = parts.first()?.centroid;
        let volume: f64 = parts.iter().map(|part| part.volume).sum();
        let moment: Vector<3> = parts
            .iter()
            .map(|part| (part.centroid - first) * part.volume)
            .sum();
        let centroid = first + moment / volume;

        let inertia = parts.iter().fold(Matrix::zeros(), |sum, part| {
            let arm = part.centroid - centroid;
            let steiner = Matrix::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose();
            sum + part.inertia + steiner * part.volume
        });
        Some(Self {
            volume,
            centroid,
            inertia,
        })
    }
}

impl Sphere<3> {
    /// Volume, centre and inertia, 2/5 m r².
    pub fn mass_properties(&self) -> MassProperties {
        let inertia = 0.4 * self.volume() * self.radius() * self.radius();
        MassProperties {
            volume: self.volume(),
            centroid: self.centre(),
            inertia: Matrix::from_diagonal_element(inertia),
        }
    }
}

impl Polyhedron {
    /// Volume, centroid and inertia.
    pub fn mass_properties(&self) -> MassProperties {
        MassProperties {
            volume: self.volume(),
            centroid: self.centroid(),
            inertia: self.inertia(),
        }
    }
}

#[cfg(test)]
mod tests;
