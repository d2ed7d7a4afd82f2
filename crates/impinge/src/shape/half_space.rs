//! Half-spaces: unbounded floors and walls.

use super::{Problem, ProblemKind};
use crate::space::{Point, Vector, is_usable};

/// All points below a plane: normal·(x − point) ≤ 0. A half-plane in two dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "plane")]
#[doc(alias = "infinite plane")]
#[doc(alias = "floor")]
pub struct HalfSpace<const D: usize> {
    point: Point<D>,
    normal: Vector<D>,
}

impl<const D: usize> HalfSpace<D> {
    /// Creates the half-space below a point from an outward direction of any length.
    ///
    /// ```
    /// use impinge::shape::HalfSpace;
    /// let ramp = HalfSpace::new([0.0, 0.0, 1.0], [0.0, 3.0, 4.0])?;
    /// assert!((ramp.normal().y - 0.6).abs() < 1e-15);
    /// assert!(HalfSpace::new([0.0, 0.0], [0.0, 0.0]).is_err());
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    ///
    /// Errors: `NotFinite`, `NotPositive` (a direction of length zero).
    pub fn new(point: impl Into<Point<D>>, outward: impl Into<Vector<D>>) -> Result<Self, Problem> {
        let (point, outward) = (point.into(), outward.into());
        if !is_usable(&point) || !is_usable(&Point::from(outward)) {
            return Err(Problem::whole(ProblemKind::NotFinite));
        }

        let largest = outward.amax();
        if largest == 0.0 {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }

        // Scaled first: the squares of 1e-180 would underflow.
        Ok(Self {
            point,
            normal: (outward / largest).normalize(),
        })
    }

    /// Returns a point of the surface.
    pub fn point(&self) -> Point<D> {
        self.point
    }

    /// Returns the outward unit normal.
    pub fn normal(&self) -> Vector<D> {
        self.normal
    }
}

#[cfg(test)]
mod tests;
