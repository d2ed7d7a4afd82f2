//! Energies, momentum and contact network of particles. Sums over all particles are exact, so that
//! they do not depend on the order of storage.

use super::Particles;
use super::chunk::meeting_of;
use super::walls;
use crate::law::{ContactInput, DMT, HERTZ, JKR, LINEAR, Mixed, Triple, push, stored};
use crate::obstacle::MeshFeature;
use crate::{BodyKind, BodyRef, ContactRecord, Energy, Obstacle, Superaccumulator};
use impinge::space::{Point, Vector};
use rayon::prelude::*;

/// Particles, or list entries, summed by one task.
const TASK: usize = 8192;

impl Particles {
    /// Returns the exact sums over all places.
    pub(super) fn sums<const N: usize>(&self, of: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        let none = || std::array::from_fn::<_, N, _>(|_| Superaccumulator::default());
        let sums = (0..self.arrays.len().div_ceil(TASK))
            .into_par_iter()
            .map(|task| {
                let mut sums = none();
                for place in task * TASK..self.arrays.len().min((task + 1) * TASK) {
                    let terms = of(place);
                    sums.iter_mut()
                        .zip(terms)
                        .for_each(|(sum, term)| sum.add(term));
                }
                sums
            });
        let merged = sums.reduce(none, |mut one, other| {
            one.iter_mut()
                .zip(&other)
                .for_each(|(sum, other)| sum.merge(other));
            one
        });

        merged.map(|sum| sum.value())
    }

    fn kinetic(&self, place: usize) -> f64 {
        let arrays = &self.arrays;
        let (motion, mass, radius) = (
            &arrays.motions[place],
            arrays.masses[place],
            arrays.balls[place].radius,
        );

        0.5 * mass
            * (motion.velocity.norm_squared() + 0.4 * radius * radius * motion.spin.norm_squared())
    }

    /// Returns the kinetic and potential energy that enters or leaves with particles.
    pub(super) fn carried_by(&self, places: impl Iterator<Item = usize>) -> f64 {
        self.sum_over_all(places.map(|place| self.carried(place)))
    }

    fn carried(&self, place: usize) -> f64 {
        let weight = Vector::from(self.setup.gravity) * self.arrays.masses[place];
        self.kinetic(place) - weight.dot(&self.arrays.balls[place].centre.coords)
    }

    pub(super) fn measure_energy(&self) -> Energy {
        let gravity = Vector::from(self.setup.gravity);
        let arrays = &self.arrays;
        let [kinetic, potential, lost] = self.sums(|place| {
            let height = gravity.dot(&arrays.balls[place].centre.coords);
            [
                self.kinetic(place),
                -arrays.masses[place] * height,
                arrays.lost[place],
            ]
        });
        let stored = |sum: &mut Superaccumulator, contact: &Contact| sum.add(self.stored(contact));
        let mut elastic = Superaccumulator::default();
        self.fold_contacts(stored)
            .iter()
            .for_each(|part| elastic.merge(part));

        Energy {
            kinetic,
            potential,
            elastic: elastic.value(),
            dissipated: self.lost + lost,
            work: self.brought + self.deforming.work,
        }
    }

    pub(super) fn measure_momentum(&self) -> Vector<3> {
        let momentum = self
            .sums(|place| (self.arrays.motions[place].velocity * self.arrays.masses[place]).into());
        Vector::from(momentum)
    }

    pub(super) fn measure_angular_momentum(&self) -> Vector<3> {
        let momentum = self.sums(|place| {
            let (ball, motion) = (&self.arrays.balls[place], &self.arrays.motions[place]);
            let inertia = 0.4 * ball.radius * ball.radius;
            let own = ball.centre.coords.cross(&motion.velocity) + motion.spin * inertia;
            (own * self.arrays.masses[place]).into()
        });
        Vector::from(momentum)
    }

    pub(super) fn write_contacts(&self, contacts: &mut Vec<ContactRecord>) {
        let record = |records: &mut Vec<ContactRecord>, contact: &Contact| {
            records.push(self.record(contact));
        };
        let found: Vec<ContactRecord> = self.fold_contacts(record).into_iter().flatten().collect();

        // Sort indices, not the records, which are six times as large.
        let bodies = found.iter().map(|record| record.bodies);
        let mut order: Vec<([BodyRef; 2], u32)> = bodies.zip(0..).collect();
        order.par_sort_unstable();
        contacts.extend(order.into_iter().map(|(_, n)| found[n as usize]));
    }

    /// Returns the centre of mass, or the origin if there are no particles.
    pub fn centre_of_mass(&self) -> [f64; 3] {
        let [mass, moments @ ..] = self.sums(|place| {
            let mass = self.arrays.masses[place];
            let [x, y, z] = (self.arrays.balls[place].centre.coords * mass).into();
            [mass, x, y, z]
        });

        if mass > 0.0 {
            moments.map(|moment| moment / mass)
        } else {
            [0.0; 3]
        }
    }

    /// Visits all contacts, task by task: pairs in list order, then the obstacles in theirs.
    fn fold_contacts<T: Default + Send>(&self, gather: impl Fn(&mut T, &Contact) + Sync) -> Vec<T> {
        let tasks = 0..self.list.entries.len().div_ceil(TASK);
        let of_pairs = tasks.into_par_iter().map(|task| {
            let mut gathered = T::default();
            self.visit_pairs(task * TASK, |contact| gather(&mut gathered, contact));
            gathered
        });
        let obstacles = self.obstacles.par_iter().enumerate();
        let of_obstacles = obstacles.map(|(number, obstacle)| {
            let mut gathered = T::default();
            self.visit_obstacle(number, obstacle, |contact| gather(&mut gathered, contact));
            gathered
        });

        of_pairs.chain(of_obstacles).collect()
    }

    /// Visits the pairs of the list from an entry on, for one task.
    fn visit_pairs(&self, first: usize, mut visit: impl FnMut(&Contact)) {
        let entries = self.list.entries.iter().enumerate().skip(first).take(TASK);
        for (n, entry) in entries.filter(|(_, entry)| entry.touches() != 0) {
            let (a, b) = (entry.place as usize, entry.other() as usize);
            if let Some(meeting) = meeting_of(&self.arrays, &self.table, &self.cell, a, b) {
                let arm = self.arrays.balls[a].radius - 0.5 * meeting.depth;
                visit(&Contact {
                    bodies: [a, b].map(|place| BodyRef::particle(self.arrays.ids[place])),
                    species: [self.arrays.species[a], self.arrays.species[b]],
                    point: self.arrays.balls[a].centre + Vector::from(meeting.normal) * arm,
                    meeting,
                    spring: self.list.springs[n].into(),
                    share: 1.0,
                    feature: None,
                });
            }
        }
    }

    fn visit_obstacle(&self, number: usize, obstacle: &Obstacle, mut visit: impl FnMut(&Contact)) {
        walls::surface_points_now(obstacle, &self.arrays, &self.table, |touch, foot| {
            let place = touch.particle as usize;
            visit(&Contact {
                bodies: [
                    BodyRef::particle(self.arrays.ids[place]),
                    BodyRef::wall(number),
                ],
                species: [self.arrays.species[place], obstacle.material],
                point: foot.point,
                meeting: walls::meeting(obstacle, &self.arrays, place, foot),
                spring: Vector::from(touch.spring).into(),
                share: foot.share,
                feature: obstacle.has_features().then_some(foot.spot),
            });
        });
    }

    fn mixed(&self, contact: &Contact) -> Mixed {
        let [a, b] = contact.species;
        self.table.mixed(a, b).part(contact.share)
    }

    fn stored(&self, contact: &Contact) -> f64 {
        let energy = match self.table.kind() {
            JKR => stored::<JKR>,
            DMT => stored::<DMT>,
            HERTZ => stored::<HERTZ>,
            _ => stored::<LINEAR>,
        };
        let stored = energy(&self.mixed(contact), &contact.meeting, &contact.spring);
        stored.normal + stored.tangential
    }

    /// Returns the contact with its current force, without a step.
    fn record(&self, contact: &Contact) -> ContactRecord {
        let (mixed, meeting, mut spring) = (self.mixed(contact), &contact.meeting, contact.spring);
        let push = match self.table.kind() {
            JKR => push::<f64, JKR, false>,
            DMT => push::<f64, DMT, false>,
            HERTZ => push::<f64, HERTZ, false>,
            _ => push::<f64, LINEAR, false>,
        };
        let push = push(&mixed, meeting, &mut spring, None, 0.0).force;

        // Sorted by id; the law's force acts on the first body, the record's on the second.
        let ([a, b], push) = (contact.bodies, Vector::from(push));
        let normal = Vector::from(meeting.normal);
        let (bodies, normal, force) = if b.kind == BodyKind::Particle && b < a {
            ([b, a], -normal, push)
        } else {
            ([a, b], normal, -push)
        };

        ContactRecord {
            bodies,
            point: contact.point,
            normal,
            force,
            depth: meeting.depth,
            feature: contact.feature,
        }
    }
}

/// A current contact.
struct Contact {
    /// An obstacle is a wall by its index.
    bodies: [BodyRef; 2],
    species: [u16; 2],
    point: Point<3>,
    /// The first body is body a.
    meeting: ContactInput,
    spring: Triple,
    /// Fraction of a whole contact.
    share: f64,
    /// The feature of an obstacle.
    feature: Option<MeshFeature>,
}
