//! Volume adaptivity [Aragon2013, section 3.4]: a ball tree whose overlapping leaves are tested
//! again with tighter bounds, built on the fly.
//!
//! Balls are cheap to compare and invariant under rotation, but loose: most pairs of faces with
//! overlapping balls do not touch. Before the expensive test of the faces themselves, their boxes,
//! k-DOPs and oriented boxes are built and compared in a given order, in 2D and 3D. Every stage
//! counts the pairs it removes. Nothing is stored: building a bound of a few points takes tens of
//! nanoseconds, and few pairs of leaves overlap.

use super::bvh::BallTree;
use crate::bound::{Ball, Bound, Dop8, Dop14, Dop18, Dop26, Obb};
use crate::space::{Aabb, Point, Pose};

/// A bound tighter than a ball. In 2D there is a single k-DOP, the 8-DOP, which all three k-DOP
/// variants denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refinement {
    /// The axis-aligned box.
    Box,
    /// The box with its corners cut off.
    Dop14,
    /// The box with its edges cut off.
    Dop18,
    /// The box with both its corners and edges cut off.
    Dop26,
    /// The box aligned with the principal axes.
    Oriented,
}

impl Refinement {
    /// All refinements from loose to tight, in 3D.
    pub const ALL: [Self; 5] = [
        Self::Box,
        Self::Dop14,
        Self::Dop18,
        Self::Dop26,
        Self::Oriented,
    ];

    /// All refinements from loose to tight, in 2D. The 8-DOP is the cross-section of the 18-DOP.
    pub const PLANE: [Self; 3] = [Self::Box, Self::Dop18, Self::Oriented];

    /// Returns whether the bounds of two point sets overlap.
    pub fn overlap<const D: usize>(self, a: &[Point<D>], b: &[Point<D>]) -> bool
    where
        Point<D>: Dops<D>,
    {
        match self {
            Self::Box => both_overlap::<D, Aabb<D>>(a, b),
            Self::Dop14 => both_overlap::<D, <Point<D> as Dops<D>>::Corners>(a, b),
            Self::Dop18 => both_overlap::<D, <Point<D> as Dops<D>>::Edges>(a, b),
            Self::Dop26 => both_overlap::<D, <Point<D> as Dops<D>>::Both>(a, b),
            Self::Oriented => both_overlap::<D, Obb<D>>(a, b),
        }
    }
}

/// The k-DOPs of a dimension: a box with its corners, its edges, or both cut off.
pub trait Dops<const D: usize> {
    /// The 14-DOP.
    type Corners: Bound<D>;
    /// The 18-DOP.
    type Edges: Bound<D>;
    /// The 26-DOP.
    type Both: Bound<D>;
}

impl Dops<2> for Point<2> {
    type Corners = Dop8;
    type Edges = Dop8;
    type Both = Dop8;
}

impl Dops<3> for Point<3> {
    type Corners = Dop14;
    type Edges = Dop18;
    type Both = Dop26;
}

fn both_overlap<const D: usize, B: Bound<D>>(a: &[Point<D>], b: &[Point<D>]) -> bool {
    B::of(a).overlaps(&B::of(b))
}

/// Counters of one call of [`BallTree::find_refined_pairs`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refined {
    /// Number of ball pairs compared: N_v of [Aragon2013, eq. (19)].
    pub ball_tests: usize,
    /// Number of item pairs whose leaf balls overlap.
    pub overlapping: usize,
    /// Number of those pairs that each refinement removed, in the given order.
    pub removed: Vec<usize>,
}

impl<const D: usize> BallTree<D>
where
    Point<D>: Dops<D>,
{
    /// Writes the sorted pairs of items from two trees that neither their balls nor the refinements
    /// separate.
    ///
    /// `pose` is the pose of the second tree relative to the first. The closures return an item's
    /// points, each in the frame of its own tree.
    ///
    /// ```
    /// use impinge::{bound::{Ball, Bound}, space::{Point, Pose}, tree::{BallTree, Refinement}};
    /// let long = [[0.0; 3], [9.0, 0.0, 0.0], [9.0, 1.0, 0.0]].map(Point::from);
    /// let tree = BallTree::bottom_up(&[Ball::of(&long)]);
    /// let mut pairs = Vec::new();
    /// let above = Pose::at([0.0, 0.0, 1.0]);
    /// let refined =
    ///     tree.find_refined_pairs(|_| long, &tree, |_| long, &above, &Refinement::ALL, &mut pairs);
    /// assert_eq!((refined.overlapping, refined.removed[0], pairs.len()), (1, 1, 0));
    /// ```
    pub fn find_refined_pairs<P: AsRef<[Point<D>]>, Q: AsRef<[Point<D>]>>(
        &self,
        points: impl Fn(u32) -> P,
        other: &Self,
        other_points: impl Fn(u32) -> Q,
        pose: &Pose<D>,
        refinements: &[Refinement],
        pairs: &mut Vec<[u32; 2]>,
    ) -> Refined {
        pairs.clear();
        let mut refined = Refined {
            removed: vec![0; refinements.len()],
            ..Refined::default()
        };
        let tests = std::cell::Cell::new(0);
        let touches = |a: &Ball<D>, b: &Ball<D>| {
            tests.set(tests.get() + 1);
            a.overlaps(&Ball::new(pose.point(&b.centre), b.radius))
        };
        let mut moved = Vec::new();

        self.visit_pairs(other, touches, |i, j| {
            refined.overlapping += 1;
            let own = points(i);
            moved.clear();
            moved.extend(other_points(j).as_ref().iter().map(|p| pose.point(p)));
            match refinements
                .iter()
                .position(|refinement| !refinement.overlap(own.as_ref(), &moved))
            {
                Some(stage) => refined.removed[stage] += 1,
                None => pairs.push([i, j]),
            }
        });
        pairs.sort_unstable();

        Refined {
            ball_tests: tests.get(),
            ..refined
        }
    }
}

#[cfg(test)]
mod tests;
