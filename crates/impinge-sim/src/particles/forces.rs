//! Forces between particles: one pass over the neighbour list.
//!
//! Places are divided into blocks, which are regions of space (`order.rs`). A block (`chunk.rs`) adds
//! to its own particles directly. Forces on particles of later blocks are recorded, and added in the
//! order of blocks after all are done. A particle therefore sums the forces of its partners in the
//! order of their seats: first those of its own and of later blocks, then those of earlier ones. This
//! order is the same for any number of threads and on every rank, and no pair is computed twice. In
//! a settled bed about one pair in eight crosses blocks. Tasks compute chunks of several blocks, if
//! those are small. On several ranks, chunks without ghosts are computed while these are on their way.

use super::arrays::{Arrays, Load};
use super::chunk;
use super::exchange::Exchange;
use super::job::{Chunk, Job, Passed, Shared};
use super::list::{Entry, List};
use super::order::Seat;
use super::overlap::ParticleOverlaps;
use super::periodic::Box3;
use crate::law::Table;
use fearless_simd::Level;
use impinge::space::Vector;
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
    /// First place of each block, and behind them the number of particles.
    blocks: Vec<u32>,
    /// First block of each chunk, and behind them the number of blocks.
    firsts: Vec<u32>,
    /// First place of each chunk.
    starts: Vec<u32>,
    /// Whether no pair of the chunk has a ghost.
    inner: Vec<bool>,
    /// Number of the neighbour list that these are for: places change only with it.
    list: u64,
}

/// What all chunks need.
pub(super) struct Rules<'a> {
    pub(super) table: &'a Table,
    pub(super) period: &'a Box3,
    pub(super) dt: f64,
}

fn chunk_size(count: usize) -> usize {
    count.div_ceil(CHUNKS).clamp(LEAST, MOST)
}

impl Chunks {
    /// Adds the forces of all particle–particle contacts, once the ghosts have arrived.
    pub(super) fn push_pairs(
        &mut self,
        arrays: &mut Arrays,
        list: &mut List,
        rules: &Rules,
        overlaps: &mut ParticleOverlaps,
        exchange: Option<&mut Exchange>,
    ) -> usize {
        if self.list != list.builds {
            self.divide(&arrays.seats);
            self.mark_inner(&arrays.own, list);
            self.list = list.builds;
        }
        self.chunks.resize_with(self.starts.len(), Chunk::default);

        if let Some(exchange) = exchange {
            exchange.update_ghosts(arrays, |arrays| self.run(arrays, list, rules, true));
        } else {
            self.run(arrays, list, rules, true);
        }
        self.run(arrays, list, rules, false);
        self.receive(&mut arrays.loads);
        overlaps.clear();
        self.chunks
            .iter()
            .for_each(|chunk| overlaps.extend(&chunk.overlaps));

        self.chunks.iter().map(|chunk| chunk.touching).sum()
    }

    /// Returns Σ F_k r_k over all contacts, if the periodic box deforms.
    pub(super) fn virial(&self) -> [f64; 3] {
        // Not `sum`, which gives −0 for no chunks.
        let add = |sums: [f64; 3], chunk: &Chunk| [0, 1, 2].map(|k| sums[k] + chunk.virial[k]);
        self.chunks.iter().fold([0.0; 3], add)
    }

    /// Computes the chunks that have no ghosts, or those that have.
    fn run(&mut self, arrays: &mut Arrays, list: &mut List, rules: &Rules, inner: bool) {
        if !self.inner.contains(&inner) {
            return;
        }
        let Rules { table, period, dt } = *rules;
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
            starts: &self.starts,
            dt,
            level: Level::new(),
        };
        let mut tasks = tasks(
            &mut self.chunks,
            &self.blocks,
            &self.firsts,
            &mut arrays.loads,
            list,
        );
        tasks
            .par_iter_mut()
            .zip(&self.inner)
            .filter(|(_, is_inner)| **is_inner == inner)
            .for_each(|(task, _)| task.run(&shared));
    }

    /// Finds the chunks without ghosts.
    fn mark_inner(&mut self, own: &[bool], list: &List) {
        let ends = self.starts.iter().skip(1).copied().chain([u32::MAX]);
        let mut entries = &list.entries[..];
        self.inner.clear();
        for end in ends {
            let (chunk, rest) =
                entries.split_at(entries.partition_point(|entry| entry.place < end));
            let is_own = |entry: &Entry| own[entry.place as usize] && own[entry.other() as usize];
            self.inner.push(chunk.iter().all(is_own));
            entries = rest;
        }
    }

    /// Divides places into blocks, and these into chunks of the size for one task.
    fn divide(&mut self, seats: &[Seat]) {
        let size = chunk_size(seats.len()) as u32;
        self.blocks.clear();
        self.firsts.clear();
        self.starts.clear();
        let mut last = None;

        for (place, seat) in (0..).zip(seats) {
            if last != Some(seat.block()) {
                last = Some(seat.block());
                if self
                    .starts
                    .last()
                    .is_none_or(|&start| place - start >= size)
                {
                    self.firsts.push(self.blocks.len() as u32);
                    self.starts.push(place);
                }
                self.blocks.push(place);
            }
        }

        self.firsts.push(self.blocks.len() as u32);
        self.blocks.push(seats.len() as u32);
    }

    /// Adds the forces that blocks recorded for later blocks.
    fn receive(&self, loads: &mut [Load]) {
        let mut rest = loads;
        let mut parts = Vec::with_capacity(self.starts.len());
        for (n, &start) in self.starts.iter().enumerate() {
            let end = self
                .starts
                .get(n + 1)
                .map_or(usize::MAX, |&end| end as usize);
            parts.push((start as usize, front(&mut rest, end - start as usize)));
        }

        parts
            .par_iter_mut()
            .enumerate()
            .for_each(|(to, (start, loads))| {
                let passed = self.chunks[..=to]
                    .iter()
                    .filter_map(|chunk| chunk.passed.get(to));
                for passed in passed.flatten() {
                    loads[passed.place as usize - *start].add(&passed.load);
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

/// Cuts off the first items of a slice.
fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let count = count.min(slice.len());
    let (front, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    front
}

/// The output of a chunk.
struct Task<'a> {
    /// First place of each of its blocks, and behind them the end.
    blocks: &'a [u32],
    chunk: &'a mut Chunk,
    loads: &'a mut [Load],
    entries: &'a mut [Entry],
    springs: &'a mut [Vector<3>],
    rolled: &'a mut [Vector<3>],
}

impl Task<'_> {
    fn run(&mut self, shared: &Shared) {
        self.chunk.clear(shared.starts.len());
        let (mut loads, mut entries) = (&mut *self.loads, &mut *self.entries);
        let (mut springs, mut rolled) = (&mut *self.springs, &mut *self.rolled);

        for block in self.blocks.windows(2) {
            let [first, end] = [block[0] as usize, block[1] as usize];
            let count = entries.partition_point(|entry| (entry.place as usize) < end);
            let mut job = Job {
                first,
                loads: front(&mut loads, end - first),
                entries: front(&mut entries, count),
                springs: front(&mut springs, count),
                rolled: front(&mut rolled, count),
                chunk: self.chunk,
            };
            chunk::run(shared, &mut job);
        }
    }
}

/// Splits the output arrays into chunks.
fn tasks<'a>(
    chunks: &'a mut [Chunk],
    blocks: &'a [u32],
    firsts: &[u32],
    mut loads: &'a mut [Load],
    list: &'a mut List,
) -> Vec<Task<'a>> {
    let List {
        entries,
        springs,
        rolled,
        ..
    } = list;
    let (mut entries, mut springs, mut rolled) =
        (&mut entries[..], &mut springs[..], &mut rolled[..]);

    let tasks = firsts.windows(2).zip(chunks).map(|(range, chunk)| {
        let blocks = &blocks[range[0] as usize..=range[1] as usize];
        let (first, end) = (blocks[0], blocks[blocks.len() - 1]);
        let count = entries.partition_point(|entry| entry.place < end);
        Task {
            blocks,
            chunk,
            loads: front(&mut loads, (end - first) as usize),
            entries: front(&mut entries, count),
            springs: front(&mut springs, count),
            rolled: front(&mut rolled, count),
        }
    });

    tasks.collect()
}
