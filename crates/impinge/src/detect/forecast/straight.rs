//! Nodes of a deforming body that move on straight lines between updates, and bounds of their
//! motion.
//!
//! A node of the hierarchy stores the ball around the corners below it and the ball around their
//! velocities. The centre of the velocity ball is the common motion, at which the bound moves. Its
//! radius is the largest relative speed, at which the bound grows. So a common motion of the body
//! or of any branch costs nothing, whereas bounds swept over a step would cover the whole path. A
//! rotation leaves the velocity differences across a branch, which shrink with its size. It need
//! not be subtracted separately, because the straight paths of the nodes do diverge. Each update
//! costs O(n).

use super::Prepared;
use crate::bound::Ball;
use crate::predict::{MovingBall, ROUNDING, StraightFace};
use crate::space::{Aabb, Point, Vector};

/// Number of levels below the root whose balls are fitted to the corners rather than to the child
/// balls.
const FITTED_LEVELS: u8 = 6;

/// Factor that covers the rounding of a distance.
const OUTWARD: f64 = 1.0 + 8.0 * f64::EPSILON;

#[derive(Clone, Debug)]
pub(super) struct Straight {
    pub(super) since: f64,
    pub(super) points: Vec<Point<3>>,
    pub(super) velocities: Vec<Vector<3>>,
    /// Balls around the corners below each node of the hierarchy.
    places: Vec<Ball<3>>,
    /// Balls around the velocities of these corners.
    speeds: Vec<Ball<3>>,
}

impl Straight {
    pub(super) fn new(
        shape: &Prepared,
        points: &[Point<3>],
        velocities: &[Vector<3>],
        since: f64,
    ) -> Self {
        let ends: Vec<Point<3>> = velocities.iter().map(|&v| v.into()).collect();
        Self {
            since,
            points: points.to_vec(),
            velocities: velocities.to_vec(),
            places: fitted(shape, points),
            speeds: fitted(shape, &ends),
        }
    }

    /// The moving ball of a node, from a time on.
    pub(super) fn ball(&self, node: u32, time: f64) -> MovingBall<3> {
        let (place, speed, passed) = (
            &self.places[node as usize],
            &self.speeds[node as usize],
            time - self.since,
        );
        let centre = place.centre + speed.centre.coords * passed;

        // Rounding of the corners scales with their coordinates, not with the ball.
        let rounding = 4.0 * f64::EPSILON * (centre.coords.amax() + place.centre.coords.amax());
        MovingBall {
            growth: speed.radius,
            ..MovingBall::at_rest(Ball::new(
                centre,
                (place.radius + speed.radius * passed) * OUTWARD + rounding,
            ))
            .with_velocity(speed.centre.coords)
        }
    }

    /// Bounds the rounding error of a node's position at a time.
    pub(super) fn rounding(&self, time: f64) -> f64 {
        let (place, speed) = (&self.places[0], &self.speeds[0]);
        let reach = place.centre.coords.norm() + place.radius;
        let fastest = speed.centre.coords.norm() + speed.radius;
        ROUNDING * (reach + fastest * ((time - self.since).abs() + time.abs()))
    }

    /// The common velocity, and the largest speed relative to it.
    pub(super) fn motion(&self) -> (Vector<3>, f64) {
        (self.speeds[0].centre.coords, self.speeds[0].radius)
    }

    pub(super) fn face(&self, nodes: [u32; 3]) -> StraightFace {
        StraightFace {
            corners: nodes.map(|n| self.points[n as usize]),
            velocities: nodes.map(|n| self.velocities[n as usize]),
            since: self.since,
        }
    }

    /// All nodes at a time.
    pub(super) fn at(&self, time: f64) -> Vec<Point<3>> {
        self.points
            .iter()
            .zip(&self.velocities)
            .map(|(p, v)| p + v * (time - self.since))
            .collect()
    }
}

/// Fits a ball to the nodal values below each node of a shape's hierarchy.
fn fitted(shape: &Prepared, values: &[Point<3>]) -> Vec<Ball<3>> {
    let tree = shape.balls();
    let mut boxes = vec![Aabb::EMPTY; tree.nodes.len()];
    let mut balls = vec![Ball::new([0.0; 3], 0.0); tree.nodes.len()];
    let levels = levels(shape);

    // Children are stored after their parents.
    for (number, node) in tree.nodes.iter().enumerate().rev() {
        let below = |interval: std::ops::Range<usize>| {
            let faces = tree.items()[interval]
                .iter()
                .map(|&face| shape.triangles()[face as usize]);
            faces.flatten().map(|n| values[n as usize])
        };
        let children = [node.first as usize, node.first as usize + 1];
        let holds_points = node.is_leaf() || levels[number] < FITTED_LEVELS;

        boxes[number] = if node.is_leaf() {
            Aabb::of(below(tree.item_range(number as u32)))
        } else {
            boxes[children[0]].merged(&boxes[children[1]])
        };
        let centre = boxes[number].centre();
        let radius = if holds_points {
            let squares =
                below(tree.item_range(number as u32)).map(|p| (p - centre).norm_squared());
            squares.fold(0.0, f64::max).sqrt()
        } else {
            let reach = children.map(|k| (balls[k].centre - centre).norm() + balls[k].radius);
            reach[0]
                .max(reach[1])
                .min(0.5 * boxes[number].extent().norm())
        };

        balls[number] = Ball::new(centre, radius * OUTWARD);
    }

    balls
}

/// Depth of each node, saturating at 255.
fn levels(shape: &Prepared) -> Vec<u8> {
    let nodes = &shape.balls().nodes;
    let mut levels = vec![0u8; nodes.len()];
    for (number, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_leaf()) {
        let first = node.first as usize;
        let below = levels[number].saturating_add(1);
        levels[first..first + 2].fill(below);
    }

    levels
}

#[cfg(test)]
mod tests;
