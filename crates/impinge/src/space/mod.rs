//! Points, vectors, poses, motions, boxes; exact orientation predicates.
//!
//! `f64` is the only scalar and the dimension `D` the only generic that runs through the library. Points and
//! vectors are nalgebra's, so that `point - point` is a vector and plain arrays convert with `.into()`.

mod aabb;
mod double;
mod exact;
mod motion;
mod orient;
mod pose;
mod random;

pub use aabb::Aabb;
pub(crate) use double::Double;
pub(crate) use exact::{ExactSum, LongAccumulator};
pub use motion::{InvalidMotion, Motion};
pub use orient::{Sign, collinear, orient2, orient3};
pub use pose::{InvalidPose, Pose};
pub use random::Random;

/// A place in `D` dimensions. `Point::from([x, y, z])` makes one of a plain array.
pub type Point<const D: usize> = nalgebra::Point<f64, D>;

/// A direction or displacement in `D` dimensions.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// A `D`×`D` matrix.
pub type Matrix<const D: usize> = nalgebra::SMatrix<f64, D, D>;

/// Largest coordinate that the library accepts. The exact predicates multiply up to three coordinate differences
/// (and squares of distances two more); beyond this the products overflow and signs would be lost.
pub const LARGEST_COORDINATE: f64 = 1e60;

/// Whether every coordinate is finite and small enough for the exact predicates.
pub fn is_usable<const D: usize>(point: &Point<D>) -> bool {
    // NaN fails the comparison too.
    point.iter().all(|x| x.abs() <= LARGEST_COORDINATE)
}
