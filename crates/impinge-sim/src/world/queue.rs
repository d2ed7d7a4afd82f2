//! The queue of predicted touches, which gives the pairs of objects to search in this step.
//!
//! The highest level of [Aragon2013, Algorithm 1]. Every pair sleeps until a lower bound of its time
//! of touch, found from the trajectories of its objects; the queue wakes it then. Bounds hold while
//! objects stay on their trajectories, which is checked at every step: an object that was pushed
//! gets a new trajectory, and its pairs new bounds. A sleeping pair is one that a search would
//! find apart, so results do not depend on the queue, and it is not part of a checkpoint.
//!
//! Few objects are paired with all others. Many get their candidates from a broad phase over the
//! boxes that they sweep until a horizon, which adapts to keep their number proportional to the
//! objects.

use super::trajectory::{Trajectory, time_apart};
use impinge::broad::{AnyBroadPhase, BroadMethod, BroadPhase, BroadScene, Pair};
use impinge::space::Aabb;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Number of objects up to which all pairs are candidates.
const FEW: usize = 48;

/// Steps for which an awake pair is searched before its bound is computed again.
const AWAKE_STEPS: u64 = 16;

/// Steps of the first horizon.
const FIRST_HORIZON: f64 = 64.0;

/// Candidates per object below and above which the horizon is doubled or halved.
const CANDIDATES: [usize; 2] = [12, 40];

/// Margin of a swept box, in slacks: an object that is pushed slightly stays in it.
const MARGIN: f64 = 4.0;

/// Minimum number of objects per task.
const TASK: usize = 1024;

/// The interface of a world's objects for the queue.
pub(super) trait Objects: Sync {
    fn count(&self) -> usize;

    /// Measures the trajectory of an object from now on.
    fn trajectory(&self, object: usize) -> Trajectory;

    /// Returns whether an object has left its trajectory.
    fn strays(&self, object: usize, known: &Trajectory) -> bool;

    /// Returns whether the contact of two objects is ever searched.
    fn interact(&self, a: usize, b: usize) -> bool;

    /// Returns whether two objects share a contact of the last step that may outlast the overlap.
    fn is_held(&self, a: usize, b: usize) -> bool;
}

/// Counts of the highest level: N_t of [Aragon2013, eq. (19)], and how often nothing was awake.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QueueCounters {
    /// Trajectory tests, N_t.
    pub(super) tests: u64,
    /// Candidate lists built.
    pub(super) lists: u64,
    pub(super) steps: u64,
    /// Steps in which no pair was awake.
    pub(super) asleep: u64,
}

/// A candidate pair.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    a: u32,
    b: u32,
    /// Number of the entry in the heap that counts; entries with other numbers are stale.
    stamp: u32,
    /// Step at which an awake pair is tested again; `None` while it sleeps.
    until: Option<u64>,
}

/// An entry of the heap, the earliest first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    time: f64,
    candidate: u32,
    stamp: u32,
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |entry: &Self| (entry.candidate, entry.stamp);
        other
            .time
            .total_cmp(&self.time)
            .then_with(|| key(other).cmp(&key(self)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The queue.
#[derive(Default)]
pub(super) struct TouchQueue {
    trajectories: Vec<Trajectory>,
    /// The swept box of each object until the horizon; empty if all pairs are candidates.
    regions: Vec<Aabb<3>>,
    horizon: f64,
    /// Time up to which the list of candidates is complete.
    until: f64,
    /// Sorted by objects.
    candidates: Vec<Candidate>,
    /// Candidates of each object.
    of_object: Vec<Vec<u32>>,
    heap: BinaryHeap<Entry>,
    awake: Vec<u32>,
    broad: AnyBroadPhase<3>,
    method: BroadMethod,
    now: f64,
    dt: f64,
    counters: QueueCounters,
    /// Whether every pair is searched at every step.
    is_disabled: bool,
}

impl TouchQueue {
    /// Discards all trajectories and bounds, for example after objects were added or a state was
    /// restored.
    pub(super) fn reset(&mut self) {
        *self = Self {
            horizon: self.horizon,
            counters: self.counters,
            is_disabled: self.is_disabled,
            broad: AnyBroadPhase::new(self.method),
            method: self.method,
            ..Self::default()
        };
    }

    /// Chooses the broad phase that finds candidates among many objects.
    pub(super) fn set_broad_phase(&mut self, method: BroadMethod) {
        self.method = method;
        self.reset();
    }

    /// Wakes every pair at every step, or lets them sleep.
    pub(super) fn set_disabled(&mut self, is_disabled: bool) {
        self.is_disabled = is_disabled;
        self.reset();
    }

    /// Writes the counters, by name.
    pub(super) fn write_counters(&self, counters: &mut BTreeMap<&'static str, u64>) {
        let QueueCounters {
            tests,
            lists,
            steps,
            asleep,
        } = self.counters;
        counters.insert("trajectory_tests", tests);
        counters.insert("candidate_lists", lists);
        counters.insert("detection_steps", steps);
        counters.insert("detection_slept", asleep);
    }

    /// Counts a step in which other searches than those of pairs ran, or not.
    pub(super) fn count_step(&mut self, is_idle: bool) {
        self.counters.steps += 1;
        self.counters.asleep += u64::from(is_idle && self.awake.is_empty());
    }

    /// Returns the pairs that must be searched, sorted.
    pub(super) fn awake(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.awake.iter().map(|&number| {
            let Candidate { a, b, .. } = self.candidates[number as usize];
            [a as usize, b as usize]
        })
    }

    /// Wakes the pairs that may touch at a time, after a step.
    pub(super) fn update(&mut self, objects: &impl Objects, time: f64, dt: f64) {
        (self.now, self.dt) = (time, dt);
        let is_complete = self.trajectories.len() == objects.count() && time < self.until;
        if !is_complete || !self.follow(objects) {
            self.list(objects);
        }

        while let Some(&Entry {
            candidate, stamp, ..
        }) = self.heap.peek().filter(|entry| entry.time <= time)
        {
            self.heap.pop();
            if self.candidates[candidate as usize].stamp == stamp {
                self.test(candidate);
            }
        }

        self.let_sleep(objects);
        self.awake.sort_unstable();
    }

    /// Gives new trajectories to objects that left theirs; returns whether the list is still
    /// complete.
    fn follow(&mut self, objects: &impl Objects) -> bool {
        let known = &self.trajectories;
        let strayed: Vec<usize> = (0..known.len())
            .into_par_iter()
            .with_min_len(TASK)
            .filter(|&object| objects.strays(object, &known[object]))
            .collect();
        strayed
            .into_iter()
            .all(|object| self.measure(objects, object))
    }

    /// Measures the trajectory of an object and tests its sleeping pairs again; returns whether it
    /// stays in its region.
    fn measure(&mut self, objects: &impl Objects, object: usize) -> bool {
        self.trajectories[object] = objects.trajectory(object);
        if let (Trajectory::Box(moving), Some(region)) =
            (&self.trajectories[object], self.regions.get(object))
        {
            let swept = moving.swept(self.now, self.until - self.now);
            if !(region.contains(&swept.min) && region.contains(&swept.max)) {
                return false;
            }
        }

        let its = std::mem::take(&mut self.of_object[object]);
        for &number in &its {
            if self.candidates[number as usize].until.is_none() {
                self.test(number);
            }
        }
        self.of_object[object] = its;
        true
    }

    /// Computes the bound of a pair: it sleeps until then, or is awake for some steps.
    fn test(&mut self, number: u32) {
        let apart = self.apart(number);
        let candidate = &mut self.candidates[number as usize];
        candidate.stamp += 1;
        let time = self.now + apart;

        if apart > self.dt && time > self.now {
            let stamp = candidate.stamp;
            if time < f64::INFINITY {
                self.heap.push(Entry {
                    time,
                    candidate: number,
                    stamp,
                });
            }
        } else {
            candidate.until = Some(self.counters.steps + AWAKE_STEPS);
            self.awake.push(number);
        }
    }

    fn apart(&mut self, number: u32) -> f64 {
        self.counters.tests += 1;
        let Candidate { a, b, .. } = self.candidates[number as usize];
        let [a, b] = [a, b].map(|object| &self.trajectories[object as usize]);
        if self.is_disabled {
            0.0
        } else {
            time_apart(a, b, self.now)
        }
    }

    /// Tests the pairs that have been awake for some steps.
    fn let_sleep(&mut self, objects: &impl Objects) {
        let is_due = |until: Option<u64>| until.is_some_and(|step| step <= self.counters.steps);
        let due: Vec<u32> = self
            .awake
            .iter()
            .copied()
            .filter(|&number| is_due(self.candidates[number as usize].until))
            .collect();
        let mut rested = Vec::new();

        for number in due {
            let Candidate { a, b, .. } = self.candidates[number as usize];
            let [a, b] = [a as usize, b as usize];
            self.candidates[number as usize].until = Some(self.counters.steps + AWAKE_STEPS);
            if objects.is_held(a, b) {
                continue;
            }

            // Measured again only if the old trajectories leave it open.
            if self.apart(number) <= self.dt {
                let is_complete = [a, b]
                    .iter()
                    .all(|&object| self.is_measured_now(object) || self.measure(objects, object));
                if !is_complete {
                    return self.list(objects);
                }
            }

            if self.apart(number) > self.dt {
                rested.push(number);
            }
        }

        for number in rested {
            self.candidates[number as usize].until = None;
            self.awake.retain(|&awake| awake != number);
            self.test(number);
        }
    }

    fn is_measured_now(&self, object: usize) -> bool {
        match &self.trajectories[object] {
            Trajectory::Box(moving) => moving.since == self.now,
            _ => true,
        }
    }

    /// Measures all objects and lists the pairs that may touch before the horizon.
    fn list(&mut self, objects: &impl Objects) {
        let count = objects.count();
        self.counters.lists += 1;
        self.trajectories = (0..count)
            .into_par_iter()
            .with_min_len(TASK)
            .map(|object| objects.trajectory(object))
            .collect();
        let pairs = self.near_pairs();

        self.candidates.clear();
        self.awake.clear();
        self.heap.clear();
        self.of_object.clear();
        self.of_object.resize(count, Vec::new());
        for Pair { a, b } in pairs {
            if objects.interact(a as usize, b as usize) {
                let number = self.candidates.len() as u32;
                self.of_object[a as usize].push(number);
                self.of_object[b as usize].push(number);
                self.candidates.push(Candidate {
                    a,
                    b,
                    stamp: 0,
                    until: None,
                });
            }
        }

        (0..self.candidates.len() as u32).for_each(|number| self.test(number));
    }

    /// Returns the pairs whose regions meet before the horizon, sorted.
    fn near_pairs(&mut self) -> Vec<Pair> {
        let count = self.trajectories.len() as u32;
        self.regions.clear();
        self.until = f64::INFINITY;
        if count as usize <= FEW || self.is_disabled {
            return (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| Pair { a, b }))
                .collect();
        }

        if self.horizon == 0.0 {
            self.horizon = FIRST_HORIZON * self.dt;
        }
        let (now, horizon) = (self.now, self.horizon);
        let region = |trajectory: &Trajectory| match trajectory {
            Trajectory::Box(moving) => moving.swept(now, horizon).grown(MARGIN * moving.slack),
            _ => Aabb::EMPTY,
        };
        self.regions = self.trajectories.iter().map(region).collect();

        match self.broad_pairs() {
            Some(pairs) => {
                self.until = now + horizon;
                self.adapt(pairs.len(), count as usize);
                pairs
            }
            // Coordinates beyond what the broad phase takes: every pair is a candidate.
            None => {
                self.regions.clear();
                (0..count)
                    .flat_map(|a| (a + 1..count).map(move |b| Pair { a, b }))
                    .collect()
            }
        }
    }

    fn adapt(&mut self, pairs: usize, count: usize) {
        let [few, many] = CANDIDATES;
        if pairs < few * count {
            self.horizon *= 2.0;
        } else if pairs > many * count && self.horizon > 2.0 * self.dt {
            self.horizon *= 0.5;
        }
    }

    /// Returns the pairs of regions that overlap, and those with objects that have none.
    fn broad_pairs(&mut self) -> Option<Vec<Pair>> {
        let has_region =
            |object: &u32| matches!(self.trajectories[*object as usize], Trajectory::Box(_));
        let count = self.trajectories.len() as u32;
        let is_there =
            |object: &u32| !matches!(self.trajectories[*object as usize], Trajectory::Nowhere);
        let (bounded, others): (Vec<u32>, Vec<u32>) =
            (0..count).filter(is_there).partition(has_region);
        let boxes: Vec<Aabb<3>> = bounded
            .iter()
            .map(|&object| self.regions[object as usize])
            .collect();
        let mut pairs = Vec::new();
        self.broad
            .find_pairs(&BroadScene::of(&boxes), &mut pairs)
            .ok()?;

        for pair in &mut pairs {
            *pair = Pair {
                a: bounded[pair.a as usize],
                b: bounded[pair.b as usize],
            };
        }
        for &other in &others {
            let with = bounded.iter().map(|&object| Pair {
                a: object.min(other),
                b: object.max(other),
            });
            pairs.extend(with);
        }
        pairs.sort_unstable();
        Some(pairs)
    }
}
