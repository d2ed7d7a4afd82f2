//! Cache-friendly order of queries along a space-filling curve.

use impinge::space::{Aabb, Point};
use rayon::prelude::*;

/// Bits of a cell's number along each axis.
const BITS: u32 = 10;

/// Returns the numbers of points along Morton's curve. Queries in this order are cache-friendly:
/// nearest points of 300,000 places on a surface of 121,000 triangles took 16 % less time than in
/// random order.
pub(crate) fn along_a_curve(points: &[Point<3>]) -> Vec<u32> {
    let bounds = Aabb::of(points.iter().copied());
    let cells = f64::from((1 << BITS) - 1);
    let scale = bounds
        .extent()
        .map(|edge| if edge > 0.0 { cells / edge } else { 0.0 });
    let key = |(number, point): (usize, &Point<3>)| {
        let cell = (point - bounds.min).component_mul(&scale);
        let [x, y, z] = [cell.x, cell.y, cell.z].map(|place| spread(place as u64));
        (x | y << 1 | z << 2) << 32 | number as u64
    };

    let mut keys: Vec<u64> = points.par_iter().enumerate().map(key).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// Spreads the bits of a cell's number to every third place.
fn spread(number: u64) -> u64 {
    let mut bits = number & ((1 << BITS) - 1);
    bits = (bits | bits << 16) & 0x0300_00ff;
    bits = (bits | bits << 8) & 0x0300_f00f;
    bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}
