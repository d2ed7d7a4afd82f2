//! A step of rigid bodies.

use super::body::Body;
use super::contacts::{History, Meeting, Other};
use super::form::{Form, lowered};
use super::law::{Push, Spring, Touch, push};
use super::{Mount, Rigid, contacts, follow};
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

/// How something moves at a contact, and what it is made of.
struct Partner {
    velocity: Vector<3>,
    spin: Vector<3>,
    inverse_mass: f64,
    material: usize,
}

impl<F: Form<D>, const D: usize> Rigid<F, D> {
    fn body_at(&self, body: u32, point: &Vector<3>) -> Partner {
        let body = &self.bodies[body as usize];
        let spin = body.spin();
        let velocity = body.velocity + spin.cross(&(point - body.position));
        Partner {
            velocity,
            spin,
            inverse_mass: body.inverse_mass(),
            material: body.material as usize,
        }
    }

    fn wall_at(&self, mount: &Mount, point: &Vector<3>) -> Partner {
        let state = mount.guide.state(self.time);
        let velocity = state.velocity_at(point);
        Partner {
            velocity,
            spin: state.spin,
            inverse_mass: 0.0,
            material: mount.material,
        }
    }

    fn partner(&self, meeting: &Meeting) -> Partner {
        match meeting.other {
            Other::Body(b) => self.body_at(b, &meeting.point),
            Other::HalfSpace(wall) => {
                self.wall_at(&self.floors[wall as usize].mount, &meeting.point)
            }
            Other::Mesh(wall) => self.wall_at(&self.meshes[wall as usize].1, &meeting.point),
        }
    }

    fn push(&self, meeting: &Meeting, dt: f64) -> Push {
        let (a, b) = (
            self.body_at(meeting.a, &meeting.point),
            self.partner(meeting),
        );
        let touch = Touch {
            measure: meeting.measure,
            section: meeting.section,
            normal: meeting.normal,
            energy: meeting.energy,
            dimension: D,
            mass: 1.0 / (a.inverse_mass + b.inverse_mass),
            velocity: b.velocity - a.velocity,
            spin: b.spin - a.spin,
        };
        let spring = meeting
            .before
            .map_or_else(Spring::default, |old| self.histories[old].spring);
        push(
            self.laws.between(a.material, b.material),
            &touch,
            &spring,
            dt,
        )
    }

    /// Adds the pushes in the order of the contacts, so that sums are the same for any number of threads.
    fn take(&mut self, meetings: &[Meeting], pushes: &[Push]) {
        self.dissipated += self.held();
        let mut pressed = std::mem::take(&mut self.work.pressed);
        self.carry_on(meetings, &mut pressed);
        self.histories.clear();
        self.lines.clear();
        for ((meeting, push), &pressed) in meetings.iter().zip(pushes).zip(&pressed) {
            act(&mut self.bodies[meeting.a as usize], meeting, push, -1.0);
            let mut other = WALL;
            if let Other::Body(b) = meeting.other {
                act(&mut self.bodies[b as usize], meeting, push, 1.0);
                other = b;
            }
            let Meeting {
                a,
                other: with,
                normal,
                ..
            } = *meeting;
            let pressed = push.pressed.unwrap_or(pressed);
            self.histories.push(History {
                a,
                other: with,
                normal,
                spring: push.spring,
                pressed,
            });
            let depth = if meeting.section > 0.0 {
                meeting.measure / meeting.section
            } else {
                0.0
            };
            let point = contacts::point::<3>(&meeting.point);
            self.lines.push(ForceLine {
                bodies: [a, other],
                point,
                force: push.force,
                depth,
            });
        }
        self.work.pressed = pressed;
        self.dissipated -= self.held();
    }

    /// What each contact was pressed with a step ago. What those that ended still held is lost; one that gave back more
    /// than it took made energy from nothing, which is not hidden here but stays in the balance.
    fn carry_on(&mut self, meetings: &[Meeting], pressed: &mut Vec<f64>) {
        let histories = &mut self.histories;
        let mut taken = |old: usize| std::mem::take(&mut histories[old].pressed);
        pressed.clear();
        pressed.extend(
            meetings
                .iter()
                .map(|meeting| meeting.before.map_or(0.0, &mut taken)),
        );
        let ended = self
            .histories
            .iter()
            .filter(|history| !matches!(history.other, Other::HalfSpace(_)));
        self.dissipated += ended.map(|history| history.pressed.max(0.0)).sum::<f64>();
    }

    /// Energy in the tangential springs.
    fn held(&self) -> f64 {
        self.histories
            .iter()
            .map(|history| history.spring.stored())
            .sum()
    }

    /// Tells what the pushes took, and what paths put in, with the velocities between the two kicks of a push: their
    /// product with the push is exactly the work of both.
    fn book(&mut self, dt: f64) {
        let work = std::mem::take(&mut self.work);
        for (number, (meeting, push)) in work.meetings.iter().zip(&work.pushes).enumerate() {
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

    fn trouble(&self, number: usize, dt: f64) -> Option<Trouble> {
        let body = &self.bodies[number];
        let reach = self.casts[body.form as usize].reach;
        let cause = if !body.is_finite() {
            "its place, velocity or spin is not finite".to_string()
        } else if body.is_free() && body.velocity.norm() * dt > FASTEST * reach {
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
        Some(Trouble {
            body: format!("rigid body {number}"),
            cause,
            hint,
        })
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
            STEP * (body.mass / (self.laws.stiffest(body.material as usize) * widest)).sqrt()
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
                    &self.casts[body.form as usize],
                    &guide.state(self.time),
                );
            }
            body.force = if body.is_free() {
                self.gravity * body.mass
            } else {
                Vector::zeros()
            };
            body.torque = Vector::zeros();
        }
    }

    fn interact(&mut self, dt: f64) -> Result<(), Trouble> {
        self.meet()?;
        let mut meetings = std::mem::take(&mut self.work.meetings);
        let mut pushes = std::mem::take(&mut self.work.pushes);
        let each = meetings.par_iter_mut().with_min_len(CHUNK);
        each.for_each(|meeting| meeting.before = self.remembered(meeting));
        let each = meetings
            .par_iter()
            .with_min_len(CHUNK)
            .map(|meeting| self.push(meeting, dt));
        each.collect_into_vec(&mut pushes);
        self.take(&meetings, &pushes);
        (self.work.meetings, self.work.pushes) = (meetings, pushes);
        Ok(())
    }

    fn finish(&mut self, dt: f64) -> Result<(), Trouble> {
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
            potential: free()
                .map(|body| -body.mass * self.gravity.dot(&body.position))
                .sum(),
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

    fn contacts(&self, lines: &mut Vec<ForceLine<D>>) {
        lines.extend(self.lines.iter().map(|line| ForceLine {
            bodies: line.bodies,
            point: contacts::point::<D>(&line.point.coords),
            force: lowered(&line.force),
            depth: line.depth,
        }));
    }
}
