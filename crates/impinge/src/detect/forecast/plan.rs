//! Creation and processing of queue entries [Aragon2013, Algorithm 1, COLLISION and TRAVERSE].

use super::body::Body;
use super::counters::{Sampled, Stopwatch};
use super::queue::{Due, Entry, Touch};
use super::{Forecast, ForecastEvent, ForecastEventKind, ForecastId, Pair};
use crate::predict::{
    FaceTouch, MovingBall, MovingFace, face_touch, straight_touch, time_to_cover, touch_bound,
};
use crate::space::Pose;

/// Interval between separation checks of a touching pair, as a fraction of the time in which it
/// moves by its size.
const WATCH: f64 = 0.05;

/// Minimum interval, relative to the current time, so that time advances.
const LEAST_WAIT: f64 = 1e-12;

/// Work limit per face of a pair, in addition to
/// [`Settings::most_work`](super::Settings::most_work).
const WORK_PER_FACE: usize = 64;

/// Cost of an overlap test of two bodies, in face distances.
const OVERLAP_WORK: usize = 16;

impl Forecast {
    /// Plans all pairs of a body that has just entered.
    pub(super) fn plan_new(&mut self, body: ForecastId) {
        for other in self.may_meet(body) {
            self.plan([other.min(body.0), other.max(body.0)], 0);
        }
    }

    /// Plans all pairs of a body again.
    pub(super) fn plan_all(&mut self, body: ForecastId) {
        let may_meet = self.may_meet(body);
        for other in 0..self.bodies.len() as u32 {
            let pair = [other.min(body.0), other.max(body.0)];
            let is_known = self.pairs.contains_key(&pair) || self.undecided.contains_key(&pair);
            if other != body.0 && (is_known || may_meet.binary_search(&other).is_ok()) {
                self.plan(pair, 0);
            }
        }
    }

    /// Returns the other bodies that a body may ever meet, in ascending order.
    fn may_meet(&mut self, body: ForecastId) -> Vec<u32> {
        let watch = Stopwatch::start();
        let (count, time, number) = (self.bodies.len(), self.time, body.0 as usize);
        let mut roots = std::mem::take(&mut self.roots);
        let is_next = roots.is_current(time, number) && number + 1 == count;
        if roots.is_current(time, count) || is_next {
            roots.set(number, self.root(number));
        } else {
            roots.set_all(time, (0..count).map(|number| self.root(number)));
        }

        let mut found = Vec::new();
        roots.may_meet(number, &mut found);
        found.retain(|&other| self.bodies[other as usize].is_some());
        self.roots = roots;
        self.counters.trajectories.count += count - 1;
        self.counters.trajectories.seconds += watch.seconds();
        found
    }

    /// Returns the ball of a whole body from now on, if there is one that does not swell.
    fn root(&self, number: usize) -> Option<MovingBall<3>> {
        let body = self.bodies[number].as_ref()?;
        let pose = body.course().map(|course| course.pose(self.time));
        let about = body.ball_about(pose.as_ref(), 0, self.time);
        let ball = about.unwrap_or_else(|| body.ball(pose.as_ref(), 0, self.time));
        (ball.swelling == 0.0).then_some(ball)
    }

    /// Starts a pair from its roots, or from a contact if the bodies already overlap. `work` is the
    /// work spent so far.
    fn plan(&mut self, pair: [u32; 2], work: usize) {
        let was_touching = self.pairs.remove(&pair).is_some_and(|known| known.touching);
        self.undecided.remove(&pair);
        let watch = Stopwatch::start();
        let first = self.first_touch(pair, [0, 0], self.time);
        self.counters.trajectories.seconds += watch.seconds();
        let near = first.is_some_and(|time| time <= self.time);

        if was_touching && !self.has_parted(pair, self.time) {
            self.keep(pair, true, work);
            return self.watch(pair, self.time);
        }

        if was_touching {
            self.say_parted(pair, self.time);
        } else if near && self.overlap(pair, self.time) {
            self.keep(pair, false, work);
            let (faces, point) = self.touching_now(pair);
            return self.begin(
                pair,
                ForecastEvent {
                    faces,
                    point,
                    ..self.event(ForecastEventKind::Contact, self.time, pair)
                },
            );
        }

        let Some(time) = first else { return };
        self.keep(pair, false, work);
        self.push(pair, time, Due::Nodes([0, 0]));
        self.say(ForecastEventKind::Predicted, time, pair);
    }

    /// Stores a pair under a new stamp, which invalidates its old entries.
    fn keep(&mut self, pair: [u32; 2], touching: bool, work: usize) {
        self.stamp += 1;
        self.pairs.insert(
            pair,
            Pair {
                stamp: self.stamp,
                since: self.time,
                touching,
                work,
            },
        );
    }

    pub(super) fn treat(&mut self, entry: &Entry) {
        let pair = entry.pair;
        if self.spend(pair, 1) > self.most_work(pair) {
            return self.give_up(pair);
        }

        match entry.due {
            Due::Nodes(nodes) => self.open(pair, nodes, entry.time),
            Due::Faces(faces) => self.look_closer(pair, faces, entry.time),
            Due::Contact(faces, touch) => self.begin(
                pair,
                ForecastEvent {
                    latest: touch.latest.max(self.time),
                    certain: touch.certain,
                    faces: Some(faces),
                    point: Some(touch.point),
                    ..self.event(ForecastEventKind::Contact, self.time, pair)
                },
            ),
            Due::Parting { touched } => self.look_for_parting(pair, touched),
        }
    }

    /// Adds to the work of a pair and returns the total.
    fn spend(&mut self, pair: [u32; 2], work: usize) -> usize {
        self.pairs.get_mut(&pair).map_or(0, |known| {
            known.work = known.work.saturating_add(work);
            known.work
        })
    }

    fn most_work(&mut self, pair: [u32; 2]) -> usize {
        let faces = pair.map(|body| self.of(body).shape.triangles().len());
        let of_faces = WORK_PER_FACE * (faces[0] + faces[1]);
        self.settings.most_work.saturating_add(of_faces)
    }

    /// Marks a pair as undecided from now on.
    fn give_up(&mut self, pair: [u32; 2]) {
        self.pairs.remove(&pair);
        self.undecided.insert(pair, self.time);
        self.say(ForecastEventKind::Undecided, self.time, pair);
    }

    /// Handles two balls whose time is reached: postpones them if spin made the bound too early,
    /// otherwise opens the larger.
    fn open(&mut self, pair: [u32; 2], nodes: [u32; 2], time: f64) {
        let number = self.counters.volumes.count;
        let opening = Sampled::start(number);
        if self.may_be_early(pair) {
            match self.first_touch(pair, nodes, time) {
                None => return,
                Some(later) if later > time + self.settings.tolerance => {
                    return self.push(pair, later, Due::Nodes(nodes));
                }
                Some(_) => {}
            }
        }

        let shapes = pair.map(|body| self.of(body).shape.clone());
        let [a, b] = [0, 1].map(|k| shapes[k].balls().nodes[nodes[k] as usize]);
        let opens_first = !a.is_leaf() && (b.is_leaf() || a.bounds.radius >= b.bounds.radius);
        self.counters.volumes.count += 1;
        self.counters.volumes.seconds += opening.seconds();
        let children = Sampled::start(number);

        if opens_first || !b.is_leaf() {
            let first = if opens_first { a.first } else { b.first };
            for child in [first, first + 1] {
                let next = if opens_first {
                    [child, nodes[1]]
                } else {
                    [nodes[0], child]
                };
                if let Some(touch) = self.first_touch(pair, next, time) {
                    self.push(pair, touch, Due::Nodes(next));
                }
            }

            self.counters.trajectories.seconds += children.seconds();
            return;
        }

        for &i in shapes[0].balls().items_of(&a) {
            for &j in shapes[1].balls().items_of(&b) {
                self.look_closer(pair, [i, j], time);
            }
        }
    }

    /// Returns whether the times of a pair's nodes must be recomputed when reached, because they
    /// come from swelling bounds.
    fn may_be_early(&mut self, pair: [u32; 2]) -> bool {
        pair.iter()
            .any(|&body| self.of(body).straight_course().is_none())
    }

    /// Computes the time of impact of two faces and queues the result.
    fn look_closer(&mut self, pair: [u32; 2], faces: [u32; 2], time: f64) {
        let found = self.face_touch(pair, faces, time);
        match found {
            FaceTouch::Never => {}
            FaceTouch::NotBefore(later) => self.push(pair, later, Due::Faces(faces)),
            FaceTouch::At {
                time: touch,
                latest,
                certain,
                point,
            } => {
                let found = Touch {
                    latest,
                    certain,
                    point,
                };
                self.push(pair, touch.max(time), Due::Contact(faces, found));
            }
        }
    }

    fn face_touch(&mut self, pair: [u32; 2], faces: [u32; 2], time: f64) -> FaceTouch {
        let since = self.pairs.get(&pair).map_or(time, |known| known.since);
        let (tolerance, step, bodies) = (self.settings.tolerance, self.step, &self.bodies);
        let body = |k: usize| bodies[pair[k] as usize].as_ref();
        let (Some(a), Some(b)) = (body(0), body(1)) else {
            return FaceTouch::Never;
        };
        let drift = a.speed(time).0;
        let before = self.counters.primitives.count;

        let found =
            self.counters
                .primitives
                .book(|tests| match (a.face(faces[0]), b.face(faces[1])) {
                    // The same interval for all faces of the pair, so that shared corners are at
                    // the same positions.
                    (MovingFace::Straight(a), MovingFace::Straight(b)) => straight_touch(
                        [&a, &b],
                        [step[0].max(since), step[1]],
                        &drift,
                        tolerance,
                        tests,
                    ),
                    (a, b) => face_touch([&a, &b], time, tolerance, tests),
                });
        self.spend(pair, self.counters.primitives.count - before);

        found
    }

    fn begin(&mut self, pair: [u32; 2], contact: ForecastEvent) {
        let work = self.spend(pair, 0);
        self.keep(pair, true, work);
        self.waiting.push(contact);
        self.watch(pair, self.time);
    }

    pub(super) fn say_parted(&mut self, pair: [u32; 2], time: f64) {
        self.say(ForecastEventKind::Separation, time, pair);
    }

    fn say(&mut self, kind: ForecastEventKind, time: f64, pair: [u32; 2]) {
        self.waiting.push(self.event(kind, time, pair));
    }

    fn event(&self, kind: ForecastEventKind, time: f64, pair: [u32; 2]) -> ForecastEvent {
        ForecastEvent {
            kind,
            time,
            latest: time,
            certain: true,
            bodies: pair.map(ForecastId),
            faces: None,
            point: None,
        }
    }

    /// Schedules the next separation check of a touching pair after a fraction of the time in which
    /// it could separate.
    fn watch(&mut self, pair: [u32; 2], touched: f64) {
        let [a, b] = pair.map(|body| {
            let body = self.of(body);
            (body.size(), body.speed(touched), body.acceleration())
        });
        let speed = (a.1.0 - b.1.0).norm() + a.1.1 + b.1.1;
        let push = (a.2 - b.2).norm();
        let way = WATCH * a.0.min(b.0);
        let wait = 2.0 * way / (speed + (speed * speed + 2.0 * push * way).sqrt());

        if wait.is_finite() {
            let wait = wait
                .max(self.settings.tolerance)
                .max(LEAST_WAIT * touched.abs());
            self.push(pair, touched + wait, Due::Parting { touched });
        }
    }

    /// Checks whether a touching pair has separated, and if so finds the time by bisection.
    fn look_for_parting(&mut self, pair: [u32; 2], touched: f64) {
        self.spend(pair, OVERLAP_WORK);
        if !self.has_parted(pair, self.time) {
            return self.watch(pair, self.time);
        }

        let [mut with, mut without] = [touched, self.time];
        while without - with > self.settings.tolerance.max(4.0 * f64::EPSILON * without) {
            let middle = 0.5 * (with + without);
            self.spend(pair, OVERLAP_WORK);
            if self.has_parted(pair, middle) {
                without = middle
            } else {
                with = middle
            }
        }

        self.say_parted(pair, without);
        let work = self.pairs.remove(&pair).map_or(0, |known| known.work);
        self.plan(pair, work);
    }

    /// Lower bound of the first contact below two nodes, from a time on: of their balls, and of
    /// [`time_along`]. Spinning bodies have two balls per node; if either pair of balls never
    /// touches, neither do the nodes.
    fn first_touch(&mut self, pair: [u32; 2], nodes: [u32; 2], time: f64) -> Option<f64> {
        let (bodies, updates) = (&mut self.bodies, &mut self.counters.updates);
        let poses = pair.map(|body| bodies[body as usize].as_mut()?.pose(time, updates));
        let [Some(a), Some(b)] = pair.map(|body| self.bodies[body as usize].as_ref()) else {
            return None;
        };
        self.counters.trajectories.count += 1;
        let balls = [
            a.ball(poses[0].as_ref(), nodes[0], time),
            b.ball(poses[1].as_ref(), nodes[1], time),
        ];

        let about = [
            a.ball_about(poses[0].as_ref(), nodes[0], time),
            b.ball_about(poses[1].as_ref(), nodes[1], time),
        ];
        let mut wait: f64 = 0.0;

        // Bounds that do not swell come first: they are fast, and swelling bounds always meet
        // eventually.
        if about.iter().any(Option::is_some) {
            self.counters.trajectories.count += 1;
            wait = touch_bound(&about[0].unwrap_or(balls[0]), &about[1].unwrap_or(balls[1]))?;
        }

        wait = wait.max(touch_bound(&balls[0], &balls[1])?);
        let wait = wait.max(time_along([a, b], &poses, nodes, time));
        wait.is_finite().then_some(time + wait)
    }

    fn push(&mut self, pair: [u32; 2], time: f64, due: Due) {
        let Some(known) = self.pairs.get(&pair) else {
            return;
        };
        let entry = Entry {
            time,
            pair,
            stamp: known.stamp,
            due,
        };

        // Faces with corners on straight lines are resolved only up to the end of the step.
        let again = matches!(due, Due::Faces(_)) && time >= self.step[1];
        if again {
            self.deferred.push(entry)
        } else {
            self.queue.push(entry)
        }
    }
}

/// Lower bound of the time until two bodies without spin meet along their relative velocity, if one
/// of the nodes is a single face: along that direction a face is flat, and its ball is not. Zero if
/// there is no bound, infinite for never.
fn time_along(bodies: [&Body; 2], poses: &[Option<Pose<3>>; 2], nodes: [u32; 2], time: f64) -> f64 {
    let [Some(pose_a), Some(pose_b)] = poses else {
        return 0.0;
    };
    let is_leaf = |k: usize| bodies[k].shape.balls().nodes[nodes[k] as usize].is_leaf();

    if !(is_leaf(0) || is_leaf(1)) {
        return 0.0;
    }

    let [Some(a), Some(b)] = bodies.map(Body::straight_course) else {
        return 0.0;
    };
    let closing = a.velocity(time) - b.velocity(time);
    let speed = closing.norm();

    if speed == 0.0 {
        return 0.0;
    }

    let direction = closing / speed;
    let [ahead, behind] = [
        bodies[0].reach(pose_a, nodes[0], &direction),
        bodies[1].reach(pose_b, nodes[1], &-direction),
    ];
    let rounding = 16.0
        * f64::EPSILON
        * (pose_a.position().coords.norm() + pose_b.position().coords.norm() + ahead.abs());
    let gap = -behind - ahead - rounding;

    if gap <= 0.0 {
        return 0.0;
    }

    let push = direction.dot(&(a.motion.acceleration - b.motion.acceleration));
    time_to_cover(gap, speed * (1.0 + 8.0 * f64::EPSILON), push) * (1.0 - 16.0 * f64::EPSILON)
}
