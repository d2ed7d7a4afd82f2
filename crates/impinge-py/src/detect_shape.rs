//! Shapes of the bodies of a scene.

use crate::arrays::Table;
use crate::bodies::Convex;
use crate::errors::{self, Checked};
use crate::mesh::Mesh;
use crate::pose;
use crate::threads::compute;
use impinge::detect::{Compound, Shape3};
use impinge::narrow::SurfaceBody;
use impinge::shape::{Problem, Round, RoundKind, Sphere};
use impinge::space::Pose;
use pyo3::prelude::*;
use std::sync::Arc;

/// A shape that bodies can share.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Shape {
    pub(crate) shape: Shape3,
}

impl From<Shape3> for Shape {
    fn from(shape: Shape3) -> Self {
        Self { shape }
    }
}

#[pymethods]
impl Shape {
    /// A ball.
    #[staticmethod]
    fn sphere(py: Python<'_>, radius: f64) -> PyResult<Self> {
        let ball = Sphere::new([0.0; 3], radius).checked(py)?;
        Ok(Shape3::Sphere(ball).into())
    }

    /// A `capsule`, `cylinder` or `cone` between two points.
    #[staticmethod]
    fn round(
        py: Python<'_>,
        kind: &str,
        start: [f64; 3],
        end: [f64; 3],
        radius: f64,
    ) -> PyResult<Self> {
        let kind = match kind {
            "capsule" => RoundKind::Capsule,
            "cylinder" => RoundKind::Cylinder,
            "cone" => RoundKind::Cone,
            _ => return Err(errors::value(format!("{kind}: no such shape"))),
        };
        let round = Round::new(kind, start.into(), end.into(), radius).checked(py)?;
        Ok(Shape3::Round(round).into())
    }

    /// A convex polyhedron.
    #[staticmethod]
    fn convex(convex: &Bound<'_, Convex>) -> Self {
        Shape3::Polyhedron(Arc::new(convex.get().polyhedron().clone())).into()
    }

    /// A surface: a body if it is closed, otherwise a wall.
    #[staticmethod]
    fn surface(py: Python<'_>, mesh: &Bound<'_, Mesh>) -> PyResult<Self> {
        let mesh = mesh.get();
        let build = || -> Result<SurfaceBody, Problem> {
            match mesh.closed() {
                Ok(closed) => SurfaceBody::new(&closed.surface),
                Err(_) => {
                    let surface = mesh.surface()?;
                    SurfaceBody::wall(&surface.points, &surface.triangles())
                }
            }
        };
        let body = compute(py, build)?.checked(py)?;
        Ok(Shape3::Surface(Arc::new(body)).into())
    }

    /// A compound of several shapes, each with its pose.
    #[staticmethod]
    fn compound(
        py: Python<'_>,
        parts: Vec<(Bound<'_, Self>, Option<Table<'_>>)>,
    ) -> PyResult<Self> {
        let part = |(shape, matrix): (Bound<'_, Self>, Option<Table<'_>>)| {
            Ok((shape.get().shape.clone(), pose::optional(matrix)?))
        };
        let parts = parts.into_iter().map(part);
        let parts: Vec<(Shape3, Pose<3>)> = parts.collect::<PyResult<_>>()?;
        let compound = compute(py, || Compound::new(parts))?.checked(py)?;
        Ok(Shape3::Compound(Arc::new(compound)).into())
    }

    /// The volume; `None` for an open wall.
    fn volume(&self) -> Option<f64> {
        let mass = self.shape.mass_properties()?;
        Some(mass.volume)
    }
}
