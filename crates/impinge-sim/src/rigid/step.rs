//! A step of rigid bodies.

use super::body::Body;
use super::contacts::{History, Other, OverlappingPair};
use super::law::{Push, Spring, Touch, push};
use super::shape::{RigidShape, lowered};
use super::{MotionPath, Rigid, contacts, follow, spin};
use crate::path::along;
use crate::{BodyRef, ContactRecord, Energy, Matter, StepError};
use impinge::space::{Matrix, Vector};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Minimum number of contacts per task.
const CHUNK: usize = 64;

/// Smallest gain of a contact among others of the same bodies: contacts on opposite sides of a peg
/// hold each other in balance.
const LEAST_GAIN: f64 = 0.25;

/// Step as a fraction of √(m/k A), the time scale of the stiffest contact: below 0.1 a bounce has
/// the requested restitution within a percent.
const STEP: f64 = 0.1;

/// Maximum motion per step, in body radii: beyond it, bodies could tunnel through each other.
const FASTEST: f64 = 1.0;

/// Ratio of the radius of the ball of equal volume to the half extent, above which a body counts as
/// nearly a ball: 0.72 for a cube.
const ROUND: f64 = 0.95;

/// Motion and material of one side of a contact.
struct Partner {
    velocity: Vector<3>,
    spin: Vector<3>,
    material: usize,
    inverse_mass: f64,
    /// Mobility: acceleration and angular acceleration per unit force and torque; `None` for
    /// prescribed motion.
    yields: Option<[Matrix<3>; 2]>,
    /// Half extent, if it is a body that forces move; radius of a ball; radius of the ball of its
    /// volume.
    size: Option<f64>,
    ball: Option<f64>,
    stout: f64,
    is_round: bool,
}

impl Partner {
    fn mobility(&self) -> [Matrix<3>; 2] {
        self.yields.unwrap_or([Matrix::zeros(); 2])
    }
}

/// Returns the inverse of the sum of inverses.
fn together(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}

/// Returns the size of a pair, which converts Young's modulus to a contact stiffness.
fn size(a: &Partner, b: &Partner) -> f64 {
    match (a.size, b.size) {
        (Some(a), Some(b)) => 2.0 * together(a, b),
        (Some(size), None) | (None, Some(size)) => size,
        (None, None) => 0.0,
    }
}

/// Returns R* for rolling resistance: that of the balls, if any; otherwise the smaller equivalent
/// radius.
fn radius(a: &Partner, b: &Partner) -> f64 {
    match (a.ball, b.ball) {
        (Some(a), Some(b)) => together(a, b),
        (Some(radius), None) | (None, Some(radius)) => radius,
        (None, None) => a.stout.min(b.stout),
    }
}

impl<F: RigidShape<D>, const D: usize> Rigid<F, D> {
    fn body_at(&self, body: u32, point: &Vector<3>) -> Partner {
        let body = &self.bodies[body as usize];
        let data = &self.shapes[body.shape as usize];
        let (spin, arm) = (body.spin(), point - body.position);
        let is_free = body.guide.is_none();
        Partner {
            velocity: body.velocity + spin.cross(&arm),
            spin,
            material: body.material as usize,
            inverse_mass: if is_free { 1.0 / body.mass } else { 0.0 },
            yields: is_free.then(|| body.yields(&arm)),
            size: is_free.then_some(data.size),
            ball: data.shape.radius(),
            stout: if is_free { data.stout } else { f64::INFINITY },
            is_round: data.stout > ROUND * data.size,
        }
    }

    fn wall_at(&self, mount: &MotionPath, meeting: &OverlappingPair) -> Partner {
        let state = mount.guide.state(self.time);
        let of_surface = along(&state.surface, &meeting.normal);
        let velocity = state.velocity_at(&meeting.point) + of_surface;
        Partner {
            velocity,
            spin: state.spin,
            material: mount.material,
            inverse_mass: 0.0,
            yields: None,
            size: None,
            ball: None,
            stout: f64::INFINITY,
            is_round: false,
        }
    }

    fn partner(&self, meeting: &OverlappingPair) -> Partner {
        match meeting.other {
            Other::Body(b) => self.body_at(b, &meeting.point),
            Other::HalfSpace(wall) => self.wall_at(&self.floors[wall as usize].mount, meeting),
            Other::Mesh(wall) => self.wall_at(&self.meshes[wall as usize].1, meeting),
        }
    }

    fn push(&self, meeting: &OverlappingPair, dt: f64) -> Push {
        let (a, b) = (
            self.body_at(meeting.a, &meeting.point),
            self.partner(meeting),
        );
        let law = self.laws.damped(a.material, b.material);
        let ([mobility_a, turning_a], [mobility_b, turning_b]) = (a.mobility(), b.mobility());
        let before = meeting.before.map(|old| &self.histories[old]);

        // The initial overlap stays excluded until the bodies separate; overlap beyond it is
        // compressed as for flat bodies.
        let excluded = before.map_or(0.0, |history| history.excluded);
        let measure = (meeting.measure - excluded).max(0.0);
        let lever = if excluded > 0.0 {
            0.5 * measure / meeting.section
        } else {
            meeting.lever
        };
        let touch = Touch {
            measure,
            section: meeting.section,
            lever,
            normal: meeting.normal,
            is_exact: matches!(meeting.other, Other::HalfSpace(_)) && excluded == 0.0,
            dimension: D,
            stiffness: law.law.stiffness.of(size(&a, &b)),
            is_round: a.is_round || b.is_round,
            radius: radius(&a, &b),
            mass: 1.0 / (a.inverse_mass + b.inverse_mass),
            mobility: mobility_a + mobility_b,
            turning: turning_a + turning_b,
            yielding: meeting.gain
                * meeting
                    .normal
                    .dot(&((mobility_a + mobility_b) * meeting.normal)),
            is_new: before.is_none(),
            sharing: self.sharing(meeting),
            velocity: b.velocity - a.velocity,
            spin: b.spin - a.spin,
        };
        let spring = before.map_or_else(Spring::default, |history| history.spring);

        push(law, &touch, &spring, dt)
    }

    /// Computes how the contacts of the same two bodies share the load.
    fn share(&self, overlapping: &mut [OverlappingPair]) {
        let same = |one: &OverlappingPair, next: &OverlappingPair| {
            (one.a, one.other) == (next.a, next.other)
        };
        for group in overlapping.chunk_by_mut(same) {
            for n in 0..group.len() {
                group[n].gain = self.gain(group, n);
            }
        }
    }

    /// Returns the acceleration at a contact of two bodies due to the elastic forces of all their
    /// contacts, relative to that of its own: 1 for one contact, 1 + cos 60° for a ball in a groove.
    fn gain(&self, group: &[OverlappingPair], number: usize) -> f64 {
        let own = &group[number];
        if group.len() == 1 || own.measure == 0.0 {
            return 1.0;
        }

        let pushed = |body: u32| {
            let body = &self.bodies[body as usize];
            let axes = spin::matrix(&body.orientation);
            let turning = axes * Matrix::from_diagonal(&body.moments.map(|moment| 1.0 / moment));
            let arm = own.point - body.position;
            // Along the normal of the contact, per unit of stiffness: due to all, and to itself.
            let of = |meeting: &OverlappingPair| {
                let force = meeting.normal * meeting.measure;
                let torque = (meeting.point - body.position).cross(&force);
                let spin_up = turning * axes.tr_mul(&torque);
                own.normal.dot(&(force / body.mass + spin_up.cross(&arm)))
            };
            match body.is_free() {
                true => [group.iter().map(of).sum::<f64>(), of(own)],
                false => [0.0; 2],
            }
        };
        let [mut all, mut alone] = pushed(own.a);
        if let Other::Body(b) = own.other {
            let other = pushed(b);
            (all, alone) = (all + other[0], alone + other[1]);
        }

        (all / alone).clamp(LEAST_GAIN, group.len() as f64)
    }

    /// Returns the number of pairs of both bodies.
    fn sharing(&self, meeting: &OverlappingPair) -> f64 {
        let of = |body: u32| match self.bodies[body as usize].is_free() {
            true => self.work.touching[body as usize],
            false => 1,
        };
        let other = match meeting.other {
            Other::Body(b) => of(b),
            _ => 1,
        };

        f64::from((of(meeting.a) + other).max(2) - 1)
    }

    /// Counts the partners of each body; several contacts with one count once.
    fn count(&mut self, overlapping: &[OverlappingPair]) {
        let touching = &mut self.work.touching;
        touching.clear();
        touching.resize(self.bodies.len(), 0);

        let same = |one: &OverlappingPair, next: &OverlappingPair| {
            (one.a, one.other) == (next.a, next.other)
        };
        for meeting in overlapping.chunk_by(same).map(|group| &group[0]) {
            touching[meeting.a as usize] += 1;
            if let Other::Body(b) = meeting.other {
                touching[b as usize] += 1;
            }
        }
    }

    /// Adds the forces in contact order, so that sums are the same for any number of threads.
    fn take(&mut self, overlapping: &[OverlappingPair], pushes: &[Push]) {
        self.dissipated += self.held();
        let mut pressed = std::mem::take(&mut self.work.pressed);
        self.carry_over_energy(overlapping, &mut pressed);
        let mut excluded = std::mem::take(&mut self.work.excluded);
        excluded.clear();
        excluded.extend(
            overlapping
                .iter()
                .map(|meeting| self.excluded_overlap(meeting)),
        );
        self.histories.clear();
        self.contacts.clear();

        for (number, (meeting, push)) in overlapping.iter().zip(pushes).enumerate() {
            let pressed = pressed[number];
            act(&mut self.bodies[meeting.a as usize], meeting, push, -1.0);
            let other = match meeting.other {
                Other::Body(b) => {
                    act(&mut self.bodies[b as usize], meeting, push, 1.0);
                    BodyRef::body(b as usize)
                }
                wall => self.other_of(wall),
            };

            let OverlappingPair {
                a,
                other: with,
                normal,
                ..
            } = *meeting;
            let pressed = push.pressed.unwrap_or(pressed);
            let excluded_here = excluded[number];
            let arm = self.arm(meeting);

            self.histories.push(History {
                a,
                other: with,
                normal,
                arm,
                spring: push.spring,
                pressed,
                excluded: excluded_here,
            });

            let depth = if meeting.section > 0.0 {
                meeting.measure / meeting.section
            } else {
                0.0
            };
            let point = contacts::point::<3>(&meeting.point);

            self.contacts.push(ContactRecord {
                bodies: [BodyRef::body(a as usize), other],
                point,
                normal,
                force: push.force,
                depth,
                feature: None,
            });
        }

        (self.work.pressed, self.work.excluded) = (pressed, excluded);
        self.dissipated -= self.held();
    }

    /// Returns the overlap of a contact that stays excluded: at most the present intersection.
    fn excluded_overlap(&self, meeting: &OverlappingPair) -> f64 {
        let before = |old: usize| self.histories[old].excluded.min(meeting.measure);
        meeting.before.map_or(0.0, before)
    }

    /// Carries over the stored energy of each contact from the last step. Energy left in contacts
    /// that ended is dissipated. A contact that returned more energy than it took shows up as an error
    /// of the energy balance.
    fn carry_over_energy(&mut self, overlapping: &[OverlappingPair], pressed: &mut Vec<f64>) {
        let histories = &mut self.histories;
        let mut taken = |old: usize| std::mem::take(&mut histories[old].pressed);
        pressed.clear();
        pressed.extend(
            overlapping
                .iter()
                .map(|meeting| meeting.before.map_or(0.0, &mut taken)),
        );
        let ended = self.histories.iter().filter(|history| !history.is_exact());

        self.dissipated += ended.map(|history| history.pressed.max(0.0)).sum::<f64>();
    }

    /// Returns the energy in the tangential springs.
    fn held(&self) -> f64 {
        self.histories
            .iter()
            .map(|history| history.spring.stored())
            .sum()
    }

    /// Accounts for the energy taken by the forces and the work of prescribed motions, with the
    /// velocities between the two kicks of a force: their product with the force is exactly the
    /// work of both.
    fn book(&mut self, dt: f64) {
        let work = std::mem::take(&mut self.work);
        for (number, (meeting, push)) in work.overlapping.iter().zip(&work.pushes).enumerate() {
            let (a, b) = (
                self.body_at(meeting.a, &meeting.point),
                self.partner(meeting),
            );
            let velocity = b.velocity - a.velocity;
            self.dissipated += push.spent(&velocity, &(b.spin - a.spin), dt);

            if push.pressed.is_none() {
                self.histories[number].pressed -= push.elastic.dot(&velocity) * dt;
            }

            if !matches!(meeting.other, Other::Body(_)) {
                self.work_done -= (push.force.dot(&b.velocity) + push.torque.dot(&b.spin)) * dt;
            }
        }

        self.work = work;
        for body in self.bodies.iter().filter(|body| body.guide.is_some()) {
            self.work_done -= (body.force.dot(&body.velocity) + body.torque.dot(&body.spin())) * dt;
        }
    }

    fn trouble(&self, number: usize, dt: f64) -> Option<StepError> {
        let body = &self.bodies[number];
        let reach = self.shapes[body.shape as usize].reach;
        let cause = if !body.is_finite() {
            "its position, velocity or spin is not finite".to_string()
        } else if !self.is_guarded && body.is_free() && body.velocity.norm() * dt > FASTEST * reach
        {
            format!(
                "its speed of {:.3e} m/s is more than its own size in a step",
                body.velocity.norm()
            )
        } else {
            return None;
        };

        let hint = format!(
            "a time step below {:.1e} s, or a softer contact",
            0.5 * self.stable_step().min(dt)
        );
        Some(StepError {
            body: format!("rigid body {number}"),
            cause,
            hint,
        })
    }
}

fn act(body: &mut Body, meeting: &OverlappingPair, push: &Push, sign: f64) {
    let force = push.force * sign;
    body.force += force;
    body.torque += (meeting.point - body.position).cross(&force) + push.torque * sign;
}

impl<F: RigidShape<D>, const D: usize> Matter<D> for Rigid<F, D> {
    fn stable_step(&self) -> f64 {
        let one = |body: &Body| {
            let data = &self.shapes[body.shape as usize];
            let widest = data.widest;
            // A smaller body makes a stiffer pair with a narrower section: the stiffest is just as
            // wide as this one.
            let smaller = match D {
                2 => 0.5 * widest,
                _ => (widest / PI).sqrt(),
            };
            let size = 2.0 * together(data.size, smaller.min(data.size));
            let stiffness = self.laws.stiffest(body.material as usize, size);
            STEP * (body.mass / (stiffness * widest)).sqrt()
        };
        self.bodies
            .iter()
            .filter(|body| body.is_free())
            .map(one)
            .fold(f64::INFINITY, f64::min)
    }

    fn begin(&mut self, dt: f64) {
        self.time += dt;
        for body in &mut self.bodies {
            body.kick(0.5 * dt);
            body.drift(dt);
            if let Some(guide) = body.guide {
                follow(
                    body,
                    &self.shapes[body.shape as usize],
                    &guide.state(self.time),
                );
            }

            body.force = if body.is_free() {
                self.gravity * body.mass + body.applied
            } else {
                Vector::zeros()
            };

            body.torque = Vector::zeros();
        }
    }

    fn interact(&mut self, dt: f64) -> Result<(), StepError> {
        self.meet()?;
        let mut overlapping = std::mem::take(&mut self.work.overlapping);
        let mut pushes = std::mem::take(&mut self.work.pushes);
        self.count(&overlapping);
        let each = overlapping.par_iter_mut().with_min_len(CHUNK);
        each.for_each(|meeting| meeting.before = self.previous_contact(meeting));
        self.share(&mut overlapping);
        let each = overlapping
            .par_iter()
            .with_min_len(CHUNK)
            .map(|meeting| self.push(meeting, dt));
        each.collect_into_vec(&mut pushes);
        self.take(&overlapping, &pushes);
        (self.work.overlapping, self.work.pushes) = (overlapping, pushes);

        Ok(())
    }

    fn finish(&mut self, dt: f64) -> Result<(), StepError> {
        self.bodies.iter_mut().for_each(|body| body.kick(0.5 * dt));
        self.book(dt);
        (0..self.bodies.len())
            .find_map(|number| self.trouble(number, dt))
            .map_or(Ok(()), Err)
    }

    fn energy(&self) -> Energy {
        let free = || self.bodies.iter().filter(|body| body.is_free());
        Energy {
            kinetic: free().map(Body::kinetic).sum(),
            potential: free().map(|body| body.potential(&self.gravity)).sum(),
            elastic: self.held()
                + self
                    .histories
                    .iter()
                    .map(|history| history.pressed)
                    .sum::<f64>(),
            dissipated: self.dissipated,
            work: self.work_done,
        }
    }

    fn momentum(&self) -> Vector<D> {
        let free = self.bodies.iter().filter(|body| body.is_free());
        lowered(
            &free
                .map(|body| body.velocity * body.mass)
                .sum::<Vector<3>>(),
        )
    }

    fn angular_momentum(&self) -> Vector<3> {
        let free = self.bodies.iter().filter(|body| body.is_free());
        free.map(|body| body.position.cross(&(body.velocity * body.mass)) + body.momentum)
            .sum()
    }

    fn contacts(&self, contacts: &mut Vec<ContactRecord>) {
        contacts.extend_from_slice(&self.contacts);
    }
}
