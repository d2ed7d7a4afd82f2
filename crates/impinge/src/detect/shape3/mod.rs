//! The shapes in 3D.

mod compound;

pub use compound::Compound;

use super::shape::{Shape, endless, sealed};
use crate::bound::{around, ball_around, round_around, turned};
use crate::narrow::SurfaceBody;
use crate::narrow::projection::FaceTree;
use crate::shape::{
    HalfSpace, MassProperties, Polyhedron, Problem, ProblemKind, Round, Solid, Sphere,
};
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
    /// A capsule, cylinder or cone.
    Round(Round),
    /// Several shapes that move as one rigid body.
    Compound(Arc<Compound>),
    /// A triangulated surface: closed, with an inside, or an open wall.
    Surface(Arc<SurfaceBody>),
    /// A tetrahedral solid that may deform.
    Solid(Arc<Solid>),
    /// A finite-element body, given by the faces of its surface.
    Faces(Arc<FaceTree<3>>),
    /// An infinite floor or wall.
    HalfSpace(HalfSpace<3>),
}

impl Shape3 {
    /// Returns volume, centroid and inertia for a density of one; `None` for half-spaces, open walls and
    /// finite-element faces.
    ///
    /// ```
    /// use impinge::detect::Shape3;
    /// use impinge::shape::Round;
    /// let hat = Shape3::Round(Round::cone([0.0; 3], [0.0, 0.0, 4.0], 1.0)?);
    /// let mass = hat.mass_properties().unwrap();
    /// assert_eq!(mass.centroid, [0.0, 0.0, 1.0].into());
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn mass_properties(&self) -> Option<MassProperties> {
        match self {
            Self::Sphere(ball) => Some(ball.mass_properties()),
            Self::Polyhedron(body) => Some(body.mass_properties()),
            Self::Round(body) => Some(body.mass_properties()),
            Self::Compound(body) => Some(*body.mass_properties()),
            Self::Surface(body) => {
                let tree = body.tree();
                tree.is_closed()
                    .then(|| MassProperties::of_surface(tree.points(), tree.triangles()))
            }
            Self::Solid(body) => Some(MassProperties::of_surface(
                body.points(),
                body.boundary_triangles(),
            )),
            Self::Faces(_) | Self::HalfSpace(_) => None,
        }
    }
}

impl From<Sphere<3>> for Shape3 {
    fn from(ball: Sphere<3>) -> Self {
        Self::Sphere(ball)
    }
}

impl From<Polyhedron> for Shape3 {
    fn from(body: Polyhedron) -> Self {
        Self::Polyhedron(Arc::new(body))
    }
}

impl From<Round> for Shape3 {
    fn from(body: Round) -> Self {
        Self::Round(body)
    }
}

impl From<Compound> for Shape3 {
    fn from(body: Compound) -> Self {
        Self::Compound(Arc::new(body))
    }
}

impl sealed::Sealed for Shape3 {}

impl Shape<3> for Shape3 {
    fn local_bounds(&self) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => ball.bounds(),
            Self::Polyhedron(body) => body.bounds(),
            Self::Round(body) => body.bounds(),
            Self::Compound(body) => body.bounds(),
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
            Self::Round(body) => round_around(body, pose),
            Self::Compound(body) => body.bounds_at(pose),
            Self::Surface(body) => turned(&body.faces().bounds(), pose),
            Self::Solid(solid) => turned(&solid.bounds(), pose),
            Self::Faces(tree) => turned(&tree.bounds(), pose),
            Self::HalfSpace(_) => endless(),
        }
    }

    fn is_convex(&self) -> bool {
        match self {
            Self::Sphere(_) | Self::Polyhedron(_) | Self::Round(_) | Self::HalfSpace(_) => true,
            Self::Compound(_) | Self::Surface(_) | Self::Solid(_) | Self::Faces(_) => false,
        }
    }

    fn half_space(&self) -> Option<&HalfSpace<3>> {
        match self {
            Self::HalfSpace(half) => Some(half),
            Self::Sphere(_)
            | Self::Polyhedron(_)
            | Self::Round(_)
            | Self::Compound(_)
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
            Self::Sphere(_)
            | Self::Polyhedron(_)
            | Self::Round(_)
            | Self::Compound(_)
            | Self::HalfSpace(_) => Err(Problem::whole(ProblemKind::WrongElement)),
        }
    }
}
