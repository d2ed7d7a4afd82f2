//! Puts the bodies in order: by level, row and place along the row; linear in their number.
//!
//! Each task parts its bodies into buckets of consecutive rows; each bucket collects its segments, spreads them by a
//! second, finer division, and ends with an insertion sort that finds little to do. Records of a bucket stay in a core's
//! cache, and nothing is looked up at random: at a million bodies in random order that takes a third of the time of
//! sorting keys and gathering the bodies afterwards.

use super::lanes::{Lanes, Packed, tag};
use super::plan::{Place, Plan};
use crate::broad::{Body, BodyId, Scene, tasks};
use std::ops::Range;

/// Bodies for one bucket.
const BODIES_PER_BUCKET: usize = 1024;

/// Most buckets; more streams than this miss the table of pages.
const MOST_BUCKETS: usize = 2048;

/// Bodies in one fine division up to which an insertion sort is quicker than the library's sort.
const FEW: usize = 24;

/// A body on its way to its place.
#[derive(Clone, Copy, Debug)]
struct Record<const D: usize> {
    row: u32,
    tag: u32,
    packed: Packed<D>,
}

/// The bodies of one task, by bucket.
#[derive(Clone, Debug)]
struct Part<const D: usize> {
    records: Vec<Record<D>>,
    /// Bucket k is `records[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
    huge: Vec<BodyId>,
}

/// Memory for one group of buckets.
#[derive(Clone, Debug)]
struct Scratch<const D: usize> {
    records: Vec<Record<D>>,
    counts: Vec<u32>,
    /// Sort key and place in `records`.
    keys: Vec<(u64, u32)>,
    comparisons: u64,
}

/// Memory of the ordering that is kept from step to step.
#[derive(Clone, Debug)]
pub(super) struct Order<const D: usize> {
    parts: Vec<Part<D>>,
    scratch: Vec<Scratch<D>>,
}

impl<const D: usize> Default for Order<D> {
    fn default() -> Self {
        Self { parts: Vec::new(), scratch: Vec::new() }
    }
}

impl<const D: usize> Order<D> {
    /// Fills the lanes with the bodies of the scene in order, and `huge` with those that are in no level. Returns the
    /// number of comparisons.
    pub(super) fn fill<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        plan: &Plan<D>,
        lanes: &mut Lanes<D>,
        huge: &mut Vec<BodyId>,
    ) -> u64 {
        let bodies = scene.bodies.len();
        let tasks = tasks::count(bodies);
        let buckets = (bodies / BODIES_PER_BUCKET).clamp(1, MOST_BUCKETS);
        let ruler = Ruler::of(plan, buckets);
        self.parts.resize_with(tasks, || Part { records: Vec::new(), starts: Vec::new(), huge: Vec::new() });
        tasks::for_each(&mut self.parts, |task, part| {
            let range = tasks::begin(task, tasks, bodies)..tasks::begin(task + 1, tasks, bodies);
            part.collect(scene, plan, &ruler, range);
        });
        huge.clear();
        self.parts.iter().for_each(|part| huge.extend_from_slice(&part.huge));
        lanes.resize::<B>(self.parts.iter().map(|part| part.records.len()).sum());
        self.sort_buckets(&ruler, lanes)
    }

    fn sort_buckets(&mut self, ruler: &Ruler, lanes: &mut Lanes<D>) -> u64 {
        let groups = if rayon::current_num_threads() == 1 { 1 } else { ruler.buckets.min(64) };
        let none = || Scratch { records: Vec::new(), counts: Vec::new(), keys: Vec::new(), comparisons: 0 };
        self.scratch.resize_with(self.scratch.len().max(groups), none);
        let parts = &self.parts;
        let mut jobs = Vec::with_capacity(groups);
        let mut rest = Slices::of(lanes);
        for (group, scratch) in self.scratch[..groups].iter_mut().enumerate() {
            let range =
                tasks::begin(group, groups, ruler.buckets)..tasks::begin(group + 1, groups, ruler.buckets);
            let sizes = range.clone().map(|k| parts.iter().map(|part| part.bucket(k).len()).sum::<usize>());
            let mine = rest.take_front(sizes.sum());
            jobs.push((range, mine, scratch));
        }
        tasks::for_each(&mut jobs, |_, (range, slices, scratch)| {
            scratch.comparisons = 0;
            let mut at = 0;
            for k in range.clone() {
                scratch.sort(parts, k, ruler);
                at += scratch.write(slices, at);
            }
        });
        self.scratch[..groups].iter().map(|scratch| scratch.comparisons).sum()
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        let part = |p: &Part<D>| {
            p.records.capacity() * size_of::<Record<D>>() + (p.starts.capacity() + p.huge.capacity()) * 4
        };
        let scratch = |s: &Scratch<D>| {
            s.records.capacity() * size_of::<Record<D>>() + s.counts.capacity() * 4 + s.keys.capacity() * 16
        };
        self.parts.iter().map(part).sum::<usize>() + self.scratch.iter().map(scratch).sum::<usize>()
    }
}

/// Measures places along all rows, one after the other: row number plus the share of the row that lies below.
struct Ruler {
    along: f64,
    per_bucket: f64,
    buckets: usize,
}

impl Ruler {
    fn of<const D: usize>(plan: &Plan<D>, buckets: usize) -> Self {
        let width = plan.frame.width[0];
        let along = if width > 0.0 { 1.0 / width } else { 0.0 };
        Self { along, per_bucket: buckets as f64 / f64::from(plan.row_count().max(1)), buckets }
    }

    /// Grows with the row and, within a row, with `low`.
    #[inline]
    fn place(&self, row: u32, low: f64) -> f64 {
        f64::from(row) + (low * self.along).clamp(0.0, 0.999_999)
    }

    #[inline]
    fn bucket(&self, row: u32, low: f64) -> usize {
        ((self.place(row, low) * self.per_bucket) as usize).min(self.buckets - 1)
    }
}

impl<const D: usize> Part<D> {
    /// Counts how many bodies go to each bucket, then puts them there. The bodies are read twice: that is cheaper than
    /// to write all records and move them.
    fn collect<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        plan: &Plan<D>,
        ruler: &Ruler,
        range: Range<usize>,
    ) {
        let Self { records, starts, huge } = self;
        huge.clear();
        starts.clear();
        starts.resize(ruler.buckets + 2, 0);
        for n in range.clone() {
            match plan.place(scene, n) {
                Place::None => {}
                Place::Huge => huge.push(n as BodyId),
                Place::At(level, span) => plan.for_each_image(span, |_, span| {
                    starts[ruler.bucket(plan.levels[level].row_of(&span), span.low[0]) + 2] += 1;
                }),
            }
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        let blank = Record { row: 0, tag: 0, packed: Packed { first: [0.0; D], second: [0.0; D] } };
        records.resize(sum as usize, blank);
        for n in range {
            let Place::At(level, span) = plan.place(scene, n) else { continue };
            plan.for_each_image(span, |image, span| {
                let row = plan.levels[level].row_of(&span);
                let place = &mut starts[ruler.bucket(row, span.low[0]) + 1];
                let packed = Packed::of::<B>(&span, plan.frame.slack);
                records[*place as usize] = Record { row, tag: tag(n, image), packed };
                *place += 1;
            });
        }
    }

    fn bucket(&self, k: usize) -> &[Record<D>] {
        &self.records[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

/// Row first, then the lower end; f32 ordered as integers.
#[inline]
fn key(row: u32, low: f32) -> u64 {
    let bits = low.to_bits();
    let ordered = bits ^ (((bits as i32 >> 31) as u32) | 1 << 31);
    u64::from(row) << 32 | u64::from(ordered)
}

impl<const D: usize> Scratch<D> {
    /// Collects bucket k of all parts and brings its keys in order.
    fn sort(&mut self, parts: &[Part<D>], k: usize, ruler: &Ruler) {
        self.records.clear();
        parts.iter().for_each(|part| self.records.extend_from_slice(part.bucket(k)));
        let count = self.records.len();
        self.counts.clear();
        self.counts.resize(count + 2, 0);
        self.keys.resize(count, (0, 0));
        let (begin, fine) = (k as f64 / ruler.per_bucket, ruler.per_bucket * count as f64);
        let division = |record: &Record<D>| {
            let place = ruler.place(record.row, f64::from(record.packed.first[0])) - begin;
            ((place * fine) as usize).min(count - 1)
        };
        for record in &self.records {
            self.counts[division(record) + 2] += 1;
        }
        let mut sum = 0;
        for count in &mut self.counts {
            sum += *count;
            *count = sum;
        }
        for (n, record) in self.records.iter().enumerate() {
            let place = &mut self.counts[division(record) + 1];
            self.keys[*place as usize] = (key(record.row, record.packed.first[0]), n as u32);
            *place += 1;
        }
        self.finish();
    }

    /// The divisions are in order; brings order into each.
    fn finish(&mut self) {
        for ends in self.counts.windows(2) {
            let (begin, end) = (ends[0] as usize, ends[1] as usize);
            if end - begin > FEW {
                self.keys[begin..end].sort_unstable();
                self.comparisons += ((end - begin).ilog2() as u64 + 1) * (end - begin) as u64;
            }
        }
        for i in 1..self.keys.len() {
            let key = self.keys[i];
            let mut j = i;
            while j > 0 && self.keys[j - 1].0 > key.0 {
                self.keys[j] = self.keys[j - 1];
                j -= 1;
            }
            self.keys[j] = key;
            self.comparisons += (i - j) as u64 + 1;
        }
    }

    /// Writes the bodies in order; returns how many there are.
    fn write(&self, slices: &mut Slices<D>, at: usize) -> usize {
        for (place, &(_, n)) in self.keys.iter().enumerate() {
            let record = &self.records[n as usize];
            slices.tags[at + place] = record.tag;
            slices.rows[at + place] = record.row;
        }
        for k in 0..D {
            let (first, second) = (&mut slices.first[k], &mut slices.second[k]);
            for (place, &(_, n)) in self.keys.iter().enumerate() {
                first[at + place] = self.records[n as usize].packed.first[k];
            }
            if second.is_empty() {
                continue;
            }
            for (place, &(_, n)) in self.keys.iter().enumerate() {
                second[at + place] = self.records[n as usize].packed.second[k];
            }
        }
        self.keys.len()
    }
}

/// A consecutive part of the lanes, to be written by one thread.
struct Slices<'a, const D: usize> {
    first: [&'a mut [f32]; D],
    second: [&'a mut [f32]; D],
    tags: &'a mut [u32],
    rows: &'a mut [u32],
}

impl<'a, const D: usize> Slices<'a, D> {
    fn of(lanes: &'a mut Lanes<D>) -> Self {
        Self {
            first: lanes.first.each_mut().map(Vec::as_mut_slice),
            second: lanes.second.each_mut().map(Vec::as_mut_slice),
            tags: &mut lanes.tags,
            rows: &mut lanes.rows,
        }
    }

    fn take_front(&mut self, count: usize) -> Self {
        fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
            // Balls leave columns empty that boxes fill.
            let count = count.min(slice.len());
            let (front, rest) = std::mem::take(slice).split_at_mut(count);
            *slice = rest;
            front
        }
        Self {
            first: self.first.each_mut().map(|column| front(column, count)),
            second: self.second.each_mut().map(|column| front(column, count)),
            tags: front(&mut self.tags, count),
            rows: front(&mut self.rows, count),
        }
    }
}
