//! Particles as plain data: everything that a restart needs to continue bit-identically.
//!
//! The neighbour list is excluded: listed pairs that do not touch change no result. Particles and
//! contacts are sorted by id, and contacts run from the lower id to the higher, so that the state
//! does not depend on where each was stored. Seats are included, because forces are added in their
//! order.

use super::arrays::Load;
use super::deformation::Deforming;
use super::grain::{Grain, InvalidParticles};
use super::inlet::{OpenInlet, Region};
use super::list::SavedContact;
use super::order::{Seat, by_seat};
use super::{Particles, Setup};
use crate::obstacle::{Obstacle, ObstacleState};
use impinge::broad::Pair;
use impinge::space::Vector;
use serde::{Deserialize, Serialize};

/// The state of particles, in the order of ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParticlesState {
    setup: Setup,
    grains: Vec<Grain>,
    ids: Vec<u32>,
    seats: Vec<Seat>,
    dissipated: Vec<f64>,
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
    drained: f64,
    touching: u64,
    stable_step: f64,
    deforming: Deforming,
}

/// A contact of two particles, from the lower id to the higher.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ContactState {
    pub(super) ids: [u32; 2],
    pub(super) spring: [f64; 3],
    pub(super) rolled: [f64; 3],
}

impl ContactState {
    /// Returns the contact of particles at these places.
    pub(super) fn between(&self, a: u32, b: u32) -> SavedContact {
        let sign = if a < b { 1.0 } else { -1.0 };
        SavedContact {
            pair: Pair::new(a, b),
            spring: Vector::from(self.spring) * sign,
            rolled: Vector::from(self.rolled) * sign,
        }
    }
}

impl Particles {
    /// Returns everything that must survive a restart; [`Self::resume`] continues from it
    /// bit-identically.
    pub fn state(&self) -> ParticlesState {
        let places = self.places_by_id();
        let arrays = &self.arrays;
        ParticlesState {
            setup: self.setup.clone(),
            grains: by_place(&places, |place| arrays.grain(place)),
            ids: by_place(&places, |place| arrays.ids[place]),
            seats: by_place(&places, |place| arrays.seats[place]),
            dissipated: by_place(&places, |place| arrays.lost[place]),
            forces: by_place(&places, |place| arrays.loads[place].force().into()),
            torques: by_place(&places, |place| arrays.loads[place].torque().into()),
            damped: by_place(&places, |place| arrays.loads[place].damped()),
            contacts: self.contact_states(),
            obstacles: self
                .obstacles
                .iter()
                .map(|obstacle| self.obstacle_state(obstacle))
                .collect(),
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
            drained: self.drained,
            touching: self.touching as u64,
            stable_step: self.stable_step,
            deforming: Deforming {
                rate: self.cell.rate,
                ..self.deforming
            },
        }
    }

    /// Returns the contacts by ids, from the lower to the higher.
    pub(super) fn contact_states(&self) -> Vec<ContactState> {
        let contact = |kept: SavedContact| {
            let ids = [kept.pair.a, kept.pair.b].map(|place| self.arrays.ids[place as usize]);
            // Zeros are positive: their sign depends on the side.
            let sign = if ids[0] < ids[1] { 1.0 } else { -1.0 };
            let seen = |vector: Vector<3>| (vector * sign).map(|x| x + 0.0).into();
            ContactState {
                ids: [ids[0].min(ids[1]), ids[0].max(ids[1])],
                spring: seen(kept.spring),
                rolled: seen(kept.rolled),
            }
        };
        let mut contacts: Vec<ContactState> = self.list.kept().into_iter().map(contact).collect();
        contacts.sort_unstable_by_key(|contact| contact.ids);

        contacts
    }

    /// Returns the state of an obstacle, whose contacts refer to ids.
    fn obstacle_state(&self, obstacle: &Obstacle) -> ObstacleState {
        let mut touches = obstacle.touches.clone();
        for touch in &mut touches {
            touch.particle = self.arrays.ids[touch.particle as usize];
        }

        touches.sort_by_key(|touch| (touch.particle, touch.spot));
        obstacle.state_with(touches)
    }

    /// Restores particles from a state.
    pub fn resume(state: &ParticlesState) -> Result<Self, InvalidParticles> {
        let mut particles = Self::new(state.setup.clone())?;
        let count = state.grains.len();
        let lengths = [
            state.forces.len(),
            state.torques.len(),
            state.damped.len(),
            state.seats.len(),
            state.dissipated.len(),
        ];

        if state.ids.len() != count || lengths != [count; 5] {
            return Err(InvalidParticles::State {
                what: "arrays of different lengths",
            });
        }

        if !state.ids.is_sorted_by(|a, b| a < b) {
            return Err(InvalidParticles::State {
                what: "particles that are not sorted by id",
            });
        }

        particles.add(&state.grains)?;
        let arrays = &mut particles.arrays;
        arrays.ids.clone_from(&state.ids);
        arrays.seats.clone_from(&state.seats);
        arrays.lost.clone_from(&state.dissipated);
        for (n, load) in arrays.loads.iter_mut().enumerate() {
            let (force, torque) = (state.forces[n].into(), state.torques[n].into());
            *load = Load::new(&force, &torque, state.damped[n]);
        }
        let order = by_seat(&arrays.seats, &arrays.ids);
        let places = arrays.arrange(&order);

        particles.restore_contacts(&state.contacts, &state.ids, &places)?;
        for (obstacle, saved) in state.obstacles.iter().enumerate() {
            let mut resumed = Obstacle::resume(saved)
                .map_err(|fault| InvalidParticles::Obstacle { obstacle, fault })?;
            for touch in &mut resumed.touches {
                let place = place_of(&state.ids, &places, touch.particle);
                touch.particle = place.ok_or(InvalidParticles::State {
                    what: "an obstacle touches a particle that is not there",
                })?;
            }

            resumed
                .touches
                .sort_by_key(|touch| (touch.particle, touch.spot));
            particles.add_obstacle(resumed)?;
        }

        (particles.inlets, particles.outlets) = (state.inlets.clone(), state.outlets.clone());
        (particles.next_id, particles.time, particles.steps) =
            (state.next_id, state.time, state.steps);
        (particles.path, particles.lost, particles.brought) =
            (state.path, state.lost, state.brought);
        particles.drained = state.drained;
        particles.deforming = state.deforming;
        particles.cell.rate = state.deforming.rate;
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

    fn restore_contacts(
        &mut self,
        contacts: &[ContactState],
        ids: &[u32],
        places: &[u32],
    ) -> Result<(), InvalidParticles> {
        let invalid = InvalidParticles::State {
            what: "contacts that are not sorted pairs of particles",
        };
        if !contacts.is_sorted_by(|a, b| a.ids < b.ids) {
            return Err(invalid);
        }
        let mut kept = Vec::with_capacity(contacts.len());

        for contact in contacts {
            let [a, b] = contact.ids.map(|id| place_of(ids, places, id));
            let (Some(a), Some(b)) = (a, b) else {
                return Err(invalid);
            };
            if contact.ids[0] >= contact.ids[1] {
                return Err(invalid);
            }

            kept.push(contact.between(a, b));
        }

        kept.sort_unstable_by_key(|kept| kept.pair);
        self.list.hold(&kept, self.table.keeps_rolling());
        Ok(())
    }
}

fn by_place<T>(places: &[u32], of: impl Fn(usize) -> T) -> Vec<T> {
    places.iter().map(|&place| of(place as usize)).collect()
}

/// Returns the place of an id among sorted ids.
fn place_of(ids: &[u32], places: &[u32], id: u32) -> Option<u32> {
    ids.binary_search(&id).ok().map(|n| places[n])
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
