//! Generators of bodies for tests, studies and demonstrations.
//!
//! Every generator is reproducible: the same arguments give the same bytes. Generators with a seed
//! use only additions, multiplications, divisions and square roots, which every machine rounds
//! identically.

mod argument;
mod ball;
mod block;
mod brick;
mod cap;
mod convex;
mod foam;
mod marching;
mod motorcycle;
mod placed;
mod sphere;
mod spheres;
mod strut;
mod torus;
mod tube;
mod vee;

pub use argument::InvalidArgument;
pub use ball::ball;
pub use block::block;
pub use brick::{brick, wall};
pub use cap::cap;
pub use convex::{MOST_VERTICES, polygon, polyhedron};
pub use foam::{LARGEST_FOAM, SMALLEST_FOAM, foam};
pub use motorcycle::motorcycle;
pub use sphere::{FINEST_LEVEL, icosphere, sphere};
pub use spheres::{OverlapPolicy, Packing, SpheresOptions, spheres};
pub use torus::torus;
pub use tube::tube;
pub use vee::{Vee, vee};

#[cfg(test)]
mod test_support;
