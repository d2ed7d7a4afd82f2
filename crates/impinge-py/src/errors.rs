//! The library's errors as Python exceptions.

use impinge::shape::{Item, Problem};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::fmt::Display;

static MESH_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static FILE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A `ValueError` with the library's message.
pub(crate) fn value(sentence: impl Display) -> PyErr {
    PyValueError::new_err(sentence.to_string())
}

/// An `impinge.MeshError` with the problem's kind, first item and count.
pub(crate) fn mesh(py: Python<'_>, problem: &Problem) -> PyErr {
    let (item, first) = match problem.first {
        Item::Whole => ("whole", vec![]),
        Item::Point(i) => ("point", vec![i]),
        Item::Edge { nodes: [a, b], .. } => ("edge", vec![a as usize, b as usize]),
        Item::Triangle(i) => ("triangle", vec![i]),
        Item::Face(i) => ("face", vec![i]),
        Item::Tetrahedron(i) => ("tetrahedron", vec![i]),
        Item::Cell(i) => ("element", vec![i]),
        Item::Side { cell, side } => ("side", vec![cell, side]),
        Item::Body(i) => ("body", vec![i]),
        _ => ("item", vec![]),
    };
    let arguments = (
        problem.to_string(),
        problem.kind.name(),
        item,
        first,
        problem.count,
    );

    raise(py, &MESH_ERROR, "MeshError", arguments)
}

/// A file error: an `OSError` if the operating system reported it, otherwise an `impinge.FileError`.
pub(crate) fn file(py: Python<'_>, error: &impinge_io::Error) -> PyErr {
    if let impinge_io::Error::System { path, reason } = error {
        let path = path.display().to_string();
        return match reason.raw_os_error() {
            // With number and name, Python chooses the class, such as FileNotFoundError.
            Some(code) => PyOSError::new_err((code, reason.to_string(), path)),
            None => PyOSError::new_err(error.to_string()),
        };
    }
    raise(py, &FILE_ERROR, "FileError", (error.to_string(),))
}

fn raise<'py>(
    py: Python<'py>,
    class: &'static PyOnceLock<Py<PyType>>,
    name: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let exception = class
        .import(py, "impinge._errors", name)
        .and_then(|class| class.call1(arguments));
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Turns a failed check of a shape into an exception.
pub(crate) trait Checked<T> {
    fn checked(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> Checked<T> for Result<T, Problem> {
    fn checked(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|problem| mesh(py, &problem))
    }
}
