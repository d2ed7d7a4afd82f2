//! The 3D world: particles, rigid bodies and elastic solids, and their coupling.

use super::bodies::Bodies;
use super::crowd::Crowd;
use super::elastic::Elastic;
use super::guard::{Guard, GuardedStep};
use super::queue::TouchQueue;
use super::stages::{Stages, timed};
use super::wall::Wall;
use super::watch::{self, CheckInput, Deformed, Placed, Screen};
use super::{
    BodyDef, Counts, Names, SolidDef, WallDef, WorldError, WorldOptions, materials, start,
};
use crate::obstacle::Compliance;
use crate::particles::check_outlet;
use crate::rigid::Rigid3;
use crate::solid::{ElasticSolid, Solids};
use crate::{
    BodyKind, BodyRef, ContactRecord, Energy, Grain, Inlet, Matter, Obstacle, ParticleOverlaps,
    Particles, Region, Setup, StepError, TriangleMesh,
};
use impinge::inside::winding_number;
use impinge::space::{Matrix, Point, Vector};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The 3D world.
pub(super) struct Space {
    pub(super) particles: Option<Particles>,
    pub(super) bodies: Option<Bodies>,
    pub(super) elastic: Option<Elastic>,
    pub(super) walls: Vec<Wall>,
    /// The owners of the particles' obstacles: walls, bodies and solids.
    owners: Vec<BodyRef>,
    outlets: Vec<Region>,
    /// Surfaces of the walls and of the bodies, which no centre may cross; `None` for invalid ones.
    pub(super) wall_screens: Vec<Option<Screen>>,
    pub(super) body_screens: Vec<Option<Screen>>,
    /// Thickness of the bodies, then of the solids.
    pub(super) thickness: [Vec<f64>; 2],
    /// The same of what must not be passed in one step, thinner if a body is a shell.
    pub(super) passable: [Vec<f64>; 2],
    /// Thickness of the solids to themselves; infinite if they do not find self-contact.
    pub(super) folds: Vec<f64>,
    /// Thickness of the walls to rigid bodies, and to solids; infinite if they cannot be passed.
    pub(super) wall_thickness: Vec<[f64; 2]>,
    /// Start of the step that is being examined.
    pub(super) guarded_time: f64,
    guard: Guard,
    /// Whether each body contains its centre.
    centred: Vec<bool>,
    /// An interior point of each solid that nothing else may reach.
    cores: Vec<Core>,
    /// Work of moving walls on particles and solids; bodies account for theirs themselves.
    work: f64,
    /// Mass of the bodies that outlets removed.
    drained: f64,
    gravity: Vector<3>,
    /// When pairs of bodies, solids and walls can touch next.
    queue: TouchQueue,
}

/// Its complete mutable state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SpaceState {
    particles: Option<Particles>,
    bodies: Option<Rigid3>,
    solids: Option<Solids>,
    work: f64,
    drained: f64,
}

impl Space {
    pub(super) fn new(gravity: [f64; 3]) -> Self {
        Self {
            particles: None,
            bodies: None,
            elastic: None,
            walls: Vec::new(),
            owners: Vec::new(),
            outlets: Vec::new(),
            wall_screens: Vec::new(),
            body_screens: Vec::new(),
            thickness: [Vec::new(), Vec::new()],
            passable: [Vec::new(), Vec::new()],
            folds: Vec::new(),
            wall_thickness: Vec::new(),
            guarded_time: 0.0,
            guard: Guard::default(),
            centred: Vec::new(),
            cores: Vec::new(),
            work: 0.0,
            drained: 0.0,
            gravity: gravity.into(),
            queue: TouchQueue::default(),
        }
    }

    pub(super) fn add_wall(
        &mut self,
        name: &str,
        wall: WallDef,
        options: &WorldOptions,
        time: f64,
    ) -> Result<(), WorldError> {
        let (number, wall) = (self.walls.len(), Wall::new(name, wall)?);

        // Created first, so that an invalid shape changes nothing.
        let obstacle = wall.obstacle(name)?;
        let screen = match (&wall.half_space, &wall.triangles) {
            (Some(plane), _) => Some(Screen::half_space(*plane)),
            (None, Some(surface)) => Screen::mesh(&surface.points, &surface.triangles),
            (None, None) => None,
        };

        if let Some(bodies) = &mut self.bodies {
            bodies.add_wall(name, &wall)?;
        }

        if let Some(elastic) = &mut self.elastic {
            let surface = materials::surface_of(options, wall.material);
            elastic.add_wall(name, number, &wall, surface)?;
        }

        self.wall_thickness.push(wall_thickness(&wall));
        self.walls.push(wall);
        self.wall_screens.push(screen);
        match self.particles.is_some() {
            true => self.add_obstacle(BodyRef::wall(number), obstacle, time),
            false => Ok(()),
        }
    }

    pub(super) fn add_body(
        &mut self,
        name: &str,
        body: BodyDef,
        options: &WorldOptions,
        names: &Names,
        time: f64,
    ) -> Result<(), WorldError> {
        let material = &options.materials[body.material];
        let surface = materials::surface_of(options, body.material);
        if self.bodies.is_none() {
            let mut bodies = Bodies::new(options, time)?;
            for (number, wall) in self.walls.iter().enumerate() {
                bodies.add_wall(&names.of(BodyRef::wall(number)), wall)?;
            }
            self.bodies = Some(bodies);
        }

        let bodies = self.bodies.as_mut().expect("just created");
        bodies.add(name, body, material.density)?;
        let number = bodies.rigid.len() - 1;
        let TriangleMesh { points, triangles } = &bodies.surfaces[number];
        self.body_screens.push(Screen::mesh(points, triangles));
        self.thickness[0].push(watch::thickness(points, triangles));
        self.passable[0].push(watch::passable(points, triangles));
        self.centred.push(is_centred(bodies, number));

        if let Some(elastic) = &mut self.elastic {
            elastic.add_body(name, number, bodies, surface)?;
        }

        if self.particles.is_some() {
            let obstacle = bodies.obstacle(name, number)?;
            self.add_obstacle(BodyRef::body(number), obstacle, time)?;
        }
        Ok(())
    }

    pub(super) fn add_solid(
        &mut self,
        name: &str,
        solid: SolidDef,
        options: &WorldOptions,
        names: &Names,
        time: f64,
    ) -> Result<(), WorldError> {
        if self.elastic.is_none() {
            self.elastic = Some(self.new_elastic(options, names, time)?);
        }

        let elastic = self.elastic.as_mut().expect("just created");
        let number = elastic.solids.len();
        let surface = solid.material;
        let material = &options.materials[surface];
        let of_spheres = materials::of_solid(&solid.elastic, material, solid.friction);
        let place = options.materials.len() + number;
        elastic.add(
            name,
            solid,
            materials::surface_of(options, surface),
            of_spheres,
            place,
        )?;

        let solid = elastic.solids.solid(number);
        let (points, triangles) = (solid.rest_points(), solid.surface_triangles());
        self.thickness[1].push(watch::thickness(points, triangles));
        self.passable[1].push(watch::passable(points, triangles));
        self.folds.push(match solid.finds_self_contact() {
            true => watch::mean_thickness(points, triangles),
            false => f64::INFINITY,
        });
        self.cores.push(Core::of(solid));

        if let Some(particles) = &mut self.particles {
            let paired = materials::pairings_of_solid(&options.pairings, surface, place);
            particles.add_material(of_spheres, paired)?;
            let obstacle = elastic.obstacle(name, number)?;
            self.add_obstacle(BodyRef::solid(number), obstacle, time)?;
        }
        Ok(())
    }

    fn new_elastic(
        &self,
        options: &WorldOptions,
        names: &Names,
        time: f64,
    ) -> Result<Elastic, WorldError> {
        let mut elastic = Elastic::new(options, time)?;
        let surface = |material: usize| materials::surface_of(options, material);
        for (number, wall) in self.walls.iter().enumerate() {
            let name = names.of(BodyRef::wall(number));
            elastic.add_wall(&name, number, wall, surface(wall.material))?;
        }

        if let Some(bodies) = &self.bodies {
            for body in 0..bodies.rigid.len() {
                let name = names.of(BodyRef::body(body));
                elastic.add_body(&name, body, bodies, surface(bodies.material(body)))?;
            }
        }

        Ok(elastic)
    }

    pub(super) fn add_particles(
        &mut self,
        grains: &[Grain],
        options: &WorldOptions,
        names: &Names,
        time: f64,
    ) -> Result<Range<u32>, WorldError> {
        Ok(self.particles(options, names, time)?.add(grains)?)
    }

    pub(super) fn add_inlet(
        &mut self,
        inlet: Inlet,
        options: &WorldOptions,
        names: &Names,
        time: f64,
    ) -> Result<(), WorldError> {
        Ok(self.particles(options, names, time)?.add_inlet(inlet)?)
    }

    pub(super) fn add_outlet(&mut self, region: Region) -> Result<(), WorldError> {
        check_outlet(&region, self.outlets.len())?;
        if let Some(particles) = &mut self.particles {
            particles.add_outlet(region)?;
        }
        self.outlets.push(region);
        Ok(())
    }

    /// Returns the particles; creates them with all obstacles at the first call.
    fn particles(
        &mut self,
        options: &WorldOptions,
        names: &Names,
        time: f64,
    ) -> Result<&mut Particles, WorldError> {
        if self.particles.is_none() {
            let elastic = || self.elastic.iter();
            let of_solids = elastic().flat_map(Elastic::sphere_materials);
            let paired = elastic().flat_map(|elastic| elastic.pairings(&options.pairings));
            self.particles = Some(Particles::new(Setup {
                law: options.law,
                materials: options.materials.iter().copied().chain(of_solids).collect(),
                pairings: options.pairings.iter().copied().chain(paired).collect(),
                gravity: options.gravity,
                period: options.period,
                deformation: options.deformation,
                damping: options.damping,
            })?);
            self.particles
                .as_mut()
                .expect("just created")
                .start_at(time);
            self.add_obstacles(names, time)?;
            let particles = self.particles.as_mut().expect("just created");
            for outlet in &self.outlets {
                particles.add_outlet(*outlet)?;
            }
        }

        Ok(self.particles.as_mut().expect("just created"))
    }

    fn add_obstacles(&mut self, names: &Names, time: f64) -> Result<(), WorldError> {
        for number in 0..self.walls.len() {
            let owner = BodyRef::wall(number);
            let obstacle = self.walls[number].obstacle(&names.of(owner))?;
            self.add_obstacle(owner, obstacle, time)?;
        }

        for number in 0..self.bodies.as_ref().map_or(0, |bodies| bodies.rigid.len()) {
            let (owner, bodies) = (BodyRef::body(number), self.bodies.as_ref());
            let obstacle = bodies
                .expect("counted")
                .obstacle(&names.of(owner), number)?;
            self.add_obstacle(owner, obstacle, time)?;
        }

        for number in 0..self.solids().len() {
            let (owner, elastic) = (BodyRef::solid(number), self.elastic.as_ref());
            let obstacle = elastic
                .expect("counted")
                .obstacle(&names.of(owner), number)?;
            self.add_obstacle(owner, obstacle, time)?;
        }
        Ok(())
    }

    /// Adds an obstacle for the particles, at the place of its owner.
    fn add_obstacle(
        &mut self,
        owner: BodyRef,
        obstacle: Obstacle,
        time: f64,
    ) -> Result<(), WorldError> {
        let particles = self.particles.as_mut().expect("created before");
        let number = particles.add_obstacle(obstacle)?;
        self.owners.push(owner);
        self.place_obstacle(number, time);
        Ok(())
    }

    /// Returns the elastic solids.
    pub(super) fn solids(&self) -> &[ElasticSolid] {
        self.elastic
            .as_ref()
            .map_or(&[], |elastic| elastic.solids.solids())
    }

    /// Accepts the overlaps of bodies and walls from a given index on, and of solids.
    pub(super) fn start(
        &mut self,
        bodies: usize,
        walls: usize,
        time: f64,
    ) -> Result<(), WorldError> {
        if let Some(all) = &mut self.bodies {
            all.start(bodies, walls)?;
        }

        if let Some(elastic) = &mut self.elastic {
            elastic.start(&self.walls, self.bodies.as_ref(), time);
        }

        self.queue.reset();
        Ok(())
    }

    /// Sets whether pairs that cannot touch sleep, or every pair is searched at every step.
    pub(super) fn queue_mut(&mut self) -> &mut TouchQueue {
        &mut self.queue
    }

    /// Returns the number of parts of a step in which nothing passes anything; `speed` is the largest
    /// one of a body, solid or wall.
    pub(super) fn parts(&mut self, speed: f64, step: &GuardedStep) -> Result<u32, StepError> {
        let mut parts = self.parts_for_particles(step)?;
        if self.may_tunnel(speed, step.dt) {
            self.guarded_time = step.time;
            let movers = self.movers(step.time, step.dt);
            let mut guard = std::mem::take(&mut self.guard);
            let needed = guard.parts(&movers, self, step);
            self.guard = guard;
            parts = parts.max(needed?);
        }

        if let Some(bodies) = &mut self.bodies {
            bodies.rigid.set_guarded(true);
        }
        if let Some(particles) = &mut self.particles {
            particles.set_guarded(true);
        }
        Ok(parts)
    }

    pub(super) fn has_outlets(&self) -> bool {
        !self.outlets.is_empty()
    }

    /// Returns the owners of the particles' obstacles.
    pub(super) fn obstacle_owners(&self) -> impl Iterator<Item = BodyRef> + '_ {
        self.owners.iter().copied()
    }

    /// Finds the pairs that may touch at a time, and restricts the searches to them.
    fn wake(&mut self, time: f64, dt: f64) {
        if self.bodies.is_none() && self.elastic.is_none() {
            return;
        }

        let crowd = Crowd {
            bodies: self.bodies.as_ref(),
            elastic: self.elastic.as_ref(),
            walls: &self.walls,
            gravity: self.gravity,
            time,
            dt,
        };
        self.queue.update(&crowd, time, dt);
        let awake = self.queue.awake();
        let (of_solids, of_bodies): (Vec<_>, Vec<_>) = awake
            .map(|pair| pair.map(|object| crowd.object(object)))
            .partition(|pair| pair.iter().any(|object| object.kind == BodyKind::Solid));

        if let Some(bodies) = &mut self.bodies {
            bodies.set_near(&of_bodies);
        }
        if let Some(elastic) = &mut self.elastic {
            elastic.set_near(&of_solids);
        }
    }

    /// Ends the restriction to pairs that may touch, and counts the step.
    fn end_search(&mut self, folds: u64) {
        if let Some(bodies) = &mut self.bodies {
            bodies.rigid.take_near();
        }
        let mut is_idle = true;
        if let Some(elastic) = &mut self.elastic {
            elastic.solids.take_near();
            is_idle = elastic.solids.search_counters().folds == folds;
        }
        self.queue.count_step(is_idle);
    }

    fn folds(&self) -> u64 {
        let elastic = self.elastic.as_ref();
        elastic.map_or(0, |elastic| elastic.solids.search_counters().folds)
    }

    pub(super) fn notes(&self, names: &Names) -> Vec<String> {
        let bodies = self.bodies.iter();
        let mut notes: Vec<String> = bodies.flat_map(|bodies| bodies.notes(names)).collect();

        if let Some(particles) = &self.particles {
            notes.extend(start::notes(particles, &self.owners, &self.walls, names));
        }

        let elastic = self.elastic.iter();
        notes.extend(elastic.flat_map(|elastic| elastic.notes(names)));
        notes
    }

    /// Returns the longest step that all matter allows.
    pub(super) fn stable_step(&self) -> f64 {
        let particles = self
            .particles
            .as_ref()
            .map_or(f64::INFINITY, Matter::stable_step);
        let bodies = self
            .bodies
            .as_ref()
            .map_or(f64::INFINITY, |bodies| bodies.rigid.stable_step());

        let solids = self
            .elastic
            .as_ref()
            .map_or(f64::INFINITY, Elastic::stable_step);
        particles.min(bodies).min(self.coupled_step(solids))
    }

    /// Returns the longest stable step of particles on movable bodies and solids, and of the solids
    /// themselves: the contact stiffness adds to that of a node's elements.
    fn coupled_step(&self, of_solids: f64) -> f64 {
        let Some(particles) = &self.particles else {
            return of_solids;
        };
        let mut step = of_solids;

        for (_, obstacle) in self.movable_obstacles(particles) {
            let contact = particles.step_on(obstacle);
            let together = match obstacle.compliance {
                Compliance::Nodes { .. } => (of_solids.powi(-2) + contact.powi(-2)).powf(-0.5),
                _ => contact,
            };
            step = step.min(together);
        }

        step
    }

    /// Returns the obstacles that are bodies and solids, with their owners.
    fn movable_obstacles<'a>(
        &'a self,
        particles: &'a Particles,
    ) -> impl Iterator<Item = (BodyRef, &'a Obstacle)> {
        let all = self.owners.iter().copied().zip(particles.obstacles());
        all.filter(|(owner, _)| owner.kind != BodyKind::Wall)
    }

    /// Removes a rigid body: nothing touches it any more.
    pub(super) fn remove_body(&mut self, body: usize) {
        let Some(bodies) = &mut self.bodies else {
            return;
        };
        bodies.rigid.remove(body);
        let obstacle = self.owners.iter().position(|o| *o == BodyRef::body(body));
        if let (Some(particles), Some(obstacle)) = (&mut self.particles, obstacle) {
            particles.obstacles_mut()[obstacle].take_away();
        }
    }

    /// Runs a step up to the forces.
    pub(super) fn begin(
        &mut self,
        time: f64,
        dt: f64,
        stages: &mut Stages,
    ) -> Result<(), StepError> {
        timed(&mut stages.motion, || {
            self.matters_mut().for_each(|matter| matter.begin(dt));
            self.place_obstacles(time + dt);
        });

        if let Some(particles) = &mut self.particles {
            timed(&mut stages.particles, || particles.interact(dt))?;
        }

        let folds = self.folds();
        timed(&mut stages.queue, || self.wake(time + dt, dt));
        let searched = self.search(time, dt, stages);
        self.end_search(folds);
        searched?;

        timed(&mut stages.motion, || {
            self.work += self.work_on_particles();
            self.transfer_particle_forces();
        });
        Ok(())
    }

    /// Adds the forces of bodies and solids.
    fn search(&mut self, time: f64, dt: f64, stages: &mut Stages) -> Result<(), StepError> {
        if let Some(bodies) = &mut self.bodies {
            timed(&mut stages.bodies, || bodies.rigid.interact(dt))?;
        }

        if let Some(elastic) = &mut self.elastic {
            self.work += timed(&mut stages.solids, || {
                elastic.solids.interact(dt)?;
                elastic.press(&self.walls, self.bodies.as_mut(), time + dt, dt)
            })?;
        }

        Ok(())
    }

    /// Completes a step.
    pub(super) fn finish(&mut self, dt: f64, stages: &mut Stages) -> Result<(), StepError> {
        timed(&mut stages.motion, || {
            self.matters_mut()
                .try_for_each(|matter| matter.finish(dt))?;
            if let (Some(elastic), Some(bodies)) = (&mut self.elastic, &self.bodies) {
                elastic.book(bodies, dt);
            }
            if let Some(bodies) = &mut self.bodies {
                self.drained += bodies.drain(&self.outlets);
            }
            Ok(())
        })
    }

    /// Returns the overlaps of the particles in the last step.
    pub(super) fn particle_overlaps(&self) -> Option<&ParticleOverlaps> {
        self.particles.as_ref().map(Particles::overlaps)
    }

    /// Returns the name of the owner of an obstacle of the particles.
    pub(super) fn obstacle_name(&self, names: &Names, number: u32) -> String {
        names.of(self.owners[number as usize])
    }

    /// Returns the largest displacement of a body or solid in the last step, plus the largest one of
    /// a wall.
    pub(super) fn motion(&self, time: f64, dt: f64) -> f64 {
        let body = |rigid: &Rigid3, body: usize| {
            let turning = rigid.spin(body).norm() * rigid.reach(body);
            (rigid.velocity(body).norm() + turning) * dt
        };
        let bodies = self.bodies.iter().flat_map(|bodies| {
            let count = bodies.rigid.len();
            (0..count)
                .filter(|&number| !bodies.rigid.is_gone(number))
                .map(move |number| body(&bodies.rigid, number))
        });

        let solids = self.elastic.iter().flat_map(|elastic| {
            let nodes = elastic
                .solids
                .solids()
                .iter()
                .flat_map(|solid| solid.velocities());
            nodes.map(|velocity| velocity.norm() * dt)
        });

        let walls = self
            .walls
            .iter()
            .filter(|wall| !wall.is_at_rest())
            .map(|wall| {
                let (state, reach) = (wall.at(time), wall.reach());
                (state.velocity.norm() + state.spin.norm() * reach) * dt
            });

        bodies.chain(solids).fold(0.0, f64::max) + walls.fold(0.0, f64::max)
    }

    /// Collects the data for the check whether bodies and solids pass through each other.
    pub(super) fn check_input<'a>(&'a self, names: &'a Names, time: f64) -> CheckInput<'a> {
        let mut centres = Vec::new();
        let bodies = self.bodies.as_ref();
        for (number, _) in self
            .centred
            .iter()
            .enumerate()
            .filter(|(_, centred)| **centred)
        {
            if let Some(rigid) = bodies
                .map(|bodies| &bodies.rigid)
                .filter(|rigid| !rigid.is_gone(number))
            {
                centres.push((BodyRef::body(number), rigid.centre(number)));
            }
        }

        let solids = self.solids();
        for (number, (solid, core)) in (0..).zip(solids.iter().zip(&self.cores)) {
            centres.push((BodyRef::solid(number), core.place(solid)));
        }

        let deformed = (0..).zip(solids).map(|(number, solid)| Deformed {
            points: solid.points(),
            triangles: solid.surface_triangles(),
            bounds: solid.bounds(),
            owner: BodyRef::solid(number),
        });
        let walls = self.wall_screens.iter().zip(&self.walls).enumerate();
        let wall_screens = walls.filter_map(|(number, (screen, wall))| {
            Some(Placed {
                screen: screen.as_ref()?,
                owner: BodyRef::wall(number),
                pose: Some(wall.at(time).pose),
            })
        });
        let body_screens = self
            .body_screens
            .iter()
            .enumerate()
            .filter_map(|(number, screen)| {
                Some(Placed {
                    screen: screen.as_ref()?,
                    owner: BodyRef::body(number),
                    pose: bodies.and_then(|bodies| Some(bodies.at(number)?.pose)),
                })
            });

        let mut contacts = Vec::new();
        self.contacts_beside_particles(&mut contacts);
        CheckInput {
            names,
            time,
            contacts,
            thickness: self.thickness.clone(),
            centres,
            screens: wall_screens.chain(body_screens).collect(),
            deformed: deformed.collect(),
        }
    }

    fn matters_mut(&mut self) -> impl Iterator<Item = &mut dyn Matter<3>> {
        let particles = self
            .particles
            .as_mut()
            .map(|particles| particles as &mut dyn Matter<3>);
        let bodies = self
            .bodies
            .as_mut()
            .map(|bodies| &mut bodies.rigid as &mut dyn Matter<3>);

        let solids = self
            .elastic
            .as_mut()
            .map(|elastic| &mut elastic.solids as &mut dyn Matter<3>);
        particles.into_iter().chain(bodies).chain(solids)
    }

    fn matters(&self) -> impl Iterator<Item = &dyn Matter<3>> {
        let particles = self.particles.iter().map(|all| all as &dyn Matter<3>);
        let bodies = self.bodies.iter().map(|all| &all.rigid as &dyn Matter<3>);
        let solids = self.elastic.iter().map(|all| &all.solids as &dyn Matter<3>);
        particles.chain(bodies).chain(solids)
    }

    /// Moves the obstacles to the walls at a time, and to the current bodies and solids.
    pub(super) fn place_obstacles(&mut self, time: f64) {
        for number in 0..self.owners.len() {
            self.place_obstacle(number, time);
        }
    }

    fn place_obstacle(&mut self, number: usize, time: f64) {
        let Some(particles) = &mut self.particles else {
            return;
        };
        let (owner, obstacle) = (self.owners[number], &mut particles.obstacles_mut()[number]);
        let index = owner.index as usize;

        match (owner.kind, &self.bodies, &self.elastic) {
            (BodyKind::Wall, ..) => {
                let state = self.walls[index].at(time);
                obstacle.move_to(state.pose, state.velocity, state.spin);
                obstacle.set_surface_velocity(state.surface);
            }
            (BodyKind::Body, Some(bodies), _) => match bodies.at(index) {
                Some(state) => {
                    obstacle.move_to(state.pose, state.velocity, state.spin);
                    obstacle.compliance = bodies.compliance(index);
                }
                None => obstacle.take_away(),
            },
            (BodyKind::Solid, _, Some(elastic)) => elastic.deform(index, obstacle),
            _ => {}
        }
    }

    /// Returns the work of walls on the particles in a step.
    fn work_on_particles(&self) -> f64 {
        let Some(particles) = &self.particles else {
            return 0.0;
        };
        let all = self.owners.iter().zip(particles.obstacles());
        let walls = all.filter(|(owner, _)| owner.kind == BodyKind::Wall);
        walls.map(|(_, wall)| -wall.work).sum()
    }

    /// Transfers the forces of the particles to bodies and solids.
    fn transfer_particle_forces(&mut self) {
        let Some(particles) = &self.particles else {
            return;
        };

        for (owner, obstacle) in self.owners.iter().zip(particles.obstacles()) {
            let index = owner.index as usize;
            match (owner.kind, &mut self.bodies, &mut self.elastic) {
                (BodyKind::Body, Some(bodies), _) => {
                    let felt = obstacle.reaction();
                    if felt.force != Vector::<3>::zeros() || felt.torque != Vector::<3>::zeros() {
                        let at = obstacle.pose().position();
                        bodies.push(index, &felt.force, &felt.torque, &at);
                    }
                }
                (BodyKind::Solid, _, Some(elastic)) => elastic.add_particle_forces(index, obstacle),
                _ => {}
            }
        }
    }

    pub(super) fn energy(&self) -> Energy {
        let walls = Energy {
            work: self.work,
            ..Energy::default()
        };
        self.matters()
            .fold(walls, |sum, matter| sum.plus(&matter.energy()))
    }

    pub(super) fn momentum(&self) -> [f64; 3] {
        self.matters()
            .map(Matter::momentum)
            .sum::<Vector<3>>()
            .into()
    }

    pub(super) fn angular_momentum(&self) -> [f64; 3] {
        self.matters()
            .map(Matter::angular_momentum)
            .sum::<Vector<3>>()
            .into()
    }

    /// Returns the mass that outlets have removed.
    pub(super) fn drained_mass(&self) -> f64 {
        let particles = self.particles.as_ref();
        self.drained + particles.map_or(0.0, Particles::drained_mass)
    }

    pub(super) fn counts(&self) -> Counts {
        let mut others = Vec::new();
        self.contacts_beside_particles(&mut others);
        Counts {
            particles: self.particles.as_ref().map_or(0, Particles::len),
            bodies: self.bodies.as_ref().map_or(0, Bodies::count),
            solids: self
                .elastic
                .as_ref()
                .map_or(0, |elastic| elastic.solids.len()),
            contacts: self.particles.as_ref().map_or(0, Particles::contact_count) + others.len(),
        }
    }

    pub(super) fn counters(&self) -> BTreeMap<&'static str, u64> {
        let mut counters = BTreeMap::new();
        if let Some(particles) = &self.particles {
            let (lists, candidates) = particles.list_counters();
            counters.insert("neighbour_lists", lists);
            counters.insert("neighbour_candidates", candidates as u64);
            counters.insert(
                "bytes_per_particle",
                (particles.memory() / particles.len().max(1)) as u64,
            );
        }

        if self.bodies.is_some() || self.elastic.is_some() {
            let [volumes, pairs] = self
                .bodies
                .as_ref()
                .map_or([0; 2], |bodies| bodies.rigid.search_counters());
            let solids = self.elastic.as_ref();
            let solids = solids.map(|elastic| elastic.solids.search_counters());
            let solids = solids.unwrap_or_default();
            self.queue.write_counters(&mut counters);
            counters.insert("hierarchy_updates", solids.updates);
            counters.insert("volume_tests", volumes + solids.volumes);
            counters.insert("pair_searches", pairs + solids.pairs);
            counters.insert("self_contact_searches", solids.folds);
        }

        counters
    }

    /// Returns the contacts of the last step: of particles, then bodies, then solids.
    pub(super) fn contacts(&self) -> Vec<ContactRecord> {
        let mut contacts = Vec::new();
        if let Some(particles) = &self.particles {
            particles.contacts(&mut contacts);
            for contact in &mut contacts {
                let other = &mut contact.bodies[1];
                if other.kind == BodyKind::Wall {
                    *other = self.owners[other.index as usize];
                }
            }
        }

        self.contacts_beside_particles(&mut contacts);
        contacts
    }

    fn contacts_beside_particles(&self, contacts: &mut Vec<ContactRecord>) {
        if let Some(bodies) = &self.bodies {
            bodies.rigid.contacts(contacts);
        }

        if let Some(elastic) = &self.elastic {
            elastic.contacts(contacts);
        }
    }

    pub(super) fn save(&self) -> SpaceState {
        SpaceState {
            particles: self.particles.clone(),
            bodies: self.bodies.as_ref().map(|bodies| bodies.rigid.clone()),
            solids: self.elastic.as_ref().map(|elastic| elastic.solids.clone()),
            work: self.work,
            drained: self.drained,
        }
    }

    pub(super) fn restore(&mut self, state: SpaceState) -> Result<(), WorldError> {
        let fits = state.particles.is_some() == self.particles.is_some()
            && state.bodies.is_some() == self.bodies.is_some()
            && state.solids.is_some() == self.elastic.is_some()
            && state.bodies.as_ref().map(Rigid3::len)
                == self.bodies.as_ref().map(|bodies| bodies.rigid.len())
            && state.solids.as_ref().map(Solids::len)
                == self.elastic.as_ref().map(|elastic| elastic.solids.len())
            && state.particles.as_ref().map(|all| all.obstacles().len())
                == self.particles.as_ref().map(|all| all.obstacles().len());

        if !fits {
            return Err(WorldError::State);
        }

        (self.particles, self.work) = (state.particles, state.work);
        self.drained = state.drained;
        if let (Some(bodies), Some(rigid)) = (&mut self.bodies, state.bodies) {
            bodies.restore(rigid);
        }

        if let (Some(elastic), Some(solids)) = (&mut self.elastic, state.solids) {
            elastic.solids = solids;
        }

        self.queue.reset();
        Ok(())
    }
}

/// Returns the thickness of a wall to rigid bodies, and to solids. An open wall cuts bodies however
/// thin it is, and stops the nodes of solids within its contact thickness.
fn wall_thickness(wall: &Wall) -> [f64; 2] {
    match (&wall.closed, &wall.triangles) {
        (Some(closed), _) => [watch::passable(closed.points(), closed.triangles()); 2],
        (None, Some(_)) => [f64::INFINITY, wall.thickness],
        (None, None) => [f64::INFINITY; 2],
    }
}

/// A material point of a solid: barycentric coordinates in a tetrahedron.
struct Core {
    corners: [u32; 4],
    shares: [f64; 4],
}

impl Core {
    /// Picks the centre of mass if it is inside the solid, else the centre of the nearest
    /// tetrahedron.
    fn of(solid: &ElasticSolid) -> Self {
        let points = solid.rest_points();
        let moment: Vector<3> = points
            .iter()
            .zip(solid.masses())
            .map(|(point, mass)| point.coords * *mass)
            .sum();
        let centre = Point::from(moment / solid.mass());
        let holds = |corners: &[u32; 4]| {
            let shares = shares(&corners.map(|node| points[node as usize]), &centre)?;
            let corners = *corners;
            let is_within = shares.iter().all(|&share| share >= 0.0);
            is_within.then_some(Self { corners, shares })
        };

        let middle = |corners: &[u32; 4]| Self {
            corners: *corners,
            shares: [0.25; 4],
        };
        let off = |core: &Self| (core.among(points) - centre).norm();
        let tetrahedra = solid.tetrahedra();

        tetrahedra.iter().find_map(holds).unwrap_or_else(|| {
            let middles = tetrahedra.iter().map(middle);
            middles
                .min_by(|a, b| off(a).total_cmp(&off(b)))
                .expect("a solid has tetrahedra")
        })
    }

    fn among(&self, points: &[Point<3>]) -> Point<3> {
        let parts = self.corners.iter().zip(&self.shares);
        let sum: Vector<3> = parts
            .map(|(&node, share)| points[node as usize].coords * *share)
            .sum();
        Point::from(sum)
    }

    fn place(&self, solid: &ElasticSolid) -> Point<3> {
        self.among(solid.points())
    }
}

/// Returns the barycentric coordinates of a point in a tetrahedron; `None` if it is flat.
fn shares([a, b, c, d]: &[Point<3>; 4], point: &Point<3>) -> Option<[f64; 4]> {
    let edges = Matrix::<3>::from_columns(&[b - a, c - a, d - a]);
    let [u, v, w]: [f64; 3] = (edges.try_inverse()? * (point - a)).into();
    Some([1.0 - u - v - w, u, v, w])
}

/// Returns whether a body contains its centre; objects may legitimately pass through others, such as
/// rings.
fn is_centred(bodies: &Bodies, number: usize) -> bool {
    let Some(state) = bodies.at(number) else {
        return false;
    };
    let surface = &bodies.surfaces[number];
    let centre = state.pose.to_local(&bodies.rigid.centre(number));
    winding_number(&surface.points, &surface.triangles, &centre) > 0.5
}
