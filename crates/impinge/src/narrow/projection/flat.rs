//! Straight faces in closed form: line2 and tri3.

use crate::space::{Point, Vector};

/// The closest point of a segment from `a` along `e` to the origin, as the share of `e` in [0, 1]; 0 for a segment
/// without length.
#[inline(always)]
pub(super) fn along<const D: usize>(a: &Vector<D>, e: &Vector<D>) -> f64 {
    let length = e.norm_squared();
    let share = -a.dot(e) / length;
    // NaN, of a segment without length, is not greater than zero.
    let share = if share > 0.0 { share } else { 0.0 };
    if share < 1.0 { share } else { 1.0 }
}

/// The natural coordinate of the closest point of a line2.
pub(super) fn line2<const D: usize>(nodes: &[Point<D>], y: &Point<D>) -> [f64; 2] {
    [2.0 * along(&(nodes[0] - y), &(nodes[1] - nodes[0])) - 1.0, 0.0]
}

/// Squared sine of the angle between two edges from which on their Gram determinant is used as it is. It has lost two
/// digits there.
const WIDE: f64 = 0.01;

/// The natural coordinates of the closest point of a tri3: least squares min |a + ξe + ηf|. A free minimum outside leaves
/// the sides to look at.
#[inline(always)]
pub(super) fn tri3<const D: usize>(nodes: &[Point<D>], y: &Point<D>) -> [f64; 2] {
    let (a, e, f) = (nodes[0] - y, nodes[1] - nodes[0], nodes[2] - nodes[0]);
    let (ee, ef, ff) = (e.norm_squared(), e.dot(&f), f.norm_squared());
    let (ae, af) = (a.dot(&e), a.dot(&f));
    let gram = ee * ff - ef * ef;
    let [xi, eta] = if gram > WIDE * ee * ff {
        let inverse = 1.0 / gram;
        [(ef * af - ff * ae) * inverse, (ef * ae - ee * af) * inverse]
    } else {
        upright(&a, &e, &f)
    };
    // NaN, from a degenerate triangle, is outside too.
    if xi >= 0.0 && eta >= 0.0 && xi + eta <= 1.0 {
        return [xi, eta];
    }
    nearest_side(&a, &e, &f)
}

/// The free minimum by orthogonalising f against e, which is stable for slivers, where quotients of determinants lose
/// all digits.
#[cold]
fn upright<const D: usize>(a: &Vector<D>, e: &Vector<D>, f: &Vector<D>) -> [f64; 2] {
    let along_e = e.norm_squared();
    let upright = f - e * (e.dot(f) / along_e);
    let eta = -a.dot(&upright) / upright.norm_squared();
    [-(a + f * eta).dot(e) / along_e, eta]
}

/// The closest point of the three sides. All of them, without a branch: which of them the free minimum is beyond cannot
/// be foretold, and a wrong guess costs more than a side.
#[inline(always)]
fn nearest_side<const D: usize>(a: &Vector<D>, e: &Vector<D>, f: &Vector<D>) -> [f64; 2] {
    let slant = along(&(a + e), &(f - e));
    let places = [[along(a, e), 0.0], [1.0 - slant, slant], [0.0, along(a, f)]];
    let mut best = (f64::INFINITY, [0.0, 0.0]);
    for local in places {
        let squared = (a + e * local[0] + f * local[1]).norm_squared();
        let is_nearer = squared < best.0;
        best.0 = if is_nearer { squared } else { best.0 };
        best.1[0] = if is_nearer { local[0] } else { best.1[0] };
        best.1[1] = if is_nearer { local[1] } else { best.1[1] };
    }
    best.1
}
