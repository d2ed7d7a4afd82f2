//! The motion of a rigid body since it was last set.

use super::MovingBall;
use super::travel::ROUNDING;
use crate::bound::Ball;
use crate::space::{Motion, Pose, Vector};

/// A motion that starts at a given time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The motion, whose time is zero at `since`.
    pub motion: Motion<3>,
    /// The start of the motion.
    pub since: f64,
}

impl Course {
    /// Returns the pose at a time.
    pub fn pose(&self, time: f64) -> Pose<3> {
        self.motion.pose_at(time - self.since)
    }

    /// Returns the velocity of the body's origin at a time.
    pub fn velocity(&self, time: f64) -> Vector<3> {
        self.motion.velocity + self.motion.acceleration * (time - self.since)
    }

    /// Bounds the rounding error in the position of a body point at a time, for points within
    /// `reach` of the origin. It covers the rounding of the origin's path, of the angle and of the
    /// time itself.
    pub(crate) fn rounding(&self, reach: f64, time: f64) -> f64 {
        let (motion, passed) = (&self.motion, time - self.since);
        let way =
            motion.velocity.norm() * passed + 0.5 * motion.acceleration.norm() * passed * passed;
        let speed = self.velocity(time).norm() + motion.spin_rate() * reach;
        let size = motion.pose.position().coords.norm() + way;
        let turning = reach * (2.0 + motion.spin_rate() * passed);

        ROUNDING * (size + turning + speed * time.abs())
    }

    /// Returns a ball that moves with the body from a time on. Spin carries its centre along a
    /// circle, which deviates from the initial parabola by at most ½ ω² t² times the circle's
    /// radius; the ball swells by this amount.
    pub fn ball(&self, ball: &Ball<3>, time: f64) -> MovingBall<3> {
        self.ball_from(&self.pose(time), ball, time)
    }

    /// Like [`Course::ball`], for a known pose at that time.
    pub(crate) fn ball_from(&self, pose: &Pose<3>, ball: &Ball<3>, time: f64) -> MovingBall<3> {
        let turning = self.motion.spin() * pose.vector(&ball.centre.coords);
        MovingBall {
            ball: Ball::new(pose.point(&ball.centre), ball.radius),
            velocity: self.velocity(time) + turning,
            acceleration: self.motion.acceleration,
            growth: 0.0,
            swelling: self.motion.spin_rate() * turning.norm(),
        }
    }

    /// Returns a ball centred on the spin axis that encloses a ball of the body for any rotation
    /// angle, and so does not swell. `None` if spin does not move the ball. This is the tighter
    /// bound for distant times; [`Course::ball`] is tighter for near ones.
    pub(crate) fn ball_about(
        &self,
        pose: &Pose<3>,
        ball: &Ball<3>,
        time: f64,
    ) -> Option<MovingBall<3>> {
        let (spin, rate) = (self.motion.spin(), self.motion.spin_rate());
        let lever = pose.vector(&ball.centre.coords);
        let turning = (spin * lever).norm();

        if turning == 0.0 {
            return None;
        }

        // −(Ω/ω)² projects the lever arm onto the plane perpendicular to the axis.
        let unit = spin / rate;
        let across = -(unit * (unit * lever));
        let centre = pose.position() + (lever - across);
        let rounding = 16.0 * f64::EPSILON * lever.norm();
        let radius = (ball.radius + across.norm()) * (1.0 + 8.0 * f64::EPSILON) + rounding;

        Some(
            MovingBall::at_rest(Ball::new(centre, radius))
                .with_velocity(self.velocity(time))
                .with_acceleration(self.motion.acceleration),
        )
    }
}

#[cfg(test)]
mod tests;
