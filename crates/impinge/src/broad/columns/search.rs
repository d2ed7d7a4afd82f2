//! The search: every body against the sorted rows around it.
//!
//! A body searches upwards in its own row, half of the neighbouring rows of its level, and all rows
//! of finer levels that it may reach. Every pair is thus met exactly once [Stratbuecker2003,
//! section 4.3, without the misses of section 5]. In each row the search begins where `low` is at
//! most the longest body's length below the body's own `low`. This start only moves upwards along
//! the row. The search ends where `low` exceeds the body's `up`.
//!
//! Bodies are processed in blocks of four: sixteen tests at once, with one loop over the blocks
//! that any of the four may reach. That makes twice as many tests as one body at a time, in half
//! the time: the range of a single body is essentially random, and mispredicted branches took most
//! of the time.

use super::frame::Span;
use super::grid::RowStart;
use super::hits::{Hit, Hits};
use super::lanes::{Block, EMPTY_LANE, LANES, Lanes, body_of, image_of};
use super::plan::Plan;
use crate::broad::{BodyId, BroadCounters, BroadScene, Pair, Proxy};
use std::ops::Range;

/// All lanes of a block.
const ALL: u32 = (1 << LANES) - 1;

/// Factor that repeats a mask of the other block's lanes for each of the four searching bodies.
const EACH_SEARCHER: u32 = 0x1111;

/// Bits of a hit of a block with itself: each body with those after it.
const AFTER_ITSELF: u32 = 0x08ce;

/// What the search reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Overlapping pairs that the filters allow.
    Pairs,
    /// All pairs that pass the f32 filter, as positions among the sorted bodies.
    Places,
}

/// A row searched by the bodies of another row, as a range of blocks. It may share its first and
/// last block with other rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowRow<const D: usize> {
    /// Blocks before this lie below all bodies still to be processed.
    begin: u32,
    first: u32,
    last: u32,
    /// Lanes of the first and of the last block that belong to the row.
    first_mask: u32,
    last_mask: u32,
    /// Longest body of its level.
    reach: f32,
    /// The box around its bodies on all axes but the first; only rows of finer levels can be out of
    /// reach.
    low: [f32; D],
    up: [f32; D],
}

impl<const D: usize> WindowRow<D> {
    fn of(bodies: Range<usize>, reach: f32) -> Self {
        let (first, last) = (bodies.start / LANES, (bodies.end - 1) / LANES);
        Self {
            begin: first as u32,
            first: first as u32,
            last: last as u32,
            first_mask: ALL << (bodies.start % LANES) & ALL,
            last_mask: ALL >> (LANES - 1 - (bodies.end - 1) % LANES),
            reach,
            low: [0.0; D],
            up: [0.0; D],
        }
    }

    /// Returns the bit mask of the block's lanes that belong to the row.
    #[inline]
    fn mask(&self, block: u32) -> u32 {
        let low = if block == self.first {
            self.first_mask
        } else {
            ALL
        };
        let up = if block == self.last {
            self.last_mask
        } else {
            ALL
        };

        low & up
    }
}

/// The searching bodies of one block and one row.
struct Searchers<K: Block<D>, const D: usize> {
    block: u32,
    probes: [K::Probe; LANES],
    /// Bits of a hit that belong to them.
    mask: u32,
    /// The range that they cover along the row.
    low: f32,
    up: f32,
}

impl<K: Block<D>, const D: usize> Searchers<K, D> {
    #[inline(always)]
    fn of(blocks: &[K], bodies: Range<usize>, slack: f32) -> Self {
        let (block, lanes) = (
            bodies.start / LANES,
            bodies.start % LANES..(bodies.end - 1) % LANES + 1,
        );
        let four = &blocks[block];
        let mask = (1 << (LANES * lanes.end)) - (1 << (LANES * lanes.start));

        Self {
            block: block as u32,
            probes: std::array::from_fn(|lane| four.probe(lane)),
            mask,
            low: four.key(lanes.start),
            up: lanes
                .map(|lane| four.end(lane, slack))
                .fold(f32::NEG_INFINITY, |x, y| if x > y { x } else { y }),
        }
    }
}

/// Scratch memory and counters of one search task.
#[derive(Clone, Debug)]
pub(super) struct SearchTask<const D: usize> {
    window: Vec<WindowRow<D>>,
    pub(super) hits: Hits,
}

impl<const D: usize> Default for SearchTask<D> {
    fn default() -> Self {
        Self {
            window: Vec::new(),
            hits: Hits::default(),
        }
    }
}

/// One search of the sorted bodies.
pub(super) struct Search<'a, B, K, const D: usize> {
    scene: &'a BroadScene<'a, B, D>,
    plan: &'a Plan<D>,
    blocks: &'a [K],
    tags: &'a [u32],
    rows: &'a [RowStart],
    wanted: Wanted,
    /// Overlap in the filter beyond which the bodies certainly overlap: more than the outward
    /// rounding of two bodies.
    doubt: f32,
    slack: f32,
    repeats: bool,
}

impl<'a, B: Proxy<D>, K: Block<D>, const D: usize> Search<'a, B, K, D> {
    pub(super) fn new(
        scene: &'a BroadScene<'a, B, D>,
        plan: &'a Plan<D>,
        lanes: &'a Lanes<D>,
        rows: &'a [RowStart],
        wanted: Wanted,
    ) -> Self {
        let slack = plan.frame.slack as f32;
        Self {
            scene,
            plan,
            blocks: K::all(lanes),
            tags: &lanes.tags,
            rows,
            wanted,
            doubt: 8.0 * slack,
            slack,
            repeats: scene.period.repeats(),
        }
    }

    /// Finds all pairs whose searching body is in the range.
    pub(super) fn range(&self, bodies: Range<usize>, task: &mut SearchTask<D>) {
        for (number, level) in self.plan.levels.iter().enumerate() {
            let mine = bodies.start.max(level.bodies.start)..bodies.end.min(level.bodies.end);
            if mine.is_empty() {
                continue;
            }

            let listed = &self.rows[level.rows.clone()];
            let first = level.rows.start
                + listed.partition_point(|row| row.start as usize <= mine.start)
                - 1;

            // Where the rows of the next layer begin; moves upwards with the row.
            let mut ahead = first;
            for at in first..level.rows.end {
                let Range { start, end } = self.row_bodies(at);
                if start >= mine.end {
                    break;
                }
                let looking = start.max(mine.start)..end.min(mine.end);
                task.window.clear();
                self.add_following(number, at, &mut ahead, &mut task.window);
                let around = task.window.len();
                self.add_finer(number, at, looking.start, &mut task.window);
                self.row(looking, &WindowRow::of(start..end, 0.0), around, task);
            }
        }
        self.decide(&mut task.hits);
    }

    /// Tests the bodies of a row, in order, against the rest of their row and the rows of the
    /// window. The first `around` rows of the window are of their own level.
    fn row(
        &self,
        looking: Range<usize>,
        own: &WindowRow<D>,
        around: usize,
        task: &mut SearchTask<D>,
    ) {
        let SearchTask { window, hits } = task;
        let (around, finer) = window.split_at_mut(around);
        let mut begin = looking.start;

        while begin < looking.end {
            let end = ((begin / LANES + 1) * LANES).min(looking.end);
            let lookers = Searchers::of(self.blocks, begin..end, self.slack);
            // Their own row, upwards from themselves.
            self.scan(&lookers, lookers.block, own, AFTER_ITSELF, hits);
            for row in &mut *around {
                row.begin = self.skip(row, lookers.low - row.reach, hits);
                self.scan(&lookers, row.begin, row, !0, hits);
            }
            begin = end;
        }

        if !finer.is_empty() {
            looking.for_each(|i| self.look_into_finer(i, finer, hits));
        }
    }

    fn row_bodies(&self, at: usize) -> Range<usize> {
        let end = self
            .rows
            .get(at + 1)
            .map_or(self.tags.len(), |next| next.start as usize);
        self.rows[at].start as usize..end
    }

    /// Adds the half of the neighbouring rows of the same level that follows row `at`.
    fn add_following(
        &self,
        level: usize,
        at: usize,
        ahead: &mut usize,
        window: &mut Vec<WindowRow<D>>,
    ) {
        let level = &self.plan.levels[level];
        let mut next = at + 1;
        for k in 1..D {
            let (low, up) = level.following(self.rows[at].row, k);
            let from = if k == 1 { &mut next } else { &mut *ahead };
            while *from < level.rows.end && self.rows[*from].row < low {
                *from += 1;
            }
            let near = (*from..level.rows.end).take_while(|&row| self.rows[row].row <= up);
            window.extend(near.map(|row| WindowRow::of(self.row_bodies(row), level.reach)));
        }
    }

    /// Adds the rows of finer levels that bodies of row `at`, from body `first` on, may reach.
    fn add_finer(&self, level: usize, at: usize, first: usize, window: &mut Vec<WindowRow<D>>) {
        if level == 0 {
            return;
        }

        let span = self.plan.levels[level].occupied(self.rows[at].row);
        let low = self.blocks[first / LANES].key(first % LANES);
        for finer in 0..level {
            self.add_near(finer, &span, low, window);
        }
    }

    /// Adds the rows of a level near a box, each starting at the bodies that may reach `low`.
    fn add_near(&self, level: usize, span: &Span<D>, low: f32, window: &mut Vec<WindowRow<D>>) {
        let level = &self.plan.levels[level];
        let listed = &self.rows[level.rows.clone()];
        level.rows_near(span, |from, to| {
            let first = level.rows.start + listed.partition_point(|row| row.row < from);
            for at in first..level.rows.end {
                if self.rows[at].row > to {
                    break;
                }

                let mut row = WindowRow::of(self.row_bodies(at), level.reach);
                let blocks = &self.blocks[row.first as usize..row.last as usize];
                row.begin +=
                    blocks.partition_point(|block| block.key(LANES - 1) < low - level.reach) as u32;
                let occupied = level.occupied(self.rows[at].row);
                row.low = occupied.low.map(|x| x as f32 - self.slack);
                row.up = occupied.up.map(|x| x as f32 + self.slack);

                window.push(row);
            }
        });
    }

    /// Returns the first block of the row that may reach `from`. Searching bodies come in the order
    /// of their keys.
    #[inline(always)]
    fn skip(&self, row: &WindowRow<D>, from: f32, hits: &mut Hits) -> u32 {
        let mut begin = row.begin;
        // The last block is never skipped: its last key may belong to another row.
        while begin < row.last && self.blocks[begin as usize].key(LANES - 1) < from {
            begin += 1;
        }

        hits.counters.comparisons += u64::from(begin - row.begin) + 1;
        begin
    }

    /// Tests up to four bodies against a row, from a given block until one begins above them. Only
    /// hits in the mask's bits count.
    #[inline(always)]
    fn scan(
        &self,
        lookers: &Searchers<K, D>,
        begin: u32,
        row: &WindowRow<D>,
        mask: u32,
        hits: &mut Hits,
    ) {
        let (mut at, mut mask) = (begin, mask);
        loop {
            let block = &self.blocks[at as usize];
            let mut may = 0;
            for lane in 0..LANES {
                may |= block.touched(&lookers.probes[lane]) << (LANES * lane);
            }

            may &= mask & lookers.mask & (row.mask(at) * EACH_SEARCHER);
            self.note(
                Hit {
                    lookers: lookers.block,
                    block: at,
                    may,
                },
                hits,
            );
            at += 1;

            if at > row.last || self.blocks[at as usize].key(0) > lookers.up {
                break;
            }

            mask = !0;
        }

        hits.counters.tests += (LANES * LANES) as u64 * u64::from(at - begin);
    }

    /// Tests one body against rows of finer levels. It reaches many of their bodies, and the others
    /// of its block are far away.
    fn look_into_finer(&self, body: usize, finer: &mut [WindowRow<D>], hits: &mut Hits) {
        if self.tags[body] == EMPTY_LANE {
            return;
        }

        let (lookers, lane) = (body / LANES, body % LANES);
        let four = &self.blocks[lookers];
        let (low, up) = K::ends(&four.get(lane), self.slack);
        let probe = four.probe(lane);

        for row in finer {
            if !(1..D).all(|k| low[k] <= row.up[k] && row.low[k] <= up[k]) {
                continue;
            }

            row.begin = self.skip(row, low[0] - row.reach, hits);
            let mut at = row.begin;
            loop {
                let may =
                    (self.blocks[at as usize].touched(&probe) & row.mask(at)) << (LANES * lane);
                self.note(
                    Hit {
                        lookers: lookers as u32,
                        block: at,
                        may,
                    },
                    hits,
                );
                at += 1;

                if at > row.last || self.blocks[at as usize].key(0) > up[0] {
                    break;
                }
            }

            hits.counters.tests += LANES as u64 * u64::from(at - row.begin);
        }
    }

    #[inline(always)]
    fn note(&self, hit: Hit, hits: &mut Hits) {
        hits.note(hit);
        if hits.is_full() {
            self.decide(hits);
        }
    }

    /// Converts hits into pairs.
    #[inline(never)]
    fn decide(&self, hits: &mut Hits) {
        let (hits, pairs, counters) = hits.drain();
        for hit in hits {
            let mut may = hit.may;
            while may != 0 {
                let bit = may.trailing_zeros();
                may &= may - 1;
                let looker = hit.lookers * LANES as u32 + bit / LANES as u32;
                let place = hit.block * LANES as u32 + bit % LANES as u32;

                if self.is_pair(looker, place, counters) {
                    let body = |place: u32| body_of(self.tags[place as usize]);
                    pairs.push(match self.wanted {
                        Wanted::Pairs => Pair::new(body(looker), body(place)),
                        Wanted::Places => Pair {
                            a: looker,
                            b: place,
                        },
                    });
                }
            }
        }
    }

    /// Returns whether two bodies that passed the filter, given by position, are to be reported.
    #[inline]
    fn is_pair(&self, looker: u32, place: u32, counters: &mut BroadCounters) -> bool {
        let (one, other) = (self.tags[looker as usize], self.tags[place as usize]);
        if self.repeats && (image_of(one) & image_of(other) != 0 || body_of(one) == body_of(other))
        {
            return false;
        }

        if self.wanted == Wanted::Places {
            return true;
        }

        let packed = |place: u32| self.blocks[place as usize / LANES].get(place as usize % LANES);
        let (_, certain) = K::meets(&packed(looker), &packed(place), self.doubt);
        let pair = Pair::new(body_of(one), body_of(other));

        if !certain {
            counters.exact_tests += 1;
            if !self.scene.shapes_overlap(pair.a, pair.b) {
                return false;
            }
        }

        self.scene.allows(pair.a, pair.b)
    }

    /// Finds all partners in the levels of one body that is in no level, or has moved since the
    /// build. Considers only the bodies in the levels, not their images. The box may be infinite.
    pub(super) fn body(&self, body: BodyId, span: &Span<D>, task: &mut SearchTask<D>) {
        let SearchTask { window, hits } = task;
        let low = span.low.map(|x| (x - self.plan.frame.slack) as f32);
        let up = span.up.map(|x| (x + self.plan.frame.slack) as f32);
        window.clear();

        for level in 0..self.plan.levels.len() {
            self.add_near(level, span, low[0], window);
        }

        for row in window {
            for block in row.begin..=row.last {
                let (lanes, mask) = (&self.blocks[block as usize], row.mask(block));
                if block != row.begin && lanes.key(0) > up[0] {
                    break;
                }

                hits.counters.tests += LANES as u64;
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    let other = self.tags[block as usize * LANES + lane];
                    let theirs = K::ends(&lanes.get(lane), self.slack);
                    let meets = (0..D).all(|k| theirs.0[k] <= up[k] && low[k] <= theirs.1[k]);
                    if meets
                        && image_of(other) == 0
                        && other != body
                        && self.scene.pair_overlaps(body, other)
                    {
                        hits.pairs.push(Pair::new(body, other));
                    }
                }
            }
        }
    }
}
