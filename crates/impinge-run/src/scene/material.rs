//! `[[material]]`, `[[pair]]` and `[contact]`: materials and contact laws.

use impinge::broad::BroadMethod;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material. A scene without any gets one with all defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MaterialSpec {
    /// Name by which particles, walls and bodies refer to it.
    pub name: String,
    /// Density, kg/m³.
    pub density: f64,
    /// Young's modulus of contacts, Pa. A reduced modulus (1e6 to 1e8) allows longer steps and hardly changes the packing.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Coefficient of restitution, 0 to 1; values below 0.01 act as 0.01. Elastic solids bounce off walls and each other
    /// by their own elasticity instead; `stiffness_damping` of the solid damps them.
    pub restitution: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Rolling friction coefficient: resisting torque divided by normal force and radius.
    pub rolling: f64,
    /// Work of adhesion between two of its surfaces, J/m². It needs the law "jkr" or "dmt".
    pub cohesion: f64,
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
            cohesion: 0.0,
        }
    }
}

/// Contact coefficients of a pair of materials, for bodies of every kind. A missing coefficient, or a pair without an
/// entry, takes the geometric mean of the two materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairSpec {
    /// Names of the two materials; the same name twice for contacts within one material.
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
    /// Work of adhesion, J/m².
    #[serde(default)]
    pub cohesion: Option<f64>,
}

/// Contact law and contact stiffness.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSpec {
    /// Contact law of spheres.
    pub law: LawSpec,
    /// Rolling resistance of spheres whose materials have rolling friction.
    pub rolling: RollingSpec,
    /// Contact stiffness of rigid bodies: pressure per metre of depth, N/m³ (N/m² in the plane). Default: the harmonic
    /// mean of the two Young's moduli divided by the harmonic mean of the two sizes; against walls and fixed bodies,
    /// divided by the size of the moving body. The size is the largest distance of a point from the centre of mass.
    pub stiffness: Option<f64>,
    /// Penalty stiffness of elastic solids, as a multiple of the stiffness of one layer of elements, at least 1.
    /// Default: 100, so that a contact yields a hundredth of what a layer does. It does not change the time step.
    pub penalty: Option<f64>,
    /// How pairs of rigid bodies and of elastic solids whose boxes overlap are found. All methods give the same results.
    pub broad: BroadSpec,
}

/// A method that finds the pairs whose boxes overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BroadSpec {
    /// The cheapest method, chosen at each step.
    #[default]
    Auto,
    /// Sweep and prune with a list of pairs that is kept from step to step (Schinner 1997).
    Sweep,
    /// Sorted columns (Stratbücker 2003).
    Columns,
    /// A neighbour list with a skin.
    List,
    /// All pairs.
    Brute,
}

impl From<BroadSpec> for BroadMethod {
    fn from(broad: BroadSpec) -> Self {
        match broad {
            BroadSpec::Auto => Self::Auto,
            BroadSpec::Sweep => Self::Sweep,
            BroadSpec::Columns => Self::Columns,
            BroadSpec::List => Self::List,
            BroadSpec::Brute => Self::Brute,
        }
    }
}

/// Rolling resistance of spheres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RollingSpec {
    /// Elastic-plastic spring and dashpot in the rolling angle [Ai 2011, model C]: sustains a torque at rest.
    #[default]
    Spring,
    /// Constant torque against the rolling [Ai 2011, model A]: creeps at rest.
    Constant,
}

/// Contact law of spheres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawSpec {
    /// Hertz normal force and Mindlin tangential force, damped to the material's restitution.
    #[default]
    Hertz,
    /// Hertz and Mindlin with the cohesion of Derjaguin, Muller and Toporov, for small stiff spheres: the largest pull is
    /// 2πwR*, with the work of adhesion w and the reduced radius R*.
    Dmt,
    /// Johnson, Kendall and Roberts, for soft spheres with strong cohesion: the largest pull is 1.5πwR*, and a contact
    /// necks before it tears.
    Jkr,
    /// Linear spring and dashpot; the tangential stiffness is 2/7 of the normal one.
    Linear {
        /// Stiffness of the normal spring, N/m.
        stiffness: f64,
    },
    /// Elastic force proportional to the overlap, without damping or friction.
    Restoring {
        /// Stiffness, N/m.
        stiffness: f64,
    },
}
