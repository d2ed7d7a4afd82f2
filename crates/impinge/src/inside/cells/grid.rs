//! Regular grids of points, whose columns are filled without looking up each point.

use super::frame::Frame;
use super::overlap::each;
use super::{LabelledCells, Position};
use crate::parallel::prelude::*;
use crate::space::{Aabb, Point, Vector};
use std::ops::Range;

/// The points min + (i, j, k)·step, in the order of (i, j, k) with k varying fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointGrid {
    /// The first point.
    pub min: Point<3>,
    /// Step between adjacent points on each axis.
    pub step: Vector<3>,
    /// Number of points along each axis.
    pub count: [usize; 3],
}

impl PointGrid {
    /// Creates a grid of `count` points along each axis over the smallest cube around a box with
    /// the same centre, faces included.
    ///
    /// ```
    /// use impinge::inside::PointGrid;
    /// use impinge::space::{Aabb, Point};
    /// let grid = PointGrid::over_cube(&Aabb::new([0.0, 0.0, 0.0], [2.0, 4.0, 4.0]), 5);
    /// assert_eq!(grid.points().next(), Some(Point::from([-1.0, 0.0, 0.0])));
    /// assert_eq!(grid.points().last(), Some(Point::from([3.0, 4.0, 4.0])));
    /// assert_eq!(grid.len(), 125);
    /// ```
    pub fn over_cube(bounds: &Aabb<3>, count: usize) -> Self {
        let edge = bounds.longest_edge();
        let step = if count > 1 {
            edge / (count - 1) as f64
        } else {
            0.0
        };
        let min = bounds.centre() - Vector::repeat(0.5 * edge);

        Self {
            min,
            step: Vector::repeat(step),
            count: [count; 3],
        }
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.count.iter().product()
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the coordinate of the points with this index on an axis.
    #[inline]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        self.min[axis] + index as f64 * self.step[axis]
    }

    /// Returns the point with this index.
    pub fn point(&self, number: usize) -> Point<3> {
        let [_, columns, depth] = self.count;
        let place = [
            number / depth / columns,
            number / depth % columns,
            number % depth,
        ];

        Point::from(each(|axis| self.coordinate(axis, place[axis])))
    }

    /// Iterates over all points, in order.
    pub fn points(&self) -> impl Iterator<Item = Point<3>> + '_ {
        (0..self.len()).map(|number| self.point(number))
    }
}

/// The last coordinates of a grid's points that lie within the cells.
struct Heights {
    /// The indices of these coordinates.
    range: Range<usize>,
    /// The layer of cells of each of them.
    layers: Vec<u32>,
}

impl LabelledCells {
    /// Locates each point of a grid: the same result as [`LabelledCells::positions`] of
    /// [`PointGrid::points`].
    pub fn grid(&self, grid: &PointGrid, positions: &mut Vec<Position>) {
        positions.clear();
        positions.resize(grid.len(), Position::Outside);
        if grid.is_empty() {
            return;
        }

        let heights = self.heights(grid);
        positions
            .par_chunks_mut(grid.count[2])
            .enumerate()
            .for_each(|(column, positions)| {
                let place = [column / grid.count[1], column % grid.count[1]];
                self.column(grid, place, &heights, &mut positions[heights.range.clone()]);
            });
    }

    fn heights(&self, grid: &PointGrid) -> Heights {
        let place = |k: usize| self.frame.coordinate(2, grid.coordinate(2, k));
        let reaches = |&k: &usize| self.frame.reaches(2, place(k));

        // Coordinates are monotonic in the index, so those within the cells are consecutive.
        let first = (0..grid.count[2]).find(reaches).unwrap_or(0);
        let range = first
            ..(first..grid.count[2])
                .find(|k| !reaches(k))
                .unwrap_or(grid.count[2]);

        Heights {
            layers: range
                .clone()
                .map(|k| Frame::cell(place(k)) as u32)
                .collect(),
            range,
        }
    }

    /// Sets the points of a column that lie within the cells and are not outside.
    fn column(
        &self,
        grid: &PointGrid,
        [i, j]: [usize; 2],
        heights: &Heights,
        positions: &mut [Position],
    ) {
        let (x, y) = (grid.coordinate(0, i), grid.coordinate(1, j));
        let (u, v) = (self.frame.coordinate(0, x), self.frame.coordinate(1, y));
        if !(self.frame.reaches(0, u) && self.frame.reaches(1, v)) {
            return;
        }

        let first = self.frame.number([Frame::cell(u), Frame::cell(v), 0]);
        let nodes = &self.nodes[first..first + self.frame.count[2]];
        let node = |k: usize| nodes[heights.layers[k] as usize];
        let mut k = 0;

        while k < positions.len() {
            let start = k;
            if let Some(inside) = node(k).label() {
                while k < positions.len() && node(k) == node(start) {
                    k += 1;
                }
                if inside {
                    positions[start..k].fill(Position::Inside);
                }
            } else {
                let z = grid.coordinate(2, heights.range.start + k);
                let innermost = self.descend(node(k), [u, v, self.frame.coordinate(2, z)]);
                positions[k] = self.position_in(innermost, &Point::from([x, y, z]));
                k += 1;
            }
        }
    }
}
