//! Serialisation of shapes (feature `serde`), as the data that they are constructed from.

use super::{
    FaceKind, Faces, HalfSpace, Polygon, Polyhedron, Round, RoundKind, Solid, Sphere, Surface,
};
use crate::serial::as_data;
use crate::space::{Point, Vector};

as_data!(
    Sphere<D> where const D,
    |shape| { centre: Point<D> = shape.centre(), radius: f64 = shape.radius() },
    Sphere::new(centre, radius)
);

as_data!(
    HalfSpace<D> where const D,
    |shape| { point: Point<D> = shape.point(), normal: Vector<D> = shape.normal() },
    HalfSpace::new(point, normal)
);

as_data!(
    Round,
    |shape| {
        kind: RoundKind = shape.kind(),
        ends: [Point<3>; 2] = shape.ends(),
        radius: f64 = shape.radius(),
    },
    Round::new(kind, ends[0], ends[1], radius)
);

as_data!(
    Polygon,
    |shape| { points: Vec<Point<2>> = shape.points().to_vec() },
    Polygon::new(&points)
);

as_data!(
    Polyhedron,
    |shape| { points: Vec<Point<3>> = shape.points().to_vec() },
    Polyhedron::hull(&points)
);

as_data!(
    Surface,
    |shape| {
        points: Vec<Point<3>> = shape.points().to_vec(),
        triangles: Vec<[u32; 3]> = shape.triangles().to_vec(),
    },
    Surface::new(&points, &triangles)
);

// Deformed, because a solid may contain inverted tetrahedra after a step.
as_data!(
    Solid,
    |shape| {
        points: Vec<Point<3>> = shape.points().to_vec(),
        tetrahedra: Vec<[u32; 4]> = shape.tetrahedra().to_vec(),
    },
    Solid::deformed(&points, &tetrahedra).map(|(solid, _)| solid)
);

as_data!(
    Faces<D> where const D,
    |shape| {
        points: Vec<Point<D>> = shape.points().to_vec(),
        kinds: Vec<FaceKind> = (0..shape.len()).map(|face| shape.kind(face)).collect(),
        nodes: Vec<u32> = (0..shape.len()).flat_map(|face| shape.nodes(face).to_vec()).collect(),
    },
    Faces::new(points, kinds, nodes)
);
