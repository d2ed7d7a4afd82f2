//! `[run]`: how long, in which steps, and what is written when.

use super::number_or::number_or;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// How long, in which steps, and what is written when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Time to simulate, s.
    pub duration: f64,
    /// Length of a step, s; "auto" takes a safe share of the stable one.
    #[serde(default)]
    pub step: StepSpec,
    /// Time between frames for ParaView, s; a hundredth of the duration unless given.
    #[serde(default)]
    pub output: Option<f64>,
    /// Time between rows of history.csv, s; a fifth of `output` unless given.
    #[serde(default)]
    pub history: Option<f64>,
    /// Time between entries in contacts.csv, s; unless given, the contacts at the end alone are written there.
    #[serde(default)]
    pub contacts: Option<f64>,
    /// Seconds of computing between checkpoints.
    #[serde(default = "half_a_minute")]
    pub checkpoint_seconds: f64,
    /// Steps between checkpoints, besides those by the clock.
    #[serde(default)]
    pub checkpoint_steps: Option<u64>,
    /// Seed of everything random.
    #[serde(default)]
    pub seed: u64,
}

fn half_a_minute() -> f64 {
    30.0
}

impl Run {
    /// A run of that duration, s, with the defaults for everything else.
    pub fn lasting(duration: f64) -> Self {
        Self {
            duration,
            step: StepSpec::default(),
            output: None,
            history: None,
            contacts: None,
            checkpoint_seconds: half_a_minute(),
            checkpoint_steps: None,
            seed: 0,
        }
    }

    /// Time between frames.
    pub fn frame_interval(&self) -> f64 {
        const FRAMES: f64 = 100.0;
        self.output.unwrap_or(self.duration / FRAMES)
    }

    /// Time between rows of the history.
    pub fn history_interval(&self) -> f64 {
        const ROWS_PER_FRAME: f64 = 5.0;
        self.history
            .unwrap_or(self.frame_interval() / ROWS_PER_FRAME)
    }
}

/// The length of a step: seconds, or "auto".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StepSpec {
    /// So many seconds.
    Seconds(f64),
    /// Found by the program.
    Word(StepWord),
}

/// The length of a step in words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepWord {
    /// A safe share of the stable step.
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
