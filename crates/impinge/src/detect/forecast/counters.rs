//! Counts and times of the engine's operations: the terms of the cost T = Σ Nᵢ tᵢ
//! [Aragon2013, eq. (19)].

/// A stopwatch; it always reads zero on targets without a clock, such as a browser's sandbox.
#[derive(Clone, Copy)]
pub(super) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    start: std::time::Instant,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            start: std::time::Instant::now(),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    #[cfg(target_family = "wasm")]
    pub(super) fn seconds(&self) -> f64 {
        0.0
    }
}

/// Reading the clock takes as long as a short operation: after the first ones only every eighth is
/// timed, and counts for eight.
const SAMPLE: usize = 8;

/// Number of operations that are all timed.
const FIRST: usize = 64;

/// A stopwatch for the operations of a kind that are so short that not all are timed.
#[derive(Clone, Copy)]
pub(super) struct Sampled(Option<(Stopwatch, f64)>);

impl Sampled {
    /// Starts for the operation of this number.
    pub(super) fn start(number: usize) -> Self {
        Self(match number {
            0..FIRST => Some((Stopwatch::start(), 1.0)),
            _ if number.is_multiple_of(SAMPLE) => Some((Stopwatch::start(), SAMPLE as f64)),
            _ => None,
        })
    }

    /// Returns the seconds that this operation counts for.
    pub(super) fn seconds(&self) -> f64 {
        self.0
            .map_or(0.0, |(watch, weight)| weight * watch.seconds())
    }
}

/// One term of the cost: count and total time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Term {
    /// Number of operations, N.
    pub count: usize,
    /// Total time in seconds, N·t; of short operations an estimate, because not all are timed.
    pub seconds: f64,
}

impl Term {
    /// Runs an operation and adds its time.
    pub(super) fn book<T>(&mut self, work: impl FnOnce(&mut usize) -> T) -> T {
        let watch = Stopwatch::start();
        let result = work(&mut self.count);
        self.seconds += watch.seconds();
        result
    }

    /// Runs one short operation and adds its time, or an estimate of it.
    pub(super) fn book_short<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let watch = Sampled::start(self.count);
        let result = work();
        self.count += 1;
        self.seconds += watch.seconds();
        result
    }
}

/// The terms of eq. (19).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
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
