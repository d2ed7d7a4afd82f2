//! Overlap test of two bodies at a time: their surfaces touch, or one contains the other.
//!
//! Rigid bodies use the oriented bounding boxes of their surfaces. Those of a deforming body would
//! have to be refitted for every query. Instead the hierarchies of balls are traversed together,
//! and a corner's winding number decides containment.

use super::Forecast;
use super::body::Body;
use crate::bound::{Ball, Bound};
use crate::inside::winding_number;
use crate::narrow::meshes::{near_faces, overlap, touches, touching_faces};
use crate::narrow::triangle::closest;
use crate::space::{Point, Pose};

/// Common volume, relative to the cube of the smaller body's size, below which it is rounding:
/// thinner bodies have no interior.
const NESTED: f64 = 1e-12;

/// Separation distance, as a multiple of the rounding of both bodies' positions; well above the
/// rounding at which they count as touching.
const PARTED: f64 = 8.0;

impl Forecast {
    pub(super) fn overlap(&mut self, pair: [u32; 2], time: f64) -> bool {
        let poses = self.poses(pair, time);
        let bodies = pair.map(|body| self.bodies[body as usize].as_ref());
        let [Some(a), Some(b)] = bodies else {
            return false;
        };

        self.counters.primitives.book(|count| {
            *count += 1;
            match poses {
                [Some(pose_a), Some(pose_b)] => rigid_overlap([a, b], &[pose_a, pose_b]),
                _ => near_surfaces([a, b], &poses, time, 0.0).is_some() || is_nested([a, b], time),
            }
        })
    }

    /// Returns whether bodies that touched are apart by more than rounding. Otherwise sliding
    /// bodies would touch and separate at random.
    pub(super) fn has_parted(&mut self, pair: [u32; 2], time: f64) -> bool {
        if self.overlap(pair, time) {
            return false;
        }

        let poses = self.poses(pair, time);
        let bodies = pair.map(|body| self.bodies[body as usize].as_ref());
        let [Some(a), Some(b)] = bodies else {
            return true;
        };
        let distance = PARTED * (a.rounding(time) + b.rounding(time));

        self.counters.primitives.book(|count| {
            *count += 1;
            match poses {
                [Some(pose_a), Some(pose_b)] => {
                    let [a, b] = [a.shape.faces(), b.shape.faces()];
                    let mut near = Vec::new();
                    near_faces(a, &pose_a, b, &pose_b, distance, &mut near);
                    near.is_empty()
                }
                _ => near_surfaces([a, b], &poses, time, distance).is_none(),
            }
        })
    }

    /// Returns the first touching pair of faces of overlapping bodies, and a point on them.
    pub(super) fn touching_now(&mut self, pair: [u32; 2]) -> (Option<[u32; 2]>, Option<Point<3>>) {
        let (time, poses) = (self.time, self.poses(pair, self.time));
        let bodies = pair.map(|body| self.bodies[body as usize].as_ref());
        let [Some(a), Some(b)] = bodies else {
            return (None, None);
        };
        let faces = match poses {
            [Some(pose_a), Some(pose_b)] => {
                let mut faces = Vec::new();
                touching_faces(
                    a.shape.faces(),
                    &pose_a,
                    b.shape.faces(),
                    &pose_b,
                    &mut faces,
                );
                faces.first().copied()
            }
            _ => near_surfaces([a, b], &poses, time, 0.0),
        };
        let point =
            faces.map(|faces| closest(&a.face(faces[0]).at(time), &b.face(faces[1]).at(time)).on_a);

        (faces, point)
    }

    fn poses(&mut self, pair: [u32; 2], time: f64) -> [Option<Pose<3>>; 2] {
        let (bodies, updates) = (&mut self.bodies, &mut self.counters.updates);
        pair.map(|body| bodies[body as usize].as_mut()?.pose(time, updates))
    }
}

fn rigid_overlap([a, b]: [&Body; 2], poses: &[Pose<3>; 2]) -> bool {
    let size = a.size().min(b.size());
    let [a, b] = [a.shape.faces(), b.shape.faces()];
    // Bodies whose surfaces do not touch share either all of the smaller one or nothing.
    touches(a, &poses[0], b, &poses[1])
        || overlap(a, &poses[0], b, &poses[1])
            .is_some_and(|common| common.volume > NESTED * size.powi(3))
}

/// Returns a pair of faces within a distance of each other at a time, using the hierarchies.
fn near_surfaces(
    bodies: [&Body; 2],
    poses: &[Option<Pose<3>>; 2],
    time: f64,
    distance: f64,
) -> Option<[u32; 2]> {
    let ball =
        |k: usize, node: u32| -> Ball<3> { bodies[k].ball(poses[k].as_ref(), node, time).ball };
    let trees = bodies.map(|body| body.shape.balls());
    let mut waiting = vec![[0, 0]];

    while let Some(nodes) = waiting.pop() {
        let mut balls = [ball(0, nodes[0]), ball(1, nodes[1])];
        balls[0].radius += distance;
        if !balls[0].overlaps(&balls[1]) {
            continue;
        }

        let [a, b] = [0, 1].map(|k: usize| trees[k].nodes[nodes[k] as usize]);
        if !a.is_leaf() && (b.is_leaf() || balls[0].radius >= balls[1].radius) {
            waiting.extend([[a.first + 1, nodes[1]], [a.first, nodes[1]]]);
        } else if !b.is_leaf() {
            waiting.extend([[nodes[0], b.first + 1], [nodes[0], b.first]]);
        } else {
            let items = [trees[0].items_of(&a), trees[1].items_of(&b)];
            let pairs = items[0]
                .iter()
                .flat_map(|&i| items[1].iter().map(move |&j| [i, j]));
            let meets = |faces: &[u32; 2]| {
                let [a, b] = [0, 1].map(|k: usize| bodies[k].face(faces[k]).at(time));
                closest(&a, &b).way.norm() <= distance
            };

            if let Some(found) = pairs.into_iter().find(meets) {
                return Some(found);
            }
        }
    }

    None
}

/// Returns whether one of two bodies contains the other, if their surfaces do not touch.
fn is_nested(bodies: [&Body; 2], time: f64) -> bool {
    [bodies, [bodies[1], bodies[0]]]
        .into_iter()
        .filter(|[outer, _]| outer.shape.is_closed())
        .any(|[outer, inner]| {
            let corner = inner.face(0).at(time)[0];
            winding_number(&outer.points(time), outer.shape.triangles(), &corner) > 0.5
        })
}
