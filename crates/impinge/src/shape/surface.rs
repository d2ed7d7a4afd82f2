//! A closed, oriented triangle mesh, not necessarily convex or connected.

use super::check;
use super::edges::{Edges, MOST_TRIANGLES};
use super::{Item, Mesh, Problem, ProblemKind, weld_within};
use crate::space::{Aabb, ExactSum, Point, Pose, Sign, Vector, collinear};

/// A closed surface.
///
/// Every edge belongs to exactly two triangles, which traverse it in opposite directions. No
/// triangle is degenerate or duplicated, and the enclosed volume is positive (triangles are
/// counter-clockwise seen from outside). Shells may be nested, touch at vertices, or intersect.
///
/// ```
/// use impinge::shape::Surface;
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tetrahedron = Surface::new(&corners, &faces)?;
/// assert!((tetrahedron.volume() - 1.0 / 6.0).abs() < 1e-15);
///
/// let error = Surface::new(&corners, &faces[..3]).unwrap_err();
/// assert!(error.to_string().starts_with("edge 0-2 (1 triangle) breaks the surface"));
/// # Ok::<(), impinge::shape::Problem>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "triangle mesh")]
#[doc(alias = "trimesh")]
#[doc(alias = "watertight mesh")]
pub struct Surface {
    points: Vec<Point<3>>,
    triangles: Vec<[u32; 3]>,
    neighbours: Vec<[u32; 3]>,
    bounds: Aabb<3>,
}

/// Result of [`Surface::repair`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Repair {
    /// Number of points merged with an earlier one within the tolerance (inclusive).
    pub merged_points: usize,
    /// Number of triangles removed because the merging left them with a repeated corner.
    pub dropped_triangles: usize,
    /// Number of triangles reversed because the whole surface faced inward; all or none.
    pub flipped_triangles: usize,
}

impl Surface {
    /// Validates and takes ownership of the triangles. The error names the first offending item and
    /// their number.
    pub fn new(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, Problem> {
        Self::from_parts(
            points.iter().map(|&p| p.into()).collect(),
            triangles.to_vec(),
        )
    }

    /// Creates a surface from the surface elements of a mesh; quadrilaterals and curved elements by
    /// their corners.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, Problem> {
        check::none(mesh.uncut_quads())?;
        Self::from_parts(mesh.points.clone(), mesh.triangles())
    }

    fn from_parts(points: Vec<Point<3>>, triangles: Vec<[u32; 3]>) -> Result<Self, Problem> {
        check_triangles(&points, &triangles)?;
        check::none(zero_area(&points, &triangles))?;
        check::none(check::duplicate(&triangles, Item::Triangle))?;
        let edges = Edges::of(points.len(), &triangles);
        edges.problems().next().map_or(Ok(()), Err)?;
        check::none(misoriented(&points, &triangles))?;
        let bounds = Aabb::of(triangles.as_flattened().iter().map(|&n| points[n as usize]));

        Ok(Self {
            points,
            triangles,
            neighbours: edges.neighbours,
            bounds,
        })
    }

    /// Repairs what can be repaired without guessing, then validates. Equal points are merged,
    /// triangles that collapse as a result are removed, and a surface that faces inward as a whole
    /// is reversed.
    pub fn repair(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
    ) -> Result<(Self, Repair), Problem> {
        Self::repair_within(points, triangles, 0.0)
    }

    /// Like [`Surface::repair`], but also merges points up to `tolerance` apart; see
    /// [`weld_within`].
    ///
    /// ```
    /// use impinge::shape::Surface;
    /// let mut corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1e-17, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 4], [2, 0, 4]];
    /// assert!(Surface::repair(&corners, &faces).is_err());
    /// assert!(Surface::repair_within(&corners, &faces, 1e-12).is_ok());
    /// ```
    pub fn repair_within(
        points: &[impl Copy + Into<Point<3>>],
        triangles: &[[u32; 3]],
        tolerance: f64,
    ) -> Result<(Self, Repair), Problem> {
        let points: Vec<Point<3>> = points.iter().map(|&p| p.into()).collect();
        check::none(check::not_finite(&points))?;
        check::none(check::out_of_range(triangles, points.len(), Item::Triangle))?;
        let (distinct, number) = weld_within(&points, tolerance);
        let mut kept: Vec<[u32; 3]> = triangles
            .iter()
            .map(|t| t.map(|n| number[n as usize]))
            .collect();
        kept.retain(|[a, b, c]| a != b && b != c && c != a);

        let mut repair = Repair {
            merged_points: points.len() - distinct.len(),
            dropped_triangles: triangles.len() - kept.len(),
            flipped_triangles: 0,
        };
        if misoriented(&distinct, &kept)
            .is_some_and(|problem| problem.kind == ProblemKind::InsideOut)
        {
            kept.iter_mut().for_each(|t| t.swap(1, 2));
            repair.flipped_triangles = kept.len();
        }

        Ok((Self::from_parts(distinct, kept)?, repair))
    }

    /// The points.
    pub fn points(&self) -> &[Point<3>] {
        &self.points
    }

    /// The nodes of each triangle, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// For each triangle, the triangles across its sides 0–1, 1–2 and 2–0.
    pub fn neighbours(&self) -> &[[u32; 3]] {
        &self.neighbours
    }

    /// The coordinates of a triangle's corners.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [Point<3>; 3] {
        self.triangles[triangle].map(|n| self.points[n as usize])
    }

    /// The smallest box around the triangles.
    pub fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    /// Total area of the triangles.
    pub fn area(&self) -> f64 {
        area(&self.points, &self.triangles)
    }

    /// The enclosed volume; where shells overlap it is counted several times.
    pub fn volume(&self) -> f64 {
        signed_volume(&self.points, &self.triangles).0
    }

    /// Returns the surface in another pose. Rounding may make a sliver degenerate, so the result is
    /// validated again.
    pub fn moved(&self, pose: &Pose<3>) -> Result<Self, Problem> {
        Self::from_parts(
            self.points.iter().map(|p| pose.point(p)).collect(),
            self.triangles.clone(),
        )
    }

    /// Converts the surface to an unvalidated mesh, e.g. to write it to a file.
    pub fn to_mesh(&self) -> Mesh {
        Mesh::of_triangles(self.points.clone(), &self.triangles)
    }

    /// Panics if the structure is inconsistent.
    pub fn assert_valid(&self) {
        for (t, sides) in self.neighbours.iter().enumerate() {
            for (k, &across) in sides.iter().enumerate() {
                let (a, b) = (self.triangles[t][k], self.triangles[t][(k + 1) % 3]);
                let other = self.triangles[across as usize];
                let runs_back = (0..3).any(|j| (other[j], other[(j + 1) % 3]) == (b, a));
                assert!(
                    runs_back,
                    "triangle {across} does not lie across side {k} of triangle {t}"
                );
            }
        }
    }
}

/// The checks that any list of triangles must pass before its geometry can be examined.
pub(crate) fn check_triangles(points: &[Point<3>], triangles: &[[u32; 3]]) -> Result<(), Problem> {
    if triangles.is_empty() {
        return Err(Problem::whole(ProblemKind::Empty));
    }

    if triangles.len() > MOST_TRIANGLES || points.len() >= u32::MAX as usize {
        return Err(Problem::whole(ProblemKind::TooMany));
    }

    check::none(check::not_finite(points))?;
    check::none(check::out_of_range(triangles, points.len(), Item::Triangle))?;
    check::none(check::repeated_node(triangles, Item::Triangle))
}

/// Triangles whose corners are exactly collinear.
pub(crate) fn zero_area(points: &[Point<3>], triangles: &[[u32; 3]]) -> Option<Problem> {
    let flat = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| points[n as usize]);
        collinear(&a, &b, &c)
    };
    let bad = triangles.iter().enumerate().filter(|(_, t)| flat(t));
    Problem::of(ProblemKind::ZeroArea, bad.map(|(i, _)| Item::Triangle(i)))
}

/// Total area of the triangles.
pub(crate) fn area(points: &[Point<3>], triangles: &[[u32; 3]]) -> f64 {
    let twice = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| points[n as usize]);
        (b - a).cross(&(c - a)).norm()
    };
    0.5 * triangles.iter().map(twice).sum::<f64>()
}

/// The enclosed volume, ⅙ Σ a·(b × c) about the centre of the box, and a bound on its rounding
/// error.
pub(crate) fn signed_volume(points: &[Point<3>], triangles: &[[u32; 3]]) -> (f64, f64) {
    let middle = Aabb::of(triangles.as_flattened().iter().map(|&n| points[n as usize])).centre();
    let (mut sum, mut size) = (0.0, 0.0);
    for t in triangles {
        let [a, b, c]: [Vector<3>; 3] = t.map(|n| points[n as usize] - middle);
        sum += a.dot(&b.cross(&c));
        size += a.abs().dot(&b.abs().yzx().component_mul(&c.abs().zxy()))
            + a.abs().dot(&b.abs().zxy().component_mul(&c.abs().yzx()));
    }

    // Each term is accurate to a few ulps of `size`'s term, each of the additions to half an ulp of
    // the sum so far.
    let error = (8.0 + triangles.len() as f64) * f64::EPSILON * size;
    (sum / 6.0, error / 6.0)
}

/// Reports whether the surface faces inward as a whole or encloses nothing. Exact: if rounding
/// could decide, the sum Σ a·(b × c) is computed without rounding.
pub(crate) fn misoriented(points: &[Point<3>], triangles: &[[u32; 3]]) -> Option<Problem> {
    let (volume, error) = signed_volume(points, triangles);
    let sign = if volume.abs() > error {
        Sign::of(volume)
    } else {
        exact_volume_sign(points, triangles)
    };

    match sign {
        Sign::Positive => None,
        Sign::Zero => Some(Problem::whole(ProblemKind::ZeroVolume)),
        Sign::Negative => Some(Problem::whole(ProblemKind::InsideOut)),
    }
}

fn exact_volume_sign(points: &[Point<3>], triangles: &[[u32; 3]]) -> Sign {
    let mut sum = ExactSum::default();
    for t in triangles {
        let [a, b, c] = t.map(|n| points[n as usize]);
        for (x, y, z) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            sum.add_product(a[x], b[y], c[z]);
            sum.add_product(-a[x], b[z], c[y]);
        }
    }

    sum.sign()
}

#[cfg(test)]
mod tests;
