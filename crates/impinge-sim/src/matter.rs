//! The interface that every kind of matter implements, so that one world can step them together.

use impinge::shape::Feature;
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

/// A kind of object in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BodyKind {
    /// A sphere.
    Particle,
    /// A rigid body.
    Body,
    /// An elastic solid.
    Solid,
    /// A wall.
    Wall,
}

/// An object of a world: its kind, and its index among those; for a particle its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyRef {
    /// The kind.
    pub kind: BodyKind,
    /// The index within the kind.
    pub index: u32,
}

impl BodyKind {
    /// Returns the name of the kind in tables: `particle`, `body`, `solid` or `wall`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Particle => "particle",
            Self::Body => "body",
            Self::Solid => "solid",
            Self::Wall => "wall",
        }
    }
}

impl BodyRef {
    /// Creates a reference to a particle by id.
    pub fn particle(id: u32) -> Self {
        Self {
            kind: BodyKind::Particle,
            index: id,
        }
    }

    /// Creates a reference to a rigid body.
    pub fn body(index: usize) -> Self {
        Self {
            kind: BodyKind::Body,
            index: index as u32,
        }
    }

    /// Creates a reference to an elastic solid.
    pub fn solid(index: usize) -> Self {
        Self {
            kind: BodyKind::Solid,
            index: index as u32,
        }
    }

    /// Creates a reference to a wall.
    pub fn wall(index: usize) -> Self {
        Self {
            kind: BodyKind::Wall,
            index: index as u32,
        }
    }
}

/// A contact with its force. In 2D the third components are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// The two bodies, a and b. The first is never a wall.
    pub bodies: [BodyRef; 2],
    /// Contact point, m.
    pub point: Point<3>,
    /// Unit normal, from a to b.
    pub normal: Vector<3>,
    /// Force on b, exerted by a, N.
    pub force: Vector<3>,
    /// Overlap depth, m.
    pub depth: f64,
    /// The face, edge or vertex of b that a sphere touches, if b has any.
    pub feature: Option<Feature>,
}

/// The error of a step that became unstable.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{body}: {cause}; {hint}")]
pub struct StepError {
    /// The body, as users know it: `particle 12`, `rigid body 3`, `solid 0, node 17`.
    pub body: String,
    /// What went wrong.
    pub cause: String,
    /// The usual remedy.
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

    /// Returns the angular momentum about the origin, kg m²/s; in 2D only the third component is
    /// non-zero.
    fn angular_momentum(&self) -> Vector<3>;

    /// Appends the contacts of the last [`Self::interact`], sorted by bodies. Objects of other matter
    /// have this matter's own numbers: obstacles of particles, and half-spaces of solids, are walls by
    /// index; barriers of solids are bodies by the number given for them. The world replaces these
    /// numbers by its own.
    fn contacts(&self, contacts: &mut Vec<ContactRecord>);
}
