//! Timing of the stages of a step.

use serde::Serialize;
use std::time::Instant;

/// Wall-clock seconds of each stage over all steps so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stages {
    /// Kicks, drifts and obstacle updates.
    pub motion: f64,
    /// Particles with each other and with obstacles: neighbour lists and forces.
    pub particles: f64,
    /// Rigid bodies with each other and with walls.
    pub bodies: f64,
    /// Elastic solids: stresses, and contacts with each other and with all other matter.
    pub solids: f64,
    /// Prediction of which pairs of bodies, solids and walls may touch.
    pub queue: f64,
    /// Tunnelling checks.
    pub watch: f64,
}

/// Runs a closure and adds its duration.
pub(super) fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
