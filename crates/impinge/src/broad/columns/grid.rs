//! The rows of one level: a grid over all local axes but the first; each row is sorted along the
//! first.

use super::frame::{Frame, Span};
use super::levels::{ROW, TEST};
use super::survey::Bin;
use std::ops::Range;

/// Maximum number of rows per level: row indices are 32-bit and shared by up to 48 levels.
const MOST_ROWS: f64 = (1u32 << 26) as f64;

/// Start of a row in the sorted bodies. Empty rows are not listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowStart {
    pub(super) row: u32,
    pub(super) start: u32,
}

/// One grid. Its cells are as wide as its longest body, so overlapping bodies lie in neighbouring
/// rows.
#[derive(Clone, Debug)]
pub(super) struct Level<const D: usize> {
    cell: [f64; D],
    inverse: [f64; D],
    cells: [u32; D],
    strides: [u32; D],
    /// Rows are numbered consecutively over all levels, so one sort orders them all.
    pub(super) first_row: u32,
    /// Half the longest edge on each axis, rounded up.
    half: [f64; D],
    /// Longest edge on the first axis, rounded up.
    pub(super) reach: f32,
    /// Its range of the sorted bodies.
    pub(super) bodies: Range<usize>,
    /// Its range of the list of rows.
    pub(super) rows: Range<usize>,
}

/// Cells are wider than the bodies by one part in a million, because the quotient that gives a body's
/// cell is rounded, in f32.
const WIDENED: f64 = 1.0 + 1e-6;

impl<const D: usize> Level<D> {
    /// Creates the grid for the bodies of `bin`, grown by `margin`, all in world units.
    pub(super) fn of(bin: &Bin<D>, margin: f64, frame: &Frame<D>, first_row: u32) -> Self {
        let edge: [f64; D] = frame
            .axes
            .map(|axis| frame.scaled(bin.longest[axis] + 2.0 * margin) + 6.0 * frame.slack);
        let mut cell = edge.map(|e| (e * WIDENED).max(f64::MIN_POSITIVE));
        let count = |cell: f64, k: usize| (frame.width[k] / cell).floor() + 3.0;
        let rows = |cell: &[f64; D]| (1..D).map(|k| count(cell[k], k)).product::<f64>();

        while rows(&cell) > MOST_ROWS {
            let most = (1..D).max_by(|&j, &k| count(cell[j], j).total_cmp(&count(cell[k], k)));
            cell[most.expect("two or three axes")] *= 2.0;
        }

        let cells = std::array::from_fn(|k| if k == 0 { 1 } else { count(cell[k], k) as u32 });
        let mut strides = [0; D];
        let mut stride = 1;

        for k in 1..D {
            strides[k] = stride;
            stride *= cells[k];
        }

        Self {
            inverse: cell.map(|c| 1.0 / c),
            half: edge.map(|e| 0.5 * e * WIDENED),
            reach: (edge[0] * WIDENED + 4.0 * frame.slack) as f32,
            cell,
            cells,
            strides,
            first_row,
            bodies: 0..0,
            rows: 0..0,
        }
    }

    /// Returns the approximate cost, in nanoseconds, for one of its bodies to search a finer level.
    pub(super) fn cost_of_looking(&self, finer: &Self, width: &[f64; D]) -> f64 {
        let (mut rows, mut tests) = (1.0, finer.bodies.len() as f64);
        for k in 0..D {
            let reach = self.cell[k] + 2.0 * finer.cell[k];
            rows *= if k == 0 { 1.0 } else { reach / finer.cell[k] };
            tests *= (reach / width[k].max(f64::MIN_POSITIVE)).min(1.0);
        }

        ROW * rows.min(finer.bodies.len() as f64) + TEST * tests
    }

    /// Returns the number of rows of the grid, including one empty row at either end of each axis.
    pub(super) fn row_count(&self) -> u32 {
        self.cells[1..].iter().product()
    }

    /// Returns the cell of a coordinate; saturates at both ends, including for infinities.
    #[inline]
    fn cell_of(&self, k: usize, x: f64) -> u32 {
        ((x * self.inverse[k]) as u32).min(self.cells[k] - 3) + 1
    }

    /// Returns the row of a body, determined by its centre.
    #[inline]
    pub(super) fn row_of(&self, span: &Span<D>) -> u32 {
        let mut row = self.first_row;
        for k in 1..D {
            row += self.strides[k] * self.cell_of(k, 0.5 * (span.low[k] + span.up[k]));
        }
        row
    }

    /// Returns the first and last of the rows that follow `row` among its neighbours on axis `k`:
    /// half of the neighbourhood, so each pair of rows is visited once. This is the next row for
    /// axis 1, and the three adjacent rows for axis 2.
    #[inline]
    pub(super) fn following(&self, row: u32, k: usize) -> (u32, u32) {
        match k {
            1 => (row + 1, row + 1),
            _ => (row + self.strides[k] - 1, row + self.strides[k] + 1),
        }
    }

    /// Returns the cells that a row covers on all axes but the first.
    pub(super) fn covered(&self, row: u32) -> Span<D> {
        let mut span = Span {
            low: [0.0; D],
            up: [0.0; D],
        };
        let row = row - self.first_row;

        for k in 1..D {
            let cell = f64::from(row / self.strides[k] % self.cells[k] - 1);
            // Saturated cells extend to infinity.
            let last = cell as u32 + 3 == self.cells[k];
            span.low[k] = if cell == 0.0 {
                f64::NEG_INFINITY
            } else {
                cell * self.cell[k]
            };

            span.up[k] = if last {
                f64::INFINITY
            } else {
                (cell + 1.0) * self.cell[k]
            };
        }

        span
    }

    /// Returns the region that can contain bodies of this row.
    pub(super) fn occupied(&self, row: u32) -> Span<D> {
        let mut span = self.covered(row);
        for k in 1..D {
            span.low[k] -= self.half[k];
            span.up[k] += self.half[k];
        }
        span
    }

    /// Calls `visit` with each range of rows whose bodies may overlap the box.
    pub(super) fn rows_near(&self, span: &Span<D>, mut visit: impl FnMut(u32, u32)) {
        let cells = |k: usize| {
            (
                self.cell_of(k, span.low[k] - self.half[k]),
                self.cell_of(k, span.up[k] + self.half[k]),
            )
        };
        let (low, up) = cells(1);

        if D == 2 {
            visit(self.first_row + low, self.first_row + up);
            return;
        }

        let (below, above) = cells(2);
        for layer in below..=above {
            let row = self.first_row + layer * self.strides[2];
            visit(row + low, row + up);
        }
    }
}
