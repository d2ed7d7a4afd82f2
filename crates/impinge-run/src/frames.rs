//! Snapshots of a world as datasets for ParaView.

use crate::output::Frame;
use impinge::shape::ElementKind;
use impinge::space::Point;
use impinge_io::{Dataset, Field, Format, Values};
use impinge_sim::solid::ElasticSolid;
use impinge_sim::world::{Dimension, World};
use impinge_sim::{BodyKind, BodyRef, ContactRecord, Particles, TriangleMesh};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Returns the frames of all matter for a frame number; fixed walls are only in the first.
pub fn of(world: &World, number: usize) -> Vec<Frame> {
    if world.dimension() == Dimension::Plane {
        return vec![polygons(world), contacts(world)];
    }

    let mut frames = Vec::new();
    frames.extend(world.particles().map(particles));
    frames.extend((world.body_count() > 0).then(|| bodies(world)));
    frames.extend((!world.solids().is_empty()).then(|| solids(world.solids())));

    if number == 0 || (0..world.wall_count()).any(|wall| world.is_wall_moving(wall)) {
        frames.extend(walls(world));
    }

    frames.push(contacts(world));
    frames
}

/// Returns the particles as points.
fn particles(particles: &Particles) -> Frame {
    let mut dataset = Dataset::default();
    let (mut ids, mut radii, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    let (mut velocities, mut spins) = (Vec::new(), Vec::new());

    for (number, (id, grain)) in (0..).zip(particles.grains()) {
        dataset.mesh.points.push(Point::from(grain.position));
        dataset.mesh.push(ElementKind::Vertex, &[number]);
        ids.push(i64::from(id));
        radii.push(grain.radius);
        materials.push(i64::from(grain.species));
        velocities.push(grain.velocity);
        spins.push(grain.spin);
    }

    dataset.point_fields = vec![
        Field::scalar("radius", radii),
        Field::vector("velocity", &velocities),
        Field::vector("spin", &spins),
        Field::whole("material", materials),
        Field::whole("id", ids),
    ];

    Frame {
        kind: "particles",
        format: Format::Vtp,
        dataset,
    }
}

/// Returns the contact network of all matter.
fn contacts(world: &World) -> Frame {
    let particles = world.particles();
    let mut centres: Vec<Point<3>> = particles
        .map(|all| all.positions().collect())
        .unwrap_or_default();
    let radii: Vec<f64> = particles
        .map(|all| all.radii().collect())
        .unwrap_or_default();
    let ids = particles.map(Particles::ids).unwrap_or_default();
    let places: FxHashMap<u32, u32> = ids.iter().copied().zip(0..).collect();
    let count = world.body_count() as u32;
    centres.extend((0..world.body_count()).map(|body| world.body_centre(body)));

    // Across a periodic boundary the partner is elsewhere.
    let is_near = |place: u32, touch: &Point<3>| {
        (centres[place as usize] - touch).norm() <= 1.5 * radii[place as usize]
    };
    network(&world.contacts(), &centres, |body, touch| match body.kind {
        BodyKind::Particle => places
            .get(&body.index)
            .copied()
            .filter(|&place| is_near(place, touch)),
        BodyKind::Body => (body.index < count).then(|| radii.len() as u32 + body.index),
        BodyKind::Solid | BodyKind::Wall => None,
    })
}

/// Builds lines from centre to centre, or from a centre to the contact point, with the force. Kinds
/// are 0 particle, 1 body, 2 solid, 3 wall.
/// Without a centre, the line starts at the contact point and extends by the depth along the force.
/// `centre_of` returns the index of the centre of the body that touches at a place. Lines that end
/// at one centre share the point.
fn network(
    contacts: &[ContactRecord],
    centres: &[Point<3>],
    centre_of: impl Fn(BodyRef, &Point<3>) -> Option<u32> + Sync,
) -> Frame {
    let ends_of = |contact: &ContactRecord| {
        let centres = contact.bodies.map(|body| centre_of(body, &contact.point));
        ends(contact, centres)
    };
    let ends: Vec<[End; 2]> = contacts.par_iter().map(ends_of).collect();
    let mut dataset = Dataset::default();

    // The node of each centre, once created.
    let mut nodes = vec![None; centres.len()];
    for ends in &ends {
        let ends = ends.map(|end| {
            let next = dataset.mesh.points.len() as u32;
            let (node, point) = match end {
                End::Centre(centre) => (
                    *nodes[centre as usize].get_or_insert(next),
                    centres[centre as usize],
                ),
                End::Elsewhere(point) => (next, point),
            };
            dataset.mesh.points.extend((node == next).then_some(point));
            node
        });
        dataset.mesh.push(ElementKind::Line2, &ends);
    }

    let forces: Vec<[f64; 3]> = contacts.iter().map(|c| c.force.into()).collect();
    let normals: Vec<[f64; 3]> = contacts.iter().map(|c| c.normal.into()).collect();
    let scalars = |of: fn(&ContactRecord) -> f64| contacts.iter().map(of).collect();
    let whole = |of: fn(&ContactRecord) -> i64| contacts.iter().map(of).collect();
    dataset.cell_fields = vec![
        Field::scalar("force", scalars(|contact| contact.force.norm())),
        Field::vector("force_vector", &forces),
        Field::vector("normal", &normals),
        Field::scalar("depth", scalars(|contact| contact.depth)),
        Field::whole("kind_a", whole(|contact| contact.bodies[0].kind as i64)),
        Field::whole("id_a", whole(|contact| contact.bodies[0].index.into())),
        Field::whole("kind_b", whole(|contact| contact.bodies[1].kind as i64)),
        Field::whole("id_b", whole(|contact| contact.bodies[1].index.into())),
    ];

    Frame {
        kind: "contacts",
        format: Format::Vtp,
        dataset,
    }
}

/// The end of a line of the network.
#[derive(Clone, Copy)]
enum End {
    /// A centre, by index.
    Centre(u32),
    Elsewhere(Point<3>),
}

fn ends(contact: &ContactRecord, centres: [Option<u32>; 2]) -> [End; 2] {
    match centres {
        [Some(a), Some(b)] => [End::Centre(a), End::Centre(b)],
        [Some(end), None] | [None, Some(end)] => [End::Centre(end), End::Elsewhere(contact.point)],
        [None, None] => {
            let along = contact.force.try_normalize(0.0).unwrap_or_default() * contact.depth;
            [
                End::Elsewhere(contact.point),
                End::Elsewhere(contact.point + along),
            ]
        }
    }
}

/// Returns the surfaces of the walls; half-spaces have none.
fn walls(world: &World) -> Option<Frame> {
    let mut dataset = Dataset::default();
    let mut numbers = Vec::new();
    for number in 0..world.wall_count() {
        let Some(TriangleMesh { points, triangles }) = world.wall_surface(number) else {
            continue;
        };
        let pose = world.wall(number).pose;
        let first = dataset.mesh.points.len() as u32;
        dataset
            .mesh
            .points
            .extend(points.iter().map(|point| pose.point(point)));

        for triangle in triangles {
            dataset
                .mesh
                .push(ElementKind::Tri3, &triangle.map(|node| first + node));
            numbers.push(number as i64);
        }
    }

    dataset.cell_fields = vec![Field::whole("wall", numbers)];
    (!dataset.mesh.points.is_empty()).then_some(Frame {
        kind: "walls",
        format: Format::Vtp,
        dataset,
    })
}

/// Returns the surfaces of the rigid bodies.
fn bodies(world: &World) -> Frame {
    let mut dataset = Dataset::default();
    let (mut numbers, mut velocities) = (Vec::new(), Vec::new());
    for number in 0..world.body_count() {
        let (Some(state), Some(TriangleMesh { points, triangles })) =
            (world.body(number), world.body_surface(number))
        else {
            continue;
        };
        let first = dataset.mesh.points.len() as u32;

        for point in points.iter().map(|point| state.pose.point(point)) {
            let arm = point - state.pose.position();
            dataset.mesh.points.push(point);
            velocities.push((state.velocity + state.spin.cross(&arm)).into());
        }

        for triangle in triangles {
            dataset
                .mesh
                .push(ElementKind::Tri3, &triangle.map(|node| first + node));
            numbers.push(number as i64);
        }
    }

    dataset.point_fields = vec![Field::vector("velocity", &velocities)];
    dataset.cell_fields = vec![Field::whole("body", numbers)];
    Frame {
        kind: "bodies",
        format: Format::Vtp,
        dataset,
    }
}

/// Returns the cells of the solids with their stress and strain.
fn solids(solids: &[ElasticSolid]) -> Frame {
    let mut dataset = Dataset::default();
    let (mut numbers, mut velocities, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    let (mut von_mises, mut cauchy) = (Vec::new(), Vec::new());
    let mut green = Vec::new();
    let (mut stresses, mut strains) = (Vec::new(), Vec::new());

    for (number, solid) in (0..).zip(solids) {
        let first = dataset.mesh.points.len() as u32;
        dataset.mesh.points.extend_from_slice(solid.points());
        velocities.extend(solid.velocities().iter().map(|&v| <[f64; 3]>::from(v)));
        moved.extend(
            solid
                .points()
                .iter()
                .zip(solid.rest_points())
                .map(|(x, rest)| <[f64; 3]>::from(x - rest)),
        );

        for (kind, nodes) in solid.cells() {
            let nodes: Vec<u32> = nodes.iter().map(|node| first + node).collect();
            dataset.mesh.push(kind, &nodes);
            numbers.push(number);
        }

        solid.stresses(&mut stresses);
        von_mises.extend(stresses.iter().map(|stress| stress.von_mises));
        cauchy.extend(stresses.iter().flat_map(|stress| stress.cauchy));
        solid.strains(&mut strains);
        green.extend_from_slice(strains.as_flattened());
    }

    dataset.point_fields = vec![
        Field::vector("velocity", &velocities),
        Field::vector("displacement", &moved),
    ];
    dataset.cell_fields = vec![
        Field::scalar("von_mises", von_mises),
        tensor("stress", cauchy),
        tensor("strain", green),
        Field::whole("solid", numbers),
    ];

    Frame {
        kind: "solids",
        format: Format::Vtu,
        dataset,
    }
}

/// Returns a field of symmetric tensors: xx, yy, zz, xy, yz, zx.
fn tensor(name: &str, values: Vec<f64>) -> Field {
    Field {
        name: name.to_owned(),
        components: 6,
        values: Values::Real(values),
    }
}

/// Returns the polygons of the plane as fans of triangles, at z = 0.
fn polygons(world: &World) -> Frame {
    let mut dataset = Dataset::default();
    let (mut numbers, mut speeds) = (Vec::new(), Vec::new());
    for body in 0..world.body_count() {
        let Some(corners) = world.polygon(body) else {
            continue;
        };
        let first = dataset.mesh.points.len() as u32;
        let lifted = corners.iter().map(|p| Point::from([p.x, p.y, 0.0]));
        dataset.mesh.points.extend(lifted);

        for corner in 2..corners.len() as u32 {
            dataset.mesh.push(
                ElementKind::Tri3,
                &[first, first + corner - 1, first + corner],
            );
            numbers.push(body as i64);
            speeds.push(world.body_velocity(body).norm());
        }
    }

    dataset.cell_fields = vec![
        Field::whole("body", numbers),
        Field::scalar("speed", speeds),
    ];
    Frame {
        kind: "bodies",
        format: Format::Vtp,
        dataset,
    }
}
