//! The command `impinge`, for the wheel's console script.

use crate::errors;
use pyo3::prelude::*;

/// Runs the command with these arguments and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> PyResult<u8> {
    if arguments.is_empty() {
        return Err(errors::value("the first argument is the program's name"));
    }
    Ok(py.detach(|| impinge_cli::main_with(arguments)))
}
