//! The 3D world: particles, rigid bodies and elastic solids, and their coupling.

use super::bodies::Bodies;
use super::build::{self, BuiltWall};
use super::elastic::Elastic;
use super::shapes::Triangles;
use super::stages::{Stages, timed};
use super::watch::{self, Deformed, Kind, Placed, Screen, Sight};
use super::{WorldError, frames, start};
use crate::obstacle::Give;
use crate::output::{ContactRow, Counts, Frame};
use crate::rigid::Rigid3;
use crate::scene::SceneSpec;
use crate::solid::{ElasticSolid, Solids};
use crate::{Energy, ForceLine, Matter, ParticleOverlaps, Particles, Region, StepError};
use impinge::inside::winding_number;
use impinge::space::{Matrix, Point, Vector};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The 3D world.
pub(super) struct Space {
    /// Their obstacles are the walls, then the bodies, then the solids.
    particles: Option<Particles>,
    bodies: Option<Bodies>,
    elastic: Option<Elastic>,
    walls: Vec<BuiltWall>,
    outlets: Vec<Region>,
    /// Surfaces of the walls, then of the bodies, which no centre may cross; `None` for invalid
    /// ones.
    screens: Vec<Option<Screen>>,
    /// Thickness of the bodies, then of the solids.
    thickness: [Vec<f64>; 2],
    /// Whether each body contains its centre.
    centred: Vec<bool>,
    /// An interior point of each solid that nothing else may reach.
    cores: Vec<Core>,
    /// Work of moving walls on particles and solids; bodies account for theirs themselves.
    work: f64,
}

/// Its complete mutable state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SpaceState {
    particles: Option<Particles>,
    bodies: Option<Rigid3>,
    solids: Option<Solids>,
    work: f64,
}

impl Space {
    pub(super) fn new(scene: &SceneSpec, folder: &Path) -> Result<Self, WorldError> {
        let walls = build::walls(scene, folder)?;
        let bodies = Bodies::new(scene, &walls, folder)?;
        let elastic = Elastic::new(scene, &walls, bodies.as_ref(), folder)?;
        let particles = build::particles(scene)?;
        let outlets = scene
            .outlet
            .iter()
            .map(|outlet| build::region(&outlet.region))
            .collect();
        let surfaces = bodies.as_ref().map_or(&[][..], |bodies| &bodies.surfaces);

        let of_wall = |wall: &BuiltWall| match (&wall.half_space, &wall.triangles) {
            (Some(plane), _) => Some(Screen::half_space(*plane)),
            (None, Some(surface)) => Screen::mesh(&surface.points, &surface.triangles),
            (None, None) => None,
        };
        let of_body = |surface: &Triangles| Screen::mesh(&surface.points, &surface.triangles);
        let screens = walls
            .iter()
            .map(of_wall)
            .chain(surfaces.iter().map(of_body))
            .collect();
        let solids = elastic
            .as_ref()
            .map_or(&[][..], |elastic| elastic.solids.solids());

        let thickness = [
            surfaces
                .iter()
                .map(|surface| watch::thickness(&surface.points, &surface.triangles))
                .collect(),
            solids
                .iter()
                .map(|solid| watch::thickness(solid.rest_points(), solid.surface_triangles()))
                .collect(),
        ];
        let centred = bodies.as_ref().map_or_else(Vec::new, centred);
        let cores = solids.iter().map(Core::of).collect();

        let mut space = Self {
            particles,
            bodies,
            elastic,
            walls,
            outlets,
            screens,
            thickness,
            centred,
            cores,
            work: 0.0,
        };
        space.add_obstacles()?;
        space.place_obstacles(0.0);

        Ok(space)
    }

    fn add_obstacles(&mut self) -> Result<(), WorldError> {
        let Some(particles) = &mut self.particles else {
            return Ok(());
        };

        for (i, wall) in self.walls.iter().enumerate() {
            particles.add_obstacle(wall.obstacle(&format!("wall[{i}]"))?)?;
        }

        for body in 0..self.bodies.as_ref().map_or(0, |bodies| bodies.rigid.len()) {
            particles.add_obstacle(self.bodies.as_ref().expect("counted").obstacle(body)?)?;
        }

        for solid in 0..self
            .elastic
            .as_ref()
            .map_or(0, |elastic| elastic.solids.len())
        {
            particles.add_obstacle(self.elastic.as_ref().expect("counted").obstacle(solid)?)?;
        }
        Ok(())
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = self
            .bodies
            .as_ref()
            .map_or_else(Vec::new, |bodies| bodies.notes());

        if let Some(particles) = &self.particles {
            let bodies = self.bodies.as_ref().map_or(0, |bodies| bodies.rigid.len());
            notes.extend(start::notes(particles, &self.walls, bodies));
        }

        notes.extend(self.elastic.iter().flat_map(Elastic::notes));
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

        for obstacle in &particles.obstacles()[self.walls.len()..] {
            let contact = particles.step_on(obstacle);
            let together = match obstacle.give {
                Give::Nodes { .. } => (of_solids.powi(-2) + contact.powi(-2)).powf(-0.5),
                _ => contact,
            };
            step = step.min(together);
        }

        step
    }

    pub(super) fn step(
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

        if let Some(bodies) = &mut self.bodies {
            timed(&mut stages.bodies, || bodies.rigid.interact(dt))?;
        }

        if let Some(elastic) = &mut self.elastic {
            self.work += timed(&mut stages.solids, || {
                elastic.solids.interact(dt)?;
                elastic.press(&self.walls, self.bodies.as_mut(), time + dt, dt)
            })?;
        }

        timed(&mut stages.motion, || {
            self.work += self.work_on_particles();
            self.feel_particles();
            self.matters_mut()
                .try_for_each(|matter| matter.finish(dt))?;
            if let Some(bodies) = &mut self.bodies {
                bodies.drain(&self.outlets);
            }
            Ok(())
        })
    }

    /// Returns the overlaps of the particles in the last step.
    pub(super) fn particle_overlaps(&self) -> Option<&ParticleOverlaps> {
        self.particles.as_ref().map(Particles::overlaps)
    }

    /// Returns the name of an obstacle of the particles.
    pub(super) fn obstacle_name(&self, number: u32) -> String {
        let bodies = self.bodies.as_ref().map_or(0, |bodies| bodies.rigid.len());
        match (number as usize).checked_sub(self.walls.len()) {
            None => format!("wall[{number}]"),
            Some(body) if body < bodies => format!("rigid body {body}"),
            Some(other) => format!("solid {}", other - bodies),
        }
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
                let (carried, reach) = (wall.carried(time), wall.reach());
                (carried.velocity.norm() + carried.spin.norm() * reach) * dt
            });

        bodies.chain(solids).fold(0.0, f64::max) + walls.fold(0.0, f64::max)
    }

    /// Collects the data for the check whether bodies and solids pass through each other.
    pub(super) fn sight(&self, time: f64) -> Sight<'_> {
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
                centres.push(((Kind::Bodies, number as u32), rigid.centre(number)));
            }
        }

        let solids = self
            .elastic
            .as_ref()
            .map_or(&[][..], |elastic| elastic.solids.solids());

        for (number, (solid, core)) in (0..).zip(solids.iter().zip(&self.cores)) {
            centres.push(((Kind::Solids, number), core.place(solid)));
        }

        let deformed = (0..).zip(solids).map(|(number, solid)| Deformed {
            points: solid.points(),
            triangles: solid.surface_triangles(),
            bounds: solid.bounds(),
            owner: (Kind::Solids, number),
        });
        let screens = self
            .screens
            .iter()
            .enumerate()
            .filter_map(|(number, screen)| {
                let screen = screen.as_ref()?;
                let wall =
                    |wall: &BuiltWall| (format!("wall[{number}]"), Some(wall.carried(time).pose));
                let body = |body: usize| {
                    let pose = bodies.and_then(|bodies| Some(bodies.carried(body)?.pose));
                    (format!("rigid body {body}"), pose)
                };
                let owner = number.checked_sub(self.walls.len());
                let (name, pose) = match owner {
                    None => wall(&self.walls[number]),
                    Some(number) => body(number),
                };
                Some(Placed {
                    screen,
                    name,
                    owner: owner.map(|body| (Kind::Bodies, body as u32)),
                    pose,
                })
            });

        Sight {
            time,
            contacts: self.touches_of(|kind| kind != "particles"),
            thickness: self.thickness.clone(),
            centres,
            screens: screens.collect(),
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

    fn matters(&self) -> impl Iterator<Item = (&'static str, &dyn Matter<3>)> {
        let particles = self
            .particles
            .as_ref()
            .map(|particles| ("particles", particles as &dyn Matter<3>));
        let bodies = self
            .bodies
            .as_ref()
            .map(|bodies| ("bodies", &bodies.rigid as &dyn Matter<3>));

        let solids = self
            .elastic
            .as_ref()
            .map(|elastic| ("solids", &elastic.solids as &dyn Matter<3>));
        particles.into_iter().chain(bodies).chain(solids)
    }

    /// Moves the obstacles to the walls at a time, and to the current bodies and solids.
    fn place_obstacles(&mut self, time: f64) {
        let Some(particles) = &mut self.particles else {
            return;
        };
        let (walls, others) = particles.obstacles_mut().split_at_mut(self.walls.len());

        for (wall, obstacle) in self.walls.iter().zip(walls) {
            let carried = wall.carried(time);
            obstacle.move_to(carried.pose, carried.velocity, carried.spin);
        }

        let count = self.bodies.as_ref().map_or(0, |bodies| bodies.rigid.len());
        let (bodies, solids) = others.split_at_mut(count);
        for (number, obstacle) in bodies.iter_mut().enumerate() {
            match self
                .bodies
                .as_ref()
                .and_then(|bodies| bodies.carried(number))
            {
                Some(carried) => {
                    obstacle.move_to(carried.pose, carried.velocity, carried.spin);
                    obstacle.give = self.bodies.as_ref().expect("carried").give(number);
                }
                None => obstacle.take_away(),
            }
        }

        for (number, obstacle) in solids.iter_mut().enumerate() {
            if let Some(elastic) = &self.elastic {
                elastic.deform(number, obstacle);
            }
        }
    }

    /// Returns the work of walls on the particles in a step.
    fn work_on_particles(&self) -> f64 {
        let Some(particles) = &self.particles else {
            return 0.0;
        };
        let walls = &particles.obstacles()[..self.walls.len()];
        walls.iter().map(|wall| -wall.work).sum()
    }

    /// Transfers the forces of the particles to bodies and solids.
    fn feel_particles(&mut self) {
        let Some(particles) = &self.particles else {
            return;
        };
        let mut obstacles = particles.obstacles()[self.walls.len()..].iter();

        if let Some(bodies) = &mut self.bodies {
            for body in 0..bodies.rigid.len() {
                let Some(obstacle) = obstacles.next() else {
                    return;
                };
                let felt = obstacle.reaction();
                if felt.force != Vector::<3>::zeros() || felt.torque != Vector::<3>::zeros() {
                    bodies.push(body, &felt.force, &felt.torque, &obstacle.pose().position());
                }
            }
        }

        if let Some(elastic) = &mut self.elastic {
            obstacles
                .enumerate()
                .for_each(|(solid, obstacle)| elastic.feel(solid, obstacle));
        }
    }

    pub(super) fn energy(&self) -> Energy {
        let walls = Energy {
            work: self.work,
            ..Energy::default()
        };
        self.matters()
            .fold(walls, |sum, (_, matter)| sum.plus(&matter.energy()))
    }

    pub(super) fn momentum(&self) -> [f64; 3] {
        self.matters()
            .map(|(_, matter)| matter.momentum())
            .sum::<Vector<3>>()
            .into()
    }

    pub(super) fn counts(&self) -> Counts {
        let beside_particles = self.matters().filter(|(kind, _)| *kind != "particles");
        let mut lines = Vec::new();
        beside_particles.for_each(|(_, matter)| matter.contacts(&mut lines));
        Counts {
            particles: self.particles.as_ref().map_or(0, Particles::len),
            bodies: self.bodies.as_ref().map_or(0, Bodies::count),
            solids: self
                .elastic
                .as_ref()
                .map_or(0, |elastic| elastic.solids.len()),
            contacts: self.particles.as_ref().map_or(0, Particles::contact_count) + lines.len(),
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

        counters
    }

    fn lines(&self) -> Vec<(&'static str, Vec<ForceLine<3>>)> {
        self.lines_of(|_| true)
    }

    fn lines_of(&self, counts: impl Fn(&str) -> bool) -> Vec<(&'static str, Vec<ForceLine<3>>)> {
        let lines = |(kind, matter): (&'static str, &dyn Matter<3>)| {
            let mut lines = Vec::new();
            matter.contacts(&mut lines);
            (kind, lines)
        };
        self.matters()
            .filter(|(kind, _)| counts(kind))
            .map(lines)
            .collect()
    }

    pub(super) fn touches(&self) -> Vec<ContactRow> {
        self.touches_of(|_| true)
    }

    /// Returns the contacts of some kinds of matter.
    fn touches_of(&self, counts: impl Fn(&str) -> bool) -> Vec<ContactRow> {
        let lines = self.lines_of(counts).into_iter();
        lines
            .flat_map(|(kind, lines)| lines.into_iter().map(move |line| ContactRow { kind, line }))
            .collect()
    }

    pub(super) fn frames(&self, number: usize, time: f64) -> Vec<Frame> {
        let mut frames = Vec::new();
        frames.extend(self.particles.as_ref().map(frames::particles));
        frames.extend(self.bodies.as_ref().map(frames::bodies));
        frames.extend(
            self.elastic
                .as_ref()
                .map(|elastic| frames::solids(&elastic.solids)),
        );

        if number == 0 || !self.walls.iter().all(BuiltWall::is_at_rest) {
            frames.extend(frames::walls(&self.walls, time));
        }

        frames.push(frames::contacts(
            &self.lines(),
            self.particles.as_ref(),
            self.bodies.as_ref(),
        ));

        frames
    }

    pub(super) fn save(&self) -> SpaceState {
        SpaceState {
            particles: self.particles.clone(),
            bodies: self.bodies.as_ref().map(|bodies| bodies.rigid.clone()),
            solids: self.elastic.as_ref().map(|elastic| elastic.solids.clone()),
            work: self.work,
        }
    }

    pub(super) fn restore(&mut self, state: SpaceState) -> Result<(), WorldError> {
        let fits = state.particles.is_some() == self.particles.is_some()
            && state.bodies.is_some() == self.bodies.is_some()
            && state.solids.is_some() == self.elastic.is_some();

        if !fits {
            return Err(WorldError::State);
        }

        (self.particles, self.work) = (state.particles, state.work);
        if let (Some(bodies), Some(rigid)) = (&mut self.bodies, state.bodies) {
            bodies.rigid = rigid;
        }

        if let (Some(elastic), Some(solids)) = (&mut self.elastic, state.solids) {
            elastic.solids = solids;
        }

        Ok(())
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

/// Returns whether each body contains its centre: through others, such as rings, anything may pass.
fn centred(bodies: &Bodies) -> Vec<bool> {
    let is_centred = |(number, surface): (usize, &Triangles)| {
        let Some(carried) = bodies.carried(number) else {
            return false;
        };
        let centre = carried.pose.to_local(&bodies.rigid.centre(number));
        winding_number(&surface.points, &surface.triangles, &centre) > 0.5
    };
    bodies.surfaces.iter().enumerate().map(is_centred).collect()
}
