//! Triangles: intersection and closest points of pairs, and intersecting triangles of surfaces.
//!
//! | question | answer by | |
//! |---|---|---|
//! | do two triangles, or a segment and a triangle, share a point | [`touch`], [`segment_touches`] | exact |
//! | closest points of triangles, or of one and a point | [`closest`], [`closest_on`] | closed formulas, rounded |
//! | all intersecting pairs of triangles of surfaces | [`Triangles`] | exact, O(n log n + pairs) |

mod closest;
mod surfaces;
mod touch;

pub(crate) use closest::closest_features;
pub use closest::{OnTriangle, Witness, closest, closest_on};
pub use surfaces::Triangles;
pub(crate) use touch::touch_in_plane;
pub use touch::{segment_touches, touch};
