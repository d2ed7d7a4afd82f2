//! A triangulated surface with its search trees.

use super::meshes::TriangleTree;
use super::projection::FaceTree;
use crate::shape::{FaceKind, Faces, Problem, Surface};
use crate::space::Point;

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
pub(crate) fn triangle_faces(
    points: &[Point<3>],
    triangles: &[[u32; 3]],
) -> Result<Faces<3>, Problem> {
    let kinds = vec![FaceKind::Tri3; triangles.len()];
    Faces::new(points.to_vec(), kinds, triangles.as_flattened().to_vec())
}
