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
mod clock;
mod crowd;
mod definition;
mod elastic;
mod error;
mod flight;
mod forces;
mod guard;
mod materials;
mod movers;
mod names;
mod plane;
mod queue;
mod space;
mod stages;
mod start;
mod trajectory;
mod wall;
mod watch;

pub use definition::{
    BodyDef, BodyShape, Dimension, Hinge, SolidDef, WallDef, WallShape, WorldOptions,
};
pub use error::WorldError;
pub use forces::Forces;
pub use stages::Stages;
pub use watch::LargestOverlap;

use crate::ranks::Communicator;
use crate::rigid::{Rigid2, RigidShape};
use crate::solid::ElasticSolid;
use crate::{
    BodyKind, BodyRef, ContactRecord, Energy, Grain, Inlet, Particles, Path, PathState, Region,
    StepError, TriangleMesh,
};
use clock::Clock;
use guard::GuardedStep;
use impinge::broad::BroadMethod;
use impinge::space::{Point, Vector};
use names::Names;
use plane::Plane;
use serde::{Deserialize, Serialize};
use space::{Space, SpaceState};
use stages::timed;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use watch::{CheckInput, Watch};

/// Numbers of objects and contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Number of spheres.
    pub particles: usize,
    /// Number of rigid bodies.
    pub bodies: usize,
    /// Number of elastic solids.
    pub solids: usize,
    /// Number of contacts with a force.
    pub contacts: usize,
}

/// All matter of a simulation.
///
/// ```
/// use impinge_sim::world::{BodyDef, BodyShape, WallDef, World, WorldOptions};
/// use impinge_sim::{BodyRef, Path};
/// let mut world = World::new(WorldOptions::default())?;
/// let floor = world.add_wall(WallDef::half_space([0.0; 3], [0.0, 0.0, 1.0]))?;
/// let stone = world.add_body(BodyDef {
///     name: "stone".to_owned(),
///     position: [0.0, 0.0, 0.1],
///     ..BodyDef::new(BodyShape::Sphere(0.1))
/// })?;
///
/// // A gust of wind for a tenth of a second.
/// let dt = 0.9 * world.stable_step();
/// while world.time() < 0.1 {
///     world.step_with(dt, |forces| {
///         let at = forces.body(stone).map_or([0.0; 3], |state| state.pose.position().coords.into());
///         forces.on_body(stone, [20.0, 0.0, 0.0], at, [0.0; 3])
///     })?;
/// }
/// assert!(world.body_velocity(stone).x > 0.0);
/// let touching = world.contacts().iter().any(|contact| contact.bodies == [BodyRef::body(stone), BodyRef::wall(floor)]);
/// assert!(touching);
///
/// let saved = world.save();
/// world.remove_body(stone)?;
/// world.restore(saved)?;
/// assert!(world.body(stone).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World {
    options: WorldOptions,
    names: Names,
    inner: AnyWorld,
    stages: Stages,
    watch: Watch,
    clock: Clock,
    /// Numbers of walls, bodies and solids that have been started.
    started: Option<[usize; 3]>,
    /// The particles of this rank, while the world has those of all.
    part: Option<Particles>,
    /// Largest speed of a body, solid or wall after the last step, m/s; `None` if it is not known.
    speed: Option<f64>,
    /// Steps that were divided so that nothing passes through, and the largest number of parts.
    divided: [u64; 2],
    /// Number of free flights.
    flights: u64,
    next_touch: Option<PredictedTouch>,
}

/// A touch predicted at the start of a free flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedTouch {
    /// Time before which nothing touches, s: that of the touch itself for two spheres, or a sphere
    /// and a half-space, and a lower bound for other shapes.
    pub time: f64,
    /// Names of the two bodies.
    pub bodies: Vec<String>,
}

/// Steps of a flight below which it is not worth its preparation.
const SHORTEST_FLIGHT: u64 = 2;

/// The contents, by dimension.
enum AnyWorld {
    Plane(Box<Plane>),
    Space(Box<Space>),
}

/// The complete mutable state of a world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    plane: Option<Rigid2>,
    space: Option<SpaceState>,
    watch: Watch,
    clock: Clock,
    next_touch: Option<PredictedTouch>,
}

impl World {
    /// Creates an empty world.
    pub fn new(options: WorldOptions) -> Result<Self, WorldError> {
        // The particles' table checks the materials, the pairings and the law.
        Particles::new(crate::Setup {
            law: options.law,
            materials: options.materials.clone(),
            pairings: options.pairings.clone(),
            gravity: options.gravity,
            period: options.period,
            deformation: options.deformation,
            damping: options.damping,
        })?;
        let inner = match options.dimension {
            Dimension::Plane => AnyWorld::Plane(Box::new(Plane::new(&options)?)),
            Dimension::Space => AnyWorld::Space(Box::new(Space::new(options.gravity))),
        };

        Ok(Self {
            options,
            names: Names::default(),
            inner,
            stages: Stages::default(),
            watch: Watch::default(),
            clock: Clock::default(),
            started: None,
            part: None,
            speed: None,
            divided: [0; 2],
            flights: 0,
            next_touch: None,
        })
    }

    /// Adds a wall; returns its index.
    pub fn add_wall(&mut self, wall: WallDef) -> Result<usize, WorldError> {
        let name = self.next(BodyKind::Wall, &wall.name, wall.material)?;
        let time = self.time();
        match &mut self.inner {
            AnyWorld::Plane(plane) => plane.add_wall(&name, &wall)?,
            AnyWorld::Space(space) => space.add_wall(&name, wall, &self.options, time)?,
        }
        Ok(self.names.add(BodyKind::Wall, name))
    }

    /// Adds a rigid body; returns its index.
    pub fn add_body(&mut self, body: BodyDef) -> Result<usize, WorldError> {
        let name = self.next(BodyKind::Body, &body.name, body.material)?;
        let (density, time) = (self.options.materials[body.material].density, self.time());
        match &mut self.inner {
            AnyWorld::Plane(plane) => plane.add_body(&name, &body, density)?,
            AnyWorld::Space(space) => {
                space.add_body(&name, body, &self.options, &self.names, time)?
            }
        }
        Ok(self.names.add(BodyKind::Body, name))
    }

    /// Adds an elastic solid; returns its index.
    pub fn add_solid(&mut self, solid: SolidDef) -> Result<usize, WorldError> {
        let name = self.next(BodyKind::Solid, &solid.name, solid.material)?;
        let time = self.time();
        let AnyWorld::Space(space) = &mut self.inner else {
            return Err(WorldError::unsuited(&name, NOT_IN_THE_PLANE));
        };
        space.add_solid(&name, solid, &self.options, &self.names, time)?;
        Ok(self.names.add(BodyKind::Solid, name))
    }

    /// Adds particles; returns their ids.
    pub fn add_particles(&mut self, grains: &[Grain]) -> Result<Range<u32>, WorldError> {
        let time = self.time();
        match &mut self.inner {
            AnyWorld::Plane(_) => Err(WorldError::unsuited("particles", NOT_IN_THE_PLANE)),
            AnyWorld::Space(space) => space.add_particles(grains, &self.options, &self.names, time),
        }
    }

    /// Adds an inlet of particles.
    pub fn add_inlet(&mut self, inlet: Inlet) -> Result<(), WorldError> {
        let time = self.time();
        match &mut self.inner {
            AnyWorld::Plane(_) => Err(WorldError::unsuited("an inlet", NOT_IN_THE_PLANE)),
            AnyWorld::Space(space) => space.add_inlet(inlet, &self.options, &self.names, time),
        }
    }

    /// Adds an outlet: particles and bodies whose centre enters the region are removed.
    pub fn add_outlet(&mut self, region: Region) -> Result<(), WorldError> {
        match &mut self.inner {
            AnyWorld::Plane(_) => Err(WorldError::unsuited("an outlet", NOT_IN_THE_PLANE)),
            AnyWorld::Space(space) => space.add_outlet(region),
        }
    }

    /// Returns the name of the next object of a kind; an unknown material is an error.
    fn next(&self, kind: BodyKind, given: &str, material: usize) -> Result<String, WorldError> {
        let name = self.names.next(kind, given);
        match material < self.options.materials.len() {
            true => Ok(name),
            false => Err(WorldError::unsuited(
                &name,
                format!(
                    "no material {material}; there are {}",
                    self.options.materials.len()
                ),
            )),
        }
    }

    /// Removes a rigid body. Its index stays reserved, and its energy leaves the world with it.
    pub fn remove_body(&mut self, body: usize) -> Result<(), WorldError> {
        if !self.inner.has_body(body) {
            return Err(forces::missing_object("rigid body", body));
        }
        self.inner.remove_body(body);
        Ok(())
    }

    /// Removes the particles with these ids; unknown ids are ignored.
    pub fn remove_particles(&mut self, ids: &[u32]) {
        if let Some(particles) = self.inner.particles_mut() {
            particles.remove(ids);
        }
    }

    /// Completes what was added since the last step: bodies and solids that overlap start without a
    /// force. [`Self::step`] calls it; call it earlier to read the [notes](Self::notes).
    pub fn start(&mut self) -> Result<(), WorldError> {
        let kinds = [BodyKind::Wall, BodyKind::Body, BodyKind::Solid];
        let present = kinds.map(|kind| self.names.count(kind));
        if self.started == Some(present) {
            return Ok(());
        }

        let (time, known) = (self.time(), self.started.unwrap_or_default());
        let [walls, bodies, solids] = known;
        match &mut self.inner {
            AnyWorld::Plane(plane) => plane.start(bodies, walls)?,
            AnyWorld::Space(space) => space.start(bodies, walls, time)?,
        }

        let check_input = self.inner.check_input(&self.names, time);
        if self.started.is_none() {
            self.watch = Watch::start(&check_input);
        } else {
            self.watch.admit(&check_input, |object| {
                let known = match object.kind {
                    BodyKind::Wall => walls,
                    BodyKind::Body => bodies,
                    BodyKind::Solid => solids,
                    BodyKind::Particle => usize::MAX,
                };
                object.index as usize >= known
            });
        }
        self.started = Some(present);
        self.speed = None;
        Ok(())
    }

    /// Returns notes about unexpected properties at the [start](Self::start), as sentences.
    pub fn notes(&self) -> Vec<String> {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.notes(&self.names),
            AnyWorld::Space(space) => space.notes(&self.names),
        }
    }

    /// Returns the longest stable step, s; infinite if nothing limits it.
    pub fn stable_step(&self) -> f64 {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.stable_step(),
            AnyWorld::Space(space) => space.stable_step(),
        }
    }

    /// Returns the simulated time, s.
    pub fn time(&self) -> f64 {
        self.clock.now()
    }

    /// Runs one step. A body that passes through another or through a wall is an error, too.
    pub fn step(&mut self, dt: f64) -> Result<(), StepError> {
        self.step_with(dt, |_| Ok(()))
    }

    /// Runs one step with external forces, which `act` adds once everything has moved. [`Self::energy`]
    /// does not count their work.
    pub fn step_with(
        &mut self,
        dt: f64,
        mut act: impl FnMut(&mut Forces) -> Result<(), WorldError>,
    ) -> Result<(), StepError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(StepError {
                body: "the world".to_owned(),
                cause: format!("the step is {dt} s"),
                hint: "use a positive, finite step".to_owned(),
            });
        }

        self.start().map_err(invalid)?;
        let parts = self.parts(dt)?;
        if parts == 1 {
            self.part_of_step(dt, self.time(), &mut act)?;
        } else {
            self.divided = [self.divided[0] + 1, self.divided[1].max(parts.into())];
            let (start, part) = (self.time(), dt / f64::from(parts));
            for k in 0..parts {
                self.part_of_step(part, start + f64::from(k) * part, &mut act)?;
            }
        }

        self.clock.advance(dt);
        Ok(())
    }

    /// Runs steps of `dt`, at most `most`, and returns how many. While nothing touches and nothing
    /// can, bodies and particles fly to the end at once, exactly; otherwise this is one step.
    pub fn advance(&mut self, dt: f64, most: u64) -> Result<u64, StepError> {
        self.start().map_err(invalid)?;
        let steps = if self.clock.is_flight_due() {
            self.free_steps(dt, most)
        } else {
            0
        };
        if steps < SHORTEST_FLIGHT {
            self.step(dt)?;
            return Ok(1);
        }

        let (time, seconds) = (self.time(), steps as f64 * dt);
        timed(&mut self.stages.motion, || match &mut self.inner {
            AnyWorld::Plane(plane) => plane.fly(seconds),
            AnyWorld::Space(space) => space.fly(time, seconds),
        });
        self.clock.advance_by(dt, steps);
        self.speed = None;
        self.flights += 1;

        let Self {
            inner,
            watch,
            names,
            ..
        } = self;
        watch.skip(&inner.check_input(names, time + seconds));
        Ok(steps)
    }

    /// Returns the number of steps, at most `most`, in which nothing can touch.
    fn free_steps(&mut self, dt: f64, most: u64) -> u64 {
        let (time, limit) = (self.time(), most as f64 * dt);
        let flight = match &self.inner {
            AnyWorld::Plane(plane) => plane.free_flight(time, limit),
            AnyWorld::Space(space) => space.free_flight(time, limit),
        };
        let Some(flight) = flight.filter(|flight| flight.duration.is_finite()) else {
            return 0;
        };

        if let Some(bodies) = flight.pair {
            self.next_touch = Some(PredictedTouch {
                time: time + flight.duration,
                bodies: bodies.map(|body| self.names.of(body)).into(),
            });
        }
        // One step before the touch, so that it begins within a step of the usual length.
        match flight.pair {
            Some(_) => (flight.duration / dt).floor() as u64,
            None => most,
        }
    }

    /// Returns the earliest touch that ended the last free flight, or will.
    pub fn next_touch(&self) -> Option<&PredictedTouch> {
        self.next_touch.as_ref()
    }

    /// Returns the number of parts of a step in which nothing passes through anything.
    fn parts(&mut self, dt: f64) -> Result<u32, StepError> {
        let Self {
            inner,
            names,
            speed,
            clock,
            ..
        } = self;
        let time = clock.now();
        timed(&mut self.stages.watch, || {
            let speed = *speed.get_or_insert_with(|| match inner {
                AnyWorld::Plane(plane) => plane.motion(time, 1.0),
                AnyWorld::Space(space) => space.motion(time, 1.0),
            });
            match inner {
                AnyWorld::Plane(plane) => plane.parts(speed, &GuardedStep { names, time, dt }),
                AnyWorld::Space(space) => space.parts(speed, &GuardedStep { names, time, dt }),
            }
        })
    }

    /// Runs a step, or a part of one, from a time on.
    fn part_of_step(
        &mut self,
        dt: f64,
        time: f64,
        act: &mut impl FnMut(&mut Forces) -> Result<(), WorldError>,
    ) -> Result<(), StepError> {
        match &mut self.inner {
            AnyWorld::Plane(plane) => plane.begin(time, dt, &mut self.stages)?,
            AnyWorld::Space(space) => space.begin(time, dt, &mut self.stages)?,
        }

        act(&mut Forces::new(&mut self.inner, time + dt)).map_err(invalid)?;
        let speed = match &mut self.inner {
            AnyWorld::Plane(plane) => {
                plane.finish(dt, &mut self.stages)?;
                plane.motion(time + dt, 1.0)
            }
            AnyWorld::Space(space) => {
                space.finish(dt, &mut self.stages)?;
                space.motion(time + dt, 1.0)
            }
        };
        self.speed = Some(speed);

        let Self {
            inner,
            watch,
            names,
            ..
        } = self;
        timed(&mut self.stages.watch, || {
            if let AnyWorld::Space(space) = inner
                && let Some(overlaps) = space.particle_overlaps()
            {
                let name = |number| space.obstacle_name(names, number);
                watch.follow(overlaps, time + dt, name)?;
            }

            if watch.is_due(speed * dt) {
                watch.check(&inner.check_input(names, time + dt))?;
            }

            Ok(())
        })
    }

    /// Divides the particles among ranks, which all have the same world before. Walls, bodies and
    /// solids are replicated on all of them. Steps and changes are then collective: every rank makes
    /// the same calls and gets the same errors. Results about particles are those of this rank, until
    /// it [gathers](Self::gather) them.
    pub fn distribute(&mut self, ranks: &Arc<dyn Communicator>) {
        if let Some(particles) = self.inner.particles_mut() {
            particles.distribute(Arc::clone(ranks));
        }
    }

    /// Gives the world of rank 0 the particles of all ranks, to be read or saved; call
    /// [`Self::release`] before the next step. Every rank must call it. Does nothing in a world that
    /// is not distributed.
    pub fn gather(&mut self) {
        if let Some(particles) = self.inner.particles_mut()
            && let Some(whole) = particles.gather()
        {
            self.part = Some(std::mem::replace(particles, whole));
        }
    }

    /// Returns to the particles of this rank.
    pub fn release(&mut self) {
        if let Some(particles) = self.inner.particles_mut()
            && let Some(part) = self.part.take()
        {
            *particles = part;
        }
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
        match &self.inner {
            AnyWorld::Plane(plane) => plane.energy(),
            AnyWorld::Space(space) => space.energy(),
        }
    }

    /// Returns the current momentum, kg m/s.
    pub fn momentum(&self) -> [f64; 3] {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.momentum(),
            AnyWorld::Space(space) => space.momentum(),
        }
    }

    /// Returns the current angular momentum about the origin, kg m²/s.
    pub fn angular_momentum(&self) -> [f64; 3] {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.angular_momentum(),
            AnyWorld::Space(space) => space.angular_momentum(),
        }
    }

    /// Returns the mass of the particles and bodies that outlets have removed so far, kg.
    pub fn drained_mass(&self) -> f64 {
        match &self.inner {
            AnyWorld::Plane(_) => 0.0,
            AnyWorld::Space(space) => space.drained_mass(),
        }
    }

    /// Returns the numbers of objects and contacts.
    pub fn counts(&self) -> Counts {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.counts(),
            AnyWorld::Space(space) => space.counts(),
        }
    }

    /// Returns the work counters of the stages so far.
    ///
    /// In a distributed world they are those of this rank, including its communication.
    pub fn counters(&self) -> BTreeMap<&'static str, u64> {
        let mut counters = match &self.inner {
            AnyWorld::Plane(plane) => plane.counters(),
            AnyWorld::Space(space) => space.counters(),
        };
        let part = self.part.as_ref().or(self.particles());
        if let Some(part) = part.filter(|part| part.is_distributed()) {
            let traffic = part.traffic();
            counters.extend([
                ("ranks", part.rank_count() as u64),
                ("ghosts", traffic.ghosts as u64),
                ("ghost_updates", traffic.steps),
                ("messages", traffic.messages),
                ("message_bytes", traffic.bytes),
                ("rebuild_bytes", traffic.rebuild_bytes),
                ("migrated", traffic.migrated),
                ("divisions", traffic.divisions),
            ]);
        }
        counters.insert("divided_steps", self.divided[0]);
        counters.insert("most_parts_of_a_step", self.divided[1]);
        counters.insert("free_flights", self.flights);
        counters
    }

    /// Searches every pair of bodies, solids and walls at every step, instead of letting pairs sleep
    /// until they can touch. Results are the same; this is the oracle of the queue.
    pub fn search_always(&mut self, always: bool) {
        let queue = match &mut self.inner {
            AnyWorld::Plane(plane) => plane.queue_mut(),
            AnyWorld::Space(space) => space.queue_mut(),
        };
        queue.set_disabled(always);
    }

    /// Returns the time spent in each stage so far.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// Returns every contact of the last step with its force, sorted by the kind of the first body,
    /// then by the bodies.
    pub fn contacts(&self) -> Vec<ContactRecord> {
        let mut contacts = match &self.inner {
            AnyWorld::Plane(plane) => plane.contacts(),
            AnyWorld::Space(space) => space.contacts(),
        };
        contacts.retain(|contact| !contact.bodies.iter().any(|&body| self.inner.is_gone(body)));
        contacts
    }

    /// Returns the particles; `None` if none were ever added.
    pub fn particles(&self) -> Option<&Particles> {
        self.inner.particles()
    }

    /// Returns the number of rigid bodies, including removed ones.
    pub fn body_count(&self) -> usize {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.rigid.len(),
            AnyWorld::Space(space) => space.bodies.as_ref().map_or(0, |bodies| bodies.rigid.len()),
        }
    }

    /// Returns pose and velocities of a rigid body's shape frame; `None` if it was removed.
    pub fn body(&self, body: usize) -> Option<PathState> {
        self.inner.body(body)
    }

    /// Returns the force on a rigid body and the torque about its centre of mass in the last step,
    /// N and N m; `None` if it was removed.
    pub fn body_load(&self, body: usize) -> Option<[Vector<3>; 2]> {
        self.inner.load(body)
    }

    /// Returns the mass of a rigid body, kg; `None` if it was removed.
    pub fn body_mass(&self, body: usize) -> Option<f64> {
        self.inner.mass(body)
    }

    /// Returns the centre of mass of a rigid body.
    pub fn body_centre(&self, body: usize) -> Point<3> {
        match &self.inner {
            AnyWorld::Plane(plane) => {
                let centre = plane.rigid.centre(body);
                Point::from([centre.x, centre.y, 0.0])
            }
            AnyWorld::Space(space) => {
                let bodies = space.bodies.as_ref();
                bodies.map_or_else(Point::origin, |bodies| bodies.rigid.centre(body))
            }
        }
    }

    /// Returns the velocity of a rigid body's centre of mass.
    pub fn body_velocity(&self, body: usize) -> Vector<3> {
        match &self.inner {
            AnyWorld::Plane(plane) => {
                let velocity = plane.rigid.velocity(body);
                Vector::from([velocity.x, velocity.y, 0.0])
            }
            AnyWorld::Space(space) => {
                let bodies = space.bodies.as_ref();
                bodies.map_or_else(Vector::zeros, |bodies| bodies.rigid.velocity(body))
            }
        }
    }

    /// Returns the index of the wall, body or solid with a name.
    pub fn find(&self, kind: BodyKind, name: &str) -> Option<usize> {
        self.names.find(kind, name)
    }

    /// Returns the name of an object.
    pub fn name(&self, object: BodyRef) -> String {
        self.names.of(object)
    }

    /// Returns the surface of a rigid body, in its shape frame; `None` in 2D.
    pub fn body_surface(&self, body: usize) -> Option<&TriangleMesh> {
        match &self.inner {
            AnyWorld::Plane(_) => None,
            AnyWorld::Space(space) => space.bodies.as_ref()?.surfaces.get(body),
        }
    }

    /// Returns the corners of a polygon in world coordinates; `None` in 3D.
    pub fn polygon(&self, body: usize) -> Option<Vec<Point<2>>> {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.polygon(body),
            AnyWorld::Space(_) => None,
        }
    }

    /// Returns the elastic solids.
    pub fn solids(&self) -> &[ElasticSolid] {
        self.inner.solids()
    }

    /// Returns the number of walls.
    pub fn wall_count(&self) -> usize {
        self.names.count(BodyKind::Wall)
    }

    /// Returns the current pose and velocities of a wall's shape frame.
    pub fn wall(&self, wall: usize) -> PathState {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.wall_at(wall, self.time()),
            AnyWorld::Space(space) => space.walls[wall].at(self.time()),
        }
    }

    /// Returns the surface of a wall, in its own frame; `None` for a half-space.
    pub fn wall_surface(&self, wall: usize) -> Option<&TriangleMesh> {
        match &self.inner {
            AnyWorld::Plane(_) => None,
            AnyWorld::Space(space) => space.walls[wall].triangles.as_ref(),
        }
    }

    /// Returns the path of a wall.
    pub fn wall_path(&self, wall: usize) -> Path {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.wall_path(wall),
            AnyWorld::Space(space) => space.walls[wall].path,
        }
    }

    /// Returns a point of the plane of a half-space and its outward normal, now; `None` for a
    /// surface.
    pub fn wall_plane(&self, wall: usize) -> Option<(Point<3>, Vector<3>)> {
        let (pose, [point, normal]) = match &self.inner {
            AnyWorld::Plane(plane) => (plane.wall_at(wall, self.time()).pose, plane.plane(wall)?),
            AnyWorld::Space(space) => {
                let wall = &space.walls[wall];
                (wall.at(self.time()).pose, wall.half_space?)
            }
        };
        let normal = pose.vector(&Vector::from(normal)).try_normalize(0.0)?;
        Some((pose.point(&Point::from(point)), normal))
    }

    /// Returns the path of a rigid body with prescribed motion, from its position at the start on.
    pub fn body_path(&self, body: usize) -> Option<Path> {
        let guide = match &self.inner {
            AnyWorld::Plane(plane) => plane.rigid.guide(body),
            AnyWorld::Space(space) => space.bodies.as_ref()?.rigid.guide(body),
        }?;
        Some(guide.path)
    }

    /// Returns the radius of a rigid ball or disc; `None` for other shapes.
    pub fn body_radius(&self, body: usize) -> Option<f64> {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.rigid.shape(body).radius(),
            AnyWorld::Space(space) => space.bodies.as_ref()?.rigid.shape(body).radius(),
        }
    }

    /// Returns whether a wall ever moves.
    pub fn is_wall_moving(&self, wall: usize) -> bool {
        match &self.inner {
            AnyWorld::Plane(plane) => plane.is_wall_moving(wall),
            AnyWorld::Space(space) => !space.walls[wall].is_at_rest(),
        }
    }

    /// Returns the dimension.
    pub fn dimension(&self) -> Dimension {
        self.options.dimension
    }

    /// Returns everything that must survive a restart.
    pub fn save(&self) -> State {
        match &self.inner {
            AnyWorld::Plane(plane) => State {
                plane: Some(plane.save()),
                space: None,
                watch: self.watch.clone(),
                clock: self.clock,
                next_touch: self.next_touch.clone(),
            },
            AnyWorld::Space(space) => State {
                plane: None,
                space: Some(space.save()),
                watch: self.watch.clone(),
                clock: self.clock,
                next_touch: self.next_touch.clone(),
            },
        }
    }

    /// Restores a saved state of a world with the same objects.
    pub fn restore(&mut self, state: State) -> Result<(), WorldError> {
        let (watch, clock) = (state.watch.clone(), state.clock);
        let next_touch = state.next_touch.clone();
        let restored = match (&mut self.inner, state) {
            (
                AnyWorld::Plane(plane),
                State {
                    plane: Some(state), ..
                },
            ) => plane.restore(state),
            (
                AnyWorld::Space(space),
                State {
                    space: Some(state), ..
                },
            ) => space.restore(state),
            _ => Err(WorldError::State),
        };
        restored?;
        self.inner.set_broad_phase(self.options.broad);
        let kinds = [BodyKind::Wall, BodyKind::Body, BodyKind::Solid];
        let present = kinds.map(|kind| self.names.count(kind));
        (self.watch, self.clock, self.started) = (watch, clock, Some(present));
        (self.speed, self.next_touch) = (None, next_touch);

        Ok(())
    }
}

impl AnyWorld {
    fn set_broad_phase(&mut self, method: BroadMethod) {
        match self {
            Self::Plane(plane) => {
                plane.rigid.set_broad_phase(method);
                plane.queue_mut().set_broad_phase(method);
            }
            Self::Space(space) => {
                space.queue_mut().set_broad_phase(method);
                let bodies = space.bodies.as_mut();
                bodies
                    .into_iter()
                    .for_each(|bodies| bodies.rigid.set_broad_phase(method));
                let elastic = space.elastic.as_mut();
                elastic
                    .into_iter()
                    .for_each(|elastic| elastic.solids.set_broad_phase(method));
            }
        }
    }

    /// Collects the data for the check whether bodies pass through each other.
    fn check_input<'a>(&'a self, names: &'a Names, time: f64) -> CheckInput<'a> {
        match self {
            Self::Plane(plane) => plane.check_input(names, time),
            Self::Space(space) => space.check_input(names, time),
        }
    }
}

const NOT_IN_THE_PLANE: &str = "not supported in 2D; the plane has rigid polygons and half-planes";

fn invalid(fault: WorldError) -> StepError {
    StepError {
        body: "the world".to_owned(),
        cause: fault.to_string(),
        hint: "fix the object that was added last".to_owned(),
    }
}
