//! Narrow phase: closest points, penetration depths and contacts of candidate pairs.
//!
//! | question | answer by | cost |
//! |---|---|---|
//! | closest points or depth of two polygons | [`features2`] | O(1) when warm-started \[Schinner1997\] |
//! | closest points or depth of two polyhedra | [`features3`] | O(1) when warm-started |
//! | distance between any two convex bodies | [`gjk`] | about ten support evaluations \[Erleben2005\] |
//! | spheres and half-spaces | [`sphere`], [`half_space`] | closed formulas |
//! | capsules, cylinders and cones | [`round`] | closed formulas, or GJK and EPA on support points |
//! | a ball or a convex polyhedron against a surface | [`ball_surface`], [`convex_surface`] | O(log faces + faces nearby) |
//! | are two polyhedra still separated | [`separating_axis`] | two hill climbs when warm-started |
//! | overlap area or volume, mean normal | [`overlap2`], [`overlap3`], [`overlap_sphere`] | clipping |
//! | contact manifold of two facets in contact | [`patch`] | clipping |
//! | does a triangle intersect a tetrahedron | [`triangle_tetrahedron`] | face planes and edge crossings, exact |
//! | surface faces of deforming solids inside tetrahedra of others | [`solids`] | O(n) per step \[Erleben2005\] |
//! | do two triangles touch, and where are they closest | [`triangle`] | closed formulas, exact signs |
//! | intersecting triangles of surfaces | [`triangles::Triangles`] | O(n log n), exact |
//! | surfaces and points, surfaces and surfaces | [`meshes`] | triangle hierarchy (BVH) [Aragon2013, level 2] |
//! | closest-point projection on finite-element faces | [`projection`] | 0.1 to 0.7 µs per face \[Aragon2013\] |
//! | reference results for tests | [`brute2`], [`brute3`] | all pairs of features |
//!
//! A [`PairCache`] stores per-pair warm-start data between steps and follows the broad phase's list
//! of pairs.
//!
//! [`features2`] and [`features3`] return a [`Closest`]: a [`ContactPoint`] with lower and upper
//! bounds of the true gap.

pub mod ball_surface;
mod cache;
mod clip;
mod clipped_polyhedron;
mod contact;
pub mod convex_surface;
mod epa3;
mod minkowski3;
mod relative;
#[cfg(test)]
mod samples;
pub(crate) mod segment;
mod tolerance;

pub mod brute2;
pub mod brute3;
mod facet;
mod fan;
pub mod features2;
pub mod features3;
pub mod gjk;
pub mod half_space;
mod manifold;
pub mod meshes;
pub(crate) mod nodes;
pub mod overlap2;
pub mod overlap3;
pub mod overlap_sphere;
mod pair_contact;
pub mod patch;
mod penetration2;
mod penetration3;
pub(crate) mod places;
pub mod projection;
pub mod round;
pub mod separating_axis;
pub mod solids;
pub mod sphere;
mod surface_body;
pub mod triangle;
pub mod triangle_tetrahedron;
pub mod triangles;

pub use cache::PairCache;
pub use contact::{Closest, ClosestMethod, ContactPoint};
pub use manifold::{MOST_POINTS, Manifold};
pub use pair_contact::{Overlap, PairContact};
pub(crate) use relative::Relative;
pub use surface_body::SurfaceBody;
pub(crate) use surface_body::triangle_faces;
