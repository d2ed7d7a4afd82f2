//! Dynamics of particles, rigid bodies and elastic solids, and the forces of their contacts. Units
//! are SI.
//!
//! `impinge` finds which bodies touch, where and how deep; this crate turns that into forces and
//! motion with explicit time steps. Every kind of matter implements [`Matter`], so the
//! [`World`](world::World) drives all of them through the same three calls. The crate reads and
//! writes no files: scenes, runs and checkpoints are in `impinge-run`.
//!
//! ```
//! use impinge_sim::Grain;
//! use impinge_sim::world::{WallDef, World, WorldOptions};
//! let mut world = World::new(WorldOptions::default())?;
//! world.add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))?;
//! world.add_particles(&[Grain { position: [0.0, 0.0, 0.02], radius: 1e-3, ..Grain::default() }])?;
//! let dt = 0.9 * world.stable_step();
//! for _ in 0..1000 {
//!     world.step(dt)?;
//! }
//! assert!(world.energy().kinetic > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collider;
pub mod law;
mod matter;
mod obstacle;
mod order_free;
mod particles;
mod path;
pub mod ranks;
pub mod rigid;
pub mod solid;
mod spread;
mod triangle_mesh;
pub mod world;

pub use collider::{Collider, Mobility, PointPenetration};
pub use matter::{BodyKind, BodyRef, ContactRecord, Energy, Matter, StepError};
pub use obstacle::{Obstacle, ObstacleState, Reaction};
pub use order_free::Superaccumulator;
pub use particles::{
    DEEP_OVERLAP, Deformation, Grain, Inlet, InletRate, InvalidParticles, OverlapPartner,
    ParticleOverlap, ParticleOverlaps, Particles, ParticlesState, Region, Setup, Traffic,
};
pub use path::{Path, PathState};
pub use spread::{Lognormal, Spread};
pub use triangle_mesh::{InvalidInside, TriangleMesh};
