//! Triangles with moving corners: faces of rigid bodies, and faces whose corners move on straight
//! lines.

use super::moving::{Corner, Moving};
use super::travel::ROUNDING;
use super::{Course, MovingBall};
use crate::bound::Ball;
use crate::space::{Point, Vector};

/// A triangle with moving corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MovingFace<'a> {
    /// A face of a rigid body.
    Rigid {
        /// Corners in the body's frame.
        corners: [Point<3>; 3],
        /// The body's motion.
        course: &'a Course,
    },
    /// A face whose corners move on straight lines.
    Straight(StraightFace),
}

/// A triangle whose corners move on straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightFace {
    /// Corners at the time `since`.
    pub corners: [Point<3>; 3],
    /// Velocities of the corners.
    pub velocities: [Vector<3>; 3],
    /// The time at which `corners` applies.
    pub since: f64,
}

impl StraightFace {
    /// The corners at a time.
    pub fn at(&self, time: f64) -> [Point<3>; 3] {
        std::array::from_fn(|k| self.corners[k] + self.velocities[k] * (time - self.since))
    }

    /// A moving ball that encloses the corners from a time on.
    pub(super) fn ball(&self, time: f64) -> MovingBall<3> {
        let speeds = Ball::smallest(&self.velocities.map(Point::from));
        MovingBall {
            growth: speeds.radius,
            ..MovingBall::at_rest(Ball::smallest(&self.at(time)))
                .with_velocity(speeds.centre.coords)
        }
    }
}

impl MovingFace<'_> {
    /// The corners at a time.
    pub fn at(&self, time: f64) -> [Point<3>; 3] {
        match self {
            Self::Rigid { corners, course } => {
                let pose = course.pose(time);
                corners.map(|p| pose.point(&p))
            }
            Self::Straight(face) => face.at(time),
        }
    }

    /// The corners at a time with their velocities and accelerations.
    pub(super) fn moving(&self, time: f64) -> [Corner; 3] {
        let placed = self.at(time);
        match self {
            Self::Rigid { course, .. } => {
                let (origin, velocity) = (
                    course.motion.position(time - course.since),
                    course.velocity(time),
                );
                placed.map(|place| {
                    let turning = course.motion.spin() * (place - origin);
                    Corner {
                        place,
                        velocity: velocity + turning,
                        acceleration: course.motion.acceleration,
                        swing: course.motion.spin_rate() * turning.norm(),
                    }
                })
            }
            Self::Straight(face) => std::array::from_fn(|k| Corner {
                place: placed[k],
                velocity: face.velocities[k],
                acceleration: Vector::zeros(),
                swing: 0.0,
            }),
        }
    }

    /// A vector that turns with a rigid body. `None` for other faces.
    pub(super) fn carried(&self, vector: &Vector<3>) -> Option<Moving> {
        let Self::Rigid { course, .. } = self else {
            return None;
        };
        let rate = course.motion.spin() * vector;
        let speed = rate.norm();

        Some(Moving {
            value: *vector,
            rate,
            most: [vector.norm(), speed, course.motion.spin_rate() * speed],
        })
    }

    /// Norm of the component of a direction perpendicular to the spin axis: centripetal
    /// accelerations have no other component.
    pub(super) fn across_spin(&self, direction: &Vector<3>) -> f64 {
        match self {
            Self::Rigid { course, .. } if course.motion.spin_rate() > 0.0 => {
                let across = (course.motion.spin() * direction).norm();
                (across / course.motion.spin_rate()).min(1.0)
            }
            _ => 0.0,
        }
    }

    /// Bounds the rounding error of a corner's position at a time.
    pub(super) fn rounding(&self, time: f64) -> f64 {
        match self {
            Self::Rigid { corners, course } => {
                let reach = corners.map(|p| p.coords.norm()).into_iter();
                course.rounding(reach.fold(0.0, f64::max), time)
            }
            Self::Straight(face) => {
                let sizes = std::array::from_fn::<f64, 3, _>(|k| {
                    let speed = face.velocities[k].norm();
                    face.corners[k].coords.norm() + speed * ((time - face.since).abs() + time.abs())
                });
                ROUNDING * sizes.into_iter().fold(0.0, f64::max)
            }
        }
    }
}
