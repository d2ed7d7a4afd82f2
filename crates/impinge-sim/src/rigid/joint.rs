//! What holds a free body: nothing, a rail along which alone it moves, or a hinge about which alone it
//! turns.
//!
//! A hinged body has one degree of freedom, the angle φ about a fixed axis through a fixed point p:
//!     I φ̈ = a·(τ + (x − p) × F),        I = a·J a + m |a × (x − p)|²
//! with a the axis, x the centre of mass, and J the inertia about it. I is constant. The forces of the
//! hinge itself do no work and are never computed.

use impinge::space::{Matrix, Vector};
use serde::{Deserialize, Serialize};

/// Share of the mobility of the free body that a held one keeps in the directions in which it cannot
/// move: a contact there is damped as between heavy bodies, not infinitely heavy ones.
const GIVE: f64 = 1e-3;

/// What holds a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Joint {
    /// Nothing.
    #[default]
    Free,
    /// It moves along this unit vector, without rotation.
    Rail([f64; 3]),
    /// It turns about an axis, a unit vector, through a point.
    Hinge { point: [f64; 3], axis: [f64; 3] },
}

/// A body on a hinge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinged {
    pub(super) axis: Vector<3>,
    /// From the hinge to the centre of mass.
    pub(super) arm: Vector<3>,
    /// Moment of inertia about the axis.
    pub(super) inertia: f64,
}

impl Hinged {
    /// Returns mobility and rotational mobility at an arm from the centre of mass, of a body that
    /// would have the given ones if it were free.
    pub(super) fn mobility(&self, arm: &Vector<3>, free: [Matrix<3>; 2]) -> [Matrix<3>; 2] {
        let lever = self.axis.cross(&(self.arm + arm));
        [
            lever * lever.transpose() / self.inertia + free[0] * GIVE,
            self.inverse_inertia() + free[1] * GIVE,
        ]
    }

    /// Returns the angular acceleration by a force at the centre of mass and a torque.
    pub(super) fn acceleration(&self, force: &Vector<3>, torque: &Vector<3>) -> f64 {
        self.axis.dot(&(torque + self.arm.cross(force))) / self.inertia
    }

    /// Returns the acceleration of the centre of mass at an angular one, or its velocity at a rate.
    pub(super) fn of_centre(&self, angular: f64) -> Vector<3> {
        self.axis.cross(&self.arm) * angular
    }

    /// Returns the inverse inertia about the hinge, in world axes.
    pub(super) fn inverse_inertia(&self) -> Matrix<3> {
        self.axis * self.axis.transpose() / self.inertia
    }
}
