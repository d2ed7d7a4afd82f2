//! The shapes in 2D.

use super::shape::{Shape, endless, sealed};
use crate::bound::{around, ball_around, turned};
use crate::narrow::projection::FaceTree;
use crate::shape::{HalfSpace, Polygon, Problem, ProblemKind, Sphere};
use crate::space::{Aabb, Point, Pose};
use std::sync::Arc;

/// A body in 2D. Large data is shared: a thousand bodies of one shape store it once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Shape2 {
    /// A disc.
    Disc(Sphere<2>),
    /// A convex polygon.
    Polygon(Arc<Polygon>),
    /// A finite-element body, given by the edges of its outline.
    Faces(Arc<FaceTree<2>>),
    /// An infinite floor or wall.
    HalfPlane(HalfSpace<2>),
}

impl sealed::Sealed for Shape2 {}

impl Shape<2> for Shape2 {
    fn local_bounds(&self) -> Aabb<2> {
        match self {
            Self::Disc(disc) => disc.bounds(),
            Self::Polygon(polygon) => polygon.bounds(),
            Self::Faces(tree) => tree.bounds(),
            Self::HalfPlane(_) => endless(),
        }
    }

    fn bounds(&self, pose: &Pose<2>) -> Aabb<2> {
        match self {
            Self::Disc(disc) => ball_around(&disc.centre(), disc.radius(), pose),
            Self::Polygon(polygon) => around(polygon.points(), pose),
            Self::Faces(tree) => turned(&tree.bounds(), pose),
            Self::HalfPlane(_) => endless(),
        }
    }

    fn is_convex(&self) -> bool {
        match self {
            Self::Disc(_) | Self::Polygon(_) | Self::HalfPlane(_) => true,
            Self::Faces(_) => false,
        }
    }

    fn half_space(&self) -> Option<&HalfSpace<2>> {
        match self {
            Self::HalfPlane(half) => Some(half),
            Self::Disc(_) | Self::Polygon(_) | Self::Faces(_) => None,
        }
    }

    fn set_points(&mut self, points: &[Point<2>]) -> Result<(), Problem> {
        match self {
            Self::Faces(tree) => Arc::make_mut(tree).set_points(points).map(|_| ()),
            Self::Disc(_) | Self::Polygon(_) | Self::HalfPlane(_) => {
                Err(Problem::whole(ProblemKind::WrongElement))
            }
        }
    }
}
