//! A box that is periodic on some axes.

use impinge::broad::Period;
use impinge::space::{Point, Vector};

/// Fraction of half a period that two radii and the skin may fill, so that rounding never makes a
/// pair meet through two faces.
const HALF_PERIOD: f64 = 0.9;

/// The ends of each periodic axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Box3 {
    pub(super) ends: [Option<[f64; 2]>; 3],
    pub(super) repeats: bool,
    /// Rates of strain, 1/s.
    pub(super) rate: [f64; 3],
}

impl Box3 {
    pub(super) fn new(ends: [Option<[f64; 2]>; 3]) -> Self {
        Self {
            ends,
            repeats: ends.iter().any(Option::is_some),
            rate: [0.0; 3],
        }
    }

    /// Returns whether its size changes.
    pub(super) fn deforms(&self) -> bool {
        self.rate != [0.0; 3]
    }

    /// Multiplies its lengths.
    pub(super) fn resize(&mut self, factors: &[f64; 3]) {
        for (ends, factor) in self.ends.iter_mut().zip(factors) {
            if let Some([low, up]) = ends.as_mut().filter(|_| *factor != 1.0) {
                let (middle, half) = (0.5 * (*low + *up), 0.5 * factor * (*up - *low));
                (*low, *up) = (middle - half, middle + half);
            }
        }
    }

    /// Moves a point with the box, which was resized by these factors.
    pub(super) fn carry(&self, point: &mut Point<3>, factors: &[f64; 3]) {
        for axis in 0..3 {
            if let Some([low, up]) = self.ends[axis].filter(|_| factors[axis] != 1.0) {
                let middle = 0.5 * (low + up);
                point[axis] = middle + factors[axis] * (point[axis] - middle);
            }
        }
    }

    /// Returns by how much a pair of neighbours may move relative to each other in a step, beside
    /// their own motions.
    pub(super) fn motion(&self, dt: f64) -> f64 {
        let lengths = self.lengths().lengths;
        let rates = self.rate.iter().zip(lengths);
        let motions = rates.map(|(rate, length)| rate.abs() * length.unwrap_or(0.0) * dt);
        motions.sum()
    }

    pub(super) fn lengths(&self) -> Period<3> {
        Period {
            lengths: self.ends.map(|ends| ends.map(|[low, up]| up - low)),
        }
    }

    /// Returns the difference of two positions, reduced to the nearest image.
    #[inline]
    pub(super) fn nearest(&self, mut difference: Vector<3>) -> Vector<3> {
        if self.repeats {
            for axis in 0..3 {
                if let Some([low, up]) = self.ends[axis] {
                    let length = up - low;
                    if difference[axis] > 0.5 * length {
                        difference[axis] -= length;
                    } else if difference[axis] < -0.5 * length {
                        difference[axis] += length;
                    }
                }
            }
        }
        difference
    }

    /// Wraps a point back into the box.
    #[inline]
    pub(super) fn wrap(&self, point: &mut Point<3>) {
        if !self.repeats {
            return;
        }
        for axis in 0..3 {
            let Some([low, up]) = self.ends[axis] else {
                continue;
            };
            if !(low..up).contains(&point[axis]) {
                let length = up - low;
                point[axis] -= length * ((point[axis] - low) / length).floor();
                // Rounding may yield the upper end, which is identified with the lower one.
                if point[axis] >= up {
                    point[axis] = low;
                }
            }
        }
    }

    /// Returns the largest skin for which two particles, of this radius at most, are neighbours
    /// through one face only.
    pub(super) fn most_margin(&self, largest: f64) -> f64 {
        let shortest = self
            .ends
            .iter()
            .flatten()
            .map(|[low, up]| up - low)
            .fold(f64::INFINITY, f64::min);

        0.5 * HALF_PERIOD * shortest - 2.0 * HALF_PERIOD * largest
    }
}

#[cfg(test)]
mod tests;
