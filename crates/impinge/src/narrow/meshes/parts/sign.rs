//! Signs that are never zero: the second body counts as shifted by (ε, ε², ε³).
//!
//! A determinant of points of both bodies is linear in the shift. Where it vanishes, the first
//! non-zero component of its gradient decides, which is a cross product of differences, exact too.

use crate::space::{LongAccumulator, Point, Sign, orient2, orient3};

/// Which body a point belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    First,
    Second,
}

impl Owner {
    pub(super) fn of(own: usize) -> Self {
        if own == 0 { Self::First } else { Self::Second }
    }
}

/// Returns the side of a triangle's plane on which a point of the other body lies.
pub(super) fn side(triangle: &[Point<3>; 3], point: &Point<3>, owner: Owner) -> Sign {
    let [a, b, c] = triangle;
    match orient3(a, b, c, point) {
        Sign::Zero => shifted_side(triangle, owner),
        sign => sign,
    }
}

/// The gradient of the determinant is the triangle's normal.
#[cold]
fn shifted_side(triangle: &[Point<3>; 3], owner: Owner) -> Sign {
    let component = |axis: usize| {
        let [a, b, c] = triangle.map(|p| Point::from([p[(axis + 1) % 3], p[(axis + 2) % 3]]));
        orient2(&a, &b, &c)
    };
    let normal = first_of(component);

    match owner {
        Owner::Second => normal,
        Owner::First => -normal,
    }
}

/// Returns the sign of the volume of p, q, r, s for sides p–q of the first and r–s of the second
/// body. Zero only for parallel sides, neither of which can pierce a triangle of the other.
pub(super) fn turn(p: &Point<3>, q: &Point<3>, r: &Point<3>, s: &Point<3>) -> Sign {
    match orient3(p, q, r, s) {
        Sign::Zero => shifted_turn([p, q, r, s]),
        sign => sign,
    }
}

/// The gradient of the determinant is (s − r) × (q − p).
#[cold]
fn shifted_turn([p, q, r, s]: [&Point<3>; 4]) -> Sign {
    first_of(|axis| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut sum = LongAccumulator::ZERO;
        for (k, l, sign) in [(i, j, 1.0), (j, i, -1.0)] {
            sum.add_product(sign * s[k], q[l]);
            sum.add_product(-sign * s[k], p[l]);
            sum.add_product(-sign * r[k], q[l]);
            sum.add_product(sign * r[k], p[l]);
        }
        sum.sign()
    })
}

/// Returns the sign of the first non-zero component.
fn first_of(component: impl Fn(usize) -> Sign) -> Sign {
    (0..3)
        .map(component)
        .find(|&sign| sign != Sign::Zero)
        .unwrap_or(Sign::Zero)
}

/// Returns the contribution of a triangle to the winding number about a point of the other body: ±1
/// if the ray from the point along +x passes through it, otherwise 0.
pub(super) fn ray_crossing(triangle: &[Point<3>; 3], point: &Point<3>, owner: Owner) -> i32 {
    let seen = |p: &Point<3>| Point::from([p.y, p.z]);
    let turn = |k: usize| {
        let (from, to) = (&triangle[k], &triangle[(k + 1) % 3]);
        match orient2(&seen(from), &seen(to), &seen(point)) {
            // The gradient with respect to the point is (from_z − to_z, to_y − from_y).
            Sign::Zero => {
                let sign = match Sign::of(from.z - to.z) {
                    Sign::Zero => Sign::of(to.y - from.y),
                    sign => sign,
                };
                if owner == Owner::First { -sign } else { sign }
            }
            sign => sign,
        }
    };

    let first = turn(0);
    if first == Sign::Zero || turn(1) != first || turn(2) != first {
        return 0;
    }

    // The triangle is ahead if the point lies behind it as seen along the ray.
    if side(triangle, point, owner) == -first {
        first as i32
    } else {
        0
    }
}
