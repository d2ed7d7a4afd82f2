//! Contact force laws: the force as a function of overlap and relative velocity.
//!
//! | law | normal force | tangential force |
//! |---|---|---|
//! | [`Normal::Linear`] | k δ + c v, spring and dashpot (Cundall and Strack 1979) | spring with history up to μN |
//! | [`Normal::HertzMindlin`] | 4/3 E* √(R* δ) δ and the damping of Tsuji, Tanaka and Ishida (1992) | 8 G* √(R* δ) ξ up to μN |
//! | [`Normal::Dmt`] | Hertz's less 2πwR* (Derjaguin, Muller and Toporov 1975) | as Hertz's, up to μ(N + 2πwR*) |
//! | [`Normal::Jkr`] | 4E*a³/3R* − √(8πwE*a³) (Johnson, Kendall and Roberts 1971), see `jkr.rs` | 8 G* a ξ up to μ(N + 3πwR*) |
//! | [`Normal::Restoring`] | k δ, the plain force that drives overlapping spheres apart \[Stratbuecker2003\] | none |
//!
//! A contact without cohesion never pulls: where damping would make the force tensile, it is zero. The damping
//! accounts for this, so a head-on collision has exactly the restitution of the materials
//! (`damping.rs`). Rolling resistance is a torque against the relative angular velocity about axes
//! in the tangent plane ([`Rolling`]).
//!
//! Properties are given per material. The constants of each pair of materials are tabulated at the
//! start (`table.rs`); a [`Pairing`] overrides them for pairs that were measured together.

mod contact;
mod damping;
mod jkr;
mod material;
mod real;
mod spring;
mod surface_material;
mod table;

pub(crate) use contact::{ContactInput, Push, Stored, push, returned_at_end, stored};
pub use damping::{damping_ratio, restitution};
pub use material::{Coefficients, InvalidLaw, Material, Pairing};
pub(crate) use real::{Real, Triple};
pub(crate) use spring::{ROLL_STIFFNESS, TangentSpring, at_most};
pub use surface_material::SurfaceMaterial;
pub(crate) use table::{DMT, HERTZ, JKR, LINEAR, Mixed, Table};

use serde::{Deserialize, Serialize};

/// The law of all contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Law {
    /// Normal force, and the friction model that goes with it.
    pub normal: Normal,
    /// Rolling resistance.
    pub rolling: Rolling,
}

/// The normal force law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Normal {
    /// Linear spring and dashpot, along the normal and along the tangent.
    Linear {
        /// Stiffness of the normal spring.
        stiffness: Stiffness,
        /// Ratio of tangential to normal stiffness; with 2/7 both oscillations have the same
        /// period.
        tangential: f64,
        /// Ratio of tangential to normal damping.
        tangential_damping: f64,
    },
    /// Hertz normal force with Mindlin no-slip friction; all stiffnesses follow from the materials.
    HertzMindlin,
    /// Hertz–Mindlin with the cohesion of Derjaguin, Muller and Toporov, for small stiff spheres:
    /// contacts pull with up to 2πwR* and end where they began.
    Dmt,
    /// Johnson, Kendall and Roberts, for soft spheres with strong cohesion: contacts pull with up to
    /// 1.5πwR*, and neck out to a distance before they tear.
    Jkr,
    /// A spring alone: no damping, no friction, no rolling resistance \[Stratbuecker2003\].
    Restoring {
        /// Stiffness, N/m.
        stiffness: f64,
    },
}

impl Default for Normal {
    fn default() -> Self {
        Self::Linear {
            stiffness: Stiffness::default(),
            tangential: 2.0 / 7.0,
            tangential_damping: 0.5,
        }
    }
}

/// The stiffness of a linear spring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stiffness {
    /// A fixed stiffness in N/m, independent of the materials.
    Given(f64),
    /// The stiffness that gives the same overlap as a Hertz collision of two equal spheres of the
    /// materials.
    Typical {
        /// Collision speed, m/s.
        speed: f64,
        /// Radius of the spheres, m.
        radius: f64,
    },
}

impl Default for Stiffness {
    fn default() -> Self {
        Self::Typical {
            speed: 1.0,
            radius: 1e-3,
        }
    }
}

/// The rolling resistance model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rolling {
    /// No rolling resistance.
    #[default]
    None,
    /// Constant torque μᵣ R* N against the relative angular velocity, independent of its rate;
    /// limited so that it does not reverse the rolling within a step.
    Constant,
    /// A spring in the rolling angle that yields at μᵣ R* N (Ai, Chen, Rotter and Ooi 2011, model
    /// C). It sustains a static torque, whereas the constant torque creeps.
    Spring,
}
