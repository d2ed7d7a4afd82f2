//! Free flight: while nothing touches and nothing can touch before a time, everything moves there in
//! one step.
//!
//! Rigid bodies and particles that only gravity moves are on parabolas, which one step of velocity
//! Verlet follows exactly, however long it is. The time until which this holds is a lower bound
//! of the first touch of any two objects, computed from the present state alone, so that a resumed
//! run flies as the original one did. There is no free flight with elastic solids, which vibrate, with
//! oscillating or rotating walls, which are not on parabolas, with damping, or with inlets and outlets.

use super::plane::Plane;
use super::space::Space;
use super::trajectory::{MovingBox, Trajectory, time_apart};
use crate::rigid::{Rigid, RigidShape};
use crate::{BodyKind, BodyRef, Path};
use impinge::broad::{Auto, BroadPhase, BroadScene, Pair};
use impinge::space::{Aabb, Point, Vector};

/// Number of objects up to which all pairs are tested.
const FEW: usize = 48;

/// The end of a free flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FreeFlight {
    /// Seconds for which nothing can touch; at most the limit.
    pub(super) duration: f64,
    /// The pair that ends it, if any does before the limit.
    pub(super) pair: Option<[BodyRef; 2]>,
}

impl FreeFlight {
    /// Bounds the flight of objects that never touch before a limit.
    fn of(objects: &[(BodyRef, Trajectory)], time: f64, limit: f64) -> Self {
        let mut flight = Self {
            duration: limit,
            pair: None,
        };
        for Pair { a, b } in candidates(objects, time, limit) {
            let [(a, one), (b, two)] = [&objects[a as usize], &objects[b as usize]];
            let apart = time_apart(one, two, time);
            let are_walls = a.kind == BodyKind::Wall && b.kind == BodyKind::Wall;
            if !are_walls && apart < flight.duration {
                flight = Self {
                    duration: apart,
                    pair: Some([*a, *b]),
                };
            }
        }
        flight
    }
}

/// Returns the pairs that may touch before the limit.
fn candidates(objects: &[(BodyRef, Trajectory)], time: f64, limit: f64) -> Vec<Pair> {
    let count = objects.len() as u32;
    let all = || {
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| Pair { a, b }));
        pairs.collect::<Vec<Pair>>()
    };
    if objects.len() <= FEW {
        return all();
    }

    let (bounded, others): (Vec<u32>, Vec<u32>) =
        (0..count).partition(|&k| matches!(objects[k as usize].1, Trajectory::Box(_)));
    let swept = |&k: &u32| match &objects[k as usize].1 {
        Trajectory::Box(moving) => moving.swept(time, limit),
        _ => Aabb::EMPTY,
    };
    let boxes: Vec<Aabb<3>> = bounded.iter().map(swept).collect();
    let mut pairs = Vec::new();
    if Auto::default()
        .find_pairs(&BroadScene::of(&boxes), &mut pairs)
        .is_err()
    {
        return all();
    }

    let [bounded, others] = [&bounded, &others];
    let of_boxes = pairs.into_iter().map(|Pair { a, b }| Pair {
        a: bounded[a as usize],
        b: bounded[b as usize],
    });
    let with_others = others.iter().flat_map(|&other| {
        let pair = move |&k: &u32| Pair {
            a: k.min(other),
            b: k.max(other),
        };
        bounded.iter().map(pair)
    });
    of_boxes.chain(with_others).collect()
}

/// Returns a ball on a parabola.
fn ball(
    centre: Vector<3>,
    velocity: Vector<3>,
    acceleration: Vector<3>,
    radius: f64,
    time: f64,
) -> Trajectory {
    Trajectory::Box(MovingBox {
        since: time,
        centre,
        velocity,
        acceleration,
        half: Vector::repeat(radius),
        radius: Some(radius),
        slack: 0.0,
        orientation: None,
        offset: Vector::zeros(),
    })
}

/// Adds the bodies that were not removed; returns whether all of them fly freely.
fn add_bodies<F: RigidShape<D>, const D: usize>(
    rigid: &Rigid<F, D>,
    time: f64,
    objects: &mut Vec<(BodyRef, Trajectory)>,
) -> bool {
    if rigid.touches() {
        return false;
    }

    for body in (0..rigid.len()).filter(|&body| !rigid.is_gone(body)) {
        if rigid.is_guided(body) || rigid.is_hinged(body) {
            return false;
        }
        let lifted = |v: Vector<D>| Vector::from_fn(|k, _| if k < D { v[k] } else { 0.0 });
        let (centre, velocity) = (
            lifted(rigid.centre(body).coords),
            lifted(rigid.velocity(body)),
        );
        let acceleration = rigid.weight(body) / rigid.mass(body);
        let trajectory = ball(centre, velocity, acceleration, rigid.reach(body), time);
        objects.push((BodyRef::body(body), trajectory));
    }
    true
}

/// Returns whether a path is a straight one at constant velocity, or none, for a time.
fn is_straight(path: &Path, time: f64, limit: f64) -> bool {
    let still = |v: &[f64; 3]| v.iter().all(|x| *x == 0.0);
    let is_throughout = time >= path.since && path.until.is_none_or(|until| time + limit < until);
    let bends = [path.spin, path.acceleration, path.angular_acceleration];
    path.is_rest()
        || bends.iter().all(still)
            && (still(&path.amplitude) || path.frequency == 0.0)
            && is_throughout
}

impl Space {
    /// Bounds the time in which everything moves freely; `None` if something touches, or moves in
    /// another way.
    pub(super) fn free_flight(&self, time: f64, limit: f64) -> Option<FreeFlight> {
        if self.elastic.is_some() || self.has_outlets() {
            return None;
        }

        let mut objects = Vec::new();
        if let Some(particles) = &self.particles {
            if particles.is_periodic() || !particles.fly_freely() {
                return None;
            }
            objects.extend(particles.moving_balls().into_iter().map(|(moving, id)| {
                let centre = moving.ball.centre.coords;
                let (velocity, push) = (moving.velocity, moving.acceleration);
                let trajectory = ball(centre, velocity, push, moving.ball.radius, time);
                (BodyRef::particle(id), trajectory)
            }));
        }
        if let Some(bodies) = &self.bodies
            && !add_bodies(&bodies.rigid, time, &mut objects)
        {
            return None;
        }

        for (number, wall) in self.walls.iter().enumerate() {
            if !is_straight(&wall.path, time, limit) {
                return None;
            }
            objects.push((BodyRef::wall(number), self.wall_in_flight(number, time)?));
        }
        Some(FreeFlight::of(&objects, time, limit))
    }

    fn wall_in_flight(&self, number: usize, time: f64) -> Option<Trajectory> {
        let wall = &self.walls[number];
        let state = wall.at(time);
        if let Some([point, normal]) = wall.half_space {
            if !wall.is_at_rest() {
                return None;
            }
            let normal = state
                .pose
                .vector(&Vector::from(normal))
                .try_normalize(0.0)?;
            let offset = normal.dot(&state.pose.point(&Point::from(point)).coords);
            return Some(Trajectory::HalfSpace { normal, offset });
        }

        let points = &wall.triangles.as_ref()?.points;
        let bounds = Aabb::of(points.iter().map(|point| state.pose.point(point)));
        Some(Trajectory::Box(MovingBox {
            since: time,
            centre: bounds.centre().coords,
            velocity: state.velocity,
            acceleration: Vector::zeros(),
            half: 0.5 * bounds.extent(),
            radius: None,
            slack: 0.0,
            orientation: None,
            offset: Vector::zeros(),
        }))
    }

    /// Moves everything freely by a time.
    pub(super) fn fly(&mut self, time: f64, seconds: f64) {
        if let Some(particles) = &mut self.particles {
            particles.fly(seconds);
        }
        if let Some(bodies) = &mut self.bodies {
            bodies.rigid.fly(seconds);
        }
        self.place_obstacles(time + seconds);
    }
}

impl Plane {
    /// Like [`Space::free_flight`].
    pub(super) fn free_flight(&self, time: f64, limit: f64) -> Option<FreeFlight> {
        let mut objects = Vec::new();
        if !add_bodies(&self.rigid, time, &mut objects) {
            return None;
        }
        for wall in 0..self.wall_count() {
            objects.push((BodyRef::wall(wall), self.wall_trajectory(wall)));
        }
        Some(FreeFlight::of(&objects, time, limit))
    }

    pub(super) fn fly(&mut self, seconds: f64) {
        self.rigid.fly(seconds);
    }
}
