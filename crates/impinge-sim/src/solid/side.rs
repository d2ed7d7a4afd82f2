//! A point of a solid at which a contact pushes: a node, or a point of a face or beside it.

use super::ElasticSolid;
use impinge::space::{Point, Vector};
use serde::{Deserialize, Serialize};

/// Ratio of a depth to the motion in a step, up to which a point may have come in that step.
pub(super) const ENTERED: f64 = 2.0;

/// Distance beside a face, in face heights, within which a point that was in contact in the last step
/// stays in contact.
const RIM: f64 = 0.02;

/// Absolute weight of a node up to which a point beside a face moves with the face's plane.
const BESIDE: f64 = 2.0;

/// A point that moves with nodes of a solid: a node, or a point of a face or a little off it.
///
/// With x the nodes, w their barycentric weights, n the face's normal and s the distance from it,
/// the point is p = Σ w x + s n. As δn = −Σ g (n·δx), with g the gradients of the weights, a force F
/// at p is Σ (w F − s n (g·F)) at the nodes. It has the same sum and the same torque, so that
/// contacts keep the angular momentum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Side {
    solid: usize,
    nodes: [u32; 3],
    weights: [f64; 3],
    normal: [f64; 3],
    /// s, and −s g of each node.
    height: f64,
    tilts: [[f64; 3]; 3],
}

impl Side {
    pub(super) fn node(solid: usize, node: u32) -> Self {
        Self {
            solid,
            nodes: [node; 3],
            weights: [1.0, 0.0, 0.0],
            normal: [0.0; 3],
            height: 0.0,
            tilts: [[0.0; 3]; 3],
        }
    }

    /// Creates a point beside a boundary triangle.
    pub(super) fn of_face(
        number: usize,
        solid: &ElasticSolid,
        face: u32,
        point: &Point<3>,
    ) -> Self {
        let nodes = solid.surface_triangles()[face as usize];
        let corners = nodes.map(|n| solid.points[n as usize]);
        let mut side = Self {
            nodes,
            ..Self::node(number, nodes[0])
        };
        side.place(&corners, point);
        side
    }

    /// Moves it to a point beside its face. A point far beside the face is replaced by the closest
    /// one of the face.
    fn place(&mut self, corners: &[Point<3>; 3], point: &Point<3>) {
        let weights = weights(corners, point);
        if weights.iter().any(|w| w.abs() > BESIDE) {
            let beta = weights[1].clamp(0.0, 1.0);
            let gamma = weights[2].clamp(0.0, 1.0 - beta);
            (self.height, self.tilts) = (0.0, [[0.0; 3]; 3]);
            self.weights = [1.0 - beta - gamma, beta, gamma];
            return;
        }

        let [a, b, c] = corners;
        let (u, v) = (b - a, c - a);
        let across = u.cross(&v);
        let squared = across.norm_squared();
        let normal = across.try_normalize(0.0).unwrap_or_else(Vector::zeros);
        self.weights = weights;
        self.normal = normal.into();
        self.height = (point - a).dot(&normal);
        let gradients = [v.cross(&across), across.cross(&u)];
        let [of_b, of_c] = gradients.map(|g| if squared > 0.0 { g / squared } else { g });
        self.tilts = [-(of_b + of_c), of_b, of_c].map(|g| (g * -self.height).into());
    }

    pub(super) fn velocity(&self, solids: &[ElasticSolid]) -> Vector<3> {
        let velocities = &solids[self.solid].velocities;
        self.mean(|n| velocities[n])
    }

    /// Returns a rate of the point from those of its nodes.
    fn mean(&self, of: impl Fn(usize) -> Vector<3>) -> Vector<3> {
        let normal = Vector::from(self.normal);
        self.shares()
            .map(|(n, w, tilt)| of(n) * w + tilt * normal.dot(&of(n)))
            .sum()
    }

    fn shares(&self) -> impl Iterator<Item = (usize, f64, Vector<3>)> {
        let nodes = self.nodes.into_iter().map(|n| n as usize);
        let tilts = self.tilts.into_iter().map(Vector::from);
        let all = nodes.zip(self.weights).zip(tilts);
        all.map(|((n, w), tilt)| (n, w, tilt))
            .filter(|(_, w, tilt)| *w != 0.0 || *tilt != Vector::<3>::zeros())
    }

    pub(super) fn point(&self, solids: &[ElasticSolid]) -> Point<3> {
        let points = &solids[self.solid].points;
        let sum: Vector<3> = self.shares().map(|(n, w, _)| points[n].coords * w).sum();
        Point::from(sum + self.present_normal(points) * self.height)
    }

    /// Returns the normal of the face where it is now.
    fn present_normal(&self, points: &[Point<3>]) -> Vector<3> {
        if self.height == 0.0 {
            return Vector::zeros();
        }
        let [a, b, c] = self.nodes.map(|n| points[n as usize]);
        let across = (b - a).cross(&(c - a));
        across.try_normalize(0.0).unwrap_or_else(Vector::zeros)
    }

    /// Moves it to a point along the plane of its face; returns the face's normal and the depth of
    /// the point below it. `None` if it has left the face sideways by more than rounding and
    /// vibration explain.
    pub(super) fn follow(
        &mut self,
        point: &Point<3>,
        solids: &[ElasticSolid],
    ) -> Option<(Vector<3>, f64)> {
        let points = &solids[self.solid].points;
        let corners = self.nodes.map(|n| points[n as usize]);
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        let least = weights(&corners, point)
            .into_iter()
            .fold(f64::INFINITY, f64::min);

        (least > -RIM).then(|| {
            self.place(&corners, point);
            (normal, (a - point).dot(&normal))
        })
    }

    /// Returns the acceleration due to all forces so far.
    pub(super) fn acceleration(&self, solids: &[ElasticSolid]) -> Vector<3> {
        let solid = &solids[self.solid];
        self.mean(|n| solid.forces[n] * solid.inverse_masses[n])
    }

    /// Returns the acceleration per newton along the normal: Σ w²/m.
    pub(super) fn mobility(&self, solids: &[ElasticSolid]) -> f64 {
        let inverse = &solids[self.solid].inverse_masses;
        self.shares().map(|(n, w, _)| w * w * inverse[n]).sum()
    }

    pub(super) fn push(&self, solids: &mut [ElasticSolid], force: &Vector<3>) {
        let (forces, normal) = (&mut solids[self.solid].forces, Vector::from(self.normal));
        for (n, w, tilt) in self.shares() {
            forces[n] += force * w + normal * tilt.dot(force);
        }
    }
}

/// Returns the barycentric coordinates of a point in the plane of a triangle; a third each if it has
/// no area.
fn weights([a, b, c]: &[Point<3>; 3], point: &Point<3>) -> [f64; 3] {
    let (u, v, w) = (b - a, c - a, point - a);
    let normal = u.cross(&v);
    let squared = normal.norm_squared();
    let [beta, gamma] = [w.cross(&v).dot(&normal), u.cross(&w).dot(&normal)].map(|x| x / squared);

    match beta.is_finite() && gamma.is_finite() {
        true => [1.0 - beta - gamma, beta, gamma],
        false => [1.0 / 3.0; 3],
    }
}
