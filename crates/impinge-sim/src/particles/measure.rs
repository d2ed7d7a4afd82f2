//! Energies, momentum and the contact network of particles. Sums go chunk by chunk, so that they have one order.

use super::Particles;
use super::chunk::meeting_of;
use super::walls;
use crate::law::{Meeting, Mixed, Triple, elastic_energy, push};
use crate::{Energy, ForceLine};
use impinge::space::Vector;
use rayon::prelude::*;

/// Particles summed up by one task.
const TASK: usize = 8192;

impl Particles {
    /// The sum over all places, in an order that does not depend on threads.
    fn sum<T: Send + Sync + Copy + std::ops::Add<Output = T>>(
        &self,
        zero: T,
        of: impl Fn(usize) -> T + Sync,
    ) -> T {
        let tasks = 0..self.arrays.len().div_ceil(TASK);
        let parts: Vec<T> = tasks
            .into_par_iter()
            .map(|task| {
                (task * TASK..self.arrays.len().min((task + 1) * TASK))
                    .fold(zero, |sum, place| sum + of(place))
            })
            .collect();
        parts.into_iter().fold(zero, |sum, part| sum + part)
    }

    fn kinetic(&self, place: usize) -> f64 {
        let arrays = &self.arrays;
        let (motion, mass, radius) =
            (&arrays.motions[place], arrays.masses[place], arrays.balls[place].radius);
        0.5 * mass * (motion.velocity.norm_squared() + 0.4 * radius * radius * motion.spin.norm_squared())
    }

    /// What goes with a particle that comes or goes: energy of motion and of weight.
    pub(super) fn carried(&self, place: usize) -> f64 {
        let weight = Vector::from(self.setup.gravity) * self.arrays.masses[place];
        self.kinetic(place) - weight.dot(&self.arrays.balls[place].centre.coords)
    }

    pub(super) fn measure_energy(&self) -> Energy {
        let gravity = Vector::from(self.setup.gravity);
        let arrays = &self.arrays;
        let kinetic = self.sum(0.0, |place| self.kinetic(place));
        let potential =
            self.sum(0.0, |place| -arrays.masses[place] * gravity.dot(&arrays.balls[place].centre.coords));
        let mut elastic = 0.0;
        self.for_each_contact(|contact| elastic += contact.stored);
        Energy { kinetic, potential, elastic, dissipated: self.lost, work: self.brought }
    }

    pub(super) fn measure_momentum(&self) -> Vector<3> {
        self.sum(Vector::zeros(), |place| self.arrays.motions[place].velocity * self.arrays.masses[place])
    }

    pub(super) fn write_contacts(&self, lines: &mut Vec<ForceLine<3>>) {
        let first = lines.len();
        self.for_each_contact(|contact| lines.push(contact.line));
        lines[first..].sort_by_key(|line| line.bodies);
    }

    /// The centre of mass; the origin where there is nobody.
    pub fn centre_of_mass(&self) -> [f64; 3] {
        let mass = self.sum(0.0, |place| self.arrays.masses[place]);
        let moment: Vector<3> = self
            .sum(Vector::zeros(), |place| self.arrays.balls[place].centre.coords * self.arrays.masses[place]);
        if mass > 0.0 { (moment / mass).into() } else { [0.0; 3] }
    }

    fn for_each_contact(&self, mut visit: impl FnMut(Contact)) {
        for kept in self.list.kept() {
            let (a, b) = (kept.pair.a as usize, kept.pair.b as usize);
            if let Some(meeting) = meeting_of(&self.arrays, &self.cell, a, b) {
                let mixed = self.table.mixed(self.arrays.species[a], self.arrays.species[b]);
                let ids = [self.arrays.ids[a], self.arrays.ids[b]];
                let (stored, push) = self.look(mixed, &meeting, &kept.spring);
                // Sorted by number; the force is on the second.
                let (bodies, force) = if ids[0] < ids[1] { (ids, -push) } else { ([ids[1], ids[0]], push) };
                let arm = self.arrays.balls[a].radius - 0.5 * meeting.depth;
                let point = self.arrays.balls[a].centre + Vector::from(meeting.normal) * arm;
                visit(Contact { line: ForceLine { bodies, point, force, depth: meeting.depth }, stored });
            }
        }
        for obstacle in &self.obstacles {
            walls::feet_now(obstacle, &self.arrays, |touch, foot| {
                let place = touch.particle as usize;
                let meeting = walls::meeting(obstacle, &self.arrays, place, foot);
                let mixed = self.table.mixed(self.arrays.species[place], obstacle.material);
                let (stored, push) = self.look(mixed, &meeting, &touch.spring.into());
                let bodies = [self.arrays.ids[place], u32::MAX];
                let line = ForceLine { bodies, point: foot.point, force: -push, depth: meeting.depth };
                visit(Contact { line, stored });
            });
        }
    }

    /// Energy and force of a contact as it is, without a step.
    fn look(&self, mixed: &Mixed, meeting: &Meeting, spring: &Vector<3>) -> (f64, Vector<3>) {
        let spring = Triple::from(*spring);
        let mut copy = spring;
        if self.table.is_hertz() {
            let force = push::<f64, true, false>(mixed, meeting, &mut copy, None, 0.0).force;
            (elastic_energy::<true>(mixed, meeting, &spring), force.into())
        } else {
            let force = push::<f64, false, false>(mixed, meeting, &mut copy, None, 0.0).force;
            (elastic_energy::<false>(mixed, meeting, &spring), force.into())
        }
    }
}

struct Contact {
    line: ForceLine<3>,
    stored: f64,
}
