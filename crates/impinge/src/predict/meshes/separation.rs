//! Time at which two parts first approach to a minimum separation, by conservative advancement.
//!
//! After subtracting the common motion of all four vertices, the closing speed is at most the sum
//! of the largest vertex speeds of the two parts. So (distance − separation) / speed is a time in
//! which the separation cannot be reached.

use super::super::impact::{Impact, VertexStep};
use super::moving_box::Interval;
use crate::narrow::segment::segment_segment;
use crate::narrow::triangle::closest_on;
use crate::space::{Point, Vector};

/// How four vertices form two parts.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::predict) enum Parts {
    /// Vertex 0 against the face of the other three.
    VertexFace,
    /// The edge of vertices 0 and 1 against that of 2 and 3.
    EdgeEdge,
}

/// Maximum number of steps; an undecided search then returns the time reached.
const MOST_STEPS: usize = 10_000;

/// Relative distance from the separation that counts as reached: the last steps of an approach
/// shrink geometrically.
const REACHED: f64 = 1e-6;

/// Returns the first time in the interval at which the distance falls to the separation.
pub(super) fn first_approach(
    parts: Parts,
    step: &VertexStep,
    separation: f64,
    [from, to]: Interval,
    tolerance: f64,
) -> Option<Impact> {
    let [start, end] = step;
    let ways: [Vector<3>; 4] = std::array::from_fn(|i| end[i] - start[i]);
    let common = ways.iter().sum::<Vector<3>>() / 4.0;
    let fastest = |group: &[usize]| {
        let speeds = group.iter().map(|&i| (ways[i] - common).norm());
        speeds.fold(0.0, f64::max)
    };
    let speed = match parts {
        Parts::VertexFace => fastest(&[0]) + fastest(&[1, 2, 3]),
        Parts::EdgeEdge => fastest(&[0, 1]) + fastest(&[2, 3]),
    };

    let mut time = from;
    for _ in 0..MOST_STEPS {
        let distance = distance(parts, &positions(step, time));
        let impact = |certain| Impact {
            from: time,
            to: time,
            certain,
        };

        if distance <= separation {
            return Some(impact(true));
        }

        if distance <= separation * (1.0 + REACHED) {
            return Some(impact(false));
        }

        let advance = (distance - separation) / speed * (1.0 - 8.0 * f64::EPSILON);
        if time + advance > to {
            return None;
        }

        if advance <= tolerance {
            return Some(impact(false));
        }

        time += advance;
    }

    Some(Impact {
        from: time,
        to: 1.0,
        certain: false,
    })
}

/// The vertices at a time, relative to the first one.
fn positions(step: &VertexStep, time: f64) -> [Point<3>; 4] {
    let [start, end] = step;
    std::array::from_fn(|i| {
        let (from, to): (Vector<3>, Vector<3>) = (start[i] - start[0], end[i] - end[0]);
        Point::from(from * (1.0 - time) + to * time)
    })
}

fn distance(parts: Parts, [a, b, c, d]: &[Point<3>; 4]) -> f64 {
    match parts {
        Parts::VertexFace => closest_on(&[*b, *c, *d], a).way.norm(),
        Parts::EdgeEdge => segment_segment(&(b - a), &(c - a), &(d - c)).2.norm(),
    }
}
