//! One triangle against four tetrahedra at once, in f64 with a bound of the error.
//!
//! With the triangle's first corner as the origin all signs follow from the six products m = kᵢ × kⱼ of a tetrahedron's
//! corners: an edge of the triangle that ends in the origin turns about an edge of the tetrahedron by t·m; the third
//! edge by what is left of n·(kⱼ − kᵢ), because the triangle's edges add up to nothing; a corner t is above a face
//! (p, q, r) by p·(q × r) − t·(p×q + q×r + r×p). That is 130 multiplications and additions for a pair instead of some
//! 400, four pairs in each instruction. What the bound leaves open goes to [`relation`].

use super::{EDGES, Relation, relation};
use crate::space::{Point, Vector};
use fearless_simd::{Level, dispatch, f64x4, mask64x4, prelude::*};

/// The pairs that are looked at together.
const LANES: usize = 4;

/// Times the cube of the largest coordinate, u = 2⁻⁵³: a product m is wrong by 8 u, a determinant by 48 u, a sum of four
/// of them by 264 u.
const ERROR: f64 = 1e-13;

/// Times the fourth power: a height over a plane upright on an edge is wrong by 600 u.
const EDGE_ERROR: f64 = 1e-12;

/// Pairs smaller than this leave all signs open, because their products may underflow.
const SMALLEST: f64 = 1e-60;

/// For each face, counter-clockwise seen from outside, its three edges; 1 where it runs through them from the higher to
/// the lower corner.
const ROUNDS: [[(usize, usize); 3]; 4] =
    [[(3, 0), (5, 0), (4, 1)], [(2, 0), (5, 1), (1, 1)], [(0, 0), (4, 0), (2, 1)], [(1, 0), (3, 1), (0, 1)]];

/// A triangle that is asked about many tetrahedra.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    corners: [Point<3>; 3],
    /// The second and the third corner seen from the first.
    t: [Vector<3>; 2],
    normal: Vector<3>,
    /// Upright on the edges, out of the triangle; and how far out the edges are.
    outward: [(Vector<3>, f64); 3],
    largest: f64,
}

type Four<S> = f64x4<S>;
type Four3<S> = [f64x4<S>; 3];

/// Which of the four are known to cross or to be apart, one bit for each.
#[derive(Clone, Copy, Debug, Default)]
struct Verdict {
    crossing: u64,
    apart: u64,
}

impl Probe {
    pub(crate) fn new(corners: &[Point<3>; 3]) -> Self {
        let t = [corners[1] - corners[0], corners[2] - corners[0]];
        let normal = t[0].cross(&t[1]);
        let beside = (t[1] - t[0]).cross(&normal);
        let outward =
            [(t[0].cross(&normal), 0.0), (beside, beside.dot(&t[0])), (normal.cross(&t[1]), 0.0)];
        Self { corners: *corners, t, normal, outward, largest: t[0].amax().max(t[1].amax()) }
    }

    /// Calls with each tetrahedron of the list that the triangle meets, in the list's order.
    #[inline]
    pub(crate) fn find(
        &self,
        level: Level,
        points: &[Point<3>],
        tetrahedra: &[[u32; 4]],
        list: &[u32],
        mut found: impl FnMut(u32, Relation),
    ) {
        dispatch!(level, simd => self.find_with(simd, points, tetrahedra, list, &mut found));
    }

    #[inline(always)]
    fn find_with<S: Simd>(
        &self,
        simd: S,
        points: &[Point<3>],
        tetrahedra: &[[u32; 4]],
        list: &[u32],
        found: &mut impl FnMut(u32, Relation),
    ) {
        for four in list.chunks(LANES) {
            // Missing ones are the last again.
            let mut nodes = [[0; 4]; LANES];
            for lane in 0..LANES {
                nodes[lane] = tetrahedra[four[lane.min(four.len() - 1)] as usize];
            }
            let verdict = self.judge(simd, points, &nodes);
            for (lane, &tetrahedron) in four.iter().enumerate() {
                let relation = if verdict.crossing >> lane & 1 == 1 {
                    Relation::Crossing
                } else if verdict.apart >> lane & 1 == 1 {
                    continue;
                } else {
                    relation(&self.corners, &nodes[lane].map(|node| points[node as usize]))
                };
                if relation != Relation::Apart {
                    found(tetrahedron, relation);
                }
            }
        }
    }

    #[inline(always)]
    fn judge<S: Simd>(&self, simd: S, points: &[Point<3>], nodes: &[[u32; 4]; LANES]) -> Verdict {
        let zero = f64x4::splat(simd, 0.0);
        let no = mask64x4::splat(simd, false);
        let mut k = [[zero; 3]; 4];
        let mut largest = f64x4::splat(simd, self.largest);
        for corner in 0..4 {
            let [a, b, c, d] = [nodes[0], nodes[1], nodes[2], nodes[3]];
            let (a, b) = (&points[a[corner] as usize], &points[b[corner] as usize]);
            let (c, d) = (&points[c[corner] as usize], &points[d[corner] as usize]);
            for axis in 0..3 {
                let at = f64x4::simd_from(simd, [a[axis], b[axis], c[axis], d[axis]]);
                k[corner][axis] = at - f64x4::splat(simd, self.corners[0][axis]);
                largest = largest.max(k[corner][axis].abs());
            }
        }
        let cube = largest * largest * largest;
        let infinite = f64x4::splat(simd, f64::INFINITY);
        let bound = largest.simd_gt(SMALLEST).select(cube * ERROR, infinite);

        let (mut heights, mut sides) = ([zero; 4], [[no; 2]; 4]);
        for corner in 0..4 {
            heights[corner] = dot(simd, &self.normal, &k[corner]);
            sides[corner] = signs(heights[corner], bound);
        }
        let mut apart = no;
        for way in 0..2 {
            apart |= sides[0][way] & sides[1][way] & sides[2][way] & sides[3][way];
        }

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
        apart |= outside & is_solid;
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
            if (apart | crossing).to_bitmask() != ALL {
                apart |= self.beyond_an_edge(simd, &k, cube * largest * EDGE_ERROR);
            }
        }
        Verdict { crossing: crossing.to_bitmask(), apart: apart.to_bitmask() }
    }

    /// Whether a plane upright on the triangle along one of its edges parts the two. It settles what lies in the
    /// triangle's own plane, as the faces of a flat piece of surface do.
    #[inline(always)]
    fn beyond_an_edge<S: Simd>(&self, simd: S, k: &[Four3<S>; 4], bound: Four<S>) -> mask64x4<S> {
        let mut beyond = mask64x4::splat(simd, false);
        for (outward, at) in &self.outward {
            let mut all = bound.simd_gt(0.0);
            for corner in k {
                all &= (dot(simd, outward, corner) - *at).simd_gt(bound);
            }
            beyond |= all;
        }
        beyond
    }
}

/// All lanes.
const ALL: u64 = (1 << LANES) - 1;

/// Above, and below.
type Signs<S> = [mask64x4<S>; 2];

#[inline(always)]
fn signs<S: Simd>(value: Four<S>, bound: Four<S>) -> Signs<S> {
    [value.simd_gt(bound), value.simd_lt(-bound)]
}

/// The sum of the turns around a face.
#[inline(always)]
fn around<S: Simd>(turns: &[Four<S>; 6], face: usize) -> Four<S> {
    match face {
        0 => turns[3] + turns[5] - turns[4],
        1 => turns[2] - turns[5] - turns[1],
        2 => turns[0] + turns[4] - turns[2],
        _ => turns[1] - turns[3] - turns[0],
    }
}

/// Where an edge passes the inside of the triangle or of a face for certain; and where for certain none passes.
#[inline(always)]
fn passes<S: Simd>(
    simd: S,
    sides: &[Signs<S>; 4],
    inner: &[[Signs<S>; 3]; 4],
    ways: &[[Signs<S>; 6]; 3],
) -> [mask64x4<S>; 2] {
    let mut through = mask64x4::splat(simd, false);
    let mut sure = mask64x4::splat(simd, true);
    for side in sides {
        sure &= side[0] | side[1];
    }
    for edge in 0..6 {
        let [i, j] = EDGES[edge];
        let parted = sides[i][0] & sides[j][1] | sides[i][1] & sides[j][0];
        let [one, two, three] = [ways[0][edge], ways[1][edge], ways[2][edge]];
        through |= parted & (one[0] & two[0] & three[0] | one[1] & two[1] & three[1]);
        sure &= !parted | (one[0] | two[0] | three[0]) & (one[1] | two[1] | three[1]);
    }
    for face in 0..4 {
        let corners = &inner[face];
        let [(a, va), (b, vb), (c, vc)] = ROUNDS[face];
        for edge in 0..3 {
            let [here, next] = [corners[edge], corners[(edge + 1) % 3]];
            sure &= here[0] | here[1];
            let parted = here[0] & next[1] | here[1] & next[0];
            let [one, two, three] = [ways[edge][a], ways[edge][b], ways[edge][c]];
            through |= parted & (one[va] & two[vb] & three[vc] | one[1 - va] & two[1 - vb] & three[1 - vc]);
            sure &= !parted
                | (one[va] | two[vb] | three[vc]) & (one[1 - va] | two[1 - vb] | three[1 - vc]);
        }
    }
    [through, sure & !through]
}

#[inline(always)]
fn cross<S: Simd>(a: &Four3<S>, b: &Four3<S>) -> Four3<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot<S: Simd>(simd: S, a: &Vector<3>, b: &Four3<S>) -> Four<S> {
    let (x, y, z) = (f64x4::splat(simd, a.x), f64x4::splat(simd, a.y), f64x4::splat(simd, a.z));
    z.mul_add(b[2], y.mul_add(b[1], x * b[0]))
}

#[inline(always)]
fn triple<S: Simd>(a: &Four3<S>, b: &Four3<S>) -> Four<S> {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}
