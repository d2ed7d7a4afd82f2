//! Scenes in files, and their runs.
//!
//! A [`SceneSpec`](scene::SceneSpec) is a scene as people write it. [`build::world`] makes a
//! [`World`](impinge_sim::world::World) of it, through the same calls that any program can make. A
//! [`Runner`](run::Runner) advances the world and writes frames, tables and checkpoints.

pub mod build;
pub mod checkpoint;
pub mod frames;
pub mod measure;
pub mod output;
pub mod run;
pub mod scene;
