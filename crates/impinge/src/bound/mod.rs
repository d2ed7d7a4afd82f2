//! Bounding volumes: ball, axis-aligned box, oriented box, k-DOP [Aragon2013, sections 2 and 3.2].
//!
//! A bound guarantees one thing: *if two sets share a point, their bounds overlap*. Sets are
//! closed, and the shared point may lie between the given points (on the triangles that they span).
//! Every bound is therefore rounded outward when it is built and tested with a slack when it is
//! compared; each file states how much. Bounds of separate bodies may overlap; bounds of touching
//! bodies always do. Points must be finite, as those of all shapes are.
//!
//! Cost of an overlap test, measured in a loop over bounds in the L1 cache with vectors no wider
//! than the baseline's: box 1.0 ns, ball 1.1 ns, 14-DOP 2.6 ns, 18-DOP 3.4 ns, 26-DOP 5.4 ns,
//! oriented box 18 ns.

mod aabb;
mod ball;
mod directions;
mod eigen;
mod kdop;
mod obb;
mod placed;
mod polytope;
mod smallest;

pub use ball::Ball;
pub use kdop::{Dop8, Dop14, Dop18, Dop26, Kdop};
pub use obb::Obb;
pub(crate) use placed::{around, ball_around, round_around, turned};

use crate::space::Point;

/// A bounding volume: a closed set that encloses points and is cheap to compare with others of its
/// kind.
///
/// ```
/// use impinge::{bound::{Bound, Dop8}, space::Point};
/// let slope = Dop8::of(&[[0.0, 0.0], [4.0, 4.0]].map(Point::from));
/// let corner = Dop8::of(&[[3.0, 0.0], [4.0, 1.0]].map(Point::from));
/// assert!(!slope.overlaps(&corner), "the boxes overlap, the 8-DOPs do not");
/// assert!(slope.merged(&corner).contains(&[3.0, 0.0].into()));
/// ```
pub trait Bound<const D: usize>: Copy + PartialEq + std::fmt::Debug + Send + Sync {
    /// The empty bound: it overlaps nothing, and merging with it changes nothing.
    const EMPTY: Self;

    /// Returns a tight bound of the points; [`Bound::EMPTY`] if there are none.
    fn of(points: &[Point<D>]) -> Self;

    /// Refits the bound to points that have moved. This is cheaper than [`Bound::of`] and may be
    /// looser: choices made for the previous points, such as the axes of an oriented box, are kept.
    fn refit(&mut self, points: &[Point<D>]);

    /// Returns a bound that encloses both.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// Returns whether the bounds overlap; false only if the enclosed sets share no point.
    /// Branch-free, except for oriented boxes.
    fn overlaps(&self, other: &Self) -> bool;

    /// Returns whether the bound contains the point; never false for a point it was built from.
    fn contains(&self, point: &Point<D>) -> bool;

    /// Volume; area in 2D. Zero if empty.
    fn volume(&self) -> f64;

    /// Returns whether the bound is empty.
    fn is_empty(&self) -> bool;
}
