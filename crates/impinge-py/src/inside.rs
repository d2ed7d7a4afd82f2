//! Points in a closed surface, and winding numbers of any surface.

use crate::arrays::{self, Table};
use crate::errors::{self, Checked};
use crate::mesh::Mesh;
use crate::threads::{FEW, compute, in_chunks};
use impinge::inside::{CellsOptions, LabelledCells, Position, Winding};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// A surface prepared to locate points.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct Inside {
    mesh: Py<Mesh>,
    /// `None` for a surface with holes.
    cells: Option<LabelledCells>,
    winding: OnceLock<Box<Winding>>,
}

impl Inside {
    /// Returns the winding number, built on first use.
    fn winding(&self, py: Python<'_>) -> PyResult<&Winding> {
        if let Some(winding) = self.winding.get() {
            return Ok(winding);
        }
        let mesh = self.mesh.get();
        let build = || match &self.cells {
            Some(cells) => Winding::new(cells.surface().points(), cells.surface().triangles()),
            None => {
                let surface = mesh.surface()?;
                Winding::new(&surface.points, &surface.triangles())
            }
        };
        let winding = compute(py, build)?.checked(py)?;

        Ok(self.winding.get_or_init(|| Box::new(winding)))
    }

    fn positions_by_winding(&self, py: Python<'_>, rows: &[[f64; 3]]) -> PyResult<Vec<i8>> {
        let values = self.windings(py, rows)?;
        Ok(values
            .iter()
            .map(|&j| if j > 0.5 { 1 } else { -1 })
            .collect())
    }

    fn windings(&self, py: Python<'_>, rows: &[[f64; 3]]) -> PyResult<Vec<f64>> {
        arrays::check_finite(rows)?;
        let winding = self.winding(py)?;
        let (mut all, mut some) = (Vec::with_capacity(rows.len()), Vec::new());
        in_chunks(py, rows, |chunk| {
            winding
                .windings(arrays::points(chunk), &mut some)
                .expect("checked to be finite");
            all.append(&mut some);
        })?;

        Ok(all)
    }
}

#[pymethods]
impl Inside {
    #[new]
    fn new(py: Python<'_>, mesh: Py<Mesh>, open: bool) -> PyResult<Self> {
        let cells = if open {
            None
        } else {
            let shared = mesh.get();
            let build = || {
                let closed = shared.closed()?;
                Ok(LabelledCells::new(
                    closed.surface.clone(),
                    CellsOptions::default(),
                ))
            };
            Some(compute(py, build)?.checked(py)?)
        };
        let inside = Self {
            mesh,
            cells,
            winding: OnceLock::new(),
        };
        if open {
            inside.winding(py)?;
        }

        Ok(inside)
    }

    /// 1 inside, 0 on the surface, -1 outside.
    fn locate<'py>(
        &self,
        py: Python<'py>,
        points: Table<'py>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let rows = arrays::rows::<f64, 3>(&points)?;
        let Some(cells) = &self.cells else {
            return Ok(arrays::list(py, self.positions_by_winding(py, rows)?));
        };

        arrays::check_finite(rows)?;
        let (mut found, mut positions) = (Vec::with_capacity(rows.len()), Vec::new());
        in_chunks(py, rows, |chunk| {
            let points = arrays::points(chunk);
            if points.len() <= FEW {
                found.extend(points.iter().map(|point| number(&cells.position(point))));
            } else {
                cells.positions(points, &mut positions);
                found.extend(positions.iter().map(number));
            }
        })?;

        Ok(arrays::list(py, found))
    }

    /// Winding numbers.
    fn winding_numbers<'py>(
        &self,
        py: Python<'py>,
        points: Table<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = arrays::rows::<f64, 3>(&points)?;
        Ok(arrays::list(py, self.windings(py, rows)?))
    }

    /// Whether the surface is closed, so that positions are exact.
    fn is_closed(&self) -> bool {
        self.cells.is_some()
    }

    /// Memory of the prepared structure in bytes.
    fn memory(&self) -> PyResult<usize> {
        let cells = self.cells.as_ref();
        let cells = cells.ok_or_else(|| errors::value("only known of closed surfaces"))?;
        Ok(cells.memory())
    }
}

fn number(position: &Position) -> i8 {
    match position {
        Position::Outside => -1,
        Position::On(_) => 0,
        Position::Inside => 1,
    }
}
