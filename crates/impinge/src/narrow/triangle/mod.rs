//! Pairs of triangles: intersection and closest points.
//!
//! | question | answer by | |
//! |---|---|---|
//! | do two triangles, or a segment and a triangle, share a point | [`touch`], [`segment_touches`] | exact |
//! | closest points of triangles, or of one and a point | [`closest`], [`closest_on`] | closed formulas, rounded |

mod closest;
mod touch;

pub(crate) use closest::closest_features;
pub use closest::{OnTriangle, Witness, closest, closest_on};
pub(crate) use touch::touch_in_plane;
pub use touch::{segment_touches, touch};
