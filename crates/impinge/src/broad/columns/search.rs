//! The search: every body against the sorted rows around it.
//!
//! Within its own row a body looks upwards only; of the neighbouring rows of its level it looks at half; and it looks at
//! all rows of finer levels that it may reach. So every pair is met once [Stratbuecker2003, section 4.3, without the
//! misses of section 5]. In each row the search begins where `low` is within the longest body below its own, which only
//! moves upwards as the row is walked, and ends where `low` passes its `up`.

use super::frame::Span;
use super::grid::RowStart;
use super::lanes::{LANES, Lanes, Probe, body_of, image_of};
use super::plan::Plan;
use crate::broad::{Body, BodyId, Counters, Pair, Scene};
use std::ops::Range;

/// What to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Pairs that overlap and that the filters allow.
    Pairs,
    /// All pairs that may overlap: the filter's answer.
    Candidates,
}

/// A row that the bodies of another row look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowRow<const D: usize> {
    /// Bodies before this lie below all that look from now on.
    begin: u32,
    end: u32,
    /// Longest body of its level.
    reach: f32,
    /// The box around its bodies on all axes but the first; only rows of finer levels can be out of reach.
    low: [f32; D],
    up: [f32; D],
}

/// One search of the sorted bodies.
pub(super) struct Search<'a, B, const D: usize> {
    pub(super) scene: &'a Scene<'a, B, D>,
    pub(super) plan: &'a Plan<D>,
    pub(super) lanes: &'a Lanes<D>,
    pub(super) rows: &'a [RowStart],
    pub(super) wanted: Wanted,
    /// Overlap in the filter that is certain in fact; twice what two bodies' rounding outward can amount to.
    doubt: f32,
    slack: f32,
    repeats: bool,
}

impl<'a, B: Body<D>, const D: usize> Search<'a, B, D> {
    pub(super) fn new(
        scene: &'a Scene<'a, B, D>,
        plan: &'a Plan<D>,
        lanes: &'a Lanes<D>,
        rows: &'a [RowStart],
        wanted: Wanted,
    ) -> Self {
        let slack = plan.frame.slack as f32;
        Self { scene, plan, lanes, rows, wanted, doubt: 8.0 * slack, slack, repeats: scene.period.repeats() }
    }

    /// All pairs in which a body of the range is the one that looks.
    pub(super) fn range(
        &self,
        bodies: Range<usize>,
        window: &mut Vec<WindowRow<D>>,
        out: &mut Vec<Pair>,
    ) -> Counters {
        let mut counters = Counters::default();
        for (number, level) in self.plan.levels.iter().enumerate() {
            let mine = bodies.start.max(level.bodies.start)..bodies.end.min(level.bodies.end);
            if mine.is_empty() {
                continue;
            }
            let listed = &self.rows[level.rows.clone()];
            let first = listed.partition_point(|row| row.start as usize <= mine.start) - 1;
            // Where the rows on the next layer begin; moves upwards with the row.
            let mut ahead = level.rows.start + first;
            for at in level.rows.start + first..level.rows.end {
                let Range { start, end } = self.row_bodies(at);
                if start >= mine.end {
                    break;
                }
                window.clear();
                self.add_following(number, at, &mut ahead, window);
                let looking = start.max(mine.start)..end.min(mine.end);
                let finest = number == 0;
                let same = window.len();
                if !finest {
                    self.add_finer(number, at, looking.start, window);
                }
                for i in looking {
                    let probe = Probe::of::<B>(self.lanes.packed::<B>(i), self.lanes.tags[i], self.slack);
                    self.scan(&probe, i + 1, end, out, &mut counters);
                    let (around, finer) = window.split_at_mut(same);
                    for row in around {
                        self.look(&probe, row, out, &mut counters);
                    }
                    for row in finer {
                        if (1..D).all(|k| probe.low[k] <= row.up[k] && row.low[k] <= probe.up[k]) {
                            self.look(&probe, row, out, &mut counters);
                        }
                    }
                }
            }
        }
        counters
    }

    fn row_bodies(&self, at: usize) -> Range<usize> {
        let end = self.rows.get(at + 1).map_or(self.lanes.tags.len(), |next| next.start as usize);
        self.rows[at].start as usize..end
    }

    /// The half of the neighbouring rows of the same level that comes after row `at`.
    fn add_following(&self, level: usize, at: usize, ahead: &mut usize, window: &mut Vec<WindowRow<D>>) {
        let level = &self.plan.levels[level];
        let mut next = at + 1;
        for k in 1..D {
            let (low, up) = level.following(self.rows[at].row, k);
            let from = if k == 1 { &mut next } else { &mut *ahead };
            while *from < level.rows.end && self.rows[*from].row < low {
                *from += 1;
            }
            let near = (*from..level.rows.end).take_while(|&row| self.rows[row].row <= up);
            window.extend(near.map(|row| self.window_row(row, level.reach)));
        }
    }

    fn window_row(&self, at: usize, reach: f32) -> WindowRow<D> {
        let Range { start, end } = self.row_bodies(at);
        WindowRow { begin: start as u32, end: end as u32, reach, low: [0.0; D], up: [0.0; D] }
    }

    /// The rows of finer levels that bodies of row `at` may reach, from body `first` on.
    fn add_finer(&self, level: usize, at: usize, first: usize, window: &mut Vec<WindowRow<D>>) {
        let span = self.plan.levels[level].occupied(self.rows[at].row);
        let low = self.lanes.first[0][first];
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
                let mut row = self.window_row(at, level.reach);
                let keys = &self.lanes.first[0][row.begin as usize..row.end as usize];
                row.begin += keys.partition_point(|&key| key < low - level.reach) as u32;
                let occupied = level.occupied(self.rows[at].row);
                row.low = occupied.low.map(|x| x as f32 - self.slack);
                row.up = occupied.up.map(|x| x as f32 + self.slack);
                window.push(row);
            }
        });
    }

    /// One body against one row. Bodies that look come in the order of their lower ends.
    #[inline]
    fn look(&self, probe: &Probe<D>, row: &mut WindowRow<D>, out: &mut Vec<Pair>, counters: &mut Counters) {
        let keys = &self.lanes.first[0];
        let from = probe.low[0] - row.reach;
        let mut begin = row.begin;
        while begin < row.end && keys[begin as usize] < from {
            begin += 1;
        }
        counters.comparisons += u64::from(begin - row.begin) + 1;
        row.begin = begin;
        self.scan(probe, begin as usize, row.end as usize, out, counters);
    }

    /// One body against consecutive bodies, until one begins above it.
    #[inline]
    fn scan(&self, probe: &Probe<D>, begin: usize, end: usize, out: &mut Vec<Pair>, counters: &mut Counters) {
        let keys = &self.lanes.first[0];
        let mut at = begin;
        while at < end && keys[at] <= probe.up[0] {
            let mut touched = self.lanes.touched::<B>(at, probe);
            let count = LANES.min(end - at);
            touched &= (1 << count) - 1;
            counters.tests += count as u64;
            while touched != 0 {
                self.meet(probe, at + touched.trailing_zeros() as usize, out, counters);
                touched &= touched - 1;
            }
            at += LANES;
        }
    }

    /// A pair that passed the filter.
    #[inline]
    fn meet(&self, probe: &Probe<D>, at: usize, out: &mut Vec<Pair>, counters: &mut Counters) {
        let (one, other) = (probe.tag, self.lanes.tags[at]);
        if self.repeats && (image_of(one) & image_of(other) != 0 || body_of(one) == body_of(other)) {
            return;
        }
        let pair = Pair::new(body_of(one), body_of(other));
        if self.wanted == Wanted::Pairs {
            if !self.lanes.certain::<B>(at, probe, self.doubt) {
                counters.exact_tests += 1;
                if !self.scene.shapes_overlap(pair.a, pair.b) {
                    return;
                }
            }
            if !self.scene.allows(pair.a, pair.b) {
                return;
            }
        }
        out.push(pair);
    }

    /// All partners in the levels of one body that is in none, or not where the levels have it; only the bodies
    /// themselves, not their images. The box may be endless.
    pub(super) fn body(
        &self,
        body: BodyId,
        span: &Span<D>,
        window: &mut Vec<WindowRow<D>>,
        out: &mut Vec<Pair>,
    ) -> Counters {
        let mut counters = Counters::default();
        let low = span.low.map(|x| (x - self.plan.frame.slack) as f32);
        let up = span.up.map(|x| (x + self.plan.frame.slack) as f32);
        window.clear();
        for level in 0..self.plan.levels.len() {
            self.add_near(level, span, low[0], window);
        }
        let keys = &self.lanes.first[0];
        for row in window {
            for at in row.begin as usize..row.end as usize {
                if keys[at] > up[0] {
                    break;
                }
                counters.tests += 1;
                let other = self.lanes.tags[at];
                let meets = self.lanes.box_meets::<B>(at, &low, &up, self.slack);
                if meets && image_of(other) == 0 && other != body && self.accepts(body, other) {
                    out.push(Pair::new(body, other));
                }
            }
        }
        counters
    }

    fn accepts(&self, a: BodyId, b: BodyId) -> bool {
        self.wanted == Wanted::Candidates || self.scene.pair_overlaps(a, b)
    }
}
