//! The engine for rigid bodies that fly, fall and spin [Aragon2013, Algorithm 1].
//!
//! For every pair of bodies the queue holds pairs of nodes of their hierarchies with the time at which their balls first
//! touch. Nothing is done before the earliest of these times. When it comes, the larger ball is opened and its children
//! take its place, each with a time of its own; two faces get the time of their own touch. The first pair of faces whose
//! time comes is the contact: all others have later lower bounds. A pair whose bodies touch leaves the queue and is
//! watched for its parting; then it starts again from the roots.
//!
//! A time in the queue is a lower bound of what it stands for, so that whatever is found is never late. Whoever changes a
//! body's motion makes the entries of its pairs stale by their stamps; they are dropped when they come up.

mod body;
mod counters;
mod event;
mod queue;

pub use counters::{Counters, Term};
pub use event::{Event, Kind};

use crate::narrow::meshes::{TriangleTree, overlap, touches, touching_faces};
use crate::predict::{Course, FaceTouch, face_touch, first_touch};
use crate::space::{InvalidMotion, Motion, Point, Pose};
use crate::tree::Builder;
use body::Body;
use queue::{Due, Entry, Queue};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// The number of a body in a [`Forecast`], in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// How the engine works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seconds by which a reported contact may be early.
    pub tolerance: f64,
    /// How hierarchies are built.
    pub builder: Builder,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-9, builder: Builder::Auto }
    }
}

/// A time that is NaN, infinite or before the present.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the time {asked} is not finite, or before the present time {now}")]
pub struct InvalidTime {
    /// What was asked for.
    pub asked: f64,
    /// The engine's time.
    pub now: f64,
}

/// What [`Forecast::advance`] did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance {
    /// Entries of the queue that were treated; zero where the engine slept.
    pub worked: usize,
    /// When there is something to do next.
    pub next: Option<f64>,
}

/// Shares of the time in which a body moves by its size, after which a touching pair is looked at again.
const WATCH: f64 = 0.05;

/// Common volume, in cubes of the smaller body's size, below which it is rounding: thinner bodies have no inside to be in.
const NESTED: f64 = 1e-12;

/// What is known of a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    stamp: u32,
    touching: bool,
}

/// Rigid bodies, the times at which they may touch, and their contacts.
///
/// ```
/// use impinge::detect::forecast::{Forecast, Kind, Settings};
/// use impinge::narrow::meshes::TriangleTree;
/// use impinge::shape::generate;
/// use impinge::space::{Motion, Pose};
/// let ball = TriangleTree::new(&generate::sphere(3)?);
/// let mut forecast = Forecast::new(Settings::default());
/// forecast.add(ball.clone(), Motion::at_rest(Pose::identity()))?;
/// forecast.add(ball, Motion::at_rest(Pose::at([10.0, 0.0, 0.0])).with_velocity([-2.0, 0.0, 0.0]))?;
/// let mut events = Vec::new();
/// assert_eq!(forecast.advance(2.0, &mut events)?.worked, 0, "nothing can touch for a while");
/// forecast.advance(5.0, &mut events)?;
/// let contact = events.iter().find(|event| event.kind == Kind::Contact).expect("they meet");
/// assert!((contact.time - 4.0).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Forecast {
    settings: Settings,
    bodies: Vec<Body>,
    pairs: FxHashMap<[u32; 2], Pair>,
    queue: Queue,
    time: f64,
    counters: Counters,
    /// Events that were found while bodies were added or changed, for the next step.
    waiting: Vec<Event>,
}

impl Forecast {
    /// An engine without bodies, at time zero.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            bodies: Vec::new(),
            pairs: FxHashMap::default(),
            queue: Queue::new(),
            time: 0.0,
            counters: Counters::default(),
            waiting: Vec::new(),
        }
    }

    /// Adds a body whose motion starts at the present time. Bodies that already overlap are in contact at once.
    pub fn add(&mut self, faces: TriangleTree, motion: Motion<3>) -> Result<BodyId, InvalidMotion> {
        let course = Course { motion: motion.checked()?, since: self.time };
        let id = self.bodies.len() as u32;
        self.bodies.push(Body::new(faces, course, self.settings.builder));
        for other in 0..id {
            self.plan([other, id]);
        }
        Ok(BodyId(id))
    }

    /// Tells a body's motion from the present time on, whether it agrees with the one before or not: what was planned
    /// for its pairs is planned anew.
    pub fn set_motion(&mut self, body: BodyId, motion: Motion<3>) -> Result<(), InvalidMotion> {
        let course = Course { motion: motion.checked()?, since: self.time };
        self.bodies[body.0 as usize].set_course(course);
        for other in (0..self.bodies.len() as u32).filter(|&other| other != body.0) {
            self.plan([other.min(body.0), other.max(body.0)]);
        }
        Ok(())
    }

    /// The present time.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// When there is something to do next, if ever.
    pub fn next_due(&mut self) -> Option<f64> {
        while let Some(entry) = self.queue.peek() {
            if self.is_current(entry) {
                return Some(entry.time);
            }
            self.queue.pop();
        }
        None
    }

    /// The pose of a body at the present time.
    pub fn pose(&self, body: BodyId) -> Pose<3> {
        self.bodies[body.0 as usize].course.pose(self.time)
    }

    /// Pairs that touch at the present time, sorted.
    pub fn touching(&self) -> Vec<[BodyId; 2]> {
        let mut pairs: Vec<[u32; 2]> =
            self.pairs.iter().filter(|(_, state)| state.touching).map(|(pair, _)| *pair).collect();
        pairs.sort_unstable();
        pairs.into_iter().map(|pair| pair.map(BodyId)).collect()
    }

    /// What was done so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Goes on to a time and appends the events up to it, in the order of their times. Sleeps where nothing is due.
    pub fn advance(&mut self, to: f64, events: &mut Vec<Event>) -> Result<Advance, InvalidTime> {
        if !(to >= self.time && to.is_finite()) {
            return Err(InvalidTime { asked: to, now: self.time });
        }
        let first = events.len();
        events.append(&mut self.waiting);
        let mut worked = 0;
        while let Some(time) = self.next_due().filter(|&time| time <= to) {
            let entry = self.queue.pop().expect("it was seen");
            self.time = self.time.max(time);
            self.treat(&entry, events);
            worked += 1;
        }
        self.time = to;
        events[first..].sort_by(|a, b| a.time.total_cmp(&b.time).then_with(|| a.bodies.cmp(&b.bodies)));
        Ok(Advance { worked, next: self.next_due() })
    }

    fn is_current(&self, entry: &Entry) -> bool {
        self.pairs.get(&entry.pair).is_some_and(|pair| pair.stamp == entry.stamp)
    }

    /// Starts a pair anew from its roots, or from its contact where the bodies overlap already.
    fn plan(&mut self, pair: [u32; 2]) {
        let state = self.pairs.entry(pair).or_default();
        state.stamp += 1;
        let was_touching = state.touching;
        let Some(time) = self.first_touch(pair, [0, 0], self.time) else { return };
        if time <= self.time && self.overlap(pair, self.time) {
            if was_touching {
                self.watch(pair, self.time);
            } else {
                let (faces, point) = self.touching_now(pair);
                self.begin(pair, faces, point);
            }
            return;
        }
        if was_touching {
            self.end(pair, self.time);
        }
        self.push(pair, time, Due::Nodes([0, 0]));
        self.waiting.push(Event {
            kind: Kind::Predicted,
            time,
            bodies: pair.map(BodyId),
            faces: None,
            point: None,
        });
    }

    fn treat(&mut self, entry: &Entry, events: &mut Vec<Event>) {
        let pair = entry.pair;
        match entry.due {
            Due::Nodes(nodes) => self.open(pair, nodes, entry.time),
            Due::Faces(faces) => self.look_closer(pair, faces, entry.time),
            Due::Contact(faces, point) => self.begin(pair, Some(faces), Some(point)),
            Due::Parting { touched } => self.look_for_parting(pair, touched),
        }
        events.append(&mut self.waiting);
    }

    /// Two balls whose time has come: waits longer where a spin made the time too early, else opens the larger.
    fn open(&mut self, pair: [u32; 2], nodes: [u32; 2], time: f64) {
        match self.first_touch(pair, nodes, time) {
            None => return,
            Some(later) if later > time + self.settings.tolerance => {
                return self.push(pair, later, Due::Nodes(nodes));
            }
            Some(_) => {}
        }
        let bodies = &self.bodies;
        let [a, b] = self.counters.volumes.book(|count| {
            *count += 1;
            [0, 1].map(|k| bodies[pair[k] as usize].balls.nodes[nodes[k] as usize])
        });
        let opens_first = !a.is_leaf() && (b.is_leaf() || a.bounds.radius >= b.bounds.radius);
        if opens_first || !b.is_leaf() {
            let first = if opens_first { a.first } else { b.first };
            for child in [first, first + 1] {
                let next = if opens_first { [child, nodes[1]] } else { [nodes[0], child] };
                if let Some(touch) = self.first_touch(pair, next, time) {
                    self.push(pair, touch, Due::Nodes(next));
                }
            }
            return;
        }
        for i in a.first..a.first + a.count {
            for j in b.first..b.first + b.count {
                let faces =
                    [(0, i), (1, j)].map(|(k, i)| self.bodies[pair[k] as usize].balls.items()[i as usize]);
                self.look_closer(pair, faces, time);
            }
        }
    }

    /// The time of touch of two faces.
    fn look_closer(&mut self, pair: [u32; 2], faces: [u32; 2], time: f64) {
        let bodies = pair.map(|body| &self.bodies[body as usize]);
        let [a, b] = [0, 1].map(|k| bodies[k].faces.corners(faces[k] as usize));
        let courses = bodies.map(|body| body.course);
        let tolerance = self.settings.tolerance;
        let found = self
            .counters
            .primitives
            .book(|tests| face_touch([&a, &b], [&courses[0], &courses[1]], time, tolerance, tests));
        match found {
            FaceTouch::Never => {}
            FaceTouch::NotBefore(later) => self.push(pair, later, Due::Faces(faces)),
            FaceTouch::At { time, point } => self.push(pair, time, Due::Contact(faces, point)),
        }
    }

    fn begin(&mut self, pair: [u32; 2], faces: Option<[u32; 2]>, point: Option<Point<3>>) {
        let state = self.pairs.entry(pair).or_default();
        state.stamp += 1;
        state.touching = true;
        let bodies = pair.map(BodyId);
        self.waiting.push(Event { kind: Kind::Contact, time: self.time, bodies, faces, point });
        self.watch(pair, self.time);
    }

    fn end(&mut self, pair: [u32; 2], time: f64) {
        self.pairs.entry(pair).or_default().touching = false;
        let bodies = pair.map(BodyId);
        self.waiting.push(Event { kind: Kind::Separation, time, bodies, faces: None, point: None });
    }

    /// Looks at a touching pair again after a part of the time in which it could part.
    fn watch(&mut self, pair: [u32; 2], touched: f64) {
        let [a, b] = pair.map(|body| &self.bodies[body as usize]);
        let size = a.size().min(b.size());
        let speed = (a.course.velocity(touched) - b.course.velocity(touched)).norm()
            + [a, b].map(|body| body.course.motion.spin_rate() * body.size()).iter().sum::<f64>();
        let push = (a.course.motion.acceleration - b.course.motion.acceleration).norm();
        let way = WATCH * size;
        let wait = 2.0 * way / (speed + (speed * speed + 2.0 * push * way).sqrt());
        if wait.is_finite() {
            let wait = wait.max(self.settings.tolerance);
            self.push(pair, touched + wait, Due::Parting { touched });
        }
    }

    /// Whether a pair that was touching still does; if not, since when.
    fn look_for_parting(&mut self, pair: [u32; 2], touched: f64) {
        if self.overlap(pair, self.time) {
            return self.watch(pair, self.time);
        }
        let [mut with, mut without] = [touched, self.time];
        while without - with > self.settings.tolerance.max(4.0 * f64::EPSILON * without) {
            let middle = 0.5 * (with + without);
            if self.overlap(pair, middle) { with = middle } else { without = middle }
        }
        self.end(pair, without);
        self.plan(pair);
    }

    /// Whether two bodies share a point at a time: their surfaces touch, or one is within the other.
    fn overlap(&mut self, pair: [u32; 2], time: f64) -> bool {
        let poses = self.poses(pair, time);
        let [a, b] = pair.map(|body| &self.bodies[body as usize]);
        let size = a.size().min(b.size());
        let [a, b] = [&a.faces, &b.faces];
        self.counters.primitives.book(|count| {
            *count += 1;
            // Bodies whose surfaces do not touch share all of the smaller one or nothing.
            touches(a, &poses[0], b, &poses[1])
                || overlap(a, &poses[0], b, &poses[1])
                    .is_some_and(|common| common.volume > NESTED * size.powi(3))
        })
    }

    /// The first pair of faces of bodies that overlap, and a place on them.
    fn touching_now(&mut self, pair: [u32; 2]) -> (Option<[u32; 2]>, Option<Point<3>>) {
        let poses = self.poses(pair, self.time);
        let [a, b] = pair.map(|body| &self.bodies[body as usize].faces);
        let mut faces = Vec::new();
        touching_faces(a, &poses[0], b, &poses[1], &mut faces);
        let point = faces.first().map(|pair| {
            let on_a = a.corners(pair[0] as usize).map(|p| poses[0].point(&p));
            let on_b = b.corners(pair[1] as usize).map(|p| poses[1].point(&p));
            crate::narrow::triangle::closest(&on_a, &on_b).on_a
        });
        (faces.first().copied(), point)
    }

    /// When the balls of two nodes touch, from a time on.
    fn first_touch(&mut self, pair: [u32; 2], nodes: [u32; 2], time: f64) -> Option<f64> {
        let poses = self.poses(pair, time);
        let balls = [0, 1].map(|k| {
            let body = &self.bodies[pair[k] as usize];
            body.course.ball_from(&poses[k], &body.balls.nodes[nodes[k] as usize].bounds, time)
        });
        self.counters.trajectories.book(|count| {
            *count += 1;
            first_touch(&balls[0], &balls[1], f64::INFINITY).map(|wait| time + wait)
        })
    }

    fn poses(&mut self, pair: [u32; 2], time: f64) -> [Pose<3>; 2] {
        let (bodies, updates) = (&mut self.bodies, &mut self.counters.updates);
        updates.book(|count| pair.map(|body| bodies[body as usize].pose(time, count)))
    }

    fn push(&mut self, pair: [u32; 2], time: f64, due: Due) {
        let stamp = self.pairs.entry(pair).or_default().stamp;
        self.queue.push(Entry { time, pair, stamp, due });
    }
}

#[cfg(test)]
mod tests;
