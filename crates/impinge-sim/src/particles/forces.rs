//! Forces of particles on each other: one pass over the list of neighbours.
//!
//! Places are cut into chunks whose size follows from the number of particles alone. A chunk (`chunk.rs`) adds to its own
//! particles as it goes; what it does to particles of later chunks is written down and added when all chunks are done, in
//! the order of chunks. So every sum has one order, whatever the number of threads, and no pair is computed twice. Of a
//! settled bed about one pair in eight crosses from one chunk to another.

use super::arrays::{Arrays, Load, Motion};
use super::chunk;
use super::list::{Entry, List};
use super::periodic::Box3;
use crate::law::Table;
use fearless_simd::Level;
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
pub(super) struct Chunk {
    /// By chunk of the receiver.
    passed: Vec<Vec<Passed>>,
    pub(super) returned: f64,
    pub(super) touching: usize,
}

/// Memory of the chunks, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    chunks: Vec<Chunk>,
}

/// What all chunks read.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) balls: &'a [Ball<3>],
    pub(super) motions: &'a [Motion],
    pub(super) species: &'a [u16],
    /// Whether all are of one species.
    pub(super) alike: bool,
    pub(super) table: &'a Table,
    pub(super) period: &'a Box3,
    pub(super) size: usize,
    pub(super) dt: f64,
    pub(super) level: Level,
}

/// What one chunk writes.
pub(super) struct Job<'a> {
    pub(super) first: usize,
    pub(super) loads: &'a mut [Load],
    pub(super) entries: &'a mut [Entry],
    pub(super) springs: &'a mut [Vector<3>],
    pub(super) rolled: &'a mut [Vector<3>],
    pub(super) chunk: &'a mut Chunk,
}

/// What a step of contacts did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// Energy that springs gave back.
    pub(super) returned: f64,
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
        let (balls, motions, species) =
            (&arrays.balls[..], &arrays.motions[..], &arrays.species[..]);
        let alike = species.iter().all(|one| *one == species[0]);
        let shared = Shared {
            balls,
            motions,
            species,
            alike,
            table,
            period,
            size,
            dt,
            level: Level::new(),
        };
        self.chunks
            .resize_with(balls.len().div_ceil(size), Chunk::default);
        let mut jobs = jobs(&mut self.chunks, &mut arrays.loads, list, size);
        jobs.par_iter_mut().for_each(|job| chunk::run(&shared, job));
        self.receive(&mut arrays.loads, size);

        self.chunks
            .iter()
            .fold(Outcome::default(), |sum, chunk| Outcome {
                returned: sum.returned + chunk.returned,
                touching: sum.touching + chunk.touching,
            })
    }

    /// Adds what chunks passed on.
    fn receive(&self, loads: &mut [Load], size: usize) {
        loads
            .par_chunks_mut(size)
            .enumerate()
            .for_each(|(to, loads)| {
                let passed = self.chunks[..to]
                    .iter()
                    .filter_map(|chunk| chunk.passed.get(to));
                for passed in passed.flatten() {
                    loads[passed.place as usize - to * size].add(&passed.load);
                }
            });
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let passed = self.chunks.iter().flat_map(|chunk| &chunk.passed);
        passed
            .map(|passed| passed.capacity() * size_of::<Passed>() + size_of::<Vec<Passed>>())
            .sum()
    }
}

impl Chunk {
    /// Forgets the last step.
    pub(super) fn clear(&mut self, chunks: usize) {
        self.passed.resize_with(chunks, Vec::new);
        self.passed.iter_mut().for_each(Vec::clear);
        (self.returned, self.touching) = (0.0, 0);
    }

    /// Writes down what is for a particle of a later chunk.
    #[inline(always)]
    pub(super) fn pass(&mut self, place: usize, size: usize, load: &Load) {
        let passed = Passed {
            place: place as u32,
            load: *load,
        };
        self.passed[place / size].push(passed);
    }
}

/// Cuts what is written into chunks.
fn jobs<'a>(
    chunks: &'a mut [Chunk],
    loads: &'a mut [Load],
    list: &'a mut List,
    size: usize,
) -> Vec<Job<'a>> {
    fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
        let count = count.min(slice.len());
        let (front, rest) = std::mem::take(slice).split_at_mut(count);
        *slice = rest;
        front
    }
    let List {
        entries,
        springs,
        rolled,
        ..
    } = list;
    let (mut entries, mut springs, mut rolled) =
        (&mut entries[..], &mut springs[..], &mut rolled[..]);

    let jobs = loads
        .chunks_mut(size)
        .zip(chunks)
        .enumerate()
        .map(|(n, (loads, chunk))| {
            let first = n * size;
            let count = entries.partition_point(|entry| (entry.place as usize) < first + size);
            let (entries, springs) = (front(&mut entries, count), front(&mut springs, count));
            Job {
                first,
                loads,
                entries,
                springs,
                rolled: front(&mut rolled, count),
                chunk,
            }
        });

    jobs.collect()
}
