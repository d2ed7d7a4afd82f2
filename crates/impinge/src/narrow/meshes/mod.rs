//! Queries on triangulated surfaces, with points and with each other, through a hierarchy of their
//! triangles.
//!
//! | question | answer by |
//! |---|---|
//! | nearest point of a surface, faces within a distance, first face along a segment | [`TriangleTree`] |
//! | do two surfaces touch, and at which faces | [`touches`], [`touches_again`], [`touching_faces`] |
//! | faces closer than a distance, between two surfaces or within one | [`near_faces`], [`self_near_faces`] |
//! | distance and closest points of two surfaces | [`distance`] |
//! | overlap volume of two bodies, penetration depth | [`overlap`], [`closest`] |
//! | connected parts of the overlap, with a half-space too | [`parts`], [`parts_below`] |
//!
//! All pair queries compute in the first surface's frame. The corners of the second surface are
//! transformed there and rounded once; exact results (which faces touch) are exact for the rounded
//! corners. Every list is sorted.

mod block;
#[cfg(test)]
mod depth_tests;
mod distance;
mod escape;
mod exit;
mod group;
mod hint;
mod inscribed;
mod lanes;
mod nearest;
mod overlap;
mod parts;
mod penetration;
mod sides;
mod tandem;
#[cfg(test)]
mod tests;
mod tree;
mod wide;

pub use distance::distance;
pub use hint::PairHint;
pub use nearest::{NearestPoint, SegmentHit};
pub use overlap::{MeshOverlap, overlap};
pub use parts::{Part, PartsStatus, PartsWork, parts, parts_below};
pub use penetration::closest;
pub use tandem::{
    near_faces, self_near_faces, self_touching_faces, touches, touches_again, touching_faces,
};
pub use tree::TriangleTree;
