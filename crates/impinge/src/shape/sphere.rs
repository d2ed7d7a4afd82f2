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
mod tests {
    use super::super::Item;
    use super::*;

    #[test]
    fn zero_negative_and_nan_spheres_are_refused() {
        let kind =
            |centre: [f64; 2], radius| Sphere::new(centre, radius).map_err(|problem| problem.kind);
        assert_eq!(kind([0.0; 2], 0.0), Err(ProblemKind::NotPositive));
        assert_eq!(kind([0.0; 2], -0.0), Err(ProblemKind::NotPositive));
        assert_eq!(
            kind([0.0; 2], f64::NEG_INFINITY),
            Err(ProblemKind::NotPositive)
        );
        assert_eq!(kind([0.0; 2], f64::NAN), Err(ProblemKind::NotFinite));
        assert_eq!(kind([0.0; 2], f64::INFINITY), Err(ProblemKind::NotFinite));
        assert_eq!(kind([f64::NAN, 0.0], 1.0), Err(ProblemKind::NotFinite));

        assert_eq!(
            Sphere::new([0.0], 0.0).map_err(|problem| problem.first),
            Err(Item::Whole)
        );
    }

    #[test]
    fn the_box_of_a_sphere_holds_its_poles_at_any_offset() {
        for offset in [0.0, 1.0, 1e12] {
            let sphere = Sphere::new([offset, offset, offset], 0.1).expect("valid");
            let bounds = sphere.bounds();
            // The exact pole is between the rounded one and its neighbours.
            assert!(bounds.max[0] > offset + 0.1 && bounds.min[1] < offset - 0.1);
        }
    }

    #[test]
    fn the_unit_sphere_and_disc_have_the_known_sizes() {
        assert_eq!(Sphere::new([0.0; 2], 1.0).expect("valid").area(), PI);
        assert_eq!(
            Sphere::new([0.0; 3], 1.0).expect("valid").volume(),
            4.0 / 3.0 * PI
        );
    }
}
