//! Dynamics of particles, rigid bodies and elastic solids, and the forces of their contacts. Units
//! are SI.
//!
//! `impinge` finds which bodies touch, where and how deep; this crate turns that into forces and
//! motion with explicit time steps. Every kind of matter implements [`Matter`], so the world drives
//! all of them through the same three calls.

pub mod checkpoint;
pub mod law;
mod matter;
mod obstacle;
pub mod output;
mod particles;
pub mod rigid;
pub mod run;
pub mod scene;
pub mod solid;
mod spread;
pub mod world;

pub use matter::{Energy, ForceLine, Matter, StepError};
pub use obstacle::{Obstacle, ObstacleState, Reaction};
pub use particles::{
    DEEP_OVERLAP, Grain, Inlet, InvalidParticles, OverlapPartner, ParticleOverlap,
    ParticleOverlaps, Particles, ParticlesState, Region, Setup,
};
pub use spread::{Lognormal, Spread};
