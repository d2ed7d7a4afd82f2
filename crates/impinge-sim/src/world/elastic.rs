//! The elastic solids of a scene, and how other matter sees them.

use super::WorldError;
use super::bodies::Bodies;
use super::build::{self, BuiltWall};
use super::shapes::{self, Triangles};
use crate::obstacle::Give;
use crate::scene::{Carried, Element, Model, SceneSpec, SolidBody, SolidShape, pose3};
use crate::solid::{
    Barrier, ElasticMaterial, ElasticModel, ElasticSolid, Hold, InvalidSolid, MovingHalfSpace,
    MovingSurface, SelfContact, SolidContactOptions, SolidNeighbour, SolidOverlap, Solids,
    SolidsOptions, Strain, SurfaceMaterial,
};
use crate::{Matter, Obstacle, StepError};
use impinge::shape::{ElementKind, HalfSpace, Mesh, Solid, Surface, generate};
use impinge::space::{Point, Vector};
use std::path::Path;

/// Number of initially overlapping pairs named in notes; the others are counted.
const NAMED: usize = 5;

/// The elastic solids of a scene.
pub(super) struct Elastic {
    pub(super) solids: Solids,
    /// Walls that are surfaces or move, then the rigid bodies, as barriers for the solids.
    barriers: Vec<Fence>,
    /// Wall indices of the first barriers.
    walls: Vec<usize>,
    /// Wall indices of the solids' half-spaces.
    floors: Vec<usize>,
    /// Overlaps at the start.
    overlaps: Vec<SolidOverlap>,
    /// Indices of the solids among the materials that spheres touch.
    sphere_materials: Vec<usize>,
}

/// An object that solids press against.
enum Fence {
    Surface(Box<MovingSurface>),
    HalfSpace(MovingHalfSpace),
}

impl Fence {
    fn place(&mut self, at: &Carried) {
        match self {
            Self::Surface(surface) => surface.place(at.pose, at.velocity, at.spin),
            Self::HalfSpace(half) => half.place(at.pose, at.velocity, at.spin),
        }
    }

    fn barrier(&self) -> &dyn Barrier {
        match self {
            Self::Surface(surface) => surface.as_ref(),
            Self::HalfSpace(half) => half,
        }
    }
}

impl Elastic {
    /// Creates the solids and their barriers; `None` if the scene has no solids.
    pub(super) fn new(
        scene: &SceneSpec,
        walls: &[BuiltWall],
        bodies: Option<&Bodies>,
        folder: &Path,
    ) -> Result<Option<Self>, WorldError> {
        if scene.solid.is_empty() {
            return Ok(None);
        }

        let usual = SolidContactOptions::default();
        let contact = SolidContactOptions {
            penalty: scene.contact.penalty.unwrap_or(usual.penalty),
        };
        let options = SolidsOptions {
            gravity: scene.weight(),
            contact,
        };
        let mut solids = Solids::new(options).map_err(refused("solid"))?;

        for (i, solid) in scene.solid.iter().enumerate() {
            add(&mut solids, &format!("solid[{i}]"), solid, scene, folder)?;
        }

        let mut elastic = Self {
            solids,
            barriers: Vec::new(),
            walls: Vec::new(),
            floors: Vec::new(),
            overlaps: Vec::new(),
            sphere_materials: (0..scene.solid.len())
                .map(|i| build::sphere_material_of_solid(scene, i))
                .collect(),
        };

        for (i, wall) in walls.iter().enumerate() {
            elastic.add_wall(i, wall, surface_of(scene, wall.material))?;
        }

        if let Some(bodies) = bodies {
            for body in 0..bodies.surfaces.len() {
                let made = barrier(bodies, body)?;
                let made = made.with_surface(surface_of(scene, bodies.material(body)));
                elastic.barriers.push(Fence::Surface(Box::new(made)));
            }
        }

        elastic.find_overlaps(walls, bodies);
        Ok(Some(elastic))
    }

    fn find_overlaps(&mut self, walls: &[BuiltWall], bodies: Option<&Bodies>) {
        let of_walls = self
            .walls
            .iter()
            .map(|&wall| Some(walls[wall].carried(0.0)));
        let of_bodies = bodies.into_iter().flat_map(|bodies| {
            let all = 0..bodies.surfaces.len();
            all.map(|body| bodies.carried(body))
        });
        let mut placed = Vec::new();

        for (number, carried) in of_walls.chain(of_bodies).enumerate() {
            if let Some(carried) = carried {
                self.barriers[number].place(&carried);
                placed.push(number);
            }
        }

        let barriers = &self.barriers;
        let found = self.solids.overlaps(|solids, dt| {
            for &number in &placed {
                let barrier = barriers[number].barrier();
                solids.press_barrier(number as u32, barrier, &Point::origin(), dt)?;
            }
            Ok(())
        });

        // An error here is reported by the first step.
        self.overlaps = found.unwrap_or_default();
    }

    /// Returns notes about solids that overlap something at the start, deepest first, and about
    /// meshes too coarse for bending.
    pub(super) fn notes(&self) -> Vec<String> {
        let name = |other: SolidNeighbour| match other {
            SolidNeighbour::Solid(solid) => format!("solid[{solid}]"),
            SolidNeighbour::HalfSpace(half) => format!("wall[{}]", self.floors[half]),
            SolidNeighbour::Barrier(number) => match self.walls.get(number) {
                Some(wall) => format!("wall[{wall}]"),
                None => format!("rigid body {}", number - self.walls.len()),
            },
        };

        let overlap = |overlap: &SolidOverlap| {
            let SolidOverlap {
                solid,
                other,
                depth,
            } = *overlap;
            let who = match other {
                SolidNeighbour::Solid(own) if own == solid => {
                    format!("solid[{solid}] overlaps itself")
                }
                other => format!("solid[{solid}] and {} overlap", name(other)),
            };
            format!(
                "{who} by {depth:.2e} m at the start; they begin without a force, and push once they come deeper"
            )
        };
        let mut notes: Vec<String> = self.overlaps.iter().take(NAMED).map(overlap).collect();

        if self.overlaps.len() > NAMED {
            let more = self.overlaps.len() - NAMED;
            notes.push(format!(
                "{more} more pairs with solids overlap at the start"
            ));
        }

        notes.extend(
            (0..self.solids.len()).filter_map(|number| coarse(number, self.solids.solid(number))),
        );
        notes
    }

    fn add_wall(
        &mut self,
        number: usize,
        wall: &BuiltWall,
        surface: SurfaceMaterial,
    ) -> Result<(), WorldError> {
        let key = format!("wall[{number}]");
        if let Some([point, normal]) = wall.half_space.filter(|_| !wall.is_at_rest()) {
            let half =
                HalfSpace::new(point, normal).map_err(|fault| WorldError::shape(&key, fault))?;
            self.barriers
                .push(Fence::HalfSpace(MovingHalfSpace::new(half, surface)));
            self.walls.push(number);
            return Ok(());
        }

        if let Some([point, normal]) = wall.half_space {
            let [point, normal] = [
                wall.pose.point(&Point::from(point)).coords,
                wall.pose.vector(&Vector::from(normal)),
            ];
            self.solids
                .add_half_space(point.into(), normal.into(), surface)
                .map_err(refused(&key))?;
            self.floors.push(number);
        }

        let made = match (&wall.closed, &wall.triangles) {
            (Some(closed), _) => MovingSurface::closed(closed.clone()),
            (None, Some(Triangles { points, triangles })) => {
                MovingSurface::open(points, triangles, wall.thickness)
            }
            (None, None) => return Ok(()),
        };
        let made = made.map_err(|fault| WorldError::shape(&key, fault))?;
        let made = made.with_surface(surface);
        self.barriers.push(Fence::Surface(Box::new(made)));
        self.walls.push(number);

        Ok(())
    }

    /// Presses the solids against the walls and the rigid bodies at a time; bodies receive the
    /// reaction. Returns the work done by the walls.
    pub(super) fn press(
        &mut self,
        walls: &[BuiltWall],
        bodies: Option<&mut Bodies>,
        time: f64,
        dt: f64,
    ) -> Result<f64, StepError> {
        let mut work = 0.0;
        for (number, &wall) in self.walls.iter().enumerate() {
            let carried = walls[wall].carried(time);
            self.barriers[number].place(&carried);
            let (at, barrier) = (carried.pose.position(), self.barriers[number].barrier());
            let felt = self.solids.press_barrier(number as u32, barrier, &at, dt)?;
            work -= (felt.force.dot(&carried.velocity) + felt.torque.dot(&carried.spin)) * dt;
        }

        let Some(bodies) = bodies else {
            return Ok(work);
        };
        let first = self.walls.len();

        for body in 0..bodies.surfaces.len() {
            let Some(carried) = bodies.carried(body) else {
                continue;
            };
            self.barriers[first + body].place(&carried);
            let (at, barrier) = (
                carried.pose.position(),
                self.barriers[first + body].barrier(),
            );
            let felt = self
                .solids
                .press_barrier((first + body) as u32, barrier, &at, dt)?;

            if felt.touches > 0 {
                bodies.push(body, &felt.force, &felt.torque, &at);
            }
        }

        Ok(work)
    }

    /// Returns a solid as an obstacle for particles.
    pub(super) fn obstacle(&self, number: usize) -> Result<Obstacle, WorldError> {
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
        Obstacle::mesh(&points, &triangles, self.sphere_materials[number])
            .map_err(|fault| WorldError::shape(&format!("solid[{number}]"), fault))
    }

    /// Returns how a solid responds to the force of a particle.
    fn give(&self, solid: usize) -> Give {
        let solid = self.solids.solid(solid);
        let inverse = |node: &u32| match (solid.is_held(*node), solid.masses()[*node as usize]) {
            (false, mass) if mass > 0.0 => 1.0 / mass,
            _ => 0.0,
        };
        let is_free = (0..solid.masses().len() as u32).all(|node| !solid.is_held(node));

        Give::Nodes {
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
        if obstacle.give == Give::Fixed {
            obstacle.give = self.give(number);
        }
    }

    /// Transfers the forces of particles on an obstacle to the solid's nodes.
    pub(super) fn feel(&mut self, solid: usize, obstacle: &Obstacle) {
        let nodes = self.solids.solid(solid).surface_nodes().to_vec();
        for (node, force) in nodes.into_iter().zip(obstacle.node_forces()) {
            if *force != Vector::<3>::zeros() {
                // A force that is not finite is reported as an error of its particle.
                let _ = self.solids.apply(solid, node, *force);
            }
        }
    }

    pub(super) fn stable_step(&self) -> f64 {
        self.solids.stable_step()
    }
}

fn add(
    solids: &mut Solids,
    key: &str,
    solid: &SolidBody,
    scene: &SceneSpec,
    folder: &Path,
) -> Result<(), WorldError> {
    let shape = shape(key, solid, folder)?;
    let named = surface_of(scene, build::material(scene, solid.material.as_ref()));
    let material = ElasticMaterial {
        density: solid.density,
        young: solid.young,
        poisson: solid.poisson,
        law: match solid.model {
            Model::SmallStrain => ElasticModel::SmallStrain,
            Model::NeoHookean => ElasticModel::NeoHookean,
        },
        strain: match solid.element {
            Element::Standard => Strain::PerElement,
            Element::Smoothed => Strain::Smoothed,
        },
        damping: solid.damping,
        stiffness_damping: solid.stiffness_damping,
        surface: SurfaceMaterial {
            friction: solid.friction.unwrap_or(named.friction),
            ..named
        },
    };

    let self_contact = if solid.self_contact {
        SelfContact::Found
    } else {
        SelfContact::Ignored
    };
    let number = solids
        .add(shape, &material, self_contact)
        .map_err(refused(key))?;
    let velocities = velocities(solids, number, solid);
    solids
        .set_velocities(number, &velocities)
        .map_err(refused(key))?;

    for region in &solid.fixed {
        let points = solids.solid(number).points();
        let held: Vec<u32> = (0..)
            .zip(points)
            .filter(|(_, p)| region.holds(p, 0.0))
            .map(|(n, _)| n)
            .collect();

        if held.is_empty() {
            return Err(WorldError::unsuited(
                &format!("{key}.fixed"),
                "no node lies in the region",
            ));
        }

        solids
            .hold(number, &held, Hold::Fixed)
            .map_err(refused(key))?;
    }

    Ok(())
}

/// Reads the tetrahedra and moves them to their position.
fn shape(key: &str, solid: &SolidBody, folder: &Path) -> Result<Solid, WorldError> {
    let argument = |fault| WorldError::argument(key, fault);
    let mut mesh = match &solid.shape {
        SolidShape::Mesh(path) => shapes::read(key, path, folder)?,
        SolidShape::Brick(brick) => {
            generate::brick(brick.cells, brick.size, ElementKind::Tet4).map_err(argument)?
        }
        SolidShape::Vee(vee) => generate::vee(vee.tetrahedra, vee.angle).map_err(argument)?,
    };

    if let Some(kind) = order_two(&mesh) {
        return Err(WorldError::unsuited(
            &format!("{key}.shape"),
            format!(
                "the mesh has {} cells, and solids are made of tet4 alone; convert it to first order",
                kind.name()
            ),
        ));
    }

    let pose =
        pose3(solid.position, solid.rotation).map_err(|fault| WorldError::pose(key, fault))?;
    let scale = solid.scale.unwrap_or(1.0);
    mesh.points
        .iter_mut()
        .for_each(|point| *point = pose.point(&(*point * scale)));
    drop_loose_points(&mut mesh);

    Solid::from_mesh(&mesh).map_err(|fault| WorldError::shape(key, fault))
}

/// Returns the kind of the first second-order solid cells. If only their corners were read, their
/// mid-side nodes would stay behind in every frame.
fn order_two(mesh: &Mesh) -> Option<ElementKind> {
    let kinds = mesh.blocks.iter().map(|block| block.kind);
    kinds
        .filter(|kind| kind.dimension() == 3)
        .find(|kind| kind.order() == 2)
}

/// Removes points without solid cells, and the cells that are not solid: nothing would move those
/// points.
fn drop_loose_points(mesh: &mut Mesh) {
    mesh.blocks.retain(|block| block.kind.dimension() == 3);
    let mut is_used = vec![false; mesh.points.len()];
    let nodes = mesh.blocks.iter().flat_map(|block| &block.nodes);

    for &node in nodes {
        match is_used.get_mut(node as usize) {
            Some(used) => *used = true,
            // The solid's validation reports it.
            None => return,
        }
    }

    let mut number = 0;
    let place = |used: &bool| {
        let place = number;
        number += u32::from(*used);
        place
    };
    let places: Vec<u32> = is_used.iter().map(place).collect();
    let mut used = is_used.iter();
    mesh.points.retain(|_| used.next() == Some(&true));

    for block in &mut mesh.blocks {
        block
            .nodes
            .iter_mut()
            .for_each(|node| *node = places[*node as usize]);
    }
}

fn velocities(solids: &Solids, number: usize, scene: &SolidBody) -> Vec<Vector<3>> {
    let solid = solids.solid(number);
    let moment: Vector<3> = solid
        .masses()
        .iter()
        .zip(solid.points())
        .map(|(m, p)| p.coords * *m)
        .sum();
    let centre = moment / solid.mass();
    let [velocity, spin] = [scene.velocity, scene.spin].map(Vector::<3>::from);

    let of = |point: &Point<3>| {
        let push = scene
            .push
            .iter()
            .rev()
            .find(|push| push.region.holds(point, 0.0));
        push.map_or_else(
            || velocity + spin.cross(&(point.coords - centre)),
            |push| Vector::from(push.velocity),
        )
    };

    solid.points().iter().map(of).collect()
}

/// Returns a rigid body as a barrier for solids.
fn barrier(bodies: &Bodies, body: usize) -> Result<MovingSurface, WorldError> {
    let key = format!("rigid body {body}");
    let wrong = |fault| WorldError::shape(&key, fault);
    let Triangles { points, triangles } = &bodies.surfaces[body];
    let (closed, _) = Surface::repair(points, triangles).map_err(wrong)?;
    let made = MovingSurface::closed(closed).map_err(wrong)?;

    Ok(match bodies.rigid.is_guided(body) {
        true => made,
        false => made.with_mass(bodies.rigid.mass(body)),
    })
}

/// Returns the surface properties of a scene material for contacts of solids.
fn surface_of(scene: &SceneSpec, material: usize) -> SurfaceMaterial {
    let material = &build::materials(scene)[material];
    SurfaceMaterial {
        friction: material.friction,
        restitution: material.restitution,
    }
}

/// Returns a note about a slender solid with so few cells through its thickness that bending is off
/// by more than a few percent: by a quarter to a half with one smoothed cell, by a fifth with four
/// standard ones.
fn coarse(number: usize, solid: &ElasticSolid) -> Option<String> {
    let (enough, advice) = match solid.material().strain {
        Strain::Smoothed => (3, "3 or more"),
        Strain::PerElement => (8, "8 or more, or element = \"smoothed\""),
    };
    let cells = solid.cells_through_thickness()?.round() as usize;

    (cells < enough).then(|| {
        format!(
            "solid[{number}] has {} through its thickness, so that it bends too little; take {advice}",
            match cells {
                0 | 1 => "one cell".to_string(),
                more => format!("{more} cells"),
            }
        )
    })
}

fn refused(key: &str) -> impl Fn(InvalidSolid) -> WorldError + '_ {
    move |fault| WorldError::unsuited(key, fault.to_string())
}
