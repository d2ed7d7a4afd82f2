//! The engine: broad phase, trees and pair methods in order, and what is kept between steps. \[Schinner1997\]
//!
//! A step places the bodies, finds the pairs whose boxes overlap, lets deforming solids find their contacts together, and
//! asks the table for every other pair, in parallel. What a pair learns (features, faces) is kept while its boxes overlap.
//! Everything kept only makes steps fast: [`Detector::forget`] drops it, and the next step answers the same.
//!
//! Cost: O(bodies + pairs) for a step of bodies that move little.

use super::contact::{Contact, Event, EventKind, PairContact};
use super::scene::Scene;
use super::shape::{Placed, Shape};
use super::sleep::{self, Sleep};
use super::{Shape2, Shape3};
use crate::broad::{
    self, Auto, BodyId, BroadPhase, Changes, Filter, InvalidScene, Pair, ProxyFault,
};
use crate::narrow::PairCache;
use crate::space::{Aabb, Point, is_usable};
use rayon::prelude::*;
use thiserror::Error;

/// Pairs that one task looks at, at least: a pair of convex bodies takes some hundred nanoseconds.
const CHUNK: usize = 32;

/// Why a step was refused; the contacts are those of the step before.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum InvalidStep {
    /// The time is NaN or infinite.
    #[error("the time {0} is not finite")]
    Time(f64),
    /// A body stands beyond the coordinates that can be computed with.
    #[error(transparent)]
    Scene(#[from] InvalidScene),
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSummary {
    /// Pairs that were looked at; none where the detector slept.
    pub pairs: usize,
    /// Whether nothing was done, as nothing could touch.
    pub slept: bool,
    /// Nothing touches before this time while the scene is not changed; infinite for never. None where that is unknown.
    pub wakes: Option<f64>,
}

/// What is kept for a pair, and for which two shapes.
#[derive(Clone, Debug, Default)]
struct Kept<K> {
    shapes: [u64; 2],
    value: K,
}

/// Finds the contacts of a scene, step after step.
///
/// After a step [`Detector::contacts`] are sorted by their [`id`](Contact::id), the same bytes for any number of threads, and
/// [`Detector::events`] tell which pairs of bodies began and ended to touch. A detector that is shown another scene answers
/// rightly; it only cannot use what it kept.
#[derive(Clone, Debug)]
pub struct Detector<S: Shape<D>, const D: usize> {
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

/// A detector for the plane.
pub type Detector2 = Detector<Shape2, 2>;

/// A detector for space.
pub type Detector3 = Detector<Shape3, 3>;

impl<S: Shape<D>, const D: usize> Default for Detector<S, D> {
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

impl<S: Shape<D>, const D: usize> Detector<S, D> {
    /// Finds the contacts at a time. Sleeps where the last step knew that nothing can touch before.
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

    /// The contacts of the last step, sorted by their identity.
    pub fn contacts(&self) -> &[Contact<D>] {
        &self.contacts
    }

    /// Pairs of bodies that began or ended to touch in the last step, sorted.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Drops all that was kept to be fast. The contacts of the last step stay, as the next step's events are told from
    /// them.
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

    /// The pairs whose boxes overlap, those with half-spaces included; not two fixed bodies, not two half-spaces.
    fn find_pairs(
        &mut self,
        scene: &Scene<S, D>,
        bodies: &[Option<Placed<S, D>>],
    ) -> Result<(), InvalidScene> {
        self.boxes.clear();
        self.filters.clear();
        for slot in bodies {
            // Half-spaces are looked up one by one: their boxes would overlap everything.
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
        // Faces of two solids that are in each other tell their contact from both sides: the deeper one counts.
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

/// The contacts of one pair.
fn meet<S: Shape<D>, const D: usize>(
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
