//! From a scene to its world: files are read, random shapes and places drawn, and everything is
//! added to the world, kind by kind in the order of the scene.

mod bodies;
mod dense;
mod error;
mod materials;
mod neighbours;
mod particles;
mod placed;
mod placing;
mod shapes;
mod solids;
#[cfg(test)]
mod tests;

pub use error::BuildError;

use crate::scene::{self, Periodic, SceneSpec, Turn};
use impinge::space::Random;
use impinge_sim::Deformation;
use impinge_sim::world::{Dimension, WallDef, WallShape, World, WorldOptions};
use std::path::Path;

/// Builds the world of a scene and starts it; mesh paths are relative to the folder.
pub fn world(scene: &SceneSpec, folder: &Path) -> Result<World, BuildError> {
    let mut world = World::new(options(scene))?;
    add_walls(&mut world, scene, folder)?;
    bodies::add(&mut world, scene, folder)?;
    solids::add(&mut world, scene, folder)?;
    particles::add(&mut world, scene, folder)?;

    world.start()?;
    Ok(world)
}

fn options(scene: &SceneSpec) -> WorldOptions {
    let materials = materials::of(scene);
    let period = |axis: usize| {
        let periodic = scene
            .periodic
            .as_ref()
            .filter(|periodic| periodic.axes[axis])?;
        Some([periodic.min[axis], periodic.max[axis]])
    };

    WorldOptions {
        dimension: match scene.dimension {
            2 => Dimension::Plane,
            _ => Dimension::Space,
        },
        gravity: scene.weight(),
        law: materials::law(scene, &materials),
        pairings: materials::pairings(scene, &materials),
        materials,
        contact_stiffness: scene.contact.stiffness,
        penalty: scene.contact.penalty,
        broad: scene.contact.broad.into(),
        period: [0, 1, 2].map(period),
        deformation: [0, 1, 2].map(|axis| deformation(scene.periodic.as_ref(), axis)),
        damping: scene.damping,
    }
}

fn deformation(periodic: Option<&Periodic>, axis: usize) -> Deformation {
    let Some(periodic) = periodic else {
        return Deformation::Fixed;
    };
    match (periodic.rate[axis], periodic.pressure[axis]) {
        (_, pressure) if pressure > 0.0 => Deformation::Pressure {
            pressure,
            rate: periodic.largest_rate.unwrap_or_default(),
        },
        (rate, _) if rate != 0.0 => Deformation::Rate(rate),
        _ => Deformation::Fixed,
    }
}

/// Random streams: each kind of object draws from its own sequence.
#[derive(Clone, Copy)]
enum Draw {
    Particles,
    Inlets,
    Bodies,
    Walls,
}

/// Returns the random generator of one kind of object.
fn random(scene: &SceneSpec, draw: Draw) -> Random {
    let mut seeds = Random::new(scene.run.seed);
    let seed = (0..=draw as usize)
        .map(|_| seeds.bits())
        .last()
        .expect("at least one");
    Random::new(seed)
}

fn add_walls(world: &mut World, scene: &SceneSpec, folder: &Path) -> Result<(), BuildError> {
    let mut random = random(scene, Draw::Walls);
    for (i, wall) in scene.wall.iter().enumerate() {
        let key = &format!("wall[{i}]");
        let wall = wall_of(key, wall, scene, folder, &mut random)?;
        world.add_wall(wall).map_err(BuildError::world(key))?;
    }
    Ok(())
}

fn wall_of(
    key: &str,
    wall: &scene::Wall,
    scene: &SceneSpec,
    folder: &Path,
    random: &mut Random,
) -> Result<WallDef, BuildError> {
    let shape = match (&wall.shape, &wall.point, &wall.normal) {
        (Some(shape), ..) => {
            let mesh = shapes::triangles(key, shape, folder, random)?;
            WallShape::Surface(mesh.scaled(wall.scale.unwrap_or(1.0)))
        }
        (None, Some(point), Some(normal)) => WallShape::HalfSpace {
            point: three(point),
            normal: three(normal),
        },
        _ => {
            return Err(BuildError::unsuited(
                key,
                "a wall has either point and normal, or a shape",
            ));
        }
    };

    Ok(WallDef {
        name: wall.name.clone().unwrap_or_else(|| key.to_owned()),
        position: wall.position,
        orientation: quaternion(wall.rotation),
        path: wall.motion.as_ref().map(Into::into).unwrap_or_default(),
        material: materials::named(scene, wall.material.as_ref()),
        is_hollow: wall.hollow,
        thickness: wall.thickness,
        ..WallDef::new(shape)
    })
}

/// Returns the first three numbers; missing ones are 0, as in the plane.
fn three(numbers: &[f64]) -> [f64; 3] {
    std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0.0))
}

fn quaternion(rotation: Option<Turn>) -> [f64; 4] {
    rotation.map_or([0.0, 0.0, 0.0, 1.0], Turn::quaternion)
}
