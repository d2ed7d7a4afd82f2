//! A step of rigid bodies.

use super::body::Body;
use super::contacts::{History, Meeting, Other};
use super::form::{Form, lowered};
use super::law::{Push, Touch, push};
use super::{Rigid, contacts, follow};
use crate::{Energy, ForceLine, Matter, Trouble};
use impinge::space::Vector;
use rayon::prelude::*;

/// Contacts that one task computes the push of, at least.
const CHUNK: usize = 64;

/// Share of the period of the stiffest contact, √(m/k A), that is a step: below 0.1 a bounce has the restitution that was
/// asked for within a percent.
const STEP: f64 = 0.1;

/// Radii of a body that it may move in a step: farther, it could pass through another unseen.
const FASTEST: f64 = 1.0;

/// The second body of a contact network's line that is a wall.
const WALL: u32 = u32::MAX;

impl<F: Form<D>, const D: usize> Rigid<F, D> {
    fn push(&self, meeting: &Meeting, dt: f64) -> Push {
        let a = &self.bodies[meeting.a as usize];
        let velocity = |body: &Body| body.velocity + body.spin().cross(&(meeting.point - body.position));
        let (there, turning, inverse) = match meeting.other {
            Other::Body(b) => {
                let b = &self.bodies[b as usize];
                (velocity(b), b.spin(), b.inverse_mass())
            }
            Other::HalfSpace(wall) => {
                let state = self.floors[wall as usize].guide.state(self.time);
                (state.velocity_at(&meeting.point), state.spin, 0.0)
            }
            Other::Mesh(wall) => {
                let state = self.meshes[wall as usize].1.state(self.time);
                (state.velocity_at(&meeting.point), state.spin, 0.0)
            }
        };
        let touch = Touch {
            measure: meeting.measure,
            section: meeting.section,
            normal: meeting.normal,
            dimension: D,
            mass: 1.0 / (a.inverse_mass() + inverse),
            velocity: there - velocity(a),
            spin: turning - a.spin(),
        };
        push(&self.law, &touch, &self.remembered(meeting), dt)
    }

    /// Adds the pushes in the order of the contacts, so that sums are the same for any number of threads.
    fn take(&mut self, meetings: &[Meeting], pushes: &[Push]) {
        self.histories.clear();
        self.lines.clear();
        self.elastic = 0.0;
        for (meeting, push) in meetings.iter().zip(pushes) {
            act(&mut self.bodies[meeting.a as usize], meeting, push, -1.0);
            let mut other = WALL;
            if let Other::Body(b) = meeting.other {
                act(&mut self.bodies[b as usize], meeting, push, 1.0);
                other = b;
            }
            let Meeting { a, other: with, normal, .. } = *meeting;
            self.histories.push(History { a, other: with, normal, stretch: push.stretch });
            self.elastic += self.law.stiffness * meeting.energy + push.stored;
            self.dissipated += push.lost;
            let depth = if meeting.section > 0.0 { meeting.measure / meeting.section } else { 0.0 };
            let point = contacts::point::<3>(&meeting.point);
            self.lines.push(ForceLine { bodies: [a, other], point, force: push.force, depth });
        }
    }

    fn trouble(&self, number: usize, dt: f64) -> Option<Trouble> {
        let body = &self.bodies[number];
        let reach = self.casts[body.form as usize].reach;
        let cause = if !body.is_finite() {
            "its place, velocity or spin is not finite".to_string()
        } else if body.guide.is_none() && body.velocity.norm() * dt > FASTEST * reach {
            format!("its speed of {:.3e} m/s is more than its own size in a step", body.velocity.norm())
        } else {
            return None;
        };
        let hint =
            format!("a time step below {:.1e} s, or a softer contact", 0.5 * self.stable_step().min(dt));
        Some(Trouble { body: format!("rigid body {number}"), cause, hint })
    }
}

fn act(body: &mut Body, meeting: &Meeting, push: &Push, sign: f64) {
    let force = push.force * sign;
    body.force += force;
    body.torque += (meeting.point - body.position).cross(&force) + push.torque * sign;
}

impl<F: Form<D>, const D: usize> Matter<D> for Rigid<F, D> {
    fn stable_step(&self) -> f64 {
        let one = |body: &Body| {
            let widest = self.casts[body.form as usize].form.widest();
            STEP * (body.mass / (self.law.stiffness * widest)).sqrt()
        };
        self.bodies.iter().filter(|body| body.guide.is_none()).map(one).fold(f64::INFINITY, f64::min)
    }

    fn begin(&mut self, dt: f64) {
        self.time += dt;
        for body in &mut self.bodies {
            body.kick(0.5 * dt);
            body.drift(dt);
            if let Some(guide) = body.guide {
                follow(body, &self.casts[body.form as usize], &guide.state(self.time));
            }
            body.force = if body.guide.is_some() { Vector::zeros() } else { self.gravity * body.mass };
            body.torque = Vector::zeros();
        }
    }

    fn interact(&mut self, dt: f64) -> Result<(), Trouble> {
        self.meet()?;
        let meetings = std::mem::take(&mut self.work.meetings);
        let mut pushes = Vec::new();
        let each = meetings.par_iter().with_min_len(CHUNK).map(|meeting| self.push(meeting, dt));
        each.collect_into_vec(&mut pushes);
        self.take(&meetings, &pushes);
        self.work.meetings = meetings;
        Ok(())
    }

    fn finish(&mut self, dt: f64) -> Result<(), Trouble> {
        self.bodies.iter_mut().for_each(|body| body.kick(0.5 * dt));
        (0..self.bodies.len()).find_map(|number| self.trouble(number, dt)).map_or(Ok(()), Err)
    }

    fn energy(&self) -> Energy {
        let free = || self.bodies.iter().filter(|body| body.guide.is_none());
        Energy {
            kinetic: free().map(Body::kinetic).sum(),
            potential: free().map(|body| -body.mass * self.gravity.dot(&body.position)).sum(),
            elastic: self.elastic,
            dissipated: self.dissipated,
        }
    }

    fn momentum(&self) -> Vector<D> {
        let free = self.bodies.iter().filter(|body| body.guide.is_none());
        lowered(&free.map(|body| body.velocity * body.mass).sum::<Vector<3>>())
    }

    fn contacts(&self, lines: &mut Vec<ForceLine<D>>) {
        lines.extend(self.lines.iter().map(|line| ForceLine {
            bodies: line.bodies,
            point: contacts::point::<D>(&line.point.coords),
            force: lowered(&line.force),
            depth: line.depth,
        }));
    }
}
