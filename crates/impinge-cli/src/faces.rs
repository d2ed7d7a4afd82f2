//! Faces of a mesh file for closest-point projection: the boundary of a solid, a surface, or lines in 2D.

use crate::common::Common;
use crate::mesh_file::{self, Weld};
use crate::progress;
use anyhow::{Context, bail};
use impinge::narrow::meshes::TriangleTree;
use impinge::narrow::projection::FaceTree;
use impinge::shape::{Cells, Faces, Mesh, Problem, inspect};
use impinge::space::Aabb;
use std::path::Path;

/// How to interpret a mesh of flat elements that all lie at z = 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flat {
    /// A surface in space.
    Surface,
    /// A 2D body, bounded by lines.
    Body,
}

/// Faces of a 2D or 3D body.
pub(crate) enum Body {
    Plane(Box<FaceTree<2>>),
    Space(Box<FaceTree<3>>),
}

/// Reads a mesh and returns its faces and the bounding box of its points.
pub(crate) fn read(
    path: &Path,
    flat: Flat,
    weld: &Weld,
    common: &Common,
) -> anyhow::Result<(Body, Aabb<3>)> {
    let mut mesh = weld.read(path, common)?.mesh;
    // Gaps are signed, so a surface must define an inside.
    if flat == Flat::Body && is_surface(&mesh) {
        let surface = mesh_file::close(path, &mut mesh)?;
        if surface.is_none() && !inspect(&mesh).surface.oriented {
            bail!(
                "{}: the orientation of neighbouring faces is inconsistent; orient them consistently first",
                path.display()
            );
        }
    }

    let mesh = &mesh;
    let body = progress::during(common, "preparing", || faces_of(mesh, flat));
    Ok((
        body.with_context(|| path.display().to_string())?,
        mesh.bounds(),
    ))
}

/// Whether the faces of the body are its surface elements.
fn is_surface(mesh: &Mesh) -> bool {
    mesh.count_of_dimension(3) == 0
        && mesh.count_of_dimension(2) > 0
        && mesh.points.iter().any(|p| p.z != 0.0)
}

fn faces_of(mesh: &Mesh, flat: Flat) -> anyhow::Result<Body> {
    let is_flat = mesh.points.iter().all(|p| p.z == 0.0);
    let has = [1, 2, 3].map(|dimension| mesh.count_of_dimension(dimension) > 0);
    let plane = |faces: Result<Faces<2>, Problem>| Ok(Body::Plane(Box::new(FaceTree::new(faces?))));
    let space = |faces: Result<Faces<3>, Problem>| Ok(Body::Space(Box::new(FaceTree::new(faces?))));

    match has {
        [_, _, true] => space(Cells::<3>::from_mesh(mesh).map(|cells| cells.boundary().faces)),
        [_, true, _] if is_flat && flat == Flat::Body => {
            plane(Cells::<2>::from_mesh(mesh).map(|cells| cells.boundary().faces))
        }
        [_, true, _] => space(Faces::<3>::from_mesh(mesh)),
        [true, ..] if is_flat => plane(Faces::<2>::from_mesh(mesh)),
        [true, ..] => bail!("lines have faces only in the plane, and some points have z ≠ 0"),
        _ => bail!("no elements with faces"),
    }
}

/// Builds a tree of a mesh's triangles; it has an inside if the surface is closed.
pub(crate) fn triangles_of(path: &Path, mesh: &mut Mesh) -> anyhow::Result<TriangleTree> {
    match mesh_file::close(path, mesh)? {
        Some(surface) => Ok(TriangleTree::new(&surface)),
        None => TriangleTree::of_triangles(&mesh.points, &mesh.triangles())
            .with_context(|| format!("{}: not a surface", path.display())),
    }
}
