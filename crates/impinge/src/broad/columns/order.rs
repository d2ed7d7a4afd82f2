//! Sorts the bodies by level, row and position along the row, in linear time.
//!
//! Each task partitions its bodies into buckets of consecutive rows. Each bucket collects its
//! segments, distributes them over a second, finer division, and finishes with an insertion sort
//! that has little left to do. The records of a task and of a bucket stay in a core's cache, and
//! there are no random accesses.

use super::frame::Span;
use super::grid::Level;
use super::lanes::{Block, EMPTY_LANE, LANES, Lanes, Packed, resize_snugly, tag};
use super::plan::{Place, Plan};
use crate::broad::{BodyId, BroadScene, Proxy, tasks};
use std::ops::Range;
use std::sync::Mutex;

/// Bodies per bucket.
const BODIES_PER_BUCKET: usize = 1024;

/// Maximum number of buckets; more write streams than this cause TLB misses.
const MOST_BUCKETS: usize = 2048;

/// Number of bodies in a fine division up to which an insertion sort is faster than the standard
/// library's sort.
const FEW: usize = 24;

/// A packed body with its sort keys.
#[derive(Clone, Copy, Debug)]
struct Record<const D: usize> {
    row: u32,
    tag: u32,
    packed: Packed<D>,
}

impl<const D: usize> Record<D> {
    const BLANK: Self = Self {
        row: 0,
        tag: EMPTY_LANE,
        packed: Packed {
            first: [0.0; D],
            second: [0.0; D],
        },
    };
}

/// The bodies of one task, by bucket.
#[derive(Clone, Debug)]
struct Part<const D: usize> {
    records: Vec<Record<D>>,
    /// Bucket k is `records[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
    huge: Vec<BodyId>,
}

/// Scratch memory for one group of buckets.
#[derive(Clone, Debug)]
struct Scratch<const D: usize> {
    records: Vec<Record<D>>,
    counts: Vec<u32>,
    /// Sort key and index in `records`.
    keys: Vec<(u64, u32)>,
    comparisons: u64,
}

/// Records in body order, with their buckets; one per thread, not per body.
type Stage<const D: usize> = Mutex<Vec<(u32, Record<D>)>>;

/// Scratch memory of the sort, reused from step to step.
#[derive(Debug)]
pub(super) struct Order<const D: usize> {
    parts: Vec<Part<D>>,
    stages: Vec<Stage<D>>,
    scratch: Vec<Scratch<D>>,
}

impl<const D: usize> Default for Order<D> {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            stages: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// Everything in it is scratch memory, so a clone starts empty.
impl<const D: usize> Clone for Order<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize> Order<D> {
    /// Fills the lanes with the sorted bodies of the scene, and `huge` with those in no level.
    /// Returns the number of comparisons.
    pub(super) fn fill<B: Proxy<D>, K: Block<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        plan: &Plan<D>,
        lanes: &mut Lanes<D>,
        huge: &mut Vec<BodyId>,
    ) -> u64 {
        let bodies = scene.bodies.len();
        let tasks = tasks::count(bodies);
        let buckets = (bodies / BODIES_PER_BUCKET).clamp(1, MOST_BUCKETS);
        let ruler = Ruler::of(plan, buckets);
        self.parts.resize_with(tasks, || Part {
            records: Vec::new(),
            starts: Vec::new(),
            huge: Vec::new(),
        });
        self.stages
            .resize_with(crate::parallel::current_num_threads(), Stage::default);
        let stages = &self.stages;

        tasks::for_each(&mut self.parts, |task, part| {
            let range = tasks::begin(task, tasks, bodies)..tasks::begin(task + 1, tasks, bodies);
            let thread = crate::parallel::current_thread_index().unwrap_or(0) % stages.len();
            let mut stage = stages[thread].lock().expect("no task panics");
            part.collect::<B, K>(scene, plan, &ruler, range, &mut stage);
        });
        huge.clear();
        self.parts
            .iter()
            .for_each(|part| huge.extend_from_slice(&part.huge));

        self.sort_buckets::<K>(&ruler, lanes)
    }

    fn bucket_blocks(&self, k: usize) -> usize {
        self.parts
            .iter()
            .map(|part| part.bucket(k).len())
            .sum::<usize>()
            .div_ceil(LANES)
    }

    fn sort_buckets<K: Block<D>>(&mut self, ruler: &Ruler, lanes: &mut Lanes<D>) -> u64 {
        lanes.resize::<K>((0..ruler.buckets).map(|k| self.bucket_blocks(k)).sum());
        let groups = tasks::groups(ruler.buckets);
        let begin = |group: usize| tasks::begin(group, groups, ruler.buckets);
        let none = || Scratch {
            records: Vec::new(),
            counts: Vec::new(),
            keys: Vec::new(),
            comparisons: 0,
        };
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.resize_with(scratch.len().max(groups), none);
        let mut jobs = Vec::with_capacity(groups);
        let mut rest = Slices::<K>::of(lanes);

        for (group, scratch) in scratch[..groups].iter_mut().enumerate() {
            let range = begin(group)..begin(group + 1);
            let mine = rest.take_front(range.clone().map(|k| self.bucket_blocks(k)).sum());
            jobs.push((range, mine, scratch));
        }

        let parts = &self.parts;
        tasks::for_each(&mut jobs, |_, (range, slices, scratch)| {
            scratch.comparisons = 0;
            let mut at = 0;
            for k in range.clone() {
                scratch.sort(parts, k, ruler);
                at += scratch.write(slices, at);
            }
        });
        self.scratch = scratch;

        self.scratch[..groups]
            .iter()
            .map(|scratch| scratch.comparisons)
            .sum()
    }

    /// Returns the memory in use in bytes.
    pub(super) fn memory(&self) -> usize {
        let part = |p: &Part<D>| {
            p.records.capacity() * size_of::<Record<D>>()
                + (p.starts.capacity() + p.huge.capacity()) * 4
        };
        let scratch = |s: &Scratch<D>| {
            s.records.capacity() * size_of::<Record<D>>()
                + s.counts.capacity() * 4
                + s.keys.capacity() * 16
        };

        self.parts.iter().map(part).sum::<usize>() + self.scratch.iter().map(scratch).sum::<usize>()
    }
}

/// Maps positions to a coordinate along all rows, laid end to end: row index plus the fraction of
/// the row below.
struct Ruler {
    along: f64,
    per_bucket: f64,
    buckets: usize,
}

impl Ruler {
    fn of<const D: usize>(plan: &Plan<D>, buckets: usize) -> Self {
        let width = plan.frame.width[0];
        let along = if width > 0.0 { 1.0 / width } else { 0.0 };
        Self {
            along,
            per_bucket: buckets as f64 / f64::from(plan.row_count().max(1)),
            buckets,
        }
    }

    /// Monotonic in the row and, within a row, in the key.
    #[inline]
    fn place(&self, row: u32, key: f32) -> f64 {
        let share = f64::from(key) * self.along;
        // Written this way to compile to two instructions; keys are finite.
        let share = if share > 0.0 { share } else { 0.0 };
        f64::from(row) + if share < 0.999_999 { share } else { 0.999_999 }
    }

    #[inline]
    fn bucket(&self, row: u32, key: f32) -> u32 {
        // Via i32, which is one instruction; other conversions take ten.
        ((self.place(row, key) * self.per_bucket) as i32 as u32).min(self.buckets as u32 - 1)
    }
}

impl<const D: usize> Part<D> {
    /// Packs the bodies of the range and partitions them by bucket.
    fn collect<B: Proxy<D>, K: Block<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        plan: &Plan<D>,
        ruler: &Ruler,
        range: Range<usize>,
        stage: &mut Vec<(u32, Record<D>)>,
    ) {
        self.huge.clear();
        self.starts.clear();
        self.starts.resize(ruler.buckets + 2, 0);
        stage.clear();

        if let Some(level) = plan.only_level() {
            for n in range {
                let span = plan.frame.span(&scene.bodies[n].bounds());
                self.enter::<K>(plan, level, ruler, tag(n, 0), &span, stage);
            }
            return self.part(stage);
        }

        for n in range {
            match plan.place(scene, n) {
                Place::None => {}
                Place::Huge => self.huge.push(n as BodyId),
                Place::At(level, span) => plan.for_each_image(span, |image, span| {
                    self.enter::<K>(
                        plan,
                        &plan.levels[level],
                        ruler,
                        tag(n, image),
                        &span,
                        stage,
                    );
                }),
            }
        }

        self.part(stage);
    }

    /// Inlined, so that loop invariants stay in registers: as a call it took twice as long.
    #[inline(always)]
    fn enter<K: Block<D>>(
        &mut self,
        plan: &Plan<D>,
        level: &Level<D>,
        ruler: &Ruler,
        tag: u32,
        span: &Span<D>,
        stage: &mut Vec<(u32, Record<D>)>,
    ) {
        let row = level.row_of(span);
        let packed = K::pack(span, plan.frame.slack);
        let bucket = ruler.bucket(row, packed.first[0]);
        self.starts[bucket as usize + 2] += 1;
        stage.push((bucket, Record { row, tag, packed }));
    }

    fn part(&mut self, stage: &[(u32, Record<D>)]) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }

        resize_snugly(&mut self.records, sum as usize, Record::BLANK);
        for (bucket, record) in stage {
            let place = &mut self.starts[*bucket as usize + 1];
            self.records[*place as usize] = *record;
            *place += 1;
        }
    }

    fn bucket(&self, k: usize) -> &[Record<D>] {
        &self.records[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

/// Row first, then the key, with the f32 mapped to an ordered integer.
#[inline]
fn sort_key(row: u32, key: f32) -> u64 {
    let bits = key.to_bits();
    let ordered = bits ^ (((bits as i32 >> 31) as u32) | 1 << 31);
    u64::from(row) << 32 | u64::from(ordered)
}

impl<const D: usize> Scratch<D> {
    /// Collects bucket k of all parts and sorts its keys.
    fn sort(&mut self, parts: &[Part<D>], k: usize, ruler: &Ruler) {
        self.records.clear();
        parts
            .iter()
            .for_each(|part| self.records.extend_from_slice(part.bucket(k)));
        let count = self.records.len();
        self.counts.clear();
        self.counts.resize(count + 2, 0);
        self.keys.resize(count, (0, 0));
        let (begin, fine) = (k as f64 / ruler.per_bucket, ruler.per_bucket * count as f64);

        let division = |record: &Record<D>| {
            let place = ruler.place(record.row, record.packed.first[0]) - begin;
            ((place * fine) as i32 as usize).min(count - 1)
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
            self.keys[*place as usize] = (sort_key(record.row, record.packed.first[0]), n as u32);
            *place += 1;
        }

        self.finish();
    }

    /// Sorts within each division; the divisions themselves are already in order.
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

    /// Writes the sorted bodies to the blocks from `at` on, padding the last with empty lanes;
    /// returns the number of blocks.
    fn write<K: Block<D>>(&self, slices: &mut Slices<K>, at: usize) -> usize {
        let Some(&(_, last)) = self.keys.last() else {
            return 0;
        };
        let last = &self.records[last as usize];
        let empty = Record {
            row: last.row,
            tag: EMPTY_LANE,
            packed: K::empty_lane(&last.packed),
        };

        for (n, keys) in self.keys.chunks(LANES).enumerate() {
            let block = &mut slices.blocks[at + n];
            for lane in 0..LANES {
                let record = keys
                    .get(lane)
                    .map_or(&empty, |&(_, n)| &self.records[n as usize]);
                block.set(lane, &record.packed);
                slices.tags[(at + n) * LANES + lane] = record.tag;
                slices.rows[(at + n) * LANES + lane] = record.row;
            }
        }

        self.keys.len().div_ceil(LANES)
    }
}

/// A contiguous part of the lanes, to be written by one thread.
struct Slices<'a, K> {
    blocks: &'a mut [K],
    tags: &'a mut [u32],
    rows: &'a mut [u32],
}

impl<'a, K> Slices<'a, K> {
    fn of<const D: usize>(lanes: &'a mut Lanes<D>) -> Self
    where
        K: Block<D>,
    {
        let (blocks, tags, rows) = K::parts_mut(lanes);
        Self { blocks, tags, rows }
    }

    fn take_front(&mut self, blocks: usize) -> Self {
        fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
            let (front, rest) = std::mem::take(slice).split_at_mut(count);
            *slice = rest;
            front
        }
        Self {
            blocks: front(&mut self.blocks, blocks),
            tags: front(&mut self.tags, blocks * LANES),
            rows: front(&mut self.rows, blocks * LANES),
        }
    }
}
