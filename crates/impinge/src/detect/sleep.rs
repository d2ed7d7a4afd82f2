//! Sleeping: the earliest time at which the bounding spheres of two bodies may touch.
//!
//! A body moved by the user counts as at rest until the scene changes; any change ends the sleep.
//! [Aragon2013, 3.1]

use super::scene::{Place, Scene};
use super::shape::{Placed, Shape};
use crate::bound::Ball;
use crate::broad::Pair;
use crate::predict::{MovingBall, first_touch};
use crate::shape::HalfSpace;
use crate::space::{Aabb, Vector};

/// Relative tolerance for the rounding of a height above a half-space.
const ROUNDING: f64 = 1e-12;

/// Largest number of bodies for which the times of all pairs are computed: some hundred microseconds.
const MOST: usize = 64;

/// Factor by which times to a half-space are early: more than the rounding of the closed form.
const EARLY: f64 = 1.0 - 1e-9;

/// A time interval in which nothing can touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sleep {
    /// Version of the scene for which it is valid.
    pub(super) version: u64,
    pub(super) from: f64,
    pub(super) until: f64,
}

impl Sleep {
    pub(super) fn covers(&self, version: u64, time: f64) -> bool {
        self.version == version && self.from <= time && time < self.until
    }
}

/// Computes the interval from `time` on in which no two bodies can touch. `None` if two may touch now,
/// or if there are more than [`MOST`] bodies.
pub(super) fn plan<S: Shape<D>, const D: usize>(
    scene: &Scene<S, D>,
    bodies: &[Option<Placed<S, D>>],
    time: f64,
    margin: f64,
) -> Option<Sleep> {
    let all: Vec<&Placed<S, D>> = bodies.iter().flatten().collect();
    if all.len() > MOST {
        return None;
    }

    let mut until = f64::INFINITY;
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            if scene.allows(Pair::new(a.id, b.id)) {
                until = until.min(time + wait(scene, [a, b], time, until - time, margin));
            }
            if until <= time {
                return None;
            }
        }
    }

    Some(Sleep {
        version: scene.version(),
        from: time,
        until,
    })
}

/// Returns a time span in which two bodies cannot come within the margin.
fn wait<S: Shape<D>, const D: usize>(
    scene: &Scene<S, D>,
    [a, b]: [&Placed<S, D>; 2],
    time: f64,
    until: f64,
    margin: f64,
) -> f64 {
    let ball = |placed: &Placed<S, D>| {
        let mut ball = moving(scene, placed, &placed.shape.local_bounds(), time);
        ball.ball.radius += margin;
        ball
    };
    match (a.shape.half_space(), b.shape.half_space()) {
        (None, None) => first_touch(&ball(a), &ball(b), until).unwrap_or(f64::INFINITY),
        (Some(half), None) => wait_over(scene, half, a, &ball(b), time),
        (None, Some(half)) => wait_over(scene, half, b, &ball(a), time),
        (Some(_), Some(_)) => f64::INFINITY,
    }
}

/// Returns the moving bounding sphere of a box attached to a body. Spin carries its centre along a
/// circle. This differs from the initial parabola by at most ½ ω² |lever| t², by which the sphere
/// grows.
fn moving<S: Shape<D>, const D: usize>(
    scene: &Scene<S, D>,
    placed: &Placed<S, D>,
    bounds: &Aabb<D>,
    time: f64,
) -> MovingBall<D> {
    let ball = Ball::new(
        placed.pose.point(&bounds.centre()),
        0.5 * bounds.extent().norm(),
    );
    match scene.place(placed.id) {
        Ok(Place::Given { motion, since }) => {
            let lever = placed.pose.vector(&bounds.centre().coords);
            let velocity =
                motion.velocity + motion.acceleration * (time - since) + motion.spin() * lever;
            let swelling = motion.spin_rate().powi(2) * lever.norm();
            MovingBall {
                swelling,
                ..MovingBall::at_rest(ball)
            }
            .with_velocity(velocity)
            .with_acceleration(motion.acceleration)
        }
        _ => MovingBall::at_rest(ball),
    }
}

/// Returns how long a ball stays above a half-space, whatever the direction of its motion. 0 for a
/// rotating half-space, which can sweep everything.
fn wait_over<S: Shape<D>, const D: usize>(
    scene: &Scene<S, D>,
    half: &HalfSpace<D>,
    placed: &Placed<S, D>,
    ball: &MovingBall<D>,
    time: f64,
) -> f64 {
    let (velocity, acceleration) = match scene.place(placed.id) {
        Ok(Place::Given { motion, .. }) if motion.spin_rate() > 0.0 => return 0.0,
        Ok(Place::Given { motion, since }) => (
            motion.velocity + motion.acceleration * (time - since),
            motion.acceleration,
        ),
        _ => (Vector::zeros(), Vector::zeros()),
    };
    let normal = placed.pose.vector(&half.normal());
    let gap = normal.dot(&(ball.ball.centre - placed.pose.point(&half.point()))) - ball.ball.radius;
    let speed = (ball.velocity - velocity).norm();
    let push = (ball.acceleration - acceleration).norm() + ball.swelling;

    // The smallest t with speed t + ½ push t² = gap; infinite if nothing moves.
    if gap > 0.0 {
        EARLY * 2.0 * gap / (speed + (speed * speed + 2.0 * push * gap).sqrt())
    } else {
        0.0
    }
}

/// Whether a box comes within the margin of a half-space, up to rounding.
pub(super) fn reaches<S, const D: usize>(
    half: &HalfSpace<D>,
    placed: &Placed<S, D>,
    bounds: &Aabb<D>,
    margin: f64,
) -> bool {
    let normal = placed.pose.vector(&half.normal());
    let from = bounds.centre() - placed.pose.point(&half.point());
    let reach = normal.abs().dot(&(bounds.extent() * 0.5));
    normal.dot(&from) - reach - margin <= ROUNDING * (from.amax() + reach)
}
