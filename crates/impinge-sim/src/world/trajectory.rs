//! Bounds of an object's future motion: a box that moves on a parabola, with slack.
//!
//! [Aragon2013, section 3.1] lets the balls around bodies move with constant acceleration, and
//! assumes that this holds until something touches. Here the assumption is checked: an object that
//! leaves its trajectory by more than the slack gets a new one. A bound is therefore valid for
//! bodies that are pushed, that turn, deform, or follow a path.

use impinge::bound::Ball;
use impinge::predict::{MovingBall, touch_bound};
use impinge::space::{Aabb, Point, Vector};

/// Relative margin for the rounding of positions, gaps and times.
const ROUNDING: f64 = 1e-12;

/// The region of an object, and its motion.
#[derive(Clone, Debug)]
pub(super) enum Trajectory {
    /// No bound is known.
    Anywhere,
    /// The object was removed.
    Nowhere,
    /// A half-space at rest: normal·x ≤ offset.
    HalfSpace { normal: Vector<3>, offset: f64 },
    /// A box on a parabola.
    Box(MovingBox),
}

/// A box on a parabola.
#[derive(Clone, Debug)]
pub(super) struct MovingBox {
    /// Time at which it was measured.
    pub(super) since: f64,
    pub(super) centre: Vector<3>,
    pub(super) velocity: Vector<3>,
    pub(super) acceleration: Vector<3>,
    /// Half extents, including the slack.
    pub(super) half: Vector<3>,
    /// Radius of a ball about the centre that contains the object too, including the slack.
    pub(super) radius: Option<f64>,
    /// Permitted deviation.
    pub(super) slack: f64,
    /// Orientation at the start, if the box is that of one orientation.
    pub(super) orientation: Option<[f64; 4]>,
    /// From a reference point of the object to the centre.
    pub(super) offset: Vector<3>,
}

impl MovingBox {
    /// Returns the centre at a time.
    pub(super) fn centre_at(&self, time: f64) -> Vector<3> {
        let t = time - self.since;
        self.centre + self.velocity * t + self.acceleration * (0.5 * t * t)
    }

    fn velocity_at(&self, time: f64) -> Vector<3> {
        self.velocity + self.acceleration * (time - self.since)
    }

    /// Returns whether a box lies in the region at a time.
    pub(super) fn contains(&self, bounds: &Aabb<3>, time: f64) -> bool {
        let centre = self.centre_at(time);
        (0..3).all(|k| {
            centre[k] - self.half[k] <= bounds.min[k] && bounds.max[k] <= centre[k] + self.half[k]
        })
    }

    /// Returns a box around the region from a time on, for a duration.
    pub(super) fn swept(&self, time: f64, duration: f64) -> Aabb<3> {
        let [from, velocity] = [self.centre_at(time), self.velocity_at(time)];
        let at = |t: f64| from + velocity * t + self.acceleration * (0.5 * t * t);
        let mut swept = Aabb::of([Point::from(from), Point::from(at(duration))]);
        for k in 0..3 {
            // The parabola turns back within the duration.
            let turn = -velocity[k] / self.acceleration[k];
            if turn > 0.0 && turn < duration {
                let extreme = at(turn)[k];
                swept.min[k] = swept.min[k].min(extreme);
                swept.max[k] = swept.max[k].max(extreme);
            }
        }

        Aabb {
            min: swept.min - self.half,
            max: swept.max + self.half,
        }
    }

    fn ball_at(&self, time: f64) -> Option<MovingBall<3>> {
        let ball = Ball::new(Point::from(self.centre_at(time)), self.radius?);
        Some(
            MovingBall::at_rest(ball)
                .with_velocity(self.velocity_at(time))
                .with_acceleration(self.acceleration),
        )
    }
}

/// Returns a lower bound of the time, from `time` on, in which two objects cannot touch; infinite if
/// they never do while they stay on their trajectories.
pub(super) fn time_apart(a: &Trajectory, b: &Trajectory, time: f64) -> f64 {
    match (a, b) {
        (Trajectory::Nowhere, _) | (_, Trajectory::Nowhere) => f64::INFINITY,
        (Trajectory::Box(a), Trajectory::Box(b)) => boxes_apart(a, b, time),
        (Trajectory::Box(moving), Trajectory::HalfSpace { normal, offset })
        | (Trajectory::HalfSpace { normal, offset }, Trajectory::Box(moving)) => {
            above(moving, normal, *offset, time)
        }
        _ => 0.0,
    }
}

/// Two boxes touch only once they overlap on every axis, so the latest axis decides; two balls may
/// pass each other although their boxes touch.
fn boxes_apart(a: &MovingBox, b: &MovingBox, time: f64) -> f64 {
    let way = a.centre_at(time) - b.centre_at(time);
    let velocity = a.velocity_at(time) - b.velocity_at(time);
    let acceleration = a.acceleration - b.acceleration;
    let mut apart: f64 = 0.0;

    for k in 0..3 {
        let reach = a.half[k] + b.half[k];
        let size = a.centre[k].abs() + b.centre[k].abs() + way[k].abs() + reach;
        let (gap, side) = (way[k].abs() - reach - ROUNDING * size, way[k].signum());
        apart = apart.max(time_to_close(
            gap,
            -side * velocity[k],
            -side * acceleration[k],
        ));
    }

    match (a.ball_at(time), b.ball_at(time)) {
        (Some(a), Some(b)) if apart.is_finite() && acceleration == Vector::<3>::zeros() => {
            apart.max(touch_bound(&a, &b).unwrap_or(f64::INFINITY))
        }
        _ => apart,
    }
}

fn above(moving: &MovingBox, normal: &Vector<3>, offset: f64, time: f64) -> f64 {
    let reach = normal.abs().dot(&moving.half);
    let reach = moving.radius.map_or(reach, |radius| reach.min(radius));
    let height = normal.dot(&moving.centre_at(time)) - offset;
    let size = moving.centre.norm() + offset.abs() + height.abs() + reach;
    time_to_close(
        height - reach - ROUNDING * size,
        -normal.dot(&moving.velocity_at(time)),
        -normal.dot(&moving.acceleration),
    )
}

/// Returns the first time at which a gap closes at a speed and acceleration, rounded down; 0 if it
/// is closed, infinite if it never closes.
fn time_to_close(gap: f64, speed: f64, acceleration: f64) -> f64 {
    if gap.is_nan() || gap <= 0.0 {
        return 0.0;
    }

    // gap = speed t + ½ acceleration t², in the form without cancellation.
    let discriminant = speed * speed + 2.0 * acceleration * gap;
    let sum = speed + discriminant.max(0.0).sqrt();
    if discriminant < -ROUNDING * speed * speed || sum <= 0.0 {
        return f64::INFINITY;
    }

    2.0 * gap / sum * (1.0 - ROUNDING)
}

#[cfg(test)]
mod tests;
