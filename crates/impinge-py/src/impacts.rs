//! Continuous collision detection of meshes whose nodes move on straight lines during a step.

use crate::arrays::{self, Indices, Table};
use crate::errors::{self, Checked};
use crate::threads::{compute, lock};
use impinge::predict::{self, ImpactOptions, ImpactParts, MeshImpact};
use impinge::shape::Item;
use pyo3::prelude::*;
use std::sync::Mutex;

/// A mesh and its positions at the start and at the end of a step.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct MovingMesh {
    mesh: Mutex<predict::MovingMesh>,
}

/// Earliest time, latest time, certain, kind, parts of the first and of the second mesh.
type Impact = (f64, f64, bool, &'static str, Vec<u32>, Vec<u32>);

#[pymethods]
impl MovingMesh {
    #[new]
    fn new(py: Python<'_>, points: Table<'_>, triangles: Indices<'_>) -> PyResult<Self> {
        let points = arrays::usable_points::<3>(py, &points)?;
        let triangles = arrays::elements::<3>(py, &triangles, points.len(), Item::Triangle)?;
        let mesh = compute(py, || predict::MovingMesh::new(&points, &triangles))?.checked(py)?;
        Ok(Self {
            mesh: Mutex::new(mesh),
        })
    }

    /// Sets the positions at the start and at the end of the step.
    fn set_step(&self, py: Python<'_>, start: Table<'_>, end: Table<'_>) -> PyResult<()> {
        let start = arrays::usable_points::<3>(py, &start)?;
        let end = arrays::usable_points::<3>(py, &end)?;
        compute(py, || lock(&self.mesh).set_step(&start, &end))?.checked(py)
    }

    /// The first impact with another mesh, or with itself.
    fn first(
        &self,
        py: Python<'_>,
        other: Option<&Bound<'_, Self>>,
        separation: f64,
        tolerance: f64,
    ) -> PyResult<Option<Impact>> {
        let options = options(separation, tolerance)?;
        let own = lock(&self.mesh).clone();
        let other = other.map(|other| lock(&other.get().mesh).clone());
        let work = || match &other {
            Some(other) => predict::first_impact(&own, other, &options),
            None => predict::first_self_impact(&own, &options),
        };

        Ok(compute(py, work)?.as_ref().map(row))
    }

    /// All impacts, earliest first.
    fn all(
        &self,
        py: Python<'_>,
        other: Option<&Bound<'_, Self>>,
        separation: f64,
        tolerance: f64,
    ) -> PyResult<Vec<Impact>> {
        let options = options(separation, tolerance)?;
        let own = lock(&self.mesh).clone();
        let other = other.map(|other| lock(&other.get().mesh).clone());
        let mut found = Vec::new();
        compute(py, || match &other {
            Some(other) => predict::impacts(&own, other, &options, &mut found),
            None => predict::self_impacts(&own, &options, &mut found),
        })?;

        Ok(found.iter().map(row).collect())
    }
}

fn options(separation: f64, tolerance: f64) -> PyResult<ImpactOptions> {
    let is_length = separation >= 0.0 && separation.is_finite();
    if !(is_length && tolerance > 0.0 && tolerance <= 1.0) {
        return Err(errors::value(
            "the separation is a length, and the tolerance a part of the step from 0 to 1",
        ));
    }
    let mut options = ImpactOptions::default();
    (options.separation, options.tolerance) = (separation, tolerance);
    Ok(options)
}

fn row(impact: &MeshImpact) -> Impact {
    let (kind, first, second) = match impact.parts {
        ImpactParts::VertexFace { vertex, face } => ("vertex-face", vec![vertex], vec![face]),
        ImpactParts::FaceVertex { face, vertex } => ("face-vertex", vec![face], vec![vertex]),
        ImpactParts::EdgeEdge { first, second } => ("edge-edge", first.to_vec(), second.to_vec()),
        ImpactParts::StartOverlap { first, second } => ("overlap", vec![first], vec![second]),
    };
    (impact.from, impact.to, impact.certain, kind, first, second)
}
