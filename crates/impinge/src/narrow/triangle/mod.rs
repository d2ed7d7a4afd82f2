//! Two triangles, or a triangle and a point: do they touch, and where are they closest?
//!
//! [`touch`] is exact. [`closest`] and [`closest_on`] are closed formulas with the errors of some roundings.

mod closest;
mod touch;

pub(crate) use closest::closest_features;
pub use closest::{OnTriangle, Witness, closest, closest_on};
pub use touch::{segment_touches, touch};
