//! The elastic solids of a scene: tetrahedra, materials, held and pushed nodes.

use super::{BuildError, materials, quaternion, shapes};
use crate::scene::{Element, Model, RegionSpec, SceneSpec, SolidBody, SolidShape};
use impinge::shape::{ElementKind, Mesh, Solid, generate};
use impinge::space::Pose;
use impinge_sim::solid::{ElasticMaterial, ElasticModel, Hold, SelfContact, Strain};
use impinge_sim::world::{SolidDef, World};
use std::path::Path;

/// Adds the solids of a scene.
pub(super) fn add(world: &mut World, scene: &SceneSpec, folder: &Path) -> Result<(), BuildError> {
    for (i, solid) in scene.solid.iter().enumerate() {
        let key = &format!("solid[{i}]");
        let made = solid_of(key, solid, scene, folder)?;
        world.add_solid(made).map_err(BuildError::world(key))?;
    }
    Ok(())
}

fn solid_of(
    key: &str,
    solid: &SolidBody,
    scene: &SceneSpec,
    folder: &Path,
) -> Result<SolidDef, BuildError> {
    let shape = shape(key, solid, folder)?;
    let elastic = ElasticMaterial {
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
        ..ElasticMaterial::default()
    };

    let mut holds = Vec::new();
    for region in &solid.fixed {
        let nodes = nodes_in(&shape, region);
        if nodes.is_empty() {
            return Err(BuildError::unsuited(
                &format!("{key}.fixed"),
                "no node lies in the region",
            ));
        }
        holds.push((nodes, Hold::Fixed));
    }

    let pushed = solid.push.iter().flat_map(|push| {
        let nodes = nodes_in(&shape, &push.region);
        nodes.into_iter().map(|node| (node, push.velocity))
    });

    Ok(SolidDef {
        name: solid.name.clone().unwrap_or_else(|| key.to_owned()),
        material: materials::named(scene, solid.material.as_ref()),
        friction: solid.friction,
        self_contact: match solid.self_contact {
            true => SelfContact::Found,
            false => SelfContact::Ignored,
        },
        velocity: solid.velocity,
        spin: solid.spin,
        node_velocities: pushed.collect(),
        holds,
        ..SolidDef::new(shape, elastic)
    })
}

fn nodes_in(shape: &Solid, region: &RegionSpec) -> Vec<u32> {
    let nodes = (0..).zip(shape.points());
    let within = nodes.filter(|(_, point)| region.holds(point, 0.0));
    within.map(|(node, _)| node).collect()
}

/// Reads the tetrahedra and moves them to their position.
fn shape(key: &str, solid: &SolidBody, folder: &Path) -> Result<Solid, BuildError> {
    let argument = BuildError::argument(key);
    let mut mesh = match &solid.shape {
        SolidShape::Mesh(path) => shapes::read(key, path, folder)?,
        SolidShape::Brick(brick) => {
            generate::brick(brick.cells, brick.size, ElementKind::Tet4).map_err(argument)?
        }
        SolidShape::Vee(vee) => generate::vee(vee.tetrahedra, vee.angle).map_err(argument)?,
    };

    if let Some(kind) = order_two(&mesh) {
        return Err(BuildError::unsuited(
            &format!("{key}.shape"),
            format!(
                "the mesh has {} cells, but solids support only tet4; convert it to first order",
                kind.name()
            ),
        ));
    }

    let pose = Pose::from_quaternion(quaternion(solid.rotation), solid.position)
        .map_err(BuildError::pose(key))?;
    let scale = solid.scale.unwrap_or(1.0);
    mesh.points
        .iter_mut()
        .for_each(|point| *point = pose.point(&(*point * scale)));
    drop_loose_points(&mut mesh);

    Solid::from_mesh(&mesh).map_err(BuildError::shape(key))
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
