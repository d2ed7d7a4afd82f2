//! Particles and contacts at one moment.

use impinge::space::{Point, Vector};
use impinge_sim::world::World;
use impinge_sim::{BodyKind, ContactRecord, Grain};

/// Particles in the order of ids, and their contacts.
pub(crate) struct Snapshot {
    pub(super) particles: Vec<Measured>,
    pub(super) bonds: Vec<Bond>,
}

/// A particle.
pub(super) struct Measured {
    pub(super) grain: Grain,
    pub(super) mass: f64,
    /// Number of contacts, with anything.
    pub(super) contacts: usize,
}

/// The data of a contact that the stress needs.
pub(super) struct Bond {
    pub(super) point: Point<3>,
    /// Force of the first body on the second.
    pub(super) force: Vector<3>,
    /// From centre to centre, or from the particle's centre to the surface that it touches.
    pub(super) branch: Vector<3>,
}

impl Snapshot {
    pub(crate) fn of(world: &World) -> Self {
        let Some(all) = world.particles() else {
            return Self {
                particles: Vec::new(),
                bonds: Vec::new(),
            };
        };
        let places = all.places_by_id();
        let ids: Vec<u32> = places
            .iter()
            .map(|&place| all.ids()[place as usize])
            .collect();
        let mut particles: Vec<Measured> = places
            .iter()
            .map(|&place| Measured {
                grain: all.grain_at(place as usize),
                mass: all.mass_at(place as usize),
                contacts: 0,
            })
            .collect();

        let period = all.setup().period;
        let mut bonds = Vec::new();
        for contact in &world.contacts() {
            let sides = contact.bodies.map(|body| {
                let is_particle = body.kind == BodyKind::Particle;
                is_particle
                    .then(|| ids.binary_search(&body.index).ok())
                    .flatten()
            });
            sides
                .into_iter()
                .flatten()
                .for_each(|n| particles[n].contacts += 1);
            bonds.extend(bond(contact, sides, &particles, &period));
        }

        Self { particles, bonds }
    }
}

/// Returns the contact, if its first body is a particle.
fn bond(
    contact: &ContactRecord,
    [first, second]: [Option<usize>; 2],
    particles: &[Measured],
    period: &[Option<[f64; 2]>; 3],
) -> Option<Bond> {
    let radius = |n: usize| particles[n].grain.radius;
    let reach = radius(first?) + second.map_or(0.0, radius);
    let mut point = contact.point;
    for (axis, ends) in period.iter().enumerate() {
        if let Some([low, up]) = ends {
            point[axis] = low + (point[axis] - low).rem_euclid(up - low);
        }
    }

    Some(Bond {
        point,
        force: contact.force,
        branch: contact.normal * (reach - contact.depth),
    })
}
