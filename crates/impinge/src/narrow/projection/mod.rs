//! Closest-point projection onto a curved finite-element face.
//!
//! Solves min ½ |x(ξ) − y|² over the natural coordinates ξ of the face [Aragon2013, eq. (16)].
//! Lines and triangles with straight sides have a closed formula. For the others, Newton's method
//! descends from the nearest node, with the exact Hessian and exact bounds (`descent`). A curved
//! face may have several local minima: from a single start, about 0.5 % of strongly curved faces
//! end in the wrong one. The minimum is therefore proven to be global by one of three tests, in
//! this order: a plane that has the face's Bézier control points behind it; secants (`secant`);
//! branch and bound on the Bernstein coefficients of the squared distance (`search`), which also
//! finds the global minimum if it is another one.
//!
//! For a whole surface, eq. (17), the face is found through a bounding-volume hierarchy
//! ([`FaceTree`]). Contacts of whole bodies are found by [`node_to_surface`],
//! [`surface_to_surface`] and [`self_contact`].
//!
//! Cost per face: closed formulas about 60 ns, quad4 270 ns, quadratic faces 400 to 560 ns.

mod answer;
mod bernstein;
pub mod brute;
mod chart;
mod contacts;
mod descent;
mod flat;
mod foot;
mod region;
#[cfg(test)]
pub(crate) mod samples;
mod search;
mod secant;
#[cfg(test)]
mod surface_tests;
#[cfg(test)]
mod tests;
mod tree;

pub use answer::{On, Projection, Status};
pub use contacts::{
    ContactOptions, FaceContact, NodeContact, ProjectedPoint, node_to_surface, self_contact,
    surface_to_surface,
};
pub use tree::{FaceTree, NearestFace};

use crate::shape::{Domain, Face, FaceKind};
use crate::space::{Point, Vector};
use bernstein::{greater, lesser};
use foot::{ClosestPoint, foot, triangle};

/// Projects a point onto a face. Returns `None` if a coordinate of either is not finite, or so
/// large that its square is not.
///
/// ```
/// use impinge::narrow::projection::{On, project};
/// use impinge::shape::{Face, FaceKind};
/// use impinge::space::Point;
/// let arch = Face::new(FaceKind::Line3, &[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]].map(Point::from)).unwrap();
/// let above = project(&arch, &Point::from([0.0, 3.0])).unwrap();
/// assert_eq!((above.point, above.gap, above.on), (Point::from([0.0, 1.0]), 2.0, On::Face));
/// ```
#[doc(alias = "closest point projection")]
#[doc(alias = "CPP")]
pub fn project<const D: usize>(face: &Face<D>, point: &Point<D>) -> Option<Projection<D>> {
    // Called separately, the closed form keeps its numbers in registers to the end.
    if face.kind() == FaceKind::Tri3 {
        return triangle(face, point).map(|foot| dress(face, point, &foot));
    }
    foot(face, point, f64::INFINITY, |_| ()).map(|foot| dress(face, point, &foot))
}

/// Returns all closest points of a face if there are several: first the result of [`project`], then
/// up to seven others, ordered by their natural coordinates.
pub fn project_all<const D: usize>(
    face: &Face<D>,
    point: &Point<D>,
    found: &mut Vec<Projection<D>>,
) {
    found.clear();
    let mut others = Vec::new();
    let Some(first) = foot(face, point, f64::INFINITY, |local| others.push(local)) else {
        return;
    };
    found.push(dress(face, point, &first));
    others.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));

    for local in others {
        let mut other = first;
        (other.local, other.tangents) = (local, face.tangents(local));
        other.r = face.position(local) - point;
        other.squared = other.r.norm_squared();
        found.push(dress(face, point, &other));
    }
}

/// Completes the result with normal and sign.
#[inline(always)]
fn dress<const D: usize>(
    face: &Face<D>,
    point: &Point<D>,
    foot: &ClosestPoint<D>,
) -> Projection<D> {
    let distance = foot.squared.sqrt();
    let on = place(face.kind().domain(), foot.local);
    let (sign, normal) = match normal(face, foot) {
        Some(outward) => {
            // Behind the face, the vector to the closest point points along the normal.
            let sign = 1.0f64.copysign(0.0 - foot.r.dot(&outward));
            // Both are computed, because the choice is unpredictable. Without a gap it is the
            // face's.
            let normals = [foot.r * (-sign / distance), outward];
            (
                sign,
                normals[usize::from((on == On::Face) | (distance <= TOUCH * reach(foot)))],
            )
        }
        None if distance > 0.0 => (1.0, foot.r * (-1.0 / distance)),
        None => (1.0, Vector::from_fn(|i, _| f64::from(u8::from(i == 0)))),
    };

    Projection {
        local: foot.local,
        point: point + foot.r,
        normal,
        gap: sign * distance,
        on,
        status: foot.status,
        error: lesser(foot.error, distance),
        iterations: foot.steps,
    }
}

/// Gap, relative to the face, below which the vector to the closest point is rounding error and has
/// no direction.
const TOUCH: f64 = 1e-12;

/// Size of the face around the closest point.
#[inline(always)]
fn reach<const D: usize>(foot: &ClosestPoint<D>) -> f64 {
    let [t, s] = &foot.tangents;
    (0..D).fold(0.0, |most, i| {
        greater(most, greater(t[i].abs(), s[i].abs()))
    })
}

/// Returns the unit normal; `None` if the tangents are parallel.
#[inline(always)]
fn normal<const D: usize>(face: &Face<D>, foot: &ClosestPoint<D>) -> Option<Vector<D>> {
    let [t, s] = &foot.tangents;
    let n: Vector<D> = match D {
        2 => Vector::from_fn(|i, _| if i == 0 { t[1] } else { -t[0] }),
        _ => Vector::from_fn(|i, _| {
            t[(i + 1) % D] * s[(i + 2) % D] - t[(i + 2) % D] * s[(i + 1) % D]
        }),
    };
    let squared = n.norm_squared();

    // Tiny faces underflow here; the face scales its tangents first.
    if squared > f64::MIN_POSITIVE / f64::EPSILON {
        Some(n * (1.0 / squared.sqrt()))
    } else {
        face.normal(foot.local)
    }
}

/// Returns the part of the face on which natural coordinates lie. Active bounds are exact, except
/// for the slanted side of a triangle, whose sum is rounded. Uses a lookup table, because a branch
/// would be unpredictable.
#[inline(always)]
fn place(domain: Domain, [xi, eta]: [f64; 2]) -> On {
    use On::{Edge, Face, Vertex};
    let bits =
        |conditions: [bool; 4]| (0..4).fold(0, |bits, k| bits | usize::from(conditions[k]) << k);

    match domain {
        Domain::Segment => {
            [Face, Vertex(0), Vertex(1), Face][bits([xi == -1.0, xi == 1.0, false, false])]
        }
        // ξ = 1, ξ = −1, η = 1, η = −1; never two opposite ones.
        Domain::Square => {
            const PARTS: [On; 11] = [
                Face,
                Edge(1),
                Edge(3),
                Face,
                Edge(2),
                Vertex(2),
                Vertex(3),
                Face,
                Edge(0),
                Vertex(1),
                Vertex(0),
            ];
            PARTS[bits([xi == 1.0, xi == -1.0, eta == 1.0, eta == -1.0])]
        }
        // ξ = 0, η = 0, ξ + η = 1.
        Domain::Triangle => {
            const PARTS: [On; 8] = [
                Face,
                Edge(2),
                Edge(0),
                Vertex(0),
                Edge(1),
                Vertex(2),
                Vertex(1),
                Vertex(0),
            ];
            PARTS[bits([xi <= 0.0, eta <= 0.0, xi + eta >= 1.0 - f64::EPSILON, false])]
        }
    }
}
