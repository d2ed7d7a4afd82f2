//! Snapshots of the world as datasets for ParaView.

use super::bodies::Bodies;
use super::build::BuiltWall;
use super::shapes::Triangles;
use crate::output::Frame;
use crate::solid::Solids;
use crate::{ForceLine, Particles};
use impinge::shape::ElementKind;
use impinge::space::Point;
use impinge_io::{Dataset, Field, Format, Values};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Returns the particles as points.
pub(super) fn particles(particles: &Particles) -> Frame {
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
pub(super) fn contacts(
    lines: &[(&'static str, Vec<ForceLine<3>>)],
    particles: Option<&Particles>,
    bodies: Option<&Bodies>,
) -> Frame {
    let mut centres: Vec<Point<3>> = particles
        .map(|all| all.positions().collect())
        .unwrap_or_default();
    let radii: Vec<f64> = particles
        .map(|all| all.radii().collect())
        .unwrap_or_default();
    let ids = particles.map(Particles::ids).unwrap_or_default();
    let places: FxHashMap<u32, u32> = ids.iter().copied().zip(0..).collect();
    let count = bodies.map_or(0, |bodies| bodies.rigid.len() as u32);
    centres.extend((0..count).filter_map(|body| Some(bodies?.rigid.centre(body as usize))));

    // Across a periodic boundary the partner is elsewhere.
    let is_near = |place: u32, touch: &Point<3>| {
        (centres[place as usize] - touch).norm() <= 1.5 * radii[place as usize]
    };
    network(lines, &centres, |kind, number, touch| match kind {
        "particles" => places
            .get(&number)
            .copied()
            .filter(|&place| is_near(place, touch)),
        "bodies" => (number < count).then(|| radii.len() as u32 + number),
        _ => None,
    })
}

/// Builds lines from centre to centre, or from a centre to the contact point, with the force.
/// Without a centre, the line starts at the contact point and extends by the depth along the force.
/// `centre_of` returns the index of the centre of the body that touches at a place. Lines that end
/// at one centre share the point.
pub(super) fn network(
    lines: &[(&'static str, Vec<ForceLine<3>>)],
    centres: &[Point<3>],
    centre_of: impl Fn(&str, u32, &Point<3>) -> Option<u32> + Sync,
) -> Frame {
    let all: Vec<(&str, &ForceLine<3>)> = lines
        .iter()
        .flat_map(|(kind, lines)| lines.iter().map(move |line| (*kind, line)))
        .collect();
    let ends_of = |(kind, line): &(&str, &ForceLine<3>)| {
        ends(
            line,
            line.bodies.map(|body| centre_of(kind, body, &line.point)),
        )
    };
    let ends: Vec<[End; 2]> = all.par_iter().map(ends_of).collect();
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

    let forces: Vec<[f64; 3]> = all.iter().map(|(_, line)| line.force.into()).collect();
    dataset.cell_fields = vec![
        Field::scalar(
            "force",
            all.iter().map(|(_, line)| line.force.norm()).collect(),
        ),
        Field::vector("force_vector", &forces),
        Field::scalar("depth", all.iter().map(|(_, line)| line.depth).collect()),
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

fn ends(line: &ForceLine<3>, centres: [Option<u32>; 2]) -> [End; 2] {
    match centres {
        [Some(a), Some(b)] => [End::Centre(a), End::Centre(b)],
        [Some(end), None] | [None, Some(end)] => [End::Centre(end), End::Elsewhere(line.point)],
        [None, None] => {
            let along = line.force.try_normalize(0.0).unwrap_or_default() * line.depth;
            [
                End::Elsewhere(line.point),
                End::Elsewhere(line.point + along),
            ]
        }
    }
}

/// Returns the surfaces of the walls at a time; half-spaces have none.
pub(super) fn walls(walls: &[BuiltWall], time: f64) -> Option<Frame> {
    let mut dataset = Dataset::default();
    let mut numbers = Vec::new();
    for (number, wall) in (0..).zip(walls) {
        let Some(Triangles { points, triangles }) = &wall.triangles else {
            continue;
        };
        let pose = wall.carried(time).pose;
        let first = dataset.mesh.points.len() as u32;
        dataset
            .mesh
            .points
            .extend(points.iter().map(|point| pose.point(point)));

        for triangle in triangles {
            dataset
                .mesh
                .push(ElementKind::Tri3, &triangle.map(|node| first + node));
            numbers.push(number);
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
pub(super) fn bodies(bodies: &Bodies) -> Frame {
    let mut dataset = Dataset::default();
    let (mut numbers, mut velocities) = (Vec::new(), Vec::new());
    for (number, Triangles { points, triangles }) in bodies.surfaces.iter().enumerate() {
        let Some(carried) = bodies.carried(number) else {
            continue;
        };
        let first = dataset.mesh.points.len() as u32;

        for point in points.iter().map(|point| carried.pose.point(point)) {
            let arm = point - carried.pose.position();
            dataset.mesh.points.push(point);
            velocities.push((carried.velocity + carried.spin.cross(&arm)).into());
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

/// Returns the tetrahedra of the solids with their stress.
pub(super) fn solids(solids: &Solids) -> Frame {
    let mut dataset = Dataset::default();
    let (mut numbers, mut velocities, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    let (mut von_mises, mut cauchy) = (Vec::new(), Vec::new());
    let mut stresses = Vec::new();

    for (number, solid) in (0..).zip(solids.solids()) {
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

        for nodes in solid.tetrahedra() {
            dataset
                .mesh
                .push(ElementKind::Tet4, &nodes.map(|node| first + node));
            numbers.push(number);
        }

        solid.stresses(&mut stresses);
        von_mises.extend(stresses.iter().map(|stress| stress.von_mises));
        cauchy.extend(stresses.iter().flat_map(|stress| stress.cauchy));
    }

    dataset.point_fields = vec![
        Field::vector("velocity", &velocities),
        Field::vector("displacement", &moved),
    ];
    dataset.cell_fields = vec![
        Field::scalar("von_mises", von_mises),
        Field {
            name: "stress".to_owned(),
            components: 6,
            values: Values::Real(cauchy),
        },
        Field::whole("solid", numbers),
    ];

    Frame {
        kind: "solids",
        format: Format::Vtu,
        dataset,
    }
}
