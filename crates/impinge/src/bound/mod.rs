//! What encloses bodies: ball, axis-aligned box, oriented box, k-DOP [Aragon2013, sections 2 and 3.2].
//!
//! A bound promises one thing: *if two sets of points share a place, their bounds overlap*. Sets are closed, and the
//! places may lie between the points (on the triangles that they span), so every bound is rounded outward where it is
//! built and tested with a slack where it is compared; each file says how much. A bound may call apart bodies near;
//! it never calls touching bodies apart. Points must be finite, as those of all shapes are.
//!
//! An exclusion test takes, measured in a loop over bounds in the nearest cache without wider vectors than the
//! baseline's: box 1.0 ns, ball 1.1 ns, 14-DOP 2.6 ns, 18-DOP 3.4 ns, 26-DOP 5.4 ns, oriented box 18 ns.

mod aabb;
mod ball;
mod directions;
mod eigen;
mod kdop;
mod obb;
mod polytope;
mod smallest;
#[cfg(test)]
mod tests;

pub use ball::Ball;
pub use kdop::{Dop8, Dop14, Dop18, Dop26, Kdop};
pub use obb::Obb;

use crate::space::Point;

/// A closed set that encloses points, cheap to compare with others of its kind.
///
/// ```
/// use impinge::{bound::{Bound, Dop8}, space::Point};
/// let slope = Dop8::of(&[[0.0, 0.0], [4.0, 4.0]].map(Point::from));
/// let corner = Dop8::of(&[[3.0, 0.0], [4.0, 1.0]].map(Point::from));
/// assert!(!slope.overlaps(&corner), "the boxes overlap, the 8-DOPs do not");
/// assert!(slope.merged(&corner).contains(&[3.0, 0.0].into()));
/// ```
pub trait Bound<const D: usize>: Copy + PartialEq + std::fmt::Debug + Send + Sync {
    /// Encloses nothing: it overlaps nothing, and merging with it changes nothing.
    const EMPTY: Self;

    /// A tight bound of the points; [`Bound::EMPTY`] for none.
    fn of(points: &[Point<D>]) -> Self;

    /// Encloses points that have moved, cheaper than [`Bound::of`] and perhaps looser: what was chosen for the former
    /// points (an oriented box's axes) is kept where that still encloses.
    fn refit(&mut self, points: &[Point<D>]);

    /// Encloses both.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// The exclusion test: false only if the two share no place. Branch-free, but for oriented boxes.
    fn overlaps(&self, other: &Self) -> bool;

    /// Whether it holds the point; never false for a point that it was built of.
    fn contains(&self, point: &Point<D>) -> bool;

    /// Volume; area in two dimensions. Zero for an empty one.
    fn volume(&self) -> f64;

    /// Whether it encloses nothing.
    fn is_empty(&self) -> bool;
}
