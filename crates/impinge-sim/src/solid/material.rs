//! Elastic materials and the stress of a deformation.
//!
//! F is the deformation gradient, J its determinant, C = FᵀF. Both laws are finite for every finite
//! F, even if an element is flat or inverted (J ≤ 0), and both reduce to Hooke's law for small
//! strains.

use super::{InvalidSolid, SurfaceMaterial, check_surface};
use crate::law::damping_ratio;
use impinge::space::{Matrix, Vector};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Smallest |J| in the divisor of the Cauchy stress: a flat element has no area for a force to act
/// on.
const LEAST_VOLUME: f64 = 1e-6;

/// Fraction of the shear modulus that stays with the elements when strains are smoothed. For a
/// cantilever with 2 and 4 cells through its height, at ν = 0.3, 0.1 gives 124 and 107 % of the
/// deflection, 0.25 gives 103 and 102 %, 0.3 gives 98 and 101 %, and 1, which means no smoothing,
/// 50 and 79 %. Nothing of λ stays: it locks as ν approaches ½.
const STABILISING: f64 = 0.25;

/// The largest λ, in shear moduli, that acts at the points of integration of quadratic cells; what
/// exceeds it acts on their mean dilatation. Below it, at ν ≤ ⅓, they keep their full order; above,
/// they do not lock. Linear hexahedra have all of λ on the mean, because theirs is no coarser.
const POINTWISE: f64 = 2.0;

/// The constitutive law: stress as a function of strain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[doc(alias = "constitutive law")]
#[doc(alias = "hyperelastic")]
pub enum ElasticModel {
    /// Hooke's law on Green's strain E = ½(C − I), for small strains and any rotation. It softens
    /// when compressed below 58 % of its length, and does not resist inversion.
    SmallStrain,
    /// Compressible neo-Hookean, for large strains; restores inverted elements.
    #[default]
    NeoHookean,
}

/// The strain formulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strain {
    /// Constant strain per tetrahedron: cheapest, but too stiff in bending and near
    /// incompressibility.
    PerElement,
    /// Nodal averages, with a small stabilising part per tetrahedron \[Puso2006\].
    #[default]
    Smoothed,
}

/// An elastic material. The default is soft rubber.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElasticMaterial {
    /// Density, kg/m³.
    pub density: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, from 0 to less than ½.
    pub poisson: f64,
    /// Constitutive law.
    pub law: ElasticModel,
    /// Strain formulation.
    pub strain: Strain,
    /// Mass-proportional damping rate, 1/s: the force −rate·mass·velocity.
    pub damping: f64,
    /// Rayleigh's β, s: Kelvin–Voigt viscous stress, β times Hooke's law applied to the rate of
    /// Green's strain. It damps only deformation, a mode of frequency ω with the ratio βω/2.
    pub stiffness_damping: f64,
    /// Surface material, for contacts.
    pub surface: SurfaceMaterial,
}

impl Default for ElasticMaterial {
    fn default() -> Self {
        Self {
            density: 1000.0,
            young: 1e6,
            poisson: 0.3,
            law: ElasticModel::default(),
            strain: Strain::default(),
            damping: 0.0,
            stiffness_damping: 0.0,
            surface: SurfaceMaterial::default(),
        }
    }
}

impl ElasticMaterial {
    /// Returns Lamé's λ and μ.
    pub fn lame(&self) -> [f64; 2] {
        let Self { young, poisson, .. } = *self;
        [
            young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            young / (2.0 * (1.0 + poisson)),
        ]
    }

    /// Returns the stiffness-proportional damping, s, with which a bar of this length bounces with this
    /// restitution, within a few percent. It lands with one velocity; of it, its mode k = 1, 3, 5 …
    /// has the share 8/π²k². Half a period of the slowest mode later, with ω = π c/2L and c = √(E/ρ),
    /// all modes have reversed, and mode k has decayed by the factor r^k², where r is the
    /// [restitution](crate::law::restitution) of the damping ratio βω/2. Compact bodies keep more
    /// energy in their vibration and bounce less.
    #[doc(alias = "coefficient of restitution")]
    pub fn damping_for(&self, restitution: f64, length: f64) -> f64 {
        let returned = |r: f64| -> f64 {
            let of_mode = |k: f64| 8.0 / (PI * k).powi(2) * r.powf(k * k);
            (0..500).map(|n| of_mode(f64::from(2 * n + 1))).sum()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if returned(middle) < restitution {
                low = middle;
            } else {
                high = middle;
            }
        }

        4.0 * damping_ratio(high) * length / (PI * (self.young / self.density).sqrt())
    }

    /// Returns the speed of pressure waves, √((λ + 2μ)/ρ).
    pub fn wave_speed(&self) -> f64 {
        let [lambda, mu] = self.lame();
        ((lambda + 2.0 * mu) / self.density).sqrt()
    }

    pub(super) fn check(&self) -> Result<(), InvalidSolid> {
        check_surface(&self.surface)?;
        let Self {
            density,
            young,
            poisson,
            damping,
            stiffness_damping,
            ..
        } = *self;

        let checks = [
            ("density", density, density > 0.0, "greater than 0"),
            ("young", young, young > 0.0, "greater than 0"),
            (
                "poisson",
                poisson,
                (0.0..0.5).contains(&poisson),
                "from 0 to less than 0.5",
            ),
            ("damping", damping, damping >= 0.0, "0 or greater"),
            (
                "stiffness_damping",
                stiffness_damping,
                stiffness_damping >= 0.0,
                "0 or greater",
            ),
        ];

        for (name, value, is_good, wanted) in checks {
            if !is_good || !value.is_finite() {
                return Err(InvalidSolid::Number {
                    name,
                    value,
                    wanted,
                });
            }
        }

        Ok(())
    }

    /// Returns the parts of the law for nodes, elements and cells with several points.
    pub(super) fn parts(&self) -> Parts {
        let whole = self.elasticity();
        let [lambda, mu] = self.lame();
        let split = |at_points: f64| {
            let over_cell = self.law.with([lambda - at_points, 0.0]);
            (self.law.with([at_points, mu]), over_cell)
        };
        let cells = Parts {
            node: None,
            element: whole,
            linear: split(0.0),
            quadratic: split(lambda.min(POINTWISE * mu)),
        };
        if self.strain == Strain::PerElement {
            return cells;
        }

        let element = self.law.with([0.0, STABILISING * mu]);
        Parts {
            node: Some(whole.less(&element)),
            element,
            ..cells
        }
    }

    pub(super) fn elasticity(&self) -> Elasticity {
        self.law.with(self.lame())
    }
}

impl ElasticModel {
    /// Combines the law with Lamé's constants.
    fn with(self, [lambda, mu]: [f64; 2]) -> Elasticity {
        let lambda = match self {
            Self::SmallStrain => lambda,
            // λ + μ in this law's volume term makes it agree with Hooke's law at small strains.
            Self::NeoHookean => lambda + mu,
        };
        Elasticity {
            lambda,
            mu,
            law: self,
        }
    }
}

/// The parts of a law: for tet4 those of nodes and elements, for other cells those of their points
/// of integration and of their mean dilatation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// W − W̃; `None` if all of it stays with the elements.
    pub(super) node: Option<Elasticity>,
    /// W̃.
    pub(super) element: Elasticity,
    linear: (Elasticity, Elasticity),
    quadratic: (Elasticity, Elasticity),
}

impl Parts {
    /// Returns the parts for the points and for the mean dilatation of cells of an order.
    #[inline(always)]
    pub(super) fn of_order(&self, order: usize) -> (&Elasticity, &Elasticity) {
        let (at_points, over_cell) = match order {
            1 => &self.linear,
            _ => &self.quadratic,
        };
        (at_points, over_cell)
    }
}

/// A law with its constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elasticity {
    lambda: f64,
    mu: f64,
    law: ElasticModel,
}

impl Elasticity {
    /// Returns the law minus a part of it: both laws are linear in their constants.
    fn less(&self, part: &Self) -> Self {
        Self {
            lambda: self.lambda - part.lambda,
            mu: self.mu - part.mu,
            law: self.law,
        }
    }

    /// Returns the viscous part of the first Piola–Kirchhoff stress per second of β: F (λ tr Ė I +
    /// 2μ Ė) with Ė = sym FᵀḞ and Lamé's λ.
    #[inline(always)]
    pub(super) fn viscous_stress(&self, f: &Matrix<3>, rate: &Matrix<3>) -> Matrix<3> {
        let product = f.tr_mul(rate);
        let strain_rate = (product + product.transpose()) * 0.5;
        let lambda = match self.law {
            ElasticModel::SmallStrain => self.lambda,
            ElasticModel::NeoHookean => self.lambda - self.mu,
        };
        let second = strain_rate * (2.0 * self.mu)
            + Matrix::from_diagonal_element(lambda * strain_rate.trace());

        f * second
    }

    /// Returns the first Piola–Kirchhoff stress, the derivative of [`Self::energy`] with respect to
    /// F.
    ///
    /// ```text
    /// small strain   P = F (λ tr E I + 2μ E)
    /// neo-Hookean    P = μ F + (λ(J − 1) − μ) cof F
    /// ```
    #[inline(always)]
    pub(super) fn stress(&self, f: &Matrix<3>) -> Matrix<3> {
        match self.law {
            ElasticModel::SmallStrain => f * self.second_stress(f),
            ElasticModel::NeoHookean => {
                let cofactor = cofactor(f);
                let volume = cofactor.column(0).dot(&f.column(0));
                f * self.mu + cofactor * (self.lambda * (volume - 1.0) - self.mu)
            }
        }
    }

    #[inline(always)]
    fn second_stress(&self, f: &Matrix<3>) -> Matrix<3> {
        let strain = (f.tr_mul(f) - Matrix::identity()) * 0.5;
        strain * (2.0 * self.mu) + Matrix::from_diagonal_element(self.lambda * strain.trace())
    }

    /// Returns the energy per unit rest volume.
    ///
    /// ```text
    /// small strain   ½ λ (tr E)² + μ E:E
    /// neo-Hookean    ½ μ (tr C − 3) − μ (J − 1) + ½ λ (J − 1)²
    /// ```
    pub(super) fn energy(&self, f: &Matrix<3>) -> f64 {
        match self.law {
            ElasticModel::SmallStrain => {
                let strain = (f.tr_mul(f) - Matrix::identity()) * 0.5;
                0.5 * self.lambda * strain.trace().powi(2) + self.mu * strain.norm_squared()
            }
            ElasticModel::NeoHookean => {
                let stretch = f.tr_mul(f) - Matrix::identity();
                let growth = volume_growth(f.determinant(), &stretch);
                self.mu * (0.5 * stretch.trace() - growth) + 0.5 * self.lambda * growth * growth
            }
        }
    }

    /// Returns the Cauchy stress P Fᵀ / J.
    pub(super) fn cauchy(&self, f: &Matrix<3>) -> Matrix<3> {
        Self::cauchy_of(&self.stress(f), f)
    }

    /// Returns the Cauchy stress of a first Piola–Kirchhoff stress.
    pub(super) fn cauchy_of(stress: &Matrix<3>, f: &Matrix<3>) -> Matrix<3> {
        stress * f.transpose() / f.determinant().abs().max(LEAST_VOLUME)
    }

    /// Returns the constant of the law's volume term.
    pub(super) fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Returns θ, whose square the volume term contains: tr E or J − 1.
    #[inline(always)]
    pub(super) fn dilatation(&self, f: &Matrix<3>) -> f64 {
        let stretch = f.tr_mul(f) - Matrix::identity();
        match self.law {
            ElasticModel::SmallStrain => 0.5 * stretch.trace(),
            ElasticModel::NeoHookean => f.determinant() - 1.0,
        }
    }

    /// Returns ∂θ/∂F.
    #[inline(always)]
    pub(super) fn dilatation_gradient(&self, f: &Matrix<3>) -> Matrix<3> {
        match self.law {
            ElasticModel::SmallStrain => *f,
            ElasticModel::NeoHookean => cofactor(f),
        }
    }

    /// Returns a bound on the stiffness per unit rest volume of an element with the shape function
    /// gradients ∇Nᵢ: the second derivative of the energy along nodal displacements u is at most
    /// this times |u|².
    ///
    /// ```text
    /// at rest        (λ + 2μ) Σ|∇Nᵢ|²
    /// small strain   λ Σ|F∇Nᵢ|² + (2μ|C| + |S|) Σ|∇Nᵢ|²
    /// neo-Hookean    λ Σ|cof F ∇Nᵢ|² + (μ + λ|J − 1| |F|) Σ|∇Nᵢ|²
    /// ```
    pub(super) fn stiffness(&self, f: &Matrix<3>, gradients: &[Vector<3>]) -> f64 {
        let sum = |m: &Matrix<3>| {
            gradients
                .iter()
                .map(|g| (m * g).norm_squared())
                .sum::<f64>()
        };
        let size = sum(&Matrix::identity());
        let stretch = row_sum(&f.tr_mul(f));

        match self.law {
            ElasticModel::SmallStrain => {
                let stress = row_sum(&self.second_stress(f));
                self.lambda * sum(f) + (2.0 * self.mu * stretch + stress) * size
            }
            ElasticModel::NeoHookean => {
                let growth = (f.determinant() - 1.0).abs();
                self.lambda * sum(&cofactor(f))
                    + (self.mu + self.lambda * growth * stretch.sqrt()) * size
            }
        }
    }
}

/// Returns cof F = J F⁻ᵀ, which exists for every F.
#[inline(always)]
fn cofactor(f: &Matrix<3>) -> Matrix<3> {
    let [a, b, c] = [0, 1, 2].map(|k| f.column(k).into_owned());
    Matrix::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

/// Returns J − 1 = (det C − 1)/(J + 1), from the same C − I as the other part of the energy, so
/// that at small strains both have the same rounding and their difference is accurate. For inverted
/// elements it does not matter.
fn volume_growth(volume: f64, stretch: &Matrix<3>) -> f64 {
    if volume <= 0.0 {
        return volume - 1.0;
    }
    (stretch.trace() + cofactor(stretch).trace() + stretch.determinant()) / (volume + 1.0)
}

/// Returns the largest row sum: at least the largest eigenvalue of a symmetric matrix, and 1 for
/// the identity.
fn row_sum(m: &Matrix<3>) -> f64 {
    (0..3).map(|row| m.row(row).abs().sum()).fold(0.0, f64::max)
}

/// Stress of an element, for output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stress {
    /// Cauchy stress: xx, yy, zz, xy, yz, zx; Pa.
    pub cauchy: [f64; 6],
    /// Von Mises equivalent stress √(3/2 s:s) with the deviator s; Pa.
    pub von_mises: f64,
}

impl Stress {
    pub(super) fn of(cauchy: &Matrix<3>) -> Self {
        let deviator = cauchy - Matrix::from_diagonal_element(cauchy.trace() / 3.0);
        Self {
            cauchy: six_of(cauchy),
            von_mises: 1.5f64.sqrt() * deviator.norm(),
        }
    }
}

/// Returns the entries xx, yy, zz, xy, yz, zx of a symmetric tensor.
pub(super) fn six_of(tensor: &Matrix<3>) -> [f64; 6] {
    [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)].map(|place| tensor[place])
}
