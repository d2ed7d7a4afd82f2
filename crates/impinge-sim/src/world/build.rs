//! Conversion of a scene to simulation objects: materials, laws, regions, walls, particles.

use super::WorldError;
use super::placing::Room;
use super::shapes::{self, Triangles};
use crate::law::{Law, Material, Normal, Rolling, Stiffness};
use crate::rigid::{Bedding, RigidLaw, RigidLaws};
use crate::scene::{self, Carried, MotionSpec, SceneSpec, Wall, pose3};
use crate::{Grain, Inlet, Obstacle, Particles, Region, Setup};
use impinge::shape::Surface;
use impinge::space::{Aabb, Pose, Random};
use std::path::Path;

/// Ratios of tangential to normal stiffness and damping: with 2/7 both oscillations have the same
/// period.
const TANGENTIAL: f64 = 2.0 / 7.0;
const TANGENTIAL_DAMPING: f64 = 0.5;

/// Random streams: each kind of object draws from its own sequence.
#[derive(Clone, Copy)]
pub(super) enum Draw {
    Particles,
    Inlets,
    Bodies,
    Walls,
}

/// Returns the random generator of one kind of object.
pub(super) fn random(scene: &SceneSpec, draw: Draw) -> Random {
    let mut seeds = Random::new(scene.run.seed);
    let seed = (0..=draw as usize)
        .map(|_| seeds.bits())
        .last()
        .expect("at least one");
    Random::new(seed)
}

/// Returns the materials of a scene; one default material if it has none.
pub(super) fn materials(scene: &SceneSpec) -> Vec<scene::MaterialSpec> {
    match scene.material.is_empty() {
        true => vec![scene::MaterialSpec::default()],
        false => scene.material.clone(),
    }
}

/// Returns the index of a material by name; the first if no name is given.
pub(super) fn material(scene: &SceneSpec, name: Option<&String>) -> usize {
    let named = |name: &String| {
        scene
            .material
            .iter()
            .position(|material| material.name == *name)
    };
    name.and_then(named).unwrap_or(0)
}

fn law_material(material: &scene::MaterialSpec) -> Material {
    Material {
        young: material.young,
        poisson: material.poisson,
        restitution: material.restitution,
        friction: material.friction,
        rolling_friction: material.rolling,
        density: material.density,
    }
}

/// Returns the materials that spheres touch: those of the scene, then the surface of each elastic
/// solid.
fn sphere_materials(scene: &SceneSpec) -> Vec<Material> {
    let named = materials(scene);
    let of_solid = |solid: &scene::SolidBody| {
        let surface = law_material(&named[material(scene, solid.material.as_ref())]);
        Material {
            young: solid.young,
            poisson: solid.poisson,
            density: solid.density,
            friction: solid.friction.unwrap_or(surface.friction),
            ..surface
        }
    };
    let own = named.iter().map(law_material);

    own.chain(scene.solid.iter().map(of_solid)).collect()
}

/// Returns the index of an elastic solid's surface among the materials that spheres touch.
pub(super) fn sphere_material_of_solid(scene: &SceneSpec, solid: usize) -> usize {
    materials(scene).len() + solid
}

fn law(scene: &SceneSpec, materials: &[Material]) -> Law {
    let normal = match scene.contact.law {
        scene::LawSpec::Hertz => Normal::HertzMindlin,
        scene::LawSpec::Linear { stiffness } => Normal::Linear {
            stiffness: Stiffness::Given(stiffness),
            tangential: TANGENTIAL,
            tangential_damping: TANGENTIAL_DAMPING,
        },
        scene::LawSpec::Restoring { stiffness } => Normal::Restoring { stiffness },
    };
    let rolls = materials
        .iter()
        .any(|material| material.rolling_friction > 0.0);

    Law {
        normal,
        rolling: if rolls {
            Rolling::Spring
        } else {
            Rolling::None
        },
    }
}

/// Returns the laws of rigid bodies for each pair of materials. The default stiffness is the
/// harmonic mean of Young's moduli over the size of the pair: the two bodies are springs in series,
/// scaled so that two equal ones are as stiff as one.
pub(super) fn rigid_laws(scene: &SceneSpec) -> RigidLaws {
    let materials = materials(scene);
    let mean = |x: f64, y: f64| if x == y { x } else { (x * y).sqrt() };
    RigidLaws::of(materials.len(), |a, b| {
        let (a, b) = (&materials[a], &materials[b]);
        let young = Bedding::Young(2.0 / (1.0 / a.young + 1.0 / b.young));
        RigidLaw {
            bedding: scene.contact.bedding.map_or(young, Bedding::Given),
            restitution: mean(a.restitution, b.restitution),
            friction: mean(a.friction, b.friction),
            rolling: mean(a.rolling, b.rolling),
        }
    })
}

/// Creates the particles of a scene, with inlets and outlets but without obstacles; `None` if it
/// has no particles and no inlets.
pub(super) fn particles(scene: &SceneSpec) -> Result<Option<Particles>, WorldError> {
    if scene.particles.is_empty() && scene.inlet.is_empty() {
        return Ok(None);
    }

    let materials = sphere_materials(scene);
    let period = |axis: usize| {
        let periodic = scene
            .periodic
            .as_ref()
            .filter(|periodic| periodic.axes[axis])?;
        Some([periodic.min[axis], periodic.max[axis]])
    };

    let mut particles = Particles::new(Setup {
        law: law(scene, &materials),
        materials,
        pairings: Vec::new(),
        gravity: scene.weight(),
        period: [0, 1, 2].map(period),
    })?;
    particles.add(&grains(scene)?)?;
    let mut seeds = random(scene, Draw::Inlets);

    for inlet in &scene.inlet {
        particles.add_inlet(Inlet {
            region: region(&inlet.region),
            rate: inlet.rate,
            radii: inlet.radius.spread(),
            species: material(scene, inlet.material.as_ref()) as u16,
            velocity: inlet.velocity,
            scatter: inlet.spread,
            open: [inlet.from, inlet.until.unwrap_or(f64::MAX)],
            most: inlet.limit.unwrap_or(u64::MAX),
            seed: seeds.bits(),
        })?;
    }

    for outlet in &scene.outlet {
        particles.add_outlet(region(&outlet.region))?;
    }

    Ok(Some(particles))
}

fn grains(scene: &SceneSpec) -> Result<Vec<Grain>, WorldError> {
    let mut random = random(scene, Draw::Particles);
    let largest = scene
        .particles
        .iter()
        .map(|group| group.radius.range()[1])
        .fold(0.0, f64::max);
    let mut room = Room::new(largest);
    let mut grains = Vec::new();

    for (i, group) in scene.particles.iter().enumerate() {
        let species = material(scene, group.material.as_ref()) as u16;
        for placed in room.fill(&format!("particles[{i}]"), group, &mut random)? {
            let velocity = group
                .velocity
                .map(|v| v + group.spread * random.within(-1.0, 1.0));
            let position = placed.centre.coords.into();
            grains.push(Grain {
                position,
                velocity,
                spin: [0.0; 3],
                radius: placed.radius,
                species,
            });
        }
    }

    Ok(grains)
}

pub(super) fn region(region: &scene::RegionSpec) -> Region {
    match region {
        scene::RegionSpec::Box(cuboid) => {
            let corner = |corner: &[f64]| [corner[0], corner[1], corner[2]];
            Region::Box {
                min: corner(&cuboid.min),
                max: corner(&cuboid.max),
            }
        }
        scene::RegionSpec::Sphere(ball) => Region::Ball {
            centre: ball.centre,
            radius: ball.radius,
        },
        scene::RegionSpec::Cylinder(cylinder) => Region::Cylinder {
            from: cylinder.from,
            to: cylinder.to,
            radius: cylinder.radius,
        },
    }
}

/// A wall of a scene.
pub(super) struct BuiltWall {
    /// Its triangles in its own frame, scaled; `None` for a half-space.
    pub(super) triangles: Option<Triangles>,
    /// A point of the half-space's plane and the outward direction.
    pub(super) half_space: Option<[[f64; 3]; 2]>,
    /// Its initial pose.
    pub(super) pose: Pose<3>,
    pub(super) motion: MotionSpec,
    pub(super) material: usize,
    /// The closed body of the triangles, if they are closed and their inside is not free.
    pub(super) closed: Option<Surface>,
    /// Contact thickness for elastic solids, if the wall is open.
    pub(super) thickness: f64,
}

/// Thickness of an open wall relative to its size, unless the scene gives one.
const THICKNESS: f64 = 0.01;

impl BuiltWall {
    /// Returns the wall as an obstacle for particles.
    pub(super) fn obstacle(&self, key: &str) -> Result<Obstacle, WorldError> {
        let made = match (&self.half_space, &self.triangles) {
            (Some([point, normal]), _) => Obstacle::half_space(*point, *normal, self.material),
            (None, Some(Triangles { points, triangles })) => {
                let points: Vec<[f64; 3]> =
                    points.iter().map(|point| point.coords.into()).collect();
                Obstacle::mesh(&points, triangles, self.material)
            }
            (None, None) => unreachable!("a wall is a half-space or a surface"),
        };
        made.map_err(|fault| WorldError::shape(key, fault))
    }

    /// Returns position, velocity and rotation at a time.
    pub(super) fn carried(&self, time: f64) -> Carried {
        let carried = self.motion.at(time);
        let pose = carried.pose.after(&self.pose);
        let arm = pose.position() - carried.pose.position();
        Carried {
            pose,
            velocity: carried.velocity + carried.spin.cross(&arm),
            spin: carried.spin,
        }
    }

    /// Returns the largest distance of a point from the origin of its motion; 0 for a half-space.
    pub(super) fn reach(&self) -> f64 {
        let points = self.triangles.iter().flat_map(|surface| &surface.points);
        points.map(|point| point.coords.norm()).fold(0.0, f64::max)
    }

    /// Returns whether it never moves.
    pub(super) fn is_at_rest(&self) -> bool {
        self.motion.is_rest()
    }
}

/// Creates the walls of a scene.
pub(super) fn walls(scene: &SceneSpec, folder: &Path) -> Result<Vec<BuiltWall>, WorldError> {
    let mut random = random(scene, Draw::Walls);
    let walls = scene.wall.iter().enumerate();
    walls
        .map(|(i, wall)| build(&format!("wall[{i}]"), wall, scene, folder, &mut random))
        .collect()
}

fn build(
    key: &str,
    wall: &Wall,
    scene: &SceneSpec,
    folder: &Path,
    random: &mut Random,
) -> Result<BuiltWall, WorldError> {
    let triangles = match &wall.shape {
        Some(shape) => {
            Some(shapes::triangles(key, shape, folder, random)?.scaled(wall.scale.unwrap_or(1.0)))
        }
        None => None,
    };
    let three = |numbers: &Vec<f64>| [numbers[0], numbers[1], numbers[2]];
    let half_space = wall
        .point
        .as_ref()
        .zip(wall.normal.as_ref())
        .map(|(p, n)| [three(p), three(n)]);
    let pose = pose3(wall.position, wall.rotation).map_err(|fault| WorldError::pose(key, fault))?;
    let motion = wall.motion.clone().unwrap_or_default();

    let closed = match triangles.as_ref().filter(|_| !wall.hollow) {
        Some(surface) => shapes::closed(key, surface)?,
        None => None,
    };
    let size = |t: &Triangles| Aabb::of(t.points.iter().copied()).longest_edge();
    let thickness = wall
        .thickness
        .unwrap_or(THICKNESS * triangles.as_ref().map_or(1.0, size));
    let material = material(scene, wall.material.as_ref());

    Ok(BuiltWall {
        triangles,
        half_space,
        pose,
        motion,
        material,
        closed,
        thickness,
    })
}
