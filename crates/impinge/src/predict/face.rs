//! When two triangles whose corners move first touch.
//!
//! [`face_touch`] takes faces of any motion, by conservative advancement: along the way between their closest points, no
//! point of one can come nearer to the other than its speed and acceleration allow. On straight paths without spin the
//! first step ends at the touch; else the steps shrink towards it.
//!
//! [`straight_touch`] takes faces whose corners move on straight lines, each on its own, within a stretch of time: the
//! first meeting of a vertex with a face (six pairs) or of an edge with an edge (nine). The stretch is the same for all
//! faces of two bodies, so that a corner which several faces share is at the same place for all of them, and nothing
//! slips through between two faces. A common velocity is taken out first: under it, boxes that corners sweep would hold
//! everything on the way.

use super::{Course, Impact, MovingBall, Step, edge_edge, first_touch, vertex_face};
use crate::bound::Ball;
use crate::narrow::triangle::closest;
use crate::space::{Point, Vector};

/// A triangle whose corners move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MovingFace<'a> {
    /// A face of a rigid body.
    Rigid {
        /// Corners in the body's frame.
        corners: [Point<3>; 3],
        /// The body's course.
        course: &'a Course,
    },
    /// A face whose corners move on straight lines.
    Straight(StraightFace),
}

/// A triangle whose corners move on straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightFace {
    /// Corners at the moment `since`.
    pub corners: [Point<3>; 3],
    /// Their velocities.
    pub velocities: [Vector<3>; 3],
    /// The moment.
    pub since: f64,
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

impl StraightFace {
    /// The corners at a time.
    pub fn at(&self, time: f64) -> [Point<3>; 3] {
        std::array::from_fn(|k| self.corners[k] + self.velocities[k] * (time - self.since))
    }

    /// A moving ball that holds the corners from a time on.
    fn ball(&self, time: f64) -> MovingBall<3> {
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

    /// How fast its points, which are `placed` at a time, move along a direction then: the greatest speed, and the
    /// greatest acceleration from then on.
    fn along(&self, direction: &Vector<3>, placed: &[Point<3>; 3], time: f64) -> [f64; 2] {
        let greatest = |values: [f64; 3]| values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        match self {
            Self::Rigid { course, .. } => {
                let origin = course.motion.position(time - course.since);
                let levers = placed.map(|p| p - origin);
                let turning = levers.map(|lever| direction.dot(&(course.motion.spin() * lever)));
                let swing =
                    course.motion.spin_rate().powi(2) * greatest(levers.map(|lever| lever.norm()));
                let speed = direction.dot(&course.velocity(time)) + greatest(turning);
                [speed, direction.dot(&course.motion.acceleration) + swing]
            }
            Self::Straight(face) => [greatest(face.velocities.map(|v| direction.dot(&v))), 0.0],
        }
    }
}

/// Steps of one search.
const MOST_STEPS: usize = 64;

/// When two moving triangles first touch, from a time on. `tests` counts distances.
pub fn face_touch(
    faces: [&MovingFace; 2],
    from: f64,
    tolerance: f64,
    tests: &mut usize,
) -> FaceTouch {
    let mut time = from;
    for _ in 0..MOST_STEPS {
        let placed = faces.map(|face| face.at(time));
        *tests += 1;
        let witness = closest(&placed[0], &placed[1]);
        let distance = witness.way.norm();
        let touch = FaceTouch::At {
            time,
            point: nalgebra::center(&witness.on_a, &witness.on_b),
        };
        if distance == 0.0 {
            return touch;
        }
        let direction = witness.way / distance;
        let [speed_a, push_a] = faces[0].along(&direction, &placed[0], time);
        let [speed_b, push_b] = faces[1].along(&-direction, &placed[1], time);
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
pub(crate) fn time_to_cover(distance: f64, speed: f64, push: f64) -> f64 {
    let discriminant = speed * speed + 2.0 * push * distance;
    // What rounding makes of a push that is none would be a touch in the far future.
    if discriminant < 0.0 || speed <= 0.0 && push <= 0.0 {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    let time = if speed >= 0.0 {
        2.0 * distance / (speed + root)
    } else {
        (root - speed) / push
    };
    if time.is_nan() { f64::INFINITY } else { time }
}

/// When two triangles whose corners move on straight lines first touch within a stretch of time; if they do not, the
/// time after it before which they cannot. `drift` is the velocity that is taken out. `tests` counts pairs of parts.
pub fn straight_touch(
    faces: [&StraightFace; 2],
    stretch: [f64; 2],
    drift: &Vector<3>,
    tolerance: f64,
    tests: &mut usize,
) -> FaceTouch {
    let [from, to] = stretch;
    let starts = faces.map(|face| face.at(from));
    *tests += 1;
    let touch = |time: f64| {
        let placed = faces.map(|face| face.at(time));
        let witness = closest(&placed[0], &placed[1]);
        FaceTouch::At {
            time,
            point: nalgebra::center(&witness.on_a, &witness.on_b),
        }
    };
    if closest(&starts[0], &starts[1]).way == Vector::<3>::zeros() {
        return touch(from);
    }
    let length = to - from;
    if length > 0.0 {
        let end = |k: usize| {
            let moved = |i: usize| starts[k][i] + (faces[k].velocities[i] - drift) * length;
            [0, 1, 2].map(moved)
        };
        let corners = [[starts[0], end(0)], [starts[1], end(1)]];
        if let Some(impact) = first_meeting(&corners, tolerance / length, tests) {
            return touch(from + length * impact.from);
        }
    }
    let [a, b] = faces.map(|face| face.ball(to));
    first_touch(&a, &b, f64::INFINITY)
        .map_or(FaceTouch::Never, |wait| FaceTouch::NotBefore(to + wait))
}

/// The earliest meeting of a vertex of one with the other, or of two edges; `corners` at the beginning and the end of
/// the step for each face.
fn first_meeting(
    corners: &[[[Point<3>; 3]; 2]; 2],
    tolerance: f64,
    tests: &mut usize,
) -> Option<Impact> {
    let [a, b] = corners;
    let step = |pick: &dyn Fn(usize) -> [Point<3>; 4]| -> Step { [pick(0), pick(1)] };
    let mut earliest: Option<Impact> = None;
    // Coordinates beyond what is usable are refused where bodies come in; a sweep beyond it meets at once.
    let beyond = Impact {
        from: 0.0,
        to: 1.0,
        certain: false,
    };
    let mut consider = |found: Result<Option<Impact>, _>| {
        *tests += 1;
        let found = found.unwrap_or(Some(beyond));
        if let Some(impact) = found.filter(|i| earliest.is_none_or(|known| i.from < known.from)) {
            earliest = Some(impact);
        }
    };
    for i in 0..3 {
        let of_a = step(&|t| [a[t][i], b[t][0], b[t][1], b[t][2]]);
        let of_b = step(&|t| [b[t][i], a[t][0], a[t][1], a[t][2]]);
        consider(vertex_face(&of_a, tolerance));
        consider(vertex_face(&of_b, tolerance));
        for j in 0..3 {
            let edges = step(&|t| [a[t][i], a[t][(i + 1) % 3], b[t][j], b[t][(j + 1) % 3]]);
            consider(edge_edge(&edges, tolerance));
        }
    }
    earliest
}

#[cfg(test)]
mod tests;
