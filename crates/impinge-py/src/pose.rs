//! Poses and motions as Python passes them: 4 × 4 matrices and vectors of numbers.

use crate::arrays::{self, Table};
use crate::errors;
use impinge::space::{Matrix, Motion, Pose};
use pyo3::PyResult;

/// Checks that a 4 × 4 matrix is a rotation and a translation.
pub(crate) fn pose(matrix: &Table<'_>) -> PyResult<Pose<3>> {
    let rows = arrays::rows::<f64, 4>(matrix)?;
    let [a, b, c, last] = rows else {
        return Err(errors::value("a pose is a 4 x 4 matrix"));
    };
    from_rows(&[*a, *b, *c, *last])
}

/// Checks that the rows of a 4 × 4 matrix are a rotation and a translation.
pub(crate) fn from_rows(rows: &[[f64; 4]; 4]) -> PyResult<Pose<3>> {
    if rows[3] != [0.0, 0.0, 0.0, 1.0] {
        return Err(errors::value("the last row of a pose must be 0, 0, 0, 1"));
    }
    let rotation = Matrix::<3>::from_fn(|i, j| rows[i][j]);
    let position = [rows[0][3], rows[1][3], rows[2][3]];

    Pose::new(rotation, position).map_err(errors::value)
}

/// The identity where no pose is given.
pub(crate) fn optional(matrix: Option<Table<'_>>) -> PyResult<Pose<3>> {
    matrix.map_or_else(|| Ok(Pose::identity()), |matrix| pose(&matrix))
}

/// A pose at time zero, and velocity, acceleration and spin.
pub(crate) fn motion(matrix: &Table<'_>, rates: [[f64; 3]; 3]) -> PyResult<Motion<3>> {
    moving(pose(matrix)?, rates)
}

/// The motion from a pose with velocity, acceleration and spin.
pub(crate) fn moving(
    start: Pose<3>,
    [velocity, acceleration, spin]: [[f64; 3]; 3],
) -> PyResult<Motion<3>> {
    Motion::at_rest(start)
        .with_velocity(velocity)
        .with_acceleration(acceleration)
        .with_spin(spin)
        .checked()
        .map_err(errors::value)
}
