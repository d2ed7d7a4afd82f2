//! Spheres; discs in 2D.

use super::{Problem, ProblemKind};
use crate::space::{Aabb, LARGEST_COORDINATE, Point, is_usable};
use std::f64::consts::PI;

/// A sphere: all points within a radius of a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "ball")]
#[doc(alias = "disc")]
#[doc(alias = "circle")]
pub struct Sphere<const D: usize> {
    centre: Point<D>,
    radius: f64,
}

impl<const D: usize> Sphere<D> {
    /// Creates a sphere with a positive radius; errors: `NotFinite`, `NotPositive`.
    ///
    /// ```
    /// use impinge::shape::{ProblemKind, Sphere};
    /// let grain = Sphere::new([0.0, 0.0, 1.0], 0.5)?;
    /// assert!(grain.contains(&[0.0, 0.0, 1.5].into()));
    /// assert_eq!(Sphere::new([0.0, 0.0], -1.0).unwrap_err().kind, ProblemKind::NotPositive);
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn new(centre: impl Into<Point<D>>, radius: f64) -> Result<Self, Problem> {
        let centre = centre.into();
        if !is_usable(&centre) || radius.is_nan() || radius > LARGEST_COORDINATE {
            return Err(Problem::whole(ProblemKind::NotFinite));
        }

        if radius <= 0.0 {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }

        Ok(Self { centre, radius })
    }

    /// The centre.
    pub fn centre(&self) -> Point<D> {
        self.centre
    }

    /// The radius, greater than zero.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns whether the closed sphere contains the point, up to the rounding of the distance.
    pub fn contains(&self, point: &Point<D>) -> bool {
        (point - self.centre).norm() <= self.radius
    }

    /// The enclosing box, rounded outward.
    pub fn bounds(&self) -> Aabb<D> {
        Aabb {
            min: self.centre.map(|x| (x - self.radius).next_down()),
            max: self.centre.map(|x| (x + self.radius).next_up()),
        }
    }
}

impl Sphere<2> {
    /// Area, π r².
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }
}

impl Sphere<3> {
    /// Volume, 4/3 π r³.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius.powi(3)
    }
}

#[cfg(test)]
mod tests;
