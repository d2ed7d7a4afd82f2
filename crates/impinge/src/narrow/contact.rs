//! Result types of the narrow phase: a contact point, and bounds that enclose the true gap.

use crate::shape::Feature;
use crate::space::{Point, Vector};

/// The closest points of two bodies or, if they overlap, the witness points of the penetration
/// depth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "witness points")]
#[doc(alias = "contact manifold")]
#[doc(alias = "collision info")]
pub struct ContactPoint<const D: usize> {
    /// Witness point on the first body, in world coordinates.
    pub on_a: Point<D>,
    /// Witness point on the second body, in world coordinates.
    pub on_b: Point<D>,
    /// Unit vector from the first body to the second.
    pub normal: Vector<D>,
    /// Signed distance along the normal. Negative means overlap: moving the second body by −gap
    /// along the normal would leave the bodies just touching.
    pub gap: f64,
    /// The feature of the first body that contains its witness point. A sphere's surface is its
    /// face 0.
    pub feature_a: Feature,
    /// The feature of the second body that contains its witness point.
    pub feature_b: Feature,
}

impl<const D: usize> ContactPoint<D> {
    /// Returns the same contact with the two bodies exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            on_a: self.on_b,
            on_b: self.on_a,
            normal: -self.normal,
            gap: self.gap,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
        }
    }
}

/// The method that produced a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ClosestMethod {
    /// Walk over closest features.
    Walk,
    /// Cached polytope in the Minkowski difference (EPA), which gives the penetration depth.
    Epa,
    /// GJK fallback when the feature walk does not converge.
    Gjk,
    /// All pairs of features.
    BruteForce,
    /// Closed formula.
    Formula,
    /// Bounding-volume hierarchy of triangles.
    Tree,
}

impl ClosestMethod {
    /// Returns the name, for output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Epa => "epa",
            Self::Gjk => "gjk",
            Self::BruteForce => "brute-force",
            Self::Formula => "formula",
            Self::Tree => "tree",
        }
    }
}

/// A contact with certified bounds of its gap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "penetration depth")]
#[doc(alias = "distance")]
pub struct Closest<const D: usize> {
    /// The contact.
    pub contact: ContactPoint<D>,
    /// Lower and upper bound of the true gap, up to the rounding of one product of coordinates.
    ///
    /// - Separated: the separation along the normal, and the distance between the witness points.
    /// - Overlapping: minus the overlap along the normal, and minus the radius of a ball that fits
    ///   into the Minkowski difference.
    /// - Overlapping non-convex bodies: minus the length of a translation verified to separate
    ///   them, and minus a length below which no translation does.
    pub bounds: [f64; 2],
    /// Number of feature pairs, or facets of the polytope, that were tested.
    pub tests: u32,
    /// The method that produced the result.
    pub method: ClosestMethod,
}

impl<const D: usize> Closest<D> {
    /// Returns whether the closed bodies share a point, within the rounding error of the gap.
    pub fn touches(&self) -> bool {
        self.contact.gap <= 0.0
    }

    /// Returns the same result with the two bodies exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            contact: self.contact.swapped(),
            ..*self
        }
    }
}
