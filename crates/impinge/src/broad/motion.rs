//! Estimates how far bodies move per step from a sample of them.

use super::{BroadScene, Proxy};
use crate::space::Aabb;

/// Size of the sample.
const SAMPLE: usize = 4096;

/// One body in this many may move farther than the reported travel; such runaways are looked up one
/// by one.
const RUNAWAYS: usize = 512;

/// Tracks a sample of the bodies from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Motion<const D: usize> {
    last: Vec<Aabb<D>>,
    travels: Vec<f64>,
    bodies: usize,
}

impl<const D: usize> Motion<D> {
    /// Returns an upper bound on the travel since the last call, exceeded by only a few bodies.
    /// Returns `None` on the first call, or if the number of bodies changed.
    pub(super) fn observe<B: Proxy<D>>(&mut self, scene: &BroadScene<B, D>) -> Option<f64> {
        let count = scene.bodies.len();
        let stride = count.div_ceil(SAMPLE).max(1);
        let known = count == self.bodies;
        self.bodies = count;
        self.travels.clear();
        self.last.resize(count.div_ceil(stride), Aabb::EMPTY);

        for (last, n) in self.last.iter_mut().zip((0..count).step_by(stride)) {
            let now = scene.bodies[n].bounds();
            let travel = travel::<B, D>(scene, last, &now);
            // Infinite bodies and slots of removed ones have no finite travel.
            if travel.is_finite() && scene.is_on(n) {
                self.travels.push(travel);
            }
            *last = now;
        }

        if !known || self.travels.is_empty() {
            return None;
        }

        let few = self.travels.len() / RUNAWAYS;
        let (_, nth, _) = self
            .travels
            .select_nth_unstable_by(few, |x, y| y.total_cmp(x));
        Some(*nth)
    }
}

/// Returns an upper bound on the displacement of any point of the body; NaN if that is undefined.
#[inline]
pub(super) fn travel<B: Proxy<D>, const D: usize>(
    scene: &BroadScene<B, D>,
    from: &Aabb<D>,
    to: &Aabb<D>,
) -> f64 {
    let mut moves = [0.0; D];
    for k in 0..D {
        let low = scene.period.nearest(k, to.min[k] - from.min[k]).abs();
        let up = scene.period.nearest(k, to.max[k] - from.max[k]).abs();
        moves[k] = low.max(up);
        if low.is_nan() || up.is_nan() {
            return f64::NAN;
        }
    }

    B::travel(moves)
}

#[cfg(test)]
mod tests;
