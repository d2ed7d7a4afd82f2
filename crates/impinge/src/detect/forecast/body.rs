//! A rigid body in the engine: its triangles, their hierarchy of balls, its course.

use crate::bound::Ball;
use crate::narrow::meshes::TriangleTree;
use crate::predict::Course;
use crate::space::Pose;
use crate::tree::{BallTree, Builder};

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) faces: TriangleTree,
    pub(super) balls: BallTree<3>,
    pub(super) course: Course,
    /// The last pose that was asked for, and its time: many nodes are looked at at one moment.
    placed: Option<(f64, Pose<3>)>,
}

impl Body {
    pub(super) fn new(faces: TriangleTree, course: Course, builder: Builder) -> Self {
        let balls: Vec<Ball<3>> = (0..faces.len()).map(|face| Ball::smallest(&faces.corners(face))).collect();
        Self { balls: BallTree::build(&balls, builder), faces, course, placed: None }
    }

    pub(super) fn set_course(&mut self, course: Course) {
        (self.course, self.placed) = (course, None);
    }

    /// The pose at a time; `updates` counts those that were not known.
    pub(super) fn pose(&mut self, time: f64, updates: &mut usize) -> Pose<3> {
        match self.placed {
            Some((known, pose)) if known == time => pose,
            _ => {
                *updates += 1;
                let pose = self.course.pose(time);
                self.placed = Some((time, pose));
                pose
            }
        }
    }

    /// Radius of the ball around it: how far things have to move to matter.
    pub(super) fn size(&self) -> f64 {
        self.balls.bounds().radius
    }
}
