//! The order of points along a space-filling curve: neighbours in space come one after the other, and
//! find what they need in the caches.

use super::{Aabb, Point};
use crate::parallel::{current_num_threads, prelude::*};

/// Number of cells along each axis.
const CELLS: u32 = 1 << 10;

/// Returns the indices of at most 2³² points, sorted along a Morton curve through the bounds. Points
/// beyond them count to the nearest cells. About 30 ns per point.
pub(crate) fn along_curve(points: &[Point<3>], bounds: &Aabb<3>) -> Vec<u32> {
    let scale = f64::from(CELLS - 1) / bounds.longest_edge().max(f64::MIN_POSITIVE);
    let key = |p: &Point<3>| {
        (0..3)
            .map(|k| spread(((p[k] - bounds.min[k]) * scale) as u32) << k)
            .sum::<u64>()
    };
    let mut keyed: Vec<u64> = points
        .par_iter()
        .enumerate()
        .map(|(row, p)| key(p) << 32 | row as u64)
        .collect();

    // On one thread, the sort of the standard library is the faster one.
    if current_num_threads() == 1 {
        keyed.sort_unstable();
    } else {
        keyed.par_sort_unstable();
    }

    keyed.into_iter().map(|k| k as u32).collect()
}

/// Inserts two zeros after each of ten bits; larger numbers are clamped.
fn spread(bits: u32) -> u64 {
    let mut x = u64::from(bits.min(CELLS - 1));
    x = (x | x << 16) & 0x0300_00ff;
    x = (x | x << 8) & 0x0300_f00f;
    x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests;
