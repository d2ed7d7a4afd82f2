//! Triangulation of scene shapes.

use super::WorldError;
use crate::scene::{ConvexSpec, Lathe, ShapeSpec};
use impinge::inside::inward_part;
use impinge::shape::{
    Mesh, Polyhedron, Problem, ProblemKind, Surface, WELD_TOLERANCE, generate, inspect,
};
use impinge::space::{Aabb, Point, Random};
use std::f64::consts::TAU;
use std::path::Path;

/// Triangles in a shape's own frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Triangles {
    pub(super) points: Vec<Point<3>>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Triangles {
    pub(super) fn of(surface: &Surface) -> Self {
        Self {
            points: surface.points().to_vec(),
            triangles: surface.triangles().to_vec(),
        }
    }

    pub(super) fn scaled(mut self, scale: f64) -> Self {
        self.points.iter_mut().for_each(|point| *point *= scale);
        self
    }

    /// Triangulates the faces of a polyhedron, each as a fan.
    pub(super) fn of_polyhedron(body: &Polyhedron) -> Self {
        let mut triangles = Vec::new();
        for face in 0..body.face_count() {
            let corners: Vec<u32> = body.face_corners(face).collect();
            triangles.extend(
                corners[1..]
                    .windows(2)
                    .map(|pair| [corners[0], pair[0], pair[1]]),
            );
        }

        Self {
            points: body.points().to_vec(),
            triangles,
        }
    }
}

/// Returns the triangles as a closed surface. Points within 1e-12 of the size are merged, and a
/// surface that faces inward is flipped. `None` if it has open edges or encloses nothing. A surface
/// that seems closed but has an ambiguous inside is an error.
pub(super) fn closed(key: &str, given: &Triangles) -> Result<Option<Surface>, WorldError> {
    let problem = match repaired(given) {
        Ok(surface) => return whole(key, surface).map(Some),
        Err(problem) => problem,
    };
    let mesh = Mesh::of_triangles(given.points.clone(), &given.triangles);

    if problem.kind == ProblemKind::ZeroVolume || !inspect(&mesh).surface.closed {
        return Ok(None);
    }

    Err(unclear(key, problem))
}

/// Returns the triangles as a closed surface, by the same rule; a surface without an inside is an
/// error, too.
pub(super) fn enclosing(key: &str, given: &Triangles) -> Result<Surface, WorldError> {
    let surface = repaired(given).map_err(|fault| WorldError::shape(key, fault))?;
    whole(key, surface)
}

fn repaired(given: &Triangles) -> Result<Surface, Problem> {
    let size = Aabb::of(given.points.iter().copied()).longest_edge();
    let tolerance = WELD_TOLERANCE * size;
    Surface::repair_within(&given.points, &given.triangles, tolerance).map(|(surface, _)| surface)
}

fn whole(key: &str, surface: Surface) -> Result<Surface, WorldError> {
    match inward_part(&surface) {
        None => Ok(surface),
        Some(triangle) => Err(unclear(
            key,
            format!("the part with triangle {triangle} faces inward and is no cavity of another"),
        )),
    }
}

fn unclear(key: &str, problem: impl std::fmt::Display) -> WorldError {
    WorldError::unsuited(
        key,
        format!(
            "the inside is ambiguous: {problem}; mend the mesh, or make a wall whose two sides are both free \
             'hollow'"
        ),
    )
}

/// Subdivisions of a ball's icosahedron: 1,280 triangles, 0.4 % of the radius from the sphere.
const BALL_LEVEL: usize = 3;

/// Returns the triangles of a shape; `random` decides what the shape leaves open.
pub(super) fn triangles(
    key: &str,
    shape: &ShapeSpec,
    folder: &Path,
    random: &mut Random,
) -> Result<Triangles, WorldError> {
    let argument = |fault| WorldError::argument(key, fault);
    Ok(match shape {
        ShapeSpec::Sphere(radius) => {
            Triangles::of(&generate::icosphere(BALL_LEVEL).map_err(argument)?).scaled(*radius)
        }
        ShapeSpec::Foam(foam) => {
            Triangles::of(&generate::foam(foam.triangles, foam.seed).map_err(argument)?)
                .scaled(0.5 * foam.size)
        }
        ShapeSpec::Motorcycle(motorcycle) => {
            let body = generate::motorcycle();
            let length = body.bounds().extent().x;
            Triangles::of(&body).scaled(motorcycle.length / length)
        }
        ShapeSpec::Lathe(lathe) => turned(lathe),
        ShapeSpec::Mesh(path) => {
            let mesh = read(key, path, folder)?;
            Triangles {
                triangles: mesh.triangles(),
                points: mesh.points,
            }
        }
        ShapeSpec::Box(_)
        | ShapeSpec::Polyhedron(_)
        | ShapeSpec::Points(_)
        | ShapeSpec::Hull(_)
        | ShapeSpec::Polygon(_) => {
            Triangles::of_polyhedron(&polyhedron(key, shape, folder, random)?)
        }
    })
}

/// Returns the convex polyhedron of a shape that is one.
pub(super) fn polyhedron(
    key: &str,
    shape: &ShapeSpec,
    folder: &Path,
    random: &mut Random,
) -> Result<Polyhedron, WorldError> {
    let hull = |points: &[Point<3>]| {
        Polyhedron::hull(points).map_err(|fault| WorldError::shape(key, fault))
    };
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
            let unit = unit.map_err(|fault| WorldError::argument(key, fault))?;
            hull(
                &unit
                    .points()
                    .iter()
                    .map(|point| point * size)
                    .collect::<Vec<_>>(),
            )
        }
        other => Err(WorldError::unsuited(
            key,
            format!("a {} is no convex polyhedron", other.kind()),
        )),
    }
}

fn corners_of_box(edges: &[f64]) -> Vec<Point<3>> {
    let side = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -0.5 } else { 0.5 };
    (0..8)
        .map(|corner| Point::from([0, 1, 2].map(|axis| side(corner, axis) * edges[axis])))
        .collect()
}

pub(super) fn read(
    key: &str,
    path: &Path,
    folder: &Path,
) -> Result<impinge::shape::Mesh, WorldError> {
    let dataset = impinge_io::read(&folder.join(path));
    dataset
        .map(|dataset| dataset.mesh)
        .map_err(|fault| WorldError::File {
            key: format!("{key}.shape"),
            fault,
        })
}

/// Revolves a profile about the z axis. A corner on the axis is one point, not a ring.
fn turned(lathe: &Lathe) -> Triangles {
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

    Triangles { points, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_profile_encloses_the_volume_of_its_cylinder() {
        let lathe = Lathe {
            profile: vec![[0.0, 0.0], [0.5, 0.0], [0.5, 2.0], [0.0, 2.0]],
            sectors: 200,
        };
        let Triangles { points, triangles } = turned(&lathe);
        let closed = Surface::repair(&points, &triangles).expect("closed").0;

        assert!((closed.volume() - std::f64::consts::FRAC_PI_2).abs() < 1e-3);
    }

    /// Appends a unit cube at a position, optionally inside out.
    fn and_cube(mut given: Triangles, at: [f64; 3], is_inward: bool) -> Triangles {
        let cube = generate::block([1; 3], [1.0; 3]).expect("a cube");
        let first = given.points.len() as u32;
        let points = cube.points().iter();
        given
            .points
            .extend(points.map(|p| Point::from([p.x + at[0], p.y + at[1], p.z + at[2]])));
        let turned = |[a, b, c]: [u32; 3]| if is_inward { [a, c, b] } else { [a, b, c] };
        let faces = cube.triangles().iter();
        given
            .triangles
            .extend(faces.map(|face| turned(face.map(|node| node + first))));

        given
    }

    #[test]
    fn surfaces_are_closed_by_one_rule_or_refused() {
        let none = || Triangles {
            points: Vec::new(),
            triangles: Vec::new(),
        };
        let inward = and_cube(none(), [0.0; 3], true);
        let closed_inward = closed("wall[0]", &inward).expect("clear");
        assert!(closed_inward.is_some_and(|cube| (cube.volume() - 1.0).abs() < 1e-12));

        let mut open = and_cube(none(), [0.0; 3], false);
        open.triangles.pop();
        assert!(closed("wall[0]", &open).expect("open").is_none());
        assert!(enclosing("body[0]", &open).is_err());

        let sharing_an_edge = and_cube(and_cube(none(), [0.0; 3], false), [1.0, 1.0, 0.0], false);
        let beside = and_cube(and_cube(none(), [0.0; 3], false), [3.0, 0.0, 0.0], true);
        let large = and_cube(none(), [0.0; 3], false).scaled(9.0);
        let refused = [
            sharing_an_edge,
            and_cube(beside, [6.0, 0.0, 0.0], false),
            and_cube(large, [20.0, 0.0, 0.0], true),
        ];

        for given in refused {
            let error = closed("wall[0]", &given).expect_err("unclear").to_string();
            assert!(error.contains("not clear what is inside"), "{error}");
        }
    }

    #[test]
    fn a_box_has_twelve_triangles_about_its_centre() {
        let cuboid = ShapeSpec::Box(vec![1.0, 2.0, 3.0]);
        let made =
            triangles("wall[0]", &cuboid, Path::new(""), &mut Random::new(0)).expect("a box");
        assert_eq!((made.points.len(), made.triangles.len()), (8, 12));
        assert!(
            made.points
                .iter()
                .all(|p| (p.x.abs(), p.y.abs(), p.z.abs()) == (0.5, 1.0, 1.5))
        );
    }
}
