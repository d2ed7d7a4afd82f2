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

/// Like [`pose`], but makes rotations in single precision orthonormal. The last row is ignored.
pub(crate) fn nearly(matrix: &Table<'_>) -> PyResult<Pose<3>> {
    /// Largest error of a rotation that counts as rounding.
    const SINGLE: f64 = 1e-4;
    /// Error of a rotation that the library accepts.
    const DOUBLE: f64 = 1e-10;
    let rows = arrays::rows::<f64, 4>(matrix)?;
    let [a, b, c, _] = rows else {
        return Err(errors::value("transform must be (4,4)!"));
    };

    let mut rotation = Matrix::<3>::from_fn(|i, j| [a, b, c][i][j]);
    let error = rotation.transpose() * rotation - Matrix::<3>::identity();
    let is_within = |most: f64| error.iter().all(|entry| entry.abs() <= most);
    if !is_within(SINGLE) {
        let sentence = "the transform is not a rotation and a translation";
        return Err(errors::value(sentence));
    }
    if !is_within(DOUBLE) {
        // Newton's iteration for the nearest orthogonal matrix; the error is squared in each step.
        for _ in 0..3 {
            let inverse = rotation.try_inverse().unwrap_or(rotation.transpose());
            rotation = (rotation + inverse.transpose()) * 0.5;
        }
    }

    Pose::new(rotation, [a[3], b[3], c[3]]).map_err(errors::value)
}

/// Returns the rows of a pose as a 4 × 4 matrix.
pub(crate) fn rows(pose: &Pose<3>) -> [[f64; 4]; 4] {
    let (rotation, position) = (pose.rotation(), pose.position());
    std::array::from_fn(|i| match i {
        3 => [0.0, 0.0, 0.0, 1.0],
        _ => std::array::from_fn(|j| if j < 3 { rotation[(i, j)] } else { position[i] }),
    })
}

/// A pose in the plane: checks that a 3 × 3 matrix is a rotation and a translation. The identity where no
/// pose is given.
pub(crate) fn plane(matrix: Option<Table<'_>>) -> PyResult<Pose<2>> {
    let Some(matrix) = matrix else {
        return Ok(Pose::identity());
    };
    let [a, b, [0.0, 0.0, 1.0]] = arrays::rows::<f64, 3>(&matrix)? else {
        return Err(errors::value("the last row of a pose must be 0, 0, 1"));
    };
    let rotation = Matrix::<2>::new(a[0], a[1], b[0], b[1]);
    Pose::new(rotation, [a[2], b[2]]).map_err(errors::value)
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
