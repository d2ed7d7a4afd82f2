//! Energies of the contact forces.
//!
//! The energy taken by a force is computed after the kick, with the velocity between its two halves.
//! Whatever exceeds the energy stored in its springs is dissipated, so that the energies add up. The
//! work of the second half of the kick, which the kinetic energy still lacks, counts as stored
//! (`Solids::due`). A body has that velocity only when it has finished its step, too: what a force
//! does to a solid is computed by the solids, what it does to the body by [`Solids::book_barrier`].

use super::penalty::{Against, NodeContact, Pushed};
use super::{SolidReaction, Solids};
use crate::Collider;
use impinge::space::{Point, Vector};

impl Solids {
    /// Returns the velocity of the near side of a force, relative to the far side if that is not a body.
    fn booked_velocity(&self, pushed: &Pushed) -> Vector<3> {
        match pushed.is_body {
            true => pushed.side.velocity(&self.solids),
            false => self.relative_velocity(&pushed.side, &pushed.against),
        }
    }

    /// Returns the work of the second half of a force's kick, which begins the next step.
    fn due_work(&self, pushed: &Pushed, dt: f64) -> f64 {
        let far = match &pushed.against {
            Against::Solid(side) => side.acceleration(&self.solids),
            Against::Barrier(_) => Vector::zeros(),
        };
        let acceleration = pushed.side.acceleration(&self.solids) - far;
        let velocity = self.booked_velocity(pushed);
        0.5 * dt * pushed.force.dot(&(velocity + acceleration * (0.25 * dt)))
    }

    /// Accounts for the energy taken by the forces of this step; energy stored in springs is not
    /// dissipated.
    pub(super) fn book(&mut self, dt: f64) {
        let spent = |pushed: &Pushed| -pushed.force.dot(&self.booked_velocity(pushed)) * dt;
        let spent: f64 = self.pushed.iter().map(spent).sum();
        self.due = self
            .pushed
            .iter()
            .map(|pushed| self.due_work(pushed, dt))
            .sum();
        let held = |contacts: &[NodeContact]| contacts.iter().map(NodeContact::energy).sum::<f64>();

        self.dissipated += spent + held(&self.contacts_before) - held(&self.contacts_now);
    }

    /// Accounts for the work of a step's contact forces on a free barrier. Call it after the finish of the step, with
    /// the velocities that the barrier then has, and with what [`Self::press_barrier`] returned for this centre.
    pub fn book_barrier(
        &mut self,
        reaction: &SolidReaction,
        barrier: &Collider,
        centre: &Point<3>,
        dt: f64,
    ) {
        let (force, torque, mobility) = (&reaction.force, &reaction.torque, barrier.mobility());
        let power = force.dot(&barrier.velocity_at(centre)) + torque.dot(&barrier.at().spin);

        // What the forces themselves add to the power per second.
        let about_mass = torque + (centre - mobility.centre).cross(force);
        let gain = force.dot(&mobility.acceleration(centre, force, &about_mass))
            + torque.dot(&(mobility.inverse_inertia * about_mass));
        self.dissipated -= power * dt;
        self.due += 0.5 * dt * (power + gain * (0.25 * dt));
    }
}
