//! What the world must know of the particles before a step: how fast they are, and on which parabolas they move.
//!
//! On several ranks, every rank gets the particles of all. They are asked for only where one is so fast
//! that the step may have to be divided, or where nothing touches and all may fly freely.

use super::exchange::Exchange;
use super::order::Seat;
use super::record::{Reader, bits};
use super::{Particles, step};
use crate::Matter;
use impinge::bound::Ball;
use impinge::predict::MovingBall;
use impinge::space::{Point, Vector};

impl Particles {
    /// Sets whether a motion of more than a radius in a step is an error.
    pub(crate) fn set_guarded(&mut self, is_guarded: bool) {
        self.is_guarded = is_guarded;
    }

    /// Returns the largest speed of a particle in radii per second.
    pub(crate) fn largest_rate(&self) -> f64 {
        self.rate.unwrap_or_else(|| {
            let all = self.arrays.motions.iter().zip(&self.arrays.balls);
            let rates = all.map(|(motion, ball)| step::squared_rate(motion, ball));
            let mut largest = [rates.fold(0.0, f64::max).sqrt()];
            self.largest_of_all(&mut largest);
            largest[0]
        })
    }

    /// Returns whether the box is periodic along any axis.
    pub(crate) fn is_periodic(&self) -> bool {
        self.setup.period.iter().any(Option::is_some)
    }

    /// Returns whether nothing touches the particles, only gravity moves them, and none are added or
    /// removed on their way.
    pub(crate) fn fly_freely(&self) -> bool {
        let has_gates = !self.inlets.is_empty() || !self.outlets.is_empty();
        if has_gates || self.setup.damping != 0.0 {
            return false;
        }

        let is_fixed = |place: usize| self.arrays.is_fixed(place);
        let held = self.touching > 0 || (0..self.len()).any(is_fixed);
        let mut largest = [f64::from(held)];
        self.largest_of_all(&mut largest);
        largest[0] == 0.0
    }

    /// Returns the particles of all ranks as balls on parabolas, and their ids, in the order of seats.
    pub(crate) fn moving_balls(&self) -> Vec<(MovingBall<3>, u32)> {
        let gravity = Vector::from(self.setup.gravity);
        let moving = |ball: Ball<3>, velocity: Vector<3>| {
            MovingBall::at_rest(ball)
                .with_velocity(velocity)
                .with_acceleration(gravity)
        };
        let Some(exchange) = &self.exchange else {
            let arrays = &self.arrays;
            let all = arrays.balls.iter().zip(&arrays.motions).zip(&arrays.ids);
            return all
                .map(|((ball, motion), id)| (moving(*ball, motion.velocity), *id))
                .collect();
        };

        let balls = self.balls_of_all(exchange);
        balls
            .into_iter()
            .map(|(_, id, ball, velocity)| (moving(ball, velocity), id))
            .collect()
    }

    /// Returns the particles of all ranks with their velocities, in the order that one process has.
    fn balls_of_all(&self, exchange: &Exchange) -> Vec<(Seat, u32, Ball<3>, Vector<3>)> {
        let arrays = &self.arrays;
        let mut words = Vec::new();
        for place in (0..self.len()).filter(|&place| arrays.own[place]) {
            let (ball, velocity) = (arrays.balls[place], arrays.motions[place].velocity);
            words.extend(arrays.seats[place].to_words());
            words.push(arrays.ids[place].into());
            words.extend(bits(&ball.centre.coords.into()).chain(bits(&velocity.into())));
            words.push(ball.radius.to_bits());
        }

        let mut balls = Vec::with_capacity(exchange.total);
        for words in exchange.ranks.all_gather(words) {
            let mut words = Reader(&words);
            while !words.0.is_empty() {
                let seat = Seat::from_words([(); 2].map(|()| words.next()));
                let id = words.id();
                let [centre, velocity] = [(); 2].map(|()| words.numbers::<3>());
                let ball = Ball::new(Point::from(centre), words.number());
                balls.push((seat, id, ball, velocity.into()));
            }
        }
        balls.sort_unstable_by_key(|&(seat, id, ..)| (seat, id));
        balls
    }

    /// Moves particles that nothing touches by a time, however long: on parabolas, exactly.
    pub(crate) fn fly(&mut self, seconds: f64) {
        self.set_guarded(true);
        self.begin(seconds);
        self.list.forget();
        self.overlaps.clear();

        // Only gravity acts, so the result is finite if the particles were.
        let _ = self.finish(seconds);
    }
}
