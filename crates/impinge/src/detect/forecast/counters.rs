//! What the engine did and how long it took: the terms of the cost T = Σ Nᵢ tᵢ [Aragon2013, eq. (19)].

use std::time::{Duration, Instant};

/// One term: how often and how long.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Term {
    /// How often, N.
    pub count: usize,
    /// Seconds in all, N·t.
    pub seconds: f64,
}

impl Term {
    /// Runs a part of the work and books it.
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
    /// Times of touch of two balls, eq. (12).
    pub trajectories: Term,
    /// Hierarchies brought to a time: poses of bodies.
    pub updates: Term,
    /// Pairs of volumes that were opened.
    pub volumes: Term,
    /// Distances of two faces.
    pub primitives: Term,
}

impl ForecastCounters {
    /// The terms with their names, in the order of the paper.
    pub fn terms(&self) -> [(&'static str, Term); 4] {
        [
            ("trajectories", self.trajectories),
            ("updates", self.updates),
            ("volumes", self.volumes),
            ("primitives", self.primitives),
        ]
    }
}
