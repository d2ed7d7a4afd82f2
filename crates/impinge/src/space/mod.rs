//! Points, vectors, poses, motions and boxes; exact orientation predicates.
//!
//! `f64` is the only scalar type, and the dimension `D` the only generic parameter used throughout
//! the library. Points and vectors are those of nalgebra: `point - point` is a vector, and plain
//! arrays convert with `.into()`.

mod aabb;
mod curve;
mod double;
mod exact;
mod motion;
mod orient;
mod pose;
mod random;
#[cfg(feature = "serde")]
mod serial;

pub use aabb::Aabb;
pub(crate) use curve::along_curve;
pub(crate) use double::Double;
pub(crate) use exact::{ExactSum, LongAccumulator};
pub use motion::{InvalidMotion, Motion};
pub use orient::{Sign, collinear, orient2, orient3};
pub use pose::{InvalidPose, Pose};
pub use random::Random;

/// A point in `D` dimensions. `Point::from([x, y, z])` converts a plain array.
pub type Point<const D: usize> = nalgebra::Point<f64, D>;

/// A direction or displacement in `D` dimensions.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// A `D`×`D` matrix.
pub type Matrix<const D: usize> = nalgebra::SMatrix<f64, D, D>;

/// Converts coordinates to points: arrays, or the types of other libraries (feature `mint`).
///
/// ```
/// use impinge::space::{Point, points};
/// let corners: Vec<Point<3>> = points(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
/// assert_eq!(corners[1].x, 1.0);
/// ```
pub fn points<const D: usize>(coordinates: &[impl Copy + Into<Point<D>>]) -> Vec<Point<D>> {
    coordinates.iter().map(|&point| point.into()).collect()
}

/// Converts coordinates in single precision to points, without rounding.
pub fn points_from_f32<const D: usize>(coordinates: &[[f32; D]]) -> Vec<Point<D>> {
    let exact = |point: &[f32; D]| Point::from(point.map(f64::from));
    coordinates.iter().map(exact).collect()
}

/// Largest coordinate that the library accepts. The exact predicates multiply up to three
/// coordinate differences (and squared distances two more); beyond this limit the products overflow
/// and signs are lost.
pub const LARGEST_COORDINATE: f64 = 1e60;

/// Returns whether every coordinate is finite and small enough for the exact predicates.
pub fn is_usable<const D: usize>(point: &Point<D>) -> bool {
    // NaN fails the comparison too.
    point.iter().all(|x| x.abs() <= LARGEST_COORDINATE)
}
