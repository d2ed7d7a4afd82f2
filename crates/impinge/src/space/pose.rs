//! Pose of a rigid body: a rotation and a position.

use super::{Matrix, Point, Vector, is_usable};
use thiserror::Error;

/// Tolerance for the orthonormality of a given rotation matrix; a rotation multiplied a million
/// times in f64 stays well within, a sheared or scaled one does not.
const ORTHONORMAL: f64 = 1e-9;

/// Reason why a pose was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidPose {
    /// A coordinate or rotation entry is NaN or infinite.
    #[error("the pose has a component that is not finite")]
    NotFinite,
    /// The position is beyond the range of the exact predicates.
    #[error("the pose's position exceeds 1e60 on an axis, the largest supported coordinate")]
    TooFar,
    /// The quaternion cannot be normalised.
    #[error("the rotation quaternion is zero")]
    ZeroQuaternion,
    /// The matrix is not a rotation.
    #[error(
        "the rotation matrix is sheared, scaled or mirrored; a pose needs orthonormal columns and determinant 1"
    )]
    NotARotation,
}

/// Transform from a body's local frame to the world: x ↦ R·x + p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<const D: usize> {
    rotation: Matrix<D>,
    position: Vector<D>,
}

impl<const D: usize> Pose<D> {
    /// The identity transform.
    pub fn identity() -> Self {
        Self {
            rotation: Matrix::identity(),
            position: Vector::zeros(),
        }
    }

    /// A translation without rotation. It is not checked here but where it is used; see
    /// [`Pose::is_usable`] for what scenes accept.
    pub fn at(position: impl Into<Point<D>>) -> Self {
        Self {
            rotation: Matrix::identity(),
            position: position.into().coords,
        }
    }

    /// Creates a pose from a rotation matrix, which is checked, and a position.
    pub fn new(rotation: Matrix<D>, position: impl Into<Point<D>>) -> Result<Self, InvalidPose> {
        let pose = Self {
            rotation,
            position: position.into().coords,
        };

        if !pose.is_finite() {
            return Err(InvalidPose::NotFinite);
        }

        if !pose.is_usable() {
            return Err(InvalidPose::TooFar);
        }

        let error = (rotation.transpose() * rotation - Matrix::identity()).amax();
        if error > ORTHONORMAL || signed_unit_volume(&rotation) < 0.0 {
            return Err(InvalidPose::NotARotation);
        }

        Ok(pose)
    }

    /// Creates a pose from a matrix that the caller guarantees to be a rotation, e.g. a product of
    /// rotations.
    pub(crate) fn from_rotation(rotation: Matrix<D>, position: Vector<D>) -> Self {
        Self { rotation, position }
    }

    /// The rotation matrix.
    pub fn rotation(&self) -> &Matrix<D> {
        &self.rotation
    }

    /// The position of the body's origin.
    pub fn position(&self) -> Point<D> {
        Point::from(self.position)
    }

    /// Transforms a point of the body to the world.
    #[inline]
    pub fn point(&self, local: &Point<D>) -> Point<D> {
        Point::from(self.rotation * local.coords + self.position)
    }

    /// Transforms a direction of the body to the world.
    #[inline]
    pub fn vector(&self, local: &Vector<D>) -> Vector<D> {
        self.rotation * local
    }

    /// Transforms a point of the world to the body's frame.
    #[inline]
    pub fn to_local(&self, world: &Point<D>) -> Point<D> {
        Point::from(self.rotation.tr_mul(&(world.coords - self.position)))
    }

    /// Transforms a direction of the world to the body's frame.
    #[inline]
    pub fn vector_to_local(&self, world: &Vector<D>) -> Vector<D> {
        self.rotation.tr_mul(world)
    }

    /// Composes two poses: first `inner`, then `self`.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            position: self.rotation * inner.position + self.position,
        }
    }

    /// The inverse transform.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            rotation: self.rotation.transpose(),
            position: -self.rotation.tr_mul(&self.position),
        }
    }

    /// Returns whether all numbers are finite, and the position within
    /// [`LARGEST_COORDINATE`](super::LARGEST_COORDINATE): beyond it distances overflow and signs
    /// are lost.
    pub fn is_usable(&self) -> bool {
        self.is_finite() && is_usable(&self.position())
    }

    /// Returns whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.rotation
            .iter()
            .chain(self.position.iter())
            .all(|x| x.is_finite())
    }
}

impl Pose<2> {
    /// Creates a pose from a rotation by `angle` (radians, counter-clockwise) and a position.
    pub fn from_angle(angle: f64, position: impl Into<Point<2>>) -> Result<Self, InvalidPose> {
        let (sin, cos) = angle.sin_cos();
        Self::new(Matrix::<2>::new(cos, -sin, sin, cos), position)
    }
}

impl Pose<3> {
    /// Creates a pose from a quaternion x, y, z, w and a position. The quaternion is normalised;
    /// zero is rejected.
    ///
    /// ```
    /// use impinge::space::{Point, Pose};
    /// let quarter_turn = Pose::from_quaternion([0.0, 0.0, 3.0, 3.0], [1.0, 0.0, 0.0])?;
    /// let p = quarter_turn.point(&Point::from([1.0, 0.0, 0.0]));
    /// assert!((p - Point::from([1.0, 1.0, 0.0])).norm() < 1e-15);
    /// # Ok::<(), impinge::space::InvalidPose>(())
    /// ```
    pub fn from_quaternion(
        xyzw: [f64; 4],
        position: impl Into<Point<3>>,
    ) -> Result<Self, InvalidPose> {
        let largest = xyzw.iter().fold(0.0f64, |m, q| m.max(q.abs()));
        if !xyzw.iter().all(|q| q.is_finite()) {
            return Err(InvalidPose::NotFinite);
        }

        if largest == 0.0 {
            return Err(InvalidPose::ZeroQuaternion);
        }

        // Scaled by the largest entry first: the squares of 1e-200 or 1e200 would underflow or
        // overflow.
        let [x, y, z, w] = xyzw.map(|q| q / largest);
        let unit = nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
        Self::new(unit.to_rotation_matrix().into_inner(), position)
    }
}

/// The determinant for 2×2 and 3×3 matrices, the signed volume spanned by the columns; 1 for other
/// dimensions, where only orthonormality is checked.
fn signed_unit_volume<const D: usize>(m: &Matrix<D>) -> f64 {
    match D {
        2 => m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)],
        3 => {
            m[(0, 0)] * (m[(1, 1)] * m[(2, 2)] - m[(1, 2)] * m[(2, 1)])
                - m[(0, 1)] * (m[(1, 0)] * m[(2, 2)] - m[(1, 2)] * m[(2, 0)])
                + m[(0, 2)] * (m[(1, 0)] * m[(2, 1)] - m[(1, 1)] * m[(2, 0)])
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests;
