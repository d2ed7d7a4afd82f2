//! Particles, contacts and wall contacts as words, to be sent to other ranks.

use super::arrays::{Arrays, Load, Motion};
use super::order::Seat;
use super::state::ContactState;
use crate::obstacle::{MeshFeature, Touch};
use impinge::bound::Ball;

/// The record that a rank sends when particles migrate, or to rank 0 when all are gathered.
#[derive(Debug, Default)]
pub(super) struct Packet {
    pub(super) particles: Vec<u64>,
    pub(super) contacts: Vec<ContactState>,
    /// Obstacle, and the contact, whose particle is an id.
    pub(super) touches: Vec<(u32, Touch)>,
}

impl Packet {
    pub(super) fn to_words(&self) -> Vec<u64> {
        let counts = [
            self.particles.len(),
            self.contacts.len(),
            self.touches.len(),
        ];
        let mut words: Vec<u64> = counts.map(|count| count as u64).into();
        words.extend_from_slice(&self.particles);
        for contact in &self.contacts {
            words.extend(contact.ids.map(u64::from));
            words.extend(bits(&contact.spring).chain(bits(&contact.rolled)));
        }
        for (obstacle, touch) in &self.touches {
            let (kind, [a, b]) = match touch.spot {
                MeshFeature::Vertex(a) => (0, [a, 0]),
                MeshFeature::Edge(nodes) => (1, nodes),
                MeshFeature::Face(face) => (2, [face, 0]),
            };
            words.extend([*obstacle, touch.particle, kind, a, b].map(u64::from));
            words.extend(bits(&touch.spring).chain(bits(&touch.rolled)));
            words.push(touch.stored.to_bits());
            words.extend(bits(&touch.pressed));
        }

        words
    }

    pub(super) fn from_words(words: &[u64]) -> Self {
        let mut words = Reader(words);
        let [particles, contacts, touches] = [(); 3].map(|()| words.next() as usize);
        Self {
            particles: words.take(particles).to_vec(),
            contacts: (0..contacts)
                .map(|_| ContactState {
                    ids: [(); 2].map(|()| words.id()),
                    spring: words.numbers(),
                    rolled: words.numbers(),
                })
                .collect(),
            touches: (0..touches).map(|_| words.touch()).collect(),
        }
    }
}

/// Adds the particle at a place.
pub(super) fn write_particle(arrays: &Arrays, place: usize, words: &mut Vec<u64>) {
    let Ball { centre, radius } = arrays.balls[place];
    let Motion {
        velocity,
        inverse_mass,
        spin,
        damped,
    } = arrays.motions[place];
    let Load { force, torque } = arrays.loads[place];
    words.push(arrays.ids[place].into());
    words.push(arrays.species[place].into());
    words.extend(arrays.seats[place].to_words());
    words.extend(bits(&centre.coords.into()).chain(bits(&velocity.into())));
    words.extend(bits(&spin.into()));
    let others = [
        radius,
        inverse_mass,
        damped,
        arrays.masses[place],
        arrays.lost[place],
    ];
    words.extend(bits(&others).chain(bits(&force)).chain(bits(&torque)));
}

/// Adds the particles in these words to the arrays.
pub(super) fn read_particles(words: &[u64], own: bool, arrays: &mut Arrays) {
    let mut words = Reader(words);
    while !words.0.is_empty() {
        arrays.ids.push(words.id());
        arrays.species.push(words.next() as u16);
        let seat = [(); 2].map(|()| words.next());
        arrays.seats.push(Seat::from_words(seat));
        let [centre, velocity, spin] = [(); 3].map(|()| words.numbers::<3>());
        let [radius, inverse_mass, damped, mass, lost] = words.numbers();
        arrays.balls.push(Ball::new(centre, radius));
        arrays.motions.push(Motion {
            velocity: velocity.into(),
            inverse_mass,
            spin: spin.into(),
            damped,
        });
        arrays.loads.push(Load {
            force: words.numbers(),
            torque: words.numbers(),
        });
        arrays.masses.push(mass);
        arrays.lost.push(lost);
        arrays.own.push(own);
    }
}

/// Number of words of a ghost update: position, velocity, spin, damping.
pub(super) const MOTION: usize = 10;

/// Adds the position and the motion of a particle.
pub(super) fn write_motion(arrays: &Arrays, place: usize, words: &mut Vec<u64>) {
    let (ball, motion) = (&arrays.balls[place], &arrays.motions[place]);
    words.extend(bits(&ball.centre.coords.into()));
    words.extend(bits(&motion.velocity.into()));
    words.extend(bits(&motion.spin.into()));
    words.push(motion.damped.to_bits());
}

/// Sets the position and the motion of a particle.
pub(super) fn read_motion(words: &[u64], arrays: &mut Arrays, place: usize) {
    let mut words = Reader(words);
    let [centre, velocity, spin] = [(); 3].map(|()| words.numbers::<3>());
    arrays.balls[place].centre = centre.into();
    let motion = &mut arrays.motions[place];
    (motion.velocity, motion.spin) = (velocity.into(), spin.into());
    motion.damped = words.number();
}

/// Returns the bits of numbers.
pub(super) fn bits<const N: usize>(numbers: &[f64; N]) -> impl Iterator<Item = u64> + use<N> {
    numbers.map(f64::to_bits).into_iter()
}

/// Reads words one by one. Ranks run the same program, so the number of words is as expected.
pub(super) struct Reader<'a>(pub(super) &'a [u64]);

impl Reader<'_> {
    pub(super) fn next(&mut self) -> u64 {
        let (first, rest) = self
            .0
            .split_first()
            .expect("a rank sent fewer words than announced");
        self.0 = rest;
        *first
    }

    pub(super) fn id(&mut self) -> u32 {
        self.next() as u32
    }

    pub(super) fn number(&mut self) -> f64 {
        f64::from_bits(self.next())
    }

    pub(super) fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn take(&mut self, count: usize) -> &[u64] {
        let (first, rest) = self.0.split_at(count);
        self.0 = rest;
        first
    }

    fn touch(&mut self) -> (u32, Touch) {
        let [obstacle, particle, kind, a, b] = [(); 5].map(|()| self.id());
        let spot = match kind {
            0 => MeshFeature::Vertex(a),
            1 => MeshFeature::Edge([a, b]),
            _ => MeshFeature::Face(a),
        };
        let touch = Touch {
            particle,
            spot,
            spring: self.numbers(),
            rolled: self.numbers(),
            stored: self.number(),
            pressed: self.numbers(),
        };

        (obstacle, touch)
    }
}
