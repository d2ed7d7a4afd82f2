//! Chooses the skin thickness of a neighbour list: the cost model of lists against rebuilding at
//! every step.
//!
//! With a margin m around every body and motion v per step, a list lasts n = 1 + m/v steps, or more
//! if bodies reverse direction. A step costs its share of the build plus the re-test of all
//! candidates, whose number grows with the skin: about P·(1 + 2m/ℓ)^D for P pairs among bodies of
//! edge ℓ. The best m is searched among those that last a whole number of steps. The model uses
//! counts, not measured times, so the choice is the same on every run.

/// Build cost per body, in nanoseconds, measured for boxes; only ratios matter.
const BUILD: f64 = 130.0;
/// Build cost per pair, in nanoseconds.
const BUILD_PAIR: f64 = 34.0;
/// Cost per body of a build that also makes a list, in nanoseconds.
const LIST: f64 = 140.0;
/// Cost per candidate of such a build, in nanoseconds: each is written in two orders and sorted
/// with its position.
const LIST_CANDIDATE: f64 = 44.0;
/// Cost per body of a list step, in nanoseconds: the body must be checked against its skin.
const STEP: f64 = 41.0;
/// Cost per candidate of a list step, in nanoseconds.
const STEP_CANDIDATE: f64 = 8.5;

/// Lifetime of a list, in steps, beyond which there is nothing more to gain.
const LONGEST_LIFE: f64 = 256.0;

/// Margin for bodies at rest, as a fraction of the mean body edge: it adds few candidates.
const REST: f64 = 0.01;

/// Maximum margin, as a fraction of the mean body edge.
const MOST: f64 = 1.0;

/// Smallest margin tried, relative to that of bodies at rest.
const LEAST_MARGIN: f64 = 0.1;

/// Factor on the margin that keeps a list of n steps from ending at n − 1 by rounding.
const WHOLE_STEPS: f64 = 1.001;

/// Parameters of the cost model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Travel per step.
    pub(super) motion: f64,
    /// Mean edge of the bodies.
    pub(super) edge: f64,
    /// Pairs per body, without skin.
    pub(super) pairs: f64,
    /// Factor by which past lists outlived the prediction for straight-line motion.
    pub(super) persistence: f64,
    pub(super) dimension: i32,
}

impl Outlook {
    /// Returns the cost per body of a step that rebuilds everything.
    pub(super) fn cost_of_building(&self) -> f64 {
        BUILD + BUILD_PAIR * self.pairs
    }

    fn candidates(&self, margin: f64) -> f64 {
        // Plus a quarter of a pair: even if nothing touches, some neighbours come close.
        (self.pairs + 0.25) * (1.0 + 2.0 * margin / self.edge).powi(self.dimension)
    }

    /// Returns the cost per body of a step with a list of this margin.
    pub(super) fn cost_of_list(&self, margin: f64) -> f64 {
        let life = (1.0 + self.persistence * margin / self.motion).min(LONGEST_LIFE);
        let candidates = self.candidates(margin);
        (LIST + LIST_CANDIDATE * candidates) / life + STEP + STEP_CANDIDATE * candidates
    }

    /// Returns the margin of least cost, and that cost.
    pub(super) fn best_margin(&self) -> (f64, f64) {
        let rest = REST * self.edge;
        if !(self.edge > 0.0 && self.motion > 0.0) {
            return (rest, self.cost_of_list(rest));
        }

        // Never above the maximum, however far bodies jump: the candidates of a margin of many
        // edges would exhaust the memory.
        let mut best = (rest, self.cost_of_list(rest));
        let mut steps = 1.0;
        while steps < LONGEST_LIFE {
            let margin = (steps * self.motion / self.persistence).max(LEAST_MARGIN * rest);
            let cost = self.cost_of_list(margin);
            if margin <= MOST * self.edge && cost < best.1 {
                best = (margin, cost);
            }
            // Whole steps: a list that could last four and a half steps lasts four.
            steps = (steps * 1.25_f64).ceil();
        }

        // Slightly more than a whole number of steps, so that rounding does not end the list one
        // step early.
        (best.0 * WHOLE_STEPS, best.1)
    }
}

#[cfg(test)]
mod tests;
