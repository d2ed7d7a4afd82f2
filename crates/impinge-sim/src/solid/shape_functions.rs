//! Shape functions of solid cells and where to integrate them. Used once, when a solid is built.
//!
//! Natural coordinates: a tetrahedron has its corners at the origin and the three unit points, a
//! hexahedron at (±1, ±1, ±1). Nodes are in VTK's order.

use impinge::shape::ElementKind;
use impinge::space::Vector;
use std::sync::LazyLock;

/// A point of integration: natural coordinates and weight.
type Place = (Vector<3>, f64);

/// The corners between which the mid nodes of a tet10 lie.
const TET_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];

/// The nodes of a hex27; those of hex8 and hex20 are its first ones.
#[rustfmt::skip]
const HEX_NODES: [[f64; 3]; 27] = [
    [-1., -1., -1.], [1., -1., -1.], [1., 1., -1.], [-1., 1., -1.],
    [-1., -1., 1.], [1., -1., 1.], [1., 1., 1.], [-1., 1., 1.],
    [0., -1., -1.], [1., 0., -1.], [0., 1., -1.], [-1., 0., -1.],
    [0., -1., 1.], [1., 0., 1.], [0., 1., 1.], [-1., 0., 1.],
    [-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.],
    [-1., 0., 0.], [1., 0., 0.], [0., -1., 0.], [0., 1., 0.], [0., 0., -1.], [0., 0., 1.],
    [0., 0., 0.],
];

/// The shape functions of a kind at a point, and the point's weight.
pub(super) struct Sample {
    pub(super) weight: f64,
    /// Value and gradient in natural coordinates.
    pub(super) functions: Vec<(f64, Vector<3>)>,
}

/// The shape functions of a kind where they are needed.
pub(super) struct Table {
    /// At the points of integration.
    pub(super) integration: Vec<Sample>,
    /// At those of a finer rule with positive weights, for volumes and masses.
    pub(super) fine: Vec<Sample>,
    /// At the nodes, without a weight.
    pub(super) nodes: Vec<Sample>,
}

impl Table {
    /// Returns the table of a kind; that of tet4 if the kind is not supported.
    pub(super) fn of(kind: ElementKind) -> &'static Self {
        static TABLES: LazyLock<[Table; 5]> = LazyLock::new(|| SUPPORTED.map(Table::new));
        let place = SUPPORTED.iter().position(|&supported| supported == kind);
        &TABLES[place.unwrap_or(0)]
    }

    fn new(kind: ElementKind) -> Self {
        let samples = |places: Vec<Place>| {
            let sample = |(at, weight): Place| Sample {
                weight,
                functions: functions(kind, &at),
            };
            places.into_iter().map(sample).collect()
        };
        let nodes = nodes(kind).into_iter().map(|node| (node, 0.0));

        Self {
            integration: samples(quadrature(kind)),
            fine: samples(fine_quadrature(kind)),
            nodes: samples(nodes.collect()),
        }
    }
}

/// The kinds of cells that a solid can have.
pub(super) const SUPPORTED: [ElementKind; 5] = [
    ElementKind::Tet4,
    ElementKind::Tet10,
    ElementKind::Hex8,
    ElementKind::Hex20,
    ElementKind::Hex27,
];

/// Returns whether a kind is a tetrahedron; the others are hexahedra.
fn is_tetrahedron(kind: ElementKind) -> bool {
    matches!(kind, ElementKind::Tet4 | ElementKind::Tet10)
}

/// Returns the natural coordinates of the nodes.
fn nodes(kind: ElementKind) -> Vec<Vector<3>> {
    if !is_tetrahedron(kind) {
        let nodes = &HEX_NODES[..kind.node_count()];
        return nodes.iter().map(|&node| Vector::from(node)).collect();
    }

    let corners: [Vector<3>; 4] =
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector::from);
    let mid_nodes = TET_EDGES.map(|[a, b]| (corners[a] + corners[b]) / 2.0);
    let all = corners.into_iter().chain(mid_nodes);
    all.take(kind.node_count()).collect()
}

/// Returns the value and the gradient in natural coordinates of each shape function at a point.
fn functions(kind: ElementKind, xi: &Vector<3>) -> Vec<(f64, Vector<3>)> {
    match kind {
        ElementKind::Tet4 => barycentric(xi).to_vec(),
        ElementKind::Tet10 => quadratic_tetrahedron(xi),
        ElementKind::Hex20 => HEX_NODES[..20].iter().map(|a| serendipity(a, xi)).collect(),
        _ => {
            let functions = HEX_NODES[..kind.node_count()].iter();
            functions.map(|a| product(kind.order(), a, xi)).collect()
        }
    }
}

fn barycentric(xi: &Vector<3>) -> [(f64, Vector<3>); 4] {
    let axis = |k: usize| Vector::from_fn(|row, _| f64::from(u8::from(row == k)));
    [
        (1.0 - xi.sum(), Vector::repeat(-1.0)),
        (xi.x, axis(0)),
        (xi.y, axis(1)),
        (xi.z, axis(2)),
    ]
}

/// L(2L − 1) at corners, 4 LₐL_b at the mid nodes.
fn quadratic_tetrahedron(xi: &Vector<3>) -> Vec<(f64, Vector<3>)> {
    let linear = barycentric(xi);
    let corners = linear.map(|(l, dl)| (l * (2.0 * l - 1.0), dl * (4.0 * l - 1.0)));
    let mid_nodes = TET_EDGES.map(|[a, b]| {
        let [(la, da), (lb, db)] = [linear[a], linear[b]];
        (4.0 * la * lb, (da * lb + db * la) * 4.0)
    });

    corners.into_iter().chain(mid_nodes).collect()
}

/// The product of Lagrange's polynomials of the node `a` on the three axes.
fn product(order: usize, a: &[f64; 3], xi: &Vector<3>) -> (f64, Vector<3>) {
    let factors: [(f64, f64); 3] = std::array::from_fn(|k| lagrange(order, a[k], xi[k]));
    let value = factors.iter().map(|factor| factor.0).product();
    let slope = Vector::from_fn(|k, _| {
        let others = (0..3).filter(|&j| j != k).map(|j| factors[j].0);
        factors[k].1 * others.product::<f64>()
    });

    (value, slope)
}

/// Lagrange's polynomial of the node `a` among −1, 1 (order 1) or −1, 0, 1 (order 2), and its slope.
fn lagrange(order: usize, a: f64, x: f64) -> (f64, f64) {
    match (order, a == 0.0) {
        (1, _) => (0.5 * (1.0 + a * x), 0.5 * a),
        (_, true) => (1.0 - x * x, -2.0 * x),
        _ => (0.5 * x * (x + a), x + 0.5 * a),
    }
}

/// ⅛ Π(1 + aₖξₖ)(Σaₖξₖ − 2) at corners; ¼ (1 − ξ²)(1 + bη)(1 + cζ) at mid nodes.
fn serendipity(a: &[f64; 3], xi: &Vector<3>) -> (f64, Vector<3>) {
    let factors: [(f64, f64); 3] = std::array::from_fn(|k| match a[k] {
        0.0 => (1.0 - xi[k] * xi[k], -2.0 * xi[k]),
        _ => (1.0 + a[k] * xi[k], a[k]),
    });
    let others = |k: usize| {
        let others = (0..3).filter(|&j| j != k).map(|j| factors[j].0);
        others.product::<f64>()
    };
    let value = factors[0].0 * others(0);
    let slope = Vector::from_fn(|k, _| factors[k].1 * others(k));

    if a.contains(&0.0) {
        return (value / 4.0, slope / 4.0);
    }

    let a = Vector::from(*a);
    let rest = a.dot(xi) - 2.0;
    (value * rest / 8.0, (slope * rest + a * value) / 8.0)
}

/// Returns where the energy of a cell is integrated: exactly for linear elasticity on cells with
/// straight, parallel sides. The number of points leaves no mode of deformation without energy.
fn quadrature(kind: ElementKind) -> Vec<Place> {
    match kind {
        ElementKind::Tet4 => vec![(Vector::repeat(0.25), 1.0 / 6.0)],
        ElementKind::Tet10 => four_points(),
        _ => gauss_cube(1 + kind.order()),
    }
}

/// Returns a finer rule with positive weights, of degree 5 at least, for volumes and masses.
fn fine_quadrature(kind: ElementKind) -> Vec<Place> {
    let cube = gauss_cube(4);
    if !is_tetrahedron(kind) {
        return cube;
    }

    // A cube collapsed to a tetrahedron: Stroud's conical product.
    let collapsed = |(at, weight): Place| {
        let [a, b, c] = [0, 1, 2].map(|k| 0.5 * (1.0 + at[k]));
        let point = Vector::<3>::new(a, b * (1.0 - a), c * (1.0 - a) * (1.0 - b));
        (point, weight / 8.0 * (1.0 - a).powi(2) * (1.0 - b))
    };
    cube.into_iter().map(collapsed).collect()
}

/// The symmetric rule of degree 2 on a tetrahedron.
fn four_points() -> Vec<Place> {
    let (near, far) = ((5.0 - 5f64.sqrt()) / 20.0, (5.0 + 3.0 * 5f64.sqrt()) / 20.0);
    let place = |corner: usize| {
        let at = Vector::from_fn(|k, _| if k + 1 == corner { far } else { near });
        (at, 1.0 / 24.0)
    };
    (0..4).map(place).collect()
}

fn gauss_cube(count: usize) -> Vec<Place> {
    let line = gauss(count);
    let mut places = Vec::new();
    for &(z, of_z) in &line {
        for &(y, of_y) in &line {
            places.extend(
                line.iter()
                    .map(|&(x, of_x)| (Vector::<3>::new(x, y, z), of_x * of_y * of_z)),
            );
        }
    }
    places
}

/// Gauss's points on [−1, 1] and their weights.
fn gauss(count: usize) -> Vec<(f64, f64)> {
    let both = |x: f64, weight: f64| [(-x, weight), (x, weight)];
    match count {
        2 => both(1.0 / 3f64.sqrt(), 1.0).to_vec(),
        3 => vec![
            (-0.6f64.sqrt(), 5.0 / 9.0),
            (0.0, 8.0 / 9.0),
            (0.6f64.sqrt(), 5.0 / 9.0),
        ],
        _ => {
            let spread = 2.0 / 7.0 * 1.2f64.sqrt();
            let share = 30f64.sqrt() / 36.0;
            let [near, far] = [-spread, spread].map(|s| (3.0 / 7.0 + s).sqrt());
            [both(near, 0.5 + share), both(far, 0.5 - share)].concat()
        }
    }
}

#[cfg(test)]
mod tests;
