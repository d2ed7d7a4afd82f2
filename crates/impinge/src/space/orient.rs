//! Exact orientation signs, by the adaptive predicates of Shewchuk (1997) in the crate `robust`.
//!
//! The signs are right for all inputs within [`LARGEST_COORDINATE`](super::LARGEST_COORDINATE) whose products do
//! not underflow. About 20 ns a call where plain f64 arithmetic decides, some hundred where it does not.

use super::{Point, Vector};
use std::cmp::Ordering;
use std::ops::Neg;

/// The sign of an exactly known number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// The side of the line through `a` and `b` on which `c` lies: positive to the left, where a, b, c turn
/// counter-clockwise.
///
/// ```
/// use impinge::space::{Sign, orient2};
/// let (a, b) = ([0.0, 0.0].into(), [1.0, 0.0].into());
/// assert_eq!(orient2(&a, &b, &[0.5, 1e-300].into()), Sign::Positive);
/// ```
pub fn orient2(a: &Point<2>, b: &Point<2>, c: &Point<2>) -> Sign {
    let coord = |p: &Point<2>| robust::Coord { x: p.x, y: p.y };
    Sign::of(robust::orient2d(coord(a), coord(b), coord(c)))
}

/// The side of the plane through `a`, `b`, `c` on which `d` lies: positive on the side that the right-hand normal
/// (b − a) × (c − a) points to, so that the tetrahedron a, b, c, d then has a positive volume.
///
/// ```
/// use impinge::space::{Sign, orient3};
/// let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Into::into);
/// assert_eq!(orient3(&a, &b, &c, &[0.3, 0.3, 1.0].into()), Sign::Positive);
/// ```
pub fn orient3(a: &Point<3>, b: &Point<3>, c: &Point<3>, d: &Point<3>) -> Sign {
    let coord = |p: &Point<3>| robust::Coord3D { x: p.x, y: p.y, z: p.z };
    // Shewchuk's sign is positive below the plane.
    -Sign::of(robust::orient3d(coord(a), coord(b), coord(c), coord(d)))
}

/// Whether three points lie on one line: the triangle's area is exactly zero.
///
/// The area vanishes when its projections on the three coordinate planes do.
pub fn collinear(a: &Point<3>, b: &Point<3>, c: &Point<3>) -> bool {
    // A normal clearly away from zero settles nearly every triangle without the predicates.
    let (u, v): (Vector<3>, Vector<3>) = (b - a, c - a);
    const UNSURE: f64 = 1e-14;
    if u.cross(&v).amax() > UNSURE * u.amax() * v.amax() + UNSURE * a.coords.amax() * (u.amax() + v.amax()) {
        return false;
    }
    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(x, y)| {
        let flat = |p: &Point<3>| Point::from([p[x], p[y]]);
        orient2(&flat(a), &flat(b), &flat(c)) == Sign::Zero
    })
}

#[cfg(test)]
mod tests {
    use super::super::Random;
    use super::*;
    use num_rational::BigRational;

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).expect("finite")
    }

    /// The determinant of [b − a, c − a, d − a] in rationals: slow, obvious.
    fn orient3_in_rationals(p: [&Point<3>; 4]) -> Sign {
        let [a, b, c, d] = p.map(|p| [exact(p.x), exact(p.y), exact(p.z)]);
        let minus = |p: &[BigRational; 3]| [&p[0] - &a[0], &p[1] - &a[1], &p[2] - &a[2]];
        let (u, v, w) = (minus(&b), minus(&c), minus(&d));
        let det = &w[0] * (&u[1] * &v[2] - &u[2] * &v[1])
            + &w[1] * (&u[2] * &v[0] - &u[0] * &v[2])
            + &w[2] * (&u[0] * &v[1] - &u[1] * &v[0]);
        match det.cmp(&exact(0.0)) {
            Ordering::Less => Sign::Negative,
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => Sign::Positive,
        }
    }

    #[test]
    fn nearly_coplanar_points_have_the_sign_of_rational_arithmetic() {
        let mut random = Random::new(1);
        for _ in 0..2_000 {
            let mut point = || Point::<3>::from([random.unit(), random.unit(), random.unit()]);
            let (a, b, c) = (point(), point(), point());
            let (s, t) = (random.unit(), random.unit());
            let d = a + (b - a) * s + (c - a) * t;
            assert_eq!(orient3(&a, &b, &c, &d), orient3_in_rationals([&a, &b, &c, &d]));
        }
    }

    #[test]
    fn points_on_a_line_are_collinear_and_one_ulp_off_it_are_not() {
        let [a, b] = [Point::from([1.0, 2.0, 3.0]), Point::from([2.0, 4.0, 7.0])];
        let c = Point::from([3.0, 6.0, 11.0]);
        assert!(collinear(&a, &b, &c));
        assert!(!collinear(&a, &b, &Point::from([3.0f64.next_up(), 6.0, 11.0])));
        assert!(collinear(&a, &a, &b));
        assert!(!collinear(
            &(a + Vector::repeat(1e12)),
            &(b + Vector::repeat(1e12)),
            &Point::from([1e12; 3])
        ));
    }
}
