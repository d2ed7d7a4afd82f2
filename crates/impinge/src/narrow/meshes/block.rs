//! Up to four triangles in SIMD lanes: their distances from a point, and separating planes to
//! another triangle.

use super::lanes::{LANES, Lanes, Lanes3, cross, dot, minus, splat};
use super::sides::Sides;
use crate::space::Point;

/// Generous relative bound of the rounding error of a sum of three products of differences.
const UNSURE: f64 = 1e-14;

/// The triangles of a leaf; unused lanes repeat the first.
#[derive(Clone, Debug)]
pub(super) struct Block {
    corners: [Lanes3; 3],
    /// The indices of the faces.
    pub(super) faces: [u32; LANES],
}

impl Block {
    pub(super) fn new(triangles: &[([Point<3>; 3], u32)]) -> Self {
        let lane = |i: usize| triangles.get(i).unwrap_or(&triangles[0]);
        Self {
            corners: [0, 1, 2]
                .map(|k| [0, 1, 2].map(|c| Lanes(std::array::from_fn(|i| lane(i).0[k][c])))),
            faces: std::array::from_fn(|i| lane(i).1),
        }
    }

    /// Returns the corners of one triangle.
    #[inline]
    pub(super) fn triangle(&self, lane: usize) -> [Point<3>; 3] {
        [0, 1, 2].map(|k| Point::from([0, 1, 2].map(|c| self.corners[k][c].0[lane])))
    }

    /// Returns the squared distances of a point.
    #[inline(always)]
    pub(super) fn squared_distances(&self, point: &Point<3>) -> Lanes {
        Sides::of(&self.corners).squared_distances(point)
    }

    /// Returns the triangles, prepared for distances.
    #[inline(always)]
    pub(super) fn sides(&self) -> Sides {
        Sides::of(&self.corners)
    }

    /// Returns a negative value where the triangle and a lane's may touch; positive only where one
    /// lies clearly beside the other's plane.
    #[inline(always)]
    pub(super) fn parted_by_planes(&self, triangle: &[Point<3>; 3]) -> Lanes {
        let [a, b, c] = &self.corners;
        let [p, q, r] = [0, 1, 2].map(|k: usize| splat(&triangle[k].coords));
        let normal = cross(&minus(b, a), &minus(c, a));
        let beside = Self::beside(&normal, [&minus(&p, a), &minus(&q, a), &minus(&r, a)]);
        let normal = cross(&minus(&q, &p), &minus(&r, &p));

        beside.max(Self::beside(
            &normal,
            [&minus(a, &p), &minus(b, &p), &minus(c, &p)],
        ))
    }

    /// Returns the largest separation between the triangle and each lane's along their normals and
    /// along the line of their centroids: a lower bound of their distance.
    #[inline(always)]
    pub(super) fn axis_gaps(&self, triangle: &[Point<3>; 3]) -> Lanes {
        let [a, b, c] = &self.corners;
        let [p, q, r] = [0, 1, 2].map(|k: usize| splat(&triangle[k].coords));
        let length = |n: &Lanes3| dot(n, n).max(Lanes::all(f64::MIN_POSITIVE)).sqrt();
        let normal = cross(&minus(b, a), &minus(c, a));
        let gap =
            Self::beside(&normal, [&minus(&p, a), &minus(&q, a), &minus(&r, a)]) / length(&normal);
        let normal = cross(&minus(&q, &p), &minus(&r, &p));
        let gap = gap.max(
            Self::beside(&normal, [&minus(a, &p), &minus(b, &p), &minus(c, &p)]) / length(&normal),
        );
        let line = [0, 1, 2].map(|k| (p[k] + q[k] + r[k]) - (a[k] + b[k] + c[k]));
        let [ha, hb, hc] = [a, b, c].map(|corner| dot(&line, &minus(corner, a)));
        let [hp, hq, hr] = [&p, &q, &r].map(|corner| dot(&line, &minus(corner, a)));

        gap.max((hp.min(hq).min(hr) - ha.max(hb).max(hc)) / length(&line))
    }

    /// Returns a positive value where all three arms are clearly on one side of the plane through
    /// the origin.
    #[inline(always)]
    fn beside(normal: &Lanes3, arms: [&Lanes3; 3]) -> Lanes {
        let heights = arms.map(|arm| dot(normal, arm));
        let size = arms.iter().fold(Lanes::ZERO, |size, arm| {
            size.max(arm[0].abs() + arm[1].abs() + arm[2].abs())
        });
        let size = size * (normal[0].abs() + normal[1].abs() + normal[2].abs());
        let least = heights[0].min(heights[1]).min(heights[2]);
        let most = heights[0].max(heights[1]).max(heights[2]);

        least.max(Lanes::ZERO - most) - size * Lanes::all(UNSURE) - Lanes::all(f64::MIN_POSITIVE)
    }
}
