//! Memory limits of the machine, measured beside our results: they explain why a figure falls short of
//! its bound.
//!
//! Bodies come in random order, and pairs are returned in the order of the bodies' ids. A search from
//! scratch therefore sorts all bodies by position and all pairs by id. A step with a neighbour list
//! reads every body at a random address. This module times the simplest loops that do just that, and
//! nothing else.

use super::scenes::balls;
use crate::study::timed;
use impinge::bound::Ball;
use impinge::space::Random;
use rayon::prelude::*;

/// Number of runs of each loop; the fastest counts.
const RUNS: usize = 5;

/// Bits per pass of the radix sort: as many streams as a core can follow.
const BITS: u32 = 10;

/// Nanoseconds per item.
pub(super) struct Memory {
    /// Reading a ball at a random address.
    pub(super) read: f64,
    /// Sorting a body of 24 bytes by a random key.
    pub(super) sort_body: f64,
    /// Sorting a pair of 8 bytes by a random key.
    pub(super) sort_pair: f64,
}

impl Memory {
    /// Measures with the threads of the current pool; sorts use one thread.
    pub(super) fn measure(count: usize) -> Self {
        let mut random = Random::new(8);
        let places: Vec<u32> = (0..count)
            .map(|_| random.within(0.0, count as f64) as u32)
            .collect();
        let balls = balls::<3>(count, 1.0, 1);

        Self {
            read: fastest(count, || read(&balls, &places)),
            sort_body: fastest(count, || sort::<[u32; 6]>(&places, count)),
            sort_pair: fastest(count, || sort::<[u32; 2]>(&places, count)),
        }
    }
}

fn fastest<T>(count: usize, mut work: impl FnMut() -> T) -> f64 {
    let seconds = (0..RUNS).map(|_| timed(|| std::hint::black_box(work())).1);
    seconds.fold(f64::INFINITY, f64::min) / count as f64 * 1e9
}

/// Reads of each ball what a neighbour list reads.
fn read(balls: &[Ball<3>], places: &[u32]) -> f64 {
    let reach = |&place: &u32| {
        let ball = &balls[place as usize];
        ball.centre.x + ball.radius
    };
    places
        .par_chunks(1 << 14)
        .map(|places| places.iter().map(reach).fold(0.0, f64::max))
        .sum()
}

/// A record of several words; the first is its key.
trait Record: Copy {
    fn of(key: u32) -> Self;
    fn key(&self) -> u32;
}

impl<const WORDS: usize> Record for [u32; WORDS] {
    fn of(key: u32) -> Self {
        [key; WORDS]
    }

    fn key(&self) -> u32 {
        self[0]
    }
}

/// Sorts in two passes, upper bits first: the second pass over one bucket stays in the cache.
fn sort<R: Record>(keys: &[u32], count: usize) -> Vec<R> {
    let shift = (usize::BITS - count.leading_zeros()).saturating_sub(BITS);
    let mut parted = vec![R::of(0); keys.len()];
    let starts = part(
        keys.iter().map(|&key| R::of(key)),
        keys,
        &mut parted,
        |key| (key >> shift) as usize,
    );
    let mut sorted = vec![R::of(0); keys.len()];

    for bucket in starts.windows(2) {
        let (from, to) = (
            &parted[bucket[0]..bucket[1]],
            &mut sorted[bucket[0]..bucket[1]],
        );
        let low: Vec<u32> = from.iter().map(Record::key).collect();
        part(from.iter().copied(), &low, to, |key| {
            (key & ((1 << shift) - 1)) as usize
        });
    }

    sorted
}

/// Distributes records into the buckets of their keys; returns the start of each bucket.
fn part<R: Record>(
    records: impl Iterator<Item = R>,
    keys: &[u32],
    to: &mut [R],
    bucket: impl Fn(u32) -> usize,
) -> Vec<usize> {
    let most = keys
        .iter()
        .map(|&key| bucket(key))
        .max()
        .map_or(0, |most| most + 1);
    let mut starts = vec![0; most + 1];
    keys.iter().for_each(|&key| starts[bucket(key) + 1] += 1);
    (0..most).for_each(|n| starts[n + 1] += starts[n]);
    let mut next = starts.clone();

    for record in records {
        let place = &mut next[bucket(record.key())];
        to[*place] = record;
        *place += 1;
    }

    starts
}

#[cfg(test)]
mod tests;
