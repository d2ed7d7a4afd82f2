//! The number type of the contact laws: one `f64`, or four in a vector.
//!
//! A law is written once. With `f64` it evaluates a single contact, with `f64x4` four at a time, in
//! the same order of operations and without fused multiply-add. Each lane is bit-identical to the
//! single contact, on every machine.

use fearless_simd::{ExtractToken, Select, Simd, SimdBase, SimdFloat, SimdFrom, f64x4, mask64x4};
use impinge::space::Vector;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or a vector of numbers.
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The result of a comparison, per lane.
    type Mask: Copy;

    /// Broadcasts a value to all lanes.
    fn like(self, value: f64) -> Self;
    fn root(self) -> Self;

    /// Returns the cube root within 4 %, by a third of the exponent.
    fn rough_cube_root(self) -> Self;

    /// Returns the larger one, or `other` if `self` is NaN.
    fn or_more(self, other: Self) -> Self;
    fn above(self, other: Self) -> Self::Mask;
    fn choose(whether: Self::Mask, yes: Self, no: Self) -> Self;
}

impl Real for f64 {
    type Mask = bool;

    #[inline(always)]
    fn like(self, value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn root(self) -> f64 {
        self.sqrt()
    }

    #[inline(always)]
    fn rough_cube_root(self) -> f64 {
        // Two thirds of the exponent's bias, less a fraction that centres the error (Kahan).
        f64::from_bits(self.to_bits() / 3 + (0x2A9F_7893 << 32))
    }

    #[inline(always)]
    fn or_more(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn above(self, other: f64) -> bool {
        self > other
    }

    #[inline(always)]
    fn choose(whether: bool, yes: f64, no: f64) -> f64 {
        if whether { yes } else { no }
    }
}

impl<S: Simd> Real for f64x4<S> {
    type Mask = mask64x4<S>;

    #[inline(always)]
    fn like(self, value: f64) -> Self {
        Self::splat(self.token(), value)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn rough_cube_root(self) -> Self {
        let [a, b, c, d]: [f64; 4] = self.into();
        let lanes = [
            a.rough_cube_root(),
            b.rough_cube_root(),
            c.rough_cube_root(),
            d.rough_cube_root(),
        ];
        Self::simd_from(self.token(), lanes)
    }

    #[inline(always)]
    fn or_more(self, other: Self) -> Self {
        // How a plain maximum treats NaN depends on the machine.
        self.simd_gt(other).select(self, other)
    }

    #[inline(always)]
    fn above(self, other: Self) -> mask64x4<S> {
        self.simd_gt(other)
    }

    #[inline(always)]
    fn choose(whether: mask64x4<S>, yes: Self, no: Self) -> Self {
        whether.select(yes, no)
    }
}

/// A 3D vector of [`Real`] components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Triple<N = f64> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) z: N,
}

impl<N: Real> Triple<N> {
    #[inline(always)]
    pub(crate) fn all(value: N) -> Self {
        Self {
            x: value,
            y: value,
            z: value,
        }
    }

    #[inline(always)]
    pub(crate) fn dot(&self, other: &Self) -> N {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(&self, other: &Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub(crate) fn choose(whether: N::Mask, yes: Self, no: Self) -> Self {
        Self {
            x: N::choose(whether, yes.x, no.x),
            y: N::choose(whether, yes.y, no.y),
            z: N::choose(whether, yes.z, no.z),
        }
    }
}

impl<N: Real> Add for Triple<N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl<N: Real> Sub for Triple<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

impl<N: Real> Neg for Triple<N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }
}

impl<N: Real> Mul<N> for Triple<N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: N) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

impl From<Vector<3>> for Triple {
    #[inline(always)]
    fn from(v: Vector<3>) -> Self {
        Self {
            x: v.x,
            y: v.y,
            z: v.z,
        }
    }
}

impl From<Triple> for Vector<3> {
    #[inline(always)]
    fn from(v: Triple) -> Self {
        [v.x, v.y, v.z].into()
    }
}
