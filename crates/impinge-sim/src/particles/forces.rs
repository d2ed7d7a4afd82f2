//! Forces between particles: one pass over the neighbour list.
//!
//! Places are divided into chunks whose size depends only on the number of particles. A chunk
//! (`chunk.rs`) adds to its own particles directly. Forces on particles of later chunks are
//! recorded and added in chunk order after all chunks are done. Every sum therefore has a fixed
//! order for any number of threads, and no pair is computed twice. In a settled bed about one pair
//! in eight crosses chunks.

use super::arrays::{Arrays, Load};
use super::chunk;
use super::job::{Chunk, Job, Passed, Shared};
use super::list::List;
use super::overlap::ParticleOverlaps;
use super::periodic::Box3;
use crate::law::Table;
use fearless_simd::Level;
use rayon::prelude::*;

/// Target number of chunks: enough for a few dozen threads to share.
const CHUNKS: usize = 24;

/// Minimum chunk size. With fewer particles too many pairs cross; with more, threads idle at the
/// end.
const LEAST: usize = 1024;
const MOST: usize = 8192;

/// Buffers of all chunks, reused from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    chunks: Vec<Chunk>,
}

/// The outcome of a step of contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// Energy returned by the springs.
    pub(super) returned: f64,
    pub(super) touching: usize,
}

fn chunk_size(count: usize) -> usize {
    count.div_ceil(CHUNKS).clamp(LEAST, MOST)
}

impl Chunks {
    /// Adds the forces of all particle–particle contacts.
    pub(super) fn push_pairs(
        &mut self,
        arrays: &mut Arrays,
        list: &mut List,
        table: &Table,
        period: &Box3,
        dt: f64,
        overlaps: &mut ParticleOverlaps,
    ) -> Outcome {
        let size = chunk_size(arrays.len());
        let (balls, motions, species) =
            (&arrays.balls[..], &arrays.motions[..], &arrays.species[..]);
        let alike = species.iter().all(|one| *one == species[0]);
        let shared = Shared {
            balls,
            motions,
            species,
            ids: &arrays.ids,
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
        overlaps.clear();
        self.chunks
            .iter()
            .for_each(|chunk| overlaps.extend(&chunk.overlaps));

        self.chunks
            .iter()
            .fold(Outcome::default(), |sum, chunk| Outcome {
                returned: sum.returned + chunk.returned,
                touching: sum.touching + chunk.touching,
            })
    }

    /// Adds the forces that chunks recorded for later chunks.
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

    /// Returns the memory used, in bytes.
    pub(super) fn memory(&self) -> usize {
        let passed = self.chunks.iter().flat_map(|chunk| &chunk.passed);
        passed
            .map(|passed| passed.capacity() * size_of::<Passed>() + size_of::<Vec<Passed>>())
            .sum()
    }
}

/// Splits the output arrays into chunks.
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
