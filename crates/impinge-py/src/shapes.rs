//! Generated bodies.

use crate::errors;
use crate::mesh::Mesh;
use crate::threads::compute;
use impinge::shape::generate::{self as make, InvalidArgument};
use impinge::shape::{ElementKind, Surface};
use pyo3::prelude::*;

/// Generates a body: its kind, whole numbers and lengths, in the order of the Python function.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    kind: &str,
    counts: Vec<usize>,
    sizes: Vec<f64>,
) -> PyResult<Mesh> {
    let mesh = compute(py, || made(kind, &counts, &sizes))?;
    mesh.ok_or_else(|| errors::value(format!("unknown body '{kind}'")))?
        .map_err(errors::value)
}

fn made(kind: &str, counts: &[usize], sizes: &[f64]) -> Option<Result<Mesh, InvalidArgument>> {
    let surface = |surface: Result<Surface, InvalidArgument>| surface.map(|s| s.to_mesh());
    Some(
        match (kind, counts, sizes) {
            ("sphere", &[level], []) => surface(make::sphere(level)),
            ("icosphere", &[level], []) => surface(make::icosphere(level)),
            ("torus", &[a, b], &[radius, tube]) => surface(make::torus(radius, tube, [a, b])),
            ("box", &[a, b, c], &[x, y, z]) => surface(make::block([a, b, c], [x, y, z])),
            ("foam", &[triangles, seed], []) => surface(make::foam(triangles, seed as u64)),
            ("brick", &[a, b, c, element], &[x, y, z]) => {
                let element = *ElementKind::ALL.get(element)?;
                make::brick([a, b, c], [x, y, z], element)
            }
            ("vee", &[tetrahedra], &[angle]) => make::vee(tetrahedra, angle),
            _ => return None,
        }
        .map(Mesh::from),
    )
}
