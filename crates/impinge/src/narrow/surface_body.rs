//! A triangulated surface with its search trees.

use super::meshes::TriangleTree;
use super::projection::FaceTree;
use crate::shape::{FaceKind, Faces, Problem, ProblemKind, Surface};
use crate::space::Point;

/// A surface with its search trees: one of triangles for queries with other surfaces, one of faces for
/// points.
#[derive(Clone, Debug)]
pub struct SurfaceBody {
    tree: TriangleTree,
    faces: FaceTree<3>,
}

impl SurfaceBody {
    /// Creates a body from a closed surface. The error names a triangle whose area is lost to rounding.
    pub fn new(surface: &Surface) -> Result<Self, Problem> {
        Self::of_tree(TriangleTree::new(surface))
    }

    /// Creates a wall from triangles that need not be closed. The error names the first unusable
    /// triangle.
    pub fn wall(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        Self::of_tree(TriangleTree::of_triangles(points, triangles)?)
    }

    /// Creates a height field: a wall of two triangles per cell over a grid in the plane z = 0, with the
    /// first corner at the origin. `heights` lists `counts[0]` values for each of `counts[1]` rows.
    ///
    /// Errors: `Empty` (fewer than two values on an axis, or not as many heights as the grid has
    /// corners), `NotPositive` (a cell without size), `NotFinite`.
    pub fn height_field(
        heights: &[f64],
        counts: [u32; 2],
        cell: [f64; 2],
    ) -> Result<Self, Problem> {
        let [columns, rows] = counts;
        let expected = columns as usize * rows as usize;
        if columns < 2 || rows < 2 || heights.len() != expected {
            return Err(Problem::whole(ProblemKind::Empty));
        }
        if cell.iter().any(|size| *size <= 0.0) {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }

        let corner = |(n, &z): (usize, &f64)| {
            let (i, j) = (n % columns as usize, n / columns as usize);
            Point::from([i as f64 * cell[0], j as f64 * cell[1], z])
        };
        let points: Vec<Point<3>> = heights.iter().enumerate().map(corner).collect();
        let cell = |i: u32, j: u32| {
            let a = j * columns + i;
            let [b, c, d] = [a + 1, a + columns + 1, a + columns];
            [[a, b, c], [a, c, d]]
        };
        let triangles: Vec<[u32; 3]> = (0..rows - 1)
            .flat_map(|j| (0..columns - 1).flat_map(move |i| cell(i, j)))
            .collect();

        Self::wall(&points, &triangles)
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
