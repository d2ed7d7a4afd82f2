//! The grid of outermost cells: its position, its resolution, and a reference point in each of its
//! cells.

use super::overlap::each;
use crate::parallel::prelude::*;
use crate::shape::Surface;
use crate::space::{Aabb, Point, Random, Vector};

/// Maximum number of outermost cells per triangle: a node takes 4 bytes, so they stay a small part
/// of the memory.
const CELLS_PER_TRIANGLE: f64 = 8.0;

/// Number of outermost cells that even the smallest mesh may have.
const FEW_CELLS: f64 = 512.0;

/// Maximum expected number of list entries per triangle in the outermost grid. Triangles of uniform
/// size make about 2; needles across the whole body would make as many as there are cells along an
/// axis.
const ENTRIES_PER_TRIANGLE: f64 = 4.0;

/// Cell indices are 32-bit.
const MOST_CELLS: f64 = (1u32 << 31) as f64;

/// Minimum cell width, in ulps of the largest coordinate, so that reference points can be drawn in
/// cells.
const ULPS_PER_CELL: f64 = 256.0;

/// The inverse of a narrower cell width would overflow.
const NARROWEST: f64 = 1e-250;

/// Offset of the grid's corner before the surface's bounding box, in cells. Irregular values, so
/// that the faces of boxes and of voxels do not lie in the planes between cells.
const INSET: [f64; 3] = [0.386_213_7, 0.417_918_3, 0.352_671_1];

/// Fraction of a cell, on either side, that reference points avoid.
const REFERENCE_MARGIN: f64 = 0.3;

/// Margin beyond the surface, in cells: rounding must not push its box past the end.
const BEYOND: f64 = 0.01;

/// Factor by which cells are widened until they are few enough.
const WIDER: f64 = 1.05;

/// Triangles per task of the parallel passes over all of them.
pub(super) const CHUNK: usize = 1 << 13;

/// Coordinates in cells from the corner of the grid. The outermost cell (i, j, k) contains the
/// points whose rounded coordinates have these integer parts; further binary digits identify nested
/// cells. The cell of a point is thus decided by the very numbers that a query computes, and their
/// rounding is the only error.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    origin: Point<3>,
    /// Width of an outermost cell.
    pub(super) width: f64,
    inverse: f64,
    /// Outermost cells along each axis.
    pub(super) count: [usize; 3],
    ends: [f64; 3],
    /// Bound, in cells, of the error of rounded coordinates, with a safety factor of several.
    pub(super) slack: f64,
    /// Minimum width of nested cells, in outermost cells.
    pub(super) finest: f64,
}

impl Frame {
    /// Creates a grid whose cells contain about `per_cell` triangles near the surface, for
    /// triangles of uniform size.
    pub(super) fn of(surface: &Surface, per_cell: f64) -> Self {
        let bounds = surface.bounds();
        let largest = bounds.min.coords.amax().max(bounds.max.coords.amax());
        let narrowest = (ULPS_PER_CELL * f64::EPSILON * largest).max(NARROWEST);
        let width = cell_width(surface, per_cell, narrowest);
        let inverse = 1.0 / width;
        let origin = bounds.min - Vector::from(INSET) * width;
        let reach = (bounds.max - origin) * inverse;

        let count = each(|axis| (reach[axis] + BEYOND) as usize + 1);
        let ends = count.map(|n| n as f64);
        let most = ends.iter().fold(0.0, |most: f64, &end| most.max(end));
        let slack = most * 2f64.powi(-49);
        let finest = (slack * 2f64.powi(12)).max(narrowest * inverse);

        Self {
            origin,
            width,
            inverse,
            count,
            ends,
            slack,
            finest,
        }
    }

    /// Converts a point to cell coordinates.
    #[inline]
    pub(super) fn in_cells(&self, point: &Point<3>) -> [f64; 3] {
        each(|axis| self.coordinate(axis, point[axis]))
    }

    /// Converts one coordinate to cells.
    #[inline]
    pub(super) fn coordinate(&self, axis: usize, value: f64) -> f64 {
        (value - self.origin[axis]) * self.inverse
    }

    /// Returns whether the coordinate lies in the grid; false for NaN.
    #[inline]
    pub(super) fn reaches(&self, axis: usize, coordinate: f64) -> bool {
        (coordinate >= 0.0) & (coordinate < self.ends[axis])
    }

    /// Returns the cell that contains a coordinate within the grid. Goes via i32, which takes one
    /// instruction; usize takes six.
    #[inline]
    pub(super) fn cell(coordinate: f64) -> usize {
        coordinate as i32 as usize
    }

    /// Returns the number of outermost cells.
    pub(super) fn len(&self) -> usize {
        self.count.iter().product()
    }

    /// Returns the number of columns of outermost cells along the last axis.
    pub(super) fn columns(&self) -> usize {
        self.count[0] * self.count[1]
    }

    /// Returns the index of a cell; cells of a column are consecutive.
    #[inline]
    pub(super) fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.count[1] + j) * self.count[2] + k
    }

    /// Converts a cell coordinate to a coordinate in space.
    fn value(&self, axis: usize, coordinate: f64) -> f64 {
        self.origin[axis] + coordinate * self.width
    }

    /// Draws a point in a cell, away from its walls; a different one for each attempt.
    pub(super) fn draw(&self, low: [f64; 3], width: f64, attempt: u64) -> Point<3> {
        let place = low
            .iter()
            .fold(attempt, |seed, x| seed.rotate_left(21) ^ x.to_bits());
        let mut random = Random::new(place);
        Point::from(std::array::from_fn::<f64, 3, _>(|axis| {
            let part = random.within(REFERENCE_MARGIN, 1.0 - REFERENCE_MARGIN);
            self.value(axis, low[axis] + width * part)
        }))
    }
}

/// The reference points of the outermost cells: a lattice with uneven steps, one coordinate per
/// layer of cells on each axis. The uneven steps keep segments to them from running through edges
/// of regular meshes.
#[derive(Clone, Debug)]
pub(super) struct Lattice([Vec<f64>; 3]);

impl Lattice {
    pub(super) fn of(frame: &Frame) -> Self {
        Self(std::array::from_fn(|axis| {
            let mut random = Random::new(axis as u64 + 1);
            (0..frame.count[axis])
                .map(|i| i as f64 + random.within(REFERENCE_MARGIN, 1.0 - REFERENCE_MARGIN))
                .map(|coordinate| frame.value(axis, coordinate))
                .collect()
        }))
    }

    #[inline]
    pub(super) fn axis(&self, axis: usize) -> &[f64] {
        &self.0[axis]
    }

    pub(super) fn point(&self, cell: [usize; 3]) -> Point<3> {
        Point::from(each(|axis| self.0[axis][cell[axis]]))
    }
}

/// Returns the cell width for `per_cell` triangles of uniform size, or a larger one if that makes
/// too many cells or list entries.
fn cell_width(surface: &Surface, per_cell: f64, narrowest: f64) -> f64 {
    let triangles = surface.triangles().len() as f64;
    let (reach, area) = reach_and_area(surface);

    // A plane meets a cell in about ⅔ width² on average, and a triangle there also meets adjacent
    // cells.
    let even = (per_cell * area / triangles).sqrt();
    // A triangle meets about 1 + reach/width + 1.5 area/width² cells; solved for the width that
    // keeps the sum within the limit.
    let spare = (ENTRIES_PER_TRIANGLE - 1.0) * triangles;
    let kept = (reach + (reach * reach + 6.0 * spare * area).sqrt()) / (2.0 * spare);
    let mut width = even.max(kept).max(narrowest);
    let most = (CELLS_PER_TRIANGLE * triangles + FEW_CELLS).min(MOST_CELLS);
    let extent = surface.bounds().extent();

    while extent
        .iter()
        .map(|edge| edge / width + 1.0)
        .product::<f64>()
        > most
    {
        width *= WIDER;
    }
    width
}

/// Returns the sums over the triangles of their bounding boxes' edges and of their areas; the same
/// for any number of threads.
fn reach_and_area(surface: &Surface) -> (f64, f64) {
    let of_triangle = |t: &[u32; 3]| {
        let [a, b, c] = each(|k| surface.points()[t[k] as usize]);
        (
            Aabb::of([a, b, c]).extent().sum(),
            0.5 * (b - a).cross(&(c - a)).norm(),
        )
    };
    let add = |x: (f64, f64), y: (f64, f64)| (x.0 + y.0, x.1 + y.1);
    let of_chunk = |chunk: &[[u32; 3]]| chunk.iter().map(of_triangle).fold((0.0, 0.0), add);

    let sums: Vec<(f64, f64)> = surface
        .triangles()
        .par_chunks(CHUNK)
        .map(of_chunk)
        .collect();

    sums.into_iter().fold((0.0, 0.0), add)
}

#[cfg(test)]
mod tests;
