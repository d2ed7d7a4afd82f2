//! `summary.json`: what a run did and what it took.

use super::Runner;
use crate::Energy;
use crate::checkpoint;
use crate::output::Counts;
use crate::world::{LargestOverlap, Stages};
use impinge_io::Error;
use serde::Serialize;
use std::time::Instant;

/// The file's name in a run's folder.
pub(super) const FILE: &str = "summary.json";

/// What a run did and what it took; docs/json.md explains the fields.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Of the program.
    pub version: String,
    /// Whether the end was reached.
    pub finished: bool,
    /// Steps done, in all sittings.
    pub steps: u64,
    /// Simulated seconds.
    pub time: f64,
    /// Length of a step, s.
    pub step: f64,
    /// The longest stable step, as estimated at the start, s; none where nothing limits it.
    pub stable_step: Option<f64>,
    /// Frames written.
    pub frames: usize,
    /// How many there are of what at the end.
    pub counts: Counts,
    /// At the end.
    pub energy: Energy,
    /// At the end, kg m/s.
    pub momentum: [f64; 3],
    /// The deepest overlap of the run.
    pub overlap: LargestOverlap,
    /// What the stages did in this sitting.
    pub counters: std::collections::BTreeMap<&'static str, u64>,
    /// Wall seconds of this sitting, by stage.
    pub seconds: Seconds,
    /// Threads used.
    pub threads: usize,
}

/// Wall seconds of one sitting; all but the total add up to it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// From the start of the command to its end.
    pub total: f64,
    /// Reading the scene and placing what is in it.
    pub setup: f64,
    /// The stages of the steps.
    #[serde(flatten)]
    pub stages: Stages,
    /// Frames, tables, and what is shown on the way.
    pub output: f64,
    /// Checkpoints.
    pub checkpoint: f64,
}

impl Runner {
    /// What the run did so far.
    pub fn summary(&self) -> Summary {
        let stable = self.plan.stable;
        Summary {
            version: checkpoint::version(),
            finished: self.is_finished(),
            steps: self.step,
            time: self.time(),
            step: self.plan.dt,
            stable_step: stable.is_finite().then_some(stable),
            frames: self.recorder.frames().len(),
            counts: self.world.counts(),
            energy: self.world.energy(),
            momentum: self.world.momentum(),
            overlap: self.world.overlap().clone(),
            counters: self.world.counters(),
            seconds: Seconds {
                total: self.started.elapsed().as_secs_f64(),
                stages: self.world.stages(),
                ..self.seconds
            },
            threads: rayon::current_num_threads(),
        }
    }

    pub(super) fn write_summary(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        let path = self.folder.join(FILE);
        let text = serde_json::to_string_pretty(&self.summary()).expect("keys are strings");
        impinge_io::write_atomically(&path, |out| writeln!(out, "{text}"))?;
        self.seconds.output += start.elapsed().as_secs_f64();
        Ok(())
    }
}
