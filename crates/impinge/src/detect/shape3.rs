//! The shapes in 3D.

use super::contact::{Contact, PairContact};
use super::deforming::SolidCaches;
use super::shape::{Placed, Shape, around, sealed, turned};
use super::shape2::{ball_bounds, endless};
use super::table;
use crate::broad::Pair;
use crate::narrow::features3::FeatureCache3;
use crate::narrow::half_space::HalfSpace;
use crate::narrow::meshes::{PairHint, TriangleTree};
use crate::narrow::projection::FaceTree;
use crate::narrow::sphere::FeatureHint;
use crate::shape::{FaceKind, Faces, Polyhedron, Problem, ProblemKind, Solid, Sphere, Surface};
use crate::space::{Aabb, Point, Pose};
use std::sync::Arc;

/// A body in 3D. Large data is shared: a thousand bodies of one shape store it once.
#[derive(Clone, Debug)]
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

/// A surface with its search trees: one of triangles for queries with other surfaces, one of faces for
/// points.
#[derive(Clone, Debug)]
pub struct SurfaceBody {
    tree: TriangleTree,
    faces: FaceTree<3>,
}

impl SurfaceBody {
    /// Creates a body from a closed surface. The error names a triangle so small that its area is lost
    /// to rounding.
    pub fn new(surface: &Surface) -> Result<Self, Problem> {
        Self::of_tree(TriangleTree::new(surface))
    }

    /// Creates a wall from triangles that need not be closed. The error names the first unusable
    /// triangle.
    pub fn wall(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<Self, Problem> {
        Self::of_tree(TriangleTree::of_triangles(points, triangles)?)
    }

    fn of_tree(tree: TriangleTree) -> Result<Self, Problem> {
        let faces = triangle_faces(tree.points(), tree.triangles())?;
        Ok(Self {
            faces: FaceTree::new(faces),
            tree,
        })
    }

    /// Returns the tree of triangles.
    pub fn tree(&self) -> &TriangleTree {
        &self.tree
    }

    /// Returns the same triangles as faces, for closest-point projection.
    pub fn faces(&self) -> &FaceTree<3> {
        &self.faces
    }

    /// Moves the points. On error, nothing has changed.
    pub fn set_points(&mut self, points: &[Point<3>]) -> Result<(), Problem> {
        self.faces.set_points(points)?;
        self.tree.update(points);
        Ok(())
    }
}

/// Converts triangles to finite-element faces.
pub(super) fn triangle_faces(
    points: &[Point<3>],
    triangles: &[[u32; 3]],
) -> Result<Faces<3>, Problem> {
    let kinds = vec![FaceKind::Tri3; triangles.len()];
    Faces::new(points.to_vec(), kinds, triangles.as_flattened().to_vec())
}

/// Cache of a pair of bodies in 3D; each pair method uses its own field.
#[derive(Clone, Debug, Default)]
pub struct PairState {
    pub(super) features: FeatureCache3,
    pub(super) feature: FeatureHint,
    pub(super) faces: PairHint,
}

impl sealed::Sealed for Shape3 {}

impl Shape<3> for Shape3 {
    type Kept = PairState;
    type Deforming = SolidCaches;

    fn local_bounds(&self) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => ball.bounds(),
            Self::Polyhedron(body) => body.bounds(),
            Self::Surface(body) => body.faces.bounds(),
            Self::Solid(solid) => solid.bounds(),
            Self::Faces(tree) => tree.bounds(),
            Self::HalfSpace(_) => endless(),
        }
    }

    fn bounds(&self, pose: &Pose<3>) -> Aabb<3> {
        match self {
            Self::Sphere(ball) => ball_bounds(ball, pose),
            Self::Polyhedron(body) => around(body.points(), pose),
            Self::Surface(body) => turned(&body.faces.bounds(), pose),
            Self::Solid(solid) => turned(&solid.bounds(), pose),
            Self::Faces(tree) => turned(&tree.bounds(), pose),
            Self::HalfSpace(_) => endless(),
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

    fn deform(
        kept: &mut SolidCaches,
        bodies: &[Option<Placed<Self, 3>>],
        pairs: &[Pair],
        found: &mut Vec<Contact<3>>,
    ) {
        kept.follow(bodies);
        kept.find(bodies, pairs, found);
    }

    fn meet(
        a: &Placed<Self, 3>,
        b: &Placed<Self, 3>,
        kept: &mut PairState,
        deforming: &SolidCaches,
        found: &mut Vec<PairContact<3>>,
    ) {
        table::in_space(a, b, kept, deforming, found);
    }
}
