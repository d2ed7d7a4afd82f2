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
mod tests;
