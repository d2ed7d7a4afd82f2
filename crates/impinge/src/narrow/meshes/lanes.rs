//! Four numbers processed together. Compilers turn loops over four into vector instructions; the
//! caller's dispatch selects which.

use std::ops::{Add, Div, Mul, Sub};

/// Number of lanes.
pub(super) const LANES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lanes(pub(super) [f64; LANES]);

impl Lanes {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub(super) fn all(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(super) fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut result = [0.0; LANES];
        for i in 0..LANES {
            result[i] = f(self.0[i], other.0[i]);
        }
        Self(result)
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        self.with(self, |a, _| a.abs())
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        self.with(self, |a, _| a.sqrt())
    }

    /// Returns the larger value; NaN never occurs here, so a plain comparison suffices.
    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }

    /// Selects `yes` where the number is at least zero, otherwise `no`.
    #[inline(always)]
    pub(super) fn choose(self, yes: Self, no: Self) -> Self {
        let mut result = [0.0; LANES];
        for i in 0..LANES {
            result[i] = if self.0[i] >= 0.0 { yes.0[i] } else { no.0[i] };
        }
        Self(result)
    }
}

macro_rules! lane_wise {
    ($operator:ident, $function:ident, $f:expr) => {
        impl $operator for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                self.with(other, $f)
            }
        }
    };
}

lane_wise!(Add, add, |a, b| a + b);
lane_wise!(Sub, sub, |a, b| a - b);
lane_wise!(Mul, mul, |a, b| a * b);
lane_wise!(Div, div, |a, b| a / b);

/// Four vectors.
pub(super) type Lanes3 = [Lanes; 3];

#[inline(always)]
pub(super) fn dot(a: &Lanes3, b: &Lanes3) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross(a: &Lanes3, b: &Lanes3) -> Lanes3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
pub(super) fn minus(a: &Lanes3, b: &Lanes3) -> Lanes3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Repeats a vector in all four lanes.
#[inline(always)]
pub(super) fn splat(v: &crate::space::Vector<3>) -> Lanes3 {
    [Lanes::all(v.x), Lanes::all(v.y), Lanes::all(v.z)]
}
