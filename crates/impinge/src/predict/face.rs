//! Time of impact of two triangles with moving corners.
//!
//! [`face_touch`] handles any motion, by conservative advancement: each step advances by a time for
//! which the faces certainly stay separated (`apart.rs`). For straight paths without spin the first
//! step ends at the contact; otherwise the steps shrink towards it. The search ends when the
//! distance is within the rounding of the corner positions, or when the faces certainly cross
//! within the tolerance. At a graze, rounding hides more than the tolerance, and the result is an
//! interval.
//!
//! [`straight_touch`] handles faces whose corners move independently on straight lines during an
//! interval. It returns the first impact of the six vertex–face and nine edge–edge pairs. The
//! interval is the same for all faces of two bodies. A corner shared by several faces is then at
//! the same position for all of them, and nothing slips through between two faces. A common
//! velocity is subtracted first: otherwise the swept boxes of the corners would cover the whole
//! path.

use super::apart::Apart;
use super::meshes::{Parts, never_meet};
use super::moving_face::{MovingFace, StraightFace};
use super::{Impact, VertexStep, edge_edge, first_touch, vertex_face};
use crate::narrow::triangle::closest;
use crate::space::{Point, Vector};

/// Result of a search for the first contact of two faces.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FaceTouch {
    /// The faces never touch.
    Never,
    /// No contact before this time; the search may continue from there.
    NotBefore(f64),
    /// Contact within an interval.
    At {
        /// Lower bound of the time of first contact.
        time: f64,
        /// Upper bound of the time of first contact, if there is one. At most the tolerance after
        /// `time`, except for grazing or slow faces. For these it is the time at which the faces
        /// cross or separate by more than rounding.
        latest: f64,
        /// Whether the faces cross by `latest`, by more than rounding. If not, they only approach
        /// to within rounding.
        certain: bool,
        /// Midpoint between the closest points of the faces.
        point: Point<3>,
    },
}

/// Maximum number of steps of one search.
const MOST_STEPS: usize = 64;

/// Returns the time of impact of two moving triangles, from a time on. `tests` counts distance
/// computations.
#[doc(alias = "time of impact")]
#[doc(alias = "TOI")]
#[doc(alias = "CCD")]
#[doc(alias = "conservative advancement")]
pub fn face_touch(
    faces: [&MovingFace; 2],
    from: f64,
    tolerance: f64,
    tests: &mut usize,
) -> FaceTouch {
    let mut time = from;
    for _ in 0..MOST_STEPS {
        let corners = faces.map(|face| face.moving(time));
        let placed = corners.map(|corners| corners.map(|corner| corner.place));
        *tests += 1;
        let witness = closest(&placed[0], &placed[1]);
        let distance = witness.way.norm();
        let touch = |latest: f64, certain: bool| FaceTouch::At {
            time,
            latest,
            certain,
            point: nalgebra::center(&witness.on_a, &witness.on_b),
        };

        if distance == 0.0 {
            return touch(time, true);
        }

        let direction = witness.way / distance;
        let rounding = rounding(&faces, time);
        let apart = Apart {
            faces,
            corners,
            rounding: 0.5 * rounding,
        };
        let step = apart.time(&direction) * (1.0 - 16.0 * f64::EPSILON);

        if step == f64::INFINITY {
            return FaceTouch::Never;
        }

        let shortest = 4.0 * f64::EPSILON * time.abs();
        if distance <= rounding || step <= shortest {
            let first = (4.0 * rounding / apart.closing(&direction)).min(tolerance);
            let (latest, certain) = settle(&faces, &direction, time, first.max(shortest), tests);
            return touch(latest, certain);
        }

        if step <= tolerance {
            *tests += 1;
            if standing(&faces, &direction, time + tolerance) == FaceRelation::Crossing {
                return touch(time + tolerance, true);
            }
        }

        time += step;
    }

    FaceTouch::NotBefore(time)
}

fn rounding(faces: &[&MovingFace; 2], time: f64) -> f64 {
    faces.iter().map(|face| face.rounding(time)).sum()
}

/// Relative position of two faces with respect to the last separating direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaceRelation {
    /// Separated by more than rounding.
    Apart,
    Near,
    /// The faces intersect by more than rounding.
    Crossing,
    /// The second face is on the other side of the first by more than rounding: the crossing of
    /// flat faces can be instantaneous.
    Passed,
}

fn standing(faces: &[&MovingFace; 2], direction: &Vector<3>, time: f64) -> FaceRelation {
    let [a, b] = faces.map(|face| face.at(time));
    let rounding = rounding(faces, time);

    // Faces that still intersect after one is moved back by the rounding error certainly intersect.
    let back = b.map(|p| p + direction * (2.0 * rounding));
    let way = closest(&a, &back).way;
    if way == Vector::<3>::zeros() {
        FaceRelation::Crossing
    } else if way.dot(direction) < 0.0 {
        FaceRelation::Passed
    } else if way.norm() > 8.0 * rounding {
        FaceRelation::Apart
    } else {
        FaceRelation::Near
    }
}

/// Maximum number of doublings of the waiting time for faces within rounding to cross or separate.
const MOST_DOUBLINGS: usize = 32;

/// Returns the time until which faces that are within rounding remain so, and whether they cross
/// then.
fn settle(
    faces: &[&MovingFace; 2],
    direction: &Vector<3>,
    time: f64,
    first: f64,
    tests: &mut usize,
) -> (f64, bool) {
    let mut wait = first;
    for _ in 0..MOST_DOUBLINGS {
        *tests += 1;
        match standing(faces, direction, time + wait) {
            FaceRelation::Crossing | FaceRelation::Passed => return (time + wait, true),
            FaceRelation::Apart => return (time + wait, false),
            FaceRelation::Near => wait *= 2.0,
        }
    }

    (time + wait, false)
}

/// Returns the time of impact of two triangles whose corners move on straight lines during an
/// interval. Without an impact, returns a later time before which they cannot touch. `drift` is the
/// common velocity to subtract. `tests` counts primitive pairs.
#[doc(alias = "time of impact")]
#[doc(alias = "TOI")]
#[doc(alias = "CCD")]
pub fn straight_touch(
    faces: [&StraightFace; 2],
    interval: [f64; 2],
    drift: &Vector<3>,
    tolerance: f64,
    tests: &mut usize,
) -> FaceTouch {
    let [from, to] = interval;
    let starts = faces.map(|face| face.at(from));
    *tests += 1;
    let touch = |time: f64, latest: f64, certain: bool| {
        let placed = faces.map(|face| face.at(time));
        let witness = closest(&placed[0], &placed[1]);
        FaceTouch::At {
            time,
            latest,
            certain,
            point: nalgebra::center(&witness.on_a, &witness.on_b),
        }
    };

    if closest(&starts[0], &starts[1]).way == Vector::<3>::zeros() {
        return touch(from, from, true);
    }

    let length = to - from;
    if length > 0.0 {
        let end = |k: usize| {
            let moved = |i: usize| starts[k][i] + (faces[k].velocities[i] - drift) * length;
            [0, 1, 2].map(moved)
        };
        let corners = [[starts[0], end(0)], [starts[1], end(1)]];
        if let Some(impact) = first_meeting(&corners, tolerance / length, tests) {
            let [time, latest] = [impact.from, impact.to].map(|share| from + length * share);
            return touch(time, latest, impact.certain);
        }
    }

    let [a, b] = faces.map(|face| face.ball(to));
    first_touch(&a, &b, f64::INFINITY)
        .map_or(FaceTouch::Never, |wait| FaceTouch::NotBefore(to + wait))
}

/// The earliest vertex–face or edge–edge impact. `corners` gives the corners of each face at the
/// start and at the end of the step.
fn first_meeting(
    corners: &[[[Point<3>; 3]; 2]; 2],
    tolerance: f64,
    tests: &mut usize,
) -> Option<Impact> {
    let [a, b] = corners;
    let step = |pick: &dyn Fn(usize) -> [Point<3>; 4]| -> VertexStep { [pick(0), pick(1)] };
    let mut earliest: Option<Impact> = None;

    // Coordinates outside the valid range are rejected when bodies are added; a sweep outside it
    // counts as an immediate impact.
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
        for vertex in [of_a, of_b] {
            if !never_meet(Parts::VertexFace, &vertex) {
                consider(vertex_face(&vertex, tolerance));
            }
        }
        for j in 0..3 {
            let edges = step(&|t| [a[t][i], a[t][(i + 1) % 3], b[t][j], b[t][(j + 1) % 3]]);
            if !never_meet(Parts::EdgeEdge, &edges) {
                consider(edge_edge(&edges, tolerance));
            }
        }
    }

    earliest
}

#[cfg(test)]
mod tests;
