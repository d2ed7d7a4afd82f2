//! Motion of a rigid body: a ballistic path of its origin and a constant spin about it.

use super::{Matrix, Point, Pose, Vector};
use thiserror::Error;

/// Reason why a motion was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the motion's {0}")]
#[non_exhaustive]
pub struct InvalidMotion(pub &'static str);

/// Position, velocity, acceleration and spin at time zero. The body's origin moves along
///     x(t) = x + v t + ½ a t²                                       [Aragon2013, section 3.1]
/// while the body rotates about that origin at a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<const D: usize> {
    /// Pose at time zero.
    pub pose: Pose<D>,
    /// Velocity of the origin at time zero, m/s.
    pub velocity: Vector<D>,
    /// Constant acceleration of the origin, m/s².
    pub acceleration: Vector<D>,
    /// Angular velocity Ω as a skew-symmetric matrix, rad/s: a point at r from the origin moves
    /// with Ω·r.
    spin: Matrix<D>,
}

impl<const D: usize> Motion<D> {
    /// A body at rest.
    pub fn at_rest(pose: Pose<D>) -> Self {
        Self {
            pose,
            velocity: Vector::zeros(),
            acceleration: Vector::zeros(),
            spin: Matrix::zeros(),
        }
    }

    /// Returns the motion with another velocity.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vector<D>>) -> Self {
        Self {
            velocity: velocity.into(),
            ..self
        }
    }

    /// Returns the motion with another constant acceleration.
    #[must_use]
    pub fn with_acceleration(self, acceleration: impl Into<Vector<D>>) -> Self {
        Self {
            acceleration: acceleration.into(),
            ..self
        }
    }

    /// Returns the motion if all its numbers are finite and its pose is usable.
    pub fn checked(self) -> Result<Self, InvalidMotion> {
        let finite = |ok: bool, what| if ok { Ok(()) } else { Err(InvalidMotion(what)) };
        let is_finite = |vector: &Vector<D>| vector.iter().all(|x| x.is_finite());
        finite(self.pose.is_finite(), "pose is not finite")?;
        finite(self.pose.is_usable(), "position is beyond 1e60")?;
        finite(is_finite(&self.velocity), "velocity is not finite")?;
        finite(is_finite(&self.acceleration), "acceleration is not finite")?;
        let spins = self.spin.iter().all(|x| x.is_finite());
        finite(spins, "spin is not finite")?;

        Ok(self)
    }

    /// The skew-symmetric matrix Ω of the angular velocity.
    pub fn spin(&self) -> &Matrix<D> {
        &self.spin
    }

    /// Rotation rate in rad/s, regardless of the axis.
    pub fn spin_rate(&self) -> f64 {
        // ½‖Ω‖² is ω² in 2D and |ω|² in 3D.
        self.spin.norm() * std::f64::consts::FRAC_1_SQRT_2
    }

    /// The position of the origin at time `t`.
    pub fn position(&self, t: f64) -> Point<D> {
        self.pose.position() + self.velocity * t + self.acceleration * (0.5 * t * t)
    }

    /// The pose at time `t`.
    ///
    /// ```
    /// use impinge::space::{Motion, Point, Pose};
    /// let thrown = Motion::at_rest(Pose::at([0.0, 0.0])).with_velocity([1.0, 5.0]).with_acceleration([0.0, -10.0]);
    /// assert_eq!(thrown.pose_at(1.0).position(), Point::from([1.0, 0.0]));
    /// ```
    pub fn pose_at(&self, t: f64) -> Pose<D> {
        let rotation = exp_skew(&(self.spin * t)) * self.pose.rotation();
        Pose::from_rotation(rotation, self.position(t).coords)
    }
}

impl Motion<2> {
    /// Returns the motion with a spin of `omega` rad/s, counter-clockwise.
    #[must_use]
    pub fn with_spin(self, omega: f64) -> Self {
        Self {
            spin: Matrix::<2>::new(0.0, -omega, omega, 0.0),
            ..self
        }
    }
}

impl Motion<3> {
    /// Returns the motion with a spin about the axis `omega` at |omega| rad/s.
    #[must_use]
    pub fn with_spin(self, omega: impl Into<Vector<3>>) -> Self {
        Self {
            spin: omega.into().cross_matrix(),
            ..self
        }
    }
}

/// exp(S) = I + sin θ/θ S + (1 − cos θ)/θ² S², Rodrigues' formula. It requires S³ = −θ² S, which
/// skew-symmetric matrices satisfy in 2D and 3D.
fn exp_skew<const D: usize>(s: &Matrix<D>) -> Matrix<D> {
    let theta = s.norm() * std::f64::consts::FRAC_1_SQRT_2;
    if theta == 0.0 {
        return Matrix::identity();
    }

    let half = 0.5 * theta;
    let sinc_half = half.sin() / half;
    Matrix::identity() + s * (theta.sin() / theta) + s * s * (0.5 * sinc_half * sinc_half)
}

#[cfg(test)]
mod tests;
