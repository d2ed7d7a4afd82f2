//! Exact predicates for point location: whether a point lies on a triangle, and whether a segment
//! crosses it. Ray crossing and labelled cells share them.
//!
//! A segment p–q crosses a triangle a, b, c if p and q lie on opposite sides of its plane and the
//! tetrahedra of p–q with its three sides have volumes of the same sign: the "Volume-Signs" of
//! [Muth2006, section 2.2]. Five volumes in f64 with an error bound decide nearly all cases in a
//! few nanoseconds; exact predicates decide the rest. Every degeneracy is therefore detected, and
//! [`crosses_nearby`] resolves even those.

use crate::shape::{Feature, Surface};
use crate::space::{Aabb, Point, Sign, Vector, orient2, orient3};

/// Intersection type of a closed segment and a closed triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// They are disjoint.
    Apart,
    /// The interiors of segment and triangle intersect in one point, and the segment is not in the
    /// triangle's plane.
    Through,
    /// They touch in any other way: at a side or corner, within the plane, or at an end of the
    /// segment.
    Degenerate,
}

/// Half an ulp of 1: the relative error of one operation.
const ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Error of a 3×3 determinant of rounded differences, as a multiple of the largest product on its
/// diagonals. This is the bound (7 + 56 ε) ε of Shewchuk (1997) for the sum of all six products,
/// each at most that large.
const ONE_VOLUME: f64 = 43.0 * ROUNDOFF;

/// Error of the sum of four such determinants, including the rounding of the sum.
const FOUR_VOLUMES: f64 = 256.0 * ROUNDOFF;

/// Products below this may have lost digits to underflow even with a third factor of 1e60; the
/// filter leaves them to the exact predicates.
const UNDERFLOW: f64 = 1e-250;

/// Classifies the intersection of the closed segment `p`–`q` with the closed triangle `a`, `b`,
/// `c`, which must not have zero area. Exact.
///
/// ```
/// use impinge::inside::{Crossing, crossing};
/// let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Into::into);
/// let below = [0.25, 0.25, -1.0].into();
/// assert_eq!(crossing(&below, &[0.25, 0.25, 1.0].into(), &a, &b, &c), Crossing::Through);
/// assert_eq!(crossing(&below, &[0.25, 0.25, 0.0].into(), &a, &b, &c), Crossing::Degenerate);
/// assert_eq!(crossing(&below, &[0.75, 0.75, 1.0].into(), &a, &b, &c), Crossing::Degenerate);
/// assert_eq!(crossing(&below, &[2.0, 2.0, 1.0].into(), &a, &b, &c), Crossing::Apart);
/// ```
#[inline]
pub fn crossing(p: &Point<3>, q: &Point<3>, a: &Point<3>, b: &Point<3>, c: &Point<3>) -> Crossing {
    let (u, v, w): (Vector<3>, Vector<3>, Vector<3>) = (a - p, b - p, c - p);
    let along: Vector<3> = q - p;
    let reach = u.abs().sup(&v.abs()).sup(&w.abs()).sup(&along.abs());
    let largest = reach.x * reach.y * reach.z;
    let unsure = ONE_VOLUME * largest + UNDERFLOW;
    let (vw, wu, uv) = (v.cross(&w), w.cross(&u), u.cross(&v));
    let sides = [along.dot(&uv), along.dot(&vw), along.dot(&wu)];
    let least = sides[0].min(sides[1]).min(sides[2]);
    let most = sides[0].max(sides[1]).max(sides[2]);

    if least < -unsure && most > unsure {
        return Crossing::Apart;
    }

    let from_p = u.dot(&vw);
    // det(a − q, b − q, c − q), without new differences.
    let from_q = from_p - (sides[0] + sides[1] + sides[2]);
    let unsure_q = FOUR_VOLUMES * largest + UNDERFLOW;

    if from_p.abs() > unsure && from_q.abs() > unsure_q {
        if (from_p > 0.0) == (from_q > 0.0) {
            return Crossing::Apart;
        }
        if least > unsure || most < -unsure {
            return Crossing::Through;
        }
    }

    exact_crossing(p, q, a, b, c)
}

/// [`crossing`] using only exact predicates.
#[cold]
fn exact_crossing(
    p: &Point<3>,
    q: &Point<3>,
    a: &Point<3>,
    b: &Point<3>,
    c: &Point<3>,
) -> Crossing {
    let (from_p, from_q) = (orient3(p, a, b, c), orient3(q, a, b, c));
    if from_p == Sign::Zero && from_q == Sign::Zero {
        return crossing_in_plane(p, q, a, b, c);
    }

    if from_p == from_q {
        return Crossing::Apart;
    }

    let sides = [
        orient3(p, a, b, q),
        orient3(p, b, c, q),
        orient3(p, c, a, q),
    ];

    if sides.contains(&Sign::Negative) && sides.contains(&Sign::Positive) {
        Crossing::Apart
    } else if sides.contains(&Sign::Zero) || from_p == Sign::Zero || from_q == Sign::Zero {
        Crossing::Degenerate
    } else {
        Crossing::Through
    }
}

/// Segment and triangle in one plane: disjoint if the line of a side of the triangle, or that of
/// the segment, strictly separates them.
fn crossing_in_plane(
    p: &Point<3>,
    q: &Point<3>,
    a: &Point<3>,
    b: &Point<3>,
    c: &Point<3>,
) -> Crossing {
    let (drop, turn) = projection(a, b, c);
    let [p, q, a, b, c] = [p, q, a, b, c].map(|point| flat(point, drop));
    let outside = |from: &Point<2>, to: &Point<2>| {
        orient2(from, to, &p) == -turn && orient2(from, to, &q) == -turn
    };
    let beside = [a, b, c].map(|corner| orient2(&p, &q, &corner));
    let all_beside = beside[0] != Sign::Zero && beside[0] == beside[1] && beside[1] == beside[2];

    if all_beside || outside(&a, &b) || outside(&b, &c) || outside(&c, &a) {
        Crossing::Apart
    } else {
        Crossing::Degenerate
    }
}

/// Returns whether the segment from `p` to a point infinitesimally close to `q` crosses the
/// triangle `a`, `b`, `c`; neither `p` nor `q` may lie on it. Exact and never degenerate: over a
/// closed surface that contains neither end point, the number of crossed triangles is odd exactly
/// if one end is inside and the other outside.
///
/// `q` is displaced by (ε, ε², ε³) with a positive ε smaller than any difference of coordinates
/// (Edelsbrunner and Mücke 1990). A direction perturbed like this lies in no plane through `p` and
/// a side of the triangle, unless `p` is on the line of that side. The volumes are linear in q, so
/// a vanishing volume takes the sign of the first non-zero component of the plane's normal.
pub(crate) fn crosses_nearby(
    p: &Point<3>,
    q: &Point<3>,
    a: &Point<3>,
    b: &Point<3>,
    c: &Point<3>,
) -> bool {
    let from_p = orient3(p, a, b, c);
    // A triangle whose plane contains p is seen edge-on: a perturbed direction misses it. If q is
    // in the plane, the line meets the plane only in q, off the triangle, and the side tests below
    // detect that.
    from_p != Sign::Zero
        && from_p != orient3(q, a, b, c)
        && [(a, b), (b, c), (c, a)]
            .iter()
            .all(|(from, to)| side_nearby(p, q, from, to) == from_p)
}

/// Returns the sign of the volume p, from, to, q for the perturbed q.
fn side_nearby(p: &Point<3>, q: &Point<3>, from: &Point<3>, to: &Point<3>) -> Sign {
    let normal = |axis: usize| orient2(&flat(p, axis), &flat(from, axis), &flat(to, axis));
    [orient3(p, from, to, q), normal(0), normal(1), normal(2)]
        .into_iter()
        .find(|&sign| sign != Sign::Zero)
        .unwrap_or(Sign::Zero)
}

/// Returns the vertex, edge or face of a triangle of the surface that the point lies on, or `None`.
/// Exact.
#[inline]
pub(crate) fn locate_on(surface: &Surface, triangle: usize, point: &Point<3>) -> Option<Feature> {
    let corners = surface.corners(triangle);
    // The box rejects nearly all triangles of a list, and contains every point on the triangle
    // despite rounding.
    if !Aabb::of(corners).contains(point) {
        return None;
    }

    let [a, b, c] = corners;
    if orient3(&a, &b, &c, point) != Sign::Zero {
        return None;
    }

    locate_in_plane(surface.triangles()[triangle], triangle, corners, point)
}

/// The "Area-Signs" of [Muth2006, Figure 4], for a point in the triangle's plane.
fn locate_in_plane(
    nodes: [u32; 3],
    triangle: usize,
    corners: [Point<3>; 3],
    point: &Point<3>,
) -> Option<Feature> {
    let (drop, turn) = projection(&corners[0], &corners[1], &corners[2]);
    let [a, b, c] = corners.map(|corner| flat(&corner, drop));
    let point = flat(point, drop);
    let signs = [(a, b), (b, c), (c, a)].map(|(from, to)| orient2(&from, &to, &point));

    if signs.contains(&-turn) {
        return None;
    }

    let edge = |k: usize| {
        Feature::Edge([
            nodes[k].min(nodes[(k + 1) % 3]),
            nodes[k].max(nodes[(k + 1) % 3]),
        ])
    };

    Some(match signs.map(|sign| sign == Sign::Zero) {
        [true, true, _] => Feature::Vertex(nodes[1]),
        [_, true, true] => Feature::Vertex(nodes[2]),
        [true, _, true] => Feature::Vertex(nodes[0]),
        [true, ..] => edge(0),
        [_, true, _] => edge(1),
        [.., true] => edge(2),
        _ => Feature::Face(triangle as u32),
    })
}

/// Returns an axis along which the triangle projects to a non-zero area, and the orientation of the
/// projection.
fn projection(a: &Point<3>, b: &Point<3>, c: &Point<3>) -> (usize, Sign) {
    (0..3)
        .map(|axis| {
            (
                axis,
                orient2(&flat(a, axis), &flat(b, axis), &flat(c, axis)),
            )
        })
        .find(|&(_, turn)| turn != Sign::Zero)
        .unwrap_or((0, Sign::Zero))
}

/// Drops the coordinate of one axis; the others stay in cyclic order, so areas are components of
/// normals.
fn flat(point: &Point<3>, drop: usize) -> Point<2> {
    Point::from([point[(drop + 1) % 3], point[(drop + 2) % 3]])
}

#[cfg(test)]
mod tests;
