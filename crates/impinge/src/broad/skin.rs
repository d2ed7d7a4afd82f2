//! How thick a skin a kept list should have: the cost model of lists against building anew.
//!
//! With margin m around every body and motion v in a step, a list lasts n = 1 + m/v steps, or more where bodies turn back.
//! A step costs the share of the build and the re-test of all candidates, of which there are the more the thicker the
//! skin: about P·(1 + 2m/ℓ)^D for P pairs among bodies of edge ℓ. The best m is sought among those that last a whole
//! number of steps. The model counts, it does not look at a clock: so the choice is the same on every run.

/// Nanoseconds for each body of a build, measured for boxes; only ratios matter.
const BUILD: f64 = 130.0;
/// Nanoseconds for each pair of a build.
const BUILD_PAIR: f64 = 34.0;
/// Nanoseconds for each body of a build that makes a list.
const LIST: f64 = 140.0;
/// Nanoseconds for each candidate of such a build: it is written in two orders, and sorted with its place.
const LIST_CANDIDATE: f64 = 44.0;
/// Nanoseconds for each body of a list step: it must be seen not to have left its skin.
const STEP: f64 = 41.0;
/// Nanoseconds for each candidate of a list step.
const STEP_CANDIDATE: f64 = 8.5;

/// Steps beyond which a longer life of the list gains nothing.
const LONGEST_LIFE: f64 = 256.0;

/// A margin, as a share of the bodies' edge, that costs few candidates: for bodies at rest.
const REST: f64 = 0.01;

/// Most margin, as a share of the bodies' edge.
const MOST: f64 = 1.0;

/// What is known of a scene when the skin is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Travel in a step.
    pub(super) motion: f64,
    /// Mean edge of the bodies.
    pub(super) edge: f64,
    /// Pairs for each body, without skin.
    pub(super) pairs: f64,
    /// By how much longer lists lasted than bodies moving straight on would allow.
    pub(super) persistence: f64,
    pub(super) dimension: i32,
}

impl Outlook {
    /// Cost of a step for each body that builds everything anew.
    pub(super) fn cost_of_building(&self) -> f64 {
        BUILD + BUILD_PAIR * self.pairs
    }

    fn candidates(&self, margin: f64) -> f64 {
        // A quarter of a pair more: where nothing touches, neighbours come near all the same.
        (self.pairs + 0.25) * (1.0 + 2.0 * margin / self.edge).powi(self.dimension)
    }

    /// Cost of a step for each body with a list of this margin.
    pub(super) fn cost_of_list(&self, margin: f64) -> f64 {
        let life = (1.0 + self.persistence * margin / self.motion).min(LONGEST_LIFE);
        let candidates = self.candidates(margin);
        (LIST + LIST_CANDIDATE * candidates) / life + STEP + STEP_CANDIDATE * candidates
    }

    /// The margin of least cost, and the cost.
    pub(super) fn best_margin(&self) -> (f64, f64) {
        let rest = REST * self.edge;
        if !(self.edge > 0.0 && self.motion > 0.0) {
            return (rest, self.cost_of_list(rest));
        }
        // Never more than the most, however far bodies jump: the candidates of a margin of many edges fill the memory.
        let mut best = (rest, self.cost_of_list(rest));
        let mut steps = 1.0;
        while steps < LONGEST_LIFE {
            let margin = (steps * self.motion / self.persistence).max(0.1 * rest);
            let cost = self.cost_of_list(margin);
            if margin <= MOST * self.edge && cost < best.1 {
                best = (margin, cost);
            }
            // Whole steps: a list that could last four and a half steps lasts four.
            steps = (steps * 1.25_f64).ceil();
        }
        // A hair more than a whole number of steps, so that rounding does not end the list one step early.
        (best.0 * 1.001, best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(motion: f64) -> Outlook {
        Outlook {
            motion,
            edge: 1.0,
            pairs: 2.0,
            persistence: 1.0,
            dimension: 3,
        }
    }

    #[test]
    fn slow_bodies_get_a_thin_skin_that_lasts() {
        let (margin, cost) = outlook(0.001).best_margin();
        assert!((0.01..0.1).contains(&margin), "{margin}");
        assert!(cost < 0.4 * outlook(0.001).cost_of_building(), "{cost}");
    }

    #[test]
    fn for_fast_bodies_building_is_cheaper_than_a_list() {
        assert!(outlook(0.3).best_margin().1 > outlook(0.3).cost_of_building());
        assert!(outlook(1e9).best_margin().1 > outlook(1e9).cost_of_building());
        assert!(
            outlook(1e9).best_margin().0 <= 1.01 * MOST,
            "a jump is no motion to make a skin for"
        );
    }

    #[test]
    fn bodies_at_rest_or_without_size_get_a_finite_margin() {
        let rest = outlook(0.0).best_margin();
        assert!(rest.0 > 0.0 && rest.1 < outlook(0.0).cost_of_building());
        let points = Outlook {
            edge: 0.0,
            ..outlook(0.1)
        };
        assert_eq!(points.best_margin().0, 0.0);
        assert!(
            points.best_margin().1.is_nan(),
            "and Auto takes no list of unknown cost"
        );
    }
}
