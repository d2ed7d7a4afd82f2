//! Sorted ends of boxes, kept from step to step [Schinner1997].
//!
//! On each axis the lower and upper ends of all boxes are kept in one sorted list. After the bodies have moved a little,
//! an insertion sort repairs the lists, and each exchange of two neighbours says by the paper's table what happens to
//! their pair: lower with lower, upper with upper: nothing; a lower end that falls below an upper end: the pair begins if
//! the boxes overlap on all other axes; an upper end that falls below a lower end: the pair ends. So the kept list of
//! pairs is brought up to date without looking at pairs that stay as they are.
//!
//! Cost: O(N + exchanges + pairs). At constant density and step length the exchanges grow as N^(5/3) in three dimensions
//! and N^(3/2) in two, because every list holds the ends of all bodies, and as N² in a chain, where bodies lie ever closer
//! on the axes across it: the paper's O(N) holds for some thousand to 20,000 bodies that move little. Exchanges are counted as they happen; past a budget the lists and the pairs are
//! built from scratch, so that a step in which everything jumps costs less than two builds.

mod items;

use super::columns::Columns;
use super::{Body, BroadPhase, Counters, InvalidScene, Pair, Scene};
use crate::space::Aabb;
use items::Items;
use std::cmp::Ordering;

/// Exchanges for each body beyond which a build from scratch is cheaper: an exchange takes some 4 ns, a build some
/// 500 ns for each body.
const EXCHANGES_PER_BODY: u64 = 64;

/// Share of the bodies that may come anew before a build from scratch is cheaper than sorting them in.
const NEWCOMERS: usize = 100;

/// One end of a box.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f64,
    /// Twice the number of the item, plus one for an upper end.
    code: u32,
}

impl End {
    fn item(self) -> usize {
        (self.code >> 1) as usize
    }

    fn is_upper(self) -> bool {
        self.code & 1 == 1
    }

    /// Whether it belongs after the other. Of equal values lower ends come first: boxes are closed.
    fn is_after(self, other: End) -> bool {
        self.value > other.value || (self.value == other.value && self.is_upper() && !other.is_upper())
    }

    fn order(&self, other: &End) -> Ordering {
        self.value.total_cmp(&other.value).then((self.code & 1).cmp(&(other.code & 1)))
    }
}

/// Insertion sort with a kept list of pairs.
#[derive(Clone, Debug)]
pub struct Sweep<const D: usize> {
    items: Items<D>,
    /// Boxes of the last step.
    before: Vec<Aabb<D>>,
    ends: [Vec<End>; D],
    /// Pairs of items whose boxes overlap, sorted.
    pairs: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    merged: Vec<Pair>,
    columns: Columns<D>,
    compact: Vec<Aabb<D>>,
    counters: Counters,
}

impl<const D: usize> Default for Sweep<D> {
    fn default() -> Self {
        Self {
            items: Items::default(),
            before: Vec::new(),
            ends: std::array::from_fn(|_| Vec::new()),
            pairs: Vec::new(),
            began: Vec::new(),
            ended: Vec::new(),
            merged: Vec::new(),
            columns: Columns::default(),
            compact: Vec::new(),
            counters: Counters::default(),
        }
    }
}

impl<const D: usize> BroadPhase<D> for Sweep<D> {
    fn find_pairs<B: Body<D>>(
        &mut self,
        scene: &Scene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene> {
        scene.check()?;
        // After an error the lists still hold the last good step.
        std::mem::swap(&mut self.before, &mut self.items.boxes);
        let same_items = self.items.take(scene, self.before.len());
        self.before.resize(self.items.boxes.len(), Aabb::EMPTY);
        if !same_items || !self.admit() || !self.repair() {
            self.rebuild();
        }
        self.write(scene, pairs);
        Ok(())
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl<const D: usize> Sweep<D> {
    /// Takes out what left and appends what came; false if too much came.
    fn admit(&mut self) -> bool {
        let (boxes, before) = (&self.items.boxes, &self.before);
        let came = (0..boxes.len()).filter(|&n| before[n].is_empty() && !boxes[n].is_empty());
        let newcomers = came.clone().count();
        if newcomers > self.ends[0].len() / NEWCOMERS + 2 {
            return false;
        }
        if (0..boxes.len()).any(|n| boxes[n].is_empty() && !before[n].is_empty()) {
            self.ends.iter_mut().for_each(|ends| ends.retain(|end| !boxes[end.item()].is_empty()));
            self.pairs.retain(|pair| [pair.a, pair.b].iter().all(|&n| !boxes[n as usize].is_empty()));
        }
        for ends in &mut self.ends {
            let codes = came.clone().flat_map(|n| [2 * n as u32, 2 * n as u32 + 1]);
            ends.extend(codes.map(|code| End { value: 0.0, code }));
        }
        true
    }

    /// Brings the lists and the pairs up to date; false if the exchanges passed the budget.
    fn repair(&mut self) -> bool {
        let budget = EXCHANGES_PER_BODY * self.ends[0].len() as u64 / 2;
        let start = self.counters.exchanges;
        self.began.clear();
        self.ended.clear();
        for axis in 0..D {
            self.move_ends(axis);
            if !self.insertion_sort(axis, start + budget) {
                return false;
            }
        }
        self.apply_events();
        true
    }

    fn move_ends(&mut self, axis: usize) {
        let boxes = &self.items.boxes;
        for end in &mut self.ends[axis] {
            let bounds = &boxes[end.item()];
            end.value = if end.is_upper() { bounds.max[axis] } else { bounds.min[axis] };
        }
    }

    fn insertion_sort(&mut self, axis: usize, most_exchanges: u64) -> bool {
        for i in 1..self.ends[axis].len() {
            let end = self.ends[axis][i];
            let mut j = i;
            while j > 0 && self.ends[axis][j - 1].is_after(end) {
                let passed = self.ends[axis][j - 1];
                self.ends[axis][j] = passed;
                self.exchange(passed, end);
                j -= 1;
            }
            self.ends[axis][j] = end;
            self.counters.comparisons += (i - j) as u64 + u64::from(j > 0);
            self.counters.exchanges += (i - j) as u64;
            if self.counters.exchanges > most_exchanges {
                return false;
            }
        }
        true
    }

    /// The table of the paper's page on the overlap status: `passed` stood before `end` and stands behind it now.
    fn exchange(&mut self, passed: End, end: End) {
        let (a, b) = (passed.item(), end.item());
        match (passed.is_upper(), end.is_upper()) {
            (true, false) => {
                self.counters.tests += 1;
                if self.items.may_pair(a, b) && self.items.boxes[a].overlaps(&self.items.boxes[b]) {
                    self.began.push(Pair::new(a as u32, b as u32));
                }
            }
            (false, true) => {
                self.counters.tests += 1;
                if self.items.may_pair(a, b) && self.before[a].overlaps(&self.before[b]) {
                    self.ended.push(Pair::new(a as u32, b as u32));
                }
            }
            _ => {}
        }
    }

    /// A pair may have begun or ended on several axes at once.
    fn apply_events(&mut self) {
        for events in [&mut self.began, &mut self.ended] {
            events.sort_unstable();
            events.dedup();
        }
        if self.began.is_empty() && self.ended.is_empty() {
            return;
        }
        self.merged.clear();
        let (mut began, mut ended) = (self.began.iter().peekable(), self.ended.iter().peekable());
        for &pair in &self.pairs {
            while let Some(&new) = began.next_if(|&&new| new < pair) {
                self.merged.push(new);
            }
            while ended.next_if(|&&old| old < pair).is_some() {}
            if ended.next_if_eq(&&pair).is_none() {
                self.merged.push(pair);
            }
        }
        self.merged.extend(began);
        std::mem::swap(&mut self.pairs, &mut self.merged);
    }

    /// Sorts all ends and finds all pairs from scratch.
    fn rebuild(&mut self) {
        self.counters.rebuilds += 1;
        let boxes = &self.items.boxes;
        let active: Vec<u32> = (0..boxes.len() as u32).filter(|&n| !boxes[n as usize].is_empty()).collect();
        for axis in 0..D {
            let ends = &mut self.ends[axis];
            ends.clear();
            ends.extend(active.iter().flat_map(|&n| [2 * n, 2 * n + 1]).map(|code| End { value: 0.0, code }));
            self.move_ends(axis);
            self.ends[axis].sort_unstable_by(End::order);
        }
        self.compact.clear();
        self.compact.extend(active.iter().map(|&n| self.items.boxes[n as usize]));
        self.columns
            .find_pairs(&Scene::of(&self.compact), &mut self.pairs)
            .expect("the boxes of a checked scene are good");
        // The numbers grow with those of the boxes, so that the list stays sorted.
        for pair in &mut self.pairs {
            *pair = Pair { a: active[pair.a as usize], b: active[pair.b as usize] };
        }
        let items = &self.items;
        self.pairs.retain(|pair| items.may_pair(pair.a as usize, pair.b as usize));
    }

    /// The pairs of bodies: those of items that overlap exactly and that the filters allow.
    fn write<B: Body<D>>(&self, scene: &Scene<B, D>, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let bodies =
            self.pairs.iter().map(|pair| Pair::new(self.items.body(pair.a), self.items.body(pair.b)));
        pairs.extend(bodies.filter(|pair| scene.pair_overlaps(pair.a, pair.b)));
        if self.items.images() {
            pairs.sort_unstable();
            pairs.dedup();
        }
    }

    /// Checks that lists and pairs are what a build from scratch would make of the last scene.
    ///
    /// # Panics
    /// If they are not.
    pub fn assert_valid(&self) {
        for (axis, ends) in self.ends.iter().enumerate() {
            assert!(ends.windows(2).all(|two| !two[0].is_after(two[1])), "axis {axis} is not sorted");
        }
        let mut fresh = self.clone();
        fresh.rebuild();
        assert_eq!(fresh.pairs, self.pairs, "the kept pairs are not those of the boxes");
        assert_eq!(fresh.ends[0].len(), self.ends[0].len(), "the lists do not hold all boxes");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Ball;
    use crate::broad::Changes;
    use crate::broad::contract::{agree, crowd};
    use crate::space::Random;

    /// Two boxes on axis 0, which overlap on axis 1 or not.
    fn two(at: f64, overlap_across: bool) -> [Aabb<2>; 2] {
        let across = if overlap_across { 0.5 } else { 5.0 };
        [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([at, across], [at + 1.0, across + 1.0])]
    }

    #[test]
    fn exchanges_change_the_overlap_status_as_the_table_says() {
        for across in [false, true] {
            let (mut sweep, mut pairs, mut changes) = (Sweep::default(), Vec::new(), Changes::default());
            sweep.find_pairs(&Scene::of(&two(2.0, across)), &mut pairs).expect("good boxes");
            let before = sweep.counters();
            // Apart; lower past upper (eb → be); lower past lower and upper past upper; upper past lower (be → eb).
            for (at, overlap) in [(2.0, false), (0.5, true), (-0.5, true), (-2.0, false)] {
                sweep.find_pairs(&Scene::of(&two(at, across)), &mut pairs).expect("good boxes");
                changes.update(&pairs);
                assert_eq!(pairs.len(), usize::from(overlap && across));
                assert_eq!(changes.began.len(), usize::from(at == 0.5 && across));
                assert_eq!(changes.ended.len(), usize::from(at == -2.0 && across));
                sweep.assert_valid();
            }
            let after = sweep.counters();
            assert_eq!(after.rebuilds, before.rebuilds);
            assert_eq!(after.exchanges - before.exchanges, 4, "eb, bb, ee, be");
            assert_eq!(after.tests - before.tests, 2, "bb and ee ask for nothing");
        }
    }

    #[test]
    fn a_thousand_random_steps_never_build_from_scratch() {
        let mut boxes: Vec<Aabb<3>> = crowd(150, 1.5, 2);
        let (mut sweep, mut random, mut pairs) = (Sweep::default(), Random::new(4), Vec::new());
        for step in 0..1000 {
            for bounds in &mut boxes {
                let by = random.direction::<3>() * 0.01;
                *bounds = Aabb { min: bounds.min + by, max: bounds.max + by };
            }
            agree(&mut sweep, &Scene::of(&boxes), &mut pairs);
            if step % 100 == 0 {
                sweep.assert_valid();
            }
        }
        assert_eq!(sweep.counters().rebuilds, 1);
        assert!(sweep.counters().exchanges > 1000);
    }

    #[test]
    fn when_everything_jumps_the_budget_ends_the_sort() {
        let (mut sweep, mut pairs) = (Sweep::default(), Vec::new());
        for seed in 0..4 {
            let balls: Vec<Ball<3>> = crowd(3000, 1.5, seed);
            sweep.find_pairs(&Scene::of(&balls), &mut pairs).expect("good balls");
        }
        assert_eq!(sweep.counters().rebuilds, 4);
        let longest_move = 2 * 3000;
        assert!(sweep.counters().exchanges <= 3 * (EXCHANGES_PER_BODY * 3000 + longest_move));
        sweep.assert_valid();
    }
}
