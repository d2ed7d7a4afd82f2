//! Small convex bodies in positions that break distance algorithms.

use impinge::narrow::brute3;
use impinge::shape::{Polygon, Polyhedron};
use impinge::space::{Matrix, Point, Pose, Random, Vector};
use std::f64::consts::TAU;

/// How the second body is placed relative to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Placing {
    /// Anywhere within reach.
    Anywhere,
    /// Moved along the normal until the gap is zero, up to rounding.
    Touching,
    /// Not rotated, and translated by a lattice vector: parallel facets slide on each other.
    Sliding,
    /// A vertex on a vertex.
    VertexOnVertex,
    /// The midpoint of an edge on the midpoint of an edge.
    EdgeOnEdge,
    /// Centre near centre.
    Deep,
    /// A copy of the first body, in the same place or next to it.
    Identical,
    /// 10⁹ away.
    Far,
    /// Boxes face to face at gaps from 10⁻¹⁵ to 10⁻⁷ of their size, of either sign.
    FaceToFace,
}

pub(crate) const PLACINGS: [Placing; 9] = [
    Placing::Anywhere,
    Placing::Touching,
    Placing::Sliding,
    Placing::VertexOnVertex,
    Placing::EdgeOnEdge,
    Placing::Deep,
    Placing::Identical,
    Placing::Far,
    Placing::FaceToFace,
];

impl Placing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "anywhere",
            Self::Touching => "touching",
            Self::Sliding => "sliding along parallel faces",
            Self::VertexOnVertex => "vertex on vertex",
            Self::EdgeOnEdge => "edge on edge",
            Self::Deep => "deep overlap",
            Self::Identical => "identical bodies",
            Self::Far => "1e9 apart",
            Self::FaceToFace => "boxes face to face",
        }
    }
}

/// Extents of the bodies along their axes: round, flat, and needles of aspect ratio 10⁶.
const EXTENTS: [[f64; 3]; 5] = [
    [1.0; 3],
    [1.0, 0.5, 0.2],
    [1.0, 1.0, 1e-3],
    [1.0, 1e-6, 1e-6],
    [1.0, 1.0, 1e-6],
];

/// Creates the hull of 4 to 9 points: on an ellipsoid, in it, or on a lattice, which gives many
/// parallel facets.
pub(crate) fn body(random: &mut Random) -> Polyhedron {
    loop {
        let extents = Vector::<3>::from(EXTENTS[random.below(EXTENTS.len())]);
        let (count, kind) = (4 + random.below(6), random.below(4));
        let mut point = || match kind {
            0 => Point::from(random.direction::<3>().component_mul(&extents)),
            1 => Point::from(
                (random.direction::<3>() * random.within(0.2, 1.0)).component_mul(&extents),
            ),
            _ => Point::from([(); 3].map(|()| random.below(3) as f64 * 0.5)),
        };
        let points: Vec<Point<3>> = (0..count).map(|_| point()).collect();

        if let Ok(body) = Polyhedron::hull(&points) {
            return body;
        }
    }
}

pub(crate) fn box_of(extents: [f64; 3]) -> Polyhedron {
    let corner =
        |i: usize| Point::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { extents[k] } else { 0.0 }));
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box")
}

fn turned(random: &mut Random) -> Matrix<3> {
    // Every third is not rotated: parallel edges and facets.
    if random.below(3) == 0 {
        return Matrix::identity();
    }

    let q = std::array::from_fn(|_| random.within(-1.0, 1.0));
    *Pose::from_quaternion(q, [0.0; 3])
        .expect("finite and not zero")
        .rotation()
}

fn vertex(random: &mut Random, body: &Polyhedron) -> Point<3> {
    body.points()[random.below(body.vertex_count())]
}

fn middle_of_edge(random: &mut Random, body: &Polyhedron) -> Point<3> {
    let ends = body.ends(random.below(body.half_edges().len()) as u32);
    let [from, to] = ends.map(|i| body.points()[i as usize]);
    from + (to - from) * 0.5
}

/// Returns the pose of the second body. The first is at rest at the origin.
pub(crate) fn place(
    random: &mut Random,
    placing: Placing,
    a: &Polyhedron,
    b: &Polyhedron,
) -> Pose<3> {
    let rotation = match placing {
        Placing::Sliding | Placing::Identical | Placing::FaceToFace => Matrix::identity(),
        _ => turned(random),
    };
    let at = |position: Vector<3>| Pose::new(rotation, Point::from(position)).expect("a rotation");
    let onto = |p: Point<3>, q: Point<3>| at(p.coords - rotation * q.coords);

    match placing {
        Placing::Anywhere => at(random.direction::<3>() * random.within(0.0, 3.0)),
        Placing::Touching => {
            let pose = at(random.direction::<3>() * random.within(0.5, 3.0));
            let (gap, normal) = brute3::gap(a, &Pose::identity(), b, &pose);
            at(pose.position().coords - normal * gap)
        }
        Placing::Sliding => at(Vector::<3>::from_fn(|_, _| {
            random.below(9) as f64 * 0.25 - 1.0
        })),
        Placing::VertexOnVertex => onto(vertex(random, a), vertex(random, b)),
        Placing::EdgeOnEdge => onto(middle_of_edge(random, a), middle_of_edge(random, b)),
        Placing::Deep => at(random.direction::<3>() * random.within(0.0, 0.05)),
        Placing::Identical => {
            at(random.direction::<3>() * [0.0, 1e-15, 1e-12, 1e-9, 1e-3][random.below(5)])
        }
        Placing::Far => at(random.direction::<3>() * 1e9),
        Placing::FaceToFace => {
            let gap = [1e-15, 1e-12, 1e-9, 1e-7][random.below(4)] * [1.0, -1.0][random.below(2)];
            let top = a.bounds().max.z;
            at(Vector::<3>::new(
                random.within(-0.4, 0.8),
                random.within(-0.4, 0.8),
                top + gap,
            ))
        }
    }
}

/// Creates the hull of 3 to 12 points in 2D.
pub(crate) fn polygon(random: &mut Random) -> Polygon {
    loop {
        let flat = [1.0, 1.0, 0.1, 1e-6][random.below(4)];
        let (count, on_lattice) = (3 + random.below(10), random.below(3) == 0);
        let mut point = || {
            let p = random.direction::<2>() * random.within(0.3, 1.0);
            if on_lattice {
                Point::from([(); 2].map(|()| random.below(4) as f64 * 0.25))
            } else {
                Point::from([p.x, p.y * flat])
            }
        };
        let points: Vec<Point<2>> = (0..count).map(|_| point()).collect();

        if let Ok(polygon) = Polygon::hull(&points) {
            return polygon;
        }
    }
}

/// Returns a pose of the second polygon: near, touching at corners, in the same place or 10⁹ away.
pub(crate) fn place2(random: &mut Random, a: &Polygon, b: &Polygon) -> Pose<2> {
    let angle = [0.0, random.within(0.0, TAU)][random.below(2)];
    let pose = Pose::from_angle(angle, [0.0; 2]).expect("finite");
    let corner = |random: &mut Random, body: &Polygon| {
        body.points()[random.below(body.corner_count())].coords
    };
    let position = match random.below(5) {
        0 => corner(random, a) - pose.rotation() * corner(random, b),
        1 => random.direction::<2>() * [0.0, 1e-15, 1e-12, 1e-3][random.below(4)],
        2 => random.direction::<2>() * 1e9,
        3 => Vector::<2>::from_fn(|_, _| random.below(9) as f64 * 0.25 - 1.0),
        _ => random.direction::<2>() * random.within(0.0, 2.5),
    };

    Pose::new(*pose.rotation(), Point::from(position)).expect("a rotation")
}
