//! Particles as structure of arrays, all in one order: neighbours in space are close in memory.

use super::grain::Grain;
use super::order::Seat;
use impinge::bound::Ball;
use impinge::space::Vector;
use std::f64::consts::PI;

/// The motion of a particle as contacts read it; one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Motion {
    pub(super) velocity: Vector<3>,
    /// Zero for fixed particles.
    pub(super) inverse_mass: f64,
    pub(super) spin: Vector<3>,
    /// Fraction of its velocity that the dashpots of all its contacts, without a limit, would have
    /// removed in the last step.
    pub(super) damped: f64,
}

/// Force and torque on a particle; one cache line. Rows of four are added at once. The last number
/// of the force row is the energy that springs return, of those contacts in which the particle comes
/// first. The last number of the torque row is the velocity fraction that the dashpots of all
/// contacts remove, times their arms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Load {
    pub(super) force: Row,
    pub(super) torque: Row,
}

/// A row as wide as a vector register.
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

    /// Energy that springs return in the step.
    #[inline(always)]
    pub(super) fn returned(&self) -> f64 {
        self.force[3]
    }

    /// Dashpot removal, times the arms.
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
    /// Positions in the order of storage, ascending; see `order.rs`.
    pub(super) seats: Vec<Seat>,
    /// Whether this rank moves the particle; the others are ghosts, copies of those of other ranks.
    pub(super) own: Vec<bool>,
    /// Energy that contacts of each particle have dissipated so far. Summed over all particles only
    /// on demand.
    pub(super) lost: Vec<f64>,
}

/// Returns the mass of a sphere.
pub(super) fn mass(radius: f64, density: f64) -> f64 {
    density * 4.0 / 3.0 * PI * radius.powi(3)
}

/// The place of a particle that has been removed.
pub(super) const REMOVED: u32 = u32::MAX;

impl Arrays {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn push(&mut self, grain: &Grain, id: u32, density: f64, gravity: &Vector<3>) {
        let mass = mass(grain.radius, density);
        self.balls.push(Ball::new(grain.position, grain.radius));
        self.motions.push(Motion {
            velocity: grain.velocity.into(),
            inverse_mass: if grain.is_fixed { 0.0 } else { 1.0 / mass },
            spin: grain.spin.into(),
            damped: 0.0,
        });
        self.loads
            .push(Load::new(&(gravity * mass), &Vector::zeros(), 0.0));
        self.masses.push(mass);
        self.species.push(grain.species);
        self.seats.push(Seat::new_of(id));
        self.own.push(true);
        self.lost.push(0.0);

        self.ids.push(id);
    }

    /// Returns the particle at a place.
    pub(super) fn grain(&self, place: usize) -> Grain {
        let (ball, motion) = (&self.balls[place], &self.motions[place]);
        Grain {
            position: ball.centre.coords.into(),
            velocity: motion.velocity.into(),
            spin: motion.spin.into(),
            radius: ball.radius,
            species: self.species[place],
            is_fixed: self.is_fixed(place),
        }
    }

    pub(super) fn is_fixed(&self, place: usize) -> bool {
        self.motions[place].inverse_mass == 0.0
    }

    /// Reorders the particles to this order of old places; unlisted places are dropped. Returns the
    /// new place of every old one.
    pub(super) fn arrange(&mut self, order: &[u32]) -> Vec<u32> {
        let mut places = vec![REMOVED; self.len()];
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
        pick(&mut self.seats, order);
        pick(&mut self.own, order);
        pick(&mut self.lost, order);

        places
    }

    /// Returns the memory used, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.balls.capacity() * size_of::<Ball<3>>()
            + self.motions.capacity() * size_of::<Motion>()
            + self.loads.capacity() * size_of::<Load>()
            + (self.masses.capacity() + self.lost.capacity()) * 8
            + self.seats.capacity() * size_of::<Seat>()
            + self.species.capacity() * 2
            + self.own.capacity()
            + self.ids.capacity() * 4
    }
}
