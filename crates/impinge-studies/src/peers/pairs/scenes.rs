//! The bodies of the comparison.

use impinge::bound::Ball;
use impinge::space::{Aabb, Point, Random, Vector};
use std::f64::consts::PI;

/// Number of pairs per ball.
const PAIRS: f64 = 2.0;

/// Creates balls of radius ½ to ratio/2 at random positions, in random order, with about two pairs
/// each. Every octave of sizes has the same volume: numbers are proportional to r⁻⁴.
pub(super) fn balls<const D: usize>(count: usize, ratio: f64, seed: u64) -> Vec<Ball<D>> {
    let mut random = Random::new(seed);
    let radii: Vec<f64> = (0..count).map(|_| radius(ratio, random.unit())).collect();
    let width = width_for_pairs::<D>(&radii);
    let centre =
        |random: &mut Random| Point::from(Vector::<D>::from_fn(|_, _| random.within(0.0, width)));

    radii
        .into_iter()
        .map(|radius| Ball {
            centre: centre(&mut random),
            radius,
        })
        .collect()
}

/// Inverse of the distribution of radii, whose density is proportional to r⁻⁴.
fn radius(ratio: f64, share: f64) -> f64 {
    0.5 * (1.0 + share * (ratio.powi(-3) - 1.0)).powf(-1.0 / 3.0)
}

/// Returns the edge of a world in which these random balls have [`PAIRS`] pairs each: N/2 · E[volume of
/// radius r + r′] / V.
fn width_for_pairs<const D: usize>(radii: &[f64]) -> f64 {
    let moment = |k: i32| radii.iter().map(|r| r.powi(k)).sum::<f64>() / radii.len() as f64;
    let reach = match D {
        2 => PI * (2.0 * moment(2) + 2.0 * moment(1) * moment(1)),
        _ => 4.0 / 3.0 * PI * (2.0 * moment(3) + 6.0 * moment(2) * moment(1)),
    };
    (radii.len() as f64 * reach / (2.0 * PAIRS)).powf(1.0 / D as f64)
}

/// Unit cubes around balls of one size, each moving on a straight line and reflected at the walls.
pub(super) struct Walk {
    pub(super) boxes: Vec<Aabb<3>>,
    directions: Vec<Vector<3>>,
    width: f64,
    step: f64,
}

impl Walk {
    /// Creates a walk with steps of this length, in edges.
    pub(super) fn new(count: usize, step: f64) -> Self {
        let mut random = Random::new(4);
        let balls = balls::<3>(count, 1.0, 3);
        let boxes: Vec<Aabb<3>> = balls.iter().map(impinge::broad::Proxy::bounds).collect();
        let directions = boxes.iter().map(|_| random.direction::<3>()).collect();
        Self {
            width: width_for_pairs::<3>(&vec![0.5; count]),
            boxes,
            directions,
            step,
        }
    }

    pub(super) fn go(&mut self) {
        for (bounds, direction) in self.boxes.iter_mut().zip(&mut self.directions) {
            for k in 0..3 {
                let centre = 0.5 * (bounds.min[k] + bounds.max[k]);
                if (centre < 0.0 && direction[k] < 0.0)
                    || (centre > self.width && direction[k] > 0.0)
                {
                    direction[k] = -direction[k];
                }
            }

            let by = *direction * self.step;
            *bounds = Aabb {
                min: bounds.min + by,
                max: bounds.max + by,
            };
        }
    }
}

#[cfg(test)]
mod tests;
