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
pub fn crosses_nearby(
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
pub fn locate_on(surface: &Surface, triangle: usize, point: &Point<3>) -> Option<Feature> {
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
mod tests {
    use super::*;
    use crate::space::Random;

    fn lattice_point(random: &mut Random, steps: usize) -> Point<3> {
        Point::from(std::array::from_fn::<f64, 3, _>(|_| {
            random.below(steps) as f64
        }))
    }

    /// A triangle and two points on a small lattice, where every degeneracy is frequent.
    fn lattice_case(random: &mut Random) -> [Point<3>; 5] {
        loop {
            let [p, q, a, b, c] = std::array::from_fn(|_| lattice_point(random, 4));
            if !crate::space::collinear(&a, &b, &c) {
                return [p, q, a, b, c];
            }
        }
    }

    /// Reference solution. The squared distance between segment and triangle in integers would be
    /// the full test. On a lattice it is enough to solve p + t (q − p) = a + u (b − a) + v (c − a)
    /// in integers by Cramer's rule.
    fn oracle(
        p: &Point<3>,
        q: &Point<3>,
        a: &Point<3>,
        b: &Point<3>,
        c: &Point<3>,
    ) -> Option<Crossing> {
        let int = |v: Vector<3>| [v.x as i64, v.y as i64, v.z as i64];
        let det = |u: [i64; 3], v: [i64; 3], w: [i64; 3]| {
            u[0] * (v[1] * w[2] - v[2] * w[1])
                + u[1] * (v[2] * w[0] - v[0] * w[2])
                + u[2] * (v[0] * w[1] - v[1] * w[0])
        };
        let (d, e, f, r) = (int(p - q), int(b - a), int(c - a), int(p - a));
        let whole = det(d, e, f);

        if whole == 0 {
            return None;
        }

        let sign = whole.signum();
        let (t, u, v) = (
            det(r, e, f) * sign,
            det(d, r, f) * sign,
            det(d, e, r) * sign,
        );
        let parts = [t, whole.abs() - t, u, v, whole.abs() - u - v];

        Some(if parts.iter().any(|&x| x < 0) {
            Crossing::Apart
        } else if parts.contains(&0) {
            Crossing::Degenerate
        } else {
            Crossing::Through
        })
    }

    #[test]
    fn crossings_on_a_lattice_are_those_of_cramers_rule_in_integers() {
        let mut random = Random::new(11);
        let mut seen = [0; 3];
        for _ in 0..200_000 {
            let [p, q, a, b, c] = lattice_case(&mut random);
            if let Some(expected) = oracle(&p, &q, &a, &b, &c) {
                assert_eq!(
                    crossing(&p, &q, &a, &b, &c),
                    expected,
                    "{p} {q} {a} {b} {c}"
                );
                assert_eq!(exact_crossing(&p, &q, &a, &b, &c), expected);
                seen[expected as usize] += 1;
            }
        }

        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }

    #[test]
    fn a_segment_in_the_plane_is_apart_or_degenerate_as_sampling_says() {
        let mut random = Random::new(12);
        let mut seen = [0; 2];
        for _ in 0..10_000 {
            let [mut p, mut q, mut a, mut b, mut c] = lattice_case(&mut random);
            for point in [&mut p, &mut q, &mut a, &mut b, &mut c] {
                point.z = point.x + 2.0 * point.y;
            }

            if crate::space::collinear(&a, &b, &c) {
                continue;
            }

            // A lattice segment and triangle of this size that touch do so at a parameter with a
            // small denominator.
            let touches = (1..=40).any(|n| {
                (0..=n).any(|k| {
                    let scaled = |point: &Point<3>| point * f64::from(n);
                    let x = Point::from(p.coords * f64::from(n - k) + q.coords * f64::from(k));
                    let signs = [(a, b), (b, c), (c, a)].map(|(s, t)| {
                        orient2(&flat(&scaled(&s), 2), &flat(&scaled(&t), 2), &flat(&x, 2))
                    });
                    !(signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative))
                })
            });

            let expected = if touches {
                Crossing::Degenerate
            } else {
                Crossing::Apart
            };
            assert_eq!(
                crossing(&p, &q, &a, &b, &c),
                expected,
                "{p} {q} {a} {b} {c}"
            );

            seen[usize::from(touches)] += 1;
        }

        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }

    #[test]
    fn the_filter_never_contradicts_the_exact_predicates() {
        let mut random = Random::new(13);
        for round in 0..100_000 {
            let offset = [0.0, 1e9, -1e3][round % 3];
            let scale = [1.0, 1e-9, 1e20][round / 3 % 3];
            let mut point = || {
                Point::from(std::array::from_fn::<f64, 3, _>(|_| {
                    offset + scale * random.within(-1.0, 1.0)
                }))
            };
            let [p, mut q, a, b, c] = std::array::from_fn(|_| point());

            if round % 2 == 0 {
                // Aimed at a side, so the volume of that side nearly vanishes.
                let aim = a + (b - a) * random.unit();
                q = p + (aim - p) * 2.0;
            }

            if !crate::space::collinear(&a, &b, &c) {
                assert_eq!(
                    crossing(&p, &q, &a, &b, &c),
                    exact_crossing(&p, &q, &a, &b, &c)
                );
            }
        }
    }

    #[test]
    fn moved_segments_cross_as_plain_ones_where_those_are_not_degenerate() {
        let mut random = Random::new(14);
        for _ in 0..50_000 {
            let [p, q, a, b, c] = lattice_case(&mut random);
            match crossing(&p, &q, &a, &b, &c) {
                Crossing::Apart => assert!(!crosses_nearby(&p, &q, &a, &b, &c)),
                Crossing::Through => assert!(crosses_nearby(&p, &q, &a, &b, &c)),
                Crossing::Degenerate => {}
            }
        }
    }

    fn octahedron() -> Surface {
        let points = [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ];

        let faces = [
            [0, 2, 4],
            [2, 1, 4],
            [1, 3, 4],
            [3, 0, 4],
            [2, 0, 5],
            [1, 2, 5],
            [3, 1, 5],
            [0, 3, 5],
        ];

        Surface::new(&points, &faces).expect("closed")
    }

    #[test]
    fn moved_segments_between_lattice_points_have_the_parity_of_the_octahedron() {
        // Most of these segments pass through vertices, along edges or in faces.
        let octahedron = octahedron();
        let lattice: Vec<Point<3>> = (0..729)
            .map(|i| Point::from([i % 9, i / 9 % 9, i / 81].map(|k| f64::from(k) * 0.5 - 2.0)))
            .filter(|x| x.coords.abs().sum() != 1.0)
            .collect();
        let is_inside = |x: &Point<3>| x.coords.abs().sum() < 1.0;

        for p in &lattice {
            for q in lattice.iter().step_by(7) {
                let count = (0..8)
                    .filter(|&t| {
                        let [a, b, c] = octahedron.corners(t);
                        crosses_nearby(p, q, &a, &b, &c)
                    })
                    .count();
                assert_eq!(count % 2 == 1, is_inside(p) != is_inside(q), "{p} {q}");
            }
        }
    }

    #[test]
    fn points_on_a_face_edge_and_vertex_are_located_and_one_ulp_off_they_are_not() {
        let octahedron = octahedron();
        let on = |point: [f64; 3]| locate_on(&octahedron, 0, &point.into());
        assert_eq!(on([0.5, 0.25, 0.25]), Some(Feature::Face(0)));
        assert_eq!(on([0.5, 0.5, 0.0]), Some(Feature::Edge([0, 2])));
        assert_eq!(on([0.0, 0.75, 0.25]), Some(Feature::Edge([2, 4])));
        assert_eq!(on([0.5, 0.0, 0.5]), Some(Feature::Edge([0, 4])));
        assert_eq!(on([1.0, 0.0, 0.0]), Some(Feature::Vertex(0)));
        assert_eq!(on([0.0, 1.0, 0.0]), Some(Feature::Vertex(2)));
        assert_eq!(on([0.0, 0.0, 1.0]), Some(Feature::Vertex(4)));
        assert_eq!(on([0.5f64.next_up(), 0.25, 0.25]), None);
        assert_eq!(on([0.5, 0.25, 0.25f64.next_down()]), None);

        assert_eq!(on([0.5, 0.75, -0.25]), None);
    }
}
