//! Labelled cells against tests of all triangles, on simple, large, degenerate and hostile
//! surfaces.

use super::*;
use crate::inside::RayCrossing;
use crate::shape::{Feature, generate};
use crate::space::{Random, Sign, Vector, orient3};
use rayon::prelude::*;

type Mesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A net of rows × columns quadrilaterals, closed in both directions, each split into two
/// triangles.
fn net(rows: u32, columns: u32, point: impl Fn(f64, f64) -> [f64; 3]) -> Mesh {
    let at = |i: u32, j: u32| (i % rows) * columns + j % columns;
    let points = (0..rows * columns).map(|n| {
        point(
            f64::from(n / columns) / f64::from(rows),
            f64::from(n % columns) / f64::from(columns),
        )
    });
    let quads = (0..rows * columns).map(|n| (n / columns, n % columns));

    let faces = quads.flat_map(|(i, j)| {
        [
            [at(i, j), at(i + 1, j), at(i + 1, j + 1)],
            [at(i, j), at(i + 1, j + 1), at(i, j + 1)],
        ]
    });

    (points.collect(), faces.collect())
}

fn torus(rows: u32, columns: u32) -> Mesh {
    net(rows, columns, |s, t| {
        let ((sin, cos), (up, out)) = (
            (s * std::f64::consts::TAU).sin_cos(),
            (t * std::f64::consts::TAU).sin_cos(),
        );
        let radius = 1.0 + 0.4 * out;
        [radius * cos, radius * sin, 0.4 * up]
    })
}

/// The sphere of 8·4^level triangles, with its points mapped by `place`.
fn sphere(level: usize, place: impl Fn(Vector<3>) -> [f64; 3]) -> Mesh {
    let ball = generate::sphere(level).expect("a level in range");
    (
        ball.points().iter().map(|p| place(p.coords)).collect(),
        ball.triangles().to_vec(),
    )
}

/// The unit cube, with faces of n × n squares.
fn cube(n: u32) -> Mesh {
    let mut soup = Vec::new();
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            for cell in 0..n * n {
                let corner = |du: u32, dv: u32| {
                    let mut p = [side; 3];
                    p[(axis + 1) % 3] = f64::from(cell / n + du) / f64::from(n);
                    p[(axis + 2) % 3] = f64::from(cell % n + dv) / f64::from(n);
                    p
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                let turned = side == 0.0;

                soup.extend(if turned {
                    [a, c, b, a, d, c]
                } else {
                    [a, b, c, a, c, d]
                });
            }
        }
    }

    let soup: Vec<Point<3>> = soup.into_iter().map(Point::from).collect();
    let (points, number) = crate::shape::weld(&soup);
    (
        points.iter().map(|p| [p.x, p.y, p.z]).collect(),
        number.chunks(3).map(|t| [t[0], t[1], t[2]]).collect(),
    )
}

fn moved((points, faces): Mesh, scale: f64, offset: [f64; 3]) -> Mesh {
    let place = |p: [f64; 3]| [0, 1, 2].map(|axis| p[axis] * scale + offset[axis]);
    (points.into_iter().map(place).collect(), faces)
}

fn reversed((points, faces): Mesh) -> Mesh {
    (
        points,
        faces.into_iter().map(|[a, b, c]| [a, c, b]).collect(),
    )
}

fn joined(meshes: impl IntoIterator<Item = Mesh>) -> Mesh {
    meshes.into_iter().fold(
        (Vec::new(), Vec::new()),
        |(mut points, mut faces), (more_points, more_faces)| {
            let before = points.len() as u32;
            points.extend(more_points);
            faces.extend(more_faces.into_iter().map(|face| face.map(|n| n + before)));
            (points, faces)
        },
    )
}

fn surface((points, faces): Mesh) -> Surface {
    Surface::new(&points, &faces).expect("closed")
}

/// Two cones over a thin disc: `count` needles meet at each tip.
fn fan(count: u32) -> Mesh {
    let mut points = vec![[0.0, 0.0, 0.3], [0.0, 0.0, -0.3]];
    points.extend((0..count).map(|i| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / f64::from(count)).sin_cos();
        [cos, sin, 0.0]
    }));
    let faces = (0..count).flat_map(|i| {
        let (a, b) = (2 + i, 2 + (i + 1) % count);
        [[0, a, b], [1, b, a]]
    });

    (points, faces.collect())
}

/// A sphere whose points crowd at one pole: edges from about 1 down to about 1e-4.
fn mixed_scales() -> Mesh {
    sphere(5, |v| {
        let angle = v.z.clamp(-1.0, 1.0).acos() / std::f64::consts::PI;
        let polar = std::f64::consts::PI * angle.powf(4.0);
        let flat = Vector::<2>::new(v.x, v.y);
        let around = if flat.norm() > 0.0 {
            flat.normalize()
        } else {
            flat
        };
        [around.x * polar.sin(), around.y * polar.sin(), polar.cos()]
    })
}

/// Points of every kind: random, near the surface at many distances, on it, on its vertices and
/// edges, one ulp off, on planes of vertices, and outside.
fn points_about(surface: &Surface, count: usize, seed: u64) -> Vec<Point<3>> {
    let mut random = Random::new(seed);
    let bounds = surface.bounds();
    let size = bounds.longest_edge();
    (0..count)
        .map(|i| {
            let t = random.below(surface.triangles().len());
            let [a, b, c] = surface.corners(t);
            let (s, r) = (random.unit(), random.unit());
            let on_face = a + ((b - a) * s + (c - a) * (r * (1.0 - s)));
            let normal = (b - a).cross(&(c - a)).normalize();
            let anywhere = Point::from(std::array::from_fn::<f64, 3, _>(|x| {
                bounds.min[x] + (random.within(-0.05, 1.05)) * bounds.extent()[x]
            }));
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            match i % 10 {
                0 | 1 => anywhere,
                2 => on_face + normal * (side * size * 10f64.powf(random.within(-16.0, -1.0))),
                3 => a,
                4 => Point::from(a.coords * 0.5 + b.coords * 0.5),
                5 => Point::from(a.coords * 0.25 + b.coords * 0.25 + c.coords * 0.5),
                6 => Point::from([a.x, b.y, c.z]),
                7 => Point::from([a.x, anywhere.y, a.z]),
                8 => Point::from([one_ulp(a.x, side), a.y, a.z]),
                _ => {
                    let middle = Point::from(a.coords * 0.25 + b.coords * 0.25 + c.coords * 0.5);
                    Point::from([middle.x, middle.y, one_ulp(middle.z, side)])
                }
            }
        })
        .collect()
}

/// Returns the next floating-point number; from zero a step of 1e-80, because products of subnormal
/// numbers underflow in the exact predicates.
fn one_ulp(x: f64, side: f64) -> f64 {
    match (x == 0.0, side > 0.0) {
        (true, _) => 1e-80 * side,
        (false, true) => x.next_up(),
        (false, false) => x.next_down(),
    }
}

/// Compares with ray crossing over all faces, and returns the numbers of points outside, inside and
/// on the surface.
fn agree(surface: &Surface, options: CellsOptions, points: &[Point<3>]) -> [usize; 3] {
    let surface = Arc::new(surface.clone());
    let cells = LabelledCells::new(surface.clone(), options);
    let rays = RayCrossing::over_all_faces(surface, 1);
    cells.assert_valid();
    let mut positions = Vec::new();
    cells.positions(points, &mut positions);
    points
        .par_iter()
        .zip(&positions)
        .enumerate()
        .for_each(|(row, (point, &position))| {
            assert_eq!(position, rays.position(row, point).0, "{point:?}");
            assert_eq!(position, cells.position(point), "{point:?}");
        });

    positions.iter().fold([0; 3], |mut seen, position| {
        seen[match position {
            Position::Outside => 0,
            Position::Inside => 1,
            Position::On(_) => 2,
        }] += 1;
        seen
    })
}

fn agree_about(surface: &Surface, count: usize) {
    let points = points_about(surface, count, 7);
    for triangles_per_cell in [1, 8, 50] {
        let seen = agree(surface, CellsOptions { triangles_per_cell }, &points);
        assert!(seen.iter().all(|&n| n > count / 50), "{seen:?} of {count}");
    }
}

#[test]
fn cubes_are_answered_as_by_all_triangles() {
    agree_about(&surface(cube(1)), 4000);
    agree_about(&surface(cube(8)), 4000);
    agree_about(&surface(cube(13)), 2000);
}

#[test]
fn spheres_and_tori_are_answered_as_by_all_triangles() {
    agree_about(&surface(sphere(4, |v| v.into())), 4000);
    agree_about(&surface(torus(40, 20)), 4000);
}

#[test]
fn foams_are_answered_as_by_all_triangles() {
    agree_about(&generate::foam(6_000, 2).expect("a number in range"), 3000);
}

#[test]
fn all_faces_without_preparation_answer_as_rays_do() {
    let shape = surface(joined([cube(3), moved(cube(2), 1.0, [0.5, 0.0, 1.0])]));
    let rays = RayCrossing::over_all_faces(shape.clone(), 1);
    for (row, point) in points_about(&shape, 2000, 8).iter().enumerate() {
        assert_eq!(
            by_all_faces(&shape, point),
            rays.position(row, point).0,
            "{point:?}"
        );
    }
}

#[test]
fn far_tiny_and_huge_surfaces_are_answered_as_by_all_triangles() {
    for (scale, offset) in [
        (1.0, [1e9, -1e9, 1e9]),
        (1e-9, [0.0; 3]),
        (1e-9, [1.0, 0.0, -1.0]),
        (1e40, [0.0; 3]),
        (1e-60, [0.0; 3]),
        (1e-5, [1e9, 0.0, 0.0]),
    ] {
        let (points, faces) = moved(sphere(3, |v| v.into()), scale, offset);
        // Rounding may flatten triangles of the last two; welding and dropping repairs those it
        // can.
        if let Ok((surface, _)) = Surface::repair(&points, &faces) {
            agree(
                &surface,
                CellsOptions::default(),
                &points_about(&surface, 1000, 3),
            );
        } else {
            assert_eq!(scale, 1e-5);
        }
        let far_cube = surface(moved(cube(4), scale, offset.map(|x| x.round())));
        agree(
            &far_cube,
            CellsOptions {
                triangles_per_cell: 1,
            },
            &points_about(&far_cube, 1000, 4),
        );
    }
}

#[test]
fn a_cube_of_a_few_ulps_is_answered_as_by_all_triangles() {
    let tiny = surface(moved(cube(4), 8.0 * 1e9 * f64::EPSILON, [1e9 + 0.5; 3]));
    let ulp = tiny.bounds().min.x.next_up() - tiny.bounds().min.x;
    let lattice: Vec<Point<3>> = (0..20 * 20 * 20)
        .map(|n| {
            tiny.bounds().min
                + Vector::from([n % 20, n / 20 % 20, n / 400].map(|k| (f64::from(k) - 2.0) * ulp))
        })
        .collect();

    let seen = agree(
        &tiny,
        CellsOptions {
            triangles_per_cell: 1,
        },
        &lattice,
    );

    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn nested_touching_and_crossing_shells_follow_the_parity_rule() {
    let ball = |scale, x| moved(sphere(2, |v| v.into()), scale, [x, 0.0, 0.0]);
    agree_about(
        &surface(joined([
            ball(1.0, 0.0),
            reversed(ball(0.7, 0.0)),
            ball(0.4, 0.0),
        ])),
        2000,
    );

    agree_about(
        &surface(joined([ball(1.0, 0.0), ball(0.7, 0.0), ball(0.4, 0.1)])),
        2000,
    );
    agree_about(
        &surface(joined([ball(1.0, 0.0), ball(1.0, 2.0), ball(1.0, 1.0)])),
        2000,
    );
    let cubes = [[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.0, 1.0, 1.0]]
        .map(|at| moved(cube(2), 1.0, at));

    agree_about(&surface(joined(cubes)), 2000);
}

#[test]
fn random_tetrahedra_on_a_small_lattice_follow_the_parity_rule() {
    // Faces coincide, edges cross and vertices touch in every way; half of the points lie in the
    // plane of some face.
    let mut random = Random::new(17);
    for round in 0..60 {
        let mut corner = || [0, 1, 2].map(|_| random.below(5) as f64);
        let tetrahedra = (0..1 + round % 8).filter_map(|_| {
            let corners = [corner(), corner(), corner(), corner()];
            let [a, b, c, d] = corners.map(Point::from);
            let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
            match orient3(&a, &b, &c, &d) {
                Sign::Positive => Some((corners.to_vec(), faces)),
                Sign::Negative => Some(reversed((corners.to_vec(), faces))),
                Sign::Zero => None,
            }
        });
        let mesh = joined(tetrahedra);

        if mesh.1.is_empty() {
            continue;
        }

        let lattice: Vec<Point<3>> = (0..11 * 11 * 11)
            .map(|n| Point::from([n % 11, n / 11 % 11, n / 121].map(|k| f64::from(k) * 0.5 - 0.5)))
            .collect();
        agree(
            &surface(mesh),
            CellsOptions {
                triangles_per_cell: 1 + round % 3,
            },
            &lattice,
        );
    }
}

#[test]
fn slivers_are_answered_as_by_all_triangles() {
    agree_about(&surface(sphere(3, |v| [v.x, v.y, v.z * 1e-8])), 2000);
    agree_about(
        &surface(moved(
            sphere(3, |v| [v.x * 1e-8, v.y, v.z]),
            1.0,
            [0.0, 5.0, 0.0],
        )),
        2000,
    );

    agree_about(
        &surface(sphere(2, |v| [v.x, v.x + v.y * 1e-8, v.x + v.z])),
        2000,
    );
}

#[test]
fn a_mesh_of_mixed_scales_is_nested_and_answered_as_by_all_triangles() {
    let mixed = surface(mixed_scales());
    let cells = LabelledCells::new(mixed.clone(), CellsOptions::default());
    assert!(!cells.children.is_empty());
    agree_about(&mixed, 1000);
}

#[test]
fn needles_that_meet_in_one_vertex_do_not_nest_without_end() {
    let fan = surface(fan(5_000));
    let cells = LabelledCells::new(fan.clone(), CellsOptions::default());
    assert!(
        cells.memory() < 400 * fan.triangles().len(),
        "{}",
        cells.memory()
    );

    agree(&fan, CellsOptions::default(), &points_about(&fan, 500, 9));
}

#[test]
fn a_crowd_in_one_corner_is_answered_as_by_all_triangles() {
    let crowd = moved(torus(60, 40), 1e-6, [0.9, 0.9, 0.9]);
    let crowd = surface(joined([
        crowd,
        moved(cube(1), 1.0, [-10.0; 3]),
        moved(cube(1), 1.0, [10.0; 3]),
    ]));

    agree(
        &crowd,
        CellsOptions::default(),
        &points_about(&crowd, 1000, 9),
    );
}

#[test]
fn the_tetrahedron_knows_its_features() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let tetrahedron = surface((
        corners.to_vec(),
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    ));
    let cells = LabelledCells::new(tetrahedron.clone(), CellsOptions::default());
    let at = |p: [f64; 3]| cells.position(&p.into());
    assert_eq!(at([0.25, 0.25, 0.0]), Position::On(Feature::Face(0)));
    assert_eq!(at([0.5, 0.0, 0.5]), Position::On(Feature::Edge([1, 3])));
    assert_eq!(at([0.0, 1.0, 0.0]), Position::On(Feature::Vertex(2)));
    assert_eq!(at([0.25, 0.25, 0.5]), Position::On(Feature::Face(2)));
    assert_eq!(at([0.25, 0.25, 0.5f64.next_up()]), Position::Outside);
    assert_eq!(at([0.25, 0.25, 0.5f64.next_down()]), Position::Inside);

    for far in [1e12, 1e300, f64::INFINITY, f64::NAN] {
        assert_eq!(at([far, 0.1, 0.1]), Position::Outside);
        assert_eq!(at([0.1, -far, far]), Position::Outside);
    }
}

#[test]
fn grids_are_filled_with_the_positions_of_their_points() {
    let shapes = [
        surface(cube(4)),
        surface(torus(30, 20)),
        surface(mixed_scales()),
    ];
    for shape in &shapes {
        let cells = LabelledCells::new(shape.clone(), CellsOptions::default());
        let rays = RayCrossing::with_tree(shape.clone(), 1);
        for count in [1, 2, 17, 33] {
            // Over the cube itself, many points of the first grids lie on the faces.
            let grid = PointGrid::over_cube(shape.bounds(), count);
            let points: Vec<Point<3>> = grid.points().collect();
            let (mut filled, mut asked) = (Vec::new(), Vec::new());
            cells.grid(&grid, &mut filled);
            cells.positions(&points, &mut asked);
            assert_eq!(filled, asked);

            points
                .par_iter()
                .zip(&filled)
                .enumerate()
                .for_each(|(row, (point, &position))| {
                    assert_eq!(position, rays.position(row, point).0, "{point:?}");
                });
        }

        let none = PointGrid {
            min: Point::origin(),
            step: Vector::repeat(1.0),
            count: [3, 0, 2],
        };

        cells.grid(&none, &mut vec![Position::Inside]);
    }
}

#[test]
fn the_structure_and_the_answers_are_the_same_for_1_2_and_7_threads() {
    let shape = surface(joined([
        mixed_scales(),
        moved(torus(64, 32), 0.3, [0.0, 0.0, 2.0]),
    ]));
    let points = points_about(&shape, 100_000, 5);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let cells = LabelledCells::new(shape.clone(), CellsOptions::default());
            let mut positions = Vec::new();
            cells.positions(&points, &mut positions);
            let sizes = (
                cells.nodes.len(),
                cells.children.len(),
                cells.leaves.len(),
                cells.memory(),
            );
            (positions, sizes, cells.nodes, cells.children)
        })
    };
    let one = with(1);

    assert!(one == with(2) && one == with(7));
}

#[test]
fn prepared_surfaces_take_less_than_400_bytes_for_each_triangle() {
    for shape in [
        surface(sphere(6, |v| v.into())),
        surface(torus(128, 64)),
        surface(mixed_scales()),
    ] {
        let cells = LabelledCells::new(shape.clone(), CellsOptions::default());
        let bytes = cells.memory() / shape.triangles().len();
        assert!((50..400).contains(&bytes), "{bytes}");
    }
}

#[test]
fn points_in_any_order_get_their_own_positions() {
    let ball = surface(sphere(4, |v| v.into()));
    let cells = LabelledCells::new(ball.clone(), CellsOptions::default());
    let mut points = points_about(&ball, 70_000, 6);
    let (mut forth, mut back) = (Vec::new(), Vec::new());
    cells.positions(&points, &mut forth);
    points.reverse();
    cells.positions(&points, &mut back);
    back.reverse();
    assert_eq!(forth, back);
    cells.positions(&[], &mut back);

    assert!(back.is_empty());
}
