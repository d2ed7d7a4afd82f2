//! `impinge run`: simulates a scene.

use crate::Answer;
use crate::common::Common;
use crate::interrupt;
use crate::picture;
use crate::progress;
use crate::terminal::{self, count, grouped, say};
use crate::view::ViewOption;
use anyhow::Context;
use clap::Args;
use impinge_mpi::Session;
use impinge_run::run::{Ending, Progress, RunError, Runner, Start, Summary};
use impinge_run::scene;
use impinge_sim::world::Counts;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Simulate a scene of spheres, rigid bodies and elastic solids in contact
#[derive(Args)]
#[command(after_help = "\
Examples:
  impinge run scenes/bounce.toml -o out/bounce
  impinge run hopper.toml -o out/hopper --resume   continue a stopped run
  impinge run hopper.toml -o out/hopper --force    discard the old run
  impinge run scenes/drum.toml --view              watch it in the browser
  impinge run scenes/drum.toml --pictures 5        writes out/drum/pictures.png
  mpirun -n 4 impinge run hopper.toml              the same bytes (feature mpi)
  impinge run --schema > scene.schema.json         for editors that check TOML

A scene is a TOML file in SI units. With your own mesh as a wall:

  gravity = [0, 0, -9.81]
  [run]
  duration = 1
  [[wall]]
  shape = { mesh = \"part.stl\" }     # relative to the scene
  [[particles]]
  count = 2000
  radius = { uniform = [0.004, 0.006] }
  region = { box = { min = [-0.1, -0.1, 0.2], max = [0.1, 0.1, 0.6] } }

Written to OUT: particles.pvd, contacts.pvd, … for ParaView, history.csv, contacts.csv, summary.json, and \
checkpoint.bin. Ctrl-C writes a checkpoint and exits with code 130; --resume then, or after a crash, ends with the \
same bytes as an uninterrupted run. The scenes that ship with impinge are in scenes/.")]
pub(crate) struct Run {
    /// Scene file
    #[arg(value_name = "SCENE", required_unless_present = "schema")]
    scene: Option<PathBuf>,
    /// Output folder (default: out/NAME of the scene)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Resume from the checkpoint in OUT, or start from the beginning if there is none
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Start over: remove the files that the run in OUT wrote, and no others
    #[arg(long)]
    force: bool,
    /// Draw N moments, from the first frame to the last, side by side in OUT/pictures.png
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=20))]
    pictures: Option<u8>,
    /// Print the JSON schema of scenes and exit
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    view: ViewOption,
}

pub(crate) fn run(run: &Run, common: &Common) -> anyhow::Result<Answer> {
    if run.schema {
        terminal::line(format_args!("{}", scene::schema().trim_end()))?;
        return Ok(Answer::Yes);
    }

    let scene = run.scene.as_deref().context("no scene was given")?;
    let folder = run.output.clone().unwrap_or_else(|| default_folder(scene));
    let start = match (run.resume, run.force) {
        (true, _) => Start::Resume,
        (_, true) => Start::Overwrite,
        _ => Start::New,
    };
    let session = impinge_mpi::connect()?;
    let ranks = session.as_ref().map(Session::ranks);
    if let Some(ranks) = ranks.filter(|ranks| ranks.rank() > 0) {
        // Rank 0 stops the others and reports the error of any of them.
        interrupt::stop_gracefully();
        let _ = impinge_run::run::follow(scene, ranks);
        return Ok(Answer::Yes);
    }

    let runner = progress::during(common, "preparing the scene", || match ranks {
        Some(ranks) => Runner::lead(scene, &folder, start, ranks),
        None => Runner::start(scene, &folder, start),
    });
    let mut runner = runner.map_err(|error| name_rank(error.into(), ranks.is_some()))?;
    describe(&runner, common)?;
    run.view.follow(&folder, common)?;
    let ending = advance(&mut runner, common).map_err(|error| name_rank(error, ranks.is_some()))?;

    let facts = Facts {
        folder: folder.display().to_string(),
        summary: runner.summary(),
    };
    report(&facts, ending, common)?;

    if let (Some(pictures), Ending::Finished) = (run.pictures, ending) {
        draw(&mut runner, &folder, pictures.into(), common)?;
    }

    run.view.finish(&folder, common)?;
    Ok(if ending == Ending::Finished {
        Answer::Yes
    } else {
        Answer::Interrupted
    })
}

/// Adds the rank to an error about files: only rank 0 writes, and its machine may not be this one.
fn name_rank(error: anyhow::Error, has_ranks: bool) -> anyhow::Error {
    match error.downcast_ref() {
        Some(RunError::File(_)) if has_ranks => error.context("rank 0"),
        _ => error,
    }
}

fn draw(
    runner: &mut Runner,
    folder: &Path,
    pictures: usize,
    common: &Common,
) -> anyhow::Result<()> {
    const NAME: &str = "pictures.png";
    let strip = progress::during(common, "drawing", || picture::strip(folder, pictures))?;
    runner.write_file(NAME, &strip)?;

    if !common.json {
        say!(common, "{} shows it", folder.join(NAME).display())?;
    }

    Ok(())
}

/// Returns a line about the steps without any search of pairs of bodies, solids and walls.
fn slept(summary: &Summary) -> Option<String> {
    let count = |key: &str| summary.counters.get(key).copied();
    let (steps, slept) = (count("detection_steps")?, count("detection_slept")?);
    let flights = count("free_flights").unwrap_or(0);
    let flown = match flights {
        0 => String::new(),
        _ => format!(
            ", besides {}",
            terminal::count(flights as usize, "free flight")
        ),
    };
    (steps > 0).then(|| {
        let share = 100.0 * slept as f64 / steps as f64;
        format!("detection of bodies was idle in {share:.1} % of the steps{flown}")
    })
}

fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or(scene.as_os_str()))
}

/// Prints a summary of the run before it starts.
fn describe(runner: &Runner, common: &Common) -> anyhow::Result<()> {
    let plan = runner.plan();
    if let Some(warning) = plan.warning() {
        terminal::note(format_args!("warning: {warning}"));
    }

    for note in runner.notes() {
        terminal::note(format_args!("note: {note}"));
    }

    if common.json {
        return Ok(());
    }

    say!(common, "{}", inventory(&runner.world().counts()))?;
    let stable = match plan.stable.is_finite() {
        true => format!(
            " ({:.0} % of the stable {:.3e} s)",
            100.0 * plan.dt / plan.stable,
            plan.stable
        ),
        false => String::new(),
    };

    say!(
        common,
        "{} of {:.3e} s{stable} to {} s",
        count(plan.steps as usize, "step"),
        plan.dt,
        runner.scene().run.duration
    )?;

    if runner.resumed_from() > 0 {
        say!(
            common,
            "resumed from step {}",
            grouped(runner.resumed_from() as usize)
        )?;
    }

    Ok(())
}

fn inventory(counts: &Counts) -> String {
    let kinds = [
        (counts.particles, "sphere"),
        (counts.bodies, "rigid body"),
        (counts.solids, "elastic solid"),
    ];
    let there = kinds.iter().filter(|(number, _)| *number > 0);
    let named: Vec<String> = there
        .map(|(number, noun)| count(*number, noun).replace("bodys", "bodies"))
        .collect();

    if named.is_empty() {
        "nothing movable yet".to_owned()
    } else {
        named.join(", ")
    }
}

/// Runs to the end or until Ctrl-C, with a progress bar on a terminal.
pub(crate) fn advance(runner: &mut Runner, common: &Common) -> anyhow::Result<Ending> {
    let shown = !common.quiet && std::io::stderr().is_terminal();
    let bar = if shown {
        bar(runner)
    } else {
        ProgressBar::hidden()
    };
    let (start, first) = (Instant::now(), runner.step());
    let mut watch = |runner: &Runner| {
        if shown {
            let rate = (runner.step() - first) as f64 / start.elapsed().as_secs_f64();
            bar.set_position(runner.step());
            bar.set_message(message(&runner.news(), rate));
        }
    };
    let stop = interrupt::stop_gracefully();
    let ending = runner.advance(stop, &mut watch);
    bar.finish_and_clear();

    Ok(ending?)
}

fn bar(runner: &Runner) -> ProgressBar {
    let bar = ProgressBar::new(runner.plan().steps).with_position(runner.step());
    let template = "{wide_bar} {percent:>3} %  {msg}  {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
    bar
}

fn message(news: &Progress, rate: f64) -> String {
    let energy = news.energy.kinetic + news.energy.potential + news.energy.elastic;
    format!(
        "t = {:.4} s  {:.0} steps/s  {}  {energy:.4e} J",
        news.time,
        rate,
        count(news.counts.contacts, "contact")
    )
}

/// Describes the communication of rank 0 in a step, compared with the model of a cube's surface; `None`
/// on one rank.
fn traffic(summary: &Summary) -> Option<String> {
    let number = |name: &str| summary.counters.get(name).map(|&count| count as f64);
    let (ranks, steps) = (number("ranks")?, number("ghost_updates")?.max(1.0));
    let own = summary.counts.particles as f64 / ranks;
    Some(format!(
        "{ranks} ranks; rank 0 has {} ghosts (a cube of its {own:.0} particles has {:.0} on its surface), and sends {:.1} \
         messages with {:.1} kB in a step",
        number("ghosts")?,
        6.0 * own.powf(2.0 / 3.0),
        number("messages")? / steps,
        1e-3 * number("message_bytes")? / steps
    ))
}

/// JSON output; the fields are documented in docs/json.md.
#[derive(Serialize)]
struct Facts {
    folder: String,
    #[serde(flatten)]
    summary: Summary,
}

fn report(facts: &Facts, ending: Ending, common: &Common) -> anyhow::Result<()> {
    if common.json {
        return terminal::json(facts);
    }

    let Summary {
        steps,
        time,
        frames,
        counts,
        seconds,
        ..
    } = &facts.summary;

    if ending == Ending::Stopped {
        say!(
            common,
            "stopped after step {}; --resume continues",
            grouped(*steps as usize)
        )?;
    }

    say!(
        common,
        "{} to {time:.6} s, {}, {}; {:.2} s in all ({:.2} s output, {:.2} s checkpoints)",
        count(*steps as usize, "step"),
        count(*frames, "frame"),
        count(counts.contacts, "contact"),
        seconds.total,
        seconds.output,
        seconds.checkpoint
    )?;

    if let Some(traffic) = traffic(&facts.summary) {
        say!(common, "{traffic}")?;
    }

    if let Some(slept) = slept(&facts.summary) {
        say!(common, "{slept}")?;
    }

    say!(
        common,
        "'impinge view {}' shows it; ParaView opens its .pvd files, history.csv has energies and counts",
        facts.folder
    )?;

    Ok(())
}
