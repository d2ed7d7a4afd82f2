//! Convex bodies for GJK: a core and a radius around it.

use super::super::gjk::SupportMap;
use super::closest::closest_point;
use crate::shape::{Feature, Polyhedron, Round, RoundKind, Sphere};
use crate::space::{Point, Vector};

/// A convex body.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ConvexBody<'a> {
    /// A ball.
    Sphere(&'a Sphere<3>),
    /// A convex polyhedron.
    Polyhedron(&'a Polyhedron),
    /// A capsule, cylinder or cone.
    Round(&'a Round),
}

/// The core of a body, without the radius around it.
#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    Segment([Point<3>; 2]),
    Polyhedron(&'a Polyhedron),
    Round(&'a Round),
}

/// A core and its radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Core<'a> {
    kind: Kind<'a>,
    pub(super) radius: f64,
}

impl<'a> Core<'a> {
    pub(super) fn of(body: &ConvexBody<'a>) -> Self {
        match *body {
            ConvexBody::Sphere(ball) => Self {
                kind: Kind::Segment([ball.centre(); 2]),
                radius: ball.radius(),
            },
            ConvexBody::Polyhedron(body) => Self {
                kind: Kind::Polyhedron(body),
                radius: 0.0,
            },
            ConvexBody::Round(body) => Self::of_round(body),
        }
    }

    pub(super) fn of_round(body: &'a Round) -> Self {
        match body.kind() {
            RoundKind::Capsule => Self {
                kind: Kind::Segment(body.ends()),
                radius: body.radius(),
            },
            RoundKind::Cylinder | RoundKind::Cone => Self {
                kind: Kind::Round(body),
                radius: 0.0,
            },
        }
    }

    /// Returns the ends of the core, if it is a segment.
    pub(super) fn segment(&self) -> Option<[Point<3>; 2]> {
        match self.kind {
            Kind::Segment(ends) => Some(ends),
            Kind::Polyhedron(_) | Kind::Round(_) => None,
        }
    }

    /// Returns a point inside the core.
    pub(super) fn middle(&self) -> Point<3> {
        match self.kind {
            Kind::Segment([p, q]) => nalgebra::center(&p, &q),
            Kind::Polyhedron(body) => body.bounds().centre(),
            Kind::Round(body) => body.centroid(),
        }
    }

    /// The face of a segment's capsule: the side or a cap. A sphere has face 0 only.
    pub(super) fn feature(&self, on: &Point<3>) -> Feature {
        match self.kind {
            Kind::Segment([p, q]) if p != q => {
                let along = (q - p).dot(&(on - p)) / (q - p).norm_squared();
                Feature::Face(if along < 0.0 {
                    1
                } else if along > 1.0 {
                    2
                } else {
                    0
                })
            }
            _ => Feature::Face(0),
        }
    }
}

/// The number of a vertex, 0 for a curved body, and its position.
impl SupportMap for Core<'_> {
    type Vertex = (u32, Point<3>);

    fn start(&self) -> Self::Vertex {
        match self.kind {
            Kind::Segment(ends) => (0, ends[0]),
            Kind::Polyhedron(body) => (0, body.points()[0]),
            Kind::Round(body) => (0, body.support(&body.axis())),
        }
    }

    fn support(&self, direction: &Vector<3>, start: Self::Vertex) -> Self::Vertex {
        match self.kind {
            Kind::Segment(ends) => {
                let end = usize::from(direction.dot(&(ends[1] - ends[0])) > 0.0);
                (end as u32, ends[end])
            }
            Kind::Polyhedron(body) => {
                let vertex = body.support(direction, start.0);
                (vertex, body.points()[vertex as usize])
            }
            Kind::Round(body) => (0, body.support(direction)),
        }
    }

    fn vertex(&self, vertex: Self::Vertex) -> Point<3> {
        vertex.1
    }
}

/// Angle, as a sine, below which a facet faces a direction.
const FACING: f64 = 1e-6;

/// Returns the feature of a body at a point of its surface with an outward normal.
pub(super) fn feature(body: &ConvexBody, on: &Point<3>, outward: &Vector<3>) -> Feature {
    match body {
        ConvexBody::Sphere(_) => Feature::Face(0),
        ConvexBody::Round(body) => Feature::Face(closest_point(body, on).face),
        ConvexBody::Polyhedron(body) => {
            let slope = |face: usize| body.planes()[face].normal.dot(outward);
            let facing = (0..body.face_count()).max_by(|&f, &g| slope(f).total_cmp(&slope(g)));
            match facing {
                Some(face) if slope(face) >= 1.0 - FACING * FACING => Feature::Face(face as u32),
                // An edge or a vertex: the vertices that are furthest along the normal.
                _ => furthest(body, outward),
            }
        }
    }
}

/// Returns the vertex furthest in a direction, or the edge if a neighbour is as far.
fn furthest(body: &Polyhedron, outward: &Vector<3>) -> Feature {
    let top = body.support(outward, 0);
    let from = body.points()[top as usize];
    let next = body.outgoing(top as usize).iter().find_map(|&half_edge| {
        let [_, to] = body.ends(half_edge);
        let edge = body.points()[to as usize] - from;
        (edge.dot(outward).abs() <= FACING * edge.norm()).then_some(to)
    });

    match next {
        Some(to) => Feature::Edge([top.min(to), top.max(to)]),
        None => Feature::Vertex(top),
    }
}
