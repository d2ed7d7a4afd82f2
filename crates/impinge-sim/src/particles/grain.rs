//! One particle as its owner sees it, and why one is refused.

use crate::law::InvalidLaw;
use impinge::shape::Problem;
use impinge::space::LARGEST_COORDINATE;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A sphere. SI units; its mass follows from the density of its material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grain {
    /// Of the centre.
    pub position: [f64; 3],
    /// m/s.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s, in the world's axes.
    pub spin: [f64; 3],
    /// m.
    pub radius: f64,
    /// Number of its material.
    pub species: u16,
}

/// Why particles, or what goes with them, were refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidParticles {
    /// A law or a material.
    #[error(transparent)]
    Law(#[from] InvalidLaw),
    /// A number is NaN, infinite or absurdly large.
    #[error("grain {grain}: the {what} is not finite or beyond {LARGEST_COORDINATE:e}")]
    NotFinite {
        /// Its number among those that were given.
        grain: usize,
        /// Which number.
        what: &'static str,
    },
    /// A radius is not positive.
    #[error("grain {grain}: the radius is {radius}; it must be positive and finite")]
    Radius {
        /// Its number among those that were given.
        grain: usize,
        /// What it is.
        radius: f64,
    },
    /// A material that does not exist.
    #[error("{item} is of material {material}; there are {count}")]
    NoMaterial {
        /// What is made of it.
        item: String,
        /// Its number.
        material: usize,
        /// How many there are.
        count: usize,
    },
    /// Gravity, a period, an inlet or an outlet.
    #[error("{item}: {fault}")]
    Item {
        /// Which.
        item: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A sphere is so large that it meets itself through a periodic axis.
    #[error("grain {grain}: the radius {radius} needs a period above {}; that of axis {axis} is {length}", 4.4 * radius)]
    Period {
        /// Its number among those that were given.
        grain: usize,
        /// Its radius.
        radius: f64,
        /// The axis.
        axis: usize,
        /// The period.
        length: f64,
    },
    /// The shape of an obstacle in a state.
    #[error("obstacle {obstacle}: {fault}")]
    Obstacle {
        /// Its number.
        obstacle: usize,
        /// What is wrong.
        fault: Problem,
    },
    /// More particles than there are numbers for them.
    #[error("there are no numbers for more than {most} particles")]
    TooMany {
        /// The most.
        most: u32,
    },
    /// A state whose parts do not belong together.
    #[error("the state is broken: {what}")]
    State {
        /// What does not fit.
        what: &'static str,
    },
}

impl Grain {
    /// Checks the numbers; `grain` names it.
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
