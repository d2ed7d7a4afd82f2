//! The simulated time: a whole number of equal steps, so that it does not accumulate rounding.

use serde::{Deserialize, Serialize};

/// The simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Clock {
    /// Time at which the steps became as long as they are.
    since: f64,
    steps: u64,
    dt: f64,
}

impl Clock {
    pub(super) fn now(&self) -> f64 {
        self.since + self.steps as f64 * self.dt
    }

    pub(super) fn advance(&mut self, dt: f64) {
        if dt != self.dt {
            *self = Self {
                since: self.now(),
                steps: 0,
                dt,
            };
        }
        self.steps += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_do_not_accumulate_rounding() {
        let mut clock = Clock::default();
        (0..1000).for_each(|_| clock.advance(0.1));
        assert_eq!(clock.now(), 1000.0 * 0.1);
        clock.advance(0.5);
        assert_eq!(clock.now(), 100.5);
    }
}
