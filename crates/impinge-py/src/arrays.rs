//! Conversion between numpy arrays and the library's points and indices.

use crate::errors;
use impinge::shape::{Item, Problem, ProblemKind};
use impinge::space::{Point, is_usable};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// A contiguous table of coordinates, as the Python layer passes it.
pub(crate) type Table<'py> = PyReadonlyArray2<'py, f64>;

/// A contiguous table of node numbers.
pub(crate) type Indices<'py> = PyReadonlyArray2<'py, i64>;

/// Returns the rows of a contiguous array, without copying.
pub(crate) fn rows<'a, T: Element, const N: usize>(
    array: &'a PyReadonlyArray2<'_, T>,
) -> PyResult<&'a [[T; N]]> {
    let columns = array.shape()[1];
    if columns != N {
        return Err(errors::value(format!(
            "{columns} columns, but {N} are needed"
        )));
    }
    Ok(array.as_slice()?.as_chunks().0)
}

/// Returns rows as points, without copying.
pub(crate) fn points<const D: usize>(rows: &[[f64; D]]) -> &[Point<D>] {
    bytemuck::cast_slice(rows.as_flattened())
}

/// Copies an array to points that the library can use: finite and at most 1e60.
pub(crate) fn usable_points<const D: usize>(
    py: Python<'_>,
    array: &Table<'_>,
) -> PyResult<Vec<Point<D>>> {
    let points = points(rows::<f64, D>(array)?);
    let bad = points.iter().enumerate().filter(|(_, p)| !is_usable(p));
    match Problem::of(ProblemKind::NotFinite, bad.map(|(i, _)| Item::Point(i))) {
        None => Ok(points.to_vec()),
        Some(problem) => Err(errors::mesh(py, &problem)),
    }
}

/// Fails with the first row that has a NaN or an infinity.
pub(crate) fn check_finite<const D: usize>(rows: &[[f64; D]]) -> PyResult<()> {
    let bad = |row: &[f64; D]| row.iter().any(|x| !x.is_finite());
    match rows.iter().position(bad) {
        None => Ok(()),
        Some(row) => Err(errors::value(format!(
            "point {row} has a coordinate that is NaN or infinite"
        ))),
    }
}

/// Fails with the first row beyond the range of the exact predicates.
pub(crate) fn check_usable<const D: usize>(rows: &[[f64; D]]) -> PyResult<()> {
    match points(rows).iter().position(|point| !is_usable(point)) {
        None => Ok(()),
        Some(row) => Err(errors::value(format!(
            "point {row} has a coordinate that is NaN, infinite or larger than 1e60"
        ))),
    }
}

/// Converts node numbers to the library's type. Fails with the first row that names a node at or
/// beyond `count`.
pub(crate) fn nodes(
    py: Python<'_>,
    array: &Indices<'_>,
    count: usize,
    item: fn(usize) -> Item,
) -> PyResult<Vec<u32>> {
    let (numbers, columns) = (array.as_slice()?, array.shape()[1].max(1));
    let count = count.min(u32::MAX as usize) as i64;
    let is_bad = |row: &&[i64]| row.iter().any(|n| !(0..count).contains(n));
    let bad = numbers
        .chunks(columns)
        .enumerate()
        .filter(|(_, row)| is_bad(row));

    match Problem::of(ProblemKind::IndexOutOfRange, bad.map(|(i, _)| item(i))) {
        None => Ok(numbers.iter().map(|&n| n as u32).collect()),
        Some(problem) => Err(errors::mesh(py, &problem)),
    }
}

/// Like [`nodes`], as rows of fixed length.
pub(crate) fn elements<const N: usize>(
    py: Python<'_>,
    array: &Indices<'_>,
    count: usize,
    item: fn(usize) -> Item,
) -> PyResult<Vec<[u32; N]>> {
    rows::<i64, N>(array)?;
    Ok(nodes(py, array, count, item)?.as_chunks().0.to_vec())
}

/// Moves a list to numpy, without copying.
pub(crate) fn list<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, values)
}

/// Moves a list of rows to numpy, without copying.
pub(crate) fn table<T: Element, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let shape = [rows.len(), N];
    list(py, rows.into_flattened()).reshape(shape)
}

/// Converts node numbers to a numpy array of 64-bit integers, `columns` per row.
pub(crate) fn node_table<'py>(
    py: Python<'py>,
    nodes: &[u32],
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let values: Vec<i64> = nodes.iter().map(|&n| i64::from(n)).collect();
    list(py, values).reshape([nodes.len() / columns, columns])
}

/// Widens node numbers to the integer type of numpy indices.
pub(crate) fn numbers(py: Python<'_>, of: impl Iterator<Item = u32>) -> Bound<'_, PyArray1<i64>> {
    list(py, of.map(i64::from).collect())
}
