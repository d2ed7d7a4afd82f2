//! A prescribed path as motions with constant acceleration, one after the other.
//!
//! The forecast knows parabolas. Velocity, acceleration and spin are exact; an oscillation is divided into
//! [`PIECES`] parabolas per period, each with the exact position at both ends, so that it is off by at
//! most 4e-7 of the amplitude. A path that begins or ends changes its motion then.

use anyhow::ensure;
use impinge::space::{Motion, Pose, Vector};
use impinge_sim::Path;
use std::f64::consts::TAU;

/// Parabolas per period.
const PIECES: f64 = 256.0;

/// Maximum number of motions of a path.
const MOST_MOTIONS: f64 = 1e6;

/// An object on a path.
pub(super) struct Itinerary {
    path: Path,
    /// Pose at the start of the path, with the origin on the axis of rotation.
    start: Pose<3>,
    gravity: Vector<3>,
}

impl Itinerary {
    /// Checks that the path can be followed until a time. `start` is the pose before the motion
    /// begins, with its origin at the centre of the path.
    pub(super) fn new(
        path: Path,
        start: Pose<3>,
        gravity: &Vector<3>,
        until: f64,
    ) -> anyhow::Result<Self> {
        let itinerary = Self {
            path,
            start,
            gravity: *gravity,
        };
        ensure!(
            path.angular_acceleration == [0.0; 3],
            "its rotation accelerates; times of impact are predicted for constant spin"
        );
        let motions = match swings(&path) {
            true => PIECES * path.frequency.abs() * until,
            false => 2.0,
        };
        ensure!(
            motions <= MOST_MOTIONS,
            "its path oscillates {:.0} times until {until} s, at most {:.0} are followed; choose an earlier --until",
            path.frequency.abs() * until,
            MOST_MOTIONS / PIECES
        );
        Ok(itinerary)
    }

    /// Returns whether the motion on a path changes before a time.
    pub(super) fn changes(path: &Path, until: f64) -> bool {
        let (begins, ends) = (path.since > 0.0, path.until.is_some_and(|end| end < until));
        let accelerates = [path.acceleration, path.angular_acceleration] != [[0.0; 3]; 2];
        !path.is_rest() && (swings(path) || accelerates || begins || ends)
    }

    /// Returns a bound of the displacement of its origin.
    pub(super) fn longest_way(&self, until: f64) -> f64 {
        let path = &self.path;
        let [velocity, acceleration, amplitude] =
            [path.velocity, path.acceleration, path.amplitude].map(|v| Vector::<3>::from(v).norm());
        (velocity + 0.5 * acceleration * until) * until + amplitude
    }

    /// Returns the end of the motion that holds at a time; infinite for the last one.
    pub(super) fn next(&self, time: f64) -> f64 {
        let (since, until) = (self.path.since, self.path.until.unwrap_or(f64::INFINITY));
        if time < since {
            return since;
        }
        if time >= until || self.path.is_rest() {
            return f64::INFINITY;
        }
        if !swings(&self.path) {
            return until;
        }

        let piece = 1.0 / (PIECES * self.path.frequency.abs());
        // Not the end of the piece that just ended, which rounding may leave a little ahead.
        let number = ((time - since) / piece + 0.5).floor() + 1.0;
        (since + number * piece).min(until)
    }

    /// Returns the pose at a time in the frame at rest.
    pub(super) fn pose_at_rest(&self, time: f64) -> Pose<3> {
        self.path.at(time).pose.after(&self.start)
    }

    /// Returns the motion from a time on in the falling frame.
    pub(super) fn motion(&self, time: f64) -> anyhow::Result<Motion<3>> {
        let (pose, next) = (self.pose_at_rest(time), self.next(time));
        let is_moving = time >= self.path.since && self.path.until.is_none_or(|end| time < end);
        let mut velocity = Vector::zeros();
        let mut acceleration = -self.gravity;
        if is_moving {
            let elapsed = time - self.path.since;
            let phase = TAU * self.path.frequency * elapsed;
            let rate = TAU * self.path.frequency * phase.cos();
            velocity = Vector::from(self.path.velocity)
                + Vector::from(self.path.acceleration) * elapsed
                + Vector::from(self.path.amplitude) * rate;
            if next.is_finite() {
                let passed = next - time;
                let way = self.pose_at_rest(next).position() - pose.position();
                acceleration += (way - velocity * passed) * (2.0 / (passed * passed));
            } else {
                acceleration += Vector::from(self.path.acceleration);
            }
        }

        let fall = self.gravity * (0.5 * time * time);
        let frame = Pose::new(*pose.rotation(), pose.position() - fall)?;
        let spin = match is_moving {
            true => self.path.spin,
            false => [0.0; 3],
        };
        Ok(Motion::at_rest(frame)
            .with_velocity(velocity - self.gravity * time)
            .with_acceleration(acceleration)
            .with_spin(spin)
            .checked()?)
    }
}

fn swings(path: &Path) -> bool {
    path.frequency != 0.0 && path.amplitude.iter().any(|x| *x != 0.0)
}

#[cfg(test)]
mod tests;
