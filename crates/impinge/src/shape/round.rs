//! Capsules, cylinders and cones: bodies of revolution about a segment.

use super::{MassProperties, Problem, ProblemKind};
use crate::space::{Aabb, LARGEST_COORDINATE, Matrix, Point, Vector, is_usable};
use std::f64::consts::PI;

/// Kind of a body of revolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RoundKind {
    /// All points within the radius of the segment.
    Capsule,
    /// A cylinder with flat ends.
    Cylinder,
    /// A cone with its base at the first end and its apex at the second.
    Cone,
}

/// A capsule, cylinder or cone.
///
/// Its face 0 is the side, face 1 the cap at the first end and face 2 the cap at the second; a cone has
/// no face 2.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "capsule")]
#[doc(alias = "cylinder")]
#[doc(alias = "cone")]
#[doc(alias = "spherocylinder")]
pub struct Round {
    kind: RoundKind,
    ends: [Point<3>; 2],
    axis: Vector<3>,
    length: f64,
    radius: f64,
}

impl Round {
    /// Creates the capsule of all points within a radius of a segment.
    ///
    /// ```
    /// use impinge::shape::Round;
    /// let pill = Round::capsule([0.0; 3], [0.0, 0.0, 2.0], 0.5)?;
    /// assert!(pill.contains(&[0.0, 0.3, 2.4].into()));
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    ///
    /// Errors, here and below: `NotFinite`, `NotPositive` (radius, or ends that coincide).
    pub fn capsule(
        from: impl Into<Point<3>>,
        to: impl Into<Point<3>>,
        radius: f64,
    ) -> Result<Self, Problem> {
        Self::new(RoundKind::Capsule, from.into(), to.into(), radius)
    }

    /// Creates the cylinder between the centres of its two flat ends.
    ///
    /// ```
    /// use impinge::shape::Round;
    /// let drum = Round::cylinder([0.0; 3], [0.0, 0.0, 2.0], 0.5)?;
    /// assert!((drum.volume() - 0.5 * std::f64::consts::PI).abs() < 1e-15);
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn cylinder(
        from: impl Into<Point<3>>,
        to: impl Into<Point<3>>,
        radius: f64,
    ) -> Result<Self, Problem> {
        Self::new(RoundKind::Cylinder, from.into(), to.into(), radius)
    }

    /// Creates the cone from the centre and radius of its base to its apex.
    ///
    /// ```
    /// use impinge::shape::Round;
    /// let hat = Round::cone([0.0; 3], [0.0, 0.0, 2.0], 0.5)?;
    /// assert_eq!(hat.centroid(), [0.0, 0.0, 0.5].into());
    /// # Ok::<(), impinge::shape::Problem>(())
    /// ```
    pub fn cone(
        base: impl Into<Point<3>>,
        apex: impl Into<Point<3>>,
        radius: f64,
    ) -> Result<Self, Problem> {
        Self::new(RoundKind::Cone, base.into(), apex.into(), radius)
    }

    /// Creates a body of a kind from its two ends.
    pub fn new(
        kind: RoundKind,
        from: Point<3>,
        to: Point<3>,
        radius: f64,
    ) -> Result<Self, Problem> {
        if !is_usable(&from) || !is_usable(&to) || radius.is_nan() || radius > LARGEST_COORDINATE {
            return Err(Problem::whole(ProblemKind::NotFinite));
        }

        let way = to - from;
        let largest = way.amax();
        if radius <= 0.0 || largest == 0.0 {
            return Err(Problem::whole(ProblemKind::NotPositive));
        }

        // Scaled first: the squares of 1e-180 would underflow.
        let length = (way / largest).norm() * largest;
        Ok(Self {
            kind,
            ends: [from, to],
            axis: (way / largest).normalize(),
            length,
            radius,
        })
    }

    /// Returns whether it is a capsule, a cylinder or a cone.
    pub fn kind(&self) -> RoundKind {
        self.kind
    }

    /// The two ends of the axis: centres of the caps; base and apex of a cone.
    pub fn ends(&self) -> [Point<3>; 2] {
        self.ends
    }

    /// Unit vector from the first end to the second.
    pub fn axis(&self) -> Vector<3> {
        self.axis
    }

    /// Distance between the ends, greater than zero.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The radius, of the base for a cone; greater than zero.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the distance of a point along the axis from the first end, its distance from the axis, and
    /// the unit vector from the axis to it; for a point on the axis, any vector perpendicular to it.
    pub(crate) fn meridian(&self, point: &Point<3>) -> (f64, f64, Vector<3>) {
        let from = point - self.ends[0];
        let along = self.axis.dot(&from);
        let across = from - self.axis * along;
        // Orthogonalised twice, because the first difference leaves a rounding error along the axis.
        let across = across - self.axis * self.axis.dot(&across);
        let distance = across.norm();

        if distance > 0.0 {
            (along, distance, across / distance)
        } else {
            (along, 0.0, self.across())
        }
    }

    /// A unit vector across the axis.
    pub(crate) fn across(&self) -> Vector<3> {
        let least = self.axis.iamin();
        self.axis.cross(&Vector::<3>::ith(least, 1.0)).normalize()
    }

    /// Returns the point furthest in a direction.
    pub fn support(&self, direction: &Vector<3>) -> Point<3> {
        let along = self.axis.dot(direction);
        let across = direction - self.axis * along;
        let length = across.norm();
        // A direction along the axis up to rounding: any point of the rim is as far.
        let outward = if length > ALONG_AXIS * direction.norm() {
            across / length
        } else {
            self.across()
        };

        match self.kind {
            RoundKind::Capsule => {
                let end = self.ends[usize::from(along > 0.0)];
                end + direction.try_normalize(0.0).unwrap_or(outward) * self.radius
            }
            RoundKind::Cylinder => self.ends[usize::from(along > 0.0)] + outward * self.radius,
            RoundKind::Cone if along * self.length > length * self.radius => self.ends[1],
            RoundKind::Cone => self.ends[0] + outward * self.radius,
        }
    }

    /// Returns whether the closed body contains a point, up to rounding.
    pub fn contains(&self, point: &Point<3>) -> bool {
        let (along, distance, _) = self.meridian(point);
        match self.kind {
            RoundKind::Capsule => {
                let beyond = along - along.clamp(0.0, self.length);
                beyond.hypot(distance) <= self.radius
            }
            RoundKind::Cylinder => (0.0..=self.length).contains(&along) && distance <= self.radius,
            RoundKind::Cone => {
                along >= 0.0 && distance * self.length <= self.radius * (self.length - along)
            }
        }
    }

    /// Half of the extents of a disc of the body's radius across an axis.
    pub(crate) fn disc(&self, axis: &Vector<3>) -> Vector<3> {
        axis.map(|x| self.radius * (1.0 - x * x).max(0.0).sqrt())
    }

    /// The enclosing box, rounded outward.
    pub fn bounds(&self) -> Aabb<3> {
        around(self, self.ends, &self.axis)
    }

    /// Volume.
    pub fn volume(&self) -> f64 {
        let disc = PI * self.radius * self.radius;
        match self.kind {
            RoundKind::Capsule => disc * (self.length + 4.0 / 3.0 * self.radius),
            RoundKind::Cylinder => disc * self.length,
            RoundKind::Cone => disc * self.length / 3.0,
        }
    }

    /// Centre of mass; of a cone a quarter of the way from its base to its apex.
    pub fn centroid(&self) -> Point<3> {
        let share = if self.kind == RoundKind::Cone {
            0.25
        } else {
            0.5
        };
        self.ends[0] + (self.ends[1] - self.ends[0]) * share
    }

    /// Inertia tensor about the centroid, for a density of one.
    pub fn inertia(&self) -> Matrix<3> {
        let (r, h) = (self.radius, self.length);
        let mass = self.volume();
        let [about, across] = match self.kind {
            RoundKind::Cylinder => [0.5 * r * r, 0.25 * r * r + h * h / 12.0],
            RoundKind::Cone => [0.3 * r * r, 0.15 * r * r + 0.0375 * h * h],
            RoundKind::Capsule => {
                // A cylinder, and two half balls at its ends.
                let balls = 4.0 / 3.0 * r / (h + 4.0 / 3.0 * r);
                let cylinder = 1.0 - balls;
                [
                    cylinder * 0.5 * r * r + balls * 0.4 * r * r,
                    cylinder * (0.25 * r * r + h * h / 12.0)
                        + balls * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r),
                ]
            }
        };

        let axis = self.axis * self.axis.transpose();
        (Matrix::identity() * across + axis * (about - across)) * mass
    }

    /// Volume, centroid and inertia.
    pub fn mass_properties(&self) -> MassProperties {
        MassProperties {
            volume: self.volume(),
            centroid: self.centroid(),
            inertia: self.inertia(),
        }
    }
}

/// Sine of the angle to the axis below which a direction is along it up to rounding.
const ALONG_AXIS: f64 = 1e-15;

/// Relative growth, more than the rounding of a sum.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the box around a body whose ends and axis have been moved, grown by the rounding of a motion.
pub(crate) fn around(body: &Round, ends: [Point<3>; 2], axis: &Vector<3>) -> Aabb<3> {
    let reach = match body.kind {
        RoundKind::Capsule => [Vector::repeat(body.radius); 2],
        RoundKind::Cylinder => [body.disc(axis); 2],
        RoundKind::Cone => [body.disc(axis), Vector::zeros()],
    };
    let tight = Aabb::of(
        [0, 1]
            .into_iter()
            .flat_map(|end| [ends[end] - reach[end], ends[end] + reach[end]]),
    );
    let size = tight.min.coords.abs() + tight.max.coords.abs();
    let slack = size.add_scalar(body.radius + body.length) * ROUNDING;

    Aabb {
        min: tight.min - slack,
        max: tight.max + slack,
    }
}

#[cfg(test)]
mod tests;
