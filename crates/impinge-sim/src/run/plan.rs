//! How long a step is, and after how many of them what is due.

use crate::scene::{Run, StepSpec};

/// Share of the stable step that "auto" takes. Each matter has a margin of its own in its bound; this one is for the pushes
/// of different matters on each other, which none of them knows of.
const SHARE: f64 = 0.9;

/// The steps of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Length of a step, s.
    pub dt: f64,
    /// The longest step that is stable, as estimated at the start, s.
    pub stable: f64,
    /// Steps in all.
    pub steps: u64,
    /// Steps between frames.
    pub frame: u64,
    /// Steps between rows of the history.
    pub history: u64,
    /// Steps between entries in the table of contacts; none but the last where not given.
    pub contacts: Option<u64>,
}

impl Plan {
    /// The steps that a scene asks for, in a world whose longest stable step is `stable`.
    pub fn new(run: &Run, stable: f64) -> Self {
        let interval = run.frame_interval().min(run.duration);
        let dt = match run.step {
            StepSpec::Seconds(step) => step.min(run.duration),
            // A whole number of steps from frame to frame, so that frames are at the times that were asked for.
            StepSpec::Word(_) => interval / (interval / (SHARE * stable)).ceil().max(1.0),
        };

        Self::with_step(run, stable, dt)
    }

    /// The steps of a run that goes on with the length of a step that it was begun with, whatever the scene now says of
    /// its duration and its output.
    pub fn with_step(run: &Run, stable: f64, dt: f64) -> Self {
        let interval = run.frame_interval().min(run.duration);
        let steps = |time: f64| (time / dt).round().max(1.0) as u64;
        Self {
            dt,
            stable,
            steps: steps(run.duration),
            frame: steps(interval),
            history: steps(run.history_interval()),
            contacts: run.contacts.map(steps),
        }
    }

    /// A warning where the step is longer than what is stable.
    pub fn warning(&self) -> Option<String> {
        let warn = self.dt > self.stable;
        warn.then(|| {
            format!(
                "the step of {:.3e} s is longer than the stable one of {:.3e} s; expect it to blow up",
                self.dt, self.stable
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneSpec;

    fn run(lines: &str) -> Run {
        SceneSpec::parse(&format!("[run]\n{lines}\n"))
            .expect("a good scene")
            .run
    }

    #[test]
    fn automatic_steps_fit_between_frames() {
        let plan = Plan::new(&run("duration = 1\noutput = 0.1"), 0.015);
        assert_eq!((plan.steps, plan.frame, plan.history), (80, 8, 2));
        assert!(plan.dt <= 0.0135 && plan.warning().is_none());
        let free = Plan::new(&run("duration = 1\noutput = 0.1"), f64::INFINITY);
        assert_eq!((free.steps, free.frame), (10, 1));
    }

    #[test]
    fn a_given_step_is_kept_and_warned_of_where_it_is_too_long() {
        let plan = Plan::new(&run("duration = 1\nstep = 0.02"), 0.015);
        assert_eq!((plan.dt, plan.steps), (0.02, 50));
        assert!(
            plan.warning()
                .expect("too long")
                .contains("longer than the stable one of 1.500e-2 s")
        );
    }
}
