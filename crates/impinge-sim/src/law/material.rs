//! What bodies are made of, and what was measured of two materials together.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A material. SI units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Young's modulus, Pa. Softer than real (1e6 to 1e8) allows long steps and changes flows little.
    pub young: f64,
    /// Poisson's ratio, −1 < ν ≤ 0.5.
    pub poisson: f64,
    /// Speed after by speed before a head-on collision, 0 ≤ e ≤ 1; 0 leaves a hundredth of the speed.
    pub restitution: f64,
    /// Coulomb's μ.
    pub friction: f64,
    /// μᵣ: the torque against rolling is at most μᵣ R* N.
    pub rolling_friction: f64,
    /// kg/m³.
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
            density: 2500.0,
        }
    }
}

/// What two materials have together, where it is not the geometric mean of what they have each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// Numbers of the materials.
    pub materials: [usize; 2],
    /// As in [`Material`].
    pub restitution: f64,
    /// As in [`Material`].
    pub friction: f64,
    /// As in [`Material`].
    pub rolling_friction: f64,
}

/// Why a law was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidLaw {
    /// A number of a material is out of its range.
    #[error("material {material}: {what} is {value}; it must be {range}")]
    Material {
        /// Its number.
        material: usize,
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A number of a pairing is out of its range.
    #[error("pairing {pairing}: {what} is {value}; it must be {range}")]
    Pairing {
        /// Its number.
        pairing: usize,
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A pairing names a material that does not exist.
    #[error("pairing {pairing} names material {material}; there are {count}")]
    NoMaterial {
        /// Its number.
        pairing: usize,
        /// The material.
        material: usize,
        /// How many there are.
        count: usize,
    },
    /// A constant of the law itself is not a positive finite number.
    #[error("the law's {what} is {value}; it must be {range}")]
    Constant {
        /// Which constant.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// There is nothing that bodies could be made of.
    #[error("there is no material")]
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
    /// The first number that is out of range.
    pub(super) fn check(&self, material: usize) -> Result<(), InvalidLaw> {
        let surface = [self.restitution, self.friction, self.rolling_friction];
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
    pub(super) fn check(&self, pairing: usize, count: usize) -> Result<(), InvalidLaw> {
        if let Some(&material) = self.materials.iter().find(|&&material| material >= count) {
            return Err(InvalidLaw::NoMaterial {
                pairing,
                material,
                count,
            });
        }

        let surface = [self.restitution, self.friction, self.rolling_friction];
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

fn surface_checks([restitution, friction, rolling]: [f64; 3]) -> [Check; 3] {
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
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_number_is_named_with_its_material() {
        let bad = Material {
            restitution: f64::NAN,
            ..Material::default()
        };
        let fault = bad.check(3).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "material 3: the restitution is NaN; it must be 0 to 1"
        );

        assert!(
            Material {
                poisson: 0.6,
                ..Material::default()
            }
            .check(0)
            .is_err()
        );

        assert!(
            Material {
                young: f64::INFINITY,
                ..Material::default()
            }
            .check(0)
            .is_err()
        );

        assert_eq!(Material::default().check(0), Ok(()));
    }

    #[test]
    fn a_pairing_of_a_material_that_does_not_exist_is_refused() {
        let pairing = Pairing {
            materials: [0, 2],
            restitution: 0.5,
            friction: 0.5,
            rolling_friction: 0.0,
        };
        assert_eq!(
            pairing.check(1, 2),
            Err(InvalidLaw::NoMaterial {
                pairing: 1,
                material: 2,
                count: 2
            })
        );

        assert_eq!(pairing.check(1, 3), Ok(()));
    }
}
