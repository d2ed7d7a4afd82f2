//! Everything of a scene together, moved step by step.
//!
//! Matters of one kind know their own contacts ([`Matter`](crate::Matter)); the world lets different kinds meet. A step
//! is
//!
//! 1. half kick and drift of every matter; walls go where their motion says;
//! 2. obstacles of the particles follow walls, bodies and solids;
//! 3. forces of each matter by itself, then between them, reactions included;
//! 4. half kick of every matter, with a look at whether all is still sane.
//!
//! All sums have a fixed order: the same bytes for any number of threads.

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

/// Everything of a scene.
pub struct World {
    scenery: Scenery,
    stages: Stages,
    watch: Watch,
}

/// By the dimension of the scene.
enum Scenery {
    Plane(Box<Plane>),
    Space(Box<Space>),
}

/// Everything of a world that changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    plane: Option<Rigid2>,
    space: Option<SpaceState>,
    watch: Watch,
}

impl World {
    /// Makes what a scene describes; meshes are relative to the folder.
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

    /// What the reader of the scene may not expect of it, in sentences.
    pub fn notes(&self) -> Vec<String> {
        match &self.scenery {
            Scenery::Plane(plane) => plane.notes(),
            Scenery::Space(space) => space.notes(),
        }
    }

    /// The longest step that is stable, s; infinite where nothing limits it.
    pub fn stable_step(&self) -> f64 {
        match &self.scenery {
            Scenery::Plane(plane) => plane.stable_step(),
            Scenery::Space(space) => space.stable_step(),
        }
    }

    /// One step from a time on. A body that goes through another or through a wall is an error, too.
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

        if self.watch.is_due(motion) {
            self.watch.look(&self.scenery.sight(time + dt))?;
        }

        Ok(())
    }

    /// The deepest overlap so far, in thicknesses of the thinner body.
    pub fn overlap(&self) -> &LargestOverlap {
        self.watch.overlap()
    }

    /// The largest overlap since this was last asked, in thicknesses of the thinner body.
    pub fn take_recent_overlap(&mut self) -> f64 {
        self.watch.take_recent()
    }

    /// Energies now.
    pub fn energy(&self) -> Energy {
        match &self.scenery {
            Scenery::Plane(plane) => plane.energy(),
            Scenery::Space(space) => space.energy(),
        }
    }

    /// Momentum now, kg m/s.
    pub fn momentum(&self) -> [f64; 3] {
        match &self.scenery {
            Scenery::Plane(plane) => plane.momentum(),
            Scenery::Space(space) => space.momentum(),
        }
    }

    /// How many there are of what.
    pub fn counts(&self) -> Counts {
        match &self.scenery {
            Scenery::Plane(plane) => plane.counts(),
            Scenery::Space(space) => space.counts(),
        }
    }

    /// What the stages did so far.
    pub fn counters(&self) -> BTreeMap<&'static str, u64> {
        match &self.scenery {
            Scenery::Plane(_) => BTreeMap::new(),
            Scenery::Space(space) => space.counters(),
        }
    }

    /// What the stages took so far.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// Every contact with its force.
    pub fn touches(&self) -> Vec<ContactRow> {
        match &self.scenery {
            Scenery::Plane(plane) => plane.touches(),
            Scenery::Space(space) => space.touches(),
        }
    }

    /// Everything as it is, for the frame of that number and time; walls that never move are in the first alone.
    pub fn frames(&self, number: usize, time: f64) -> Vec<Frame> {
        match &self.scenery {
            Scenery::Plane(plane) => plane.frames(),
            Scenery::Space(space) => space.frames(number, time),
        }
    }

    /// Everything that must survive a restart.
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

    /// Goes back, or on, to a saved state of the same scene.
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
    /// What there is to look at, whether anything goes through anything else.
    fn sight(&self, time: f64) -> Sight<'_> {
        match self {
            Self::Plane(plane) => plane.sight(time),
            Self::Space(space) => space.sight(time),
        }
    }
}

#[cfg(test)]
mod tests;
