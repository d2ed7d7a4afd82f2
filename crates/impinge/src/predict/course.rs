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
mod tests {
    use super::*;
    use crate::predict::first_touch;
    use crate::space::Point;

    #[test]
    fn both_bounds_of_a_spinning_ball_hold_it_at_all_times() {
        let motion = Motion::at_rest(Pose::<3>::at([1.0, 2.0, 3.0]))
            .with_velocity([1.0, 0.0, 0.5])
            .with_acceleration([0.0, 0.0, -1.0])
            .with_spin([0.5, 2.0, 1.0]);
        let course = Course { motion, since: 1.0 };
        let ball = Ball::new([0.5, 0.0, 0.2], 0.3);
        let bounds = [
            course.ball(&ball, 2.0),
            course
                .ball_about(&course.pose(2.0), &ball, 2.0)
                .expect("it turns"),
        ];

        for k in 0..400 {
            let wait = 0.01 * f64::from(k);
            let centre: Point<3> = course.pose(2.0 + wait).point(&ball.centre);
            for bound in &bounds {
                let middle = bound.ball.centre
                    + bound.velocity * wait
                    + bound.acceleration * (0.5 * wait * wait);
                let radius = bound.ball.radius + 0.5 * bound.swelling * wait * wait;
                assert!(
                    (centre - middle).norm() + ball.radius <= radius * (1.0 + 1e-12),
                    "{wait}"
                );
            }
        }
    }

    #[test]
    fn a_body_that_spins_on_the_spot_never_comes_near_by_its_second_bound() {
        let course = Course {
            motion: Motion::at_rest(Pose::<3>::identity()).with_spin([0.0, 0.0, 1.0]),
            since: 0.0,
        };
        let ball = Ball::new([1.0, 0.0, 0.0], 0.5);
        let still = MovingBall::at_rest(Ball::new([5.0, 0.0, 0.0], 1.0));
        assert!(first_touch(&course.ball(&ball, 0.0), &still, f64::INFINITY).is_some());
        let about = course
            .ball_about(&Pose::identity(), &ball, 0.0)
            .expect("it turns");

        assert_eq!(first_touch(&about, &still, f64::INFINITY), None);
    }
}
