//! What every kind of matter answers, so that a world of all of them can be driven step by step.

use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Energies in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Of motion and of spin.
    pub kinetic: f64,
    /// Of weight, from the origin of the coordinates.
    pub potential: f64,
    /// Stored in strained elements and in pressed contacts.
    pub elastic: f64,
    /// Lost so far to damping and friction.
    pub dissipated: f64,
    /// Put in so far by what moves on a given path, brought in or taken out by inlets and outlets, and gained by particles
    /// that fall out of a box at one end and go on at the other.
    pub work: f64,
}

impl Energy {
    /// What is there and what was lost, less what was put in: it should stay as it is.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic + self.dissipated - self.work
    }

    /// The sum of two parts of the world.
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

/// A contact and the force in it, as a line of the contact network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLine<const D: usize> {
    /// Numbers of the two bodies within their matter; the second is `u32::MAX` for a wall.
    pub bodies: [u32; 2],
    /// Where.
    pub point: Point<D>,
    /// On the second body, from the first; newtons.
    pub force: Vector<D>,
    /// How deep they overlap; metres.
    pub depth: f64,
}

/// A step that blew up.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{body}: {cause}; {hint}")]
pub struct StepError {
    /// Which body, in words that its owner will know: `particle 12`, `rigid body 3`, `solid 0, node 17`.
    pub body: String,
    /// What happened to it.
    pub cause: String,
    /// What most often cures it.
    pub hint: String,
}

/// A kind of matter that moves by explicit steps (velocity Verlet: half kick, drift, forces, half kick).
pub trait Matter<const D: usize> {
    /// The longest step that is stable, in seconds; infinite where nothing limits it.
    fn stable_step(&self) -> f64;

    /// The first half of a step: half kick with the old forces, drift, forces reset to the weight.
    fn begin(&mut self, dt: f64);

    /// Adds the forces of contacts within this matter, of its stresses, and of its own walls.
    fn interact(&mut self, dt: f64) -> Result<(), StepError>;

    /// The second half of a step: half kick with the new forces.
    fn finish(&mut self, dt: f64) -> Result<(), StepError>;

    /// Energies now.
    fn energy(&self) -> Energy;

    /// Momentum now, kg m/s.
    fn momentum(&self) -> Vector<D>;

    /// Appends the contact network of the last [`Self::interact`], sorted by bodies.
    fn contacts(&self, lines: &mut Vec<ForceLine<D>>);
}
