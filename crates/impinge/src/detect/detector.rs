//! The detector: broad phase, trees and pair methods in order, with caches between steps.
//! \[Schinner1997\]
//!
//! A step places the bodies and finds the pairs whose boxes overlap. Deforming solids find the contacts
//! among themselves together. Every other pair is passed to the method that the table gives, in
//! parallel. The features and faces of a pair are cached while its boxes overlap. Caches affect only
//! the run time: after [`Detector::forget`], which drops them, the next step gives the same results.
//!
//! Cost: O(bodies + pairs) per step if bodies move little.

use super::contact::{Contact, Event, EventKind};
use super::identity::Places;
use super::options::{InvalidOptions, Options};
use super::scene::Scene;
use super::shape::{PairMethods, Placed};
use super::shape2::Shape2;
use super::shape3::Shape3;
use super::sleep::{self, Sleep};
use crate::broad::{
    self, AnyBroadPhase, BodyId, BroadPhase, Changes, Filter, InvalidScene, Pair, ProxyFault,
};
use crate::narrow::{PairCache, PairContact};
use crate::parallel::prelude::*;
use crate::space::{Aabb, Point, is_usable};
use thiserror::Error;

/// Minimum number of pairs per task: a pair of convex bodies takes some hundred nanoseconds.
const CHUNK: usize = 32;

/// Error: a step was rejected. The contacts are those of the previous step.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct StepSummary {
    /// Number of candidate pairs; 0 if the detector slept.
    pub pairs: usize,
    /// Whether the step was skipped because no bodies could touch.
    pub slept: bool,
    /// Time before which nothing can touch while the scene does not change; infinite if never. `None`
    /// if unknown.
    pub wakes: Option<f64>,
}

/// A candidate pair and its cache.
type CachedPair<S, const D: usize> = (Pair, Cached<<S as PairMethods<D>>::Cache>);

/// The cache of a pair, with the two shapes that it is valid for.
#[derive(Clone, Debug, Default)]
struct Cached<K> {
    shapes: [u64; 2],
    value: K,
}

/// The contacts of a chunk of pairs, and memory for those of one pair.
#[derive(Clone, Debug)]
struct Chunk<const D: usize> {
    contacts: Vec<Contact<D>>,
    pair: Vec<PairContact<D>>,
}

/// Finds the contacts of a scene, step after step.
///
/// After a step, [`Detector::contacts`] are sorted by [`id`](Contact::id) and identical to the byte for
/// any number of threads. [`Detector::events`] lists the pairs of bodies that began and ceased to
/// touch. A detector may be given another scene: results stay correct, but its caches are useless.
#[derive(Clone, Debug)]
#[doc(alias = "collision detection")]
#[doc(alias = "collision world")]
#[doc(alias = "collision pipeline")]
pub struct Detector<S: PairMethods<D>, const D: usize> {
    options: Options,
    broad: AnyBroadPhase<D>,
    /// Memory of the list of placed bodies; empty between steps.
    bodies: Vec<Option<Placed<'static, S, D>>>,
    boxes: Vec<Aabb<D>>,
    filters: Vec<Filter>,
    pairs: Vec<Pair>,
    kept: PairCache<Cached<S::Cache>>,
    deforming: S::Deforming,
    sleep: Option<Sleep>,
    places: Places<D>,
    changes: Changes,
    touching: Vec<Pair>,
    chunks: Vec<Chunk<D>>,
    contacts: Vec<Contact<D>>,
    events: Vec<Event>,
}

/// A detector in 2D.
pub type Detector2 = Detector<Shape2, 2>;

/// A detector in 3D.
pub type Detector3 = Detector<Shape3, 3>;

impl<S: PairMethods<D>, const D: usize> Default for Detector<S, D> {
    fn default() -> Self {
        Self::with(Options::default())
    }
}

impl<S: PairMethods<D>, const D: usize> Detector<S, D> {
    /// Creates a detector with options.
    ///
    /// ```
    /// use impinge::detect::{Detector3, Options, Place, Scene3, Shape3};
    /// use impinge::{shape::Sphere, space::Pose};
    /// let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0)?);
    /// let mut scene = Scene3::default();
    /// scene.add(ball.clone(), Place::Fixed(Pose::identity()))?;
    /// scene.add(ball, Place::Moved(Pose::at([2.25, 0.0, 0.0])))?;
    /// let mut detector = Detector3::new(Options { margin: 0.5, ..Options::default() })?;
    /// detector.step(&scene, 0.0)?;
    /// assert_eq!(detector.contacts()[0].touch.gap, 0.25);
    /// assert!(detector.events().is_empty(), "they are apart");
    /// assert!(Detector3::new(Options { margin: -1.0, ..Options::default() }).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(options: Options) -> Result<Self, InvalidOptions> {
        Ok(Self::with(options.checked()?))
    }

    fn with(options: Options) -> Self {
        Self {
            options,
            broad: AnyBroadPhase::new(options.broad),
            bodies: Vec::new(),
            boxes: Vec::new(),
            filters: Vec::new(),
            pairs: Vec::new(),
            kept: PairCache::default(),
            deforming: S::Deforming::default(),
            sleep: None,
            places: Places::default(),
            changes: Changes::default(),
            touching: Vec::new(),
            chunks: Vec::new(),
            contacts: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Finds the contacts at a time. Returns at once if the previous step proved that nothing can touch
    /// before then.
    pub fn step(&mut self, scene: &Scene<S, D>, time: f64) -> Result<StepSummary, InvalidStep> {
        self.step_with(scene, time, |_| true)
    }

    /// Like [`Detector::step`], for pairs that a callback allows. The callback is called for each pair
    /// of bodies whose boxes come within the margin, unless filters exclude the pair or it is ignored.
    ///
    /// ```
    /// use impinge::detect::{Detector3, Place, Scene3, Shape3};
    /// use impinge::{shape::Sphere, space::Pose};
    /// let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0)?);
    /// let mut scene = Scene3::default();
    /// for x in [0.0, 1.5, 3.0] {
    ///     scene.add(ball.clone(), Place::Moved(Pose::at([x, 0.0, 0.0])))?;
    /// }
    /// let mut detector = Detector3::default();
    /// detector.step_with(&scene, 0.0, |pair| pair.a != 0)?;
    /// assert_eq!(detector.contacts().len(), 1, "1 with 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_with(
        &mut self,
        scene: &Scene<S, D>,
        time: f64,
        allows: impl Fn(Pair) -> bool,
    ) -> Result<StepSummary, InvalidStep> {
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

        let mut bodies = recycled(std::mem::take(&mut self.bodies));
        scene.place_all(time, &mut bodies);
        let done = self.step_placed(scene, time, allows, &bodies);
        self.bodies = recycled(bodies);
        done
    }

    fn step_placed(
        &mut self,
        scene: &Scene<S, D>,
        time: f64,
        allows: impl Fn(Pair) -> bool,
        bodies: &[Option<Placed<S, D>>],
    ) -> Result<StepSummary, InvalidStep> {
        self.find_pairs(scene, bodies, allows)?;
        self.find_contacts(bodies);
        self.find_events();

        let margin = self.options.margin;
        let calm = self
            .contacts
            .is_empty()
            .then(|| sleep::plan(scene, bodies, time, margin));
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

    /// Returns the contacts of two bodies, given in either order.
    pub fn contacts_of(&self, a: BodyId, b: BodyId) -> &[Contact<D>] {
        let pair = Pair {
            a: a.min(b),
            b: a.max(b),
        };
        let start = self.contacts.partition_point(|contact| contact.pair < pair);
        let count = self.contacts[start..].partition_point(|contact| contact.pair == pair);
        &self.contacts[start..start + count]
    }

    /// Returns the pairs of bodies that began or ceased to touch in the last step, sorted.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Drops all caches. The contacts of the last step and the numbers of their places are kept, because
    /// the next step's events and ids are computed from them.
    pub fn forget(&mut self) {
        let fresh = Self::with(self.options);
        let old = std::mem::replace(self, fresh);
        self.contacts = old.contacts;
        self.changes = old.changes;
        self.events = old.events;
        self.places = old.places;
    }

    /// Finds the pairs whose boxes come within the margin, including those with half-spaces. Pairs of two
    /// fixed bodies or of two half-spaces, and ignored pairs, are excluded.
    fn find_pairs(
        &mut self,
        scene: &Scene<S, D>,
        bodies: &[Option<Placed<S, D>>],
        allows: impl Fn(Pair) -> bool,
    ) -> Result<(), InvalidScene> {
        let reach = 0.5 * self.options.margin;
        self.boxes.clear();
        self.filters.clear();
        for slot in bodies {
            // Half-spaces are tested one by one: their boxes would overlap everything.
            let finite = slot.filter(|placed| placed.shape.half_space().is_none());
            let bounds = |placed: Placed<S, D>| placed.shape.bounds(&placed.pose).grown(reach);
            let nowhere = Aabb::of([Point::origin()]);
            self.boxes.push(finite.map_or(nowhere, bounds));
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
            .retain(|pair| scene.allows(*pair) && allows(*pair));
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
        let margin = self.options.margin;
        for (other, bounds) in (0..).zip(&self.boxes) {
            if filter.allows(&self.filters[other as usize])
                && sleep::reaches(half, placed, bounds, margin)
            {
                self.pairs.push(Pair::new(placed.id, other));
            }
        }

        Ok(())
    }

    fn find_contacts(&mut self, bodies: &[Option<Placed<S, D>>]) {
        self.contacts.clear();
        S::deform(
            &mut self.deforming,
            bodies,
            &self.pairs,
            &self.options,
            &mut self.contacts,
        );
        self.kept.replace(&self.pairs);
        self.meet_pairs(bodies);

        // The order of a pair's contacts is that of its method.
        for (order, contact) in (0..).zip(&mut self.contacts) {
            contact.place = order;
        }
        self.contacts
            .sort_unstable_by_key(|contact| (contact.pair, contact.place));
        let is_convex = |id: BodyId| {
            bodies[id as usize].is_some_and(|placed: Placed<S, D>| placed.shape.is_convex())
        };
        let has_one_place = |pair: Pair| is_convex(pair.a) && is_convex(pair.b);
        self.places
            .number(&mut self.contacts, bodies, &self.boxes, has_one_place);
    }

    /// Runs the pair methods, in chunks of pairs that each have their own list.
    fn meet_pairs(&mut self, bodies: &[Option<Placed<S, D>>]) {
        let (deforming, options) = (&self.deforming, &self.options);
        let pairs = self.kept.as_mut_slice();
        let count = pairs.len().div_ceil(CHUNK);
        if self.chunks.len() < count {
            self.chunks.resize_with(count, Chunk::default);
        }

        let run = |(pairs, chunk): (&mut [CachedPair<S, D>], &mut Chunk<D>)| {
            chunk.contacts.clear();
            for (pair, kept) in pairs {
                chunk.meet::<S>(*pair, bodies, kept, deforming, options);
            }
        };
        if count <= 1 {
            pairs.chunks_mut(CHUNK).zip(&mut self.chunks).for_each(run);
        } else {
            let chunks = self.chunks[..count].par_iter_mut();
            pairs.par_chunks_mut(CHUNK).zip(chunks).for_each(run);
        }

        for chunk in &self.chunks[..count] {
            self.contacts.extend_from_slice(&chunk.contacts);
        }
    }

    fn find_events(&mut self) {
        let touching = self
            .contacts
            .iter()
            .filter(|contact| contact.touch.gap <= 0.0);
        self.touching.clear();
        self.touching.extend(touching.map(|contact| contact.pair));
        self.touching.dedup();
        self.changes.update(&self.touching);
        let event = |kind| move |&pair: &Pair| Event { pair, kind };
        self.events.clear();
        self.events
            .extend(self.changes.began.iter().map(event(EventKind::Began)));
        self.events
            .extend(self.changes.ended.iter().map(event(EventKind::Ended)));

        self.events.sort_unstable();
    }
}

/// Empties a list of placed bodies and keeps its memory for bodies of another lifetime: collecting from a
/// list into one with items of the same size is done in place.
fn recycled<'a, S: 'static, const D: usize>(
    mut bodies: Vec<Option<Placed<'_, S, D>>>,
) -> Vec<Option<Placed<'a, S, D>>> {
    bodies.clear();
    bodies.into_iter().map(|_| None).collect()
}

impl<const D: usize> Default for Chunk<D> {
    fn default() -> Self {
        Self {
            contacts: Vec::new(),
            pair: Vec::new(),
        }
    }
}

impl<const D: usize> Chunk<D> {
    /// Appends the contacts of one pair.
    fn meet<S: PairMethods<D>>(
        &mut self,
        pair: Pair,
        bodies: &[Option<Placed<S, D>>],
        kept: &mut Cached<S::Cache>,
        deforming: &S::Deforming,
        options: &Options,
    ) {
        let body = |id: BodyId| bodies[id as usize].as_ref();
        let (Some(a), Some(b)) = (body(pair.a), body(pair.b)) else {
            return;
        };
        let shapes = [a.stamp.shape, b.stamp.shape];
        if kept.shapes != shapes {
            *kept = Cached {
                shapes,
                value: S::Cache::default(),
            };
        }

        self.pair.clear();
        S::meet(a, b, &mut kept.value, deforming, options, &mut self.pair);
        let contacts = self.pair.iter().map(|contact| Contact::of(pair, contact));
        self.contacts.extend(contacts);
    }
}
