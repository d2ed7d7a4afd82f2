//! The detector: broad phase, trees and pair methods in order, with caches between steps.
//! \[Schinner1997\]
//!
//! A step places the bodies and finds the pairs whose boxes overlap. Deforming solids find the contacts
//! among themselves together. Every other pair is passed to the method that the table gives, in
//! parallel. The features and faces of a pair are cached while its boxes overlap. Caches only save
//! time: [`Detector::forget`] drops them, and the next step gives the same results.
//!
//! Cost: O(bodies + pairs) per step if bodies move little.

use super::contact::{Contact, Event, EventKind};
use super::scene::Scene;
use super::shape::{PairMethods, Placed};
use super::shape2::Shape2;
use super::shape3::Shape3;
use super::sleep::{self, Sleep};
use crate::broad::{
    self, Auto, BodyId, BroadPhase, Changes, Filter, InvalidScene, Pair, ProxyFault,
};
use crate::narrow::{PairCache, PairContact};
use crate::space::{Aabb, Point, is_usable};
use rayon::prelude::*;
use thiserror::Error;

/// Minimum number of pairs per task: a pair of convex bodies takes some hundred nanoseconds.
const CHUNK: usize = 32;

/// Error: a step was rejected. The contacts are those of the previous step.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InvalidStep {
    /// The time is NaN or infinite.
    #[error("the time {0} is not finite")]
    Time(f64),
    /// A body lies outside the supported range of coordinates.
    #[error(transparent)]
    Scene(#[from] InvalidScene),
}

/// Summary of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSummary {
    /// Number of candidate pairs; 0 if the detector slept.
    pub pairs: usize,
    /// Whether the step was skipped because no bodies could touch.
    pub slept: bool,
    /// Time before which nothing can touch while the scene does not change; infinite if never. `None`
    /// if unknown.
    pub wakes: Option<f64>,
}

/// The cache of a pair, with the two shapes that it is valid for.
#[derive(Clone, Debug, Default)]
struct Kept<K> {
    shapes: [u64; 2],
    value: K,
}

/// Finds the contacts of a scene, step after step.
///
/// After a step, [`Detector::contacts`] are sorted by [`id`](Contact::id) and identical to the byte for
/// any number of threads. [`Detector::events`] lists the pairs of bodies that began and ceased to
/// touch. A detector may be given another scene: results stay correct, but its caches are of no use.
#[derive(Clone, Debug)]
pub struct Detector<S: PairMethods<D>, const D: usize> {
    broad: Auto<D>,
    boxes: Vec<Aabb<D>>,
    filters: Vec<Filter>,
    pairs: Vec<Pair>,
    kept: PairCache<Kept<S::Kept>>,
    deforming: S::Deforming,
    sleep: Option<Sleep>,
    changes: Changes,
    contacts: Vec<Contact<D>>,
    events: Vec<Event>,
}

/// A detector in 2D.
pub type Detector2 = Detector<Shape2, 2>;

/// A detector in 3D.
pub type Detector3 = Detector<Shape3, 3>;

impl<S: PairMethods<D>, const D: usize> Default for Detector<S, D> {
    fn default() -> Self {
        Self {
            broad: Auto::default(),
            boxes: Vec::new(),
            filters: Vec::new(),
            pairs: Vec::new(),
            kept: PairCache::default(),
            deforming: S::Deforming::default(),
            sleep: None,
            changes: Changes::default(),
            contacts: Vec::new(),
            events: Vec::new(),
        }
    }
}

impl<S: PairMethods<D>, const D: usize> Detector<S, D> {
    /// Finds the contacts at a time. Returns at once if the previous step proved that nothing can touch
    /// before then.
    pub fn step(&mut self, scene: &Scene<S, D>, time: f64) -> Result<StepSummary, InvalidStep> {
        if !time.is_finite() {
            return Err(InvalidStep::Time(time));
        }

        if let Some(sleep) = self
            .sleep
            .filter(|sleep| sleep.covers(scene.version(), time))
        {
            self.events.clear();
            return Ok(StepSummary {
                pairs: 0,
                slept: true,
                wakes: Some(sleep.until),
            });
        }
        let bodies = scene.placed(time);
        self.find_pairs(scene, &bodies)?;
        self.find_contacts(&bodies);
        self.tell_changes();

        let calm = self
            .contacts
            .is_empty()
            .then(|| sleep::plan(scene, &bodies, time));
        self.sleep = calm.flatten();
        let wakes = self.sleep.map(|sleep| sleep.until);

        Ok(StepSummary {
            pairs: self.pairs.len(),
            slept: false,
            wakes,
        })
    }

    /// Returns the contacts of the last step, sorted by id.
    pub fn contacts(&self) -> &[Contact<D>] {
        &self.contacts
    }

    /// Returns the pairs of bodies that began or ceased to touch in the last step, sorted.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Drops all caches. The contacts of the last step are kept, because the next step's events are
    /// computed from them.
    pub fn forget(&mut self) {
        let (contacts, changes) = (
            std::mem::take(&mut self.contacts),
            std::mem::take(&mut self.changes),
        );
        let events = std::mem::take(&mut self.events);

        *self = Self {
            contacts,
            changes,
            events,
            ..Self::default()
        };
    }

    /// Finds the pairs whose boxes overlap, including those with half-spaces. Pairs of two fixed bodies
    /// or of two half-spaces are excluded.
    fn find_pairs(
        &mut self,
        scene: &Scene<S, D>,
        bodies: &[Option<Placed<S, D>>],
    ) -> Result<(), InvalidScene> {
        self.boxes.clear();
        self.filters.clear();
        for slot in bodies {
            // Half-spaces are tested one by one: their boxes would overlap everything.
            let finite = slot.filter(|placed| placed.shape.half_space().is_none());
            let nowhere = Aabb::of([Point::origin()]);
            self.boxes
                .push(finite.map_or(nowhere, |placed| placed.shape.bounds(&placed.pose)));
            self.filters
                .push(finite.map_or(Filter::OFF, |placed| scene.filter(placed.id)));
        }

        let boxes = broad::BroadScene {
            filters: &self.filters,
            ..broad::BroadScene::of(&self.boxes)
        };
        self.broad.find_pairs(&boxes, &mut self.pairs)?;

        for placed in bodies
            .iter()
            .flatten()
            .filter(|placed| placed.shape.half_space().is_some())
        {
            self.pair_half_space(scene, placed)?;
        }
        self.pairs
            .retain(|pair| !(scene.is_fixed(pair.a) && scene.is_fixed(pair.b)));
        self.pairs.sort_unstable();

        Ok(())
    }

    fn pair_half_space(
        &mut self,
        scene: &Scene<S, D>,
        placed: &Placed<S, D>,
    ) -> Result<(), InvalidScene> {
        let Some(half) = placed.shape.half_space() else {
            return Ok(());
        };

        if !is_usable(&placed.pose.position()) {
            return Err(InvalidScene::Body {
                body: placed.id,
                fault: ProxyFault::NotFinite,
            });
        }

        let filter = scene.filter(placed.id);
        for (other, bounds) in (0..).zip(&self.boxes) {
            if filter.allows(&self.filters[other as usize]) && sleep::reaches(half, placed, bounds)
            {
                self.pairs.push(Pair::new(placed.id, other));
            }
        }

        Ok(())
    }

    fn find_contacts(&mut self, bodies: &[Option<Placed<S, D>>]) {
        self.contacts.clear();
        S::deform(&mut self.deforming, bodies, &self.pairs, &mut self.contacts);
        self.kept.replace(&self.pairs);
        let deforming = &self.deforming;
        let met = self.kept.as_mut_slice().par_iter_mut().with_min_len(CHUNK);
        self.contacts
            .par_extend(met.flat_map_iter(|(pair, kept)| meet(*pair, bodies, kept, deforming)));
        self.contacts.sort_by(|p, q| {
            p.id()
                .cmp(&q.id())
                .then(p.touch.gap.total_cmp(&q.touch.gap))
        });

        // Two interpenetrating solids report the same contact from both sides: keep the deeper one.
        self.contacts.dedup_by_key(|contact| contact.id());
    }

    fn tell_changes(&mut self) {
        let mut touching: Vec<Pair> = self.contacts.iter().map(|contact| contact.pair).collect();
        touching.dedup();
        self.changes.update(&touching);
        let event = |kind| move |&pair: &Pair| Event { pair, kind };
        self.events.clear();
        self.events
            .extend(self.changes.began.iter().map(event(EventKind::Began)));
        self.events
            .extend(self.changes.ended.iter().map(event(EventKind::Ended)));

        self.events.sort_unstable();
    }
}

/// Returns the contacts of one pair.
fn meet<S: PairMethods<D>, const D: usize>(
    pair: Pair,
    bodies: &[Option<Placed<S, D>>],
    kept: &mut Kept<S::Kept>,
    deforming: &S::Deforming,
) -> Vec<Contact<D>> {
    let body = |id: BodyId| bodies[id as usize].as_ref();
    let (Some(a), Some(b)) = (body(pair.a), body(pair.b)) else {
        return Vec::new();
    };
    let shapes = [a.stamp.shape, b.stamp.shape];

    if kept.shapes != shapes {
        *kept = Kept {
            shapes,
            value: S::Kept::default(),
        };
    }

    let mut found: Vec<PairContact<D>> = Vec::new();
    S::meet(a, b, &mut kept.value, deforming, &mut found);
    found
        .into_iter()
        .map(|PairContact { touch, overlap }| Contact {
            pair,
            touch,
            overlap,
        })
        .collect()
}
