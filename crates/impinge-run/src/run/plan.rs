//! Time step and output intervals.

use crate::scene::{Run, StepSpec};

/// Fraction of the stable step that "auto" uses. Each matter has a safety margin of its own; this
/// one covers the coupling forces between different kinds of matter, which none of them includes.
const SHARE: f64 = 0.9;

/// The time steps of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Length of a step, s.
    pub dt: f64,
    /// Longest stable step, s, as estimated at the start.
    pub stable: f64,
    /// Total number of steps.
    pub steps: u64,
    /// Steps between frames.
    pub frame: u64,
    /// Steps between rows of the history.
    pub history: u64,
    /// Steps between entries in the contact table; `None` writes only the last.
    pub contacts: Option<u64>,
    /// Steps between entries in the table of loads.
    pub loads: Option<u64>,
    /// Steps between entries in the table of contact forces.
    pub forces: Option<u64>,
}

impl Plan {
    /// Plans the steps of a scene, in a world whose longest stable step is `stable`.
    pub fn new(run: &Run, stable: f64) -> Self {
        let interval = run.frame_interval().min(run.duration);
        let dt = match run.step {
            StepSpec::Seconds(step) => step.min(run.duration),
            // A whole number of steps between frames, so that frames are at the requested times.
            StepSpec::Word(_) => interval / (interval / (SHARE * stable)).ceil().max(1.0),
        };

        Self::with_step(run, stable, dt)
    }

    /// Plans the steps of a resumed run with its original step, whatever the scene now says about
    /// duration and output.
    pub fn with_step(run: &Run, stable: f64, dt: f64) -> Self {
        let interval = run.frame_interval().min(run.duration);
        let steps = |time: f64| (time / dt).round().max(1.0) as u64;
        Self {
            dt,
            stable,
            steps: steps(run.duration),
            frame: steps(interval),
            history: steps(run.history_interval()),
            contacts: run.contacts.map(steps),
            loads: run.loads.map(steps),
            forces: run.forces.map(steps),
        }
    }

    /// Returns a warning if the step is longer than the stable one.
    pub fn warning(&self) -> Option<String> {
        let warn = self.dt > self.stable;
        warn.then(|| {
            format!(
                "the step of {:.3e} s is longer than the stable one of {:.3e} s; the run is \
                 likely to become unstable",
                self.dt, self.stable
            )
        })
    }
}

#[cfg(test)]
mod tests;
