//! A placed sphere.

use impinge::space::Point;

/// Centre and radius of a placed sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) centre: Point<3>,
    pub(super) radius: f64,
}
