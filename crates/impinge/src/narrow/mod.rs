//! Who touches, where, how deep: pairs of shapes in, contacts out.
//!
//! | question | answer by | cost |
//! |---|---|---|
//! | closest points or depth of two polygons | [`features2`] | constant with kept features \[Schinner1997\] |
//! | the same of two polyhedra | [`features3`] | constant with kept features |
//! | distance of any two convex bodies | [`gjk`] | some ten supports \[Erleben2005\] |
//! | spheres and half-spaces | [`sphere`], [`half_space`] | closed formulas |
//! | area or volume in common, mean normal | [`overlap2`], [`overlap3`], [`overlap_sphere`] | clipping |
//! | all corners of facets that lie on each other | [`patch`] | clipping |
//! | does a triangle meet a tetrahedron | [`triangle_tetrahedron`] | face planes and edge crossings, exact |
//! | faces of deforming solids in their tetrahedra | [`solids`] | O(n) for a step \[Erleben2005\] |
//! | do two triangles touch, and where are they closest | [`triangle`] | closed formulas, exact signs |
//! | triangles of surfaces that meet | [`triangle::Triangles`] | O(n log n), exact |
//! | surfaces and points, surfaces and surfaces | [`meshes`] | a tree of triangles [Aragon2013, level 2] |
//! | closest points of finite-element faces, contact of meshes | [`projection`] | 0.1 to 0.7 µs a face \[Aragon2013\] |
//! | the oracles | [`brute2`], [`brute3`] | all pairs of features |
//!
//! What a pair keeps from step to step lives in a [`PairCache`], which follows the broad phase's list of pairs.
//!
//! Every answer of the first two is a [`Closest`]: a [`ContactPoint`] with bounds that hold the true gap between them.

mod cache;
mod clip;
mod clipped_polyhedron;
mod contact;
mod epa3;
mod minkowski3;
mod relative;
#[cfg(test)]
mod samples;
pub(crate) mod segment;

pub mod brute2;
pub mod brute3;
mod facet;
pub mod features2;
pub mod features3;
pub mod gjk;
pub mod half_space;
pub mod meshes;
pub mod overlap2;
pub mod overlap3;
pub mod overlap_sphere;
pub mod patch;
mod penetration2;
mod penetration3;
pub mod projection;
pub mod solids;
pub mod sphere;
pub mod triangle;
pub mod triangle_tetrahedron;

pub use cache::PairCache;
pub use contact::{Closest, ClosestMethod, ContactPoint};
pub(crate) use relative::Relative;
