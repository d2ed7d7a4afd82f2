//! A periodic box that changes its size, at a rate or to a pressure.
//!
//! In a step every centre moves with the box, x → c + e^(ε̇ Δt) (x − c) about its centre c, and velocities, which are
//! relative to this flow, change by e^(−ε̇ Δt): ẋ = v + ε̇ x, v̇ = F/m − ε̇ v (Evans and Morriss 1984). Contacts feel the
//! flow, too. The box does the work −σ ε̇ V Δt, with the stress of contacts and of motion,
//!     V σ_kk = Σ F_k r_k − Σ m v_k².
//! A pressure is approached exponentially: ε̇ is the largest rate times (p − p₀)/p₀, at most one in size.

use super::Particles;
use crate::StepError;
use serde::{Deserialize, Serialize};

/// How a periodic axis changes its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Deformation {
    /// Not at all.
    #[default]
    Fixed,
    /// At this rate of strain, 1/s; negative compresses.
    Rate(f64),
    /// Until the pressure along the axis is this, Pa.
    Pressure {
        /// The pressure.
        pressure: f64,
        /// Largest rate of strain, 1/s.
        rate: f64,
    },
}

impl Deformation {
    /// Returns what is wrong with it.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match *self {
            Self::Fixed => None,
            Self::Rate(rate) => (!rate.is_finite()).then_some("its rate of strain is not finite"),
            Self::Pressure { pressure, rate } => {
                let is_good = |x: f64| x > 0.0 && x.is_finite();
                (!is_good(pressure) || !is_good(rate))
                    .then_some("its pressure and its rate must be positive")
            }
        }
    }
}

/// The state of a deforming box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Deforming {
    /// Σ F_k r_k over the contacts of the last step.
    pub(super) virial: [f64; 3],
    /// Work that the box has done on the particles.
    pub(super) work: f64,
    /// Rates of strain, in a state.
    pub(super) rate: [f64; 3],
}

impl Particles {
    /// Returns whether the periodic box may change its size.
    pub(super) fn deforms(&self) -> bool {
        self.setup.deformation != [Deformation::Fixed; 3]
    }

    /// Returns both ends of each periodic axis at present.
    pub fn period(&self) -> [Option<[f64; 2]>; 3] {
        self.cell.ends
    }

    /// Returns the rates of strain of the periodic box in the last step, 1/s.
    pub fn strain_rate(&self) -> [f64; 3] {
        self.cell.rate
    }

    /// Returns the pressure of contacts and motion along each axis, Pa, of a box that is periodic on all
    /// axes and may deform; zero for others.
    pub fn pressure(&self) -> [f64; 3] {
        let volume: f64 = self.cell.lengths().lengths.iter().flatten().product();
        if !self.deforms() || self.cell.ends.iter().any(Option::is_none) {
            return [0.0; 3];
        }
        let moving = self.moving();
        std::array::from_fn(|k| (moving[k] - self.deforming.virial[k]) / volume)
    }

    /// Returns Σ m v_k².
    fn moving(&self) -> [f64; 3] {
        self.sums(|place| {
            let velocity = &self.arrays.motions[place].velocity;
            [0, 1, 2].map(|k| self.arrays.masses[place] * velocity[k] * velocity[k])
        })
    }

    /// Sets the rates of the next step, resizes the box, and books the work on velocities and the first
    /// half of that on contacts; returns the factors of the lengths.
    pub(super) fn deform(&mut self, dt: f64) -> [f64; 3] {
        if !self.deforms() {
            return [1.0; 3];
        }

        let has_target = |axis: &Deformation| matches!(axis, Deformation::Pressure { .. });
        let pressure = match self.setup.deformation.iter().any(has_target) {
            true => self.pressure(),
            false => [0.0; 3],
        };
        let rate = |k: usize| match self.setup.deformation[k] {
            Deformation::Fixed => 0.0,
            Deformation::Rate(rate) => rate,
            Deformation::Pressure {
                pressure: wanted,
                rate,
            } => rate * ((pressure[k] - wanted) / wanted).clamp(-1.0, 1.0),
        };
        self.cell.rate = [0, 1, 2].map(rate);
        self.half_work(dt);

        let factors = self.cell.rate.map(|rate| (rate * dt).exp());
        self.cell.resize(&factors);
        self.setup.period = self.cell.ends;
        factors
    }

    /// Books half of the work on contacts in a step.
    pub(super) fn half_work(&mut self, dt: f64) {
        let virial = &self.deforming.virial;
        let work: f64 = (0..3).map(|k| self.cell.rate[k] * virial[k]).sum();
        self.deforming.work += 0.5 * dt * work;
        // The forces take it from the box and not from the motion.
        self.lost += 0.5 * dt * work;
    }

    /// Checks that every particle still meets only one image of another.
    pub(super) fn check_box(&self) -> Result<(), StepError> {
        let radii = self.arrays.balls.iter().map(|ball| ball.radius);
        let largest = radii.fold(0.0, f64::max);
        let lengths = self.cell.lengths().lengths.into_iter().flatten();
        let shortest = lengths.fold(f64::INFINITY, f64::min);
        if !self.deforms() || shortest > super::grain::LEAST_PERIOD * largest {
            return Ok(());
        }
        Err(StepError {
            body: "the periodic box".into(),
            cause: format!("it has shrunk to {shortest:.3e} m, less than 4.4 of the largest radii"),
            hint: "compress it for a shorter time, or begin with more particles".into(),
        })
    }
}

#[cfg(test)]
mod tests;
