//! The closest point of a finite-element face to a point, as the face is curved.
//!
//! min ½ |x(ξ) − y|² over the natural coordinates ξ of the face [Aragon2013, eq. (16)]. Lines and triangles with straight
//! sides have a closed formula. For the others Newton's method goes down from the nearest node, with the exact Hessian
//! and exact bounds (`descent`). A curved face may have several local minima: begun at one place only, some 0.5 % of
//! strongly curved faces end in the wrong one. So the minimum is proven to be the least: by one plane that has the face's
//! Bézier control points behind it, by secants (`secant`), or where that is not enough by branch and bound on the
//! Bernstein coefficients of the squared distance (`search`), which finds the least one if it is another.
//!
//! Over a whole surface, eq. (17), the face is found through a tree ([`FaceTree`]), and whole bodies are brought into
//! contact by [`node_to_surface`], [`surface_to_surface`] and [`self_contact`].
//!
//! Cost of one face: closed formulas less than 100 ns, quad4 some 300 ns, quadratic faces 400 to 700 ns.

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
    ContactOptions, FaceContact, NodeContact, Touch, node_to_surface, self_contact, surface_to_surface,
};
pub use tree::{FaceTree, Nearest};

use crate::shape::{Domain, Face};
use crate::space::{Point, Vector};
use foot::{Foot, foot};

/// The closest point of a face to a point. None where a coordinate of either is not finite, or so large that its square
/// is not.
///
/// ```
/// use impinge::narrow::projection::{On, project};
/// use impinge::shape::{Face, FaceKind};
/// use impinge::space::Point;
/// let arch = Face::new(FaceKind::Line3, &[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]].map(Point::from)).unwrap();
/// let above = project(&arch, &Point::from([0.0, 3.0])).unwrap();
/// assert_eq!((above.point, above.gap, above.on), (Point::from([0.0, 1.0]), 2.0, On::Face));
/// ```
pub fn project<const D: usize>(face: &Face<D>, point: &Point<D>) -> Option<Projection<D>> {
    foot(face, point, f64::INFINITY, |_| ()).map(|foot| dress(face, point, &foot))
}

/// All closest points of a face, where they are several: the first of them is the answer of [`project`], the others, up
/// to seven, follow by their natural coordinates.
pub fn project_all<const D: usize>(face: &Face<D>, point: &Point<D>, found: &mut Vec<Projection<D>>) {
    found.clear();
    let mut others = Vec::new();
    let Some(first) = foot(face, point, f64::INFINITY, |local| others.push(local)) else { return };
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

/// The answer with its normal and its sign.
#[inline]
fn dress<const D: usize>(face: &Face<D>, point: &Point<D>, foot: &Foot<D>) -> Projection<D> {
    let outward = normal(face, foot);
    let distance = foot.squared.sqrt();
    // Behind the face the way to the closest point goes along the normal.
    let behind = outward.is_some_and(|n| foot.r.dot(&n) > 0.0);
    let gap = if behind { -distance } else { distance };
    let on = place(face.kind().domain(), foot.local);
    let normal = match outward {
        Some(n) if on == On::Face || distance <= TOUCH * reach(foot) => n,
        _ if distance > 0.0 => foot.r * (-1.0 / gap),
        Some(n) => n,
        None => Vector::from_fn(|i, _| f64::from(u8::from(i == 0))),
    };
    Projection {
        local: foot.local,
        point: point + foot.r,
        normal,
        gap,
        on,
        status: foot.status,
        error: foot.error.min(distance),
        iterations: foot.steps,
    }
}

/// Gap, relative to the face, below which the way to the closest point is rounding and has no direction.
const TOUCH: f64 = 1e-12;

/// The size of the face around the foot.
fn reach<const D: usize>(foot: &Foot<D>) -> f64 {
    foot.tangents[0].amax().max(foot.tangents[1].amax())
}

/// The unit normal; none where the tangents are parallel.
#[inline]
fn normal<const D: usize>(face: &Face<D>, foot: &Foot<D>) -> Option<Vector<D>> {
    let [t, s] = &foot.tangents;
    let n: Vector<D> = match D {
        2 => Vector::from_fn(|i, _| if i == 0 { t[1] } else { -t[0] }),
        _ => Vector::from_fn(|i, _| t[(i + 1) % D] * s[(i + 2) % D] - t[(i + 2) % D] * s[(i + 1) % D]),
    };
    let squared = n.norm_squared();
    // Tiny faces underflow here; the face scales its tangents first.
    if squared > f64::MIN_POSITIVE / f64::EPSILON {
        Some(n * (1.0 / squared.sqrt()))
    } else {
        face.normal(foot.local)
    }
}

/// What part of the face natural coordinates are on. Active bounds are exact, but for the slanted side of a triangle,
/// whose sum is rounded.
fn place(domain: Domain, [xi, eta]: [f64; 2]) -> On {
    match domain {
        Domain::Segment if xi.abs() == 1.0 => On::Vertex(u8::from(xi > 0.0)),
        Domain::Segment => On::Face,
        Domain::Square => match (xi.abs() == 1.0, eta.abs() == 1.0) {
            (false, false) => On::Face,
            (true, false) => On::Edge(if xi > 0.0 { 1 } else { 3 }),
            (false, true) => On::Edge(if eta > 0.0 { 2 } else { 0 }),
            (true, true) if eta < 0.0 => On::Vertex(u8::from(xi > 0.0)),
            (true, true) => On::Vertex(if xi > 0.0 { 2 } else { 3 }),
        },
        Domain::Triangle => match (xi <= 0.0, eta <= 0.0, xi + eta >= 1.0 - f64::EPSILON) {
            (true, true, _) => On::Vertex(0),
            (_, true, true) => On::Vertex(1),
            (true, _, true) => On::Vertex(2),
            (_, true, _) => On::Edge(0),
            (_, _, true) => On::Edge(1),
            (true, _, _) => On::Edge(2),
            _ => On::Face,
        },
    }
}
