//! A single finite-element face with its node coordinates: geometry, derivatives and bounds.
//!
//! The outward direction is fixed by the order of the nodes. Surface faces are counter-clockwise
//! seen from outside, so that n = ∂x/∂ξ × ∂x/∂η points outward. Lines in 2D have the body on their
//! left, so that n is the tangent rotated clockwise. Faces from [`Cells`](super::Cells) follow this
//! convention.
//!
//! A quadratic face bulges beyond its nodes. In terms of Bernstein polynomials, which are
//! non-negative and sum to one, it lies in the convex hull of its Bézier control points; their box
//! is the face's box. Per direction the control points of the values (a, m, b) at −1, 0, 1 are a,
//! 2m − ½(a + b), b.

use super::face_kind::{Domain, FaceKind, MOST_FACE_NODES, PerNode};
use crate::space::{Aabb, Point, Vector};

/// A face of dimension `D` − 1 in `D`-dimensional space: a line in 2D or a surface face in 3D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<const D: usize> {
    kind: FaceKind,
    nodes: PerNode<Point<D>>,
}

impl<const D: usize> Face<D> {
    /// Creates a face with the given nodes; `None` if their number does not match the kind, or if
    /// the kind does not have `D` − 1 natural coordinates.
    ///
    /// ```
    /// use impinge::{shape::{Face, FaceKind}, space::{Point, Vector}};
    /// let arch = Face::new(FaceKind::Line3, &[[0.0, 0.0], [2.0, 0.0], [1.0, -1.0]].map(Point::from)).unwrap();
    /// assert_eq!(arch.position([0.5, 0.0]), Point::from([1.5, -0.75]));
    /// assert_eq!(arch.normal([0.0, 0.0]), Some(Vector::from([0.0, -1.0])));
    /// ```
    pub fn new(kind: FaceKind, nodes: &[Point<D>]) -> Option<Self> {
        let fits = kind.dimension() + 1 == D && nodes.len() == kind.node_count();
        let mut all = [Point::origin(); MOST_FACE_NODES];
        if fits {
            all[..nodes.len()].copy_from_slice(nodes);
        }
        fits.then_some(Self { kind, nodes: all })
    }

    /// The kind of the face.
    #[inline]
    pub fn kind(&self) -> FaceKind {
        self.kind
    }

    /// The coordinates of the nodes.
    #[inline]
    pub fn nodes(&self) -> &[Point<D>] {
        &self.nodes[..self.kind.node_count()]
    }

    /// The position x(ξ) = Σ Nᵢ vᵢ.
    #[inline]
    pub fn position(&self, local: [f64; 2]) -> Point<D> {
        self.nodes[0] + self.combine(&self.kind.values(local))
    }

    /// The tangents ∂x/∂ξ and ∂x/∂η; the second is zero for lines.
    #[inline]
    pub fn tangents(&self, local: [f64; 2]) -> [Vector<D>; 2] {
        self.kind.gradients(local).map(|n| self.combine(&n))
    }

    /// The second derivatives ∂²x/∂ξ², ∂²x/∂ξ∂η and ∂²x/∂η².
    #[inline]
    pub fn second_derivatives(&self, local: [f64; 2]) -> [Vector<D>; 3] {
        self.kind.hessians(local).map(|n| self.combine(&n))
    }

    /// The outward normal, scaled to the face's area (length) per unit of the natural domain.
    #[inline]
    pub fn area_normal(&self, local: [f64; 2]) -> Vector<D> {
        normal_to(self.tangents(local))
    }

    /// The outward unit normal; `None` if the tangents are parallel or vanish.
    pub fn normal(&self, local: [f64; 2]) -> Option<Vector<D>> {
        // Scaled first, so that tiny faces do not underflow.
        let unit = |v: Vector<D>| if v.amax() > 0.0 { v / v.amax() } else { v };
        let normal = normal_to(self.tangents(local).map(unit));
        (normal.amax() > 0.0).then(|| unit(normal).normalize())
    }

    /// A box that contains the whole face: tight around its corners for order 1, else around the
    /// control points, with a margin for their rounding.
    pub fn bounds(&self) -> Aabb<D> {
        let around = |points: &[Point<D>]| Aabb::of(points.iter().copied());
        match self.kind.order() {
            1 => around(self.nodes()),
            _ => {
                // quad8 also has the control point of a centre.
                let count = if self.kind.domain() == Domain::Square {
                    9
                } else {
                    self.kind.node_count()
                };
                let hull = around(&self.control_points()[..count]);
                hull.grown(ROUNDING * hull.min.coords.amax().max(hull.max.coords.amax()))
            }
        }
    }

    /// Bézier control points of a quadratic face. Corners are unchanged, that of each side is 2m −
    /// ½(a + b), and that of the centre is 4c − Σ sides + ¼ Σ corners.
    fn control_points(&self) -> PerNode<Point<D>> {
        let corners = self.kind.corner_count();
        let (origin, arm) = (self.nodes[0], |i: usize| self.nodes[i] - self.nodes[0]);
        let mut controls = self.nodes;
        let side_count = if corners == 2 { 1 } else { corners };

        for i in 0..side_count {
            controls[corners + i] =
                origin + arm(corners + i) * 2.0 - (arm(i) + arm((i + 1) % corners)) * 0.5;
        }

        if corners == 4 {
            let sum =
                |range: std::ops::Range<usize>| range.fold(Vector::zeros(), |sum, i| sum + arm(i));
            let (ends, sides) = (sum(0..4), sum(4..8));
            controls[8] = origin
                + match self.kind {
                    // The centre of a quad8 is −¼ Σ corners + ½ Σ sides.
                    FaceKind::Quad8 => sides - ends * 0.75,
                    _ => arm(8) * 4.0 - sides + ends * 0.25,
                };
        }

        controls
    }

    /// Σ nᵢ (vᵢ − v₀). The weights n sum to one or to zero; taking the nodes relative to the first
    /// one preserves the digits of a small face far from the origin.
    #[inline]
    fn combine(&self, weights: &PerNode<f64>) -> Vector<D> {
        let mut sum = Vector::zeros();
        for i in 1..self.kind.node_count() {
            sum += (self.nodes[i] - self.nodes[0]) * weights[i];
        }
        sum
    }
}

/// Rounding error of a control point and of an evaluated position, relative to the largest
/// coordinate. There are about ten additions of half an ulp each, of numbers up to eight times as
/// large.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

#[inline]
fn normal_to<const D: usize>([t, s]: [Vector<D>; 2]) -> Vector<D> {
    match D {
        2 => Vector::from_fn(|i, _| if i == 0 { t[1] } else { -t[0] }),
        _ => Vector::from_fn(|i, _| {
            t[(i + 1) % D] * s[(i + 2) % D] - t[(i + 2) % D] * s[(i + 1) % D]
        }),
    }
}

#[cfg(test)]
mod tests;
