//! Shapes of a scene: read from files, generated, or drawn at random.

use super::BuildError;
use crate::scene::{ConvexSpec, Lathe, ShapeSpec};
use impinge::shape::{Mesh, Polygon, Polyhedron, generate};
use impinge::space::{Point, Random};
use impinge_sim::TriangleMesh;
use std::f64::consts::TAU;
use std::path::Path;

/// Returns the triangles of a shape; `random` generates its random properties.
pub(super) fn triangles(
    key: &str,
    shape: &ShapeSpec,
    folder: &Path,
    random: &mut Random,
) -> Result<TriangleMesh, BuildError> {
    let argument = BuildError::argument(key);
    Ok(match shape {
        ShapeSpec::Sphere(radius) => TriangleMesh::ball(*radius),
        ShapeSpec::Foam(foam) => {
            TriangleMesh::from(&generate::foam(foam.triangles, foam.seed).map_err(argument)?)
                .scaled(0.5 * foam.size)
        }
        ShapeSpec::Motorcycle(motorcycle) => {
            let body = generate::motorcycle();
            let length = body.bounds().extent().x;
            TriangleMesh::from(&body).scaled(motorcycle.length / length)
        }
        ShapeSpec::Lathe(lathe) => turned(lathe),
        ShapeSpec::Mesh(path) => {
            let mesh = read(key, path, folder)?;
            TriangleMesh {
                triangles: mesh.triangles(),
                points: mesh.points,
            }
        }
        ShapeSpec::Box(_)
        | ShapeSpec::Polyhedron(_)
        | ShapeSpec::Points(_)
        | ShapeSpec::Hull(_)
        | ShapeSpec::Polygon(_) => TriangleMesh::from(&polyhedron(key, shape, folder, random)?),
    })
}

/// Returns the convex polyhedron of a shape that is one.
pub(super) fn polyhedron(
    key: &str,
    shape: &ShapeSpec,
    folder: &Path,
    random: &mut Random,
) -> Result<Polyhedron, BuildError> {
    let hull = |points: &[Point<3>]| Polyhedron::hull(points).map_err(BuildError::shape(key));
    match shape {
        ShapeSpec::Box(edges) => hull(&corners_of_box(edges)),
        ShapeSpec::Points(points) => hull(
            &points
                .iter()
                .map(|point| Point::from([point[0], point[1], point[2]]))
                .collect::<Vec<_>>(),
        ),
        ShapeSpec::Hull(path) | ShapeSpec::Mesh(path) => hull(&read(key, path, folder)?.points),
        ShapeSpec::Polyhedron(ConvexSpec { vertices, radius }) => {
            let size = radius.draw(random);
            let unit = generate::polyhedron(*vertices, random.bits());
            let unit = unit.map_err(BuildError::argument(key))?;
            hull(
                &unit
                    .points()
                    .iter()
                    .map(|point| point * size)
                    .collect::<Vec<_>>(),
            )
        }
        other => Err(BuildError::unsuited(
            key,
            format!("a {} is not a convex polyhedron", other.kind()),
        )),
    }
}

/// Returns the convex polygon of a shape in the plane.
pub(super) fn polygon(
    key: &str,
    shape: &ShapeSpec,
    random: &mut Random,
) -> Result<Polygon, BuildError> {
    let hull = |points: &[Point<2>]| Polygon::hull(points).map_err(BuildError::shape(key));
    match shape {
        ShapeSpec::Box(edges) => {
            let [x, y] = [0.5 * edges[0], 0.5 * edges[1]];
            hull(&[[-x, -y], [x, -y], [x, y], [-x, y]].map(Point::from))
        }
        ShapeSpec::Points(points) => hull(
            &points
                .iter()
                .map(|point| Point::from([point[0], point[1]]))
                .collect::<Vec<_>>(),
        ),
        ShapeSpec::Polygon(ConvexSpec { vertices, radius }) => {
            let size = radius.draw(random);
            let unit = generate::polygon(*vertices, random.bits());
            let unit = unit.map_err(BuildError::argument(key))?;
            hull(
                &unit
                    .points()
                    .iter()
                    .map(|point| point * size)
                    .collect::<Vec<_>>(),
            )
        }
        other => Err(BuildError::unsuited(
            key,
            format!("a {} is not a polygon", other.kind()),
        )),
    }
}

/// Returns whether a shape is a convex polyhedron.
pub(super) fn is_convex(shape: &ShapeSpec) -> bool {
    match shape {
        ShapeSpec::Box(_)
        | ShapeSpec::Polyhedron(_)
        | ShapeSpec::Points(_)
        | ShapeSpec::Hull(_)
        | ShapeSpec::Polygon(_) => true,
        ShapeSpec::Sphere(_)
        | ShapeSpec::Mesh(_)
        | ShapeSpec::Foam(_)
        | ShapeSpec::Motorcycle(_)
        | ShapeSpec::Lathe(_) => false,
    }
}

fn corners_of_box(edges: &[f64]) -> Vec<Point<3>> {
    let side = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -0.5 } else { 0.5 };
    (0..8)
        .map(|corner| Point::from([0, 1, 2].map(|axis| side(corner, axis) * edges[axis])))
        .collect()
}

pub(super) fn read(key: &str, path: &Path, folder: &Path) -> Result<Mesh, BuildError> {
    let dataset = impinge_io::read(&folder.join(path));
    dataset
        .map(|dataset| dataset.mesh)
        .map_err(|fault| BuildError::File {
            key: format!("{key}.shape"),
            fault,
        })
}

/// Revolves a profile about the z axis. A corner on the axis is one point, not a ring.
fn turned(lathe: &Lathe) -> TriangleMesh {
    let around = lathe.sectors;
    let mut points = Vec::new();
    let mut rings: Vec<Vec<u32>> = Vec::new();

    for &[r, z] in &lathe.profile {
        let first = points.len() as u32;
        let count = if r == 0.0 { 1 } else { around };
        points.extend((0..count).map(|i| {
            let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
            Point::from([r * cos, r * sin, z])
        }));

        rings.push(
            (0..around as u32)
                .map(|i| if count == 1 { first } else { first + i })
                .collect(),
        );
    }

    let mut triangles = Vec::new();
    for pair in rings.windows(2) {
        for i in 0..around {
            let next = (i + 1) % around;
            let [a, b, c, d] = [pair[0][i], pair[0][next], pair[1][next], pair[1][i]];
            triangles.extend(
                [[a, b, c], [a, c, d]]
                    .into_iter()
                    .filter(|[a, b, c]| a != b && b != c && c != a),
            );
        }
    }

    TriangleMesh { points, triangles }
}

#[cfg(test)]
mod tests;
