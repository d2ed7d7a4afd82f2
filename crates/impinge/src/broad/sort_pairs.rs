//! Merges the pairs found by many tasks into one sorted list, in time linear in bodies and pairs.
//!
//! Each task partitions its own pairs by the upper bits of `a`. Each bucket then collects its
//! segments from all tasks, runs a counting sort on the lower bits of `a`, and writes the few
//! partners of each body to their ranks. Every stage stays within a cache: 16 ns for a particle with
//! two pairs, against 90 ns for a comparison sort.

use super::{Pair, tasks};
use std::ops::Range;

/// Log2 of the smallest bucket, which is a range of 2^12 bodies: its counters take 16 kB.
const LEAST_SHIFT: u32 = 12;

/// Maximum number of buckets; beyond it the ranges grow instead.
const MOST_BUCKETS: usize = 1024;

/// Numbers of partners of one body up to which each is compared with all others, without branches;
/// more are sorted by the standard library.
const FEW: usize = 8;
const SOME: usize = 16;

/// A pair, optionally with a payload.
pub(super) trait Paired: Copy + Default + Send + Sync {
    fn pair(&self) -> Pair;
}

impl Paired for Pair {
    #[inline]
    fn pair(&self) -> Pair {
        *self
    }
}

/// The pairs found by one task.
#[derive(Clone, Debug, Default)]
pub(super) struct Found<T = Pair> {
    /// In the order in which they were found.
    pub(super) pairs: Vec<T>,
    parted: Vec<T>,
    /// Bucket k is `parted[starts[k]..starts[k + 1]]`.
    starts: Vec<u32>,
}

/// Scratch memory of the merge, reused from step to step.
#[derive(Clone, Debug)]
pub(super) struct Merger<T = Pair> {
    scratch: Vec<Scratch<T>>,
}

/// Scratch memory for one group of buckets.
#[derive(Clone, Debug)]
struct Scratch<T> {
    counts: Vec<u32>,
    /// The pairs of a bucket, by body.
    pairs: Vec<T>,
}

impl<T> Default for Merger<T> {
    fn default() -> Self {
        Self {
            scratch: Vec::new(),
        }
    }
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            pairs: Vec::new(),
        }
    }
}

/// Assignment of bodies to buckets: body a is in bucket a >> shift.
#[derive(Clone, Copy)]
struct Buckets {
    shift: u32,
    count: usize,
}

impl Buckets {
    fn of(bodies: usize) -> Self {
        let mut shift = LEAST_SHIFT;
        while bodies >> shift >= MOST_BUCKETS {
            shift += 1;
        }

        Self {
            shift,
            count: (bodies >> shift) + 1,
        }
    }
}

impl<T: Paired> Found<T> {
    /// Partitions the pairs of a task among `bodies` bodies by bucket.
    pub(super) fn take(&mut self, pairs: &[T], bodies: usize) {
        self.part_of(pairs, Buckets::of(bodies));
    }

    /// Returns the number of partitioned pairs.
    pub(super) fn len(&self) -> usize {
        self.parted.len()
    }

    fn part(&mut self, buckets: Buckets) {
        let pairs = std::mem::take(&mut self.pairs);
        self.part_of(&pairs, buckets);
        self.pairs = pairs;
    }

    /// Stable partition of pairs by bucket.
    fn part_of(&mut self, pairs: &[T], buckets: Buckets) {
        self.starts.clear();
        self.starts.resize(buckets.count + 2, 0);

        // Shifted by two: after the prefix sum, entry k + 1 is where bucket k begins; filling the
        // bucket advances it to where the bucket ends.
        for pair in pairs {
            self.starts[(pair.pair().a >> buckets.shift) as usize + 2] += 1;
        }

        prefix_sum(&mut self.starts);
        self.parted.clear();
        self.parted.resize(pairs.len(), T::default());

        for &pair in pairs {
            let place = &mut self.starts[(pair.pair().a >> buckets.shift) as usize + 1];
            self.parted[*place as usize] = pair;
            *place += 1;
        }
    }

    fn bucket(&self, k: usize) -> &[T] {
        &self.parted[self.starts[k] as usize..self.starts[k + 1] as usize]
    }

    /// Returns the memory in use in bytes.
    pub(super) fn memory(&self) -> usize {
        (self.pairs.capacity() + self.parted.capacity()) * size_of::<T>()
            + self.starts.capacity() * 4
    }
}

fn prefix_sum(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

impl<T: Paired> Merger<T> {
    /// Replaces `pairs` with all pairs found, sorted. Body indices are below `bodies`.
    pub(super) fn merge(&mut self, found: &mut [Found<T>], bodies: usize, pairs: &mut Vec<T>) {
        // Every element is overwritten, so the old contents need not be cleared.
        let total = found.iter().map(|f| f.pairs.len()).sum();
        pairs.resize(total, T::default());
        let buckets = Buckets::of(bodies);
        tasks::for_each(found, |_, found| found.part(buckets));
        self.write(found, bodies, pairs);
    }

    /// Writes all pairs, which have been partitioned, sorted. `out` has room for exactly all.
    pub(super) fn write<O: From<T> + Send>(
        &mut self,
        found: &[Found<T>],
        bodies: usize,
        out: &mut [O],
    ) {
        let buckets = Buckets::of(bodies);
        let groups = tasks::groups(buckets.count);
        self.scratch
            .resize_with(self.scratch.len().max(groups), Scratch::default);
        let mut jobs = Vec::with_capacity(groups);
        let mut rest = out;

        for (group, scratch) in self.scratch[..groups].iter_mut().enumerate() {
            let range = tasks::begin(group, groups, buckets.count)
                ..tasks::begin(group + 1, groups, buckets.count);
            let length = range.clone().map(|k| bucket_len(found, k)).sum();
            let (mine, others) = rest.split_at_mut(length);
            rest = others;
            jobs.push((range, mine, scratch));
        }

        tasks::for_each(&mut jobs, |_, (range, mine, scratch)| {
            let mut at = 0;
            for k in range.clone() {
                let length = bucket_len(found, k);
                scratch.collect(found, k, length, buckets.shift);
                scratch.write(&mut mine[at..at + length]);
                at += length;
            }
        });
    }

    /// Returns the memory in use in bytes.
    pub(super) fn memory(&self) -> usize {
        let one = |s: &Scratch<T>| s.counts.capacity() * 4 + s.pairs.capacity() * size_of::<T>();
        self.scratch.iter().map(one).sum()
    }
}

/// Returns the number of pairs in bucket k of all tasks.
fn bucket_len<T: Paired>(found: &[Found<T>], k: usize) -> usize {
    found.iter().map(|part| part.bucket(k).len()).sum()
}

impl<T: Paired> Scratch<T> {
    /// Collects the pairs of bucket k, of this total length, body by body. Afterwards, those of a body are
    /// between consecutive counts.
    fn collect(&mut self, found: &[Found<T>], k: usize, length: usize, shift: u32) {
        let mask = (1u32 << shift) - 1;
        self.counts.clear();
        self.counts.resize((1usize << shift) + 2, 0);
        // Every element is overwritten.
        self.pairs.resize(length, T::default());

        for part in found {
            for pair in part.bucket(k) {
                self.counts[(pair.pair().a & mask) as usize + 2] += 1;
            }
        }

        prefix_sum(&mut self.counts);
        for part in found {
            for &pair in part.bucket(k) {
                let place = &mut self.counts[(pair.pair().a & mask) as usize + 1];
                self.pairs[*place as usize] = pair;
                *place += 1;
            }
        }
    }

    /// Writes the collected pairs in order.
    fn write<O: From<T>>(&mut self, out: &mut [O]) {
        for ends in self.counts.windows(2) {
            let of_body = ends[0] as usize..ends[1] as usize;
            match of_body.len() {
                0 => {}
                1 => out[of_body.start] = self.pairs[of_body.start].into(),
                count if count <= FEW => self.rank::<FEW, O>(of_body, out),
                count if count <= SOME => self.rank::<SOME, O>(of_body, out),
                _ => {
                    let pairs = &mut self.pairs[of_body.clone()];
                    pairs.sort_unstable_by_key(|pair| pair.pair().b);
                    let pairs = pairs.iter().map(|&pair| pair.into());
                    out[of_body]
                        .iter_mut()
                        .zip(pairs)
                        .for_each(|(to, from)| *to = from);
                }
            }
        }
    }

    /// Writes each of at most N pairs of a body to its rank: the number of partners before its own. In
    /// random order, a sort by exchanges would mispredict half of its branches.
    #[inline(always)]
    fn rank<const N: usize, O: From<T>>(&self, of_body: Range<usize>, out: &mut [O]) {
        let (pairs, out) = (&self.pairs[of_body.clone()], &mut out[of_body]);
        let mut partners = [i32::MAX; N];
        for (partner, pair) in partners.iter_mut().zip(pairs) {
            // Body indices are below 2^31; signed numbers compare faster.
            *partner = pair.pair().b as i32;
        }

        for (n, &pair) in pairs.iter().enumerate() {
            let mut rank = 0;
            for m in 0..N {
                // Of equal ones, the first comes first.
                let is_before =
                    (partners[m] < partners[n]) | (partners[m] == partners[n]) & (m < n);
                rank += u32::from(is_before);
            }
            out[rank as usize] = pair.into();
        }
    }
}

#[cfg(test)]
mod tests;
