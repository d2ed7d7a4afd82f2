//! Exact test whether two closed triangles share a point.
//!
//! Triangles in different planes share a point if and only if an edge of one meets the other. An
//! edge p–q that does not lie in a triangle's plane meets the triangle under two conditions: its
//! ends are not on the same side of the plane, and the tetrahedra of p–q with the three sides have
//! no volumes of opposite signs. Convex figures in a common plane are disjoint if and only if the
//! line of a side of one has the other strictly beyond it. Only signs of `orient3` and `orient2`
//! decide.

use crate::space::{Point, Sign, Vector, orient2, orient3};

/// Returns whether two closed triangles of non-zero area share a point; touching counts.
///
/// ```
/// use impinge::narrow::triangle::touch;
/// let flat = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Into::into);
/// let standing = |z: f64| [[0.25, 0.25, z], [0.5, 0.25, 1.0], [0.25, 0.5, 1.0]].map(Into::into);
/// assert!(touch(&flat, &standing(-1.0)) && touch(&flat, &standing(0.0)));
/// assert!(!touch(&flat, &standing(1e-300)));
/// ```
pub fn touch(first: &[Point<3>; 3], second: &[Point<3>; 3]) -> bool {
    let sides_b = sides(first, second);
    if one_sided(&sides_b) {
        return false;
    }

    let sides_a = sides(second, first);
    if one_sided(&sides_a) {
        return false;
    }

    if sides_a == [Sign::Zero; 3] {
        return touch_in_plane(first, second);
    }

    (0..3).any(|k| edge_meets(first, &sides_a, k, second))
        || (0..3).any(|k| edge_meets(second, &sides_b, k, first))
}

/// Returns whether a closed segment and a closed triangle of non-zero area share a point.
pub fn segment_touches(from: &Point<3>, to: &Point<3>, triangle: &[Point<3>; 3]) -> bool {
    let [a, b, c] = triangle;
    let sides = [from, to].map(|p| orient3(a, b, c, p));
    edge_meets(
        &[*from, *to, *to],
        &[sides[0], sides[1], sides[1]],
        0,
        triangle,
    )
}

/// Returns on which side of a triangle's plane each corner of another lies.
fn sides([a, b, c]: &[Point<3>; 3], corners: &[Point<3>; 3]) -> [Sign; 3] {
    [0, 1, 2].map(|k| orient3(a, b, c, &corners[k]))
}

fn one_sided(sides: &[Sign; 3]) -> bool {
    sides[0] != Sign::Zero && sides[0] == sides[1] && sides[1] == sides[2]
}

/// Returns whether the closed edge from corner `k` of a triangle meets the other triangle, given
/// the sides of the other's plane on which the corners lie.
fn edge_meets(
    triangle: &[Point<3>; 3],
    sides: &[Sign; 3],
    k: usize,
    other: &[Point<3>; 3],
) -> bool {
    let next = (k + 1) % 3;
    let (p, q) = (&triangle[k], &triangle[next]);
    match (sides[k], sides[next]) {
        (Sign::Zero, Sign::Zero) => touch_in_plane(&[*p, *q], other),
        (from, to) if from == to => false,
        _ => {
            let around = [0, 1, 2].map(|i| orient3(p, &other[i], &other[(i + 1) % 3], q));
            !(around.contains(&Sign::Positive) && around.contains(&Sign::Negative))
        }
    }
}

/// Returns whether a point, segment or triangle in the plane of a triangle of non-zero area touches
/// it. The projection along an axis to which the plane is not parallel is one-to-one.
pub(crate) fn touch_in_plane(figure: &[Point<3>], triangle: &[Point<3>; 3]) -> bool {
    let drop = dropped_axis(triangle);
    let seen = |p: &Point<3>| Point::from([p[(drop + 1) % 3], p[(drop + 2) % 3]]);
    let corners = triangle.each_ref().map(seen);
    let mut places = corners;
    figure
        .iter()
        .zip(&mut places)
        .for_each(|(point, place)| *place = seen(point));
    let figure = &places[..figure.len()];

    !separates(&corners, figure) && !separates(figure, &corners)
}

/// Returns an axis to which the triangle's plane is not parallel: the normal's largest component,
/// or the exact predicate if all components are lost to rounding.
fn dropped_axis(plane: &[Point<3>; 3]) -> usize {
    let normal: Vector<3> = (plane[1] - plane[0]).cross(&(plane[2] - plane[0]));
    let guess = normal.iamax();
    let turns = |axis: &usize| {
        let [a, b, c] = plane.map(|p| Point::from([p[(axis + 1) % 3], p[(axis + 2) % 3]]));
        orient2(&a, &b, &c) != Sign::Zero
    };

    [guess, (guess + 1) % 3, (guess + 2) % 3]
        .into_iter()
        .find(turns)
        .unwrap_or(guess)
}

/// Returns whether the line of a side has the other figure strictly on one side, and its own third
/// corner not there. For disjoint convex figures, some side of either does, unless both lie on one
/// line.
fn separates(figure: &[Point<2>], other: &[Point<2>]) -> bool {
    let sides = if figure.len() == 3 {
        3
    } else {
        figure.len() - 1
    };
    (0..sides).any(|k| {
        let (from, to) = (&figure[k], &figure[(k + 1) % figure.len()]);
        let beyond = orient2(from, to, &other[0]);
        beyond != Sign::Zero
            && other[1..].iter().all(|p| orient2(from, to, p) == beyond)
            && (sides < 3 || orient2(from, to, &figure[(k + 2) % 3]) != beyond)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Random;
    use num_rational::BigRational;

    type Rational = [BigRational; 3];

    fn exact(p: &Point<3>) -> Rational {
        [p.x, p.y, p.z].map(|x| BigRational::from_float(x).expect("finite"))
    }

    fn minus(p: &Rational, q: &Rational) -> Rational {
        [0, 1, 2].map(|k| &p[k] - &q[k])
    }

    fn cross(p: &Rational, q: &Rational) -> Rational {
        [0, 1, 2].map(|k| &p[(k + 1) % 3] * &q[(k + 2) % 3] - &p[(k + 2) % 3] * &q[(k + 1) % 3])
    }

    fn dot(p: &Rational, q: &Rational) -> BigRational {
        (0..3).map(|k| &p[k] * &q[k]).sum()
    }

    /// Separating-axis test in rational arithmetic (slow). Convex figures are disjoint exactly if
    /// they are separated along a normal, a product of two sides or, in a common plane, a product
    /// of normal and side.
    fn touch_in_rationals(first: &[Point<3>; 3], second: &[Point<3>; 3]) -> bool {
        let figures = [first, second].map(|t| t.map(|p| exact(&p)));
        let edges = figures
            .clone()
            .map(|t| [0, 1, 2].map(|k: usize| minus(&t[(k + 1) % 3], &t[k])));
        let normals = edges.clone().map(|e| cross(&e[0], &e[1]));
        let mut axes: Vec<Rational> = normals.to_vec();

        for i in 0..3 {
            axes.extend((0..3).map(|j| cross(&edges[0][i], &edges[1][j])));
            axes.extend((0..2).map(|k| cross(&normals[k], &edges[k][i])));
        }

        !axes.iter().any(|axis| {
            let span = |t: &[Rational; 3]| {
                let products = t.clone().map(|p| dot(axis, &p));
                (
                    products.iter().min().cloned(),
                    products.iter().max().cloned(),
                )
            };
            let ((low_a, up_a), (low_b, up_b)) = (span(&figures[0]), span(&figures[1]));
            up_a < low_b || up_b < low_a
        })
    }

    /// Triangle with corners on a small grid: most pairs are degenerate in some way.
    fn grid_triangle(random: &mut Random, size: usize) -> [Point<3>; 3] {
        loop {
            let t = [0; 3].map(|_| Point::from([0; 3].map(|_| random.below(size) as f64)));
            if !crate::space::collinear(&t[0], &t[1], &t[2]) {
                return t;
            }
        }
    }

    #[test]
    fn triangles_on_a_grid_touch_as_rational_arithmetic_says() {
        let mut random = Random::new(111);
        let mut touching = 0;
        for round in 0..6000 {
            let size = 2 + round % 4;
            let (a, mut b) = (
                grid_triangle(&mut random, size),
                grid_triangle(&mut random, size),
            );

            if round % 3 == 0 {
                // A common plane, not aligned with the axes.
                b = b.map(|p| a[0] + (a[1] - a[0]) * (p.x - 1.0) + (a[2] - a[0]) * (p.y - 1.0));
                if crate::space::collinear(&b[0], &b[1], &b[2]) {
                    continue;
                }
            }

            let expected = touch_in_rationals(&a, &b);
            assert_eq!(
                (touch(&a, &b), touch(&b, &a)),
                (expected, expected),
                "{a:?} {b:?}"
            );

            touching += usize::from(expected);
        }

        assert!((1000..5000).contains(&touching), "{touching}");
    }

    #[test]
    fn one_ulp_decides_between_touching_and_apart_also_far_away() {
        for far in [0.0, 1e9] {
            let at = |x: f64, y: f64, z: f64| Point::from([x + far, y, z]);
            let flat = [at(0.0, 0.0, 1.0), at(1.0, 0.0, 1.0), at(0.0, 1.0, 1.0)];
            let tip = |z: f64| [at(0.25, 0.25, z), at(0.25, 0.5, 3.0), at(0.5, 0.25, 3.0)];
            assert!(touch(&flat, &tip(1.0)) && !touch(&flat, &tip(1.0f64.next_up())));
            assert!(touch(&flat, &flat));
            let beside = [at(1.0, 0.0, 1.0), at(2.0, 0.0, 1.0), at(2.0, 1.0, 1.0)];
            assert!(touch(&flat, &beside), "a common corner");
        }
    }
}
