//! The spheres of a scene: placed in regions or read from files; inlets and outlets.

use super::placing::PlacedSpheres;
use super::{BuildError, Draw, materials, random};
use crate::scene::{InletSpec, ParticlesSpec, Radius, RegionSpec, SceneSpec};
use impinge::space::{Point, Random};
use impinge_io::{Spheres, read_spheres};
use impinge_sim::world::World;
use impinge_sim::{Grain, Inlet, InletRate};
use std::path::Path;

/// Adds all spheres, inlets and outlets.
pub(super) fn add(world: &mut World, scene: &SceneSpec, folder: &Path) -> Result<(), BuildError> {
    let grains = grains(scene, folder)?;
    if !grains.is_empty() {
        world
            .add_particles(&grains)
            .map_err(BuildError::world("particles"))?;
    }

    let mut seeds = random(scene, Draw::Inlets);
    for (i, inlet) in scene.inlet.iter().enumerate() {
        let made = inlet_of(inlet, scene, seeds.bits());
        let key = format!("inlet[{i}]");
        world.add_inlet(made).map_err(BuildError::world(&key))?;
    }

    for (i, outlet) in scene.outlet.iter().enumerate() {
        let added = world.add_outlet((&outlet.region).into());
        added.map_err(BuildError::world(&format!("outlet[{i}]")))?;
    }
    Ok(())
}

fn inlet_of(inlet: &InletSpec, scene: &SceneSpec, seed: u64) -> Inlet {
    Inlet {
        region: (&inlet.region).into(),
        rate: match inlet.mass_rate {
            Some(rate) => InletRate::Mass(rate),
            None => InletRate::Number(inlet.rate.unwrap_or(0.0)),
        },
        radii: inlet.radius.spread(),
        species: materials::named(scene, inlet.material.as_ref()) as u16,
        velocity: inlet.velocity,
        scatter: inlet.spread,
        open: [inlet.from, inlet.until.unwrap_or(f64::MAX)],
        most: inlet.limit.unwrap_or(u64::MAX),
        seed,
    }
}

/// Returns all spheres, group by group. Random ones avoid those from files, wherever these stand in
/// the scene.
fn grains(scene: &SceneSpec, folder: &Path) -> Result<Vec<Grain>, BuildError> {
    let groups = scene.particles.iter().enumerate();
    let read = groups.map(|(i, group)| match &group.file {
        Some(file) => of_file(&format!("particles[{i}]"), group, &folder.join(file), scene),
        None => Ok(Vec::new()),
    });
    let read: Vec<Vec<Grain>> = read.collect::<Result<_, _>>()?;
    let sizes = scene
        .particles
        .iter()
        .filter_map(|group| group.radius.as_ref())
        .map(|radius| radius.range()[1]);
    let largest = sizes
        .chain(read.iter().flatten().map(|grain| grain.radius))
        .fold(0.0, f64::max);
    let mut room = PlacedSpheres::new(largest);

    for grain in read.iter().flatten() {
        room.take(Point::from(grain.position), grain.radius);
    }

    let mut random = random(scene, Draw::Particles);
    let mut grains = Vec::new();
    for ((i, group), read) in scene.particles.iter().enumerate().zip(read) {
        let resting = match group.file {
            Some(_) => read,
            None => placed(
                &format!("particles[{i}]"),
                group,
                scene,
                &mut room,
                &mut random,
            )?,
        };
        grains.extend(
            resting
                .into_iter()
                .map(|grain| moving(grain, group, &mut random)),
        );
    }

    Ok(grains)
}

/// Adds the group's motion to that of a sphere.
fn moving(grain: Grain, group: &ParticlesSpec, random: &mut Random) -> Grain {
    let velocity = std::array::from_fn(|k| {
        let deviation = group.spread * random.within(-1.0, 1.0);
        grain.velocity[k] + group.velocity[k] + deviation
    });
    Grain {
        velocity,
        spin: std::array::from_fn(|k| grain.spin[k] + group.spin[k]),
        is_fixed: group.fixed,
        ..grain
    }
}

/// Places the spheres of a group in its region.
fn placed(
    key: &str,
    group: &ParticlesSpec,
    scene: &SceneSpec,
    room: &mut PlacedSpheres,
    random: &mut Random,
) -> Result<Vec<Grain>, BuildError> {
    let species = materials::named(scene, group.material.as_ref()) as u16;
    let placed = room.fill(key, group, periodic_axes(group, scene), random)?;
    let grain = |sphere: &super::placed::Placed| Grain {
        position: sphere.centre.coords.into(),
        radius: sphere.radius,
        species,
        ..Grain::default()
    };

    Ok(placed.iter().map(grain).collect())
}

/// Returns the axes on which the group's region is the whole periodic box.
fn periodic_axes(group: &ParticlesSpec, scene: &SceneSpec) -> [bool; 3] {
    let (Some(RegionSpec::Box(cuboid)), Some(periodic)) = (&group.region, &scene.periodic) else {
        return [false; 3];
    };
    [0, 1, 2].map(|k| {
        let ends = [periodic.min[k], periodic.max[k]];
        periodic.axes[k] && [cuboid.min[k], cuboid.max[k]] == ends
    })
}

/// Reads the spheres of a file.
fn of_file(
    key: &str,
    group: &ParticlesSpec,
    path: &Path,
    scene: &SceneSpec,
) -> Result<Vec<Grain>, BuildError> {
    let spheres = read_spheres(path).map_err(|fault| BuildError::File {
        key: format!("{key}.file"),
        fault,
    })?;
    let scale = group.scale.unwrap_or(1.0);
    let radii = radii(key, group, &spheres, scale)?;
    let species = species(key, group, &spheres, scene)?;

    let vector = |of: &[[f64; 3]], n: usize| of.get(n).copied().unwrap_or_default();
    let grain = |n: usize| Grain {
        position: std::array::from_fn(|k| spheres.centres[n][k] * scale + group.position[k]),
        velocity: match group.fixed {
            true => [0.0; 3],
            false => vector(&spheres.velocities, n).map(|v| v * scale),
        },
        spin: match group.fixed {
            true => [0.0; 3],
            false => vector(&spheres.spins, n),
        },
        radius: radii[n],
        species: species[n],
        is_fixed: false,
    };

    Ok((0..spheres.centres.len()).map(grain).collect())
}

fn radii(
    key: &str,
    group: &ParticlesSpec,
    spheres: &Spheres,
    scale: f64,
) -> Result<Vec<f64>, BuildError> {
    let key = &format!("{key}.radius");
    match (&group.radius, spheres.radii.is_empty()) {
        (None, false) => Ok(spheres.radii.iter().map(|radius| radius * scale).collect()),
        (Some(Radius::Fixed(radius)), true) => Ok(vec![*radius; spheres.centres.len()]),
        (Some(Radius::Spread(_)), true) => Err(BuildError::unsuited(
            key,
            "spheres from a file have radii in the file, or one for all",
        )),
        (None, true) => Err(BuildError::unsuited(
            key,
            "the file has no radii; give one for all",
        )),
        (Some(_), false) => Err(BuildError::unsuited(key, "the file has radii already")),
    }
}

fn species(
    key: &str,
    group: &ParticlesSpec,
    spheres: &Spheres,
    scene: &SceneSpec,
) -> Result<Vec<u16>, BuildError> {
    if spheres.kinds.is_empty() || group.material.is_some() {
        let species = materials::named(scene, group.material.as_ref()) as u16;
        return Ok(vec![species; spheres.centres.len()]);
    }

    let (named, known): (&str, Vec<usize>) = match group.materials.is_empty() {
        true => ("material", (0..scene.material.len().max(1)).collect()),
        false => (
            "materials",
            group
                .materials
                .iter()
                .map(|name| materials::named(scene, Some(name)))
                .collect(),
        ),
    };
    let species = |kind: &i64| {
        let index = usize::try_from(kind - spheres.first_kind).ok();
        let known = index.and_then(|index| known.get(index)).copied();
        known.map(|index| index as u16).ok_or_else(|| {
            BuildError::unsuited(
                &format!("{key}.{named}"),
                format!("the file has the type {kind}, for which there is no material"),
            )
        })
    };

    spheres.kinds.iter().map(species).collect()
}
