//! Discrete orientation polytopes (k-DOPs): the intersection of K slabs in fixed directions
//! [Aragon2013, eqs. (9) to (11)].
//!
//! A slab is stored as the smallest and the largest product of the points with its direction.
//! Directions have length 1, √2 or √3 and are not normalised: the products with the axes are then
//! exact and the others take one or two additions. Building: O(points · K). Overlap test: 2K
//! comparisons.
//!
//! Rounding: a product off the axes has an error of at most 2u(|x| + |y| + |z|), u = 2⁻⁵³. The ends
//! off the axes are moved outward by 8u of the largest coordinates. This covers twice the error,
//! for the point that defined the end and for a point compared with it, and the rounding of the
//! move itself.

use super::directions::{assert_exist, directions, project};
use super::{Bound, polytope};
use crate::space::{Aabb, Point};

/// The k-DOP with k = 2K planes in D dimensions. K = 4 in 2D; 7, 9 or 13 in 3D; other values do not
/// compile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "k-DOP")]
#[doc(alias = "discrete oriented polytope")]
pub struct Kdop<const D: usize, const K: usize> {
    /// Smallest product with each direction; the D axes come first.
    pub low: [f64; K],
    /// Largest product with each direction.
    pub up: [f64; K],
}

/// The 2D 8-DOP: axes and diagonals.
pub type Dop8 = Kdop<2, 4>;
/// A box with its corners cut off.
pub type Dop14 = Kdop<3, 7>;
/// A box with its edges cut off.
pub type Dop18 = Kdop<3, 9>;
/// A box with its corners and edges cut off.
pub type Dop26 = Kdop<3, 13>;

/// 8u; see the module documentation.
const OUTWARD: f64 = 4.0 * f64::EPSILON;

impl<const D: usize, const K: usize> Kdop<D, K> {
    /// The axis-aligned box, given by the first D slabs.
    pub fn aabb(&self) -> Aabb<D> {
        Aabb {
            min: Point::from(std::array::from_fn::<f64, D, _>(|axis| self.low[axis])),
            max: Point::from(std::array::from_fn::<f64, D, _>(|axis| self.up[axis])),
        }
    }

    fn round_outward(&mut self) {
        let reach: f64 = (0..D)
            .map(|axis| self.low[axis].abs().max(self.up[axis].abs()))
            .sum();
        for k in D..K {
            self.low[k] -= OUTWARD * reach;
            self.up[k] += OUTWARD * reach;
        }
    }
}

impl<const D: usize, const K: usize> Bound<D> for Kdop<D, K> {
    const EMPTY: Self = Self {
        low: [f64::INFINITY; K],
        up: [f64::NEG_INFINITY; K],
    };

    fn of(points: &[Point<D>]) -> Self {
        const { assert_exist::<D, K>() }
        let mut bound = Self::EMPTY;
        for point in points {
            let products = project::<D, K>(point);
            for k in 0..K {
                bound.low[k] = bound.low[k].min(products[k]);
                bound.up[k] = bound.up[k].max(products[k]);
            }
        }

        if !points.is_empty() {
            bound.round_outward();
        }

        bound
    }

    fn refit(&mut self, points: &[Point<D>]) {
        *self = Self::of(points);
    }

    fn merged(&self, other: &Self) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            up: std::array::from_fn(|k| self.up[k].max(other.up[k])),
        }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        let mut both = true;
        for k in 0..K {
            both &= (self.low[k] <= other.up[k]) & (other.low[k] <= self.up[k]);
        }
        both
    }

    #[inline]
    fn contains(&self, point: &Point<D>) -> bool {
        let products = project::<D, K>(point);
        let mut inside = true;
        for k in 0..K {
            inside &= (self.low[k] <= products[k]) & (products[k] <= self.up[k]);
        }
        inside
    }

    /// The volume of the polytope, by clipping: 8 µs for a 14-DOP, 23 µs for a 26-DOP.
    fn volume(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }

        let bounds = self.aabb();
        let mut centre = [0.0; 3];
        centre[..D].copy_from_slice(bounds.centre().coords.as_slice());
        let slabs: Vec<polytope::Slab> = directions::<D, K>()
            .iter()
            .zip(self.low.iter().zip(&self.up))
            .map(|(&direction, (&low, &up))| {
                polytope::Slab { direction, low, up }.seen_from(centre.into())
            })
            .collect();

        if D == 2 {
            polytope::area(&slabs)
        } else {
            polytope::volume(&slabs)
        }
    }

    fn is_empty(&self) -> bool {
        self.low[0] > self.up[0]
    }
}
