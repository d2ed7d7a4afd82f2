//! A validated collection of finite-element faces of mixed kinds over shared points.

use super::check;
use super::{Face, FaceKind, Item, Mesh, Problem, ProblemKind};
use crate::space::{Aabb, Point, Vector, collinear};

/// Faces of dimension `D` − 1 in `D`-dimensional space: lines in 2D, surface faces in 3D.
///
/// All points are finite. Each face refers to existing nodes, none twice, and has a non-zero area
/// (a line: length). The faces need not form a closed surface.
///
/// The nodes of all faces are stored in one array, those of face i from `starts[i]` to `starts[i +
/// 1]`.
///
/// ```
/// use impinge::{shape::{FaceKind, Faces}, space::Point};
/// let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]].map(Point::from);
/// let lines = Faces::new(points.to_vec(), vec![FaceKind::Line2; 2], vec![0, 1, 1, 2])?;
/// assert_eq!((lines.len(), lines.nodes(1)), (2, [1, 2].as_slice()));
///
/// let error = Faces::new(points.to_vec(), vec![FaceKind::Line2; 2], vec![0, 1, 1, 3]).unwrap_err();
/// assert_eq!(error.to_string(), "face 1 names a node that does not exist");
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Faces<const D: usize> {
    points: Vec<Point<D>>,
    kinds: Vec<FaceKind>,
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl<const D: usize> Faces<D> {
    /// Validates and takes ownership of the faces; `nodes` contains the nodes of all faces one
    /// after another.
    pub fn new(
        points: Vec<Point<D>>,
        kinds: Vec<FaceKind>,
        nodes: Vec<u32>,
    ) -> Result<Self, Problem> {
        if kinds.is_empty() {
            return Err(Problem::whole(ProblemKind::Empty));
        }

        if nodes.len() >= u32::MAX as usize || points.len() >= u32::MAX as usize {
            return Err(Problem::whole(ProblemKind::TooMany));
        }

        let strange = kinds
            .iter()
            .enumerate()
            .filter(|(_, kind)| kind.dimension() + 1 != D);
        check::none(Problem::of(
            ProblemKind::WrongElement,
            strange.map(|(i, _)| Item::Face(i)),
        ))?;

        if kinds.iter().map(|kind| kind.node_count()).sum::<usize>() != nodes.len() {
            return Err(Problem::whole(ProblemKind::WrongCount));
        }

        let faces = Self::trusted(points, kinds, nodes);
        faces.check()?;
        Ok(faces)
    }

    /// Creates the faces without validation, for shapes that have already performed it.
    pub(crate) fn trusted(points: Vec<Point<D>>, kinds: Vec<FaceKind>, nodes: Vec<u32>) -> Self {
        let mut end = 0;
        let ends = kinds.iter().map(|kind| {
            end += kind.node_count() as u32;
            end
        });
        let starts = std::iter::once(0).chain(ends).collect();

        Self {
            points,
            kinds,
            starts,
            nodes,
        }
    }

    /// Creates the faces from the elements of dimension `D` − 1 of a mesh, in its order; other
    /// elements are ignored. Straight non-convex quadrilaterals are rejected: two points on them
    /// would have the same coordinates.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, Problem> {
        let points = points_of(mesh)?;
        let (mut kinds, mut nodes) = (Vec::new(), Vec::new());
        for block in mesh
            .blocks
            .iter()
            .filter(|block| block.kind.dimension() + 1 == D)
        {
            let Some(kind) = FaceKind::of_element(block.kind) else {
                continue;
            };
            kinds.resize(kinds.len() + block.len(), kind);
            nodes.extend_from_slice(&block.nodes);
        }
        let faces = Self::new(points, kinds, nodes)?;

        if D == 3 {
            check::none(mesh.dented_quads())?;
        }

        Ok(faces)
    }

    fn check(&self) -> Result<(), Problem> {
        check::none(check::not_finite(&self.points))?;
        let count = self.points.len();
        self.refuse(ProblemKind::IndexOutOfRange, |i| {
            self.nodes(i).iter().any(|&n| n as usize >= count)
        })?;
        self.refuse(ProblemKind::RepeatedNode, |i| check::repeats(self.nodes(i)))?;

        self.refuse(ProblemKind::ZeroArea, |i| {
            is_degenerate(self.face(i).nodes())
        })
    }

    fn refuse(&self, kind: ProblemKind, bad: impl Fn(usize) -> bool) -> Result<(), Problem> {
        check::none(Problem::of(
            kind,
            (0..self.len()).filter(|&i| bad(i)).map(Item::Face),
        ))
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there is no face; true only for an empty boundary.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// All points, including those not used by any face.
    pub fn points(&self) -> &[Point<D>] {
        &self.points
    }

    /// The kind of a face.
    #[inline]
    pub fn kind(&self, face: usize) -> FaceKind {
        self.kinds[face]
    }

    /// The nodes of a face.
    #[inline]
    pub fn nodes(&self, face: usize) -> &[u32] {
        &self.nodes[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// A face with its coordinates.
    #[inline]
    pub fn face(&self, face: usize) -> Face<D> {
        let mut nodes = [Point::origin(); super::MOST_FACE_NODES];
        let numbers = self.nodes(face);
        for (place, &n) in nodes.iter_mut().zip(numbers) {
            *place = self.points[n as usize];
        }
        Face::new(self.kinds[face], &nodes[..numbers.len()]).expect("checked on entry")
    }

    /// A box that contains the curved face; see [`Face::bounds`].
    pub fn bounds(&self, face: usize) -> Aabb<D> {
        self.face(face).bounds()
    }

    /// Converts the faces to an unvalidated mesh, e.g. to write them to a file.
    pub fn to_mesh(&self) -> Mesh {
        let lifted =
            |p: &Point<D>| Point::from(Vector::<3>::from_fn(|i, _| if i < D { p[i] } else { 0.0 }));
        let mut mesh = Mesh {
            points: self.points.iter().map(lifted).collect(),
            blocks: Vec::new(),
        };
        (0..self.len()).for_each(|face| mesh.push(self.kind(face).element(), self.nodes(face)));

        mesh
    }

    /// Moves the points, e.g. of a deforming body. Only their number and finiteness are checked: a
    /// face may become degenerate. On an error nothing changes.
    pub fn set_points(&mut self, points: &[Point<D>]) -> Result<(), Problem> {
        if points.len() != self.points.len() {
            return Err(Problem::whole(ProblemKind::WrongCount));
        }
        check::none(check::not_finite(points))?;
        self.points.copy_from_slice(points);
        Ok(())
    }
}

/// The points of a mesh in `D` dimensions; those of a 2D mesh must have z = 0.
pub(crate) fn points_of<const D: usize>(mesh: &Mesh) -> Result<Vec<Point<D>>, Problem> {
    check::none(check::not_finite(&mesh.points))?;
    let off = mesh
        .points
        .iter()
        .enumerate()
        .filter(|(_, p)| (D..3).any(|axis| p[axis] != 0.0));
    check::none(Problem::of(
        ProblemKind::OffPlane,
        off.map(|(i, _)| Item::Point(i)),
    ))?;

    Ok(mesh
        .points
        .iter()
        .map(|p| Point::from(Vector::from_fn(|i, _| p[i])))
        .collect())
}

/// Returns whether the nodes of a surface face are exactly collinear, or those of a line coincide.
/// A face whose corners are collinear but whose other nodes bulge has an area.
pub(crate) fn is_degenerate<const D: usize>(nodes: &[Point<D>]) -> bool {
    let Some((a, b)) = nodes.first().zip(nodes.iter().find(|&p| *p != nodes[0])) else {
        return true;
    };
    let deep =
        |p: &Point<D>| Point::from(Vector::<3>::from_fn(|i, _| if i < D { p[i] } else { 0.0 }));

    D == 3
        && nodes
            .iter()
            .all(|c| collinear(&deep(a), &deep(b), &deep(c)))
}

#[cfg(test)]
mod tests;
