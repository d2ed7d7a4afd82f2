//! Distance and size measures that a hierarchy needs of its bounds, in addition to the overlap
//! test.

use crate::bound::{Ball, Bound, Obb};
use crate::space::{Aabb, Point};

/// A bound that can be stored in the nodes of a [`Bvh`](super::Bvh).
pub trait Volume<const D: usize>: Bound<D> {
    /// Squared distance to the point, zero inside. Up to rounding, it never exceeds the squared
    /// distance to anything enclosed.
    fn squared_distance(&self, point: &Point<D>) -> f64;

    /// The surface area up to a constant factor, proportional to the probability that a query
    /// visits the node; zero if empty.
    fn surface(&self) -> f64;

    /// A cheap length for comparing two bounds: a tandem traversal opens the larger one.
    fn size(&self) -> f64;

    /// The enclosing axis-aligned box.
    fn aabb(&self) -> Aabb<D>;
}

impl<const D: usize> Volume<D> for Aabb<D> {
    #[inline]
    fn squared_distance(&self, point: &Point<D>) -> f64 {
        let mut sum = 0.0;
        for axis in 0..D {
            let beyond = (self.min[axis] - point[axis])
                .max(point[axis] - self.max[axis])
                .max(0.0);
            sum += beyond * beyond;
        }

        sum
    }

    /// Half the surface area in 3D, half the perimeter in 2D: Σ over the axes of the product of the
    /// other extents.
    #[inline]
    fn surface(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }

        let extent = self.extent();
        (0..D)
            .map(|axis| {
                (0..D)
                    .filter(|&k| k != axis)
                    .map(|k| extent[k])
                    .product::<f64>()
            })
            .sum()
    }

    #[inline]
    fn size(&self) -> f64 {
        self.extent().sum()
    }

    fn aabb(&self) -> Aabb<D> {
        *self
    }
}

impl<const D: usize> Volume<D> for Ball<D> {
    #[inline]
    fn squared_distance(&self, point: &Point<D>) -> f64 {
        let beyond = ((point - self.centre).norm() - self.radius).max(0.0);
        beyond * beyond
    }

    #[inline]
    fn surface(&self) -> f64 {
        self.radius.max(0.0).powi(D as i32 - 1)
    }

    #[inline]
    fn size(&self) -> f64 {
        self.radius
    }

    fn aabb(&self) -> Aabb<D> {
        if self.is_empty() {
            Aabb::EMPTY
        } else {
            Aabb::of([self.centre]).grown(self.radius)
        }
    }
}

impl<const D: usize> Volume<D> for Obb<D> {
    #[inline]
    fn squared_distance(&self, point: &Point<D>) -> f64 {
        let local = self.axes.tr_mul(&(point - self.centre));
        let mut sum = 0.0;
        for axis in 0..D {
            let beyond = (local[axis].abs() - self.half[axis]).max(0.0);
            sum += beyond * beyond;
        }

        sum
    }

    fn surface(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            Aabb {
                min: Point::from(-self.half),
                max: self.half.into(),
            }
            .surface()
        }
    }

    #[inline]
    fn size(&self) -> f64 {
        self.half.sum()
    }

    fn aabb(&self) -> Aabb<D> {
        if self.is_empty() {
            return Aabb::EMPTY;
        }

        let reach = self.axes.abs() * self.half;
        Aabb {
            min: self.centre - reach,
            max: self.centre + reach,
        }
    }
}
