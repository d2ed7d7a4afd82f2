//! Triangle meshes of walls and bodies, and the closed surfaces that they form.

use impinge::inside::inward_part;
use impinge::shape::{
    Item, Mesh, Polyhedron, Problem, ProblemKind, Surface, WELD_TOLERANCE, closing_weld, generate,
    inspect,
};
use impinge::space::{Aabb, Point};
use thiserror::Error;

/// Subdivisions of a ball's icosahedron: 1,280 triangles, 0.4 % of the radius from the sphere.
const BALL_LEVEL: usize = 3;

/// Points and triangles, in a shape's own frame; not necessarily closed or consistent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// The points.
    pub points: Vec<Point<3>>,
    /// The corners of each triangle, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The reason why triangles do not enclose a body.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidInside {
    /// Edges belong to one triangle only.
    #[error("the surface has {count} open edges, the first of them {first}; {}", advice(*.weld))]
    Open {
        /// Number of open edges.
        count: usize,
        /// The first one.
        first: Item,
        /// Distance within which points must be merged to close all of them; `None` if that would change
        /// the shape.
        weld: Option<f64>,
    },
    /// The triangles are not a closed surface for another reason.
    #[error(transparent)]
    Broken(Problem),
    /// The surface is closed, but its inside is ambiguous.
    #[error(
        "the inside is ambiguous: {0}; repair the mesh, or set 'hollow' for a wall whose two \
         sides are both free"
    )]
    Unclear(String),
}

/// Returns what would close open edges.
fn advice(weld: Option<f64>) -> String {
    match weld {
        Some(0.0) => "merging points with equal coordinates closes them".to_owned(),
        Some(tolerance) => format!("merging points within {tolerance:.0e} m closes them"),
        None => "it has holes: mend the mesh, or make it a wall, which may be open".to_owned(),
    }
}

impl TriangleMesh {
    /// Creates a mesh from coordinates.
    pub fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Self {
        Self {
            points: points.iter().map(|point| Point::from(*point)).collect(),
            triangles: triangles.to_vec(),
        }
    }

    /// Approximates a ball about the origin by 1,280 triangles.
    pub fn ball(radius: f64) -> Self {
        let unit = generate::icosphere(BALL_LEVEL).expect("few subdivisions");
        Self::from(&unit).scaled(radius)
    }

    /// Multiplies all coordinates by a number.
    pub fn scaled(mut self, scale: f64) -> Self {
        self.points.iter_mut().for_each(|point| *point *= scale);
        self
    }

    /// Returns the closed surface of the triangles. Points within 1e-12 of the size are merged, and
    /// a surface that faces inward is flipped. `None` if it has open edges or encloses nothing. A
    /// surface that seems closed but has an ambiguous inside is an error.
    pub fn closed(&self) -> Result<Option<Surface>, InvalidInside> {
        let problem = match self.repaired() {
            Ok(surface) => return whole(surface).map(Some),
            Err(problem) => problem,
        };
        let mesh = Mesh::of_triangles(self.points.clone(), &self.triangles);

        let report = inspect(&mesh).surface;
        // Several parts without a volume in all may face opposite ways.
        let is_flat = problem.kind == ProblemKind::ZeroVolume && report.components == 1;
        if is_flat || !report.closed {
            return Ok(None);
        }

        Err(InvalidInside::Unclear(problem.to_string()))
    }

    /// Returns the closed surface of the triangles, by the same rule; a surface without an inside is
    /// an error, too.
    pub fn enclosing(&self) -> Result<Surface, InvalidInside> {
        whole(self.repaired().map_err(|problem| self.refused(problem))?)
    }

    fn refused(&self, problem: Problem) -> InvalidInside {
        match problem.kind {
            ProblemKind::OpenEdge => InvalidInside::Open {
                count: problem.count,
                first: problem.first,
                weld: closing_weld(&self.points, &self.triangles),
            },
            _ => InvalidInside::Broken(problem),
        }
    }

    fn repaired(&self) -> Result<Surface, Problem> {
        let size = Aabb::of(self.points.iter().copied()).longest_edge();
        let tolerance = WELD_TOLERANCE * size;
        Surface::repair_within(&self.points, &self.triangles, tolerance).map(|(surface, _)| surface)
    }
}

fn whole(surface: Surface) -> Result<Surface, InvalidInside> {
    match inward_part(&surface) {
        None => Ok(surface),
        Some(triangle) => Err(InvalidInside::Unclear(format!(
            "the part with triangle {triangle} faces inward and is not a cavity of another"
        ))),
    }
}

impl From<&Surface> for TriangleMesh {
    fn from(surface: &Surface) -> Self {
        Self {
            points: surface.points().to_vec(),
            triangles: surface.triangles().to_vec(),
        }
    }
}

impl From<&Polyhedron> for TriangleMesh {
    /// Triangulates the faces, each as a fan.
    fn from(body: &Polyhedron) -> Self {
        let mut triangles = Vec::new();
        for face in 0..body.face_count() {
            let corners: Vec<u32> = body.face_corners(face).collect();
            triangles.extend(
                corners[1..]
                    .windows(2)
                    .map(|pair| [corners[0], pair[0], pair[1]]),
            );
        }

        Self {
            points: body.points().to_vec(),
            triangles,
        }
    }
}

#[cfg(test)]
mod tests;
