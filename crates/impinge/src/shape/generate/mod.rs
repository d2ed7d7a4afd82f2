//! Bodies made to measure, for tests, studies and demonstrations.
//!
//! Every generator is reproducible: the same arguments give the same bytes. Where an argument is a seed, only
//! additions, multiplications, divisions and square roots are used, which every machine rounds alike.

mod argument;
mod block;
mod brick;
mod foam;
mod marching;
mod sphere;
mod strut;

pub use argument::InvalidArgument;
pub use block::block;
pub use brick::{brick, wall};
pub use foam::{LARGEST_FOAM, SMALLEST_FOAM, foam};
pub use sphere::{FINEST_LEVEL, icosphere, sphere};

#[cfg(test)]
mod test_support;
