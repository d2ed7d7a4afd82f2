//! A single particle as input and output, and the errors of invalid particles.

use crate::law::InvalidLaw;
use impinge::shape::Problem;
use impinge::space::LARGEST_COORDINATE;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Smallest period, in radii, in which a sphere and its neighbours within the skin meet each other
/// through one face only: two diameters and a tenth.
pub(super) const LEAST_PERIOD: f64 = 4.4;

/// A sphere, in SI units; its mass follows from the density of its material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grain {
    /// Position of the centre, m.
    pub position: [f64; 3],
    /// Velocity, m/s.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s, in world axes.
    pub spin: [f64; 3],
    /// Radius, m.
    pub radius: f64,
    /// Index of its material.
    pub species: u16,
    /// Whether it is immovable. Its velocity and spin must then be zero.
    pub is_fixed: bool,
}

/// Why particles, or items given with them, are invalid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidParticles {
    /// A law or a material is invalid.
    #[error(transparent)]
    Law(#[from] InvalidLaw),
    /// A number is NaN, infinite or too large.
    #[error("grain {grain}: the {what} is not finite or beyond {LARGEST_COORDINATE:e}")]
    NotFinite {
        /// Index among the given grains.
        grain: usize,
        /// Name of the number.
        what: &'static str,
    },
    /// A radius is not positive.
    #[error("grain {grain}: the radius is {radius}; it must be positive and finite")]
    Radius {
        /// Index among the given grains.
        grain: usize,
        /// The radius.
        radius: f64,
    },
    /// A fixed particle has a velocity or a spin.
    #[error("grain {grain}: a fixed grain must have zero velocity and spin")]
    Moves {
        /// Index among the given grains.
        grain: usize,
    },
    /// An item refers to a material that does not exist.
    #[error("{item} refers to material {material}, but there are only {count}")]
    NoMaterial {
        /// The item that refers to it.
        item: String,
        /// Index of the missing material.
        material: usize,
        /// Number of materials.
        count: usize,
    },
    /// Gravity, a period, an inlet or an outlet is invalid.
    #[error("{item}: {fault}")]
    Item {
        /// The item.
        item: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A sphere is so large that it touches itself through a periodic axis.
    #[error("grain {grain}: the radius {radius} needs a period above {}; that of axis {axis} is {length}", LEAST_PERIOD * radius)]
    Period {
        /// Index among the given grains.
        grain: usize,
        /// Its radius.
        radius: f64,
        /// The axis.
        axis: usize,
        /// The period.
        length: f64,
    },
    /// The shape of an obstacle in a saved state is invalid.
    #[error("obstacle {obstacle}: {fault}")]
    Obstacle {
        /// Index of the obstacle.
        obstacle: usize,
        /// What is wrong.
        fault: Problem,
    },
    /// Too many particles for the index type.
    #[error("too many particles (limit {most})")]
    TooMany {
        /// The maximum.
        most: u32,
    },
    /// A saved state is inconsistent.
    #[error("the state is inconsistent: {what}")]
    State {
        /// The inconsistency.
        what: &'static str,
    },
}

impl Grain {
    /// Checks the numbers; `grain` is the index reported in errors.
    pub(super) fn check(&self, grain: usize, materials: usize) -> Result<(), InvalidParticles> {
        let usable = |values: &[f64; 3]| values.iter().all(|x| x.abs() <= LARGEST_COORDINATE);
        let vectors = [
            ("position", &self.position),
            ("velocity", &self.velocity),
            ("spin", &self.spin),
        ];

        if let Some((what, _)) = vectors.into_iter().find(|(_, values)| !usable(values)) {
            return Err(InvalidParticles::NotFinite { grain, what });
        }

        if !(self.radius > 0.0 && self.radius <= LARGEST_COORDINATE) {
            return Err(InvalidParticles::Radius {
                grain,
                radius: self.radius,
            });
        }

        if self.is_fixed && (self.velocity != [0.0; 3] || self.spin != [0.0; 3]) {
            return Err(InvalidParticles::Moves { grain });
        }

        let material = self.species as usize;
        if material >= materials {
            let item = format!("grain {grain}");
            return Err(InvalidParticles::NoMaterial {
                item,
                material,
                count: materials,
            });
        }

        Ok(())
    }
}
