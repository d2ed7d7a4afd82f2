//! Free-space test for placing spheres: the placed spheres in a hierarchy of grids.
//!
//! Each octave of radii has its own grid, with cells as wide as its largest sphere. Neither large
//! nor small spheres therefore crowd a cell, whatever the ratio of radii. A query visits a bounded
//! number of cells in each octave.

use crate::space::{Point, Vector};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The spheres placed so far.
#[derive(Default)]
pub(super) struct PlacedSpheres<const D: usize> {
    /// By octave: radii in (2^(octave − 1), 2^octave].
    octaves: BTreeMap<i32, Grid<D>>,
}

type Grid<const D: usize> = FxHashMap<[i64; D], Vec<(Point<D>, f64)>>;

impl<const D: usize> PlacedSpheres<D> {
    pub(super) fn insert(&mut self, centre: Point<D>, radius: f64) {
        let octave = octave_of(radius);
        let cell = cell_of(&centre, octave);
        self.octaves
            .entry(octave)
            .or_default()
            .entry(cell)
            .or_default()
            .push((centre, radius));
    }

    /// Returns whether the sphere overlaps none of those already placed.
    pub(super) fn is_free(&self, centre: &Point<D>, radius: f64) -> bool {
        self.octaves
            .iter()
            .all(|(&octave, grid)| is_free_in(grid, octave, centre, radius))
    }
}

fn is_free_in<const D: usize>(grid: &Grid<D>, octave: i32, centre: &Point<D>, radius: f64) -> bool {
    let reach = Vector::<D>::repeat(radius + 2f64.powi(octave));
    let (low, up) = (
        cell_of(&(centre - reach), octave),
        cell_of(&(centre + reach), octave),
    );
    let mut cell = low;

    loop {
        let mut placed = grid.get(&cell).into_iter().flatten();
        if placed.any(|(other, r)| (centre - other).norm_squared() < (radius + r).powi(2)) {
            return false;
        }
        // The next cell between the two, the first axis fastest.
        let Some(axis) = (0..D).find(|&axis| cell[axis] < up[axis]) else {
            return true;
        };
        cell[axis] += 1;
        cell[..axis].copy_from_slice(&low[..axis]);
    }
}

fn octave_of(radius: f64) -> i32 {
    let mut octave = 0;
    while 2f64.powi(octave) < radius {
        octave += 1;
    }

    while 2f64.powi(octave - 1) >= radius {
        octave -= 1;
    }

    octave
}

fn cell_of<const D: usize>(point: &Point<D>, octave: i32) -> [i64; D] {
    let edge = 2f64.powi(octave + 1);
    std::array::from_fn(|axis| (point[axis] / edge).floor() as i64)
}

#[cfg(test)]
mod tests;
