//! Particles: spheres in contact with each other and with obstacles, by the discrete element
//! method.
//!
//! Integration is velocity Verlet through [`Matter`]; forces follow the [`Law`](crate::law::Law) of
//! the [`Setup`]. Particles are stored in spatial order and identified by ids that never change.
//! Neighbours come from a Verlet list that stays valid until a particle has moved by half its skin
//! (`list.rs`). The skin adapts to the motion and needs no tuning. Contacts keep their friction springs
//! across list rebuilds, reordering, removal of other particles and restarts.
//!
//! Results are bit-identical for any number of threads and for an interrupted run: use
//! [`Particles::state`] and [`Particles::resume`], or serde on [`Particles`] itself.
//!
//! Measured on 100,000 settled spheres with 2.5 contacts each, linear springs and Coulomb friction
//! with history: a step takes 139 to 172 ns per sphere on one core. LAMMPS takes 202 to 246 ns in
//! the same runs (five runs, 1.35 to 1.59 times as long, median 1.51). Two threads are 1.5 to 2.0
//! times as fast. List rebuilds take 2 to 3 % of the time; memory is 339 bytes per sphere.
//!
//! ```
//! use impinge_sim::{Grain, Matter, Obstacle, Particles, Setup};
//! let mut particles = Particles::new(Setup::default())?;
//! particles.add(&[Grain { position: [0.0, 0.0, 0.02], radius: 1e-3, ..Grain::default() }])?;
//! particles.add_obstacle(Obstacle::half_space([0.0; 3], [0.0, 0.0, 1.0], 0)?)?;
//! let dt = particles.stable_step();
//! for _ in 0..1000 {
//!     // Obstacles that move are moved here: particles.obstacles_mut()[0].move_to(…).
//!     particles.begin(dt);
//!     particles.interact(dt)?;
//!     particles.finish(dt)?;
//! }
//! assert!(particles.grains().all(|(id, grain)| id == 0 && grain.position[2] < 0.02));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrays;
mod chunk;
mod deformation;
mod distribution;
mod exchange;
mod flight;
mod forces;
mod grain;
mod inlet;
mod job;
mod list;
mod measure;
mod migration;
mod order;
mod overlap;
mod periodic;
#[cfg(test)]
mod rank_tests;
mod record;
#[cfg(test)]
mod settling;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod walls;

pub use deformation::Deformation;
pub use exchange::Traffic;
pub use grain::{Grain, InvalidParticles};
pub(crate) use inlet::check_outlet;
pub use inlet::{Inlet, InletRate, Region};
pub use overlap::{DEEP_OVERLAP, OverlapPartner, ParticleOverlap, ParticleOverlaps};
pub use state::ParticlesState;

use crate::law::{Law, Material, Pairing, Table};
use crate::obstacle::Obstacle;
use arrays::Arrays;
use deformation::Deforming;
use exchange::Exchange;
use forces::Chunks;
use impinge::space::{Point, Vector};
use inlet::OpenInlet;
use list::{List, TOUCHES};
use periodic::Box3;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::ops::Range;

/// Settings shared by all particles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// Law of all contacts.
    pub law: Law,
    /// Materials of particles and obstacles; a species is an index into this list.
    pub materials: Vec<Material>,
    /// Properties of pairs of materials that were measured together.
    pub pairings: Vec<Pairing>,
    /// Gravitational acceleration, m/s².
    pub gravity: [f64; 3],
    /// Both ends of each periodic axis. Positions are wrapped between them. A mesh that crosses an
    /// end must extend beyond it by the largest radius, because obstacles are not repeated.
    pub period: [Option<[f64; 2]>; 3],
    /// How the periodic axes change their lengths.
    pub deformation: [Deformation; 3],
    /// Global damping, 1/s: the rate at which velocities and spins decay, in contact or not.
    pub damping: f64,
}

impl Default for Setup {
    /// One material, and gravity along −z.
    fn default() -> Self {
        Self {
            law: Law::default(),
            materials: vec![Material::default()],
            pairings: Vec::new(),
            gravity: [0.0, 0.0, -9.81],
            period: [None; 3],
            deformation: [Deformation::Fixed; 3],
            damping: 0.0,
        }
    }
}

/// When the particles were last reordered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ordered {
    path: f64,
    step: u64,
    count: usize,
}

/// A set of spheres.
#[derive(Clone, Debug)]
#[doc(alias = "DEM")]
#[doc(alias = "discrete element method")]
#[doc(alias = "granular")]
pub struct Particles {
    setup: Setup,
    table: Table,
    cell: Box3,
    deforming: Deforming,
    arrays: Arrays,
    list: List,
    chunks: Chunks,
    obstacles: Vec<Obstacle>,
    inlets: Vec<OpenInlet>,
    outlets: Vec<Region>,
    next_id: u32,
    time: f64,
    steps: u64,
    /// Sum over the steps of the largest motion in each: an upper bound on the path of any
    /// particle.
    path: f64,
    /// Largest motion in the last step.
    motion: f64,
    /// Change of the periodic box in the last step.
    stretch: f64,
    ordered: Ordered,
    /// Energy dissipated by particles that have left, less the work on obstacles; that of the present
    /// ones is in the arrays.
    lost: f64,
    /// Energy that inlets added and outlets removed.
    brought: f64,
    /// Mass that outlets removed.
    drained: f64,
    touching: usize,
    overlaps: ParticleOverlaps,
    diameter: f64,
    stable_step: f64,
    /// The connection with other ranks, if the set is distributed.
    exchange: Option<Exchange>,
    /// Whether the owner guards against tunnelling within a step.
    is_guarded: bool,
    /// Largest speed in radii per second after the last step, of all ranks; `None` if particles were added since.
    rate: Option<f64>,
}

impl Particles {
    /// Creates an empty set of particles.
    pub fn new(setup: Setup) -> Result<Self, InvalidParticles> {
        let table = Table::new(setup.law, &setup.materials, &setup.pairings)?;
        check_setup(&setup)?;
        Ok(Self {
            table,
            cell: Box3::new(setup.period),
            deforming: Deforming::default(),
            setup,
            arrays: Arrays::default(),
            list: List::default(),
            chunks: Chunks::default(),
            obstacles: Vec::new(),
            inlets: Vec::new(),
            outlets: Vec::new(),
            next_id: 0,
            time: 0.0,
            steps: 0,
            path: 0.0,
            motion: 0.0,
            stretch: 0.0,
            ordered: Ordered::default(),
            lost: 0.0,
            brought: 0.0,
            drained: 0.0,
            touching: 0,
            overlaps: ParticleOverlaps::default(),
            diameter: 0.0,
            stable_step: f64::INFINITY,
            exchange: None,
            is_guarded: false,
            rate: None,
        })
    }

    /// Adds particles; their ids are consecutive and never reused. After an error nothing has
    /// changed. On a distributed set, all ranks add the same particles, and each keeps its own.
    pub fn add(&mut self, grains: &[Grain]) -> Result<Range<u32>, InvalidParticles> {
        for (n, grain) in grains.iter().enumerate() {
            grain.check(n, self.setup.materials.len())?;
            self.check_period(n, grain)?;
        }

        self.rate = None;
        let first = self.next_id;
        // Places share their word with a flag bit.
        let end = u32::try_from(grains.len())
            .ok()
            .and_then(|count| first.checked_add(count));
        let end = end
            .filter(|&end| end < TOUCHES)
            .ok_or(InvalidParticles::TooMany { most: TOUCHES })?;
        let gravity = self.setup.gravity.into();

        for (id, grain) in (first..).zip(grains) {
            let density = self.setup.materials[grain.species as usize].density;
            let mut centre = Point::from(grain.position);
            self.cell.wrap(&mut centre);
            if self.owns(&centre) {
                self.arrays.push(grain, id, density, &gravity);
                let place = self.arrays.len() - 1;
                self.arrays.balls[place].centre = centre;
            }
            let (mass, speed) = (
                arrays::mass(grain.radius, density),
                Vector::from(grain.velocity).norm(),
            );
            self.limit_step(grain.radius, mass, grain.species, speed);
        }
        if let Some(exchange) = &mut self.exchange {
            exchange.total += grains.len();
        }

        self.next_id = end;
        self.list.forget();
        self.obstacles
            .iter_mut()
            .for_each(|obstacle| obstacle.near.forget());
        self.update_diameter();

        Ok(first..end)
    }

    /// Limits the stable step to that of a particle like this one.
    fn limit_step(&mut self, radius: f64, mass: f64, species: u16, speed: f64) {
        let stable = self.table.stable_step(radius, mass, species);
        let slow_enough = if speed > 0.0 {
            step::FARTHEST * radius / speed
        } else {
            f64::INFINITY
        };

        self.stable_step = self.stable_step.min(stable).min(slow_enough);
    }

    /// Returns the longest stable step of contacts with a movable obstacle.
    ///
    /// The step of a particle allows for a sum of k/m* over its contacts of 24 k/m (see
    /// [`Table::stable_step`]). The N particles that fit on the obstacle contribute N k (1/m +
    /// 1/M).
    pub(crate) fn step_on(&self, obstacle: &Obstacle) -> f64 {
        let Some((inverse_mass, area)) = obstacle.lightest() else {
            return f64::INFINITY;
        };
        let by_radius = |&a: &usize, &b: &usize| {
            let radius = |place: usize| self.arrays.balls[place].radius;
            radius(a).total_cmp(&radius(b))
        };
        let (least, largest) = (
            (0..self.len()).min_by(by_radius),
            (0..self.len()).max_by(by_radius),
        );

        let of_particles = [least, largest].into_iter().flatten().map(|place| {
            let (ball, species) = (&self.arrays.balls[place], self.arrays.species[place]);
            (ball.radius, self.arrays.masses[place], species)
        });
        let of_inlets = self.inlets.iter().flat_map(|open| {
            let species = open.inlet.species;
            let density = self.setup.materials[species as usize].density;
            let mass = move |radius: f64| density * 4.0 / 3.0 * PI * radius.powi(3);
            open.inlet
                .radii
                .range()
                .map(|radius| (radius, mass(radius), species))
        });

        let step = |(radius, mass, species): (f64, f64, u16)| {
            let count = 1.0 + area / (4.0 * radius * radius);
            let share = 24.0 / (count * (1.0 + mass * inverse_mass));
            self.table.stable_step(radius, mass, species) * share.sqrt()
        };

        of_particles
            .chain(of_inlets)
            .map(step)
            .fold(f64::INFINITY, f64::min)
    }

    fn check_period(&self, n: usize, grain: &Grain) -> Result<(), InvalidParticles> {
        for (axis, ends) in self.setup.period.iter().enumerate() {
            if let Some([low, up]) = ends {
                let (length, radius) = (up - low, grain.radius);
                if length <= grain::LEAST_PERIOD * radius {
                    return Err(InvalidParticles::Period {
                        grain: n,
                        radius,
                        axis,
                        length,
                    });
                }
            }
        }
        Ok(())
    }

    /// Removes the particles with these ids, in any order; unknown ids are ignored.
    pub fn remove(&mut self, ids: &[u32]) {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        self.retain(|particles, place| ids.binary_search(&particles.arrays.ids[place]).is_err());
    }

    /// Keeps the particles at places for which `keep` returns true; returns the number removed.
    fn retain(&mut self, keep: impl Fn(&Self, usize) -> bool) -> usize {
        // Ghosts are dropped when the list is rebuilt.
        let keep =
            |particles: &Self, place: usize| !particles.arrays.own[place] || keep(particles, place);
        let count = self.arrays.len();
        let order: Vec<u32> = (0..count)
            .filter(|&place| keep(self, place))
            .map(|place| place as u32)
            .collect();
        let gone = self.change_total(order.len() as i64 - count as i64);
        if gone == 0 {
            return 0;
        }

        let lost = (0..count).filter(|&place| !keep(self, place));
        self.lost += self.sum_over_all(lost.map(|place| self.arrays.lost[place]));
        self.arrange(&order);
        self.update_diameter();
        gone.unsigned_abs() as usize
    }

    /// Reorders the particles; unlisted places are dropped.
    fn arrange(&mut self, order: &[u32]) {
        let places = self.arrays.arrange(order);
        self.list.renumber(&places);
        self.obstacles
            .iter_mut()
            .for_each(|obstacle| walls::renumber(obstacle, &places));
    }

    fn update_diameter(&mut self) {
        let own = self.arrays.balls.iter().zip(&self.arrays.own);
        let radii = own.filter(|(_, own)| **own).map(|(ball, _)| ball.radius);
        let sum = self.sum_over_all(radii);
        self.diameter = 2.0 * sum / self.total().max(1) as f64;
    }

    /// Sets the time of a set that was created later than others.
    pub(crate) fn start_at(&mut self, time: f64) {
        self.time = time;
    }

    /// Adds a force and a torque to the particle at a place in memory, until the next `begin`.
    pub(crate) fn apply(&mut self, place: usize, force: &Vector<3>, torque: &Vector<3>) {
        self.arrays.loads[place].add(&arrays::Load::new(force, torque, 0.0));
    }

    /// Returns force and torque of the last step on the particle at a place in memory, N and N m.
    pub fn load_at(&self, place: usize) -> [Vector<3>; 2] {
        let load = &self.arrays.loads[place];
        [load.force(), load.torque()]
    }

    /// Adds a material with its pairings; returns its index.
    pub(crate) fn add_material(
        &mut self,
        material: Material,
        paired: impl Iterator<Item = Pairing>,
    ) -> Result<usize, InvalidParticles> {
        let (mut materials, mut pairings) =
            (self.setup.materials.clone(), self.setup.pairings.clone());
        materials.push(material);
        pairings.extend(paired);
        self.table = Table::new(self.setup.law, &materials, &pairings)?;
        (self.setup.materials, self.setup.pairings) = (materials, pairings);
        Ok(self.setup.materials.len() - 1)
    }

    /// Adds an obstacle; returns its index.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Result<usize, InvalidParticles> {
        let (material, count) = (obstacle.material(), self.setup.materials.len());
        if material >= count {
            let item = format!("obstacle {}", self.obstacles.len());
            return Err(InvalidParticles::NoMaterial {
                item,
                material,
                count,
            });
        }

        self.obstacles.push(obstacle);
        Ok(self.obstacles.len() - 1)
    }

    /// Returns the obstacles.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Returns the obstacles mutably, to move them before a step.
    pub fn obstacles_mut(&mut self) -> &mut [Obstacle] {
        &mut self.obstacles
    }

    /// Adds an inlet.
    pub fn add_inlet(&mut self, inlet: Inlet) -> Result<(), InvalidParticles> {
        let inlet = OpenInlet::new(inlet, self.inlets.len(), self.setup.materials.len())?;
        let largest = Grain {
            radius: inlet.inlet.radii.range()[1],
            ..Grain::default()
        };
        self.check_period(0, &largest)?;
        let density = self.setup.materials[inlet.inlet.species as usize].density;
        let radius = inlet.inlet.radii.range()[0];
        let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
        let speed = Vector::from(inlet.inlet.velocity).norm();
        self.limit_step(radius, mass, inlet.inlet.species, speed);
        self.inlets.push(inlet);

        Ok(())
    }

    /// Adds an outlet: particles whose centre enters the region are removed within 20 steps.
    pub fn add_outlet(&mut self, region: Region) -> Result<(), InvalidParticles> {
        check_outlet(&region, self.outlets.len())?;
        self.outlets.push(region);
        Ok(())
    }

    /// Returns the mass that outlets have removed so far, kg.
    pub fn drained_mass(&self) -> f64 {
        self.drained
    }

    /// Returns the number of particles; on a distributed set, those on this rank with its ghosts.
    pub fn len(&self) -> usize {
        self.arrays.len()
    }

    /// Returns whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.arrays.len() == 0
    }

    /// Returns the ids in memory order: place n holds particle `ids()[n]`.
    pub fn ids(&self) -> &[u32] {
        &self.arrays.ids
    }

    /// Returns the particle at a place in memory.
    pub fn grain_at(&self, place: usize) -> Grain {
        self.arrays.grain(place)
    }

    /// Returns the mass of the particle at a place in memory, kg.
    pub fn mass_at(&self, place: usize) -> f64 {
        self.arrays.masses[place]
    }

    /// Iterates over all particles with their ids, in id order.
    pub fn grains(&self) -> impl ExactSizeIterator<Item = (u32, Grain)> + '_ {
        self.places_by_id().into_iter().map(|place| {
            (
                self.arrays.ids[place as usize],
                self.arrays.grain(place as usize),
            )
        })
    }

    /// Returns the places in id order.
    pub fn places_by_id(&self) -> Vec<u32> {
        let mut places: Vec<u32> = (0..self.arrays.len() as u32).collect();
        places.sort_unstable_by_key(|&place| self.arrays.ids[place as usize]);
        places
    }

    /// Iterates over the centres in memory order.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Point<3>> + '_ {
        self.arrays.balls.iter().map(|ball| ball.centre)
    }

    /// Iterates over the radii in memory order.
    pub fn radii(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.arrays.balls.iter().map(|ball| ball.radius)
    }

    /// Iterates over the velocities in memory order.
    pub fn velocities(&self) -> impl ExactSizeIterator<Item = Vector<3>> + '_ {
        self.arrays.motions.iter().map(|motion| motion.velocity)
    }

    /// Returns the shared settings.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the largest displacement of a particle in the last step, m.
    pub fn motion(&self) -> f64 {
        self.motion
    }

    /// Returns the number of contacts in the last step, with particles and obstacles.
    pub fn contact_count(&self) -> usize {
        self.touching
    }

    /// Returns the overlaps of the last step, with particles and obstacles.
    pub fn overlaps(&self) -> &ParticleOverlaps {
        &self.overlaps
    }

    /// Returns the number of neighbour-list builds so far, and the number of candidate pairs in the
    /// last.
    pub fn list_counters(&self) -> (u64, usize) {
        (self.list.builds, self.list.entries.len())
    }

    /// Returns the memory used by the particles and their contacts, in bytes.
    pub fn memory(&self) -> usize {
        self.arrays.memory() + self.list.memory() + self.chunks.memory()
    }
}

fn check_setup(setup: &Setup) -> Result<(), InvalidParticles> {
    let item = |item: String, fault: &str| {
        Err(InvalidParticles::Item {
            item,
            fault: fault.into(),
        })
    };

    if !setup.gravity.iter().all(|g| g.is_finite()) {
        return item("gravity".into(), "not finite");
    }

    if !(setup.damping >= 0.0 && setup.damping.is_finite()) {
        return item("damping".into(), "must be finite and not negative");
    }

    for (axis, ends) in setup.period.iter().enumerate() {
        if ends.is_some_and(|[low, up]| !(low < up && low.is_finite() && up.is_finite())) {
            return item(
                format!("the period of axis {axis}"),
                "its ends must be finite and ascend",
            );
        }
    }

    check_deformation(setup)
}

fn check_deformation(setup: &Setup) -> Result<(), InvalidParticles> {
    let refuse = |axis: usize, fault: &str| {
        Err(InvalidParticles::Item {
            item: format!("the deformation of axis {axis}"),
            fault: fault.into(),
        })
    };
    for (axis, deformation) in setup.deformation.iter().enumerate() {
        if let Some(fault) = deformation.fault() {
            return refuse(axis, fault);
        }
        if *deformation == Deformation::Fixed {
            continue;
        }
        if setup.period[axis].is_none() {
            return refuse(axis, "it is not periodic");
        }
        if setup.gravity[axis] != 0.0 {
            return refuse(axis, "gravity acts along it");
        }
        let needs_volume = matches!(deformation, Deformation::Pressure { .. });
        if needs_volume && setup.period.iter().any(Option::is_none) {
            return refuse(axis, "a pressure needs a box that is periodic on all axes");
        }
    }
    Ok(())
}
