//! One step of the particles.

use super::arrays::{Load, Motion};
use super::forces::Rules;
use super::inlet::OpenInlet;
use super::periodic::Box3;
use super::record::bits;
use super::{Ordered, Particles, order, walls};
use crate::{ContactRecord, Energy, Matter, StepError};
use impinge::bound::Ball;
use impinge::broad::InvalidScene;
use impinge::space::{Aabb, Point, Vector};
use rayon::prelude::*;
use std::time::Instant;

/// Motion that a guarded step accepts: anything whose square is finite.
const UNLIMITED: f64 = 1e150;

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
        let factors = self.deform(dt);
        let drift = Drift {
            factors,
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
            arrays.own.par_chunks(TASK),
        );
        let drifted: Vec<Drifted> = chunks
            .into_par_iter()
            .map(|(balls, motions, loads, masses, lost, own)| {
                drift.run(balls, motions, loads, masses, lost, own)
            })
            .collect();

        let fastest = drifted.iter().map(|part| part.fastest).fold(0.0, f64::max);
        let has_lifted = drifted.iter().any(|part| !part.lifted.is_empty());
        let mut largest = [fastest, f64::from(has_lifted)];
        self.largest_of_all(&mut largest);
        let [fastest, has_lifted] = largest;

        if has_lifted > 0.0 {
            let lifted = drifted.iter().flat_map(|part| &part.lifted);
            self.brought += self.sum_over_all(lifted.copied());
        }

        if factors != [1.0; 3] {
            let moving = |k: usize| drifted.iter().map(|part| part.moving[k]).sum::<f64>();
            let gained = |k: usize| 0.5 * moving(k) * (factors[k].powi(-2) - 1.0);
            self.deforming.work += (0..3).map(gained).sum::<f64>();
        }

        self.motion = fastest.sqrt() * dt;
        self.stretch = self.cell.motion(dt);
        self.path += self.motion + self.stretch;
        self.time += dt;

        self.steps += 1;
    }

    fn interact(&mut self, dt: f64) -> Result<(), StepError> {
        self.check_box()?;
        self.open_inlets(dt)?;
        self.drain();
        self.keep_order();
        self.keep_list()?;
        self.complete_reactions(false);
        let start = Instant::now();
        let Self {
            arrays,
            list,
            table,
            overlaps,
            ..
        } = self;
        let rules = Rules {
            table,
            period: &self.cell,
            dt,
        };
        // After a rebuild the ghosts are new.
        let exchange = self.exchange.as_mut().filter(|exchange| exchange.is_stale);
        self.touching = self
            .chunks
            .push_pairs(arrays, list, &rules, overlaps, exchange);
        self.deforming.virial = self.chunks.virial();
        self.half_work(dt);
        let Self {
            arrays,
            table,
            overlaps,
            ..
        } = self;

        let mut responses = Vec::with_capacity(self.obstacles.len());
        for (number, obstacle) in (0..).zip(&mut self.obstacles) {
            let margin = WALL_MARGIN * self.diameter;
            let record = (number, &mut *overlaps);
            responses.push(walls::push_obstacle(
                obstacle, arrays, table, self.path, margin, dt, record,
            ));
        }
        overlaps.sort();

        if let Some(exchange) = &mut self.exchange {
            exchange.balance.busy += start.elapsed().as_secs_f64();
        }
        self.share_responses(&mut responses);
        for (obstacle, response) in self.obstacles.iter_mut().zip(&responses) {
            walls::conclude(obstacle, response, dt);
            // Work done on the obstacle is transferred, not dissipated.
            self.lost -= obstacle.work;
            self.touching += obstacle.contact_count();
        }

        Ok(())
    }

    fn finish(&mut self, dt: f64) -> Result<(), StepError> {
        let (gravity, half) = (Vector::from(self.setup.gravity), 0.5 * dt);
        let damping = Damping::over(self.setup.damping, dt);
        let guarded = self.is_guarded;
        let arrays = &mut self.arrays;
        let chunks = (
            arrays.balls.par_chunks(TASK),
            arrays.motions.par_chunks_mut(TASK),
            arrays.loads.par_chunks(TASK),
            arrays.masses.par_chunks(TASK),
            arrays.lost.par_chunks_mut(TASK),
            arrays.own.par_chunks(TASK),
        );

        let (good, rate) = chunks
            .into_par_iter()
            .map(|(balls, motions, loads, masses, lost, own)| {
                let (mut good, mut rate) = (true, 0.0f64);
                let particles = balls.iter().zip(motions).zip(loads);
                for (((((ball, motion), load), mass), lost), own) in
                    particles.zip(masses).zip(lost).zip(own)
                {
                    if !own {
                        continue;
                    }
                    *lost += load.returned() + load.taken(motion, &(gravity * *mass), half);
                    motion.kick(load, ball.radius, half);
                    if let Some(damping) = &damping {
                        *lost += damping.slow(motion, *mass, ball.radius);
                    }
                    good &= is_motion_valid(motion, ball, dt, guarded);
                    rate = rate.max(squared_rate(motion, ball));
                }
                (good, rate)
            })
            .reduce(
                || (true, 0.0),
                |one, other| (one.0 & other.0, one.1.max(other.1)),
            );
        self.rate = Some(rate.sqrt());

        let failed = (!good).then(|| self.trouble(dt));
        self.share_outcome(failed)
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
    /// Factors of the lengths of the periodic box.
    factors: [f64; 3],
    dt: f64,
}

/// Outcome of a drift.
struct Drifted {
    /// Largest squared speed.
    fastest: f64,
    /// Potential energy of each particle that wrapped to the other end of the box.
    lifted: Vec<f64>,
    /// Σ m v_k² before the box deformed.
    moving: [f64; 3],
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
        own: &[bool],
    ) -> Drifted {
        let half = 0.5 * self.dt;
        let mut sum = Drifted {
            fastest: 0.0,
            lifted: Vec::new(),
            moving: [0.0; 3],
        };
        let deforms = self.factors != [1.0; 3];
        let slowed = self.factors.map(|factor| factor.powf(-0.5));
        let particles = balls.iter_mut().zip(motions).zip(loads);

        for (((((ball, motion), load), mass), lost), own) in
            particles.zip(masses).zip(lost).zip(own)
        {
            if !own {
                *load = Load::default();
                continue;
            }
            // Use the returned value: reloading it defeats store forwarding.
            let mut velocity = motion.kick(load, ball.radius, half);
            let weight = self.gravity * *mass;
            *lost += load.taken(motion, &weight, half);
            motion.damped = load.damped() / ball.radius;
            if deforms {
                for k in 0..3 {
                    sum.moving[k] += *mass * velocity[k] * velocity[k];
                    velocity[k] *= slowed[k];
                    motion.velocity[k] = velocity[k] * slowed[k];
                }
            }
            let mut gone = ball.centre + velocity * self.dt;
            if deforms {
                self.cell.carry(&mut gone, &self.factors);
            }
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
    /// Remaining fraction of a velocity.
    left: f64,
}

impl Damping {
    /// Returns the damping of a rate over a time; `None` without any.
    fn over(rate: f64, time: f64) -> Option<Self> {
        (rate > 0.0).then(|| Self {
            left: (-rate * time).exp(),
        })
    }

    /// Applies global damping to a particle; returns the energy that it loses.
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

/// Returns the square of a speed in radii per second.
#[inline(always)]
pub(super) fn squared_rate(motion: &Motion, ball: &Ball<3>) -> f64 {
    motion.velocity.norm_squared() / (ball.radius * ball.radius)
}

/// A particle that moves by more than its radius in a step can tunnel through others, unless the
/// step is guarded. NaN also fails this test.
#[inline(always)]
fn is_motion_valid(motion: &Motion, ball: &Ball<3>, dt: f64, is_guarded: bool) -> bool {
    let spin = motion.spin.norm_squared();
    let farthest = if is_guarded { UNLIMITED } else { ball.radius };
    (motion.velocity.norm_squared() * (dt * dt) <= farthest * farthest) & (spin < f64::INFINITY)
}

impl Particles {
    fn open_inlets(&mut self, dt: f64) -> Result<(), StepError> {
        for n in 0..self.inlets.len() {
            let species = self.inlets[n].inlet.species as usize;
            let density = self.setup.materials[species].density;
            let wanted = self.inlets[n].due(density, self.time, dt);
            if wanted == 0 {
                continue;
            }

            let near = self.balls_near(&self.inlets[n]);
            let grains = self.inlets[n].emit(&near, density, wanted);
            if !grains.is_empty() {
                let first = self.len();
                self.add(&grains).map_err(|fault| StepError {
                    body: format!("inlet {n}"),
                    cause: fault.to_string(),
                    hint: "use radii and a region that fit the world".into(),
                })?;
                self.brought += self.carried_by(first..self.len());
            }
        }
        Ok(())
    }

    /// Returns the particles of all ranks that are near an inlet.
    fn balls_near(&self, inlet: &OpenInlet) -> Vec<Ball<3>> {
        let own = self.arrays.balls.iter().zip(&self.arrays.own);
        let near = own.filter(|(ball, own)| **own && inlet.is_near(ball));
        let words = near.flat_map(|(ball, _)| {
            let [x, y, z] = ball.centre.coords.into();
            bits(&[x, y, z, ball.radius])
        });
        let all = self.gather_all(words.collect());
        let ball = |words: &[u64; 4]| {
            let [x, y, z, radius] = words.map(f64::from_bits);
            Ball::new([x, y, z], radius)
        };

        let words = all.iter().flat_map(|words| words.as_chunks::<4>().0);
        words.map(ball).collect()
    }

    fn drain(&mut self) {
        if self.outlets.is_empty() || !self.steps.is_multiple_of(OUTLETS_EVERY) {
            return;
        }

        let leaves = |particles: &Self, place: usize| {
            let centre = &particles.arrays.balls[place].centre;
            let mut outlets = particles.outlets.iter();
            particles.arrays.own[place] && outlets.any(|region| region.contains(centre))
        };
        let gone: Vec<usize> = (0..self.len())
            .filter(|&place| leaves(self, place))
            .collect();
        let mut any = [f64::from(!gone.is_empty())];
        self.largest_of_all(&mut any);
        if any[0] == 0.0 {
            return;
        }

        self.brought -= self.carried_by(gone.iter().copied());
        let masses = gone.iter().map(|&place| self.arrays.masses[place]);
        self.drained += self.sum_over_all(masses);
        self.retain(|particles, place| !leaves(particles, place));
    }

    /// Re-sorts particles into spatial order. The time of the sort depends on the state alone.
    fn keep_order(&mut self) {
        let count = self.total();
        let Ordered {
            path,
            step,
            count: then,
        } = self.ordered;
        let wandered =
            self.path - path > ORDER_AFTER * self.diameter && self.steps - step >= ORDER_STEPS;

        if wandered || count.abs_diff(then) * ORDER_NEW > count {
            let corner = self.lowest_corner();
            self.arrays.seats = order::seats(&self.arrays.balls, &corner, self.diameter);
            self.arrange(&order::by_seat(&self.arrays.seats, &self.arrays.ids));
            self.ordered = Ordered {
                path: self.path,
                step: self.steps,
                count,
            };
        }
    }

    /// Returns the lowest corner of the box of all centres.
    fn lowest_corner(&self) -> Point<3> {
        let own = self.positions().zip(&self.arrays.own);
        let corner = Aabb::of(own.filter(|(_, own)| **own).map(|(point, _)| point)).min;
        let mut lowest: [f64; 3] = (-corner.coords).into();
        self.largest_of_all(&mut lowest);

        Point::from(lowest.map(|x| -x))
    }

    pub(super) fn keep_list(&mut self) -> Result<(), StepError> {
        let (exchange, arrays) = (&self.exchange, &self.arrays);
        let largest_of_all = |motion: f64| {
            let mut largest = [motion];
            if let Some(exchange) = exchange {
                exchange.ranks.max(&mut largest);
            }
            largest[0]
        };
        if self.list.follow(
            arrays,
            &self.cell,
            self.motion,
            self.stretch,
            largest_of_all,
        ) {
            if let Some(exchange) = &mut self.exchange {
                exchange.is_stale = true;
            }
            return Ok(());
        }

        let radii = self.arrays.balls.iter().map(|ball| ball.radius);
        let mut largest = [radii.fold(f64::MIN_POSITIVE, f64::max)];
        self.largest_of_all(&mut largest);
        let most = self.cell.most_margin(largest[0]);
        let held = self.table.largest_tear_gap(largest[0]);
        self.list
            .choose_margin(self.diameter, self.motion, most, held);
        if self.is_distributed() {
            return self.rebuild_on_all();
        }

        let (kept, rolling) = (self.list.kept(), self.table.keeps_rolling());
        let pairs = self.list.find_pairs(&self.arrays, &self.cell);
        let pairs = pairs.map_err(|fault| self.place_error(&fault))?;
        self.list.build(&pairs, &kept, &self.arrays.balls, rolling);
        Ok(())
    }

    /// Describes the error of a list.
    pub(super) fn place_error(&self, fault: &InvalidScene) -> StepError {
        match fault {
            InvalidScene::Body { body, fault } => StepError {
                body: format!("particle {}", self.arrays.ids[*body as usize]),
                cause: format!("its place {fault}"),
                hint: "shorten the time step".into(),
            },
            other => StepError {
                body: "particles".into(),
                cause: other.to_string(),
                hint: "use fewer particles".into(),
            },
        }
    }

    /// Updates the lists of the obstacles for the current positions.
    pub(super) fn watch_obstacles(&mut self) {
        let margin = WALL_MARGIN * self.diameter;
        for obstacle in &mut self.obstacles {
            obstacle.watch(&self.arrays.balls, &self.arrays.own, self.path, margin);
        }
    }

    /// Returns the lowest id of a failed particle, and its error.
    fn trouble(&self, dt: f64) -> (u32, StepError) {
        let sick = |&place: &usize| {
            let arrays = &self.arrays;
            let (motion, ball) = (&arrays.motions[place], &arrays.balls[place]);
            arrays.own[place] && !is_motion_valid(motion, ball, dt, self.is_guarded)
        };
        let place = (0..self.arrays.len())
            .filter(sick)
            .min_by_key(|&place| self.arrays.ids[place]);
        let place = place.expect("at least one particle failed");
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
            "shorten the time step (to {advised:.1e} s at this speed), or look for particles \
             that start inside others or are too soft for their speed"
        );
        let error = StepError {
            body: format!("particle {}", self.arrays.ids[place]),
            cause,
            hint,
        };

        (self.arrays.ids[place], error)
    }
}
