//! A run: the world of a scene advanced step by step, with its output.
//!
//! [`Runner::start`] reads the scene, or a checkpoint of it. [`Runner::advance`] continues until
//! the end, a stop request, or an unstable step. However it ends, even if killed, the folder can be
//! resumed from its checkpoint, and the run then produces the same bytes as an uninterrupted one:
//! the checkpoint contains the complete state, and files are truncated to their length at that
//! time.

mod folder;
mod plan;
mod summary;
mod team;

pub use folder::Start;
pub use plan::Plan;
pub use summary::{Seconds, Summary};
pub use team::follow;

use crate::build::{self, BuildError};
use crate::checkpoint::{self, Checkpoint};
use crate::frames;
use crate::measure::{self, FlowMeter};
use crate::output::{Frame, Manifest, Recorder, Row};
use crate::scene::{self, SceneError, SceneSpec};
use impinge_io::Error;
use impinge_sim::ranks::Communicator;
use impinge_sim::world::{Counts, State, World};
use impinge_sim::{BodyRef, Energy, StepError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use team::Team;
use thiserror::Error;

/// Minimum interval between progress callbacks, and the minimum pause as a multiple of a callback's
/// duration, so that callbacks cost little: energies are summed contact by contact.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
const REST: u32 = 50;

/// Name, in a run's folder, of the copy of the scene that it was last started with.
const SCENE: &str = "scene.toml";

/// The reason why a run could not start or continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene is invalid.
    #[error("{}: {fault}", path.display())]
    Scene {
        /// Path of the scene.
        path: PathBuf,
        /// What is wrong, and where.
        fault: SceneError,
    },
    /// The world of the scene cannot be built.
    #[error("{}: {}{fault}", path.display(), line.map_or_else(String::new, |line| format!("line {line}: ")))]
    World {
        /// Path of the scene.
        path: PathBuf,
        /// Line of the scene, if known.
        line: Option<usize>,
        /// The error.
        fault: Box<BuildError>,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] Error),
    /// The folder contains other files.
    #[error("{} is not empty and contains no run; choose another folder", folder.display())]
    NotARun {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder already contains a run.
    #[error("{} contains a run; --resume continues it, --force discards it", folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process is using the folder.
    #[error("another process is running in {}", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The checkpoint belongs to another scene.
    #[error(
        "the scene, or a file that it names, changed since {} was started; only the duration and \
         the output and checkpoint settings may change; --force starts over",
        folder.display()
    )]
    OtherScene {
        /// The folder.
        folder: PathBuf,
    },
    /// The checkpoint was written by another version of the program.
    #[error("the checkpoint in {} was written by impinge {version}; --force starts over", folder.display())]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// That version.
        version: String,
    },
    /// A rank of a distributed run cannot participate.
    #[error("rank {rank}: {reason}")]
    Rank {
        /// The rank.
        rank: usize,
        /// Why not.
        reason: String,
    },
    /// The step is longer than a solid allows.
    #[error(
        "{body}: the step of {step:.3e} s is longer than the stable one of {stable:.3e} s; leave out run.step, or take at \
         most that"
    )]
    LongStep {
        /// The solid.
        body: String,
        /// The step, s.
        step: f64,
        /// The advised step, s.
        stable: f64,
    },
    /// A step became unstable.
    #[error(
        "step {step}, {time:.6} s: {trouble} (the last stable state is in the last frame and the \
         checkpoint)"
    )]
    StepError {
        /// Number of the step.
        step: u64,
        /// Simulated time, s.
        time: f64,
        /// The body and the cause.
        trouble: StepError,
    },
}

/// Step of a solid, in longest stable ones of its linear problem, that certainly blows up: their bound
/// is up to a tenth too short.
const TOO_LONG: f64 = 1.2;

/// Refuses a step that no solid survives; particles and bodies are softer than their estimate.
fn check_step(plan: &Plan, world: &World) -> Result<(), RunError> {
    let solids = (0..).zip(world.solids());
    let mut stiff = solids.filter(|(_, solid)| plan.dt > TOO_LONG * solid.stable_step());
    stiff.next().map_or(Ok(()), |(number, _)| {
        Err(RunError::LongStep {
            body: world.name(BodyRef::solid(number)),
            step: plan.dt,
            stable: plan.stable,
        })
    })
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Reached its end.
    Finished,
    /// Stopped on request; its checkpoint is written.
    Stopped,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Number of steps done.
    pub step: u64,
    /// Total number of steps.
    pub steps: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Numbers of objects and contacts.
    pub counts: Counts,
    /// Current energies.
    pub energy: Energy,
}

/// A scene as text, and its path.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Path of the file, for messages; mesh paths are relative to its folder.
    pub path: &'a Path,
    /// Text of the scene.
    pub text: &'a str,
}

/// A run in progress.
pub struct Runner {
    folder: PathBuf,
    path: PathBuf,
    scene: SceneSpec,
    hash: u64,
    world: World,
    recorder: Recorder,
    flows: FlowMeter,
    plan: Plan,
    /// Steps of the plan that are done, and steps computed: a free flight is one computed step.
    step: u64,
    computed: u64,
    resumed: u64,
    seconds: Seconds,
    started: Instant,
    saved: Instant,
    /// The other ranks, if there are any.
    team: Option<Team>,
}

impl Runner {
    /// Reads a scene file and starts or resumes its run in a folder.
    pub fn start(path: &Path, folder: &Path, start: Start) -> Result<Self, RunError> {
        let text = read_scene(path)?;
        Self::start_from(Source { path, text: &text }, folder, start)
    }

    /// Like [`Self::start`], as rank 0 of several; the other ranks call [`follow`].
    pub fn lead(
        path: &Path,
        folder: &Path,
        start: Start,
        ranks: &Arc<dyn Communicator>,
    ) -> Result<Self, RunError> {
        let started = Instant::now();
        let text = read_scene(path);
        let prepared = text.and_then(|text| {
            let prepared = prepare(Source { path, text: &text })?;
            Ok((team::suited(prepared)?, text))
        });
        let hash = match &prepared {
            Ok((prepared, _)) => Ok(prepared.hash),
            Err(error) => Err(error.to_string()),
        };
        let team = Team::join(ranks, hash);
        let ((prepared, text), team) = (prepared?, team?);
        let source = Source { path, text: &text };
        let mut runner = Self::start_prepared(prepared, source, folder, start, started)?;
        runner.team = Some(team);

        Ok(runner)
    }

    /// Starts or resumes the run of a scene in a folder.
    pub fn start_from(source: Source<'_>, folder: &Path, start: Start) -> Result<Self, RunError> {
        let started = Instant::now();
        // Built before the folder is changed, so that a scene that cannot be built leaves the old run
        // intact.
        let prepared = prepare(source)?;
        Self::start_prepared(prepared, source, folder, start, started)
    }

    fn start_prepared(
        prepared: Prepared,
        source: Source<'_>,
        folder: &Path,
        start: Start,
        started: Instant,
    ) -> Result<Self, RunError> {
        let Prepared { scene, world, hash } = prepared;
        let manifest = folder::take(folder, start)?;
        let checkpoint = match start {
            Start::Resume => Checkpoint::read(folder)?,
            Start::New | Start::Overwrite => None,
        };
        let mut runner = match checkpoint {
            Some(checkpoint) => Self::resumed(manifest, source, scene, hash, world, checkpoint)?,
            None => Self::start_new(manifest, source, scene, hash, world)?,
        };
        runner.started = started;
        runner.seconds.setup = started.elapsed().as_secs_f64() - runner.seconds.output;

        Ok(runner)
    }

    fn start_new(
        mut manifest: Manifest,
        source: Source<'_>,
        scene: SceneSpec,
        hash: u64,
        world: World,
    ) -> Result<Self, RunError> {
        folder::clear(&mut manifest)?;
        let plan = Plan::new(&scene.run, world.stable_step());
        check_step(&plan, &world)?;
        let mut recorder = Recorder::create(manifest, &measure::sheets(&scene))?;
        recorder.write_file(SCENE, source.text.as_bytes())?;
        recorder.announce(&[checkpoint::FILE, summary::FILE])?;
        let mut runner = Self::new(source.path, scene, hash, plan, world, recorder);
        runner.record()?;

        Ok(runner)
    }

    fn resumed(
        manifest: Manifest,
        source: Source<'_>,
        scene: SceneSpec,
        hash: u64,
        mut world: World,
        checkpoint: Checkpoint,
    ) -> Result<Self, RunError> {
        let folder = manifest.folder().to_owned();
        if checkpoint.version != checkpoint::version() {
            return Err(RunError::OtherVersion {
                folder,
                version: checkpoint.version,
            });
        }

        if checkpoint.scene != hash {
            return Err(RunError::OtherScene { folder });
        }

        let plan = Plan::with_step(&scene.run, world.stable_step(), checkpoint.dt);
        restore(&mut world, source.path, checkpoint.state)?;
        let mut recorder = Recorder::resume(manifest, checkpoint.marks, &measure::sheets(&scene))?;
        recorder.write_file(SCENE, source.text.as_bytes())?;
        let mut runner = Self::new(source.path, scene, hash, plan, world, recorder);
        (runner.step, runner.resumed) = (checkpoint.step, checkpoint.step);
        runner.flows = FlowMeter::start(&runner.scene, &runner.world, checkpoint.passed);
        runner.computed = checkpoint.computed;

        Ok(runner)
    }

    fn new(
        path: &Path,
        scene: SceneSpec,
        hash: u64,
        plan: Plan,
        world: World,
        recorder: Recorder,
    ) -> Self {
        let now = Instant::now();
        let flows = FlowMeter::start(&scene, &world, Vec::new());
        Self {
            folder: recorder.folder().to_owned(),
            path: path.to_owned(),
            scene,
            hash,
            world,
            recorder,
            flows,
            plan,
            step: 0,
            computed: 0,
            resumed: 0,
            seconds: Seconds::default(),
            started: now,
            saved: now,
            team: None,
        }
    }

    /// Returns notes about unexpected properties of the run, as sentences.
    pub fn notes(&self) -> Vec<String> {
        // Those of the world are about its start.
        let mut notes = match self.resumed {
            0 => self.world.notes(),
            _ => Vec::new(),
        };
        if let Some(first) = self.recorder.missing().first() {
            notes.push(format!(
                "{} of the frames written before are missing, the first is {first}; the series leave them out",
                self.recorder.missing().len()
            ));
        }

        notes
    }

    /// Writes another file into the folder, which is removed with the run.
    pub fn write_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        Ok(self.recorder.write_file(name, bytes)?)
    }

    /// Returns the time stepping plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the scene.
    pub fn scene(&self) -> &SceneSpec {
        &self.scene
    }

    /// Returns the world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the step that it was resumed from; 0 for a new run.
    pub fn resumed_from(&self) -> u64 {
        self.resumed
    }

    /// Returns the number of steps done, counting those that a free flight covered.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Returns the number of steps computed, in all sessions; a free flight counts as one.
    pub fn computed_steps(&self) -> u64 {
        self.computed
    }

    /// Returns the simulated time, s.
    pub fn time(&self) -> f64 {
        self.step as f64 * self.plan.dt
    }

    /// Returns whether the end is reached.
    pub fn is_finished(&self) -> bool {
        self.step >= self.plan.steps
    }

    /// Runs to the end, or until `stop` is set; calls `watch` up to ten times a second. A
    /// checkpoint and the summary are written in any case.
    pub fn advance(
        &mut self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Self),
    ) -> Result<Ending, RunError> {
        let mut next = Instant::now() + PROGRESS_INTERVAL;
        let was_finished = self.is_finished();
        self.start_team();
        while !self.is_finished() {
            if self.may_pause() && stop.load(Ordering::Relaxed) {
                self.end_team();
                self.save()?;
                self.write_summary()?;
                return Ok(Ending::Stopped);
            }

            self.one_step()?;
            let now = Instant::now();
            if now >= next && self.may_pause() {
                self.as_whole(|runner| watch(runner));
                let took = now.elapsed();
                self.seconds.output += took.as_secs_f64();
                next = now + PROGRESS_INTERVAL.max(REST * took);
            }
        }

        self.end_team();
        if !was_finished {
            self.save()?;
        }

        self.write_summary()?;
        Ok(Ending::Finished)
    }

    /// Divides the particles among the other ranks, if there are any.
    fn start_team(&mut self) {
        let state = (self.step > 0 && self.team.is_some()).then(|| self.world.save());
        if let Some(team) = &mut self.team {
            team.start(&mut self.world, state.as_ref());
        }
    }

    /// Gathers the particles from the other ranks and ends these.
    fn end_team(&mut self) {
        if let Some(team) = self.team.take() {
            team.gather();
            self.world.gather();
        }
    }

    /// Returns whether the other ranks wait for a command; between two steps they may not.
    fn may_pause(&self) -> bool {
        self.team.as_ref().is_none_or(Team::is_waiting)
    }

    /// Calls a function with the particles of all ranks gathered.
    fn as_whole<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(team) = &self.team {
            team.gather();
        }
        self.world.gather();
        let result = work(self);
        self.world.release();

        result
    }

    /// Returns the number of steps to the next output or checkpoint, at which a free flight ends.
    fn steps_to_output(&self, step: u64) -> u64 {
        let plan = &self.plan;
        let intervals = [
            Some(plan.frame),
            Some(plan.history),
            plan.contacts,
            plan.loads,
            plan.forces,
            self.scene.run.checkpoint_steps,
            // Flow through planes is followed in each step.
            (!self.scene.flow.is_empty()).then_some(1),
        ];
        let next = intervals.into_iter().flatten().map(|interval| {
            let interval = interval.max(1);
            interval - step % interval
        });

        next.fold(plan.steps - step, u64::min)
    }

    /// Returns the current progress. It visits every contact.
    pub fn news(&self) -> Progress {
        let (counts, energy) = (self.world.counts(), self.world.energy());
        Progress {
            step: self.step,
            steps: self.plan.steps,
            time: self.time(),
            counts,
            energy,
        }
    }

    fn one_step(&mut self) -> Result<(), RunError> {
        let due = self.steps_to_output(self.step);
        if let Some(team) = &mut self.team {
            team.announce(due, self.plan.dt);
        }
        let steps = match self.world.advance(self.plan.dt, due) {
            Ok(steps) => steps,
            Err(trouble) => return Err(self.give_up(trouble)),
        };

        self.step += steps;
        self.computed += 1;
        if due == steps {
            if let Some(team) = &mut self.team {
                team.end_steps();
            }
            self.as_whole(|runner| {
                runner.flows.follow(&runner.world);
                runner.record()
            })?;
        }
        let due = self
            .scene
            .run
            .checkpoint_steps
            .is_some_and(|steps| self.step.is_multiple_of(steps));

        let long = self.saved.elapsed().as_secs_f64() >= self.scene.run.checkpoint_seconds;
        if due || (long && self.may_pause()) {
            self.as_whole(Self::save)?;
        }

        Ok(())
    }

    /// Writes the output due after a step.
    fn record(&mut self) -> Result<(), RunError> {
        let start = Instant::now();
        let (time, is_last) = (self.time(), self.is_finished());
        let due = |interval: u64| self.step.is_multiple_of(interval) || is_last;
        let (frame, history) = (due(self.plan.frame), due(self.plan.history));
        let contacts = is_last || self.plan.contacts.is_some_and(due);

        if history {
            let row = self.row();
            self.recorder.history(&row)?;
        }

        self.measure(time, history)?;

        if contacts {
            let contacts = self.world.contacts();
            self.recorder
                .contacts(time, &contacts, |body| self.world.name(body))?;
        }

        if frame {
            let frames = self.frames();
            self.recorder.frame(time, frames)?;
        }

        self.seconds.output += start.elapsed().as_secs_f64();
        Ok(())
    }

    /// Writes the measurements due after a step; `regular` ones are due with the history.
    fn measure(&mut self, time: f64, regular: bool) -> Result<(), RunError> {
        let due = |interval: u64| self.step.is_multiple_of(interval) || self.is_finished();
        let loads = self.plan.loads.is_some_and(due);
        let forces = self.plan.forces.is_some_and(due);

        if regular && !self.scene.average.is_empty() {
            let rows = measure::averages(&self.world, &self.scene, time);
            self.recorder.rows(measure::AVERAGES.file, &rows)?;
        }

        if regular && measure::is_box_deforming(&self.scene) {
            let row = measure::periodic_box(&self.world, time);
            self.recorder.rows(measure::BOX.file, &row)?;
        }

        if regular && !self.scene.flow.is_empty() {
            let rows = self.flows.rows(time);
            self.recorder.rows(measure::FLOWS.file, &rows)?;
        }

        if loads {
            let rows = measure::loads(&self.world, time);
            self.recorder.rows(measure::LOADS.file, &rows)?;
        }

        if forces {
            let rows = measure::forces(&self.world, time);
            self.recorder.rows(measure::FORCES.file, &rows)?;
        }

        Ok(())
    }

    /// Returns the frames of the current state.
    fn frames(&self) -> Vec<Frame> {
        let mut frames = frames::of(&self.world, self.recorder.frames().len());
        frames.extend(measure::grid(&self.world, &self.scene));
        frames
    }

    fn row(&mut self) -> Row {
        Row {
            step: self.step,
            time: self.time(),
            energy: self.world.energy(),
            momentum: self.world.momentum(),
            counts: self.world.counts(),
            overlap: self.world.take_recent_overlap(),
            angular_momentum: self.world.angular_momentum(),
            outlet_mass: self.world.drained_mass(),
        }
    }

    fn save(&mut self) -> Result<(), RunError> {
        let start = Instant::now();
        let checkpoint = Checkpoint {
            version: checkpoint::version(),
            scene: self.hash,
            step: self.step,
            computed: self.computed,
            dt: self.plan.dt,
            marks: self.recorder.marks()?,
            passed: self.flows.passed().to_vec(),
            state: self.world.save(),
        };
        checkpoint.write(&self.folder)?;
        self.saved = Instant::now();
        self.seconds.checkpoint += start.elapsed().as_secs_f64();

        Ok(())
    }

    /// Handles an unstable step: returns to the last checkpoint, repeats the steps up to the one
    /// before, and writes that as a frame and a checkpoint. Repeated steps are bit-identical, so no
    /// copy of the world is needed.
    fn give_up(&mut self, trouble: StepError) -> RunError {
        let error = RunError::StepError {
            step: self.step + 1,
            time: self.time() + self.plan.dt,
            trouble,
        };
        if let Some(team) = &mut self.team {
            team.end_steps();
        }
        match self.keep_last_good() {
            Ok(()) => error,
            Err(other) => other,
        }
    }

    fn keep_last_good(&mut self) -> Result<(), RunError> {
        let mut world = make(
            &self.scene,
            Source {
                path: &self.path,
                text: "",
            },
        )?;
        let mut step = 0;
        let mut state = None;

        if let Some(checkpoint) = Checkpoint::read(&self.folder)? {
            step = checkpoint.step;
            state = self.team.is_some().then(|| checkpoint.state.clone());
            restore(&mut world, &self.path, checkpoint.state)?;
        }
        if let Some(team) = &mut self.team {
            team.start(&mut world, state.as_ref());
        }

        while step < self.step {
            let time = step as f64 * self.plan.dt;
            let most = self.steps_to_output(step);
            if let Some(team) = &mut self.team {
                team.announce_one(most, self.plan.dt);
            }
            step += world
                .advance(self.plan.dt, most)
                .map_err(|trouble| RunError::StepError {
                    step,
                    time,
                    trouble,
                })?;
        }

        self.world = world;
        self.end_team();
        if self
            .recorder
            .frames()
            .last()
            .is_none_or(|&last| last < self.time())
        {
            let time = self.time();
            let frames = self.frames();
            self.recorder.frame(time, frames)?;
        }
        self.save()?;

        Ok(self.write_summary()?)
    }
}

/// A scene and its world, before the folder is changed.
struct Prepared {
    scene: SceneSpec,
    world: World,
    hash: u64,
}

fn prepare(source: Source<'_>) -> Result<Prepared, RunError> {
    let path = source.path;
    let scene = SceneSpec::parse(source.text).map_err(|fault| RunError::Scene {
        path: path.to_owned(),
        fault,
    })?;
    let world = make(&scene, source)?;
    let hash = hash(&scene, path)?;

    Ok(Prepared { scene, world, hash })
}

fn read_scene(path: &Path) -> Result<String, RunError> {
    let text = std::fs::read_to_string(path);
    Ok(text.map_err(|source| Error::system(path, source))?)
}

fn make(scene: &SceneSpec, source: Source<'_>) -> Result<World, RunError> {
    build::world(scene, base(source.path)).map_err(|fault| RunError::World {
        path: source.path.to_owned(),
        line: fault.key().and_then(|key| scene::line_of(source.text, key)),
        fault: Box::new(fault),
    })
}

fn restore(world: &mut World, path: &Path, state: State) -> Result<(), RunError> {
    let restored = world.restore(state);
    restored.map_err(|fault| RunError::World {
        path: path.to_owned(),
        line: None,
        fault: Box::new(fault.into()),
    })
}

/// Returns the folder that mesh paths are relative to.
fn base(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Hashes everything in a scene except its duration and output settings: those may change when a
/// run is resumed.
fn hash(scene: &SceneSpec, path: &Path) -> Result<u64, RunError> {
    let mut scene = scene.clone();
    scene.run = scene::Run {
        step: scene.run.step,
        seed: scene.run.seed,
        ..scene::Run::lasting(0.0)
    };
    let mut parts = vec![serde_json::to_vec(&scene).expect("keys are strings")];

    for file in scene.files() {
        let file = base(path).join(file);
        parts.push(std::fs::read(&file).map_err(|source| Error::system(&file, source))?);
    }

    Ok(checkpoint::hash(parts.iter().map(Vec::as_slice)))
}
