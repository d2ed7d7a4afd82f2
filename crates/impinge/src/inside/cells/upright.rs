//! Vertical lines through a surface: which triangles they cross, and which of those lie below a
//! point.
//!
//! A line through an edge or a vertex, or in a vertical triangle, would be degenerate. The line is
//! therefore displaced by (ε, ε²) with an infinitesimal ε > 0, as
//! [`crosses_nearby`](crate::inside::crosses_nearby) displaces the end of a segment. It then meets
//! triangles only in interior points, and a point off the surface has the same label as the
//! displaced point. All signs are exact.

use super::cone::position_of;
use crate::inside::{Position, locate_on};
use crate::shape::Surface;
use crate::space::{Point, Sign, orient2, orient3};

/// Returns whether the displaced line through (x, y) of `line` crosses the triangle, and from which
/// side going up: positive if the triangle is counter-clockwise seen from above, zero if it is not
/// crossed.
#[inline]
pub(super) fn covers(corners: &[Point<3>; 3], line: &Point<2>) -> Sign {
    let [a, b, c] = corners;
    let beside = |axis: usize| {
        let x = line[axis];
        (x < a[axis]) & (x < b[axis]) & (x < c[axis])
            | (x > a[axis]) & (x > b[axis]) & (x > c[axis])
    };

    if beside(0) | beside(1) {
        Sign::Zero
    } else {
        covers_exactly(corners, line)
    }
}

fn covers_exactly([a, b, c]: &[Point<3>; 3], line: &Point<2>) -> Sign {
    let side = moved_side(a, b, line);
    if side == moved_side(b, c, line) && side == moved_side(c, a, line) {
        side
    } else {
        Sign::Zero
    }
}

/// Returns the side of the edge a–b, seen from above, on which the displaced line lies; zero only
/// for vertical edges.
fn moved_side(a: &Point<3>, b: &Point<3>, line: &Point<2>) -> Sign {
    let signs = [
        orient2(&a.xy(), &b.xy(), line),
        Sign::of(a.y - b.y),
        Sign::of(b.x - a.x),
    ];
    signs
        .into_iter()
        .find(|&sign| sign != Sign::Zero)
        .unwrap_or(Sign::Zero)
}

/// Returns whether the point lies above the triangle; `covers` must be the result for the line
/// through it and not zero. A point on the triangle is not above it.
pub(super) fn is_above(corners: &[Point<3>; 3], covers: Sign, point: &Point<3>) -> bool {
    let [a, b, c] = corners;
    orient3(a, b, c, point) == covers
}

/// Returns the position of a point by testing all triangles: exact without any preparation, but
/// slow.
pub(super) fn by_all_faces(surface: &Surface, point: &Point<3>) -> Position {
    let all = 0..surface.triangles().len();
    if let Some(feature) = all
        .clone()
        .filter_map(|triangle| locate_on(surface, triangle, point))
        .min()
    {
        return Position::On(feature);
    }
    let is_over_it = |triangle: &usize| {
        let corners = surface.corners(*triangle);
        let sign = covers(&corners, &point.xy());
        sign != Sign::Zero && !is_above(&corners, sign, point)
    };

    position_of(all.filter(is_over_it).count() % 2 == 1)
}

#[cfg(test)]
mod tests;
