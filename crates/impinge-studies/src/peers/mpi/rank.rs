//! One rank of the study `mpi`: simulates its part of a bed, and measures what a step costs there.

use super::super::bed::{Bed, DT, WARM, step};
use super::measured::Measured;
use super::sizes;
use anyhow::{Result, bail};
use clap::Args;
use impinge_sim::ranks::{Communicator, Message};
use impinge_sim::{Matter, Particles};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Repetitions when messages and reductions are timed, and the words of a long message.
const REPEATS: usize = 200;
const LONG: usize = 1 << 17;

/// A rank of `peers mpi`; `mpirun` starts it.
#[derive(Args)]
pub(crate) struct Rank {
    bed: PathBuf,
    /// Steps of a window; without any, ghosts are counted
    steps: usize,
    /// Number of windows; the fastest counts
    windows: usize,
    /// Widths of a periodic bed; without them, the file has a radius in the place of each spin
    sides: Vec<f64>,
}

pub(crate) fn run(rank: &Rank) -> Result<()> {
    // Only the main thread calls MPI. It computes, too: another thread would cost a handover at each loop.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()?;
    let session = impinge_mpi::connect()?;
    let ranks = session.as_ref().map(|session| Arc::clone(session.ranks()));
    let mut particles = match rank.sides[..] {
        [x, y] => Bed::read(&rank.bed, [x, y])?.particles()?,
        [] => sizes::particles(&rank.bed)?,
        _ => bail!("a bed has two sides"),
    };
    let count = particles.len() as f64;
    if let Some(ranks) = &ranks {
        particles.distribute(Arc::clone(ranks));
    }

    let mut measured = run_steps(&mut particles, rank, count)?;
    if let Some(ranks) = &ranks {
        let mut ghosts = [particles.traffic().ghosts as i64];
        ranks.sum(&mut ghosts);
        measured.ranks = ranks.size() as f64;
        measured.ghosts = ghosts[0] as f64 / measured.ranks;
        (measured.reduction, measured.latency, measured.bandwidth) = time_messages(&**ranks);
    }
    let own = count / measured.ranks + measured.ghosts;
    measured.memory = particles.memory() as f64 / own;

    if finish(&mut particles, &mut measured) {
        println!("{}", serde_json::to_string(&measured)?);
    }
    Ok(())
}

/// Runs the steps, and measures what they cost.
fn run_steps(particles: &mut Particles, rank: &Rank, spheres: f64) -> Result<Measured> {
    let mut measured = Measured {
        count: spheres,
        ranks: 1.0,
        elapsed: f64::INFINITY,
        ..Measured::default()
    };
    if rank.steps == 0 {
        step(particles, 1e-12)?;
        measured.elapsed = 0.0;
        return Ok(measured);
    }

    (0..WARM).try_for_each(|_| step(particles, DT))?;
    let (before, lists) = (particles.traffic(), particles.list_counters().0);
    let mut all = 0.0;
    for _ in 0..rank.windows {
        let start = Instant::now();
        (0..rank.steps).try_for_each(|_| step(particles, DT))?;
        let seconds = start.elapsed().as_secs_f64();
        all += seconds;
        let each = seconds / (rank.steps as f64 * spheres) * 1e9;
        measured.elapsed = measured.elapsed.min(each);
    }

    let (now, steps) = (particles.traffic(), (rank.steps * rank.windows) as f64);
    let per_step = |now: u64, then: u64| (now - then) as f64 / steps;
    measured.messages = per_step(now.messages, before.messages);
    measured.bytes = per_step(now.bytes, before.bytes);
    measured.rebuild_bytes = per_step(now.rebuild_bytes, before.rebuild_bytes);
    measured.lasts = steps / (particles.list_counters().0 - lists).max(1) as f64;
    let updated = (now.steps - before.steps) as f64 * now.ghosts as f64;
    let packing = (now.packing - before.packing).as_secs_f64();
    measured.packing = 1e9 * packing / updated.max(1.0);
    measured.waiting = (now.waiting - before.waiting).as_secs_f64() / all;
    Ok(measured)
}

/// Adds the state of the whole bed on rank 0; returns false on the others.
fn finish(particles: &mut Particles, measured: &mut Measured) -> bool {
    let gathered = particles.gather();
    let whole = match &gathered {
        Some(whole) => whole,
        None if particles.is_distributed() => return false,
        None => &*particles,
    };
    let walls = whole.obstacles().iter();
    let on_walls: usize = walls.map(|wall| wall.contact_count()).sum();
    measured.kinetic = whole.energy().kinetic / measured.count;
    measured.contacts = (whole.contact_count() - on_walls) as f64 / measured.count;
    true
}

/// Returns the seconds of a reduction and of a short message, and the bytes per second of a long one,
/// between neighbours in a ring.
fn time_messages(ranks: &dyn Communicator) -> (f64, f64, f64) {
    let reduction = mean_time(|| ranks.max(&mut [1.0, 2.0]));
    let message = |words: usize| {
        let (rank, size) = (ranks.rank(), ranks.size());
        let to = |rank: usize| Message {
            rank,
            words: vec![1; words],
        };
        let (send, mut receive) = ([to((rank + 1) % size)], [to((rank + size - 1) % size)]);
        mean_time(|| ranks.exchange(&send, &mut receive, &mut || {}))
    };
    let (short, long) = (message(1), message(LONG));

    (reduction, short, 8.0 * LONG as f64 / (long - short))
}

fn mean_time(mut work: impl FnMut()) -> f64 {
    work();
    let start = Instant::now();
    (0..REPEATS).for_each(|_| work());
    start.elapsed().as_secs_f64() / REPEATS as f64
}
