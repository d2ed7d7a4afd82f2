//! One step of the particles.

use super::arrays::{Load, Motion};
use super::periodic::Box3;
use super::{Ordered, Particles, order, walls};
use crate::{ContactRecord, Energy, Matter, StepError, Superaccumulator};
use impinge::bound::Ball;
use impinge::broad::InvalidScene;
use impinge::space::{Aabb, Vector};
use rayon::prelude::*;

/// Particles moved by one task.
const TASK: usize = 4096;

/// Steps between checks of the outlets.
const OUTLETS_EVERY: u64 = 20;

/// Re-sort after 2 diameters of motion, at most every 200 steps; or when one particle in 8 is new.
const ORDER_AFTER: f64 = 2.0;
const ORDER_STEPS: u64 = 200;
const ORDER_NEW: usize = 8;

/// Largest motion in a recommended step, in radii, so that even a soft collision has several steps.
pub(super) const FARTHEST: f64 = 0.1;

/// Skin of the obstacle lists, as a fraction of the mean diameter.
const WALL_MARGIN: f64 = 0.2;

impl Matter<3> for Particles {
    fn stable_step(&self) -> f64 {
        self.stable_step
    }

    fn begin(&mut self, dt: f64) {
        let drift = Drift {
            gravity: self.setup.gravity.into(),
            cell: self.cell,
            falls_round: (0..3)
                .any(|k| self.setup.gravity[k] != 0.0 && self.cell.ends[k].is_some()),
            dt,
        };
        let arrays = &mut self.arrays;

        let chunks = (
            arrays.balls.par_chunks_mut(TASK),
            arrays.motions.par_chunks_mut(TASK),
            arrays.loads.par_chunks_mut(TASK),
            arrays.masses.par_chunks(TASK),
            arrays.lost.par_chunks_mut(TASK),
        );
        let drifted: Vec<Drifted> = chunks
            .into_par_iter()
            .map(|(balls, motions, loads, masses, lost)| {
                drift.run(balls, motions, loads, masses, lost)
            })
            .collect();

        let mut lifted = Superaccumulator::default();
        drifted
            .iter()
            .flat_map(|part| &part.lifted)
            .for_each(|&energy| lifted.add(energy));
        self.brought += lifted.value();

        self.motion = drifted
            .iter()
            .map(|part| part.fastest)
            .fold(0.0, f64::max)
            .sqrt()
            * dt;
        self.path += self.motion;
        self.time += dt;

        self.steps += 1;
    }

    fn interact(&mut self, dt: f64) -> Result<(), StepError> {
        self.open_inlets(dt)?;
        self.drain();
        self.keep_order();
        self.keep_list()?;
        let Self {
            arrays,
            list,
            table,
            cell,
            ..
        } = self;
        let overlaps = &mut self.overlaps;
        self.touching = self
            .chunks
            .push_pairs(arrays, list, table, cell, dt, overlaps);

        for (number, obstacle) in (0..).zip(&mut self.obstacles) {
            let margin = WALL_MARGIN * self.diameter;
            let record = (number, &mut *overlaps);
            walls::push_obstacle(obstacle, arrays, table, self.path, margin, dt, record);

            // Energy that particles transfer to the obstacle is not dissipated.
            self.lost -= obstacle.work;
            self.touching += obstacle.contact_count();
        }

        overlaps.sort();
        Ok(())
    }

    fn finish(&mut self, dt: f64) -> Result<(), StepError> {
        let (gravity, half) = (Vector::from(self.setup.gravity), 0.5 * dt);
        let damping = Damping::over(self.setup.damping, dt);
        let arrays = &mut self.arrays;
        let chunks = (
            arrays.balls.par_chunks(TASK),
            arrays.motions.par_chunks_mut(TASK),
            arrays.loads.par_chunks(TASK),
            arrays.masses.par_chunks(TASK),
            arrays.lost.par_chunks_mut(TASK),
        );

        let good = chunks
            .into_par_iter()
            .map(|(balls, motions, loads, masses, lost)| {
                let mut good = true;
                for ((((ball, motion), load), mass), lost) in
                    balls.iter().zip(motions).zip(loads).zip(masses).zip(lost)
                {
                    *lost += load.returned() + load.taken(motion, &(gravity * *mass), half);
                    motion.kick(load, ball.radius, half);
                    if let Some(damping) = &damping {
                        *lost += damping.slow(motion, *mass, ball.radius);
                    }
                    good &= is_sane(motion, ball, dt);
                }
                good
            })
            .reduce(|| true, |one, other| one & other);

        if good { Ok(()) } else { Err(self.trouble(dt)) }
    }

    fn energy(&self) -> Energy {
        self.measure_energy()
    }

    fn momentum(&self) -> Vector<3> {
        self.measure_momentum()
    }

    fn angular_momentum(&self) -> Vector<3> {
        self.measure_angular_momentum()
    }

    /// Bodies are ids. Forces follow from the law at the current positions, springs and velocities.
    fn contacts(&self, contacts: &mut Vec<ContactRecord>) {
        self.write_contacts(contacts);
    }
}

/// Input of a drift.
struct Drift {
    gravity: Vector<3>,
    cell: Box3,
    /// Whether gravity acts along a periodic axis.
    falls_round: bool,
    dt: f64,
}

/// Outcome of a drift.
struct Drifted {
    /// Largest squared speed.
    fastest: f64,
    /// Potential energy of each particle that wrapped to the other end of the box.
    lifted: Vec<f64>,
}

impl Drift {
    /// Applies half kick and drift, and resets the loads to the weight.
    fn run(
        &self,
        balls: &mut [Ball<3>],
        motions: &mut [Motion],
        loads: &mut [Load],
        masses: &[f64],
        lost: &mut [f64],
    ) -> Drifted {
        let half = 0.5 * self.dt;
        let mut sum = Drifted {
            fastest: 0.0,
            lifted: Vec::new(),
        };
        let particles = balls.iter_mut().zip(motions).zip(loads);

        for ((((ball, motion), load), mass), lost) in particles.zip(masses).zip(lost) {
            // Use the returned value: reloading it defeats store forwarding.
            let velocity = motion.kick(load, ball.radius, half);
            let weight = self.gravity * *mass;
            *lost += load.taken(motion, &weight, half);
            motion.damped = load.damped() / ball.radius;
            let gone = ball.centre + velocity * self.dt;
            let mut centre = gone;
            self.cell.wrap(&mut centre);

            if self.falls_round && gone != centre {
                sum.lifted.push(weight.dot(&(gone - centre)));
            }

            ball.centre = centre;
            *load = Load::new(&weight, &Vector::zeros(), 0.0);
            sum.fastest = sum.fastest.max(velocity.norm_squared());
        }

        sum
    }
}

/// Global damping over a step: exact for any rate, so that it never shortens the step.
struct Damping {
    /// What is left of a velocity.
    left: f64,
}

impl Damping {
    /// Returns the damping of a rate over a time; `None` without any.
    fn over(rate: f64, time: f64) -> Option<Self> {
        (rate > 0.0).then(|| Self {
            left: (-rate * time).exp(),
        })
    }

    /// Slows a particle down; returns the energy that it loses.
    #[inline(always)]
    fn slow(&self, motion: &mut Motion, mass: f64, radius: f64) -> f64 {
        let turning = 0.4 * radius * radius * motion.spin.norm_squared();
        let kinetic = 0.5 * mass * (motion.velocity.norm_squared() + turning);
        motion.velocity *= self.left;
        motion.spin *= self.left;
        kinetic * (1.0 - self.left * self.left)
    }
}

impl Motion {
    /// Applies a kick; returns the new velocity.
    #[inline(always)]
    fn kick(&mut self, load: &Load, radius: f64, time: f64) -> Vector<3> {
        let velocity = self.velocity + load.force() * (self.inverse_mass * time);
        self.velocity = velocity;
        self.spin += load.torque() * (2.5 * self.inverse_mass * time / (radius * radius));
        velocity
    }
}

impl Load {
    /// Returns the energy that contacts take from a motion in a time interval.
    ///
    /// Verlet's kinetic energy changes in a step by the mean of the forces at both ends times the
    /// displacement, with the mid-step velocity. Nothing else is as exact if a body has many
    /// contacts.
    #[inline(always)]
    fn taken(&self, motion: &Motion, weight: &Vector<3>, time: f64) -> f64 {
        let power = (self.force() - weight).dot(&motion.velocity) + self.torque().dot(&motion.spin);
        -power * time
    }
}

/// A particle that moves by more than its radius in a step can tunnel through others. NaN also
/// fails this test.
#[inline(always)]
fn is_sane(motion: &Motion, ball: &Ball<3>, dt: f64) -> bool {
    let spin = motion.spin.norm_squared();
    (motion.velocity.norm_squared() * (dt * dt) <= ball.radius * ball.radius)
        & (spin < f64::INFINITY)
}

impl Particles {
    fn open_inlets(&mut self, dt: f64) -> Result<(), StepError> {
        for n in 0..self.inlets.len() {
            let species = self.inlets[n].inlet.species as usize;
            let density = self.setup.materials[species].density;
            let grains = self.inlets[n].emit(&self.arrays.balls, density, self.time, dt);
            if !grains.is_empty() {
                let first = self.len();
                self.add(&grains).map_err(|fault| StepError {
                    body: format!("inlet {n}"),
                    cause: fault.to_string(),
                    hint: "give it radii and a region that fit the world".into(),
                })?;
                self.brought += self.carried_by(first..self.len());
            }
        }
        Ok(())
    }

    fn drain(&mut self) {
        if self.outlets.is_empty() || !self.steps.is_multiple_of(OUTLETS_EVERY) {
            return;
        }

        let leaves = |particles: &Self, place: usize| {
            let centre = &particles.arrays.balls[place].centre;
            particles
                .outlets
                .iter()
                .any(|region| region.contains(centre))
        };
        let gone: Vec<usize> = (0..self.len())
            .filter(|&place| leaves(self, place))
            .collect();
        self.brought -= self.carried_by(gone.iter().copied());
        self.drained += super::sum_of(gone.iter().map(|&place| self.arrays.masses[place]));
        self.retain(|particles, place| !leaves(particles, place));
    }

    /// Re-sorts particles into spatial order. The time of the sort depends on the state alone.
    fn keep_order(&mut self) {
        let count = self.arrays.len();
        let Ordered {
            path,
            step,
            count: then,
        } = self.ordered;
        let wandered =
            self.path - path > ORDER_AFTER * self.diameter && self.steps - step >= ORDER_STEPS;

        if wandered || count.abs_diff(then) * ORDER_NEW > count {
            let corner = Aabb::of(self.positions()).min;
            self.arrays.seats = order::seats(&self.arrays.balls, &corner, self.diameter);
            self.arrange(&order::by_seat(&self.arrays.seats, &self.arrays.ids));
            self.ordered = Ordered {
                path: self.path,
                step: self.steps,
                count,
            };
        }
    }

    pub(super) fn keep_list(&mut self) -> Result<(), StepError> {
        if self
            .list
            .follow(&self.arrays.balls, &self.cell, self.motion)
        {
            return Ok(());
        }
        let rolling = self.table.keeps_rolling();
        let largest = self.radii().fold(f64::MIN_POSITIVE, f64::max);
        let held = self.table.largest_tear_gap(largest);
        let built = self.list.build(
            &self.arrays,
            &self.cell,
            self.diameter,
            self.motion,
            rolling,
            held,
        );

        built.map_err(|fault| match fault {
            InvalidScene::Body { body, fault } => StepError {
                body: format!("particle {}", self.arrays.ids[body as usize]),
                cause: format!("its place {fault}"),
                hint: "shorten the time step".into(),
            },
            other => StepError {
                body: "particles".into(),
                cause: other.to_string(),
                hint: "use fewer particles".into(),
            },
        })
    }

    /// Updates the lists of the obstacles for the current positions.
    pub(super) fn watch_obstacles(&mut self) {
        let margin = WALL_MARGIN * self.diameter;
        for obstacle in &mut self.obstacles {
            obstacle.watch(&self.arrays.balls, self.path, margin);
        }
    }

    /// Describes the error of the failed particle with the lowest id.
    fn trouble(&self, dt: f64) -> StepError {
        let sick =
            |&place: &usize| !is_sane(&self.arrays.motions[place], &self.arrays.balls[place], dt);
        let place = (0..self.arrays.len())
            .filter(sick)
            .min_by_key(|&place| self.arrays.ids[place]);
        let place = place.expect("one of them was insane");
        let speed = self.arrays.motions[place].velocity.norm();
        let radii = speed * dt / self.arrays.balls[place].radius;

        let cause = if speed.is_finite() && radii > 1.0 {
            format!("it moves at {speed:.3e} m/s, {radii:.1} of its radii in one step")
        } else {
            "its velocity or spin is not finite".into()
        };
        let slow_enough = FARTHEST * self.arrays.balls[place].radius / speed;
        let advised = self.stable_step.min(if speed > 0.0 {
            slow_enough
        } else {
            f64::INFINITY
        });

        let hint = format!(
            "shorten the time step (to {advised:.1e} s at this speed), or look for particles that begin inside others or \
             are too soft for their speed"
        );
        StepError {
            body: format!("particle {}", self.arrays.ids[place]),
            cause,
            hint,
        }
    }
}
