//! The bodies, solids and walls of a 3D world, for the queue of predicted touches.

use super::bodies::Bodies;
use super::elastic::Elastic;
use super::queue::Objects;
use super::trajectory::{MovingBox, Trajectory};
use super::wall::Wall;
use crate::rigid::{Rigid, RigidShape};
use crate::solid::ElasticSolid;
use crate::{BodyKind, BodyRef};
use impinge::space::{Aabb, Point, Vector};

/// Permitted deviation from a trajectory, in sizes of the object. A smaller value causes more new
/// trajectories, a larger one wakes pairs earlier.
pub(super) const SLACK: f64 = 0.05;

/// Number of steps within which a body may rotate by at most the slack for its box to keep its
/// orientation; faster ones get a cube around their ball.
const STEADY: f64 = 32.0;

/// The objects at a time, after a drift: bodies, then solids, then walls.
pub(super) struct Crowd<'a> {
    pub(super) bodies: Option<&'a Bodies>,
    pub(super) elastic: Option<&'a Elastic>,
    pub(super) walls: &'a [Wall],
    pub(super) gravity: Vector<3>,
    pub(super) time: f64,
    pub(super) dt: f64,
}

impl<'a> Crowd<'a> {
    fn solids(&self) -> &'a [ElasticSolid] {
        self.elastic.map_or(&[], |elastic| elastic.solids.solids())
    }

    fn counts(&self) -> [usize; 3] {
        let bodies = self.bodies.map_or(0, |bodies| bodies.rigid.len());
        [bodies, self.solids().len(), self.walls.len()]
    }

    /// Returns the object of a number.
    pub(super) fn object(&self, number: usize) -> BodyRef {
        let [bodies, solids, _] = self.counts();
        if number < bodies {
            BodyRef::body(number)
        } else if number < bodies + solids {
            BodyRef::solid(number - bodies)
        } else {
            BodyRef::wall(number - bodies - solids)
        }
    }

    fn solid_trajectory(&self, solid: &ElasticSolid) -> Trajectory {
        let bounds = solid.bounds();
        let extent = 0.5 * bounds.extent();
        let slack = SLACK * extent.max();
        let acceleration = if solid.is_anywhere_held() {
            Vector::zeros()
        } else {
            self.gravity
        };
        let velocity = solid.momentum() / solid.mass() + acceleration * (0.5 * self.dt);
        finite(MovingBox {
            since: self.time,
            centre: bounds.centre().coords,
            velocity,
            acceleration,
            half: extent.add_scalar(slack),
            radius: None,
            slack,
            orientation: None,
            offset: Vector::zeros(),
        })
    }

    fn wall_trajectory(&self, wall: &Wall) -> Trajectory {
        let state = wall.at(self.time);
        if let Some([point, normal]) = wall.half_space {
            if !wall.is_at_rest() {
                return Trajectory::Anywhere;
            }
            let normal = state.pose.vector(&Vector::from(normal));
            let Some(normal) = normal.try_normalize(0.0) else {
                return Trajectory::Anywhere;
            };
            let offset = normal.dot(&state.pose.point(&Point::from(point)).coords);
            return Trajectory::HalfSpace { normal, offset };
        }

        let Some(mesh) = &wall.triangles else {
            return Trajectory::Anywhere;
        };
        let reach = wall.thickness;
        if wall.is_at_rest() {
            let bounds = Aabb::of(mesh.points.iter().map(|point| state.pose.point(point)));
            return finite(MovingBox {
                since: self.time,
                centre: bounds.centre().coords,
                velocity: Vector::zeros(),
                acceleration: Vector::zeros(),
                half: (0.5 * bounds.extent()).add_scalar(reach),
                radius: None,
                slack: 0.0,
                orientation: None,
                offset: Vector::zeros(),
            });
        }

        let (middle, radius) = wall.ball();
        let slack = SLACK * radius;
        let centre = state.pose.point(&middle);
        let arm = centre - state.pose.position();
        finite(MovingBox {
            since: self.time,
            centre: centre.coords,
            velocity: state.velocity + state.spin.cross(&arm),
            acceleration: Vector::zeros(),
            half: Vector::repeat(radius + reach + slack),
            radius: None,
            slack,
            orientation: None,
            offset: Vector::zeros(),
        })
    }
}

impl Objects for Crowd<'_> {
    fn count(&self) -> usize {
        self.counts().iter().sum()
    }

    fn trajectory(&self, object: usize) -> Trajectory {
        let object = self.object(object);
        let index = object.index as usize;
        match (object.kind, self.bodies) {
            (BodyKind::Body, Some(bodies)) => {
                body_trajectory(&bodies.rigid, index, self.time, self.dt)
            }
            (BodyKind::Solid, _) => self.solid_trajectory(&self.solids()[index]),
            (BodyKind::Wall, _) => self.wall_trajectory(&self.walls[index]),
            _ => Trajectory::Anywhere,
        }
    }

    fn strays(&self, object: usize, known: &Trajectory) -> bool {
        let object = self.object(object);
        let index = object.index as usize;
        match (object.kind, known, self.bodies) {
            (BodyKind::Body, known, Some(bodies)) => {
                body_strays(&bodies.rigid, index, known, self.time)
            }
            (BodyKind::Solid, Trajectory::Box(known), _) => {
                !known.contains(&self.solids()[index].bounds(), self.time)
            }
            (BodyKind::Wall, Trajectory::Box(known), _) if !self.walls[index].is_at_rest() => {
                let (wall, (middle, _)) = (&self.walls[index], self.walls[index].ball());
                let centre = wall.at(self.time).pose.point(&middle).coords;
                let off = (centre - known.centre_at(self.time)).norm();
                off.is_nan() || off > known.slack
            }
            (BodyKind::Solid, _, _) => true,
            _ => false,
        }
    }

    fn interact(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|object| self.object(object));
        let is_free = |body: BodyRef| {
            self.bodies
                .is_some_and(|bodies| bodies.rigid.is_free(body.index as usize))
        };
        match (a.kind, b.kind) {
            (BodyKind::Body, BodyKind::Body) => is_free(a) || is_free(b),
            (BodyKind::Body, BodyKind::Wall) => is_free(a),
            (BodyKind::Wall, BodyKind::Wall) => false,
            _ => true,
        }
    }

    fn is_held(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|object| self.object(object));
        self.elastic.is_some_and(|elastic| elastic.is_held(a, b))
    }
}

/// Measures the trajectory of a rigid body after a drift, in which gravity acts.
pub(super) fn body_trajectory<F: RigidShape<D>, const D: usize>(
    rigid: &Rigid<F, D>,
    body: usize,
    time: f64,
    dt: f64,
) -> Trajectory {
    if rigid.is_gone(body) {
        return Trajectory::Nowhere;
    }

    let (centre, reach) = (lifted(&rigid.centre(body).coords), rigid.reach(body));
    let slack = SLACK * reach;
    let acceleration = rigid.weight(body) / rigid.mass(body);
    let velocity = lifted(&rigid.velocity(body)) + acceleration * (0.5 * dt);
    let is_steady =
        rigid.shape(body).radius().is_none() && rigid.spin(body).norm() * STEADY * dt <= SLACK;
    let ball = MovingBox {
        since: time,
        centre,
        velocity,
        acceleration,
        half: Vector::repeat(reach + slack),
        radius: Some(reach + slack),
        slack,
        orientation: None,
        offset: Vector::zeros(),
    };

    match rigid.bounds(body).filter(|_| is_steady) {
        Some(bounds) => {
            let middle = lifted(&bounds.centre().coords);
            finite(MovingBox {
                centre: middle,
                half: (0.5 * lifted(&bounds.extent())).add_scalar(slack),
                radius: None,
                orientation: Some(rigid.orientation(body)),
                offset: middle - centre,
                ..ball
            })
        }
        None => finite(ball),
    }
}

/// Returns whether a rigid body has left its trajectory.
pub(super) fn body_strays<F: RigidShape<D>, const D: usize>(
    rigid: &Rigid<F, D>,
    body: usize,
    known: &Trajectory,
    time: f64,
) -> bool {
    let known = match known {
        Trajectory::Box(known) if !rigid.is_gone(body) => known,
        Trajectory::Nowhere => return false,
        _ => return true,
    };
    let centre = lifted(&rigid.centre(body).coords) + known.offset;
    let off = (centre - known.centre_at(time)).norm();
    let turned = known.orientation.map_or(0.0, |then| {
        // The chord of a point that turns by θ: 2 r sin(θ/2), where cos(θ/2) = q·q′.
        let now = rigid.orientation(body);
        let cosine: f64 = now.iter().zip(&then).map(|(a, b)| a * b).sum();
        2.0 * rigid.reach(body) * (1.0 - cosine * cosine).max(0.0).sqrt()
    });

    // Written so that NaN wakes it.
    let off = off + turned;
    off.is_nan() || off > known.slack
}

/// Returns a trajectory that never sleeps if it contains NaN.
fn finite(moving: MovingBox) -> Trajectory {
    let is_finite = [&moving.centre, &moving.velocity, &moving.half]
        .iter()
        .all(|v| v.iter().all(|x| x.is_finite()));
    if is_finite {
        Trajectory::Box(moving)
    } else {
        Trajectory::Anywhere
    }
}

/// Extends a vector to 3D.
fn lifted<const D: usize>(vector: &Vector<D>) -> Vector<3> {
    Vector::from_fn(|k, _| if k < D { vector[k] } else { 0.0 })
}
