//! A kept list of neighbours: most steps only test again the pairs that are near.
//!
//! The bodies, each grown by a margin, give a list of candidates (Verlet's list). While no body has moved by more than
//! the margin, every overlapping pair is on it, and a step tests the list, in f64: the answer is exact whatever the
//! margin. Bodies that did move farther, or came anew, are looked up one by one in the columns of the last build, so
//! that a few runaways do not end the list. The margin is chosen from the motion (`skin.rs`).
//!
//! Cost: O(N + candidates) for a step, and a build of [`Columns`] once in the life of a list.

use super::columns::Columns;
use super::motion::Motion;
use super::skin::Outlook;
use super::{Body, BodyId, BroadPhase, Counters, InvalidScene, Kind, Pair, Period, Scene, tasks};
use crate::space::Aabb;

/// How thick the skin of a [`KeptList`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Skin {
    /// As the motion asks for.
    #[default]
    Auto,
    /// Every body is grown by this length.
    Margin(f64),
}

/// Of so many bodies one may be a stray before the list is built anew; a stray costs as much as some hundred others.
const STRAYS: usize = 256;

/// Overlapping pairs from a list that is kept while bodies move little.
#[derive(Clone, Debug)]
pub struct KeptList<const D: usize> {
    skin: Skin,
    pub(super) columns: Columns<D>,
    motion: Motion<D>,
    kept: Option<Kept<D>>,
    candidates: Vec<Pair>,
    /// Where bodies were when the list was built.
    anchors: Vec<Anchor<D>>,
    scans: Vec<Scan>,
    extra: Vec<Pair>,
    strays: Vec<BodyId>,
    pub(super) memory: Memory,
    counters: Counters,
}

/// What a list was built for.
#[derive(Clone, Copy, Debug)]
struct Kept<const D: usize> {
    kind: Kind,
    period: Period<D>,
    margin: f64,
    motion: f64,
    age: f64,
}

/// What past steps taught.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// Travel in the last step, if it is known.
    pub(super) motion: Option<f64>,
    /// Pairs that the last step found.
    pub(super) pairs: usize,
    persistence: f64,
}

/// One task's share of a step.
#[derive(Clone, Debug, Default)]
struct Scan {
    strays: Vec<BodyId>,
    pairs: Vec<Pair>,
    fault: Option<InvalidScene>,
}

/// The ends of a body's box when the list was built, in f32 to spare memory.
#[derive(Clone, Copy, Debug)]
struct Anchor<const D: usize> {
    low: [f32; D],
    up: [f32; D],
}

impl<const D: usize> Default for KeptList<D> {
    fn default() -> Self {
        Self {
            skin: Skin::default(),
            columns: Columns::default(),
            motion: Motion::default(),
            kept: None,
            candidates: Vec::new(),
            anchors: Vec::new(),
            scans: Vec::new(),
            extra: Vec::new(),
            strays: Vec::new(),
            memory: Memory { motion: None, pairs: 0, persistence: 1.0 },
            counters: Counters::default(),
        }
    }
}

impl<const D: usize> BroadPhase<D> for KeptList<D> {
    fn find_pairs<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        scene.check_frame()?;
        self.observe(scene);
        if !self.still_good(scene)? {
            let margin = match self.skin {
                Skin::Auto => self.outlook(scene).best_margin().0,
                Skin::Margin(margin) => margin,
            };
            self.rebuild(scene, margin)?;
        }
        self.step(scene, pairs);
        Ok(())
    }

    fn counters(&self) -> Counters {
        let mut all = self.counters;
        all += self.columns.counters();
        all
    }
}

impl<const D: usize> KeptList<D> {
    /// A list with this skin; [`KeptList::default`] chooses it from the motion.
    pub fn with_skin(skin: Skin) -> Self {
        Self { skin, ..Self::default() }
    }

    /// Bytes held, beside lists of pairs.
    pub fn memory(&self) -> usize {
        self.columns.memory() + self.anchors.capacity() * size_of::<Anchor<D>>()
    }

    /// Watches the motion.
    pub(super) fn observe<B: Body<D>>(&mut self, scene: &Scene<B, D>) {
        self.memory.motion = self.motion.observe(scene);
    }

    /// What the next list may expect.
    pub(super) fn outlook<B: Body<D>>(&self, scene: &Scene<B, D>) -> Outlook {
        let edge = self.columns.mean_edge().unwrap_or(0.0);
        Outlook {
            // Unknown motion: a list that would last some ten steps.
            motion: self.memory.motion.unwrap_or(0.005 * edge),
            edge,
            pairs: self.memory.pairs as f64 / scene.bodies.len().max(1) as f64,
            persistence: self.memory.persistence,
            dimension: D as i32,
        }
    }

    /// Forgets the list.
    pub(super) fn forget(&mut self) {
        self.kept = None;
    }

    /// Checks the bodies and finds the strays; false if the list cannot be used for this scene.
    pub(super) fn still_good<B: Body<D>>(&mut self, scene: &Scene<B, D>) -> Result<bool, InvalidScene> {
        let Some(kept) = &mut self.kept else { return Ok(false) };
        let bodies = scene.bodies.len();
        if kept.kind != B::KIND || kept.period != scene.period || bodies < self.anchors.len() {
            self.kept = None;
            return Ok(false);
        }
        kept.age += 1.0;
        let margin = kept.margin;
        let most = (bodies / STRAYS).max(4);
        let tasks = tasks::count(bodies);
        self.scans.resize_with(self.scans.len().max(tasks), Scan::default);
        let (anchors, columns) = (&self.anchors, &self.columns);
        tasks::for_each(&mut self.scans[..tasks], |task, scan| {
            let range = tasks::begin(task, tasks, bodies)..tasks::begin(task + 1, tasks, bodies);
            scan.find_strays(scene, range, anchors, columns, margin, most);
        });
        self.scans[..tasks].iter().find_map(|scan| scan.fault).map_or(Ok(()), Err)?;
        self.strays.clear();
        self.scans[..tasks].iter().for_each(|scan| self.strays.extend_from_slice(&scan.strays));
        if self.strays.len() > most {
            self.learn();
            self.kept = None;
        }
        Ok(self.kept.is_some())
    }

    /// Compares how long the list lasted with what straight motion would have made of it.
    fn learn(&mut self) {
        let Some(kept) = self.kept else { return };
        if kept.motion > 0.0 && kept.age > 1.0 {
            let ratio = ((kept.age - 1.0) * kept.motion / kept.margin).clamp(1.0, 16.0);
            self.memory.persistence = 0.5 * (self.memory.persistence + ratio);
        } else {
            self.memory.persistence = 1.0;
        }
    }

    /// Builds a list with this margin.
    pub(super) fn rebuild<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        margin: f64,
    ) -> Result<(), InvalidScene> {
        self.kept = None;
        self.columns.build(scene, margin)?;
        self.columns.candidates(scene, &mut self.candidates);
        let columns = &self.columns;
        self.anchors.resize(scene.bodies.len(), Anchor { low: [0.0; D], up: [0.0; D] });
        let tasks = tasks::count(scene.bodies.len());
        let mut chunks: Vec<_> = self.anchors.chunks_mut(scene.bodies.len().div_ceil(tasks).max(1)).collect();
        let size = chunks.first().map_or(0, |chunk| chunk.len());
        tasks::for_each(&mut chunks, |task, chunk| {
            for (n, anchor) in (task * size..).zip(chunk.iter_mut()) {
                *anchor = Anchor::of(scene, n, columns);
            }
        });
        let motion = self.memory.motion.unwrap_or(0.0);
        self.kept = Some(Kept { kind: B::KIND, period: scene.period, margin, motion, age: 0.0 });
        self.strays.clear();
        Ok(())
    }

    /// Tests the list, and looks up the strays.
    pub(super) fn step<B: Body<D>>(&mut self, scene: &Scene<B, D>, pairs: &mut Vec<Pair>) {
        self.counters.list_steps += 1;
        self.counters.tests += self.candidates.len() as u64;
        self.counters.exact_tests += self.candidates.len() as u64;
        self.counters.strays += self.strays.len() as u64;
        if rayon::current_num_threads() == 1 {
            keep_overlapping(scene, &self.candidates, pairs);
        } else {
            self.test_in_parallel(scene, pairs);
        }
        if !self.strays.is_empty() {
            self.look_up_strays(scene);
            merge_into(&mut self.extra, pairs);
        }
        self.memory.pairs = pairs.len();
    }

    fn test_in_parallel<B: Body<D>>(&mut self, scene: &Scene<B, D>, pairs: &mut Vec<Pair>) {
        let (candidates, tasks) = (&self.candidates, tasks::count(self.candidates.len()));
        self.scans.resize_with(self.scans.len().max(tasks), Scan::default);
        tasks::for_each(&mut self.scans[..tasks], |task, scan| {
            let begin = |task| tasks::begin(task, tasks, candidates.len());
            keep_overlapping(scene, &candidates[begin(task)..begin(task + 1)], &mut scan.pairs);
        });
        pairs.clear();
        self.scans[..tasks].iter().for_each(|scan| pairs.extend_from_slice(&scan.pairs));
    }

    /// Pairs of strays with everybody.
    fn look_up_strays<B: Body<D>>(&mut self, scene: &Scene<B, D>) {
        self.extra.clear();
        self.columns.look_up(scene, &self.strays, &mut self.extra);
        for (n, &stray) in self.strays.iter().enumerate() {
            let others = self.strays[n + 1..].iter();
            let meets = others.filter(|&&other| scene.pair_overlaps(stray, other));
            self.extra.extend(meets.map(|&other| Pair::new(stray, other)));
        }
    }
}

/// Replaces `pairs` by the candidates that overlap, without a branch: whether one does is as good as random.
fn keep_overlapping<B: Body<D>, const D: usize>(
    scene: &Scene<B, D>,
    candidates: &[Pair],
    pairs: &mut Vec<Pair>,
) {
    if pairs.len() < candidates.len() {
        pairs.resize(candidates.len(), Pair::default());
    }
    let mut kept = 0;
    if scene.filters.is_empty() && !scene.period.repeats() {
        for &pair in candidates {
            pairs[kept] = pair;
            let (a, b) = (&scene.bodies[pair.a as usize], &scene.bodies[pair.b as usize]);
            kept += usize::from(a.overlaps(b));
        }
    } else {
        for &pair in candidates {
            pairs[kept] = pair;
            kept += usize::from(scene.pair_overlaps(pair.a, pair.b));
        }
    }
    pairs.truncate(kept);
}

/// Merges pairs, in any order and perhaps doubled, into a sorted list, in place.
fn merge_into(extra: &mut Vec<Pair>, pairs: &mut Vec<Pair>) {
    extra.sort_unstable();
    extra.dedup();
    extra.retain(|pair| pairs.binary_search(pair).is_err());
    let (mut old, mut new) = (pairs.len(), extra.len());
    pairs.resize(old + new, Pair::default());
    while new > 0 {
        if old > 0 && pairs[old - 1] > extra[new - 1] {
            pairs[old + new - 1] = pairs[old - 1];
            old -= 1;
        } else {
            pairs[old + new - 1] = extra[new - 1];
            new -= 1;
        }
    }
}

impl Scan {
    /// Bodies of the range that have no anchor within the margin; stops when there are too many.
    fn find_strays<B: Body<D>, const D: usize>(
        &mut self,
        scene: &Scene<B, D>,
        range: std::ops::Range<usize>,
        anchors: &[Anchor<D>],
        columns: &Columns<D>,
        margin: f64,
        most: usize,
    ) {
        self.strays.clear();
        self.fault = None;
        for n in range {
            if let Err(fault) = scene.check_body(n) {
                self.fault = Some(fault);
                return;
            }
            let near = anchors.get(n).is_some_and(|anchor| {
                anchor.travel::<B>(scene, &scene.bodies[n].bounds(), columns) <= margin
            });
            if !near && scene.is_on(n) && self.strays.len() <= most {
                self.strays.push(n as BodyId);
            }
        }
    }
}

impl<const D: usize> Anchor<D> {
    /// Where body `n` is; nowhere if it is switched off.
    fn of<B: Body<D>>(scene: &Scene<B, D>, n: usize, columns: &Columns<D>) -> Self {
        if !scene.is_on(n) {
            return Self { low: [f32::NAN; D], up: [f32::NAN; D] };
        }
        let origin = columns.origin();
        let bounds = scene.bodies[n].bounds();
        Self {
            low: std::array::from_fn(|k| (bounds.min[k] - origin[k]) as f32),
            up: std::array::from_fn(|k| (bounds.max[k] - origin[k]) as f32),
        }
    }

    /// Bound on how far a point of the body moved since; NaN if it was not there.
    #[inline]
    fn travel<B: Body<D>>(&self, scene: &Scene<B, D>, now: &Aabb<D>, columns: &Columns<D>) -> f64 {
        let origin = columns.origin();
        let mut moves = [0.0; D];
        for k in 0..D {
            let (low, up) = (f64::from(self.low[k]), f64::from(self.up[k]));
            let (mut below, mut above) =
                (difference(now.min[k] - origin[k], low), difference(now.max[k] - origin[k], up));
            if scene.period.lengths[k].is_some() {
                below = scene.period.nearest(k, below);
                above = scene.period.nearest(k, above);
            }
            let (below, above) = (below.abs() + error(low), above.abs() + error(up));
            moves[k] = if below > above { below } else { above };
            if below.is_nan() || above.is_nan() {
                return f64::NAN;
            }
        }
        B::travel(moves)
    }
}

/// x − y, and zero where both are the same infinity: the end of a wall.
#[inline]
fn difference(x: f64, y: f64) -> f64 {
    if x == y { 0.0 } else { x - y }
}

/// Bound on what an end of this size lost by one rounding to f32 and a few in f64.
#[inline]
fn error(end: f64) -> f64 {
    const SHARE: f64 = 1.0 / (1u32 << 23) as f64;
    if end.is_infinite() { 0.0 } else { SHARE * end.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::Ball;
    use crate::broad::contract::{agree, crowd};
    use crate::space::{Random, Vector};

    #[test]
    fn a_list_lasts_many_small_steps() {
        let mut balls: Vec<Ball<3>> = crowd(2000, 1.5, 1);
        let (mut list, mut random, mut pairs) = (KeptList::default(), Random::new(3), Vec::new());
        for _ in 0..50 {
            agree(&mut list, &Scene::of(&balls), &mut pairs);
            balls.iter_mut().for_each(|ball| ball.centre += random.direction::<3>() * 0.001);
        }
        let counters = list.counters();
        assert_eq!(counters.list_steps, 50);
        assert!(counters.rebuilds <= 6, "{counters:?}");
    }

    #[test]
    fn a_runaway_does_not_end_the_list() {
        let mut balls: Vec<Ball<3>> = crowd(2000, 1.5, 1);
        let (mut list, mut pairs) = (KeptList::with_skin(Skin::Margin(0.1)), Vec::new());
        for step in 0..30 {
            balls[7].centre += Vector::repeat(0.3);
            balls[1234].centre -= Vector::x() * 0.2;
            if step == 20 {
                balls.push(Ball::new(balls[9].centre, 0.4));
            }
            assert!(agree(&mut list, &Scene::of(&balls), &mut pairs) > 100);
        }
        let counters = list.counters();
        assert_eq!(counters.rebuilds, 1);
        assert!(counters.strays > 50, "{counters:?}");
    }

    #[test]
    fn extra_pairs_are_merged_in_place() {
        let pair = |n: u32| Pair { a: n / 10, b: n % 10 };
        let mut pairs: Vec<Pair> = [3, 14, 25].map(pair).to_vec();
        merge_into(&mut [29, 14, 2, 29, 18].map(pair).to_vec(), &mut pairs);
        assert_eq!(pairs, [2, 3, 14, 18, 25, 29].map(pair));
    }
}
