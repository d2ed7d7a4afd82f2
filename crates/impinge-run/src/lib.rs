//! Scenes in files, and their runs.
//!
//! A [`SceneSpec`](scene::SceneSpec) is the contents of a scene file. [`build::world`] builds a
//! [`World`](impinge_sim::world::World) from it, through the public interface of the simulator. A
//! [`Runner`](run::Runner) advances the world and writes frames, tables and checkpoints.

pub mod build;
pub mod checkpoint;
pub mod frames;
pub mod measure;
pub mod output;
pub mod run;
pub mod scene;
