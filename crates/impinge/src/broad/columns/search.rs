//! The search: every body against the sorted rows around it.
//!
//! Within its own row a body looks upwards only; of the neighbouring rows of its level it looks at half; and it looks at
//! all rows of finer levels that it may reach. So every pair is met once [Stratbuecker2003, section 4.3, without the
//! misses of section 5]. In each row the search begins where `low` is within the longest body below its own, which only
//! moves upwards as the row is walked, and ends where `low` passes its `up`.
//!
//! Bodies look in blocks of four: sixteen tests at once, with one loop over the blocks that any of the four may reach. That
//! is twice as many tests as one by one, and half of the time: how far a single body must look is as good as random, and
//! wrongly guessed branches took most of it.

use super::frame::Span;
use super::grid::RowStart;
use super::hits::{Hit, Hits};
use super::lanes::{Block, LANES, Lanes, NOBODY, body_of, image_of};
use super::plan::Plan;
use crate::broad::{BodyId, BroadCounters, BroadScene, Pair, Proxy};
use std::ops::Range;

/// All lanes of a block.
const ALL: u32 = (1 << LANES) - 1;

/// Bits of a hit for each lane of the other block.
const EACH_LOOKER: u32 = 0x1111;

/// Bits of a hit in a block with itself: each body with those after it.
const AFTER_ITSELF: u32 = 0x08ce;

/// What to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Pairs that overlap and that the filters allow.
    Pairs,
    /// All pairs that may overlap, the filter's answer, as places among the sorted bodies.
    Places,
}

/// A row that the bodies of another row look at, in blocks. Its first and last block it may share with other rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowRow<const D: usize> {
    /// Blocks before this lie below all that look from now on.
    begin: u32,
    first: u32,
    last: u32,
    /// Lanes of the first and of the last block that are in the row.
    first_mask: u32,
    last_mask: u32,
    /// Longest body of its level.
    reach: f32,
    /// The box around its bodies on all axes but the first; only rows of finer levels can be out of reach.
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

    /// Lanes of the block that are in the row, one bit for each.
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

/// The bodies of one block and one row that look around.
struct Lookers<K: Block<D>, const D: usize> {
    block: u32,
    probes: [K::Probe; LANES],
    /// Bits of a hit that are theirs.
    mask: u32,
    /// Ends of all of them along the row.
    low: f32,
    up: f32,
}

impl<K: Block<D>, const D: usize> Lookers<K, D> {
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

/// Memory of one task of a search, and what it counted.
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
    /// Overlap in the filter that is certain in fact: more than two bodies' rounding outward can amount to.
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

    /// All pairs in which a body of the range is the one that looks.
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
            // Where the rows on the next layer begin; moves upwards with the row.
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

    /// The bodies of a row, in order, against the rest of their row and the rows of the window, of which the first
    /// `around` are of their own level.
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
            let lookers = Lookers::of(self.blocks, begin..end, self.slack);
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

    /// The half of the neighbouring rows of the same level that comes after row `at`.
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

    /// The rows of finer levels that bodies of row `at` may reach, from body `first` on.
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

    /// The rows of a level near a box, each from where bodies that reach `low` begin.
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

    /// The first block of the row that may reach `from`. Bodies that look come in the order of their keys.
    #[inline(always)]
    fn skip(&self, row: &WindowRow<D>, from: f32, hits: &mut Hits) -> u32 {
        let mut begin = row.begin;
        // The last block is never skipped: its last key may be of another row.
        while begin < row.last && self.blocks[begin as usize].key(LANES - 1) < from {
            begin += 1;
        }
        hits.counters.comparisons += u64::from(begin - row.begin) + 1;
        begin
    }

    /// Up to four bodies against a row from a block on, of which only the bits of the mask count, until one begins
    /// above them.
    #[inline(always)]
    fn scan(
        &self,
        lookers: &Lookers<K, D>,
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
            may &= mask & lookers.mask & (row.mask(at) * EACH_LOOKER);
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

    /// One body against rows of finer levels. It reaches many of their bodies, and others of its block are far away.
    fn look_into_finer(&self, body: usize, finer: &mut [WindowRow<D>], hits: &mut Hits) {
        if self.tags[body] == NOBODY {
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

    /// Turns hits into pairs.
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

    /// Whether two bodies, by their places, that passed the filter are wanted.
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

    /// All partners in the levels of one body that is in none, or not where the levels have it; only the bodies
    /// themselves, not their images. The box may be endless.
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
