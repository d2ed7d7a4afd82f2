//! Axis-aligned boxes. They are closed: boxes that share only a face, an edge or a corner overlap.

use super::{Point, Vector};

/// An axis-aligned box: the points between `min` and `max`, inclusive, on every axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "axis-aligned bounding box")]
#[doc(alias = "bounding box")]
pub struct Aabb<const D: usize> {
    /// Smallest coordinate on each axis.
    pub min: Point<D>,
    /// Largest coordinate on each axis.
    pub max: Point<D>,
}

impl<const D: usize> Aabb<D> {
    /// The empty box; merging with it changes nothing, and it overlaps nothing.
    pub const EMPTY: Self = Self {
        min: Point {
            coords: Vector::from_array_storage(nalgebra::ArrayStorage([[f64::INFINITY; D]; 1])),
        },
        max: Point {
            coords: Vector::from_array_storage(nalgebra::ArrayStorage([[f64::NEG_INFINITY; D]; 1])),
        },
    };

    /// Creates the box between two corners.
    pub fn new(min: impl Into<Point<D>>, max: impl Into<Point<D>>) -> Self {
        Self {
            min: min.into(),
            max: max.into(),
        }
    }

    /// Returns the smallest box around the points; [`Aabb::EMPTY`] if there are none.
    ///
    /// ```
    /// use impinge::space::{Aabb, Point};
    /// let tight = Aabb::of([[0.0, 3.0], [2.0, 1.0]].map(Point::from));
    /// assert_eq!(tight, Aabb::new([0.0, 1.0], [2.0, 3.0]));
    /// ```
    pub fn of(points: impl IntoIterator<Item = Point<D>>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |bounds, p| bounds.with(&p))
    }

    /// Returns the box extended to contain `point`.
    #[must_use]
    pub fn with(&self, point: &Point<D>) -> Self {
        Self {
            min: self.min.inf(point),
            max: self.max.sup(point),
        }
    }

    /// Returns the smallest box around both.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// Returns the box grown by `margin` on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            min: self.min - Vector::repeat(margin),
            max: self.max + Vector::repeat(margin),
        }
    }

    /// Returns the intersection; empty (`min > max` on some axis) if the boxes do not overlap.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self {
            min: self.min.sup(&other.min),
            max: self.max.inf(&other.max),
        }
    }

    /// Returns whether the closed boxes share a point. Branch-free, so that loops over it
    /// vectorise.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut both = true;
        for axis in 0..D {
            both &= (self.min[axis] <= other.max[axis]) & (other.min[axis] <= self.max[axis]);
        }
        both
    }

    /// Returns whether the closed box contains the point.
    #[inline]
    pub fn contains(&self, point: &Point<D>) -> bool {
        let mut inside = true;
        for axis in 0..D {
            inside &= (self.min[axis] <= point[axis]) & (point[axis] <= self.max[axis]);
        }
        inside
    }

    /// Returns whether the box contains no point.
    pub fn is_empty(&self) -> bool {
        (0..D).any(|axis| self.min[axis] > self.max[axis])
    }

    /// The midpoint of the corners; halved before adding, so that it cannot overflow.
    pub fn centre(&self) -> Point<D> {
        Point::from(self.min.coords * 0.5 + self.max.coords * 0.5)
    }

    /// Edge lengths.
    pub fn extent(&self) -> Vector<D> {
        self.max - self.min
    }

    /// Length of the longest edge; zero for an empty box.
    pub fn longest_edge(&self) -> f64 {
        self.extent().max().max(0.0)
    }

    /// Product of the edge lengths; zero for an empty box.
    pub fn volume(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            self.extent().product()
        }
    }

    /// Squared distance from the point to the box; zero inside.
    pub fn squared_distance(&self, point: &Point<D>) -> f64 {
        (0..D)
            .map(|axis| {
                (self.min[axis] - point[axis])
                    .max(point[axis] - self.max[axis])
                    .max(0.0)
            })
            .map(|d| d * d)
            .sum()
    }
}

#[cfg(test)]
mod tests;
