//! The root balls of all bodies at one time, to reject pairs that never meet.
//!
//! Most pairs of many bodies never meet. Bodies that fall together move at constant velocity relative
//! to each other, so a few products decide, without a root: 6 ns for a pair, instead of the 0.2 µs of a bound.

use crate::predict::MovingBall;

/// Generous bound of the relative error of the products.
const MARGIN: f64 = 1e-12;

/// The root balls at a time; `None` for removed bodies and those without a ball that does not swell.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    time: f64,
    balls: Vec<Option<MovingBall<3>>>,
}

impl Roots {
    /// Returns whether the balls are those of this many bodies at this time.
    pub(super) fn is_current(&self, time: f64, bodies: usize) -> bool {
        self.time == time && self.balls.len() == bodies
    }

    pub(super) fn set_all(
        &mut self,
        time: f64,
        balls: impl Iterator<Item = Option<MovingBall<3>>>,
    ) {
        self.time = time;
        self.balls.clear();
        self.balls.extend(balls);
    }

    /// Sets the ball of a body, or adds that of the next one.
    pub(super) fn set(&mut self, body: usize, ball: Option<MovingBall<3>>) {
        if body == self.balls.len() {
            self.balls.push(ball);
        } else {
            self.balls[body] = ball;
        }
    }

    /// Appends the bodies that a body may ever meet, in ascending order.
    pub(super) fn may_meet(&self, body: usize, found: &mut Vec<u32>) {
        let own = &self.balls[body];
        let others = (0..).zip(&self.balls);
        let may = |other: &Option<MovingBall<3>>| match (own, other) {
            (Some(a), Some(b)) => !never_meet(a, b),
            _ => true,
        };
        let may = others.filter(|(number, other)| *number != body as u32 && may(other));
        found.extend(may.map(|(number, _)| number));
    }
}

/// Returns whether two balls certainly never touch; `false` if a few products do not decide.
fn never_meet(a: &MovingBall<3>, b: &MovingBall<3>) -> bool {
    if a.acceleration != b.acceleration || a.swelling + b.swelling != 0.0 {
        return false;
    }

    // |x + v t|² − (r + s t)² = square t² + 2 half t + rest, as in `touch_bound`.
    let (x, v) = (a.ball.centre - b.ball.centre, a.velocity - b.velocity);
    let (r, s) = (a.ball.radius + b.ball.radius, a.growth + b.growth);
    let far = a.ball.centre.coords.norm_squared() + b.ball.centre.coords.norm_squared();
    let fast = a.velocity.norm_squared() + b.velocity.norm_squared();
    let (size, speed) = (far + r * r, fast + s * s);
    let square = v.norm_squared() - s * s - MARGIN * speed;
    let rest = x.norm_squared() - r * r - MARGIN * size;
    let half = x.dot(&v) - r * s - MARGIN * (size * speed).sqrt();

    rest > 0.0 && square >= 0.0 && (half >= 0.0 || half * half < square * rest)
}

#[cfg(test)]
mod tests;
