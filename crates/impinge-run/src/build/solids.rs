//! The elastic solids of a scene: cells, materials, held and pushed nodes.

use super::{BuildError, materials, quaternion, shapes};
use crate::scene::{CellKind, Element, Model, RegionSpec, SceneSpec, SolidBody, SolidShape};
use impinge::shape::{ElementKind, Mesh, generate};
use impinge::space::Pose;
use impinge_sim::solid::{
    ElasticMaterial, ElasticModel, InvalidSolid, SelfContact, SolidMesh, Strain,
};
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
        holds.push((nodes, impinge_sim::Path::default()));
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

fn nodes_in(shape: &SolidMesh, region: &RegionSpec) -> Vec<u32> {
    let nodes = (0..).zip(shape.points());
    let within = nodes.filter(|(_, point)| region.holds(point, 0.0));
    within.map(|(node, _)| node).collect()
}

/// Reads the cells and moves them to their position.
fn shape(key: &str, solid: &SolidBody, folder: &Path) -> Result<SolidMesh, BuildError> {
    let argument = BuildError::argument(key);
    let mut mesh = match &solid.shape {
        SolidShape::Mesh(path) => shapes::read(key, path, folder)?,
        SolidShape::Brick(brick) => {
            generate::brick(brick.cells, brick.size, kind_of(brick.kind)).map_err(argument)?
        }
        SolidShape::Ball(ball) => {
            generate::ball(ball.cells, ball.radius, kind_of(ball.kind)).map_err(argument)?
        }
        SolidShape::Cap(cap) => generate::cap(
            cap.radius,
            cap.thickness,
            cap.angle,
            cap.cells,
            kind_of(cap.kind),
        )
        .map_err(argument)?,
        SolidShape::Vee(vee) => generate::vee(vee.tetrahedra, vee.angle).map_err(argument)?,
    };

    let pose = Pose::from_quaternion(quaternion(solid.rotation), solid.position)
        .map_err(BuildError::pose(key))?;
    let scale = solid.scale.unwrap_or(1.0);
    mesh.points
        .iter_mut()
        .for_each(|point| *point = pose.point(&(*point * scale)));
    drop_loose_points(&mut mesh);

    SolidMesh::from_mesh(&mesh).map_err(|error| match error {
        InvalidSolid::Shape(problem) => BuildError::shape(key)(problem),
        other => BuildError::unsuited(&format!("{key}.shape"), other.to_string()),
    })
}

fn kind_of(kind: CellKind) -> ElementKind {
    match kind {
        CellKind::Tet4 => ElementKind::Tet4,
        CellKind::Tet10 => ElementKind::Tet10,
        CellKind::Hex8 => ElementKind::Hex8,
        CellKind::Hex20 => ElementKind::Hex20,
        CellKind::Hex27 => ElementKind::Hex27,
    }
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
