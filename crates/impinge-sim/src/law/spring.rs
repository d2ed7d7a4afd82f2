//! The spring of friction and of rolling resistance, with its history.
//!
//! It lies in the plane of a contact, turns with it, and slips where its force would exceed a limit.

use impinge::space::Vector;
use serde::{Deserialize, Serialize};

/// Rolling stiffness k_r in units of k_n μ_r² R*² (Ai et al. 2011, eq. (18)).
pub(crate) const ROLL_STIFFNESS: f64 = 2.25;

/// A stretched spring in the plane of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TangentSpring {
    stretch: [f64; 3],
    stiffness: f64,
}

impl TangentSpring {
    /// Creates the spring of a stiffness that exerts a force.
    pub(crate) fn exerting(force: &Vector<3>, stiffness: f64) -> Self {
        let stretch = if stiffness > 0.0 {
            (force / -stiffness).into()
        } else {
            [0.0; 3]
        };
        Self { stretch, stiffness }
    }

    /// Returns its stretch in a plane that has turned slightly since the last step, with its length
    /// kept, after a displacement along the plane.
    pub(crate) fn drawn(&self, normal: &Vector<3>, along: &Vector<3>) -> Vector<3> {
        let stretch = Vector::from(self.stretch);
        let flat = stretch - normal * normal.dot(&stretch);
        let length = flat.norm();
        if length > 0.0 {
            flat * (stretch.norm() / length) + along
        } else {
            *along
        }
    }

    /// Returns the force that it exerts.
    pub(crate) fn force(&self) -> Vector<3> {
        Vector::from(self.stretch) * -self.stiffness
    }

    /// Returns the energy that it stores.
    pub(crate) fn energy(&self) -> f64 {
        0.5 * self.stiffness * Vector::from(self.stretch).norm_squared()
    }
}

/// Returns a vector, shortened to a limit.
pub(crate) fn at_most(v: Vector<3>, most: f64) -> Vector<3> {
    let length = v.norm();
    if length > most {
        v * (most / length)
    } else {
        v
    }
}

#[cfg(test)]
mod tests;
