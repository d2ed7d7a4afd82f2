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
mod tests {
    use super::*;
    use crate::space::Random;

    /// A face of unit size with its nodes displaced at random.
    fn bent<const D: usize>(kind: FaceKind, by: f64, random: &mut Random) -> Face<D> {
        let nodes: Vec<Point<D>> = kind
            .node_positions()
            .iter()
            .map(|local| {
                Point::from(Vector::from_fn(|i, _| {
                    if i < 2 && i < D - 1 { local[i] } else { 0.0 }
                }))
            })
            .map(|p: Point<D>| p + random.direction::<D>() * by * random.unit())
            .collect();
        Face::new(kind, &nodes).expect("fits")
    }

    fn sample(kind: FaceKind, random: &mut Random) -> [f64; 2] {
        loop {
            let local = [random.within(-1.0, 1.0), random.within(-1.0, 1.0)];
            if kind.domain().contains(local) {
                return local;
            }
        }
    }

    fn boxes_hold_samples<const D: usize>(offset: f64) {
        let mut random = Random::new(7);
        for kind in FaceKind::ALL
            .into_iter()
            .filter(|kind| kind.dimension() + 1 == D)
        {
            let mut bulges = 0;
            for _ in 0..50 {
                let mut face = bent::<D>(kind, 0.8, &mut random);
                face.nodes
                    .iter_mut()
                    .for_each(|p| *p += Vector::repeat(offset));
                let bounds = face.bounds();

                // An evaluated point of a straight face may be rounded to beyond its corners.
                let slack = if kind.order() == 1 {
                    1e-15 * (1.0 + offset)
                } else {
                    0.0
                };
                let nodes_only = Aabb::of(face.nodes().iter().copied());

                for _ in 0..1000 {
                    let point = face.position(sample(kind, &mut random));
                    assert!(
                        bounds.grown(slack).contains(&point),
                        "{} {point}",
                        kind.name()
                    );
                    bulges += usize::from(!nodes_only.grown(1e-3).contains(&point));
                }
            }

            assert_eq!(
                bulges > 0,
                kind.order() == 2,
                "only quadratic faces leave the box of their nodes"
            );
        }
    }

    #[test]
    fn the_box_of_a_bent_face_holds_a_thousand_of_its_points() {
        boxes_hold_samples::<2>(0.0);
        boxes_hold_samples::<3>(0.0);
        boxes_hold_samples::<3>(1e6);
    }

    #[test]
    fn the_box_of_a_straight_quadratic_face_is_that_of_its_corners() {
        let mut random = Random::new(1);
        for kind in [FaceKind::Tri6, FaceKind::Quad8, FaceKind::Quad9] {
            let face = bent::<3>(kind, 0.0, &mut random);
            let tight = Aabb::of(face.nodes()[..kind.corner_count()].iter().copied());
            assert!((face.bounds().min - tight.min).amax() < 1e-13);
            assert!((face.bounds().max - tight.max).amax() < 1e-13);
        }
    }

    #[test]
    fn tangents_and_second_derivatives_are_differences_of_positions_and_tangents() {
        const STEP: f64 = 1e-3;
        let mut random = Random::new(4);
        for kind in FaceKind::ALL
            .into_iter()
            .filter(|kind| kind.dimension() == 2)
        {
            let face = bent::<3>(kind, 0.3, &mut random);
            let [xi, eta] = sample(kind, &mut random);
            let slope = |a: Vector<3>, b: Vector<3>| (a - b) / (2.0 * STEP);
            let along_xi = slope(
                face.position([xi + STEP, eta]).coords,
                face.position([xi - STEP, eta]).coords,
            );
            assert!((face.tangents([xi, eta])[0] - along_xi).amax() < 1e-10);

            let bend = slope(
                face.tangents([xi, eta + STEP])[0],
                face.tangents([xi, eta - STEP])[0],
            );
            assert!((face.second_derivatives([xi, eta])[1] - bend).amax() < 1e-10);
        }
    }

    #[test]
    fn normals_point_out_of_a_counter_clockwise_face_and_right_of_a_line() {
        let mut random = Random::new(9);
        for kind in FaceKind::ALL {
            if kind.dimension() == 2 {
                let normal = bent::<3>(kind, 0.0, &mut random)
                    .normal(kind.domain().centre())
                    .expect("regular");
                assert!((normal - Vector::z()).amax() < 1e-15, "{}", kind.name());
            } else {
                let normal = bent::<2>(kind, 0.0, &mut random)
                    .normal([0.3, 0.0])
                    .expect("regular");
                assert!(
                    (normal + Vector::y()).amax() < 1e-15,
                    "the body is on the left"
                );
            }
        }
    }

    #[test]
    fn a_degenerate_face_has_no_normal_and_a_tiny_one_has() {
        let at = |corners: [[f64; 3]; 3]| {
            Face::new(FaceKind::Tri3, &corners.map(Point::from)).expect("fits")
        };
        assert_eq!(at([[1.0; 3]; 3]).normal([0.2, 0.2]), None);
        assert_eq!(at([[0.0; 3], [1.0; 3], [2.0; 3]]).normal([0.2, 0.2]), None);
        let tiny = at([[0.0; 3], [1e-200, 0.0, 0.0], [0.0, 1e-200, 0.0]]);

        assert_eq!(tiny.normal([0.2, 0.2]), Some(Vector::z()));
    }

    #[test]
    fn a_face_needs_its_number_of_nodes_and_its_dimension() {
        let points = [Point::<3>::origin(); 10];
        for kind in FaceKind::ALL {
            for count in 0..=10 {
                let fits = kind.dimension() == 2 && count == kind.node_count();
                assert_eq!(Face::new(kind, &points[..count]).is_some(), fits);
            }
        }
    }

    #[test]
    fn a_face_far_away_keeps_its_digits() {
        let near = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        let far = near.map(|p: Point<3>| p + Vector::repeat(1e12));
        let face = Face::new(FaceKind::Tri3, &far).expect("fits");
        assert_eq!(
            face.position([0.25, 0.5]) - far[0],
            Vector::<3>::from([0.25, 0.5, 0.0])
        );

        assert_eq!(face.area_normal([0.1, 0.1]), Vector::<3>::z());
    }
}
