//! The simulated time: a whole number of equal steps, so that it does not accumulate rounding.

use serde::{Deserialize, Serialize};

/// The simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Clock {
    /// Time since which steps have their current length.
    since: f64,
    steps: u64,
    dt: f64,
    /// Whether the last advance covered more than one step.
    flew: bool,
}

impl Clock {
    pub(super) fn now(&self) -> f64 {
        self.since + self.steps as f64 * self.dt
    }

    pub(super) fn advance(&mut self, dt: f64) {
        self.advance_by(dt, 1);
    }

    /// Returns whether to look for a free flight: after another one, and at every eighth step.
    pub(super) fn is_flight_due(&self) -> bool {
        self.flew || self.steps.is_multiple_of(8)
    }

    /// Advances by a number of equal steps.
    pub(super) fn advance_by(&mut self, dt: f64, steps: u64) {
        if dt != self.dt {
            *self = Self {
                since: self.now(),
                steps: 0,
                dt,
                flew: false,
            };
        }
        self.steps += steps;
        self.flew = steps > 1;
    }
}

#[cfg(test)]
mod tests;
