//! A sphere that has its place.

use impinge::space::Point;

/// A placed sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) centre: Point<3>,
    pub(super) radius: f64,
}
