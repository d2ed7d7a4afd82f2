//! The elastic solids of a scene, and their contact interface for other matter.

use super::bodies::Bodies;
use super::wall::Wall;
use super::{Names, SolidDef, WorldError, WorldOptions, materials};
use crate::law::{Material, Pairing};
use crate::obstacle::Compliance;
use crate::rigid::RigidShape3;
use crate::solid::{
    ElasticSolid, InvalidSolid, SolidContactOptions, SolidNeighbour, SolidOverlap, SolidReaction,
    Solids, SolidsOptions, Strain, SurfaceMaterial,
};
use crate::{
    BodyKind, BodyRef, Collider, ContactRecord, Matter, Obstacle, PathState, StepError,
    TriangleMesh,
};
use impinge::broad::Pair;
use impinge::shape::{ElementKind, HalfSpace, Surface};
use impinge::space::{Point, Vector};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of initially overlapping pairs named in notes; the others are counted.
const NAMED: usize = 5;

/// The elastic solids of a world.
pub(super) struct Elastic {
    pub(super) solids: Solids,
    /// Walls that are surfaces or move, and the rigid bodies, as barriers for the solids.
    barriers: Vec<Collider>,
    /// Wall indices of the solids' half-spaces.
    floors: Vec<usize>,
    /// Overlaps at the start.
    overlaps: Vec<SolidOverlap>,
    /// What bodies felt in this step: the number of the barrier, and the point that the torque is about.
    felt: Vec<(usize, SolidReaction, Point<3>)>,
    /// The materials of their surfaces for contacts with spheres, and their indices.
    sphere_materials: Vec<(Material, usize)>,
}

/// Returns pose and velocities of an object at a time; `None` if it was removed.
fn state_of(
    owner: BodyRef,
    walls: &[Wall],
    bodies: Option<&Bodies>,
    time: f64,
) -> Option<PathState> {
    let index = owner.index as usize;
    match owner.kind {
        BodyKind::Wall => Some(walls[index].at(time)),
        _ => bodies.and_then(|bodies| bodies.at(index)),
    }
}

impl Elastic {
    /// Creates an empty set at a time.
    pub(super) fn new(options: &WorldOptions, time: f64) -> Result<Self, WorldError> {
        let usual = SolidContactOptions::default();
        let contact = SolidContactOptions {
            penalty: options.penalty.unwrap_or(usual.penalty),
        };
        let (pairings, broad) = (&options.pairings, options.broad);
        let options = SolidsOptions {
            gravity: options.gravity,
            contact,
        };
        let mut solids = Solids::new(options).map_err(refused("solids"))?;
        solids.start_at(time);
        solids.set_pairings(pairings);
        solids.set_broad_phase(broad);
        Ok(Self {
            solids,
            barriers: Vec::new(),
            floors: Vec::new(),
            overlaps: Vec::new(),
            felt: Vec::new(),
            sphere_materials: Vec::new(),
        })
    }

    /// Adds a solid with a surface. Spheres touch a material of its own with a given index.
    pub(super) fn add(
        &mut self,
        name: &str,
        solid: SolidDef,
        surface: SurfaceMaterial,
        of_spheres: Material,
        place: usize,
    ) -> Result<(), WorldError> {
        let mut elastic = solid.elastic;
        elastic.surface = SurfaceMaterial {
            friction: solid.friction.unwrap_or(surface.friction),
            ..surface
        };

        let mut solids = self.solids.clone();
        let number = solids
            .add(solid.shape.clone(), &elastic, solid.self_contact)
            .map_err(refused(name))?;
        let velocities = velocities(solids.solid(number), &solid).map_err(refused(name))?;
        solids
            .set_velocities(number, &velocities)
            .map_err(refused(name))?;

        for (nodes, hold) in &solid.holds {
            solids.hold(number, nodes, *hold).map_err(refused(name))?;
        }

        self.solids = solids;
        self.sphere_materials.push((of_spheres, place));
        Ok(())
    }

    /// Adds a rigid body as a barrier.
    pub(super) fn add_body(
        &mut self,
        name: &str,
        body: usize,
        bodies: &Bodies,
        surface: SurfaceMaterial,
    ) -> Result<(), WorldError> {
        let made = barrier(name, bodies, body)?;
        self.barriers.push(made.with_surface(surface));
        Ok(())
    }

    /// Returns the materials of the solids that spheres touch.
    pub(super) fn sphere_materials(&self) -> impl Iterator<Item = Material> + '_ {
        self.sphere_materials.iter().map(|(material, _)| *material)
    }

    /// Returns the pairings of the materials that spheres touch.
    pub(super) fn pairings<'a>(
        &'a self,
        pairings: &'a [Pairing],
    ) -> impl Iterator<Item = Pairing> + 'a {
        let own = self.sphere_materials.iter().enumerate();
        own.flat_map(move |(solid, &(_, place))| {
            let surface = self.solids.solid(solid).material().surface.material;
            materials::pairings_of_solid(pairings, surface, place)
        })
    }

    /// Returns the half-space or barrier that each wall and rigid body is to the solids.
    fn neighbours(&self) -> FxHashMap<BodyRef, SolidNeighbour> {
        let floors = self.floors.iter().enumerate();
        let floors = floors.map(|(k, wall)| (BodyRef::wall(*wall), SolidNeighbour::HalfSpace(k)));
        let barriers = self.barriers.iter().enumerate();
        let barriers = barriers.map(|(k, fence)| (fence.owner, SolidNeighbour::Barrier(k)));
        floors.chain(barriers).collect()
    }

    /// Restricts the searches to pairs with a solid that may touch.
    pub(super) fn set_near(&mut self, pairs: &[[BodyRef; 2]]) {
        let mut near = self.solids.take_near();
        near.pairs.clear();
        near.half_spaces.clear();
        near.barriers.clear();
        if !pairs.is_empty() {
            let neighbours = self.neighbours();
            for &[a, b] in pairs {
                let (solid, other) = if a.kind == BodyKind::Solid {
                    (a, b)
                } else {
                    (b, a)
                };
                let solid = solid.index;
                match (other.kind, neighbours.get(&other)) {
                    (BodyKind::Solid, _) => near.pairs.push(Pair {
                        a: solid.min(other.index),
                        b: solid.max(other.index),
                    }),
                    (_, Some(&SolidNeighbour::HalfSpace(k))) => {
                        near.half_spaces.push([solid, k as u32]);
                    }
                    (_, Some(&SolidNeighbour::Barrier(k))) => near.barriers.push([solid, k as u32]),
                    _ => {}
                }
            }
        }

        near.pairs.sort_unstable();
        near.half_spaces.sort_unstable();
        near.barriers.sort_unstable();
        self.solids.set_near(Some(near));
    }

    /// Returns whether two objects, one of them a solid, share a contact of the last step.
    pub(super) fn is_held(&self, a: BodyRef, b: BodyRef) -> bool {
        let held = |solid: BodyRef, other: BodyRef| {
            solid.kind == BodyKind::Solid
                && self
                    .solids
                    .is_gripped(solid.index, |neighbour| match neighbour {
                        SolidNeighbour::Solid(number) => other == BodyRef::solid(number),
                        SolidNeighbour::HalfSpace(k) => other == BodyRef::wall(self.floors[k]),
                        SolidNeighbour::Barrier(k) => other == self.barriers[k].owner,
                    })
        };
        held(a, b) || held(b, a)
    }

    /// Finds the overlaps at the start.
    pub(super) fn start(&mut self, walls: &[Wall], bodies: Option<&Bodies>, time: f64) {
        let mut placed = Vec::new();
        for (number, collider) in self.barriers.iter_mut().enumerate() {
            if let Some(at) = state_of(collider.owner, walls, bodies, time) {
                collider.move_to(at);
                placed.push(number);
            }
        }

        let barriers = &self.barriers;
        let found = self.solids.overlaps(|solids, dt| {
            for &number in &placed {
                let barrier = &barriers[number];
                solids.press_barrier(number as u32, barrier, &Point::origin(), dt)?;
            }
            Ok(())
        });

        // An error here is reported by the first step.
        self.overlaps = found.unwrap_or_default();
    }

    /// Returns notes about solids that overlap something at the start, deepest first, about meshes too
    /// coarse for bending, and about restitution that has no effect.
    pub(super) fn notes(&self, names: &Names) -> Vec<String> {
        let name = |other: SolidNeighbour| match other {
            SolidNeighbour::Solid(solid) => names.of(BodyRef::solid(solid)),
            SolidNeighbour::HalfSpace(half) => names.of(BodyRef::wall(self.floors[half])),
            SolidNeighbour::Barrier(number) => names.of(self.barriers[number].owner),
        };

        let overlap = |overlap: &SolidOverlap| {
            let SolidOverlap {
                solid,
                other,
                depth,
            } = *overlap;
            let own = names.of(BodyRef::solid(solid));
            let who = match other {
                SolidNeighbour::Solid(other) if other == solid => format!("{own} overlaps itself"),
                other => format!("{own} and {} overlap", name(other)),
            };
            format!(
                "{who} by {depth:.2e} m at the start; the initial overlap exerts no force, only \
                 deeper penetration does"
            )
        };
        let mut notes: Vec<String> = self.overlaps.iter().take(NAMED).map(overlap).collect();

        if self.overlaps.len() > NAMED {
            let more = self.overlaps.len() - NAMED;
            notes.push(format!(
                "{more} more pairs with solids overlap at the start"
            ));
        }

        let solids = self.solids.solids().iter().enumerate();
        let has_partners =
            self.solids.len() > 1 || !self.barriers.is_empty() || !self.floors.is_empty();
        for (number, solid) in solids {
            let name = names.of(BodyRef::solid(number));
            notes.extend(coarse(&name, solid));
            if has_partners {
                notes.extend(elastic_bounce(&name, solid));
            }
        }
        notes
    }

    /// Adds a wall by its index.
    pub(super) fn add_wall(
        &mut self,
        name: &str,
        number: usize,
        wall: &Wall,
        surface: SurfaceMaterial,
    ) -> Result<(), WorldError> {
        let owner = BodyRef::wall(number);
        // Half-spaces of the solids' own never move.
        let moves = !wall.is_at_rest() || wall.path.is_conveyor();
        if let Some([point, normal]) = wall.half_space.filter(|_| moves) {
            let half =
                HalfSpace::new(point, normal).map_err(|fault| WorldError::shape(name, fault))?;
            let half = Collider::half_space(owner, half);
            self.barriers.push(half.with_surface(surface));
            return Ok(());
        }

        if let Some([point, normal]) = wall.half_space {
            let [point, normal] = [
                wall.pose.point(&Point::from(point)).coords,
                wall.pose.vector(&Vector::from(normal)),
            ];
            self.solids
                .add_half_space(point.into(), normal.into(), surface)
                .map_err(refused(name))?;
            self.floors.push(number);
        }

        if let Some(shape) = wall.surface(name)? {
            let made = Collider::of_surface(owner, shape, wall.thickness);
            let made = made.map_err(|fault| WorldError::shape(name, fault))?;
            self.barriers.push(made.with_surface(surface));
        }

        Ok(())
    }

    /// Applies the contact forces between solids, walls and rigid bodies at a time; bodies receive the
    /// reaction. Returns the work done by the walls.
    pub(super) fn press(
        &mut self,
        walls: &[Wall],
        mut bodies: Option<&mut Bodies>,
        time: f64,
        dt: f64,
    ) -> Result<f64, StepError> {
        let mut work = 0.0;
        self.felt.clear();
        for (number, collider) in self.barriers.iter_mut().enumerate() {
            if !self.solids.is_barrier_near(number as u32) {
                continue;
            }

            let Some(state) = state_of(collider.owner, walls, bodies.as_deref(), time) else {
                continue;
            };
            collider.move_to(state);
            let at = state.pose.position();
            let felt = self
                .solids
                .press_barrier(number as u32, collider, &at, dt)?;

            match (&mut bodies, collider.owner.kind) {
                (Some(bodies), BodyKind::Body) if felt.touches > 0 => {
                    let body = collider.owner.index as usize;
                    bodies.push(body, &felt.force, &felt.torque, &at);
                    if collider.mobility().inverse_mass > 0.0 {
                        self.felt.push((number, felt, at));
                    }
                }
                (_, BodyKind::Body) => {}
                _ => {
                    let rigid = felt.force.dot(&state.velocity) + felt.torque.dot(&state.spin);
                    work -= (rigid + felt.friction.dot(&state.surface)) * dt;
                }
            }
        }

        Ok(work)
    }

    /// Accounts for the work on the bodies at the end of a step.
    pub(super) fn book(&mut self, bodies: &Bodies, dt: f64) {
        for (number, felt, at) in &self.felt {
            let collider = &mut self.barriers[*number];
            if let Some(state) = bodies.at(collider.owner.index as usize) {
                collider.move_to(state);
                self.solids.book_barrier(felt, collider, at, dt);
            }
        }
    }

    /// Returns a solid as an obstacle for particles.
    pub(super) fn obstacle(&self, name: &str, number: usize) -> Result<Obstacle, WorldError> {
        let solid = self.solids.solid(number);
        let nodes = solid.surface_nodes();
        let place = |node: u32| {
            nodes
                .binary_search(&node)
                .expect("corners are surface nodes") as u32
        };
        let triangles: Vec<[u32; 3]> = solid
            .surface_triangles()
            .iter()
            .map(|t| t.map(place))
            .collect();

        let points: Vec<[f64; 3]> = nodes
            .iter()
            .map(|&n| solid.points()[n as usize].coords.into())
            .collect();
        Obstacle::mesh(&points, &triangles, self.sphere_materials[number].1)
            .map_err(|fault| WorldError::shape(name, fault))
    }

    /// Returns how a solid responds to the force of a particle.
    fn compliance(&self, solid: usize) -> Compliance {
        let solid = self.solids.solid(solid);
        let inverse = |node: &u32| match (solid.is_held(*node), solid.masses()[*node as usize]) {
            (false, mass) if mass > 0.0 => 1.0 / mass,
            _ => 0.0,
        };
        let is_free = (0..solid.masses().len() as u32).all(|node| !solid.is_held(node));

        Compliance::Nodes {
            inverse_mass: if is_free { 1.0 / solid.mass() } else { 0.0 },
            inverse_masses: solid.surface_nodes().iter().map(inverse).collect(),
        }
    }

    /// Updates an obstacle to the solid's current surface.
    pub(super) fn deform(&self, number: usize, obstacle: &mut Obstacle) {
        let solid = self.solids.solid(number);
        let at = |node: &u32| *node as usize;
        let points: Vec<Point<3>> = solid
            .surface_nodes()
            .iter()
            .map(|n| solid.points()[at(n)])
            .collect();
        let velocities: Vec<Vector<3>> = solid
            .surface_nodes()
            .iter()
            .map(|n| solid.velocities()[at(n)])
            .collect();
        obstacle.deform(&points, &velocities);

        // Masses are constant, but not part of a restart.
        if obstacle.compliance == Compliance::Fixed {
            obstacle.compliance = self.compliance(number);
        }
    }

    /// Transfers the forces of particles on an obstacle to the solid's nodes.
    pub(super) fn add_particle_forces(&mut self, solid: usize, obstacle: &Obstacle) {
        let nodes = self.solids.solid(solid).surface_nodes().to_vec();
        for (node, force) in nodes.into_iter().zip(obstacle.node_forces()) {
            if *force != Vector::<3>::zeros() {
                // A force that is not finite is reported as an error of its particle.
                let _ = self.solids.apply(solid, node, *force);
            }
        }
    }

    /// Appends the contacts of the last step.
    pub(super) fn contacts(&self, contacts: &mut Vec<ContactRecord>) {
        let first = contacts.len();
        self.solids.contacts(contacts);
        for contact in &mut contacts[first..] {
            let other = &mut contact.bodies[1];
            let index = other.index as usize;
            match other.kind {
                BodyKind::Wall => *other = BodyRef::wall(self.floors[index]),
                BodyKind::Body => *other = self.barriers[index].owner,
                BodyKind::Solid | BodyKind::Particle => {}
            }
        }
    }

    pub(super) fn stable_step(&self) -> f64 {
        self.solids.stable_step()
    }
}

fn velocities(solid: &ElasticSolid, new: &SolidDef) -> Result<Vec<Vector<3>>, InvalidSolid> {
    let moment: Vector<3> = solid
        .masses()
        .iter()
        .zip(solid.points())
        .map(|(m, p)| p.coords * *m)
        .sum();
    let centre = moment / solid.mass();
    let [velocity, spin] = [new.velocity, new.spin].map(Vector::<3>::from);
    let of = |point: &Point<3>| velocity + spin.cross(&(point.coords - centre));
    let mut velocities: Vec<Vector<3>> = solid.points().iter().map(of).collect();
    let count = velocities.len();

    for &(node, velocity) in &new.node_velocities {
        let place = velocities
            .get_mut(node as usize)
            .ok_or(InvalidSolid::NoSuchNode { node, count })?;
        *place = velocity.into();
    }

    Ok(velocities)
}

/// Returns a rigid body as a collider for solids.
fn barrier(name: &str, bodies: &Bodies, body: usize) -> Result<Collider, WorldError> {
    let wrong = |fault| WorldError::shape(name, fault);
    let owner = BodyRef::body(body);
    let made = match bodies.rigid.shape(body) {
        RigidShape3::Surface(shape) => Collider::of_surface(owner, Arc::clone(shape), 0.0),
        RigidShape3::Sphere(_) | RigidShape3::Polyhedron(_) => {
            let TriangleMesh { points, triangles } = &bodies.surfaces[body];
            let (closed, _) = Surface::repair(points, triangles).map_err(wrong)?;
            Collider::closed(owner, &closed)
        }
    };
    let made = made.map_err(wrong)?;

    let rigid = &bodies.rigid;
    Ok(match (rigid.mobility(body), rigid.pose(body)) {
        (None, _) => made,
        (Some(mobility), Some(pose)) if rigid.is_hinged(body) => {
            made.with_mobility(&mobility, &pose)
        }
        _ => made.with_mass(rigid.mass(body)),
    })
}

/// Returns a note about a slender solid with so few cells through its thickness that bending is off
/// by more than a few percent: by a quarter to a half with one smoothed cell, by a fifth with four
/// standard ones. Quadratic cells need only one.
fn coarse(name: &str, solid: &ElasticSolid) -> Option<String> {
    let linear = solid.cells().find(|(kind, _)| kind.order() == 1)?.0;
    let (enough, advice) = match (linear, solid.material().strain) {
        (ElementKind::Hex8, _) => (4, "4 or more, or cells of order 2"),
        (_, Strain::Smoothed) => (3, "3 or more"),
        (_, Strain::PerElement) => (8, "8 or more, or element = \"smoothed\""),
    };
    let cells = solid.cells_through_thickness()?.round() as usize;

    (cells < enough).then(|| {
        format!(
            "{name} has {} through its thickness, so its bending is too stiff; use {advice}",
            match cells {
                0 | 1 => "one cell".to_string(),
                more => format!("{more} cells"),
            }
        )
    })
}

/// Returns a note about an undamped solid whose restitution has no effect in collisions with walls and
/// solids.
fn elastic_bounce(name: &str, solid: &ElasticSolid) -> Option<String> {
    let material = solid.material();
    let restitution = material.surface.restitution;
    let is_damped = material.stiffness_damping > 0.0 || material.damping > 0.0;
    let length = solid.bounds().extent().max();

    (restitution < 1.0 && !is_damped).then(|| {
        format!(
            "{name} bounces by its own elasticity, whatever the restitution of its material \
             ({restitution}); stiffness_damping = {:.1e} would damp it to about that",
            material.damping_for(restitution, length)
        )
    })
}

fn refused(key: &str) -> impl Fn(InvalidSolid) -> WorldError + '_ {
    move |fault| WorldError::unsuited(key, fault.to_string())
}
