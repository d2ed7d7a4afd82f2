//! One triangle against four tetrahedra at once, in f64 with an error bound.
//!
//! The first test is the triangle's plane, which separates most pairs of neighbours. If corners of
//! the tetrahedron may lie in that plane, the same plane is tilted slightly about an edge. The
//! remaining pairs are packed into groups of four again. With the triangle's first corner as the
//! origin, all signs follow from the six products m = kᵢ × kⱼ of a tetrahedron's corners. An edge
//! of the triangle that ends in the origin turns about an edge of the tetrahedron by t·m. The third
//! edge turns by the remainder of n·(kⱼ − kᵢ), because the triangle's edges add up to zero. A
//! corner t is above a face (p, q, r) by p·(q × r) − t·(p×q + q×r + r×p). That is 130
//! multiplications and additions per pair instead of about 400, four pairs in each instruction.
//! Pairs undecided within the error bound go to [`relation`].

use super::{EDGES, Relation, plane, relation};
use crate::space::{Point, Vector};
use fearless_simd::{Level, dispatch, f64x4, mask64x4, prelude::*};

/// Number of pairs processed together.
const LANES: usize = 4;

/// Bit mask of all lanes.
const ALL: u64 = (1 << LANES) - 1;

/// Error bound relative to the cube of the largest coordinate; u = 2⁻⁵³. A product m has an error
/// of 8 u, a determinant of 48 u, a sum of four of them of 264 u.
const ERROR: f64 = 1e-13;

/// Error bound relative to the seventh power of the largest coordinate. A corner that f64 cannot
/// distinguish from the triangle's plane is within 2 `ERROR` of it, times the third power. Any
/// corner is within 36, times the fourth power, of the plane through an edge normal to the
/// triangle. Multiply how far the former corners are beyond the edge by how deep the others are. If
/// that exceeds the product of the two bounds, the triangle's plane can be tilted about the edge so
/// that all corners are on one side.
const TILT: f64 = 1e-11;

/// Pairs smaller than this leave all signs undecided, because their products may underflow.
const SMALLEST: f64 = 1e-40;

/// For each face, counter-clockwise seen from outside, its three edges; 1 if it traverses them from
/// the higher to the lower corner.
const ROUNDS: [[(usize, usize); 3]; 4] = [
    [(3, 0), (5, 0), (4, 1)],
    [(2, 0), (5, 1), (1, 1)],
    [(0, 0), (4, 0), (2, 1)],
    [(1, 0), (3, 1), (0, 1)],
];

/// A triangle to be tested against many tetrahedra.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    corners: [Point<3>; 3],
    /// The second and the third corner relative to the first.
    t: [Vector<3>; 2],
    normal: Vector<3>,
    /// In-plane outward normals of the edges, and the offsets of the edges along them.
    outward: [(Vector<3>, f64); 3],
    largest: f64,
}

type Four<S> = f64x4<S>;
type Four3<S> = [f64x4<S>; 3];

/// Above, and below.
type Signs<S> = [mask64x4<S>; 2];

/// Tetrahedra by their points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corners<'a> {
    pub(crate) points: &'a [Point<3>],
    pub(crate) tetrahedra: &'a [[u32; 4]],
}

/// The corners of four tetrahedra relative to a triangle's first corner, and the largest of all
/// coordinates.
struct Seen<S: Simd> {
    k: [Four3<S>; 4],
    largest: Four<S>,
    /// A determinant beyond this has the correct sign.
    bound: Four<S>,
    heights: [Four<S>; 4],
    sides: [Signs<S>; 4],
}

impl Probe {
    pub(crate) fn new(corners: &[Point<3>; 3]) -> Self {
        let t = [corners[1] - corners[0], corners[2] - corners[0]];
        let normal = t[0].cross(&t[1]);
        let beside = (t[1] - t[0]).cross(&normal);
        let outward = [
            (t[0].cross(&normal), 0.0),
            (beside, beside.dot(&t[0])),
            (normal.cross(&t[1]), 0.0),
        ];

        Self {
            corners: *corners,
            t,
            normal,
            outward,
            largest: t[0].amax().max(t[1].amax()),
        }
    }

    /// Calls back with each tetrahedron of the list that the triangle meets, in the list's order.
    /// The list is consumed.
    #[inline]
    pub(crate) fn find(
        &self,
        level: Level,
        corners: Corners,
        list: &mut Vec<u32>,
        mut found: impl FnMut(u32, Relation),
    ) {
        dispatch!(level, simd => self.keep_near(simd, corners, list));
        dispatch!(level, simd => self.find_near(simd, corners, list, &mut found));
    }

    /// Keeps the tetrahedra that the triangle's plane and its tilted ones do not separate from the
    /// triangle.
    #[inline(always)]
    fn keep_near<S: Simd>(&self, simd: S, corners: Corners, list: &mut Vec<u32>) {
        let mut kept = 0;
        let count = list.len();
        for start in (0..count).step_by(LANES) {
            let seen = self.seen(simd, &corners.four(&list[start..count]));
            let apart = self.by_plane(simd, &seen).to_bitmask();
            for lane in 0..LANES.min(count - start) {
                list[kept] = list[start + lane];
                kept += usize::from(apart >> lane & 1 == 0);
            }
        }

        list.truncate(kept);
    }

    #[inline(always)]
    fn find_near<S: Simd>(
        &self,
        simd: S,
        corners: Corners,
        list: &[u32],
        found: &mut impl FnMut(u32, Relation),
    ) {
        for four in list.chunks(LANES) {
            let nodes = corners.four(four);
            let [crossing, apart] = self.judge(simd, &nodes);
            for (lane, &tetrahedron) in four.iter().enumerate() {
                if crossing >> lane & 1 == 1 {
                    found(tetrahedron, Relation::Crossing);
                } else if apart >> lane & 1 == 0 {
                    let relation = self.decided(&corners.of(tetrahedron));
                    if relation != Relation::Apart {
                        found(tetrahedron, relation);
                    }
                }
            }
        }
    }

    /// Decides the pairs that f64 leaves open.
    #[cold]
    #[inline(never)]
    fn decided(&self, tetrahedron: &[Point<3>; 4]) -> Relation {
        plane::along_an_axis(&self.corners, tetrahedron, &self.normal, self.largest)
            .unwrap_or_else(|| relation(&self.corners, tetrahedron))
    }

    #[inline(always)]
    fn seen<S: Simd>(&self, simd: S, points: &[[&Point<3>; 4]; LANES]) -> Seen<S> {
        let zero = f64x4::splat(simd, 0.0);
        let mut k = [[zero; 3]; 4];
        let mut largest = f64x4::splat(simd, self.largest);
        let [a, b, c, d] = points;

        for corner in 0..4 {
            for axis in 0..3 {
                let at = [
                    a[corner][axis],
                    b[corner][axis],
                    c[corner][axis],
                    d[corner][axis],
                ];
                k[corner][axis] =
                    f64x4::simd_from(simd, at) - f64x4::splat(simd, self.corners[0][axis]);
                largest = largest.max(k[corner][axis].abs());
            }
        }

        let infinite = f64x4::splat(simd, f64::INFINITY);
        let cube = largest * largest * largest;
        let bound = largest.simd_gt(SMALLEST).select(cube * ERROR, infinite);
        let (mut heights, mut sides) = ([zero; 4], [[mask64x4::splat(simd, false); 2]; 4]);

        for corner in 0..4 {
            heights[corner] = dot(simd, &self.normal, &k[corner]);
            sides[corner] = signs(heights[corner], bound);
        }

        Seen {
            k,
            largest,
            bound,
            heights,
            sides,
        }
    }

    /// Returns which pairs are separated by the triangle's plane, or by one tilted about an edge.
    /// That settles tetrahedra beside the triangle in its own plane, such as the neighbours in a
    /// flat piece of surface.
    #[inline(always)]
    fn by_plane<S: Simd>(&self, simd: S, seen: &Seen<S>) -> mask64x4<S> {
        let [a, b, c, d] = seen.sides;
        let apart = a[0] & b[0] & c[0] & d[0] | a[1] & b[1] & c[1] & d[1];
        let is_mixed = (a[0] | b[0] | c[0] | d[0]) & (a[1] | b[1] | c[1] | d[1]);

        if (apart | is_mixed).to_bitmask() == ALL {
            return apart;
        }

        let infinite = f64x4::splat(simd, f64::INFINITY);
        let mut depth = infinite;
        for corner in 0..4 {
            let is_sure = seen.sides[corner][0] | seen.sides[corner][1];
            depth = depth.min(is_sure.select(seen.heights[corner].abs(), infinite));
        }

        let square = seen.largest * seen.largest;
        let least = square * square * square * seen.largest * TILT;
        let mut tilted = mask64x4::splat(simd, false);

        for (outward, at) in &self.outward {
            let mut beyond = infinite;
            for corner in 0..4 {
                let is_sure = seen.sides[corner][0] | seen.sides[corner][1];
                let reach = dot(simd, outward, &seen.k[corner]) - f64x4::splat(simd, *at);
                beyond = beyond.min(is_sure.select(infinite, reach));
            }
            tilted |= (beyond * depth).simd_gt(least);
        }

        // Without a corner that is certainly off the plane the depth is infinite and inconclusive.
        apart | tilted & !is_mixed & depth.simd_lt(infinite)
    }

    /// Returns which of the four cross, and which are apart.
    #[inline(always)]
    fn judge<S: Simd>(&self, simd: S, points: &[[&Point<3>; 4]; LANES]) -> [u64; 2] {
        let Seen {
            k,
            bound,
            heights,
            sides,
            ..
        } = self.seen(simd, points);
        let zero = f64x4::splat(simd, 0.0);
        let no = mask64x4::splat(simd, false);
        let mut turns = [[zero; 6]; 2];
        let mut of_origin = [zero; 4];

        for edge in 0..6 {
            let m = cross(&k[EDGES[edge][0]], &k[EDGES[edge][1]]);
            turns[0][edge] = dot(simd, &self.t[0], &m);
            turns[1][edge] = dot(simd, &self.t[1], &m);
            match edge {
                3 => of_origin[3] = -triple(&k[0], &m),
                4 => of_origin[2] = triple(&k[0], &m),
                5 => (of_origin[0], of_origin[1]) = (triple(&k[1], &m), -triple(&k[0], &m)),
                _ => {}
            }
        }

        let volume = (of_origin[0] + of_origin[1]) + (of_origin[2] + of_origin[3]);
        let is_solid = volume.abs().simd_gt(bound);
        let inward = f64x4::splat(simd, 1.0).copysign(volume);
        let mut inner = [[[no; 2]; 3]; 4];
        let (mut outside, mut deep) = (no, [is_solid; 3]);

        for face in 0..4 {
            inner[face][0] = signs(of_origin[face] * inward, bound);
            for corner in 0..2 {
                let around = around(&turns[corner], face);
                inner[face][corner + 1] = signs((of_origin[face] - around) * inward, bound);
            }
            outside |= inner[face][0][1] & inner[face][1][1] & inner[face][2][1];
            for corner in 0..3 {
                deep[corner] &= inner[face][corner][0];
            }
        }

        let mut apart = outside & is_solid;
        let mut crossing = deep[0] | deep[1] | deep[2];
        if (apart | crossing).to_bitmask() != ALL {
            let mut ways = [[[no; 2]; 6]; 3];
            for edge in 0..6 {
                let [i, j] = EDGES[edge];
                let [first, last] = [turns[0][edge], -turns[1][edge]];
                ways[0][edge] = signs(first, bound);
                ways[1][edge] = signs((heights[j] - heights[i]) - (first + last), bound);
                ways[2][edge] = signs(last, bound);
            }

            let [through, beside] = passes(simd, &sides, &inner, &ways);
            crossing |= through & is_solid;
            apart |= beside & is_solid;
        }

        [crossing.to_bitmask(), apart.to_bitmask()]
    }
}

impl<'a> Corners<'a> {
    fn of(&self, tetrahedron: u32) -> [Point<3>; 4] {
        self.tetrahedra[tetrahedron as usize].map(|node| self.points[node as usize])
    }

    /// Returns the corners of the first four of a list; if there are fewer, the last is repeated.
    #[inline(always)]
    fn four(&self, list: &[u32]) -> [[&'a Point<3>; 4]; LANES] {
        let mut corners = [[&self.points[0]; 4]; LANES];
        for lane in 0..LANES {
            let nodes = &self.tetrahedra[list[lane.min(list.len() - 1)] as usize];
            for corner in 0..4 {
                corners[lane][corner] = &self.points[nodes[corner] as usize];
            }
        }

        corners
    }
}

#[inline(always)]
fn signs<S: Simd>(value: Four<S>, bound: Four<S>) -> Signs<S> {
    [value.simd_gt(bound), value.simd_lt(-bound)]
}

/// Returns the sum of the turns around a face.
#[inline(always)]
fn around<S: Simd>(turns: &[Four<S>; 6], face: usize) -> Four<S> {
    match face {
        0 => turns[3] + turns[5] - turns[4],
        1 => turns[2] - turns[5] - turns[1],
        2 => turns[0] + turns[4] - turns[2],
        _ => turns[1] - turns[3] - turns[0],
    }
}

/// Returns two masks. First: an edge certainly passes through the interior of the triangle or of a
/// face. Second: certainly no edge touches the triangle or a face and no corner of the triangle is
/// in the tetrahedron. An edge is clear of a triangle if both its ends are on one side, or if its
/// line passes beside it, wherever its ends are.
#[inline(always)]
fn passes<S: Simd>(
    simd: S,
    sides: &[Signs<S>; 4],
    inner: &[[Signs<S>; 3]; 4],
    ways: &[[Signs<S>; 6]; 3],
) -> [mask64x4<S>; 2] {
    let mut through = mask64x4::splat(simd, false);
    let mut sure = mask64x4::splat(simd, true);
    for edge in 0..6 {
        let [here, next] = [sides[EDGES[edge][0]], sides[EDGES[edge][1]]];
        let parted = here[0] & next[1] | here[1] & next[0];
        let [one, two, three] = [ways[0][edge], ways[1][edge], ways[2][edge]];
        through |= parted & (one[0] & two[0] & three[0] | one[1] & two[1] & three[1]);
        let beside = (one[0] | two[0] | three[0]) & (one[1] | two[1] | three[1]);
        sure &= beside | here[0] & next[0] | here[1] & next[1];
    }

    let mut out = [mask64x4::splat(simd, false); 3];
    for face in 0..4 {
        let corners = &inner[face];
        let [(a, va), (b, vb), (c, vc)] = ROUNDS[face];
        for edge in 0..3 {
            let [here, next] = [corners[edge], corners[(edge + 1) % 3]];
            let parted = here[0] & next[1] | here[1] & next[0];
            let [one, two, three] = [ways[edge][a], ways[edge][b], ways[edge][c]];
            let along = [one[va], two[vb], three[vc]];
            let against = [one[1 - va], two[1 - vb], three[1 - vc]];
            through |=
                parted & (along[0] & along[1] & along[2] | against[0] & against[1] & against[2]);
            let beside = (along[0] | along[1] | along[2]) & (against[0] | against[1] | against[2]);
            sure &= beside | here[0] & next[0] | here[1] & next[1];
            out[edge] |= here[1];
        }
    }

    [through, sure & out[0] & out[1] & out[2] & !through]
}

#[inline(always)]
fn cross<S: Simd>(a: &Four3<S>, b: &Four3<S>) -> Four3<S> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
fn dot<S: Simd>(simd: S, a: &Vector<3>, b: &Four3<S>) -> Four<S> {
    let (x, y, z) = (
        f64x4::splat(simd, a.x),
        f64x4::splat(simd, a.y),
        f64x4::splat(simd, a.z),
    );
    z.mul_add(b[2], y.mul_add(b[1], x * b[0]))
}

#[inline(always)]
fn triple<S: Simd>(a: &Four3<S>, b: &Four3<S>) -> Four<S> {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}
