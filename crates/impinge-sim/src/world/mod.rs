//! The world: all matter of a scene, advanced step by step.
//!
//! Each kind of matter handles its own contacts ([`Matter`](crate::Matter)); the world couples
//! different kinds. A step is
//!
//! 1. half kick and drift of all matter; walls follow their motion;
//! 2. obstacles of the particles follow walls, bodies and solids;
//! 3. internal forces of each matter, then coupling forces, with reactions;
//! 4. half kick of all matter, with a stability check.
//!
//! All sums have a fixed order: results are bit-identical for any number of threads.

mod attach;
mod bodies;
mod build;
mod elastic;
mod error;
mod frames;
mod placing;
mod plane;
mod shapes;
mod space;
mod stages;
mod start;
mod watch;

pub use error::WorldError;
pub use stages::Stages;
use stages::timed;
pub use watch::LargestOverlap;

use crate::output::{ContactRow, Counts, Frame};
use crate::rigid::Rigid2;
use crate::scene::SceneSpec;
use crate::{Energy, StepError};
use plane::Plane;
use serde::{Deserialize, Serialize};
use space::{Space, SpaceState};
use std::collections::BTreeMap;
use std::path::Path;
use watch::{Sight, Watch};

/// All matter of a scene.
pub struct World {
    scenery: Scenery,
    stages: Stages,
    watch: Watch,
}

/// The contents, by dimension of the scene.
enum Scenery {
    Plane(Box<Plane>),
    Space(Box<Space>),
}

/// The complete mutable state of a world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    plane: Option<Rigid2>,
    space: Option<SpaceState>,
    watch: Watch,
}

impl World {
    /// Builds the world of a scene; mesh paths are relative to the folder.
    pub fn new(scene: &SceneSpec, folder: &Path) -> Result<Self, WorldError> {
        let scenery = match scene.dimension {
            2 => Scenery::Plane(Box::new(Plane::new(scene)?)),
            _ => Scenery::Space(Box::new(Space::new(scene, folder)?)),
        };
        let watch = Watch::start(&scenery.sight(0.0));

        Ok(Self {
            scenery,
            stages: Stages::default(),
            watch,
        })
    }

    /// Returns notes about unexpected properties of the scene, as sentences.
    pub fn notes(&self) -> Vec<String> {
        match &self.scenery {
            Scenery::Plane(plane) => plane.notes(),
            Scenery::Space(space) => space.notes(),
        }
    }

    /// Returns the longest stable step, s; infinite if nothing limits it.
    pub fn stable_step(&self) -> f64 {
        match &self.scenery {
            Scenery::Plane(plane) => plane.stable_step(),
            Scenery::Space(space) => space.stable_step(),
        }
    }

    /// Runs one step from a time. A body that passes through another or through a wall is an error,
    /// too.
    pub fn step(&mut self, time: f64, dt: f64) -> Result<(), StepError> {
        let motion = match &mut self.scenery {
            Scenery::Plane(plane) => {
                plane.step(dt, &mut self.stages)?;
                plane.motion(time + dt, dt)
            }
            Scenery::Space(space) => {
                space.step(time, dt, &mut self.stages)?;
                space.motion(time + dt, dt)
            }
        };

        let Self { scenery, watch, .. } = self;
        timed(&mut self.stages.watch, || {
            if let Scenery::Space(space) = scenery
                && let Some(overlaps) = space.particle_overlaps()
            {
                watch.follow(overlaps, time + dt, |number| space.obstacle_name(number))?;
            }

            if watch.is_due(motion) {
                watch.look(&scenery.sight(time + dt))?;
            }

            Ok(())
        })
    }

    /// Returns the deepest overlap so far, relative to the thickness of the thinner body.
    pub fn overlap(&self) -> &LargestOverlap {
        self.watch.overlap()
    }

    /// Returns the largest overlap since the last call, relative to the thickness of the thinner
    /// body.
    pub fn take_recent_overlap(&mut self) -> f64 {
        self.watch.take_recent()
    }

    /// Returns the current energies.
    pub fn energy(&self) -> Energy {
        match &self.scenery {
            Scenery::Plane(plane) => plane.energy(),
            Scenery::Space(space) => space.energy(),
        }
    }

    /// Returns the current momentum, kg m/s.
    pub fn momentum(&self) -> [f64; 3] {
        match &self.scenery {
            Scenery::Plane(plane) => plane.momentum(),
            Scenery::Space(space) => space.momentum(),
        }
    }

    /// Returns the numbers of objects and contacts.
    pub fn counts(&self) -> Counts {
        match &self.scenery {
            Scenery::Plane(plane) => plane.counts(),
            Scenery::Space(space) => space.counts(),
        }
    }

    /// Returns the work counters of the stages so far.
    pub fn counters(&self) -> BTreeMap<&'static str, u64> {
        match &self.scenery {
            Scenery::Plane(_) => BTreeMap::new(),
            Scenery::Space(space) => space.counters(),
        }
    }

    /// Returns the time spent in each stage so far.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// Returns every contact with its force.
    pub fn touches(&self) -> Vec<ContactRow> {
        match &self.scenery {
            Scenery::Plane(plane) => plane.touches(),
            Scenery::Space(space) => space.touches(),
        }
    }

    /// Returns the frames of all matter for a frame number and time; fixed walls are only in the
    /// first.
    pub fn frames(&self, number: usize, time: f64) -> Vec<Frame> {
        match &self.scenery {
            Scenery::Plane(plane) => plane.frames(),
            Scenery::Space(space) => space.frames(number, time),
        }
    }

    /// Returns everything that must survive a restart.
    pub fn save(&self) -> State {
        match &self.scenery {
            Scenery::Plane(plane) => State {
                plane: Some(plane.save()),
                space: None,
                watch: self.watch.clone(),
            },
            Scenery::Space(space) => State {
                plane: None,
                space: Some(space.save()),
                watch: self.watch.clone(),
            },
        }
    }

    /// Restores a saved state of the same scene.
    pub fn restore(&mut self, state: State) -> Result<(), WorldError> {
        let watch = state.watch.clone();
        let restored = match (&mut self.scenery, state) {
            (
                Scenery::Plane(plane),
                State {
                    plane: Some(state), ..
                },
            ) => {
                plane.restore(state);
                Ok(())
            }
            (
                Scenery::Space(space),
                State {
                    space: Some(state), ..
                },
            ) => space.restore(state),
            _ => Err(WorldError::State),
        };
        self.watch = watch;

        restored
    }
}

impl Scenery {
    /// Collects the data for the check whether bodies pass through each other.
    fn sight(&self, time: f64) -> Sight<'_> {
        match self {
            Self::Plane(plane) => plane.sight(time),
            Self::Space(space) => space.sight(time),
        }
    }
}

#[cfg(test)]
mod tests;
