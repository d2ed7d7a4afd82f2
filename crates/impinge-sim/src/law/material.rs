//! Materials, and properties measured for pairs of materials.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A material, in SI units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Young's modulus, Pa. Values below the real one (1e6 to 1e8) allow longer steps and change
    /// flows little.
    pub young: f64,
    /// Poisson's ratio, −1 < ν ≤ 0.5.
    pub poisson: f64,
    /// Coefficient of restitution of a head-on collision, 0 ≤ e ≤ 1; 0 is treated as 0.01.
    #[doc(alias = "coefficient of restitution")]
    pub restitution: f64,
    /// Coulomb friction coefficient μ.
    pub friction: f64,
    /// Rolling friction coefficient μᵣ: the rolling resistance torque is at most μᵣ R* N.
    pub rolling_friction: f64,
    /// Work of adhesion w of two surfaces of the material, J/m²; used by the laws JKR and DMT.
    pub cohesion: f64,
    /// Density, kg/m³.
    pub density: f64,
}

impl Default for Material {
    /// Softened glass.
    fn default() -> Self {
        Self {
            young: 1e7,
            poisson: 0.25,
            restitution: 0.8,
            friction: 0.5,
            rolling_friction: 0.0,
            cohesion: 0.0,
            density: 2500.0,
        }
    }
}

/// Properties of a pair of materials that replace the geometric mean of the two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// Indices of the materials.
    pub materials: [usize; 2],
    /// Coefficient of restitution, as in [`Material`].
    pub restitution: f64,
    /// Friction coefficient, as in [`Material`].
    pub friction: f64,
    /// Rolling friction coefficient, as in [`Material`].
    pub rolling_friction: f64,
    /// Work of adhesion, as in [`Material`].
    pub cohesion: f64,
}

/// Coefficients of the contact of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Rolling friction coefficient.
    pub rolling_friction: f64,
    /// Work of adhesion, J/m².
    pub cohesion: f64,
}

impl Coefficients {
    /// Returns the coefficients of two materials in contact, by their indices and coefficients: those
    /// of the last pairing that names both, otherwise the geometric mean of each. All kinds of matter
    /// use this mixing rule.
    pub fn between([a, b]: [usize; 2], [one, other]: [&Self; 2], pairings: &[Pairing]) -> Self {
        let names_both = |p: &&Pairing| p.materials == [a, b] || p.materials == [b, a];
        if let Some(pairing) = pairings.iter().rev().find(names_both) {
            return Self {
                restitution: pairing.restitution,
                friction: pairing.friction,
                rolling_friction: pairing.rolling_friction,
                cohesion: pairing.cohesion,
            };
        }

        let mean = |x: f64, y: f64| if x == y { x } else { (x * y).sqrt() };
        Self {
            restitution: mean(one.restitution, other.restitution),
            friction: mean(one.friction, other.friction),
            rolling_friction: mean(one.rolling_friction, other.rolling_friction),
            cohesion: mean(one.cohesion, other.cohesion),
        }
    }
}

impl From<&Material> for Coefficients {
    fn from(material: &Material) -> Self {
        Self {
            restitution: material.restitution,
            friction: material.friction,
            rolling_friction: material.rolling_friction,
            cohesion: material.cohesion,
        }
    }
}

/// Why a law is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidLaw {
    /// A property of a material is out of range.
    #[error("material {material}: {what} is {value}; it must be {range}")]
    Material {
        /// Index of the material.
        material: usize,
        /// Name of the property.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The permitted range.
        range: &'static str,
    },
    /// A property of a pairing is out of range.
    #[error("pairing {pairing}: {what} is {value}; it must be {range}")]
    Pairing {
        /// Index of the pairing.
        pairing: usize,
        /// Name of the property.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The permitted range.
        range: &'static str,
    },
    /// A pairing refers to a material that does not exist.
    #[error("pairing {pairing} refers to material {material}, but there are only {count}")]
    NoMaterial {
        /// Index of the pairing.
        pairing: usize,
        /// Index of the missing material.
        material: usize,
        /// Number of materials.
        count: usize,
    },
    /// A constant of the law itself is not a positive finite number.
    #[error("the law's {what} is {value}; it must be {range}")]
    Constant {
        /// Name of the constant.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The permitted range.
        range: &'static str,
    },
    /// The list of materials is empty.
    #[error("the list of materials is empty")]
    NoMaterials,
}

pub(super) const POSITIVE: &str = "positive and finite";
pub(super) const NOT_NEGATIVE: &str = "finite and not negative";

pub(super) fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

pub(super) fn is_not_negative(value: f64) -> bool {
    value >= 0.0 && value.is_finite()
}

impl Material {
    /// Reports the first property that is out of range.
    pub(super) fn check(&self, material: usize) -> Result<(), InvalidLaw> {
        let surface = [
            self.restitution,
            self.friction,
            self.rolling_friction,
            self.cohesion,
        ];
        let bulk = [
            (
                "Young's modulus",
                self.young,
                POSITIVE,
                is_positive(self.young),
            ),
            (
                "Poisson's ratio",
                self.poisson,
                "above -1 and at most 0.5",
                self.poisson > -1.0 && self.poisson <= 0.5,
            ),
            (
                "the density",
                self.density,
                POSITIVE,
                is_positive(self.density),
            ),
        ];

        let bad = bulk
            .into_iter()
            .chain(surface_checks(surface))
            .find(|check| !check.3);

        match bad {
            Some((what, value, range, _)) => Err(InvalidLaw::Material {
                material,
                what,
                value,
                range,
            }),
            None => Ok(()),
        }
    }
}

impl Pairing {
    pub(crate) fn check(&self, pairing: usize, count: usize) -> Result<(), InvalidLaw> {
        if let Some(&material) = self.materials.iter().find(|&&material| material >= count) {
            return Err(InvalidLaw::NoMaterial {
                pairing,
                material,
                count,
            });
        }

        let surface = [
            self.restitution,
            self.friction,
            self.rolling_friction,
            self.cohesion,
        ];
        match surface_checks(surface).into_iter().find(|check| !check.3) {
            Some((what, value, range, _)) => Err(InvalidLaw::Pairing {
                pairing,
                what,
                value,
                range,
            }),
            None => Ok(()),
        }
    }
}

type Check = (&'static str, f64, &'static str, bool);

fn surface_checks([restitution, friction, rolling, cohesion]: [f64; 4]) -> [Check; 4] {
    [
        (
            "the restitution",
            restitution,
            "0 to 1",
            (0.0..=1.0).contains(&restitution),
        ),
        (
            "the friction",
            friction,
            NOT_NEGATIVE,
            is_not_negative(friction),
        ),
        (
            "the rolling friction",
            rolling,
            NOT_NEGATIVE,
            is_not_negative(rolling),
        ),
        (
            "the cohesion",
            cohesion,
            NOT_NEGATIVE,
            is_not_negative(cohesion),
        ),
    ]
}

#[cfg(test)]
mod tests;
