//! The particles as arrays, all in one order: neighbours in space are neighbours in memory.

use super::grain::Grain;
use impinge::bound::Ball;
use impinge::space::Vector;
use std::f64::consts::PI;

/// What a contact needs of a particle's motion: one line of the cache.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Motion {
    pub(super) velocity: Vector<3>,
    pub(super) inverse_mass: f64,
    pub(super) spin: Vector<3>,
    /// Share of its velocity that the dashpots of all its contacts, unlimited, would have taken in the last step.
    pub(super) damped: f64,
}

/// What acts on a particle: one line of the cache. Rows of four are added in one piece. The last number is zero in that of the
/// force; in that of the torque it is what the dashpots of all contacts take, times their arms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Load {
    pub(super) force: Row,
    pub(super) torque: Row,
}

/// As wide as the registers that they go through.
pub(super) type Row = [f64; 4];

impl Load {
    #[inline(always)]
    pub(super) fn new(force: &Vector<3>, torque: &Vector<3>, damped: f64) -> Self {
        Self {
            force: [force.x, force.y, force.z, 0.0],
            torque: [torque.x, torque.y, torque.z, damped],
        }
    }

    #[inline(always)]
    pub(super) fn force(&self) -> Vector<3> {
        [self.force[0], self.force[1], self.force[2]].into()
    }

    #[inline(always)]
    pub(super) fn torque(&self) -> Vector<3> {
        [self.torque[0], self.torque[1], self.torque[2]].into()
    }

    /// What dashpots take, times their arms.
    #[inline(always)]
    pub(super) fn damped(&self) -> f64 {
        self.torque[3]
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for k in 0..4 {
            self.force[k] += other.force[k];
            self.torque[k] += other.torque[k];
        }
    }
}

/// All particles.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrays {
    pub(super) balls: Vec<Ball<3>>,
    pub(super) motions: Vec<Motion>,
    pub(super) loads: Vec<Load>,
    pub(super) masses: Vec<f64>,
    pub(super) species: Vec<u16>,
    pub(super) ids: Vec<u32>,
}

/// The place of a particle that is no longer there.
pub(super) const GONE: u32 = u32::MAX;

impl Arrays {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn push(&mut self, grain: &Grain, id: u32, density: f64, gravity: &Vector<3>) {
        let mass = density * 4.0 / 3.0 * PI * grain.radius.powi(3);
        self.balls.push(Ball::new(grain.position, grain.radius));
        self.motions.push(Motion {
            velocity: grain.velocity.into(),
            inverse_mass: 1.0 / mass,
            spin: grain.spin.into(),
            damped: 0.0,
        });
        self.loads
            .push(Load::new(&(gravity * mass), &Vector::zeros(), 0.0));
        self.masses.push(mass);
        self.species.push(grain.species);

        self.ids.push(id);
    }

    /// The particle at a place.
    pub(super) fn grain(&self, place: usize) -> Grain {
        let (ball, motion) = (&self.balls[place], &self.motions[place]);
        Grain {
            position: ball.centre.coords.into(),
            velocity: motion.velocity.into(),
            spin: motion.spin.into(),
            radius: ball.radius,
            species: self.species[place],
        }
    }

    /// Brings the particles into this order of old places; places that are not listed are dropped. Returns the new place of
    /// every old one.
    pub(super) fn arrange(&mut self, order: &[u32]) -> Vec<u32> {
        let mut places = vec![GONE; self.len()];
        for (new, &old) in (0..).zip(order) {
            places[old as usize] = new;
        }

        fn pick<T: Copy>(values: &mut Vec<T>, order: &[u32]) {
            *values = order.iter().map(|&old| values[old as usize]).collect();
        }
        pick(&mut self.balls, order);
        pick(&mut self.motions, order);
        pick(&mut self.loads, order);
        pick(&mut self.masses, order);
        pick(&mut self.species, order);
        pick(&mut self.ids, order);

        places
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.balls.capacity() * size_of::<Ball<3>>()
            + self.motions.capacity() * size_of::<Motion>()
            + self.loads.capacity() * size_of::<Load>()
            + self.masses.capacity() * 8
            + self.species.capacity() * 2
            + self.ids.capacity() * 4
    }
}
