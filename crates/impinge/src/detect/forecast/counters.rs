//! Counts and times of the engine's operations: the terms of the cost T = Σ Nᵢ tᵢ
//! [Aragon2013, eq. (19)].

use std::time::{Duration, Instant};

/// One term of the cost: count and total time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Term {
    /// Number of operations, N.
    pub count: usize,
    /// Total time in seconds, N·t.
    pub seconds: f64,
}

impl Term {
    /// Runs an operation and adds its time.
    pub(super) fn book<T>(&mut self, work: impl FnOnce(&mut usize) -> T) -> T {
        let start = Instant::now();
        let result = work(&mut self.count);
        self.seconds += Duration::as_secs_f64(&start.elapsed());
        result
    }
}

/// The terms of eq. (19).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForecastCounters {
    /// Times of impact of two balls, eq. (12).
    pub trajectories: Term,
    /// Updates of hierarchies to a time: poses of bodies.
    pub updates: Term,
    /// Pairs of volumes opened.
    pub volumes: Term,
    /// Distances between two faces.
    pub primitives: Term,
}

impl ForecastCounters {
    /// Returns the terms with their names, in the order of the paper.
    pub fn terms(&self) -> [(&'static str, Term); 4] {
        [
            ("trajectories", self.trajectories),
            ("updates", self.updates),
            ("volumes", self.volumes),
            ("primitives", self.primitives),
        ]
    }
}
