//! A body of a forecast: its shape and its motion.

use super::straight::Straight;
use super::{MotionUpdate, Prepared, Term};
use crate::bound::Ball;
use crate::predict::{Course, MovingBall, MovingFace};
use crate::space::{Motion, Point, Pose, Vector};

/// Relative difference up to which velocities count as equal: the rounding accumulated over a few
/// steps.
const SAME: f64 = 1e-12;

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) shape: Prepared,
    pub(super) path: Path,
    /// The last computed pose and its time, cached because many nodes are tested at the same time.
    placed: Option<(f64, Pose<3>)>,
}

/// How a body moves.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Rigid(Course),
    Deforming(Straight),
}

impl Body {
    pub(super) fn new(shape: Prepared, path: Path) -> Self {
        Self {
            shape,
            path,
            placed: None,
        }
    }

    pub(super) fn set_path(&mut self, path: Path) {
        (self.path, self.placed) = (path, None);
    }

    pub(super) fn course(&self) -> Option<&Course> {
        match &self.path {
            Path::Rigid(course) => Some(course),
            Path::Deforming(_) => None,
        }
    }

    /// Returns the pose of a rigid body at a time; `updates` counts the poses that were not cached.
    pub(super) fn pose(&mut self, time: f64, updates: &mut Term) -> Option<Pose<3>> {
        if let Some((_, pose)) = self.placed.filter(|(known, _)| *known == time) {
            return Some(pose);
        }

        let course = self.course()?;
        let pose = updates.book_short(|| course.pose(time));
        self.placed = Some((time, pose));

        Some(pose)
    }

    /// The motion of a rigid body without spin.
    pub(super) fn straight_course(&self) -> Option<&Course> {
        self.course()
            .filter(|course| course.motion.spin_rate() == 0.0)
    }

    /// Support distance of a node of a rigid body along a direction: of its face if it has only
    /// one, otherwise of its ball.
    pub(super) fn reach(&self, pose: &Pose<3>, node: u32, direction: &Vector<3>) -> f64 {
        let (tree, local) = (self.shape.balls(), pose.vector_to_local(direction));
        let node = &tree.nodes[node as usize];
        let below = if node.is_leaf() {
            tree.items_of(node)
        } else {
            &[]
        };
        let inner = match below {
            [face] => self
                .shape
                .corners(*face)
                .map(|p| local.dot(&p.coords))
                .into_iter()
                .fold(f64::NEG_INFINITY, f64::max),
            _ => local.dot(&node.bounds.centre.coords) + node.bounds.radius,
        };

        direction.dot(&pose.position().coords) + inner
    }

    /// The moving ball of a node from a time on; `pose` is the body's pose at that time, if known.
    pub(super) fn ball(&self, pose: Option<&Pose<3>>, node: u32, time: f64) -> MovingBall<3> {
        let bounds = || &self.shape.balls().nodes[node as usize].bounds;
        match (&self.path, pose) {
            (Path::Rigid(course), Some(pose)) => course.ball_from(pose, bounds(), time),
            (Path::Rigid(course), None) => course.ball(bounds(), time),
            (Path::Deforming(nodes), _) => nodes.ball(node, time),
        }
    }

    /// A ball of the node that does not swell under spin, if it differs from [`Body::ball`].
    pub(super) fn ball_about(
        &self,
        pose: Option<&Pose<3>>,
        node: u32,
        time: f64,
    ) -> Option<MovingBall<3>> {
        let bounds = &self.shape.balls().nodes[node as usize].bounds;
        self.course()?.ball_about(pose?, bounds, time)
    }

    pub(super) fn face(&self, face: u32) -> MovingFace<'_> {
        match &self.path {
            Path::Rigid(course) => MovingFace::Rigid {
                corners: self.shape.corners(face),
                course,
            },
            Path::Deforming(nodes) => {
                MovingFace::Straight(nodes.face(self.shape.triangles()[face as usize]))
            }
        }
    }

    /// All points at a time.
    pub(super) fn points(&self, time: f64) -> Vec<Point<3>> {
        match &self.path {
            Path::Rigid(course) => {
                let pose = course.pose(time);
                self.shape.points().iter().map(|p| pose.point(p)).collect()
            }
            Path::Deforming(nodes) => nodes.at(time),
        }
    }

    /// Radius of the bounding ball: the length scale of relevant motions.
    pub(super) fn size(&self) -> f64 {
        self.shape.bounds().radius
    }

    /// Bounds the rounding error of a point's position at a time.
    pub(super) fn rounding(&self, time: f64) -> f64 {
        match &self.path {
            Path::Rigid(course) => {
                let Ball { centre, radius } = self.shape.bounds();
                course.rounding(centre.coords.norm() + radius, time)
            }
            Path::Deforming(nodes) => nodes.rounding(time),
        }
    }

    /// The velocity at a time, and the largest speed of a point relative to it.
    pub(super) fn speed(&self, time: f64) -> (Vector<3>, f64) {
        match &self.path {
            Path::Rigid(course) => {
                let Ball { centre, radius } = self.shape.bounds();
                (
                    course.velocity(time),
                    course.motion.spin_rate() * (centre.coords.norm() + radius),
                )
            }
            Path::Deforming(nodes) => nodes.motion(),
        }
    }

    pub(super) fn acceleration(&self) -> Vector<3> {
        self.course()
            .map_or_else(Vector::zeros, |course| course.motion.acceleration)
    }

    /// Compares an updated motion with the prediction; the pose may deviate by `drift` body radii.
    pub(super) fn compare(
        &self,
        course: &Course,
        update: &Motion<3>,
        time: f64,
        drift: f64,
    ) -> MotionUpdate {
        let predicted = course.pose(time);
        let Ball { centre, radius } = self.shape.bounds();
        let turned = (update.pose.rotation() - predicted.rotation()).norm();
        let off = (update.pose.position() - predicted.position()).norm()
            + turned * (centre.coords.norm() + radius);
        let push = course.motion.acceleration.norm();

        // A velocity may just pass through zero: its terms determine its rounding.
        let speed = course.motion.velocity.norm() + push * (time - course.since);
        let turning = course.motion.spin();
        let known = (update.velocity - course.velocity(time)).norm() <= SAME * speed
            && (update.acceleration - course.motion.acceleration).norm() <= SAME * push
            && (update.spin() - turning).norm() <= SAME * turning.norm();

        if known && off <= drift * radius {
            MotionUpdate::AsPredicted
        } else {
            MotionUpdate::Replanned { off }
        }
    }

    /// Like [`Body::compare`], for the nodes of a deforming body.
    pub(super) fn compare_nodes(
        &self,
        nodes: &Straight,
        points: &[Point<3>],
        velocities: &[Vector<3>],
        time: f64,
        drift: f64,
    ) -> MotionUpdate {
        let predicted = nodes.at(time);
        let off = predicted
            .iter()
            .zip(points)
            .map(|(a, b)| (a - b).norm())
            .fold(0.0, f64::max);
        let mut pairs = nodes.velocities.iter().zip(velocities);
        let known = pairs.all(|(a, b)| (a - b).norm() <= SAME * (a.norm() + b.norm()));

        if known && off <= drift * self.size() {
            MotionUpdate::AsPredicted
        } else {
            MotionUpdate::Replanned { off }
        }
    }
}
