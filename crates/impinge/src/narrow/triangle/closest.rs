//! Closest points of a triangle and a point, and of two triangles.
//!
//! The point of a triangle closest to a point is its projection onto the plane if that is inside
//! all three sides, otherwise the closest point on the three sides. Disjoint triangles are closest
//! at a corner of one and the other triangle, or at two sides: the best of 6 + 9 closed formulas.

use super::super::segment::{point_segment, segment_segment};
use super::touch;
use crate::space::{Point, Vector};

/// A point on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct OnTriangle {
    /// The position.
    pub point: Point<3>,
    /// Vector from the position to the query point.
    pub way: Vector<3>,
    /// The corners that it lies between: one, two or all of them.
    pub between: [bool; 3],
}

/// The closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Witness {
    /// Point on the first triangle.
    pub on_a: Point<3>,
    /// Point on the second triangle; equal to `on_a` if they touch.
    pub on_b: Point<3>,
    /// Vector from the first to the second; exactly zero if they touch.
    pub way: Vector<3>,
}

/// Returns the point of a triangle closest to a point. A triangle without area is treated as its
/// sides.
///
/// ```
/// use impinge::narrow::triangle::closest_on;
/// let triangle = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]].map(Into::into);
/// assert_eq!(closest_on(&triangle, &[0.5, 0.5, 3.0].into()).point, [0.5, 0.5, 0.0].into());
/// let corner = closest_on(&triangle, &[-1.0, -2.0, 0.5].into());
/// assert_eq!((corner.point, corner.between), ([0.0; 3].into(), [true, false, false]));
/// ```
pub fn closest_on(triangle: &[Point<3>; 3], point: &Point<3>) -> OnTriangle {
    let edges: [Vector<3>; 3] = [0, 1, 2].map(|k: usize| triangle[(k + 1) % 3] - triangle[k]);
    let from: [Vector<3>; 3] = [0, 1, 2].map(|k| point - triangle[k]);
    let normal = edges[0].cross(&edges[1]);

    if (0..3).all(|k| normal.dot(&edges[k].cross(&from[k])) > 0.0) {
        let way = normal * (normal.dot(&from[0]) / normal.norm_squared());
        return OnTriangle {
            point: point - way,
            way,
            between: [true; 3],
        };
    }

    let on_edge = |k: usize| {
        let (along, way) = point_segment(&from[k], &edges[k]);
        let fraction = along.fraction();
        let mut between = [false; 3];
        between[k] = fraction < 1.0;
        between[(k + 1) % 3] = fraction > 0.0;
        // Exactly the corner at the ends, and for a side of zero length, whose fraction is NaN.
        let place = if fraction >= 1.0 {
            triangle[(k + 1) % 3]
        } else {
            triangle[k] + edges[k] * fraction
        };
        OnTriangle {
            point: place,
            way,
            between,
        }
    };

    let best = |a: OnTriangle, b: OnTriangle| {
        if b.way.norm_squared() < a.way.norm_squared() {
            b
        } else {
            a
        }
    };

    best(best(on_edge(0), on_edge(1)), on_edge(2))
}

/// Returns the closest points of two closed triangles; a common point if they [`touch`].
pub fn closest(first: &[Point<3>; 3], second: &[Point<3>; 3]) -> Witness {
    let best = closest_features(first, second);
    // Intersecting triangles have no closest features; only triangles near each other can
    // intersect.
    let near = best.way.norm_squared() <= reach_squared(first).min(reach_squared(second));
    if near && touch(first, second) {
        common(first, second, best)
    } else {
        best
    }
}

/// Returns the best of corners against faces and sides against sides: the closest points of
/// disjoint triangles.
pub(crate) fn closest_features(first: &[Point<3>; 3], second: &[Point<3>; 3]) -> Witness {
    let mut best = Witness {
        on_a: first[0],
        on_b: second[0],
        way: second[0] - first[0],
    };
    let mut consider = |on_a: Point<3>, on_b: Point<3>, way: Vector<3>| {
        if way.norm_squared() < best.way.norm_squared() {
            best = Witness { on_a, on_b, way };
        }
    };

    for k in 0..3 {
        let on_b = closest_on(second, &first[k]);
        consider(first[k], on_b.point, -on_b.way);
        let on_a = closest_on(first, &second[k]);
        consider(on_a.point, second[k], on_a.way);
    }

    for i in 0..3 {
        let along_a = first[(i + 1) % 3] - first[i];
        for j in 0..3 {
            let along_b = second[(j + 1) % 3] - second[j];
            let (s, t, way) = segment_segment(&along_a, &(second[j] - first[i]), &along_b);
            consider(
                first[i] + along_a * s.fraction(),
                second[j] + along_b * t.fraction(),
                way,
            );
        }
    }

    best
}

/// Square of the longest side: the closest features of intersecting triangles are never further
/// apart.
fn reach_squared(triangle: &[Point<3>; 3]) -> f64 {
    (0..3)
        .map(|k| (triangle[(k + 1) % 3] - triangle[k]).norm_squared())
        .fold(0.0, f64::max)
}

/// Returns a common point of touching triangles: where a side pierces the other, otherwise where
/// the features are closest.
fn common(first: &[Point<3>; 3], second: &[Point<3>; 3], features: Witness) -> Witness {
    let mut best = features;
    for (sides, face) in [(first, second), (second, first)] {
        let normal: Vector<3> = (face[1] - face[0]).cross(&(face[2] - face[0]));
        for k in 0..3 {
            let (p, q) = (sides[k], sides[(k + 1) % 3]);
            let (above, below) = (normal.dot(&(p - face[0])), normal.dot(&(q - face[0])));
            if (above > 0.0) == (below > 0.0) || above == below {
                continue;
            }

            let pierced = p + (q - p) * (above / (above - below));
            let way = closest_on(face, &pierced).way;
            if way.norm_squared() < best.way.norm_squared() {
                best = Witness {
                    on_a: pierced,
                    on_b: pierced,
                    way,
                };
            }
        }
    }

    let middle = Point::from((best.on_a.coords + best.on_b.coords) * 0.5);
    Witness {
        on_a: middle,
        on_b: middle,
        way: Vector::zeros(),
    }
}

#[cfg(test)]
mod tests;
