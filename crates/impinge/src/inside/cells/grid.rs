//! Regular grids of points: their columns are filled without looking each point up.

use super::frame::Frame;
use super::{Cells, Position, position_of};
use crate::space::{Aabb, Point, Vector};
use rayon::prelude::*;

/// Points min + (i, j, k)·step, in the order of (i, j, k) with k running fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointGrid {
    /// The first point.
    pub min: Point<3>,
    /// From one point to the next on each axis.
    pub step: Vector<3>,
    /// Number of points along each axis.
    pub count: [usize; 3],
}

impl PointGrid {
    /// `count` points along each axis over the smallest cube about the middle of a box, its walls included.
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
        let step = if count > 1 { edge / (count - 1) as f64 } else { 0.0 };
        let min = bounds.centre() - Vector::repeat(0.5 * edge);
        Self { min, step: Vector::repeat(step), count: [count; 3] }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.count.iter().product()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One coordinate of the points with this index on an axis.
    #[inline]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        self.min[axis] + index as f64 * self.step[axis]
    }

    /// The point of a number.
    pub fn point(&self, number: usize) -> Point<3> {
        let [_, columns, depth] = self.count;
        let place = [number / depth / columns, number / depth % columns, number % depth];
        Point::from(std::array::from_fn::<f64, 3, _>(|axis| self.coordinate(axis, place[axis])))
    }

    /// All points, in order.
    pub fn points(&self) -> impl Iterator<Item = Point<3>> + '_ {
        (0..self.len()).map(|number| self.point(number))
    }
}

/// The last coordinate of a grid's points: in space, and in cells where it is in reach of them.
struct Height {
    z: f64,
    place: f64,
    cell: Option<usize>,
}

impl Cells {
    /// Where each point of a grid is: what [`Cells::positions`] says of [`PointGrid::points`].
    pub fn grid(&self, grid: &PointGrid, positions: &mut Vec<Position>) {
        positions.clear();
        positions.resize(grid.len(), Position::Outside);
        let heights: Vec<Height> = (0..grid.count[2]).map(|k| self.height(grid.coordinate(2, k))).collect();
        if heights.is_empty() {
            return;
        }
        positions.par_chunks_mut(heights.len()).enumerate().for_each(|(column, positions)| {
            let line = [
                grid.coordinate(0, column / grid.count[1].max(1)),
                grid.coordinate(1, column % grid.count[1].max(1)),
            ];
            self.column(line, &heights, positions);
        });
    }

    fn height(&self, z: f64) -> Height {
        let place = self.frame.coordinate(2, z);
        Height { z, place, cell: self.frame.reaches(2, place).then(|| Frame::cell(place)) }
    }

    fn column(&self, [x, y]: [f64; 2], heights: &[Height], positions: &mut [Position]) {
        let (u, v) = (self.frame.coordinate(0, x), self.frame.coordinate(1, y));
        if !(self.frame.reaches(0, u) && self.frame.reaches(1, v)) {
            return;
        }
        let first = self.frame.number([Frame::cell(u), Frame::cell(v), 0]);
        let nodes = &self.nodes[first..first + self.frame.count[2]];
        for (height, position) in heights.iter().zip(positions) {
            let Some(cell) = height.cell else { continue };
            let node = nodes[cell];
            *position = match node.label() {
                Some(inside) => position_of(inside),
                None => {
                    let node = self.descend(node, [u, v, height.place]);
                    self.position_in(node, &Point::from([x, y, height.z]))
                }
            };
        }
    }
}
