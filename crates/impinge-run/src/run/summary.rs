//! `summary.json`: results and timing of a run.

use super::Runner;
use crate::checkpoint;
use impinge_io::Error;
use impinge_sim::Energy;
use impinge_sim::world::{Counts, LargestOverlap, PredictedTouch, Stages};
use serde::Serialize;
use std::time::Instant;

/// Name of the file in a run's folder.
pub(super) const FILE: &str = "summary.json";

/// Results and timing of a run; docs/json.md explains the fields.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Version of the program.
    pub version: String,
    /// Whether the end was reached.
    pub finished: bool,
    /// Number of steps computed, in all sessions; a free flight counts as one.
    pub steps: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Length of a step, s.
    pub step: f64,
    /// Longest stable step, s, as estimated at the start; `None` if nothing limits it.
    pub stable_step: Option<f64>,
    /// Number of frames written.
    pub frames: usize,
    /// Numbers of objects and contacts at the end.
    pub counts: Counts,
    /// Energies at the end.
    pub energy: Energy,
    /// Momentum at the end, kg m/s.
    pub momentum: [f64; 3],
    /// The touch that ended the last free flight, or will.
    pub next_touch: Option<PredictedTouch>,
    /// Deepest overlap of the run.
    pub overlap: LargestOverlap,
    /// Work counters of the stages in this session.
    pub counters: std::collections::BTreeMap<&'static str, u64>,
    /// Wall-clock seconds of this session, by stage.
    pub seconds: Seconds,
    /// Number of threads used.
    pub threads: usize,
}

/// Wall-clock seconds of one session; all but the total add up to it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// From the start of the command to its end.
    pub total: f64,
    /// Reading the scene and placing its objects.
    pub setup: f64,
    /// The stages of the steps.
    #[serde(flatten)]
    pub stages: Stages,
    /// Frames, tables, and progress display.
    pub output: f64,
    /// Checkpoints.
    pub checkpoint: f64,
}

impl Runner {
    /// Returns the summary of the run so far.
    pub fn summary(&self) -> Summary {
        let stable = self.plan.stable;
        Summary {
            version: checkpoint::version(),
            finished: self.is_finished(),
            steps: self.computed,
            time: self.time(),
            step: self.plan.dt,
            stable_step: stable.is_finite().then_some(stable),
            frames: self.recorder.frames().len(),
            counts: self.world.counts(),
            energy: self.world.energy(),
            momentum: self.world.momentum(),
            next_touch: self.world.next_touch().cloned(),
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
