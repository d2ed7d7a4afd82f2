//! What moves bodies: particles, rigid bodies and elastic solids, and the forces of their contacts. Units are SI.
//!
//! `impinge` says who touches whom, where and how deep; this crate turns that into forces and motion, one explicit step
//! after the other. Every kind of matter is a [`Matter`]: the world drives them through the same three calls.

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
pub use particles::{Grain, Inlet, InvalidParticles, Particles, ParticlesState, Region, Setup};
pub use spread::{Lognormal, Spread};
