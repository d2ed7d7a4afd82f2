//! Files of meshes and points.

use crate::arrays;
use crate::errors;
use crate::mesh::Mesh;
use crate::threads::compute;
use impinge_io::{Dataset, Field, Ignored, SetOf, Values};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Name and values, one row for each point or element.
type NamedField<'py> = (String, Bound<'py, PyAny>);

/// Name, kind of members (`points`, `elements` or `sides`) and members.
type NamedSet<'py> = (String, &'static str, Bound<'py, PyArray1<i64>>);

/// Mesh, fields of points, fields of elements, sets, what was not read and how often.
type Contents<'py> = (
    Mesh,
    Vec<NamedField<'py>>,
    Vec<NamedField<'py>>,
    Vec<NamedSet<'py>>,
    Vec<(String, usize)>,
);

/// Reads a mesh file.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, path: PathBuf) -> PyResult<Contents<'_>> {
    let dataset = compute(py, || impinge_io::read(&path))?;
    let dataset = dataset.map_err(|error| errors::file(py, &error))?;
    let fields = |fields: &[Field]| fields.iter().map(|f| named(py, f)).collect::<PyResult<_>>();
    let set = |set: &impinge_io::Set| {
        let of = match set.of {
            SetOf::Points => "points",
            SetOf::Elements => "elements",
            SetOf::Sides => "sides",
        };
        let members = set.members.iter().map(|&member| member as i64).collect();
        (set.name.clone(), of, arrays::list(py, members))
    };

    Ok((
        dataset.mesh.into(),
        fields(&dataset.point_fields)?,
        fields(&dataset.cell_fields)?,
        dataset.sets.iter().map(set).collect(),
        counts(&dataset.ignored),
    ))
}

/// Writes a mesh file; returns what the format could not represent.
#[pyfunction]
pub(crate) fn write(
    py: Python<'_>,
    path: PathBuf,
    mesh: &Bound<'_, Mesh>,
    point_fields: Vec<(String, PyReadonlyArray2<'_, f64>)>,
    cell_fields: Vec<(String, PyReadonlyArray2<'_, f64>)>,
) -> PyResult<Vec<(String, usize)>> {
    let mut dataset = Dataset::from(mesh.get().mesh.clone());
    dataset.point_fields = fields(&point_fields)?;
    dataset.cell_fields = fields(&cell_fields)?;
    let left_out = compute(py, || impinge_io::write(&path, &dataset))?;
    let left_out = left_out.map_err(|error| errors::file(py, &error))?;
    Ok(counts(&left_out))
}

/// Reads a table of points, with the names of its columns.
#[pyfunction]
pub(crate) fn read_points(
    py: Python<'_>,
    path: PathBuf,
) -> PyResult<(Vec<String>, Bound<'_, PyArray2<f64>>)> {
    let points = compute(py, || impinge_io::read_points(&path))?;
    let points = points.map_err(|error| errors::file(py, &error))?;
    let shape = [points.len(), points.columns];
    Ok((
        points.names,
        arrays::list(py, points.values).reshape(shape)?,
    ))
}

fn named<'py>(py: Python<'py>, field: &Field) -> PyResult<NamedField<'py>> {
    let components = field.components.max(1);
    let shape = [field.values.len() / components, components];
    let values = match &field.values {
        Values::Real(values) => arrays::list(py, values.clone()).reshape(shape)?.into_any(),
        Values::Whole(values) => arrays::list(py, values.clone()).reshape(shape)?.into_any(),
    };
    Ok((field.name.clone(), values))
}

fn fields(given: &[(String, PyReadonlyArray2<'_, f64>)]) -> PyResult<Vec<Field>> {
    let field = |(name, values): &(String, PyReadonlyArray2<'_, f64>)| {
        Ok(Field {
            name: name.clone(),
            components: values.shape()[1],
            values: Values::Real(values.as_slice()?.to_vec()),
        })
    };
    given.iter().map(field).collect()
}

fn counts(ignored: &[Ignored]) -> Vec<(String, usize)> {
    ignored
        .iter()
        .map(|ignored| (ignored.what.clone(), ignored.count))
        .collect()
}
