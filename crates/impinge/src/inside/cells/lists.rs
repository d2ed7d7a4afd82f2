//! Items grouped by index: the triangles of each cell, the crossed triangles of each column.

use super::frame::{CHUNK, Frame, Lattice};
use super::overlap::{CellGrid, each};
use super::upright::covers;
use crate::parallel::prelude::*;
use crate::shape::Surface;
use crate::space::{Point, Sign};

/// Lists of triangles, one after another.
#[derive(Debug)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    /// Groups pairs of (index, item); items of one index keep their order.
    pub(super) fn of(count: usize, pairs: &[Vec<(u32, u32)>]) -> Self {
        let mut starts = vec![0; count + 1];
        for &(number, _) in pairs.iter().flatten() {
            starts[number as usize + 1] += 1;
        }

        for number in 0..count {
            starts[number + 1] += starts[number];
        }

        let mut items = vec![0; starts[count]];
        // Filling moves each start to the end of its list, which is the next one's start; the shift
        // below undoes it.
        for &(number, item) in pairs.iter().flatten() {
            let place = &mut starts[number as usize];
            items[*place] = item;
            *place += 1;
        }

        starts.copy_within(0..count, 1);
        starts[0] = 0;
        Self { starts, items }
    }

    /// Returns the items of an index.
    #[inline]
    pub(super) fn get(&self, number: usize) -> &[u32] {
        &self.items[self.starts[number]..self.starts[number + 1]]
    }

    /// Returns the total number of items.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }
}

/// Lists of the outermost grid.
pub(super) struct GridLists {
    /// The triangles that each cell meets, ascending.
    pub(super) cells: Lists,
    /// The triangles crossed by the vertical line through each column's reference points,
    /// ascending.
    pub(super) columns: Lists,
}

impl GridLists {
    /// Builds the lists in one pass over the triangles, in parallel chunks whose order is
    /// preserved.
    pub(super) fn of(surface: &Surface, frame: &Frame, lattice: &Lattice) -> Self {
        let chunks = surface.triangles().len().div_ceil(CHUNK);
        let (cells, columns): (Vec<_>, Vec<_>) = (0..chunks)
            .into_par_iter()
            .map(|chunk| pairs_of_chunk(surface, frame, lattice, chunk))
            .unzip();

        Self {
            cells: Lists::of(frame.len(), &cells),
            columns: Lists::of(frame.columns(), &columns),
        }
    }
}

type Pairs = Vec<(u32, u32)>;

/// Collects (cell, triangle) and (column, triangle) for the triangles of a chunk.
fn pairs_of_chunk(
    surface: &Surface,
    frame: &Frame,
    lattice: &Lattice,
    chunk: usize,
) -> (Pairs, Pairs) {
    let grid = CellGrid {
        low: [0.0; 3],
        width: 1.0,
        count: frame.count,
        slack: frame.slack,
    };
    let triangles = chunk * CHUNK..surface.triangles().len().min((chunk + 1) * CHUNK);
    let mut cells = Pairs::with_capacity(3 * triangles.len());
    let mut columns = Pairs::new();

    for triangle in triangles {
        let corners = surface.corners(triangle);
        let mut column = usize::MAX;
        grid.for_each(&each(|k| frame.in_cells(&corners[k])), |cell| {
            let number = frame.number(cell);
            cells.push((number as u32, triangle as u32));
            if number / frame.count[2] != column {
                column = number / frame.count[2];
                let line = Point::from([lattice.axis(0)[cell[0]], lattice.axis(1)[cell[1]]]);
                if covers(&corners, &line) != Sign::Zero {
                    columns.push((column as u32, triangle as u32));
                }
            }
        });
    }

    (cells, columns)
}

#[cfg(test)]
mod tests;
