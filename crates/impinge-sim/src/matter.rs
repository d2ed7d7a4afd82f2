//! The interface that every kind of matter implements, so that one world can step them together.

use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Energies in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Translational and rotational kinetic energy.
    pub kinetic: f64,
    /// Gravitational potential energy, relative to the origin of the coordinates.
    pub potential: f64,
    /// Elastic energy stored in strained elements and in compressed contacts.
    pub elastic: f64,
    /// Energy dissipated so far by damping and friction.
    pub dissipated: f64,
    /// Work done so far by prescribed motions, plus the net energy brought in by inlets and outlets.
    /// It includes the energy gained by particles that leave a periodic box at one end and re-enter
    /// at the other.
    pub work: f64,
}

impl Energy {
    /// Returns the energy present plus the energy dissipated, minus the work put in. It should stay
    /// constant.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic + self.dissipated - self.work
    }

    /// Returns the sum of the energies of two parts of the world.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            kinetic: self.kinetic + other.kinetic,
            potential: self.potential + other.potential,
            elastic: self.elastic + other.elastic,
            dissipated: self.dissipated + other.dissipated,
            work: self.work + other.work,
        }
    }
}

/// A contact and its force: one edge of the contact force network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLine<const D: usize> {
    /// Indices of the two bodies within their matter; the second is `u32::MAX` for a wall.
    pub bodies: [u32; 2],
    /// Contact point.
    pub point: Point<D>,
    /// Force on the second body, exerted by the first, in newtons.
    pub force: Vector<D>,
    /// Overlap depth, in metres.
    pub depth: f64,
}

/// The error of a step that became unstable.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{body}: {cause}; {hint}")]
pub struct StepError {
    /// The body, in terms its owner will recognise: `particle 12`, `rigid body 3`,
    /// `solid 0, node 17`.
    pub body: String,
    /// What went wrong.
    pub cause: String,
    /// The most common remedy.
    pub hint: String,
}

/// A kind of matter integrated with explicit steps (velocity Verlet: half kick, drift, forces, half
/// kick).
pub trait Matter<const D: usize> {
    /// Returns the longest stable step in seconds, or infinity if nothing limits it.
    fn stable_step(&self) -> f64;

    /// Runs the first half of a step: half kick with the old forces, drift, reset of the forces to
    /// the weight.
    fn begin(&mut self, dt: f64);

    /// Adds the forces of contacts within this matter, of its stresses, and of its own walls.
    fn interact(&mut self, dt: f64) -> Result<(), StepError>;

    /// Runs the second half of a step: half kick with the new forces.
    fn finish(&mut self, dt: f64) -> Result<(), StepError>;

    /// Returns the current energies.
    fn energy(&self) -> Energy;

    /// Returns the current momentum, in kg m/s.
    fn momentum(&self) -> Vector<D>;

    /// Appends the contact force network of the last [`Self::interact`], sorted by bodies.
    fn contacts(&self, lines: &mut Vec<ForceLine<D>>);
}
