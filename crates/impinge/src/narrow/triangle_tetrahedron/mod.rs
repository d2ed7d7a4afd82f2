//! Exact intersection test of a triangle and a tetrahedron: apart, touching or crossing.
//!
//! The intersection of two convex bodies is the hull of its extreme points. For a triangle and a
//! tetrahedron each extreme point is one of three kinds: a corner of the triangle in the
//! tetrahedron, an edge of the triangle through a face, or an edge of the tetrahedron through the
//! triangle. Orientation signs of the input alone determine which exist. If all extreme points lie
//! in one face, the bodies touch; otherwise the triangle crosses the interior. Nodes that the two
//! have in common, as in a mesh, are ignored: bodies that share nothing else count as apart.
//!
//! The planes of the triangle and of the faces are tried first as separating planes, in plain f64
//! with one error bound for all, which settles most disjoint pairs. Then edge crossings are tested,
//! also in f64, which settles nearly all crossing pairs. A sign within the error bound is taken
//! from the exact predicates.
//!
//! If many tetrahedra are tested against one triangle, the same signs are computed for four of them
//! at once (`four`): for two V-shapes of 96,000 tetrahedra inside each other, 267,000 pairs then
//! take about 9 ms instead of 35. Coplanar parts, as in a V folded on itself, are decided in that
//! plane (`plane`) with about ten signs.
//!
//! \[Erleben2005\] uses GJK for this and names it as the bottleneck; [`meet_by_gjk`] implements
//! that for comparison.

mod decide;
mod flat;
mod four;
mod plane;
mod signs;
#[cfg(test)]
mod tests;
mod turns;

use super::gjk;
use crate::space::{Point, Pose, Vector};
pub(crate) use four::{Corners as SolidCorners, Probe};
use signs::Signs;

/// The edges of a tetrahedron by their corners.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The face opposite each corner, counter-clockwise seen from outside.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// All four faces of a tetrahedron.
const ALL_FACES: u8 = 0b1111;

/// Relation of a triangle to a tetrahedron; both are closed sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Relation {
    /// No point in common, or none but the shared nodes.
    Apart,
    /// Common points on the boundary, none in the interior. A flat tetrahedron has no interior and
    /// can only be touched.
    Touching,
    /// The triangle has points inside the tetrahedron.
    Crossing,
}

/// The corners of a triangle and of a tetrahedron that are the same nodes of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// For each corner of the triangle, the corner of the tetrahedron that is the same node.
    partner: [Option<u8>; 3],
    /// Bit mask of the shared corners of the tetrahedron; more than the triangle has if a node
    /// occurs twice.
    theirs: u8,
}

impl Shared {
    /// No shared nodes, as between two bodies.
    pub const NOTHING: Self = Self {
        partner: [None; 3],
        theirs: 0,
    };

    /// Compares the node indices.
    #[inline]
    pub fn of(triangle: &[u32; 3], tetrahedron: &[u32; 4]) -> Self {
        let place = |node: &u32| {
            tetrahedron
                .iter()
                .position(|other| other == node)
                .map(|place| place as u8)
        };
        let is_shared = |&corner: &usize| triangle.contains(&tetrahedron[corner]);

        Self {
            partner: triangle.each_ref().map(place),
            theirs: (0..4)
                .filter(is_shared)
                .fold(0, |mask, corner| mask | 1 << corner),
        }
    }

    /// Returns the number of shared nodes.
    pub fn count(&self) -> usize {
        self.partner.iter().flatten().count()
    }

    /// Bit mask of the shared corners of the triangle.
    #[inline]
    fn own(&self) -> u8 {
        (0..3).fold(0, |mask, corner| {
            mask | u8::from(self.partner[corner].is_some()) << corner
        })
    }

    /// Returns whether a corner of the tetrahedron is a shared node.
    #[inline]
    fn has(&self, corner: usize) -> bool {
        self.theirs >> corner & 1 == 1
    }
}

/// Returns the relation of a triangle to a tetrahedron of another body. Both may be degenerate, the
/// tetrahedron inverted.
///
/// ```
/// use impinge::narrow::triangle_tetrahedron::{Relation, relation};
/// use impinge::space::Point;
/// let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
/// let at = |z: f64| [[0.2, 0.2, z], [2.0, 0.2, z], [0.2, 2.0, z]].map(Point::from);
/// assert_eq!(relation(&at(0.3), &tetrahedron), Relation::Crossing);
/// assert_eq!(relation(&at(0.0), &tetrahedron), Relation::Touching);
/// assert_eq!(relation(&at(-1e-300), &tetrahedron), Relation::Apart);
/// ```
#[inline]
pub fn relation(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4]) -> Relation {
    relation_beyond(triangle, tetrahedron, Shared::NOTHING)
}

/// Returns the relation of a triangle to a tetrahedron of the same mesh, ignoring shared nodes:
/// they are apart if they have only the simplex of the shared nodes in common.
#[inline]
pub fn relation_beyond(
    triangle: &[Point<3>; 3],
    tetrahedron: &[Point<3>; 4],
    shared: Shared,
) -> Relation {
    if shared.count() == 1 && are_parted_at_node(triangle, tetrahedron, shared) {
        return Relation::Apart;
    }
    Signs::new(triangle, tetrahedron, shared).relation()
}

/// Sine of the angle to a plane above which f64 determines the side: about fifty times the rounding
/// of a difference and a product.
const SIDE: f64 = 1e-14;

/// Distance from a node below which a corner has no direction: its square would underflow.
const TOO_NEAR: f64 = 1e-100;

/// Returns whether a plane through the one shared node strictly separates the rest of the triangle
/// from the rest of the tetrahedron. The plane is normal to the difference of their mean
/// directions. At a node of many elements, where every pair is a candidate, this settles nearly all
/// pairs in about twenty nanoseconds instead of microseconds of exact signs. False is inconclusive.
fn are_parted_at_node(
    triangle: &[Point<3>; 3],
    tetrahedron: &[Point<3>; 4],
    shared: Shared,
) -> bool {
    let own = shared.own();
    let node = triangle[own.trailing_zeros() as usize % 3];

    // A corner at the node, or too near to it, has no direction and is on no side.
    let away = |p: &Point<3>| (p - node).try_normalize(TOO_NEAR).unwrap_or_default();
    let ours: [Option<Vector<3>>; 3] =
        std::array::from_fn(|k| (own >> k & 1 == 0).then(|| away(&triangle[k])));
    let theirs: [Option<Vector<3>>; 4] =
        std::array::from_fn(|k| (!shared.has(k)).then(|| away(&tetrahedron[k])));

    let axis = mean(&ours) - mean(&theirs);
    let side = SIDE * axis.norm();
    side > 0.0
        && ours.iter().flatten().all(|way| axis.dot(way) > side)
        && theirs.iter().flatten().all(|way| axis.dot(way) < -side)
}

fn mean(ways: &[Option<Vector<3>>]) -> Vector<3> {
    let count = ways.iter().flatten().count().max(1);
    ways.iter().flatten().sum::<Vector<3>>() / count as f64
}

/// Returns whether the two have points in common, from the distance computed by GJK: correct except
/// for rounding.
pub fn meet_by_gjk(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4]) -> bool {
    let here = Pose::identity();
    let found = gjk::distance(
        &gjk::Corners(triangle),
        &here,
        &gjk::Corners(tetrahedron),
        &here,
        &mut gjk::Simplex::default(),
    );

    found.distance <= 0.0
}

/// The extreme points found: whether there is one beyond the shared nodes, and which faces contain
/// them all.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    beyond: bool,
    faces: u8,
}

impl Extremes {
    const NONE: Self = Self {
        beyond: false,
        faces: ALL_FACES,
    };

    #[inline]
    fn add(&mut self, faces: u8, is_shared: bool) {
        self.faces &= faces;
        self.beyond |= !is_shared;
    }

    #[inline]
    fn relation(self) -> Relation {
        match (self.beyond, self.faces) {
            (false, _) => Relation::Apart,
            (true, 0) => Relation::Crossing,
            (true, _) => Relation::Touching,
        }
    }
}
