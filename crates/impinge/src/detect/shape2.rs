//! The shapes in 2D.

use super::contact::{Contact, PairContact};
use super::shape::{Placed, Shape, around, sealed, turned};
use super::table;
use crate::broad::Pair;
use crate::narrow::features2::FeatureCache2;
use crate::narrow::half_space::HalfSpace;
use crate::narrow::projection::FaceTree;
use crate::shape::{Polygon, Problem, ProblemKind, Sphere};
use crate::space::{Aabb, Point, Pose, Vector};
use std::sync::Arc;

/// A body in 2D. Large data is shared: a thousand bodies of one shape store it once.
#[derive(Clone, Debug)]
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
    type Kept = FeatureCache2;
    type Deforming = ();

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
            Self::Disc(disc) => ball_bounds(disc, pose),
            Self::Polygon(polygon) => around(polygon.points(), pose),
            Self::Faces(tree) => turned(&tree.bounds(), pose),
            Self::HalfPlane(_) => endless(),
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

    fn deform(
        _kept: &mut (),
        _bodies: &[Option<Placed<Self, 2>>],
        _pairs: &[Pair],
        _found: &mut Vec<Contact<2>>,
    ) {
    }

    fn meet(
        a: &Placed<Self, 2>,
        b: &Placed<Self, 2>,
        kept: &mut FeatureCache2,
        _deforming: &(),
        found: &mut Vec<PairContact<2>>,
    ) {
        table::in_plane(a, b, kept, found);
    }
}

/// Returns an infinite box.
pub(super) fn endless<const D: usize>() -> Aabb<D> {
    Aabb {
        min: Point::from(Vector::repeat(f64::NEG_INFINITY)),
        max: Point::from(Vector::repeat(f64::INFINITY)),
    }
}

/// Returns the bounding box of a ball at a pose.
pub(super) fn ball_bounds<const D: usize>(ball: &Sphere<D>, pose: &Pose<D>) -> Aabb<D> {
    // The box around the centre is grown by the rounding of its position; then the radius is added.
    around(&[ball.centre()], pose).grown(ball.radius() * (1.0 + 8.0 * f64::EPSILON))
}
