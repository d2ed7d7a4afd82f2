//! The shapes in 3D.

use super::shape::{Shape, endless, sealed};
use crate::bound::{around, ball_around, turned};
use crate::narrow::SurfaceBody;
use crate::narrow::projection::FaceTree;
use crate::shape::{HalfSpace, Polyhedron, Problem, ProblemKind, Solid, Sphere};
use crate::space::{Aabb, Point, Pose};
use std::sync::Arc;

/// A body in 3D. Large data is shared: a thousand bodies of one shape store it once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Shape3 {
    /// A ball.
    Sphere(Sphere<3>),
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
    /// A triangulated surface: closed, with an inside, or an open wall.
    Surface(Arc<SurfaceBody>),
    /// A tetrahedral solid that may deform.
    Solid(Arc<Solid>),
    /// A finite-element body, given by the faces of its surface.
    Faces(Arc<FaceTree<3>>),
    /// An infinite floor or wall.
    HalfSpace(HalfSpace<3>),
}

impl sealed::Sealed for Shape3 {}

impl Shape<3> for Shape3 {
    fn local_bounds(&self) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => ball.bounds(),
            Self::Polyhedron(body) => body.bounds(),
            Self::Surface(body) => body.faces().bounds(),
            Self::Solid(solid) => solid.bounds(),
            Self::Faces(tree) => tree.bounds(),
            Self::HalfSpace(_) => endless(),
        }
    }

    fn bounds(&self, pose: &Pose<3>) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => ball_around(&ball.centre(), ball.radius(), pose),
            Self::Polyhedron(body) => around(body.points(), pose),
            Self::Surface(body) => turned(&body.faces().bounds(), pose),
            Self::Solid(solid) => turned(&solid.bounds(), pose),
            Self::Faces(tree) => turned(&tree.bounds(), pose),
            Self::HalfSpace(_) => endless(),
        }
    }

    fn is_convex(&self) -> bool {
        match self {
            Self::Sphere(_) | Self::Polyhedron(_) | Self::HalfSpace(_) => true,
            Self::Surface(_) | Self::Solid(_) | Self::Faces(_) => false,
        }
    }

    fn half_space(&self) -> Option<&HalfSpace<3>> {
        match self {
            Self::HalfSpace(half) => Some(half),
            Self::Sphere(_)
            | Self::Polyhedron(_)
            | Self::Surface(_)
            | Self::Solid(_)
            | Self::Faces(_) => None,
        }
    }

    fn set_points(&mut self, points: &[Point<3>]) -> Result<(), Problem> {
        match self {
            Self::Surface(body) => Arc::make_mut(body).set_points(points),
            Self::Solid(solid) => Arc::make_mut(solid).set_points(points).map(|_| ()),
            Self::Faces(tree) => Arc::make_mut(tree).set_points(points).map(|_| ()),
            Self::Sphere(_) | Self::Polyhedron(_) | Self::HalfSpace(_) => {
                Err(Problem::whole(ProblemKind::WrongElement))
            }
        }
    }
}
