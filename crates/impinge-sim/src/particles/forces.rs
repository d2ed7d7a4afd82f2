//! Forces of particles on each other: one pass over the list of neighbours.
//!
//! Places are cut into chunks whose size follows from the number of particles alone. A chunk adds to its own particles as it
//! goes; what it does to particles of later chunks is written down and added when all chunks are done, in the order of
//! chunks. So every sum has one order, whatever the number of threads, and no pair is computed twice. In the order of the
//! curve about one pair in eight crosses from one chunk to another.

use super::arrays::{Arrays, Load, Motion};
use super::list::{List, TOUCHES};
use super::periodic::Box3;
use crate::law::{Meeting, Push, Table, push};
use impinge::bound::Ball;
use impinge::space::Vector;
use rayon::prelude::*;

/// Chunks that are aimed at: enough for a few dozen threads to share.
const CHUNKS: usize = 24;

/// Fewer particles would let too many pairs cross, more leave threads idle at the end.
const LEAST: usize = 1024;
const MOST: usize = 8192;

/// A push on a particle of a later chunk.
#[derive(Clone, Copy, Debug)]
struct Passed {
    place: u32,
    load: Load,
}

/// Memory of one chunk.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// By chunk of the receiver.
    passed: Vec<Vec<Passed>>,
    lost: f64,
    touching: usize,
}

/// Memory of the chunks, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    chunks: Vec<Chunk>,
}

/// What all chunks read.
#[derive(Clone, Copy)]
struct Shared<'a> {
    balls: &'a [Ball<3>],
    motions: &'a [Motion],
    species: &'a [u16],
    starts: &'a [u32],
    table: &'a Table,
    period: &'a Box3,
    size: usize,
    dt: f64,
}

/// What one chunk writes.
struct Job<'a> {
    first: usize,
    loads: &'a mut [Load],
    entries: &'a mut [u32],
    springs: &'a mut [Vector<3>],
    rolled: &'a mut [Vector<3>],
    chunk: &'a mut Chunk,
}

/// What a step of contacts did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) lost: f64,
    pub(super) touching: usize,
}

fn chunk_size(count: usize) -> usize {
    count.div_ceil(CHUNKS).clamp(LEAST, MOST)
}

impl Chunks {
    /// Adds the forces of all contacts of particles with particles.
    pub(super) fn push_pairs(
        &mut self,
        arrays: &mut Arrays,
        list: &mut List,
        table: &Table,
        period: &Box3,
        dt: f64,
    ) -> Outcome {
        let size = chunk_size(arrays.len());
        let (balls, motions, species) = (&arrays.balls[..], &arrays.motions[..], &arrays.species[..]);
        let List { starts, entries, springs, rolled, .. } = list;
        let shared = Shared { balls, motions, species, starts, table, period, size, dt };
        self.chunks.resize_with(arrays.ids.len().div_ceil(size), Chunk::default);
        let mut jobs = jobs(&mut self.chunks, &mut arrays.loads, starts, entries, springs, rolled, size);
        jobs.par_iter_mut().for_each(|job| run(&shared, job));
        self.receive(&mut arrays.loads, size);
        self.chunks.iter().fold(Outcome::default(), |sum, chunk| Outcome {
            lost: sum.lost + chunk.lost,
            touching: sum.touching + chunk.touching,
        })
    }

    /// Adds what chunks passed on.
    fn receive(&self, loads: &mut [Load], size: usize) {
        loads.par_chunks_mut(size).enumerate().for_each(|(to, loads)| {
            let passed = self.chunks[..to].iter().filter_map(|chunk| chunk.passed.get(to));
            for passed in passed.flatten() {
                loads[passed.place as usize - to * size].add(&passed.load);
            }
        });
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let passed = self.chunks.iter().flat_map(|chunk| &chunk.passed);
        passed.map(|passed| passed.capacity() * size_of::<Passed>() + size_of::<Vec<Passed>>()).sum()
    }
}

impl Load {
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// Cuts what is written into chunks.
fn jobs<'a>(
    chunks: &'a mut [Chunk],
    loads: &'a mut [Load],
    starts: &[u32],
    mut entries: &'a mut [u32],
    mut springs: &'a mut [Vector<3>],
    mut rolled: &'a mut [Vector<3>],
    size: usize,
) -> Vec<Job<'a>> {
    fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
        let count = count.min(slice.len());
        let (front, rest) = std::mem::take(slice).split_at_mut(count);
        *slice = rest;
        front
    }
    let jobs = loads.chunks_mut(size).zip(chunks).enumerate().map(|(n, (loads, chunk))| {
        let first = n * size;
        let count = (starts[first + loads.len()] - starts[first]) as usize;
        let (entries, springs) = (front(&mut entries, count), front(&mut springs, count));
        Job { first, loads, entries, springs, rolled: front(&mut rolled, count), chunk }
    });
    jobs.collect()
}

fn run(shared: &Shared, job: &mut Job) {
    let rolls = shared.table.law.rolling != crate::law::Rolling::None;
    match (shared.table.is_hertz(), rolls, shared.period.repeats) {
        (false, false, false) => run_as::<false, false, false>(shared, job),
        (false, false, true) => run_as::<false, false, true>(shared, job),
        (false, true, false) => run_as::<false, true, false>(shared, job),
        (false, true, true) => run_as::<false, true, true>(shared, job),
        (true, false, false) => run_as::<true, false, false>(shared, job),
        (true, false, true) => run_as::<true, false, true>(shared, job),
        (true, true, false) => run_as::<true, true, false>(shared, job),
        (true, true, true) => run_as::<true, true, true>(shared, job),
    }
}

fn run_as<const HERTZ: bool, const ROLL: bool, const REPEATS: bool>(shared: &Shared, job: &mut Job) {
    let chunks = shared.balls.len().div_ceil(shared.size);
    job.chunk.passed.resize_with(chunks, Vec::new);
    job.chunk.passed.iter_mut().for_each(Vec::clear);
    (job.chunk.lost, job.chunk.touching) = (0.0, 0);
    let (base, count) = (shared.starts[job.first] as usize, job.loads.len());
    for place in job.first..job.first + count {
        let row = shared.starts[place] as usize - base..shared.starts[place + 1] as usize - base;
        let mut own = Load::default();
        for n in row {
            let entry = job.entries[n];
            let other = (entry & !TOUCHES) as usize;
            let Some(touch) = touch::<REPEATS>(shared, place, other) else {
                if entry & TOUCHES != 0 {
                    end::<HERTZ>(shared, job, place, other, n);
                }
                continue;
            };
            job.entries[n] = entry | TOUCHES;
            let meeting = meeting::<HERTZ, ROLL>(shared, place, other, touch);
            let mixed = shared.table.mixed(shared.species[place], shared.species[other]);
            let rolled = if ROLL { job.rolled.get_mut(n) } else { None };
            let push = push::<HERTZ, ROLL>(mixed, &meeting, &mut job.springs[n], rolled, shared.dt);
            job.chunk.lost += push.lost;
            job.chunk.touching += 1;
            let (on_own, on_other) = loads(shared, place, other, &meeting.normal, &push);
            own.add(&on_own);
            if other < job.first + count {
                job.loads[other - job.first].add(&on_other);
            } else {
                let passed = Passed { place: other as u32, load: on_other };
                job.chunk.passed[other / shared.size].push(passed);
            }
        }
        job.loads[place - job.first].add(&own);
    }
}

/// A contact that ended is forgotten, and what its spring still held is lost. Mindlin's spring holds nothing at depth zero.
#[cold]
fn end<const HERTZ: bool>(shared: &Shared, job: &mut Job, place: usize, other: usize, n: usize) {
    if !HERTZ {
        let mixed = shared.table.mixed(shared.species[place], shared.species[other]);
        job.chunk.lost += mixed.left_in(&job.springs[n]);
    }
    job.entries[n] &= !TOUCHES;
    job.springs[n] = Vector::zeros();
    if let Some(rolled) = job.rolled.get_mut(n) {
        *rolled = Vector::zeros();
    }
}

/// Way from one centre to the other and its square, if the spheres overlap.
#[inline(always)]
fn touch<const REPEATS: bool>(shared: &Shared, place: usize, other: usize) -> Option<(Vector<3>, f64)> {
    let (one, two) = (&shared.balls[place], &shared.balls[other]);
    let mut way = two.centre - one.centre;
    if REPEATS {
        way = shared.period.nearest(way);
    }
    let (squared, reach) = (way.norm_squared(), one.radius + two.radius);
    (squared < reach * reach).then_some((way, squared))
}

#[inline(always)]
fn meeting<const HERTZ: bool, const ROLL: bool>(
    shared: &Shared,
    place: usize,
    other: usize,
    (way, squared): (Vector<3>, f64),
) -> Meeting {
    let (r1, r2) = (shared.balls[place].radius, shared.balls[other].radius);
    let (one, two) = (&shared.motions[place], &shared.motions[other]);
    let distance = squared.sqrt();
    // Coinciding centres have no normal; any will do.
    let normal = if distance > 0.0 { way * (1.0 / distance) } else { Vector::x() };
    let turning = (one.spin * r1 + two.spin * r2).cross(&normal);
    Meeting {
        normal,
        depth: r1 + r2 - distance,
        velocity: one.velocity - two.velocity + turning,
        spin: if ROLL { one.spin - two.spin } else { Vector::zeros() },
        inverse_mass: one.inverse_mass + two.inverse_mass,
        inverse_radius: if HERTZ || ROLL { (r1 + r2) / (r1 * r2) } else { 0.0 },
    }
}

/// What a push does to both.
#[inline(always)]
fn loads(shared: &Shared, place: usize, other: usize, normal: &Vector<3>, push: &Push) -> (Load, Load) {
    let lever = normal.cross(&push.force);
    let own = Load { force: push.force, torque: lever * shared.balls[place].radius + push.torque };
    let on_other = Load { force: -push.force, torque: lever * shared.balls[other].radius - push.torque };
    (own, on_other)
}

/// One contact of two particles as it is now, for those who look at it without a step.
pub(super) fn meeting_of(
    arrays: &Arrays,
    period: &Box3,
    table: &Table,
    place: usize,
    other: usize,
) -> Option<Meeting> {
    let shared = Shared {
        balls: &arrays.balls,
        motions: &arrays.motions,
        species: &arrays.species,
        starts: &[],
        table,
        period,
        size: 1,
        dt: 0.0,
    };
    touch::<true>(&shared, place, other).map(|touch| meeting::<true, true>(&shared, place, other, touch))
}
