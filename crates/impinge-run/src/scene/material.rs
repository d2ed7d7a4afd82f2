//! `[[material]]` and `[contact]`: what things are made of and how they push back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What things are made of. A scene without one gets a material of all defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MaterialSpec {
    /// How particles, walls and bodies refer to it.
    pub name: String,
    /// kg/m³.
    pub density: f64,
    /// Young's modulus of contacts, Pa. Soft grains (1e6 to 1e8) allow long steps and pack nearly as real ones do.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Coefficient of restitution, 0 to 1; below 0.01 a collision leaves 0.01 of the speed.
    pub restitution: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Coefficient of rolling friction: resisting moment over normal force and radius.
    pub rolling: f64,
}

impl Default for MaterialSpec {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            density: 2500.0,
            young: 1e7,
            poisson: 0.3,
            restitution: 0.5,
            friction: 0.4,
            rolling: 0.0,
        }
    }
}

/// Coefficients of the contacts of two materials, whatever touches. What is not given, and every pair that has no entry,
/// is the geometric mean of the two materials' own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairSpec {
    /// Names of the two materials; twice the same for contacts among themselves.
    pub materials: [String; 2],
    /// Coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: Option<f64>,
    /// Coefficient of sliding friction.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Coefficient of rolling friction.
    #[serde(default)]
    pub rolling: Option<f64>,
}

/// How contacts push back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSpec {
    /// The law of the contacts of spheres.
    pub law: LawSpec,
    /// Stiffness of the contacts of rigid bodies: pressure for each metre of depth, N/m³ (N/m² in the plane). Unless
    /// given, that of each pair is the harmonic mean of the two Young's moduli over the harmonic mean of the two sizes; on
    /// walls and bodies that forces do not move, over the size of the moving body. The size is the largest distance of a
    /// point from the centre of mass.
    pub bedding: Option<f64>,
    /// Stiffness of the contacts of elastic solids, in that of one layer of their elements, at least 1 for sensible results;
    /// 100 unless given: a contact gives a hundredth of what a layer does. It does not change the step.
    pub penalty: Option<f64>,
}

/// The law of the contacts of spheres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawSpec {
    /// Hertz's normal force and Mindlin's tangential one, with the damping that gives the material's restitution.
    #[default]
    Hertz,
    /// A linear spring and dashpot, N/m; the tangential spring is 2/7 of it.
    Linear {
        /// Stiffness of the normal spring, N/m.
        stiffness: f64,
    },
    /// A restoring force alone, proportional to the overlap; nothing is lost and nothing rubs.
    Restoring {
        /// Stiffness, N/m.
        stiffness: f64,
    },
}
