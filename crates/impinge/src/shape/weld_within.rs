//! Merges points that lie close together.
//!
//! Points are first sorted into coarse cells, in which nearly all of them are alone; the few others
//! are searched in cells of the size of the tolerance. O(points · log points) for any input, and no
//! hashing.

use super::weld;
use crate::parallel::prelude::*;
use crate::space::{Aabb, Point};

/// Relative tolerance for merging points in formats without shared points, as a fraction of the
/// mesh size.
///
/// CAD kernels compute in f64 and leave errors of 1e-16 to 1e-13 of the size. These become visible
/// in the 32 bits of a binary STL where a coordinate should be zero. The smallest distance that 32
/// bits resolve at the size itself is 6e-8 of it: no points meant to be distinct are within 1e-12.
pub const WELD_TOLERANCE: f64 = 1e-12;

/// The smallest tolerance, relative to the size of the cloud: coordinates of that magnitude have no
/// finer resolution.
const FINEST: f64 = 1.0 / (1u64 << 50) as f64;

/// Number of coarse cells along the longest edge.
const COARSE: f64 = (1u64 << 20) as f64;

/// Offset of the coarse grid before the lower corner, in cells: cell faces then avoid planes that
/// are common in meshes, such as the mid-plane.
const OFFSET: f64 = 0.381_966;

/// Numbers points like [`weld`], but a point within `tolerance` (inclusive) of earlier kept points
/// gets the number of the nearest of them. The kept points are further apart than the tolerance.
/// Tolerances below 2⁻⁵⁰ of the cloud's size, except zero, are raised to that.
///
/// ```
/// use impinge::{shape::weld_within, space::Point};
/// let points = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [1e-16, 1.0, 0.0]].map(Point::from);
/// let (distinct, number) = weld_within(&points, 1e-12);
/// assert_eq!((distinct.len(), number), (2, vec![0, 1, 0]));
/// ```
pub fn weld_within(points: &[Point<3>], tolerance: f64) -> (Vec<Point<3>>, Vec<u32>) {
    let (distinct, mut number) = weld(points);
    let bounds = Aabb::of(distinct.iter().copied());
    let size = bounds.longest_edge();

    if !(tolerance > 0.0 && size > 0.0 && size.is_finite()) {
        return (distinct, number);
    }

    let tolerance = tolerance.max(FINEST * size);
    let suspects = suspects(&distinct, &bounds, tolerance);
    if suspects.is_empty() {
        return (distinct, number);
    }

    let leader = leaders(&distinct, &bounds, tolerance, &suspects);
    let mut new_number = vec![0; distinct.len()];
    let mut kept = Vec::with_capacity(distinct.len());

    for (i, point) in distinct.iter().enumerate() {
        if leader[i] as usize == i {
            new_number[i] = kept.len() as u32;
            kept.push(*point);
        } else {
            // Leaders come first and already have their number.
            new_number[i] = new_number[leader[i] as usize];
        }
    }

    number.iter_mut().for_each(|n| *n = new_number[*n as usize]);
    (kept, number)
}

type Cell = [u64; 3];

/// The cells of a grid that overlap a cube of twice the reach around a point: nearly always one, at
/// most eight.
fn cells_around(
    point: &Point<3>,
    bounds: &Aabb<3>,
    edge: f64,
    reach: f64,
) -> impl Iterator<Item = Cell> {
    let place = |axis: usize, off: f64| {
        ((point[axis] + off - bounds.min[axis]) / edge + OFFSET).max(0.0) as u64
    };
    // Half as much again, because at the finest tolerance the sums are rounded by an eighth of it.
    let low: Cell = [0, 1, 2].map(|axis| place(axis, -1.5 * reach));
    let high: Cell = [0, 1, 2].map(|axis| place(axis, 1.5 * reach));

    (low[0]..=high[0]).flat_map(move |x| {
        (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z]))
    })
}

/// The points that share a coarse cell with another, ascending.
fn suspects(points: &[Point<3>], bounds: &Aabb<3>, tolerance: f64) -> Vec<u32> {
    let edge = (bounds.longest_edge() / COARSE).max(4.0 * tolerance);
    let mut entries: Vec<(Cell, u32)> = Vec::with_capacity(points.len());
    for (i, point) in (0u32..).zip(points) {
        entries.extend(cells_around(point, bounds, edge, tolerance).map(|cell| (cell, i)));
    }

    entries.par_sort_unstable();

    let crowded = entries
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1);
    let mut suspects: Vec<u32> = crowded.flatten().map(|&(_, i)| i).collect();
    suspects.sort_unstable();
    suspects.dedup();

    suspects
}

/// For each point, the one that it is merged with: itself, or the nearest earlier one that is kept.
fn leaders(points: &[Point<3>], bounds: &Aabb<3>, tolerance: f64, suspects: &[u32]) -> Vec<u32> {
    // Leaders are further apart than the tolerance, so that a cell of twice that size contains a
    // bounded number of them.
    let edge = 2.0 * tolerance;
    let own = |i: u32| cells_around(&points[i as usize], bounds, edge, 0.0).next();
    let mut cells: Vec<Cell> = suspects.iter().filter_map(|&i| own(i)).collect();
    cells.par_sort_unstable();
    cells.dedup();
    let mut held: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];

    let mut leader: Vec<u32> = (0..points.len() as u32).collect();
    for &i in suspects {
        let point = &points[i as usize];
        let around = cells_around(point, bounds, edge, tolerance);
        let near = around.filter_map(|cell| cells.binary_search(&cell).ok());
        let distance = |&other: &u32| (points[other as usize] - point).norm();
        let nearest = near
            .flat_map(|cell| held[cell].iter().copied())
            .filter(|other| distance(other) <= tolerance)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));

        match nearest {
            Some(nearest) => leader[i as usize] = nearest,
            None => {
                let cell = own(i).and_then(|cell| cells.binary_search(&cell).ok());
                held[cell.expect("its own cell is listed")].push(i);
            }
        }
    }

    leader
}

#[cfg(test)]
mod tests;
