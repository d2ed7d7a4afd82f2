//! What the stages of a step take.

use serde::Serialize;
use std::time::Instant;

/// Wall seconds of the stages of all steps so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stages {
    /// Kicks and drifts, and obstacles that follow.
    pub motion: f64,
    /// Particles among themselves and with what they bump into: neighbours and forces.
    pub particles: f64,
    /// Rigid bodies among themselves and with walls.
    pub bodies: f64,
    /// Elastic solids: stresses, contacts among themselves and with all others.
    pub solids: f64,
}

/// Runs some work and adds its time.
pub(super) fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
