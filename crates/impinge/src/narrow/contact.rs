//! What the narrow phase answers: where two bodies touch or would touch first, and between which bounds the truth lies.

use crate::shape::Feature;
use crate::space::{Point, Vector};

/// The closest points of two bodies; where they overlap, the points between which the overlap is least deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<const D: usize> {
    /// Witness point on the first body, in the world.
    pub on_a: Point<D>,
    /// Witness point on the second body, in the world.
    pub on_b: Point<D>,
    /// Unit vector from the first body to the second.
    pub normal: Vector<D>,
    /// Signed distance along the normal; negative means overlap, and the second body moved by −gap along the normal
    /// would just touch.
    pub gap: f64,
    /// The part of the first body that holds its witness point. A sphere's surface is its face 0.
    pub feature_a: Feature,
    /// The part of the second body that holds its witness point.
    pub feature_b: Feature,
}

impl<const D: usize> ContactPoint<D> {
    /// The same contact seen from the other body.
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

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClosestMethod {
    /// The walk over closest features.
    Walk,
    /// The kept shell in the difference of the bodies, which gives the depth of an overlap.
    Shell,
    /// GJK, where the walk lost its way.
    Gjk,
    /// All pairs of features.
    BruteForce,
    /// A closed formula.
    Formula,
    /// A tree of triangles.
    Tree,
}

/// A contact with its certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest<const D: usize> {
    /// The contact.
    pub contact: ContactPoint<D>,
    /// The true gap is between these two, up to the rounding of one product of coordinates. Apart: the room between
    /// the bodies along the normal, and the distance of the witness points. Overlapping: minus the overlap along the
    /// normal, and minus the radius of a ball that fits into the difference of the bodies. Overlapping bodies that are not
    /// convex: minus a translation that is verified to part them, and minus a length below which none does.
    pub bounds: [f64; 2],
    /// Pairs of features, or facets of the shell, that were tested.
    pub tests: u32,
    /// How the answer was found.
    pub method: ClosestMethod,
}

impl<const D: usize> Closest<D> {
    /// Whether the closed bodies share a point, as far as the gap's last digits tell.
    pub fn touches(&self) -> bool {
        self.contact.gap <= 0.0
    }

    /// The same answer seen from the other body.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            contact: self.contact.swapped(),
            ..*self
        }
    }
}
