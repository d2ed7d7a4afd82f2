//! Particles as plain data: everything that a restart needs to continue bit-identically.
//!
//! The neighbour list is excluded: listed pairs that do not touch change no result. The memory
//! order is included, because forces are added in it.

use super::arrays::Load;
use super::grain::{Grain, InvalidParticles};
use super::inlet::{OpenInlet, Region};
use super::list::Kept;
use super::{Particles, Setup};
use crate::obstacle::{Obstacle, ObstacleState};
use impinge::broad::Pair;
use serde::{Deserialize, Serialize};

/// The state of particles, in memory order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParticlesState {
    setup: Setup,
    grains: Vec<Grain>,
    ids: Vec<u32>,
    forces: Vec<[f64; 3]>,
    torques: Vec<[f64; 3]>,
    damped: Vec<f64>,
    contacts: Vec<ContactState>,
    obstacles: Vec<ObstacleState>,
    inlets: Vec<OpenInlet>,
    outlets: Vec<Region>,
    next_id: u32,
    time: f64,
    steps: u64,
    path: f64,
    ordered: (f64, u64, u64),
    lost: f64,
    brought: f64,
    touching: u64,
    stable_step: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct ContactState {
    places: [u32; 2],
    spring: [f64; 3],
    rolled: [f64; 3],
}

impl Particles {
    /// Returns everything that must survive a restart; [`Self::resume`] continues from it
    /// bit-identically.
    pub fn state(&self) -> ParticlesState {
        let contact = |kept: Kept| ContactState {
            places: [kept.pair.a, kept.pair.b],
            spring: kept.spring.into(),
            rolled: kept.rolled.into(),
        };
        ParticlesState {
            setup: self.setup.clone(),
            grains: (0..self.arrays.len())
                .map(|place| self.arrays.grain(place))
                .collect(),
            ids: self.arrays.ids.clone(),
            forces: self
                .arrays
                .loads
                .iter()
                .map(|load| load.force().into())
                .collect(),
            torques: self
                .arrays
                .loads
                .iter()
                .map(|load| load.torque().into())
                .collect(),
            damped: self.arrays.loads.iter().map(Load::damped).collect(),
            contacts: self.list.kept().into_iter().map(contact).collect(),
            obstacles: self.obstacles.iter().map(Obstacle::state).collect(),
            inlets: self.inlets.clone(),
            outlets: self.outlets.clone(),
            next_id: self.next_id,
            time: self.time,
            steps: self.steps,
            path: self.path,
            ordered: (
                self.ordered.path,
                self.ordered.step,
                self.ordered.count as u64,
            ),
            lost: self.lost,
            brought: self.brought,
            touching: self.touching as u64,
            stable_step: self.stable_step,
        }
    }

    /// Restores particles from a state.
    pub fn resume(state: &ParticlesState) -> Result<Self, InvalidParticles> {
        let mut particles = Self::new(state.setup.clone())?;
        let count = state.grains.len();
        let lengths = [state.forces.len(), state.torques.len(), state.damped.len()];

        if state.ids.len() != count || lengths != [count; 3] {
            return Err(InvalidParticles::State {
                what: "arrays of different lengths",
            });
        }

        particles.add(&state.grains)?;
        particles.arrays.ids.clone_from(&state.ids);
        for (n, load) in particles.arrays.loads.iter_mut().enumerate() {
            let (force, torque) = (state.forces[n].into(), state.torques[n].into());
            *load = Load::new(&force, &torque, state.damped[n]);
        }

        particles.restore_contacts(&state.contacts)?;
        for (obstacle, state) in state.obstacles.iter().enumerate() {
            let resumed = Obstacle::resume(state)
                .map_err(|fault| InvalidParticles::Obstacle { obstacle, fault })?;
            if resumed
                .touches
                .iter()
                .any(|touch| touch.particle as usize >= count)
            {
                return Err(InvalidParticles::State {
                    what: "an obstacle touches a particle that is not there",
                });
            }

            particles.add_obstacle(resumed)?;
        }

        (particles.inlets, particles.outlets) = (state.inlets.clone(), state.outlets.clone());
        (particles.next_id, particles.time, particles.steps) =
            (state.next_id, state.time, state.steps);
        (particles.path, particles.lost, particles.brought) =
            (state.path, state.lost, state.brought);
        (particles.touching, particles.stable_step) = (state.touching as usize, state.stable_step);
        let (path, step, count) = state.ordered;
        particles.ordered = super::Ordered {
            path,
            step,
            count: count as usize,
        };
        particles.watch_obstacles();

        Ok(particles)
    }

    fn restore_contacts(&mut self, contacts: &[ContactState]) -> Result<(), InvalidParticles> {
        let kept: Vec<Kept> = contacts
            .iter()
            .map(|contact| Kept {
                pair: Pair {
                    a: contact.places[0],
                    b: contact.places[1],
                },
                spring: contact.spring.into(),
                rolled: contact.rolled.into(),
            })
            .collect();
        let ordered = kept.is_sorted_by(|a, b| a.pair < b.pair);
        let inside = kept
            .iter()
            .all(|k| k.pair.a < k.pair.b && (k.pair.b as usize) < self.arrays.len());

        if !ordered || !inside {
            return Err(InvalidParticles::State {
                what: "contacts that are not sorted pairs of particles",
            });
        }

        self.list.hold(&kept, self.table.keeps_rolling());
        Ok(())
    }
}

impl Serialize for Particles {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.state().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Particles {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = ParticlesState::deserialize(deserializer)?;
        Self::resume(&state).map_err(serde::de::Error::custom)
    }
}
