//! The faces of a mesh file, ready for closest points: the boundary of a solid, a surface, or lines in the plane.

use crate::arguments::Common;
use crate::convert::say_passed_over;
use crate::progress;
use anyhow::{Context, bail};
use impinge::narrow::meshes::TriangleTree;
use impinge::narrow::projection::FaceTree;
use impinge::shape::{Cells, Faces, Mesh, Problem, Surface};
use impinge::space::Aabb;
use std::path::Path;

/// What a mesh of flat elements that all lie at z = 0 is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flat {
    /// A surface in space.
    Surface,
    /// A body of the plane, whose boundary is lines.
    Body,
}

/// Faces in the plane or in space.
pub(crate) enum Body {
    Plane(Box<FaceTree<2>>),
    Space(Box<FaceTree<3>>),
}

/// Reads a mesh and takes its faces; also the box around its points.
pub(crate) fn read(path: &Path, flat: Flat, common: &Common) -> anyhow::Result<(Body, Aabb<3>)> {
    let dataset = progress::during(common, &format!("reading {}", path.display()), || {
        impinge_io::read(path)
    })?;
    say_passed_over(path, &dataset.ignored);
    let mesh = &dataset.mesh;
    let body = progress::during(common, "preparing", || faces_of(mesh, flat));
    Ok((
        body.with_context(|| path.display().to_string())?,
        mesh.bounds(),
    ))
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
        _ => bail!("there are no elements that have faces"),
    }
}

/// The triangles of a mesh in a tree; with an inside if they are a closed surface.
pub(crate) fn triangles_of(path: &Path, mesh: &Mesh) -> anyhow::Result<TriangleTree> {
    match Surface::from_mesh(mesh) {
        Ok(surface) => Ok(TriangleTree::new(&surface)),
        Err(_) => TriangleTree::of_triangles(&mesh.points, &mesh.triangles())
            .with_context(|| format!("{}: not a surface", path.display())),
    }
}
