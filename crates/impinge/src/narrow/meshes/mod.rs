//! Surfaces against points and against each other, through a tree of their triangles.
//!
//! | question | answer by |
//! |---|---|
//! | the nearest point of a surface, faces within a distance, the first face along a segment | [`TriangleTree`] |
//! | do two surfaces touch, and with which faces | [`touches`], [`touches_again`], [`touching_faces`] |
//! | faces nearer to each other than a distance, of two surfaces or of one | [`near_faces`], [`self_near_faces`] |
//! | how far apart are they, and where | [`distance`] |
//! | how much of two bodies is in each other, and what parts them | [`overlap`], [`closest`] |
//!
//! All pair questions are answered in the first surface's frame: the second one's corners are taken there, rounded
//! once, and what is then exact (which faces touch) is exact for those. Every list is sorted.

mod block;
#[cfg(test)]
mod depth_tests;
mod distance;
mod escape;
mod exit;
mod inscribed;
mod lanes;
mod nearest;
mod overlap;
mod penetration;
mod tandem;
#[cfg(test)]
mod tests;
mod tree;
mod wide;

pub use distance::{PairHint, distance};
pub use nearest::{NearestPoint, SegmentHit};
pub use overlap::{MeshOverlap, overlap};
pub use penetration::closest;
pub use tandem::{
    near_faces, self_near_faces, self_touching_faces, touches, touches_again, touching_faces,
};
pub use tree::TriangleTree;
