//! Nodes of a [`TriangleTree`](super::TriangleTree): four oriented bounding boxes in SIMD lanes,
//! compared at once.
//!
//! A patch of a smooth surface of size h is flat to about h², and so is its oriented box, while an
//! axis-aligned box or a sphere has thickness h. A query far from the surface therefore visits few
//! nodes: on a sphere of 81,920 triangles, hundreds of axis-aligned boxes lie within h of the best
//! distance, but only about twenty oriented ones.

use super::lanes::{LANES, Lanes, Lanes3, dot, minus, splat};
use crate::bound::Obb;
use crate::space::{Matrix, Point, Vector};
use fearless_simd::{f64x8, prelude::*};

/// Relative slack of comparisons, in units of sizes and distance, as for [`Obb`]: 128u.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// Factor by which a guess is raised, so that the rounding of a different formula does not exclude
/// the guess itself.
pub(super) const GUESS: f64 = 1.0 + 1e-9;

/// Up to four children.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    centre: Lanes3,
    /// The axes; component c of axis k is in `axes[k][c]`.
    axes: [Lanes3; 3],
    half: Lanes3,
    /// Number of children.
    pub(super) used: u32,
    pub(super) children: [Child; LANES],
}

/// Child of a wide node: a node, or a leaf's block of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child {
    /// Index of the node, or of the block.
    pub(super) index: u32,
    /// Number of triangles in the block; zero for a node.
    pub(super) count: u32,
}

impl Child {
    #[inline]
    pub(super) fn is_leaf(self) -> bool {
        self.count > 0
    }
}

impl Wide {
    pub(super) fn new(boxes: &[(Obb<3>, Child)]) -> Self {
        let lane = |f: &dyn Fn(&Obb<3>) -> f64, empty: f64| {
            Lanes(std::array::from_fn(|i| {
                boxes.get(i).map_or(empty, |(b, _)| f(b))
            }))
        };
        // An unused lane repeats the box of the first child, so that its numbers are harmless; it
        // is never read.
        let first = boxes[0].0;
        let of = |f: &dyn Fn(&Obb<3>) -> f64| lane(f, f(&first));

        Self {
            centre: [0, 1, 2].map(|c| of(&|b| b.centre[c])),
            axes: [0, 1, 2].map(|k| [0, 1, 2].map(|c| of(&|b| b.axes[(c, k)]))),
            half: [0, 1, 2].map(|k| of(&|b| b.half[k])),
            used: boxes.len() as u32,
            children: std::array::from_fn(|i| {
                boxes
                    .get(i)
                    .map_or(Child { index: 0, count: 0 }, |(_, c)| *c)
            }),
        }
    }

    /// Returns the box of one child.
    #[inline]
    pub(super) fn child_box(&self, lane: usize) -> Obb<3> {
        Obb {
            centre: Point::from([0, 1, 2].map(|c| self.centre[c].0[lane])),
            axes: Matrix::<3>::from_fn(|c, k| self.axes[k][c].0[lane]),
            half: Vector::<3>::from_fn(|k, _| self.half[k].0[lane]),
        }
    }

    /// Returns half the sum of a child's edge lengths.
    #[inline]
    pub(super) fn child_size(&self, lane: usize) -> f64 {
        self.half[0].0[lane] + self.half[1].0[lane] + self.half[2].0[lane]
    }

    /// Returns the squared distances of a point.
    #[inline(always)]
    pub(super) fn squared_distances(&self, point: &Point<3>) -> Lanes {
        let from = minus(&splat(&point.coords), &self.centre);
        let mut sum = Lanes::ZERO;
        for k in 0..3 {
            let beyond = (dot(&self.axes[k], &from).abs() - self.half[k]).max(Lanes::ZERO);
            sum = sum + beyond * beyond;
        }

        sum
    }

    /// Returns the squared distances of eight points from one child's box.
    #[inline(always)]
    pub(super) fn squared_distances_of<S: Simd>(
        &self,
        simd: S,
        lane: usize,
        points: &[f64x8<S>; 3],
    ) -> f64x8<S> {
        let all = |x: &Lanes| f64x8::splat(simd, x.0[lane]);
        let [cx, cy, cz] = &self.centre;
        let from = [
            points[0] - all(cx),
            points[1] - all(cy),
            points[2] - all(cz),
        ];
        let mut sum = f64x8::splat(simd, 0.0);
        for k in 0..3 {
            let [x, y, z] = &self.axes[k];
            let along = from[0] * all(x) + from[1] * all(y) + from[2] * all(z);
            let beyond = (along.abs() - all(&self.half[k])).max(0.0);
            sum += beyond * beyond;
        }

        sum
    }

    /// Returns the largest separation between each child's box and another box along the axes of
    /// both: a lower bound of their distance, up to the slack. Negative if no axis separates them,
    /// then the least overlap over the axes; the nine cross products of axes may still separate
    /// them.
    #[inline(always)]
    pub(super) fn gaps(&self, other: &Seen) -> Gaps {
        let apart = minus(&self.centre, &other.centre);
        let mut gap = Lanes::all(f64::NEG_INFINITY);
        let [mut of_other, mut of_self] = [Lanes::ZERO; 2];
        let mut turn = [[Lanes::ZERO; 3]; 3];
        let mut along = [Lanes::ZERO; 3];

        for i in 0..3 {
            let mut reach = other.half[i];
            for j in 0..3 {
                turn[i][j] = dot(&other.axes[i], &self.axes[j]);
                reach = reach + turn[i][j].abs() * self.half[j];
            }
            along[i] = dot(&other.axes[i], &apart);
            let beyond = along[i].abs() - reach;
            gap = gap.max(beyond);
            of_other = of_other + beyond.max(Lanes::ZERO) * beyond.max(Lanes::ZERO);
        }

        for j in 0..3 {
            let mut reach = self.half[j];
            for i in 0..3 {
                reach = reach + turn[i][j].abs() * other.half[i];
            }
            let beyond = dot(&self.axes[j], &apart).abs() - reach;
            gap = gap.max(beyond);
            of_self = of_self + beyond.max(Lanes::ZERO) * beyond.max(Lanes::ZERO);
        }

        let gap = gap.choose(of_other.max(of_self).sqrt(), gap);
        let size = along[0].abs() + along[1].abs() + along[2].abs();
        let size = size + self.half[0] + self.half[1] + self.half[2] + other.size;
        Gaps {
            gap: gap - Lanes::all(SLACK) * size,
            turn,
            along,
            slack: Lanes::all(SLACK) * size,
        }
    }

    /// Tests whether one of the nine cross products of two axes separates the boxes, given the
    /// result of [`Wide::gaps`]. At least zero if one does with a gap over `beyond`.
    #[inline(always)]
    pub(super) fn parted_by_products(&self, other: &Seen, gaps: &Gaps, beyond: f64) -> Lanes {
        let mut most = Lanes::all(f64::NEG_INFINITY);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let reach = other.half[i1] * gaps.turn[i2][j].abs()
                    + other.half[i2] * gaps.turn[i1][j].abs();
                let reach = reach
                    + self.half[j1] * gaps.turn[i][j2].abs()
                    + self.half[j2] * gaps.turn[i][j1].abs();
                let distance =
                    (gaps.along[i2] * gaps.turn[i1][j] - gaps.along[i1] * gaps.turn[i2][j]).abs();

                // The cross product has length at most one, so the true gap along it is at least
                // this value.
                most = most.max(distance - reach);
            }
        }

        most - gaps.slack - Lanes::all(beyond)
    }
}

/// Result of [`Wide::gaps`] that the cross products of axes need.
pub(super) struct Gaps {
    pub(super) gap: Lanes,
    turn: [Lanes3; 3],
    along: Lanes3,
    slack: Lanes,
}

/// One oriented box in another tree's frame, in all four lanes.
pub(super) struct Seen {
    centre: Lanes3,
    axes: [Lanes3; 3],
    half: Lanes3,
    size: Lanes,
}

impl Seen {
    #[inline(always)]
    pub(super) fn new(bounds: &Obb<3>, rotation: &Matrix<3>, shift: &Vector<3>) -> Self {
        let axes = rotation * bounds.axes;
        let centre = rotation * bounds.centre.coords + shift;

        // The centre is rounded by a few u of its summands.
        let rounding = SLACK * (bounds.centre.coords.abs().sum() + shift.abs().sum());
        let half = bounds.half.add_scalar(rounding);
        Self {
            centre: splat(&centre),
            axes: [0, 1, 2].map(|k| splat(&axes.column(k).into_owned())),
            half: splat(&half),
            size: Lanes::all(half.sum()),
        }
    }
}

/// Inserts an entry so that those from `start` on stay sorted with the nearest last.
#[inline(always)]
pub(super) fn insert<T: Copy>(open: &mut Vec<(f64, T)>, start: usize, entry: (f64, T)) {
    let mut place = open.len();
    open.push(entry);
    while place > start && open[place - 1].0 < entry.0 {
        open[place] = open[place - 1];
        place -= 1;
    }

    open[place] = entry;
}
