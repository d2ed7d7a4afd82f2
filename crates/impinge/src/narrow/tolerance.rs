//! Tolerances that the feature walk and the polytope (EPA) of a pair of convex bodies must share.

/// Distance, relative to the magnitude of the coordinates, below which bodies count as touching.
/// The direction of a shorter vector is mostly rounding error, and the normal of an edge in 2D, or
/// of a facet of the Minkowski difference in 3D, is more accurate.
pub(super) const TOUCH: f64 = 1e-13;
