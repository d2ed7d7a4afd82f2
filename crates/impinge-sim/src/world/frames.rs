//! What is there at one time, as data for ParaView.

use super::bodies::Bodies;
use super::making::BuiltWall;
use super::shapes::Triangles;
use crate::output::Frame;
use crate::solid::Solids;
use crate::{ForceLine, Particles};
use impinge::shape::ElementKind;
use impinge::space::Point;
use impinge_io::{Dataset, Field, Format, Values};

/// The particles as points.
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
    Frame { kind: "particles", format: Format::Vtp, dataset }
}

/// The contact network of all matters.
pub(super) fn contacts(
    lines: &[(&'static str, Vec<ForceLine<3>>)],
    particles: Option<&Particles>,
    bodies: Option<&Bodies>,
) -> Frame {
    let places = particles.map(Particles::places_by_id).unwrap_or_default();
    let grain = |id: u32, touch: &Point<3>| {
        let particles = particles?;
        let found = places.binary_search_by_key(&id, |&place| particles.ids()[place as usize]).ok()?;
        let grain = particles.grain_at(places[found] as usize);
        let centre = Point::from(grain.position);
        // Across a periodic side the partner is elsewhere.
        ((centre - touch).norm() <= 1.5 * grain.radius).then_some(centre)
    };
    let body = |number: u32| {
        let rigid = &bodies?.rigid;
        ((number as usize) < rigid.len()).then(|| rigid.centre(number as usize))
    };
    network(lines, |kind, number, touch| match kind {
        "particles" => grain(number, touch),
        "bodies" => body(number),
        _ => None,
    })
}

/// Lines from centre to centre, or from a centre to where it touches, with the force. Where there is no centre, the line
/// goes from the contact a depth along the force.
pub(super) fn network(
    lines: &[(&'static str, Vec<ForceLine<3>>)],
    centre: impl Fn(&str, u32, &Point<3>) -> Option<Point<3>>,
) -> Frame {
    let mut dataset = Dataset::default();
    let (mut forces, mut sizes, mut depths) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, line) in lines.iter().flat_map(|(kind, lines)| lines.iter().map(move |line| (kind, line))) {
        let [a, b] = line.bodies.map(|body| centre(kind, body, &line.point));
        let along = line.force.try_normalize(0.0).unwrap_or_default() * line.depth;
        let ends = match (a, b) {
            (Some(a), Some(b)) => [a, b],
            (Some(a), None) | (None, Some(a)) => [a, line.point],
            (None, None) => [line.point, line.point + along],
        };
        let first = dataset.mesh.points.len() as u32;
        dataset.mesh.points.extend(ends);
        dataset.mesh.push(ElementKind::Line2, &[first, first + 1]);
        forces.push(line.force.into());
        sizes.push(line.force.norm());
        depths.push(line.depth);
    }
    dataset.cell_fields = vec![
        Field::scalar("force", sizes),
        Field::vector("force_vector", &forces),
        Field::scalar("depth", depths),
    ];
    Frame { kind: "contacts", format: Format::Vtp, dataset }
}

/// The surfaces of the walls where they are at a time; half-spaces have none.
pub(super) fn walls(walls: &[BuiltWall], time: f64) -> Option<Frame> {
    let mut dataset = Dataset::default();
    let mut numbers = Vec::new();
    for (number, wall) in (0..).zip(walls) {
        let Some(Triangles { points, triangles }) = &wall.triangles else { continue };
        let pose = wall.carried(time).pose;
        let first = dataset.mesh.points.len() as u32;
        dataset.mesh.points.extend(points.iter().map(|point| pose.point(point)));
        for triangle in triangles {
            dataset.mesh.push(ElementKind::Tri3, &triangle.map(|node| first + node));
            numbers.push(number);
        }
    }
    dataset.cell_fields = vec![Field::whole("wall", numbers)];
    (!dataset.mesh.points.is_empty()).then_some(Frame { kind: "walls", format: Format::Vtp, dataset })
}

/// The surfaces of the rigid bodies where they are.
pub(super) fn bodies(bodies: &Bodies) -> Frame {
    let mut dataset = Dataset::default();
    let (mut numbers, mut velocities) = (Vec::new(), Vec::new());
    for (number, Triangles { points, triangles }) in bodies.surfaces.iter().enumerate() {
        let Some(carried) = bodies.carried(number) else { continue };
        let first = dataset.mesh.points.len() as u32;
        for point in points.iter().map(|point| carried.pose.point(point)) {
            let arm = point - carried.pose.position();
            dataset.mesh.points.push(point);
            velocities.push((carried.velocity + carried.spin.cross(&arm)).into());
        }
        for triangle in triangles {
            dataset.mesh.push(ElementKind::Tri3, &triangle.map(|node| first + node));
            numbers.push(number as i64);
        }
    }
    dataset.point_fields = vec![Field::vector("velocity", &velocities)];
    dataset.cell_fields = vec![Field::whole("body", numbers)];
    Frame { kind: "bodies", format: Format::Vtp, dataset }
}

/// The tetrahedra of the solids with their stress.
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
            solid.points().iter().zip(solid.rest_points()).map(|(x, rest)| <[f64; 3]>::from(x - rest)),
        );
        for nodes in solid.tetrahedra() {
            dataset.mesh.push(ElementKind::Tet4, &nodes.map(|node| first + node));
            numbers.push(number);
        }
        solid.stresses(&mut stresses);
        von_mises.extend(stresses.iter().map(|stress| stress.von_mises));
        cauchy.extend(stresses.iter().flat_map(|stress| stress.cauchy));
    }
    dataset.point_fields =
        vec![Field::vector("velocity", &velocities), Field::vector("displacement", &moved)];
    dataset.cell_fields = vec![
        Field::scalar("von_mises", von_mises),
        Field { name: "stress".to_owned(), components: 6, values: Values::Real(cauchy) },
        Field::whole("solid", numbers),
    ];
    Frame { kind: "solids", format: Format::Vtu, dataset }
}
