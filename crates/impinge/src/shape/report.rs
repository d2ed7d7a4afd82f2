//! Inspection of an arbitrary, possibly broken mesh.

use super::inspect::Quality;
use super::{Cells, ElementKind, Mesh, Problem, ProblemKind, SurfaceReport, inspect_triangles};
use crate::space::{self, Point};

/// Properties of a mesh. The surface is that of its surface elements or, if it has solid elements,
/// their boundary.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshReport {
    /// Whether there are solid elements.
    pub is_solid: bool,
    /// Properties of the surface. Quadrilaterals count as two triangles and curved sides as
    /// straight.
    pub surface: SurfaceReport,
    /// Enclosed volume, if defined.
    pub volume: Option<f64>,
    /// Quality of the tetrahedra by their corners: 12 (3 V)^⅔ / Σ edge², 1 for regular, 0 for flat
    /// or inverted ones.
    pub solid_quality: Option<Quality>,
    /// All problems, those of the solid elements first.
    pub problems: Vec<Problem>,
}

/// Inspects a mesh.
///
/// ```
/// use impinge::shape::{ElementKind, generate, inspect};
/// let report = inspect(&generate::brick([2, 2, 2], [1.0, 1.0, 1.0], ElementKind::Hex8)?);
/// assert!(report.is_solid && report.surface.closed && report.problems.is_empty());
/// assert!((report.volume.unwrap() - 1.0).abs() < 1e-12);
/// # Ok::<(), generate::InvalidArgument>(())
/// ```
pub fn inspect(mesh: &Mesh) -> MeshReport {
    if mesh.count_of_dimension(3) > 0 {
        inspect_solid(mesh)
    } else {
        inspect_surface(mesh)
    }
}

fn inspect_surface(mesh: &Mesh) -> MeshReport {
    let surface = inspect_triangles(&mesh.points, &mesh.triangles());
    let volume = surface.volume;
    let quads = mesh.uncut_quads().into_iter().chain(mesh.dented_quads());
    let problems = surface.problems.iter().copied().chain(quads).collect();
    MeshReport {
        is_solid: false,
        surface,
        volume,
        solid_quality: None,
        problems,
    }
}

fn inspect_solid(mesh: &Mesh) -> MeshReport {
    let (boundary, mut problems) = match Cells::<3>::examine(mesh) {
        Ok((cells, problems)) => (cells.boundary().faces.to_mesh().triangles(), problems),
        Err(problem) => (Vec::new(), vec![problem]),
    };
    let surface = inspect_triangles(&mesh.points, &boundary);

    // A boundary that could not be built is not a problem of its own, and its triangles have no
    // numbers in the file.
    let elsewhere = |p: &&Problem| {
        !matches!(
            p.kind,
            ProblemKind::Empty | ProblemKind::ZeroArea | ProblemKind::NotFinite
        )
    };
    problems.extend(surface.problems.iter().filter(elsewhere));

    MeshReport {
        is_solid: true,
        volume: surface.volume,
        solid_quality: Quality::of(tetrahedra(mesh).map(tetrahedron_quality)),
        surface,
        problems,
    }
}

/// The corners of all tetrahedra with usable nodes.
fn tetrahedra(mesh: &Mesh) -> impl Iterator<Item = [Point<3>; 4]> {
    let blocks = mesh
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, ElementKind::Tet4 | ElementKind::Tet10));
    let corner = |n: u32| {
        mesh.points
            .get(n as usize)
            .copied()
            .filter(space::is_usable)
    };

    blocks
        .flat_map(|block| block.elements())
        .filter_map(move |nodes| {
            Some([
                corner(nodes[0])?,
                corner(nodes[1])?,
                corner(nodes[2])?,
                corner(nodes[3])?,
            ])
        })
}

fn tetrahedron_quality([a, b, c, d]: [Point<3>; 4]) -> f64 {
    let edges = [b - a, c - a, d - a, c - b, d - b, d - c];
    let squares: f64 = edges.iter().map(|edge| edge.norm_squared()).sum();
    let half_volume = 0.5 * edges[0].cross(&edges[1]).dot(&edges[2]);

    if half_volume > 0.0 {
        12.0 * half_volume.powf(2.0 / 3.0) / squares
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
