//! Where a rigid body is from the moment on at which its motion was told.

use super::MovingBall;
use crate::bound::Ball;
use crate::space::{Motion, Pose, Vector};

/// A motion that holds from a moment on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The motion, whose time is zero at `since`.
    pub motion: Motion<3>,
    /// The moment.
    pub since: f64,
}

impl Course {
    /// The pose at a time.
    pub fn pose(&self, time: f64) -> Pose<3> {
        self.motion.pose_at(time - self.since)
    }

    /// Velocity of the body's origin at a time.
    pub fn velocity(&self, time: f64) -> Vector<3> {
        self.motion.velocity + self.motion.acceleration * (time - self.since)
    }

    /// A ball that moves with the body, from a time on. A spin carries its centre along a circle; beside the parabola of
    /// the first moment that is at most ½ ω² |lever| t², by which the ball swells.
    pub fn ball(&self, ball: &Ball<3>, time: f64) -> MovingBall<3> {
        self.ball_from(&self.pose(time), ball, time)
    }

    /// The same where the pose at the time is known.
    pub fn ball_from(&self, pose: &Pose<3>, ball: &Ball<3>, time: f64) -> MovingBall<3> {
        let lever = pose.vector(&ball.centre.coords);
        MovingBall {
            ball: Ball::new(pose.point(&ball.centre), ball.radius),
            velocity: self.velocity(time) + self.motion.spin() * lever,
            acceleration: self.motion.acceleration,
            growth: 0.0,
            swelling: self.motion.spin_rate().powi(2) * lever.norm(),
        }
    }
}
