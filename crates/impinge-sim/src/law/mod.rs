//! Force laws of contacts: what an overlap and a relative velocity push back with.
//!
//! | law | normal force | tangential force |
//! |---|---|---|
//! | [`Normal::Linear`] | k δ + c v, spring and dashpot (Cundall and Strack 1979) | spring with history up to μN |
//! | [`Normal::HertzMindlin`] | 4/3 E* √(R* δ) δ and the damping of Tsuji, Tanaka and Ishida (1992) | 8 G* √(R* δ) ξ up to μN |
//! | [`Normal::Restoring`] | k δ, the plain force that drives overlapping spheres apart \[Stratbuecker2003\] | none |
//!
//! A contact never pulls: where damping would, the force is zero. The damping takes that into account, so that a head-on
//! collision has exactly the restitution that the materials ask for (`damping.rs`). Rolling resistance is a torque against
//! the relative spin about the tangent plane ([`Rolling`]).
//!
//! Materials are given once for each; what two of them make together is a table that is computed at the start
//! (`table.rs`), with [`Pairing`] for pairs that were measured as such.

mod contact;
mod damping;
mod material;
mod real;
mod table;

pub(crate) use contact::{Meeting, Push, elastic_energy, push, returned_at_end};
pub use damping::{damping_ratio, restitution};
pub use material::{InvalidLaw, Material, Pairing};
pub(crate) use real::{Real, Triple};
pub(crate) use table::{Mixed, Table};

use serde::{Deserialize, Serialize};

/// The law of all contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Law {
    /// Along the normal, and the friction that belongs to it.
    pub normal: Normal,
    /// Against rolling.
    pub rolling: Rolling,
}

/// The force along the normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Normal {
    /// Linear spring and dashpot; a spring and a dashpot along the tangent too.
    Linear {
        /// Of the normal spring.
        stiffness: Stiffness,
        /// Tangential stiffness as a share of the normal one; 2/7 gives both oscillations one period.
        tangential: f64,
        /// Tangential damping as a share of the normal one.
        tangential_damping: f64,
    },
    /// Elastic spheres after Hertz, no-slip friction after Mindlin; all stiffnesses from the materials.
    HertzMindlin,
    /// A spring alone: no damping, no friction, no rolling resistance \[Stratbuecker2003\].
    Restoring {
        /// N/m.
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
    /// N/m, whatever the materials.
    Given(f64),
    /// As deep an overlap as elastic spheres of the materials would have, two alike that collide.
    Typical {
        /// Speed of the collision, m/s.
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

/// The torque against rolling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rolling {
    /// None.
    #[default]
    None,
    /// μᵣ R* N against the relative spin, whatever its rate; less where it would turn it round within a step.
    Constant,
    /// A spring in the angle of rolling that gives way at μᵣ R* N (Ai, Chen, Rotter and Ooi 2011, their model C): at
    /// rest it holds, where the constant torque creeps.
    Spring,
}
