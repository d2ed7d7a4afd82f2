//! Where a rigid body is from the moment on at which its motion was told.

use super::MovingBall;
use crate::bound::Ball;
use crate::space::{Motion, Point, Pose, Vector};

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

    /// How fast points of the body move along a direction at a time: the greatest speed, and the greatest acceleration
    /// from then on.
    fn along(&self, direction: &Vector<3>, levers: &[Vector<3>; 3], time: f64) -> [f64; 2] {
        let turning = levers.map(|lever| direction.dot(&(self.motion.spin() * lever)));
        let furthest = levers.iter().map(Vector::norm).fold(0.0, f64::max);
        let speed =
            direction.dot(&self.velocity(time)) + turning.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let push = direction.dot(&self.motion.acceleration) + self.motion.spin_rate().powi(2) * furthest;
        [speed, push]
    }
}

/// What a search for the touch of two faces found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaceTouch {
    /// They never do.
    Never,
    /// Not before this time; the search may go on from there.
    NotBefore(f64),
    /// At this time, or later by the tolerance at most; where.
    At {
        /// The time.
        time: f64,
        /// Half way between the faces.
        point: Point<3>,
    },
}

/// Steps of one search.
const MOST_STEPS: usize = 64;

/// When two triangles of moving bodies first touch, from a time on, by conservative advancement: along the way between
/// their closest points, no point of one can come nearer to the other than its speed and acceleration allow. On straight
/// paths the first step ends at the touch. `tests` counts distances.
pub fn face_touch(
    faces: [&[Point<3>; 3]; 2],
    courses: [&Course; 2],
    from: f64,
    tolerance: f64,
    tests: &mut usize,
) -> FaceTouch {
    let mut time = from;
    for _ in 0..MOST_STEPS {
        let poses = courses.map(|course| course.pose(time));
        let placed: [[Point<3>; 3]; 2] = [0, 1].map(|k| faces[k].map(|p| poses[k].point(&p)));
        *tests += 1;
        let witness = crate::narrow::triangle::closest(&placed[0], &placed[1]);
        let distance = witness.way.norm();
        let touch = FaceTouch::At { time, point: nalgebra::center(&witness.on_a, &witness.on_b) };
        if distance == 0.0 {
            return touch;
        }
        let direction = witness.way / distance;
        let levers = [0, 1].map(|k| placed[k].map(|p| p - poses[k].position()));
        let [speed_a, push_a] = courses[0].along(&direction, &levers[0], time);
        let [speed_b, push_b] = courses[1].along(&-direction, &levers[1], time);
        let step = time_to_cover(distance, speed_a + speed_b, push_a + push_b);
        if step <= tolerance.max(4.0 * f64::EPSILON * time.abs()) {
            return touch;
        }
        if step == f64::INFINITY {
            return FaceTouch::Never;
        }
        time += step * (1.0 - 8.0 * f64::EPSILON);
    }
    FaceTouch::NotBefore(time)
}

/// The least t with speed t + ½ push t² = distance; infinite where there is none.
fn time_to_cover(distance: f64, speed: f64, push: f64) -> f64 {
    let discriminant = speed * speed + 2.0 * push * distance;
    // What rounding makes of a push that is none would be a touch in the far future.
    if discriminant < 0.0 || speed <= 0.0 && push <= 0.0 {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    let time = if speed >= 0.0 { 2.0 * distance / (speed + root) } else { (root - speed) / push };
    if time.is_nan() { f64::INFINITY } else { time }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(x: f64) -> [Point<3>; 3] {
        [[x, -1.0, -1.0], [x, 1.0, -1.0], [x, 0.0, 1.0]].map(Point::from)
    }

    fn course(motion: Motion<3>) -> Course {
        Course { motion, since: 0.0 }
    }

    fn touch(a: Motion<3>, b: Motion<3>) -> FaceTouch {
        let faces = [face(0.0), face(10.0)];
        face_touch([&faces[0], &faces[1]], [&course(a), &course(b)], 0.0, 1e-9, &mut 0)
    }

    #[test]
    fn faces_that_fly_at_each_other_touch_at_the_time_of_kinematics() {
        let rest = Motion::at_rest(Pose::identity());
        let FaceTouch::At { time, point } =
            touch(rest.with_velocity([3.0, 0.0, 0.0]), rest.with_velocity([-1.0, 0.0, 0.0]))
        else {
            panic!("they meet")
        };
        assert!(time <= 2.5 && 2.5 - time < 2e-9 && (point.x - 7.5).abs() < 1e-6, "{time} {point}");
        let FaceTouch::At { time, .. } = touch(rest, rest.with_acceleration([-5.0, 0.0, 0.0])) else {
            panic!("they meet")
        };
        assert!(time <= 2.0 && 2.0 - time < 2e-9);
        assert_eq!(touch(rest, rest.with_velocity([1.0, 0.0, 0.0])), FaceTouch::Never);
        assert_eq!(touch(rest, rest), FaceTouch::Never);
    }

    #[test]
    fn a_spinning_face_touches_when_it_has_turned_far_enough() {
        // A blade along y, turning about z through the origin, meets a wall at x = 1/√2 after an eighth of a turn.
        let blade = [[0.0, 0.0, -0.1], [0.0, 0.0, 0.1], [0.0, 1.0, 0.0]].map(Point::from);
        let wall = [[0.5f64.sqrt(), -5.0, -5.0], [0.5f64.sqrt(), 5.0, -5.0], [0.5f64.sqrt(), 0.0, 9.0]]
            .map(Point::from);
        let turning = course(Motion::at_rest(Pose::<3>::identity()).with_spin([0.0, 0.0, -1.0]));
        let rest = course(Motion::at_rest(Pose::identity()));
        let mut from = 0.0;
        let found = loop {
            match face_touch([&blade, &wall], [&turning, &rest], from, 1e-9, &mut 0) {
                FaceTouch::NotBefore(time) => from = time,
                other => break other,
            }
        };
        let FaceTouch::At { time, .. } = found else { panic!("it turns into the wall") };
        let expected = std::f64::consts::FRAC_PI_4;
        assert!(time <= expected && expected - time < 1e-7, "{time}");
    }
}
