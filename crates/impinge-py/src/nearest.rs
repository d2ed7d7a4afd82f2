//! Nearest points of a surface.

use crate::arrays::{self, Table};
use crate::errors::Checked;
use crate::mesh::{Mesh, Tree};
use crate::order;
use crate::threads::{FEW, compute, in_chunks};
use impinge::narrow::meshes::NearestPoint;
use impinge::space::Point;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// A surface prepared for nearest-point queries.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Nearest {
    tree: Arc<Tree>,
}

/// Points, distances and faces.
type Found<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
);

/// Faces and points.
type Hits<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f64>>);

#[pymethods]
impl Nearest {
    #[new]
    fn new(py: Python<'_>, mesh: &Bound<'_, Mesh>) -> PyResult<Self> {
        let mesh = mesh.get();
        let tree = compute(py, || mesh.tree().cloned())?.checked(py)?;
        Ok(Self { tree })
    }

    /// Nearest points, their distances and faces. With `facing`, a point on an edge or a vertex gets the
    /// adjacent face whose normal points most towards the query point, otherwise the first.
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        points: Table<'py>,
        facing: bool,
    ) -> PyResult<Found<'py>> {
        let rows = arrays::rows::<f64, 3>(&points)?;
        arrays::check_usable(rows)?;
        let count = rows.len();
        let mut nearest: Vec<[f64; 3]> = Vec::with_capacity(count);
        let (mut distances, mut faces) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut some: Vec<NearestPoint> = Vec::new();
        in_chunks(py, rows, |chunk| {
            let points = arrays::points(chunk);
            self.find(points, &mut some);
            if facing {
                some.iter_mut().zip(points).for_each(|(found, point)| {
                    found.face = self.tree.facing(found, point);
                });
            }
            nearest.extend(some.iter().map(|found| <[f64; 3]>::from(found.point)));
            distances.extend(some.iter().map(|found| found.distance));
            faces.extend(some.iter().map(|found| i64::from(found.face)));
        })?;

        Ok((
            arrays::table(py, nearest)?,
            arrays::list(py, distances),
            arrays::list(py, faces),
        ))
    }

    /// Distances alone.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        points: Table<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = arrays::rows::<f64, 3>(&points)?;
        arrays::check_usable(rows)?;
        let (mut distances, mut some) = (Vec::with_capacity(rows.len()), Vec::new());
        in_chunks(py, rows, |chunk| {
            self.find(arrays::points(chunk), &mut some);
            distances.extend(some.iter().map(|found| found.distance));
        })?;

        Ok(arrays::list(py, distances))
    }

    /// The first faces hit by segments (-1 for none), and the hit points.
    fn first_hits<'py>(
        &self,
        py: Python<'py>,
        from: Table<'py>,
        to: Table<'py>,
    ) -> PyResult<Hits<'py>> {
        let (from, to) = (arrays::rows::<f64, 3>(&from)?, arrays::rows::<f64, 3>(&to)?);
        arrays::check_usable(from)?;
        arrays::check_usable(to)?;
        if from.len() != to.len() {
            return Err(crate::errors::value("starts and ends differ in number"));
        }
        let segments: Vec<[Point<3>; 2]> = from
            .iter()
            .zip(to)
            .map(|(&from, &to)| [from.into(), to.into()])
            .collect();

        let (mut faces, mut points) = (Vec::new(), Vec::new());
        in_chunks(py, &segments, |chunk| {
            use rayon::prelude::*;
            let hit = |[from, to]: &[Point<3>; 2]| self.tree.triangles.first_hit(from, to);
            let hits: Vec<_> = if chunk.len() <= FEW {
                chunk.iter().map(hit).collect()
            } else {
                chunk.par_iter().with_min_len(64).map(hit).collect()
            };
            faces.extend(
                hits.iter()
                    .map(|hit| hit.map_or(-1, |hit| i64::from(hit.face))),
            );
            let nowhere = [f64::NAN; 3];
            points.extend(
                hits.iter()
                    .map(|hit| hit.map_or(nowhere, |hit| hit.point.into())),
            );
        })?;

        Ok((arrays::list(py, faces), arrays::table(py, points)?))
    }

    /// Memory of the prepared structure in bytes.
    fn memory(&self) -> usize {
        self.tree.triangles.memory()
    }
}

impl Nearest {
    fn find(&self, points: &[Point<3>], found: &mut Vec<NearestPoint>) {
        found.clear();
        if points.len() <= FEW {
            found.extend(
                points
                    .iter()
                    .map(|point| self.tree.triangles.nearest(point)),
            );
            return;
        }

        let order = order::along_a_curve(points);
        let sorted: Vec<Point<3>> = order.iter().map(|&n| points[n as usize]).collect();
        let mut nearest = Vec::new();
        self.tree.triangles.nearest_points(&sorted, &mut nearest);
        found.extend_from_slice(&nearest);
        for (&number, one) in order.iter().zip(nearest) {
            found[number as usize] = one;
        }
    }
}
