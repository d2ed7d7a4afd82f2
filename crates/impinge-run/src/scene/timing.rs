//! `[run]`: duration, time step and output intervals.

use super::number_or::number_or;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Duration, time step and output intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Time to simulate, s.
    pub duration: f64,
    /// Time step, s; "auto" takes a safe fraction of the stable step.
    #[serde(default)]
    pub step: StepSpec,
    /// Time between frames for ParaView, s. Default: 1 % of the duration.
    #[serde(default)]
    pub output: Option<f64>,
    /// Time between rows of history.csv, s. Default: a fifth of `output`.
    #[serde(default)]
    pub history: Option<f64>,
    /// Time between entries in contacts.csv, s. Default: only the final contacts are written.
    #[serde(default)]
    pub contacts: Option<f64>,
    /// Time between entries in loads.csv, s: force, torque and power of the contacts of every wall and rigid body, with
    /// position, orientation, velocity and spin. Default: none.
    #[serde(default)]
    pub loads: Option<f64>,
    /// Time between entries in forces.csv, s: the distribution of normal forces between spheres.
    /// Default: none.
    #[serde(default)]
    pub forces: Option<f64>,
    /// Wall-clock time between checkpoints, s.
    #[serde(default = "half_a_minute")]
    pub checkpoint_seconds: f64,
    /// Steps between additional checkpoints.
    #[serde(default)]
    pub checkpoint_steps: Option<u64>,
    /// Seed of all random numbers.
    #[serde(default)]
    pub seed: u64,
}

fn half_a_minute() -> f64 {
    30.0
}

impl Run {
    /// Creates a run of a duration in seconds, with defaults for everything else.
    pub fn lasting(duration: f64) -> Self {
        Self {
            duration,
            step: StepSpec::default(),
            output: None,
            history: None,
            contacts: None,
            loads: None,
            forces: None,
            checkpoint_seconds: half_a_minute(),
            checkpoint_steps: None,
            seed: 0,
        }
    }

    /// Returns the time between frames.
    pub fn frame_interval(&self) -> f64 {
        const FRAMES: f64 = 100.0;
        self.output.unwrap_or(self.duration / FRAMES)
    }

    /// Returns the time between rows of the history.
    pub fn history_interval(&self) -> f64 {
        const ROWS_PER_FRAME: f64 = 5.0;
        self.history
            .unwrap_or(self.frame_interval() / ROWS_PER_FRAME)
    }
}

/// Time step: seconds, or "auto".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StepSpec {
    /// A fixed step in seconds.
    Seconds(f64),
    /// Chosen by the program.
    Word(StepWord),
}

/// Time step chosen by the program.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepWord {
    /// A safe fraction of the stable step.
    Auto,
}

impl Default for StepSpec {
    fn default() -> Self {
        Self::Word(StepWord::Auto)
    }
}

impl From<StepWord> for StepSpec {
    fn from(word: StepWord) -> Self {
        Self::Word(word)
    }
}

impl<'de> Deserialize<'de> for StepSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_or::<_, _, StepWord>(deserializer, "seconds or \"auto\"", Self::Seconds)
    }
}
