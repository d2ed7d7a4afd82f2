//! One step of the particles.

use super::arrays::{Load, Motion};
use super::{Ordered, Particles, order, walls};
use crate::{Energy, ForceLine, Matter, Trouble};
use impinge::bound::Ball;
use impinge::broad::InvalidScene;
use impinge::space::Vector;
use rayon::prelude::*;

/// Particles moved by one task.
const TASK: usize = 4096;

/// Steps between looks at the outlets.
const OUTLETS_EVERY: u64 = 20;

/// Particles are ordered anew when one may have come so many diameters, but not sooner than after so many steps; or when
/// one in so many is new.
const ORDER_AFTER: f64 = 2.0;
const ORDER_STEPS: u64 = 200;
const ORDER_NEW: usize = 8;

/// Margin of the lists of obstacles, as a share of the mean diameter.
const WALL_MARGIN: f64 = 0.2;

impl Matter<3> for Particles {
    fn stable_step(&self) -> f64 {
        self.stable_step
    }

    fn begin(&mut self, dt: f64) {
        let gravity = Vector::from(self.setup.gravity);
        let (cell, half) = (self.cell, 0.5 * dt);
        let arrays = &mut self.arrays;
        let chunks = (
            arrays.balls.par_chunks_mut(TASK),
            arrays.motions.par_chunks_mut(TASK),
        );
        let chunks = (
            chunks.0,
            chunks.1,
            arrays.loads.par_chunks_mut(TASK),
            arrays.masses.par_chunks(TASK),
        );
        let fastest = chunks
            .into_par_iter()
            .map(|(balls, motions, loads, masses)| {
                let mut fastest = 0.0f64;
                for (((ball, motion), load), mass) in
                    balls.iter_mut().zip(motions).zip(loads).zip(masses)
                {
                    // By hand, not from memory: a value that is read in other pieces than it was written makes the processor wait.
                    let velocity = motion.kick(load, half);
                    let mut centre = ball.centre + velocity * dt;
                    cell.wrap(&mut centre);
                    ball.centre = centre;
                    *load = Load::new(&(gravity * *mass), &Vector::zeros());
                    fastest = fastest.max(velocity.norm_squared());
                }
                fastest
            });
        self.motion = fastest.reduce(|| 0.0, f64::max).sqrt() * dt;
        self.path += self.motion;
        self.time += dt;
        self.steps += 1;
    }

    fn interact(&mut self, dt: f64) -> Result<(), Trouble> {
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
        let mut outcome = self.chunks.push_pairs(arrays, list, table, cell, dt);
        for obstacle in &mut self.obstacles {
            let margin = WALL_MARGIN * self.diameter;
            let wall = walls::push_obstacle(obstacle, arrays, table, self.path, margin, dt);
            outcome.lost += wall.lost;
            outcome.touching += wall.touching;
        }
        self.lost += outcome.lost;
        self.touching = outcome.touching;
        Ok(())
    }

    fn finish(&mut self, dt: f64) -> Result<(), Trouble> {
        let half = 0.5 * dt;
        let arrays = &mut self.arrays;
        let chunks = arrays
            .motions
            .par_chunks_mut(TASK)
            .zip(arrays.loads.par_chunks(TASK));
        let good = chunks
            .zip(arrays.balls.par_chunks(TASK))
            .map(|((motions, loads), balls)| {
                let mut good = true;
                for ((motion, load), ball) in motions.iter_mut().zip(loads).zip(balls) {
                    motion.kick(load, half);
                    good &= is_sane(motion, ball, dt);
                }
                good
            });
        if good.reduce(|| true, |a, b| a & b) {
            Ok(())
        } else {
            Err(self.trouble(dt))
        }
    }

    fn energy(&self) -> Energy {
        self.measure_energy()
    }

    fn momentum(&self) -> Vector<3> {
        self.measure_momentum()
    }

    /// Bodies are ids. Forces are those of the law for positions, springs and velocities as they are now.
    fn contacts(&self, lines: &mut Vec<ForceLine<3>>) {
        self.write_contacts(lines);
    }
}

impl Motion {
    /// Returns the new velocity.
    #[inline(always)]
    fn kick(&mut self, load: &Load, time: f64) -> Vector<3> {
        let velocity = self.velocity + load.force() * (self.inverse_mass * time);
        self.velocity = velocity;
        self.spin += load.torque() * (self.inverse_inertia * time);
        velocity
    }
}

/// A particle that moves by more than its radius in a step passes through others unseen. NaN is not sane either.
#[inline(always)]
fn is_sane(motion: &Motion, ball: &Ball<3>, dt: f64) -> bool {
    let spin = motion.spin.norm_squared();
    (motion.velocity.norm_squared() * (dt * dt) <= ball.radius * ball.radius)
        & (spin < f64::INFINITY)
}

impl Particles {
    fn open_inlets(&mut self, dt: f64) -> Result<(), Trouble> {
        for n in 0..self.inlets.len() {
            let grains = self.inlets[n].emit(&self.arrays.balls, self.time, dt);
            if !grains.is_empty() {
                let first = self.len();
                self.add(&grains).map_err(|fault| Trouble {
                    body: format!("inlet {n}"),
                    cause: fault.to_string(),
                    hint: "give it radii and a region that fit the world".into(),
                })?;
                self.brought += (first..self.len())
                    .map(|place| self.carried(place))
                    .sum::<f64>();
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
        let gone = (0..self.len())
            .filter(|&place| leaves(self, place))
            .map(|place| self.carried(place));
        self.brought -= gone.sum::<f64>();
        self.retain(|particles, place| !leaves(particles, place));
    }

    /// Brings particles that have wandered back into the order of space. When, follows from the state alone.
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
            self.arrange(&order::in_towers(&self.arrays.balls));
            self.ordered = Ordered {
                path: self.path,
                step: self.steps,
                count,
            };
        }
    }

    pub(super) fn keep_list(&mut self) -> Result<(), Trouble> {
        if self
            .list
            .follow(&self.arrays.balls, &self.cell, self.motion)
        {
            return Ok(());
        }
        let rolling = self.table.keeps_rolling();
        let built = self.list.build(
            &self.arrays,
            &self.cell,
            self.diameter,
            self.motion,
            rolling,
        );
        built.map_err(|fault| match fault {
            InvalidScene::Body { body, fault } => Trouble {
                body: format!("particle {}", self.arrays.ids[body as usize]),
                cause: format!("its place {fault}"),
                hint: "shorten the time step".into(),
            },
            other => Trouble {
                body: "particles".into(),
                cause: other.to_string(),
                hint: "use fewer particles".into(),
            },
        })
    }

    /// Lists of the obstacles for where everything is now.
    pub(super) fn watch_obstacles(&mut self) {
        let margin = WALL_MARGIN * self.diameter;
        for obstacle in &mut self.obstacles {
            obstacle.watch(&self.arrays.balls, self.path, margin);
        }
    }

    /// What is wrong with the insane particle of the lowest id.
    fn trouble(&self, dt: f64) -> Trouble {
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
        let hint = format!(
            "shorten the time step (stable: {:.1e} s), or look for particles that begin inside others",
            self.stable_step
        );
        Trouble {
            body: format!("particle {}", self.arrays.ids[place]),
            cause,
            hint,
        }
    }
}
