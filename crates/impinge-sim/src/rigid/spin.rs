//! Rotation of a free rigid body, without drift.
//!
//! In the frame of the principal axes the energy Σ Lᵢ²/2Iᵢ is a sum of three parts, each of which
//! rotates the body about one axis, exactly. Composed as half x, half y, full z, half y, half x,
//! they form a symplectic, time-reversible step. It preserves |L| up to rounding and the energy
//! within O((ω dt)²) indefinitely (Dullweber, Leimkuhler and McLachlan 1997). Fast rotations are
//! divided into substeps of [`TURN`].
//!
//! The orientation is a unit quaternion, normalised in each step; only torques change the angular
//! momentum in the world.

use impinge::space::{Matrix, Vector};

/// Rotation per substep, rad: the energy then stays within about 1e-8.
const TURN: f64 = 1e-3;

/// Maximum substeps per time step; a body that rotates faster than 0.25 rad per step needs no more
/// digits.
const MOST_STEPS: f64 = 256.0;

/// A unit quaternion, x, y, z, w.
pub(super) type Quaternion = [f64; 4];

/// Returns the rotation by `b` followed by `a`.
pub(super) fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    let (u, v) = (
        Vector::<3>::new(a[0], a[1], a[2]),
        Vector::<3>::new(b[0], b[1], b[2]),
    );
    let xyz = v * a[3] + u * b[3] + u.cross(&v);
    [xyz.x, xyz.y, xyz.z, a[3] * b[3] - u.dot(&v)]
}

/// Returns the normalised quaternion; `None` if it is zero or not finite.
pub(super) fn normalised(q: &Quaternion) -> Option<Quaternion> {
    let largest = q.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    // Scaled first: the squares of 1e-200 would underflow.
    let scaled = q.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = scaled.map(|x| x / length);
    unit.iter().all(|x| x.is_finite()).then_some(unit)
}

/// Returns the rotation matrix of a unit quaternion.
pub(super) fn matrix(q: &Quaternion) -> Matrix<3> {
    let [x, y, z, w] = *q;
    Matrix::<3>::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

/// Returns the unit quaternion of a rotation matrix (Shepperd 1978: by the largest of its four
/// components, to avoid cancellation).
pub(super) fn of_matrix(m: &Matrix<3>) -> Quaternion {
    let squares = [
        1.0 + m[(0, 0)] - m[(1, 1)] - m[(2, 2)],
        1.0 - m[(0, 0)] + m[(1, 1)] - m[(2, 2)],
        1.0 - m[(0, 0)] - m[(1, 1)] + m[(2, 2)],
        1.0 + m.trace(),
    ];
    let largest = (0..4).fold(
        0,
        |best, k| if squares[k] > squares[best] { k } else { best },
    );
    let sums = |i: usize, j: usize| m[(i, j)] + m[(j, i)];

    let differences = [
        m[(2, 1)] - m[(1, 2)],
        m[(0, 2)] - m[(2, 0)],
        m[(1, 0)] - m[(0, 1)],
    ];
    let q = match largest {
        0 => [squares[0], sums(0, 1), sums(0, 2), differences[0]],
        1 => [sums(0, 1), squares[1], sums(1, 2), differences[1]],
        2 => [sums(0, 2), sums(1, 2), squares[2], differences[2]],
        _ => [differences[0], differences[1], differences[2], squares[3]],
    };

    normalised(&q).unwrap_or([0.0, 0.0, 0.0, 1.0])
}

/// Returns the angular velocity of a body with this orientation of its principal axes, moments
/// about them and angular momentum.
pub(super) fn rate(q: &Quaternion, moments: &Vector<3>, momentum: &Vector<3>) -> Vector<3> {
    let turned = matrix(q);
    turned * turned.tr_mul(momentum).component_div(moments)
}

/// Returns the orientation after a free rotation. The angular momentum in the world is unchanged.
pub(super) fn turned(
    q: &Quaternion,
    moments: &Vector<3>,
    momentum: &Vector<3>,
    dt: f64,
) -> Quaternion {
    let mut local: Vector<3> = matrix(q).tr_mul(momentum);
    let fastest = local.component_div(moments).amax();
    if fastest == 0.0 {
        return *q;
    }

    let steps = (fastest * dt.abs() / TURN).ceil().clamp(1.0, MOST_STEPS);
    let step = dt / steps;
    let mut q = *q;

    for _ in 0..steps as usize {
        for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = local[axis] / moments[axis] * (share * step);
            q = about(&q, axis, angle);
            local = seen_turned(&local, axis, angle);
        }
    }

    normalised(&q).unwrap_or(q)
}

/// Returns the orientation after a rotation about one of the body's own axes.
fn about(q: &Quaternion, axis: usize, angle: f64) -> Quaternion {
    let (sin, cos) = (0.5 * angle).sin_cos();
    let mut by = [0.0, 0.0, 0.0, cos];
    by[axis] = sin;
    product(q, &by)
}

/// Returns a vector as seen from a frame rotated about one of its axes.
fn seen_turned(v: &Vector<3>, axis: usize, angle: f64) -> Vector<3> {
    let (sin, cos) = angle.sin_cos();
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut seen = *v;
    seen[j] = cos * v[j] + sin * v[k];
    seen[k] = cos * v[k] - sin * v[j];
    seen
}

#[cfg(test)]
mod tests;
