//! Principal axes of small symmetric matrices, by Jacobi rotations.
//!
//! The matrices of the library are 2×2 and 3×3. The rotations keep the axes orthonormal to rounding
//! for any matrix: equal eigenvalues, zeros, 1e12:1. nalgebra's decomposition would put trait
//! bounds on D into every calling signature.

use crate::space::Matrix;

/// Entry, in units of the rounding of the diagonal, below which a rotation changes nothing.
const NEGLIGIBLE: f64 = 0.01;

/// Maximum number of sweeps. Convergence is quadratic; 3×3 matrices need five or six.
const SWEEPS: usize = 12;

/// Returns the eigenvectors as the columns of a rotation; the identity for a diagonal matrix.
pub(super) fn principal_axes<const D: usize>(mut matrix: Matrix<D>) -> Matrix<D> {
    let mut axes = Matrix::identity();
    for _ in 0..SWEEPS {
        for p in 0..D {
            for q in p + 1..D {
                if let Some((cos, sin)) = rotation(matrix[(p, p)], matrix[(q, q)], matrix[(p, q)]) {
                    turn_columns(&mut matrix, p, q, cos, sin);
                    matrix.transpose_mut();
                    turn_columns(&mut matrix, p, q, cos, sin);
                    turn_columns(&mut axes, p, q, cos, sin);
                }
            }
        }
    }

    axes
}

/// Cosine and sine of the smaller angle that zeroes the entry `off`; `None` if it is already
/// negligible.
fn rotation(first: f64, second: f64, off: f64) -> Option<(f64, f64)> {
    if off.abs() <= f64::EPSILON * NEGLIGIBLE * (first.abs() + second.abs()) {
        return None;
    }

    let theta = (second - first) / (2.0 * off);
    let tangent = 1f64.copysign(theta) / (theta.abs() + theta.hypot(1.0));
    let cos = 1.0 / tangent.hypot(1.0);
    Some((cos, tangent * cos))
}

fn turn_columns<const D: usize>(matrix: &mut Matrix<D>, p: usize, q: usize, cos: f64, sin: f64) {
    for row in 0..D {
        let (at_p, at_q) = (matrix[(row, p)], matrix[(row, q)]);
        matrix[(row, p)] = cos * at_p - sin * at_q;
        matrix[(row, q)] = sin * at_p + cos * at_q;
    }
}

#[cfg(test)]
mod tests;
