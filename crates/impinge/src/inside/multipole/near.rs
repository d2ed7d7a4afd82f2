//! The near field: solid angles of ranges of triangles, four at a time.
//!
//! Coordinates are relative to the centre of the tree and interleaved in blocks, so that the
//! arithmetic vectorises. Small angles, |tan(Ω/2)| ≤ ½, are summed with a polynomial for arctan;
//! the few large ones with atan2. The widest vector instructions of the machine are chosen at run
//! time; they do not change the results.

use crate::space::{Point, Vector};
use fearless_simd::{Level, dispatch};
use std::ops::{Add, Mul, Sub};

/// Number of triangles computed together.
const LANES: usize = 4;

/// Largest tangent for which the polynomial is used.
const SMALL: f64 = 0.5;

/// arctan(t)/t as a polynomial in t² for |t| ≤ ½, interpolated at Chebyshev points: error below
/// 1e-15.
const ARCTAN: [f64; 11] = [
    0.999_999_999_999_998_7,
    -0.333_333_333_331_918_8,
    0.199_999_999_770_303_03,
    -0.142_857_128_271_904_78,
    0.111_110_634_319_811_65,
    -0.090_899_947_045_545_58,
    0.076_812_801_323_831_1,
    -0.065_800_341_218_709_97,
    0.054_339_838_027_954_13,
    -0.037_481_451_034_545_91,
    0.015_069_580_078_125_006,
];

/// Distance from a triangle, relative to the tree's cube, below which its solid angle may be wrong
/// by more than about a thousandth: a thousand times the rounding error of the coordinates. Such
/// points are passed on to the exact method.
const TOO_NEAR: f64 = 1.6e4 * f64::EPSILON;

/// Corners of the triangles, in cluster order.
#[derive(Clone, Debug)]
pub(super) struct NearPanels {
    middle: Point<3>,
    /// Blocks of triangles: coordinate 3·corner + axis of each triangle, interleaved. A block is
    /// contiguous in memory, because consecutive points may be far apart and each separate array
    /// would cost a cache miss of its own.
    blocks: Vec<[[f64; LANES]; 9]>,
    too_near: f64,
    level: Level,
}

/// Σ Ω/2 over some triangles; `None` if the point is too close to one of them.
pub(super) type HalfSum = Option<f64>;

impl NearPanels {
    pub(super) fn new(corners: &[[Point<3>; 3]], middle: Point<3>, edge: f64) -> Self {
        let block = |triangles: &[[Point<3>; 3]]| {
            let mut block = [[0.0; LANES]; 9];
            for (lane, corners) in triangles.iter().enumerate() {
                for k in 0..9 {
                    block[k][lane] = corners[k / 3][k % 3] - middle[k % 3];
                }
            }
            block
        };
        Self {
            middle,
            blocks: corners.chunks(LANES).map(block).collect(),
            too_near: TOO_NEAR * edge,
            level: Level::new(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(self.blocks.as_slice())
    }

    /// Returns half the solid angle of the triangles of some ranges.
    #[inline]
    pub(super) fn half_angles(&self, point: &Point<3>, stretches: &[[u32; 2]]) -> HalfSum {
        let x = point - self.middle;
        dispatch!(self.level, _simd => self.sum(x, stretches))
    }

    #[inline(always)]
    fn sum(&self, x: Vector<3>, stretches: &[[u32; 2]]) -> HalfSum {
        let mut sum = 0.0;
        for &[first, end] in stretches {
            let (first, end) = (first as usize, end as usize);
            for block in first / LANES..end.div_ceil(LANES) {
                let start = block * LANES;
                sum += self.block(
                    &x,
                    block,
                    first.max(start) - start,
                    end.min(start + LANES) - start,
                )?;
            }
        }

        Some(sum)
    }

    /// Sums the triangles from `first` to `end` of a block.
    #[inline(always)]
    fn block(&self, x: &Vector<3>, block: usize, first: usize, end: usize) -> HalfSum {
        let block = &self.blocks[block];
        let fraction = Fraction::new(x, |k| Lanes(block[k]));
        let mut tangent = [0.0; LANES];

        for i in 0..LANES {
            let (above, below) = (fraction.above.0[i], fraction.below.0[i]);
            let sure =
                (above.abs() <= SMALL * below) & (below > self.too_near * fraction.size.0[i]);
            tangent[i] = if sure { above / below } else { f64::NAN };
        }

        if end - first < LANES {
            tangent[..first].fill(0.0);
            tangent[end..].fill(0.0);
        }

        let sum = small_arctan(Lanes(tangent)).sum();
        if sum.is_nan() {
            self.block_with_large_angles(x, block, &tangent)
        } else {
            Some(sum)
        }
    }

    #[inline(never)]
    fn block_with_large_angles(
        &self,
        x: &Vector<3>,
        block: &[[f64; LANES]; 9],
        tangent: &[f64; LANES],
    ) -> HalfSum {
        let mut sum = 0.0;
        for (i, &t) in tangent.iter().enumerate() {
            if !t.is_nan() {
                sum += t.atan();
                continue;
            }
            let fraction = Fraction::new(x, |k| Lanes([block[k][i]]));
            let ([above], [below], [size]) = (fraction.above.0, fraction.below.0, fraction.size.0);
            if above.abs() <= self.too_near * size && below <= self.too_near * size {
                return None;
            }
            sum += above.atan2(below);
        }

        Some(sum)
    }
}

/// tan(Ω/2) as a fraction, see [`solid_angle`](super::super::solid_angle), and the rate of change
/// of its parts per unit length.
struct Fraction<const N: usize> {
    above: Lanes<N>,
    below: Lanes<N>,
    size: Lanes<N>,
}

impl<const N: usize> Fraction<N> {
    #[inline(always)]
    fn new(x: &Vector<3>, coordinate: impl Fn(usize) -> Lanes<N>) -> Self {
        let (x, y, z) = (Lanes::all(x.x), Lanes::all(x.y), Lanes::all(x.z));
        // Written out: closures over arrays are not always inlined, which costs a factor of three.
        let (ax, ay, az) = (coordinate(0) - x, coordinate(1) - y, coordinate(2) - z);
        let (bx, by, bz) = (coordinate(3) - x, coordinate(4) - y, coordinate(5) - z);
        let (cx, cy, cz) = (coordinate(6) - x, coordinate(7) - y, coordinate(8) - z);
        let a = (ax * ax + ay * ay + az * az).sqrt();
        let b = (bx * bx + by * by + bz * bz).sqrt();
        let c = (cx * cx + cy * cy + cz * cz).sqrt();
        let above = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        let ab = ax * bx + ay * by + az * bz;
        let bc = bx * cx + by * cy + bz * cz;
        let ca = cx * ax + cy * ay + cz * az;

        Self {
            above,
            below: (a * b + ab) * c + bc * a + ca * b,
            size: a * b + b * c + c * a,
        }
    }
}

#[inline(always)]
fn small_arctan<const N: usize>(t: Lanes<N>) -> Lanes<N> {
    let s = t * t;
    let mut sum = Lanes::all(ARCTAN[10]);
    for k in (0..10).rev() {
        sum = Lanes::all(ARCTAN[k]) + s * sum;
    }
    t * sum
}

/// Numbers that undergo the same arithmetic side by side. The compiler vectorises the loops.
#[derive(Clone, Copy)]
struct Lanes<const N: usize>([f64; N]);

impl<const N: usize> Lanes<N> {
    #[inline(always)]
    fn all(x: f64) -> Self {
        Self([x; N])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.with(self, |a, _| a.sqrt())
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        self.0.iter().sum()
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut result = [0.0; N];
        for i in 0..N {
            result[i] = f(self.0[i], other.0[i]);
        }
        Self(result)
    }
}

impl<const N: usize> Add for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl<const N: usize> Mul for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
}

impl NearPanels {
    /// Returns whether any triangle's bounding box reaches into the box between `low` and `up`.
    pub(super) fn reach_into(&self, low: &Point<3>, up: &Point<3>, stretches: &[[u32; 2]]) -> bool {
        let (low, up) = (low - self.middle, up - self.middle);
        stretches
            .iter()
            .flat_map(|&[first, end]| first as usize..end as usize)
            .any(|triangle| {
                let (block, lane) = (&self.blocks[triangle / LANES], triangle % LANES);
                (0..3).all(|axis| {
                    let [a, b, c] = [
                        block[axis][lane],
                        block[3 + axis][lane],
                        block[6 + axis][lane],
                    ];
                    a.min(b).min(c) <= up[axis] + self.too_near
                        && a.max(b).max(c) >= low[axis] - self.too_near
                })
            })
    }
}

#[cfg(test)]
mod tests;
