//! Nodes with prescribed motion: fixed, or moving on a given path.

use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// The prescribed motion of held nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Hold {
    /// Fixed in place.
    Fixed,
    /// Constant velocity, and rotation about a centre that moves along.
    Moving {
        /// Velocity, m/s.
        velocity: [f64; 3],
        /// Angular velocity, rad/s.
        spin: [f64; 3],
        /// Position of the centre when the hold begins.
        centre: [f64; 3],
    },
    /// Oscillation about the initial positions: amplitude · sin 2π f t.
    Swinging {
        /// Amplitude, m.
        amplitude: [f64; 3],
        /// Frequency, Hz.
        frequency: f64,
    },
}

impl Hold {
    pub(super) fn is_finite(&self) -> bool {
        let finite = |v: &[f64]| v.iter().all(|x| x.is_finite());
        match self {
            Self::Fixed => true,
            Self::Moving {
                velocity,
                spin,
                centre,
            } => finite(&[*velocity, *spin, *centre].concat()),
            Self::Swinging {
                amplitude,
                frequency,
            } => finite(amplitude) && frequency.is_finite(),
        }
    }
}

/// A held node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Held {
    pub(super) node: u32,
    hold: Hold,
    /// Position and time at which it began.
    start: [f64; 3],
    since: f64,
}

impl Held {
    pub(super) fn new(node: u32, hold: Hold, start: &Point<3>, since: f64) -> Self {
        Self {
            node,
            hold,
            start: start.coords.into(),
            since,
        }
    }

    /// Returns the position of the node at a time.
    pub(super) fn position(&self, time: f64) -> Point<3> {
        let (start, t) = (Point::from(self.start), time - self.since);
        match self.hold {
            Hold::Fixed => start,
            Hold::Moving {
                velocity,
                spin,
                centre,
            } => {
                let turn = nalgebra::Rotation3::new(Vector::from(spin) * t);
                let centre = Point::from(centre);
                centre + turn * (start - centre) + Vector::from(velocity) * t
            }
            Hold::Swinging {
                amplitude,
                frequency,
            } => start + Vector::from(amplitude) * (TAU * frequency * t).sin(),
        }
    }

    /// Returns its velocity at a time.
    pub(super) fn velocity(&self, time: f64) -> Vector<3> {
        match self.hold {
            Hold::Fixed => Vector::zeros(),
            Hold::Moving {
                velocity,
                spin,
                centre,
            } => {
                let turn = nalgebra::Rotation3::new(Vector::from(spin) * (time - self.since));
                let arm = turn * (Point::from(self.start) - Point::from(centre));
                Vector::from(velocity) + Vector::from(spin).cross(&arm)
            }
            Hold::Swinging {
                amplitude,
                frequency,
            } => {
                let rate = TAU * frequency;
                Vector::from(amplitude) * (rate * (rate * (time - self.since)).cos())
            }
        }
    }
}
