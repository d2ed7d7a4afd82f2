//! Straight faces in closed form: line2 and tri3.

use super::bernstein::{greater, lesser};
use crate::space::{Point, Vector};

/// Returns the point closest to the origin on a segment from `a` along `e`, as a fraction of `e` in
/// [0, 1]; 0 for a segment of zero length.
#[inline(always)]
pub(super) fn along<const D: usize>(a: &Vector<D>, e: &Vector<D>) -> f64 {
    let length = e.norm_squared();
    let share = lesser(greater(-a.dot(e), 0.0), length) / length;
    // NaN, from a segment of zero length, is not greater than zero.
    greater(0.0, share)
}

/// Returns the natural coordinate of the closest point of a line2.
pub(super) fn line2<const D: usize>(nodes: &[Point<D>], y: &Point<D>) -> [f64; 2] {
    [
        2.0 * along(&(nodes[0] - y), &(nodes[1] - nodes[0])) - 1.0,
        0.0,
    ]
}

/// Squared sine of the angle between two edges above which their Gram determinant is used directly.
/// It has lost two digits there.
const WIDE: f64 = 0.01;

/// Returns the natural coordinates of the closest point of a tri3: least squares min |a + ξe + ηf|
/// over the triangle.
///
/// The signs of products, all linear in a, determine which corner, side or interior contains the
/// minimum, and one division gives the position. No branch depends on the position of the point, as
/// it would be unpredictable: the whole result takes 67 ns, compared with 84 ns with branches (the
/// arithmetic alone, about 400 instructions, 43 ns). Slivers, and points so near to the border of
/// two regions that rounding leaves none, take the slow path.
#[inline(always)]
pub(super) fn tri3<const D: usize>(nodes: &[Point<D>], y: &Point<D>) -> [f64; 2] {
    let (a, e, f) = (nodes[0] - y, nodes[1] - nodes[0], nodes[2] - nodes[0]);
    let (ee, ef, ff) = (e.norm_squared(), e.dot(&f), f.norm_squared());
    let (ae, af) = (a.dot(&e), a.dot(&f));
    let gram = ee * ff - ef * ef;
    let (xi, eta) = (ef * af - ff * ae, ef * ae - ee * af);
    let rest = gram - xi - eta;
    let side = f - e;
    let (slope, length) = ((a + e).dot(&side), side.norm_squared());
    let inside = (xi >= 0.0) & (eta >= 0.0) & (rest >= 0.0);
    let first = ((ae >= 0.0) & (af >= 0.0))
        | ((ae <= -ee) & (slope >= 0.0))
        | ((eta <= 0.0) & (ae <= 0.0) & (ae >= -ee));
    let slant = (rest <= 0.0) & (slope <= 0.0) & (slope >= -length);
    let last = ((af <= -ff) & (slope <= -length)) | ((xi <= 0.0) & (af <= 0.0) & (af >= -ff));

    let regions = usize::from(inside)
        | usize::from(first) << 1
        | usize::from(slant) << 2
        | usize::from(last) << 3;
    let is_wide = gram > WIDE * ee * ff;

    if (regions == 0) | !is_wide {
        return tri3_by_sides(&a, &e, &f);
    }

    let region = regions.trailing_zeros() as usize & 3;
    let above = [[xi, eta], [-ae, 0.0], [length + slope, -slope], [0.0, -af]][region];
    let below = [gram, ee, length, ff][region];

    // A corner is an end of one of its sides.
    above.map(|x| lesser(greater(x, 0.0), below) / below)
}

/// The same for any triangle: the free minimum if it lies inside, otherwise the nearest point on
/// the three sides.
#[cold]
fn tri3_by_sides<const D: usize>(a: &Vector<D>, e: &Vector<D>, f: &Vector<D>) -> [f64; 2] {
    let free = upright(a, e, f);
    // NaN, from a degenerate triangle, is outside too.
    if free[0] >= 0.0 && free[1] >= 0.0 && free[0] + free[1] <= 1.0 {
        return free;
    }

    let slant = along(&(a + e), &(f - e));
    let places = [[along(a, e), 0.0], [1.0 - slant, slant], [0.0, along(a, f)]];
    let squared = |place: &[f64; 2]| (a + e * place[0] + f * place[1]).norm_squared();
    let nearer = |best: [f64; 2], place: [f64; 2]| {
        if squared(&place) < squared(&best) {
            place
        } else {
            best
        }
    };

    nearer(nearer(places[0], places[1]), places[2])
}

/// Computes the free minimum by orthogonalising f against e, which is stable for slivers, where
/// quotients of determinants lose all digits.
fn upright<const D: usize>(a: &Vector<D>, e: &Vector<D>, f: &Vector<D>) -> [f64; 2] {
    let along_e = e.norm_squared();
    let upright = f - e * (e.dot(f) / along_e);
    let eta = -a.dot(&upright) / upright.norm_squared();
    [-(a + f * eta).dot(e) / along_e, eta]
}

#[cfg(test)]
mod tests;
