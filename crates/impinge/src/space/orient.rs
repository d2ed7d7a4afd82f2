//! Exact orientation predicates, by the adaptive arithmetic of Shewchuk (1997) in the crate
//! `robust`.
//!
//! A plain f64 determinant with an error bound decides nearly all calls in a few nanoseconds. The
//! undecided ones go to the crate. Before that, the coordinates of each axis are scaled by a power
//! of two, which changes no sign. This is necessary because next to a plane through the origin one
//! ulp is 5e-324, and products of such differences would underflow. The signs are correct for all
//! inputs within [`LARGEST_COORDINATE`](super::LARGEST_COORDINATE) that differ by less than a
//! factor of 1e300 on more than one axis.

use super::{Point, Vector};
use std::cmp::Ordering;
use std::ops::Neg;

/// The sign of an exactly known number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sign {
    /// Less than zero.
    Negative = -1,
    /// Exactly zero.
    Zero = 0,
    /// Greater than zero.
    Positive = 1,
}

impl Sign {
    /// The sign of a number that is itself exact; `Zero` for NaN, which no caller produces.
    pub fn of(value: f64) -> Self {
        match value.partial_cmp(&0.0) {
            Some(Ordering::Greater) => Self::Positive,
            Some(Ordering::Less) => Self::Negative,
            _ => Self::Zero,
        }
    }
}

impl Neg for Sign {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}

/// Returns the side of the line through `a` and `b` on which `c` lies: positive to the left, where
/// a, b, c turn counter-clockwise.
///
/// ```
/// use impinge::space::{Sign, orient2};
/// let (a, b) = ([0.0, 0.0].into(), [1.0, 0.0].into());
/// assert_eq!(orient2(&a, &b, &[0.5, 1e-300].into()), Sign::Positive);
/// ```
#[inline]
pub fn orient2(a: &Point<2>, b: &Point<2>, c: &Point<2>) -> Sign {
    let (u, v): (Vector<2>, Vector<2>) = (a - c, b - c);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let (det, size) = (left - right, left.abs() + right.abs());

    if det.abs() > ORIENT2_ERROR * size && size > UNDERFLOW {
        Sign::of(det)
    } else {
        exact_orient2([a, b, c])
    }
}

#[cold]
fn exact_orient2(points: [&Point<2>; 3]) -> Sign {
    let [a, b, c] = scaled(points).map(|p| robust::Coord { x: p.x, y: p.y });
    Sign::of(robust::orient2d(a, b, c))
}

/// Returns the side of the plane through `a`, `b`, `c` on which `d` lies. It is positive on the
/// side of the right-hand normal (b − a) × (c − a), where the tetrahedron a, b, c, d has a positive
/// volume.
///
/// ```
/// use impinge::space::{Sign, orient3};
/// let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Into::into);
/// assert_eq!(orient3(&a, &b, &c, &[0.3, 0.3, 1.0].into()), Sign::Positive);
/// ```
#[inline]
pub fn orient3(a: &Point<3>, b: &Point<3>, c: &Point<3>, d: &Point<3>) -> Sign {
    let (u, v, w): (Vector<3>, Vector<3>, Vector<3>) = (a - d, b - d, c - d);
    let (vw, wu, uv) = (minor(&v, &w), minor(&w, &u), minor(&u, &v));
    let det = u.z * vw.0 + v.z * wu.0 + w.z * uv.0;
    let size = u.z.abs() * vw.1 + v.z.abs() * wu.1 + w.z.abs() * uv.1;

    // The determinant of the differences from d is positive below the plane.
    if det.abs() > ORIENT3_ERROR * size && size > UNDERFLOW {
        Sign::of(-det)
    } else {
        exact_orient3([a, b, c, d])
    }
}

#[cold]
fn exact_orient3(points: [&Point<3>; 4]) -> Sign {
    let [a, b, c, d] = scaled(points).map(|p| robust::Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    });
    -Sign::of(robust::orient3d(a, b, c, d))
}

/// Relative errors of the determinants in f64: (3 + 16 ε) ε and (7 + 56 ε) ε with ε = 2⁻⁵³ (Shewchuk 1997).
const ORIENT2_ERROR: f64 = 3.330_669_073_875_472e-16;
const ORIENT3_ERROR: f64 = 7.771_561_172_376_103e-16;

/// Below this a product may have lost digits to underflow, whatever its bound says.
const UNDERFLOW: f64 = 1e-250;

/// The z component of the cross product, and the sum of the magnitudes of its two products.
#[inline]
fn minor(p: &Vector<3>, q: &Vector<3>) -> (f64, f64) {
    let (one, other) = (p.x * q.y, p.y * q.x);
    (one - other, one.abs() + other.abs())
}

/// Scales the points so that the largest coordinate on each axis is about 2³⁰⁰. Products of three
/// stay below the largest f64, and no digit is lost, because numbers only grow.
fn scaled<const D: usize, const N: usize>(points: [&Point<D>; N]) -> [Point<D>; N] {
    let factor: [f64; D] = std::array::from_fn(|axis| {
        let largest = points.iter().fold(0.0f64, |m, p| m.max(p[axis].abs()));
        let power = (300 - exponent(largest)).clamp(0, 1000);
        f64::from_bits(((BIAS + power) as u64) << MANTISSA)
    });
    points.map(|p| Point::from(Vector::from_fn(|axis, _| p[axis] * factor[axis])))
}

/// Bits of the digits of an f64, and the number that is added to its exponent.
const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
const BIAS: i64 = 1023;

/// The exponent of a number that is not negative; 0 of zero, and the least one below the normal numbers. From its
/// bits: logarithms would take a quarter of an exact predicate.
fn exponent(x: f64) -> i64 {
    match x {
        0.0 => 0,
        _ => (x.to_bits() >> MANTISSA) as i64 - BIAS,
    }
}

/// Returns whether three points are collinear: the area of the triangle is exactly zero.
///
/// The area vanishes if its projections on the three coordinate planes do.
pub fn collinear(a: &Point<3>, b: &Point<3>, c: &Point<3>) -> bool {
    // A normal clearly different from zero settles nearly every triangle without the predicates.
    let (u, v): (Vector<3>, Vector<3>) = (b - a, c - a);
    const UNSURE: f64 = 1e-14;
    if u.cross(&v).amax()
        > UNSURE * u.amax() * v.amax() + UNSURE * a.coords.amax() * (u.amax() + v.amax())
    {
        return false;
    }

    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(x, y)| {
        let flat = |p: &Point<3>| Point::from([p[x], p[y]]);
        orient2(&flat(a), &flat(b), &flat(c)) == Sign::Zero
    })
}

#[cfg(test)]
mod tests;
