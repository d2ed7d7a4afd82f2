//! The faces of finite elements: natural coordinates and shape functions.
//!
//! A face is the image of a reference domain under x(ξ) = Σ Nᵢ(ξ) vᵢ with Lagrangian shape
//! functions Nᵢ [Aragon2013, section 3.3]. The domain is the segment [−1, 1], the triangle ξ, η ≥
//! 0, ξ + η ≤ 1, or the square [−1, 1]². Nodes are in VTK's order, which for these seven kinds is
//! also that of Gmsh. Corners around the face come first, then the mid-side nodes starting with
//! that of corners 0–1, then the centre.
//!
//! Lines use only the first natural coordinate. Everything is in closed form, in fixed arrays,
//! without allocation.

use super::ElementKind;

/// Maximum number of nodes of a face.
pub const MOST_FACE_NODES: usize = 9;

/// A kind of face: its shape and number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // Self-explanatory names: shape and number of nodes.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FaceKind {
    Line2,
    Line3,
    Tri3,
    Tri6,
    Quad4,
    Quad8,
    Quad9,
}

/// The domain of the natural coordinates of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Domain {
    /// −1 ≤ ξ ≤ 1; η is ignored.
    Segment,
    /// ξ ≥ 0, η ≥ 0, ξ + η ≤ 1.
    Triangle,
    /// −1 ≤ ξ, η ≤ 1.
    Square,
}

impl Domain {
    /// Returns whether the closed domain contains the natural coordinates.
    pub fn contains(self, [xi, eta]: [f64; 2]) -> bool {
        match self {
            Self::Segment => xi.abs() <= 1.0,
            Self::Triangle => xi >= 0.0 && eta >= 0.0 && xi + eta <= 1.0,
            Self::Square => xi.abs() <= 1.0 && eta.abs() <= 1.0,
        }
    }

    /// The centre of the domain.
    pub fn centre(self) -> [f64; 2] {
        match self {
            Self::Triangle => [1.0 / 3.0; 2],
            Self::Segment | Self::Square => [0.0; 2],
        }
    }

    /// Length or area: 2, ½ or 4.
    pub fn measure(self) -> f64 {
        match self {
            Self::Segment => 2.0,
            Self::Triangle => 0.5,
            Self::Square => 4.0,
        }
    }
}

/// One value per node; those beyond the kind's node count are zero.
pub type PerNode<T> = [T; MOST_FACE_NODES];

impl FaceKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Line2,
        Self::Line3,
        Self::Tri3,
        Self::Tri6,
        Self::Quad4,
        Self::Quad8,
        Self::Quad9,
    ];

    /// The corresponding element kind.
    pub fn element(self) -> ElementKind {
        match self {
            Self::Line2 => ElementKind::Line2,
            Self::Line3 => ElementKind::Line3,
            Self::Tri3 => ElementKind::Tri3,
            Self::Tri6 => ElementKind::Tri6,
            Self::Quad4 => ElementKind::Quad4,
            Self::Quad8 => ElementKind::Quad8,
            Self::Quad9 => ElementKind::Quad9,
        }
    }

    /// The face kind of an element kind; `None` for vertices and solid elements.
    pub fn of_element(kind: ElementKind) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.element() == kind)
    }

    /// Name in lower case: `tri6`.
    pub fn name(self) -> &'static str {
        self.element().name()
    }

    /// Number of nodes.
    #[inline]
    pub fn node_count(self) -> usize {
        match self {
            Self::Line2 => 2,
            Self::Line3 | Self::Tri3 => 3,
            Self::Quad4 => 4,
            Self::Tri6 => 6,
            Self::Quad8 => 8,
            Self::Quad9 => 9,
        }
    }

    /// Number of corners.
    #[inline]
    pub fn corner_count(self) -> usize {
        match self.domain() {
            Domain::Segment => 2,
            Domain::Triangle => 3,
            Domain::Square => 4,
        }
    }

    /// Number of natural coordinates: 1 for lines, 2 for surface faces.
    #[inline]
    pub fn dimension(self) -> usize {
        if self.domain() == Domain::Segment {
            1
        } else {
            2
        }
    }

    /// Polynomial order: 1 with straight sides, 2 with curved ones.
    #[inline]
    pub fn order(self) -> usize {
        if self.node_count() == self.corner_count() {
            1
        } else {
            2
        }
    }

    /// The domain of the natural coordinates.
    #[inline]
    pub fn domain(self) -> Domain {
        match self {
            Self::Line2 | Self::Line3 => Domain::Segment,
            Self::Tri3 | Self::Tri6 => Domain::Triangle,
            Self::Quad4 | Self::Quad8 | Self::Quad9 => Domain::Square,
        }
    }

    /// The natural coordinates of the nodes.
    pub fn node_positions(self) -> &'static [[f64; 2]] {
        match self.domain() {
            Domain::Segment => &SEGMENT_NODES[..self.node_count()],
            Domain::Triangle => &TRIANGLE_NODES[..self.node_count()],
            Domain::Square => &SQUARE_NODES[..self.node_count()],
        }
    }

    /// The shape functions Nᵢ.
    ///
    /// ```
    /// use impinge::shape::FaceKind;
    /// let middle = FaceKind::Quad8.values([0.0, 0.0]);
    /// assert_eq!(middle, [-0.25, -0.25, -0.25, -0.25, 0.5, 0.5, 0.5, 0.5, 0.0]);
    /// ```
    #[inline]
    pub fn values(self, [xi, eta]: [f64; 2]) -> PerNode<f64> {
        match self {
            Self::Line2 => along(linear(xi).value),
            Self::Line3 => along(quadratic(xi).value),
            Self::Tri3 => along([1.0 - xi - eta, xi, eta]),
            Self::Tri6 => triangle_values(xi, eta),
            Self::Quad4 => product::<4>(linear(xi).value, linear(eta).value),
            Self::Quad8 => without_centre(product::<9>(quadratic(xi).value, quadratic(eta).value)),
            Self::Quad9 => product::<9>(quadratic(xi).value, quadratic(eta).value),
        }
    }

    /// The first derivatives [∂Nᵢ/∂ξ, ∂Nᵢ/∂η].
    #[inline]
    pub fn gradients(self, [xi, eta]: [f64; 2]) -> [PerNode<f64>; 2] {
        match self {
            Self::Line2 => [along(linear(xi).first), [0.0; MOST_FACE_NODES]],
            Self::Line3 => [along(quadratic(xi).first), [0.0; MOST_FACE_NODES]],
            Self::Tri3 => [0, 1].map(|x| along([SLOPES[0][x], SLOPES[1][x], SLOPES[2][x]])),
            Self::Tri6 => triangle_gradients(xi, eta),
            Self::Quad4 => square_gradients::<4>(linear(xi), linear(eta)),
            Self::Quad8 => square_gradients::<9>(quadratic(xi), quadratic(eta)).map(without_centre),
            Self::Quad9 => square_gradients::<9>(quadratic(xi), quadratic(eta)),
        }
    }

    /// The second derivatives [∂²Nᵢ/∂ξ², ∂²Nᵢ/∂ξ∂η, ∂²Nᵢ/∂η²].
    #[inline]
    pub fn hessians(self, [xi, eta]: [f64; 2]) -> [PerNode<f64>; 3] {
        let none = [0.0; MOST_FACE_NODES];
        match self {
            Self::Line2 | Self::Tri3 => [none; 3],
            Self::Line3 => [along(quadratic(xi).second), none, none],
            Self::Tri6 => TRIANGLE_HESSIANS,
            Self::Quad4 => square_hessians::<4>(linear(xi), linear(eta)),
            Self::Quad8 => square_hessians::<9>(quadratic(xi), quadratic(eta)).map(without_centre),
            Self::Quad9 => square_hessians::<9>(quadratic(xi), quadratic(eta)),
        }
    }
}

const SEGMENT_NODES: [[f64; 2]; 3] = [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]];

const TRIANGLE_NODES: [[f64; 2]; 6] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [0.5, 0.0],
    [0.5, 0.5],
    [0.0, 0.5],
];

#[rustfmt::skip]
const SQUARE_NODES: [[f64; 2]; 9] = [
    [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0],
];

/// For each node of the square, the nodes of the two segments whose functions are multiplied.
const FACTORS: [[usize; 2]; 9] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [2, 0],
    [1, 2],
    [2, 1],
    [0, 2],
    [2, 2],
];

/// Derivatives ∂λ/∂ξ, ∂λ/∂η of the three barycentric coordinates.
const SLOPES: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];

/// The two corners of each side of the triangle.
const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// Second derivatives of tri6, which are constant: 4 ∇λ∇λᵀ at corners, 4 (∇λₐ∇λᵦᵀ + ∇λᵦ∇λₐᵀ) at sides.
#[rustfmt::skip]
const TRIANGLE_HESSIANS: [PerNode<f64>; 3] = [
    [4.0, 4.0, 0.0, -8.0, 0.0,  0.0, 0.0, 0.0, 0.0],
    [4.0, 0.0, 0.0, -4.0, 4.0, -4.0, 0.0, 0.0, 0.0],
    [4.0, 0.0, 4.0,  0.0, 0.0, -8.0, 0.0, 0.0, 0.0],
];

/// Shape functions of a segment and their derivatives: the two ends, then the midpoint.
#[derive(Clone, Copy)]
struct Segment {
    value: [f64; 3],
    first: [f64; 3],
    second: [f64; 3],
}

#[inline]
fn linear(x: f64) -> Segment {
    Segment {
        value: [0.5 * (1.0 - x), 0.5 * (1.0 + x), 0.0],
        first: [-0.5, 0.5, 0.0],
        second: [0.0; 3],
    }
}

#[inline]
fn quadratic(x: f64) -> Segment {
    Segment {
        value: [
            0.5 * x * (x - 1.0),
            0.5 * x * (x + 1.0),
            (1.0 - x) * (1.0 + x),
        ],
        first: [x - 0.5, x + 0.5, -2.0 * x],
        second: [1.0, 1.0, -2.0],
    }
}

#[inline]
fn along(values: [f64; 3]) -> PerNode<f64> {
    let mut all = [0.0; MOST_FACE_NODES];
    all[..3].copy_from_slice(&values);
    all
}

/// The products of the functions of two segments at the first `N` nodes of the square.
#[inline]
fn product<const N: usize>(u: [f64; 3], v: [f64; 3]) -> PerNode<f64> {
    let mut all = [0.0; MOST_FACE_NODES];
    for i in 0..N {
        all[i] = u[FACTORS[i][0]] * v[FACTORS[i][1]];
    }
    all
}

#[inline]
fn square_gradients<const N: usize>(u: Segment, v: Segment) -> [PerNode<f64>; 2] {
    [
        product::<N>(u.first, v.value),
        product::<N>(u.value, v.first),
    ]
}

#[inline]
fn square_hessians<const N: usize>(u: Segment, v: Segment) -> [PerNode<f64>; 3] {
    [
        product::<N>(u.second, v.value),
        product::<N>(u.first, v.first),
        product::<N>(u.value, v.second),
    ]
}

/// Derives quad8 from quad9. The serendipity functions span a subspace of the biquadratic ones, in
/// which the centre is −¼ Σ corners + ½ Σ sides. The function of the centre is therefore
/// distributed to the other nodes with these weights.
#[inline]
fn without_centre(mut all: PerNode<f64>) -> PerNode<f64> {
    let centre = all[8];
    for i in 0..4 {
        all[i] -= 0.25 * centre;
        all[i + 4] += 0.5 * centre;
    }

    all[8] = 0.0;
    all
}

#[inline]
fn triangle_values(xi: f64, eta: f64) -> PerNode<f64> {
    let lambda = [1.0 - xi - eta, xi, eta];
    let mut all = [0.0; MOST_FACE_NODES];
    for i in 0..3 {
        let [a, b] = SIDES[i];
        all[i] = lambda[i] * (2.0 * lambda[i] - 1.0);
        all[i + 3] = 4.0 * lambda[a] * lambda[b];
    }

    all
}

#[inline]
fn triangle_gradients(xi: f64, eta: f64) -> [PerNode<f64>; 2] {
    let lambda = [1.0 - xi - eta, xi, eta];
    [0, 1].map(|x| {
        let mut all = [0.0; MOST_FACE_NODES];
        for i in 0..3 {
            let [a, b] = SIDES[i];
            all[i] = (4.0 * lambda[i] - 1.0) * SLOPES[i][x];
            all[i + 3] = 4.0 * (lambda[a] * SLOPES[b][x] + lambda[b] * SLOPES[a][x]);
        }
        all
    })
}

#[cfg(test)]
mod tests;
