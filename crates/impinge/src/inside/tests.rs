//! Every method against the simple reference methods, on degenerate and special surfaces.

use super::samples::*;
use super::*;
use crate::shape::Surface;
use crate::space::{Point, Random};

const MULTIPOLE: InsideMethod = InsideMethod::Multipole(MultipoleOptions {
    degree: Degree::Given(4),
    depth: Depth::Triangles,
    separation: Some(1.1),
    ..MultipoleOptions::DEFAULT
});

fn locate(surface: &Surface, method: InsideMethod, points: &[Point<3>]) -> (Vec<Position>, Report) {
    let inside =
        Inside::new(surface.clone(), &InsideOptions { method, seed: 7 }).expect("valid options");
    let mut positions = Vec::new();
    let report = inside
        .positions(points, &mut positions)
        .expect("finite points");
    (positions, report)
}

fn agrees_with_ray_all(method: InsideMethod) {
    for (name, surface) in surfaces() {
        let points = hard_points(&surface, 31);
        let (expected, counts) = locate(&surface, InsideMethod::RayAll, &points);
        assert!(
            counts.boundary >= 40 && counts.inside > 10 && counts.outside > 10,
            "{name}: {counts:?}"
        );
        let (found, _) = locate(&surface, method, &points);

        for (row, point) in points.iter().enumerate() {
            assert_eq!(
                found[row], expected[row],
                "{method:?}, {name}, point {row} {point:?}"
            );
        }
    }
}

#[test]
fn auto_answers_as_ray_crossing_over_all_faces() {
    agrees_with_ray_all(InsideMethod::Auto);
}

#[test]
fn rays_through_the_tree_answer_as_over_all_faces() {
    agrees_with_ray_all(InsideMethod::Ray);
}

#[test]
fn the_direct_potential_answers_as_ray_crossing() {
    agrees_with_ray_all(InsideMethod::Potential);
}

#[test]
fn the_multipole_method_answers_as_ray_crossing() {
    agrees_with_ray_all(MULTIPOLE);
    let deep = MultipoleOptions {
        degree: Degree::Given(7),
        depth: Depth::Given(5),
        separation: Some(1.5),
        ..MultipoleOptions::DEFAULT
    };

    agrees_with_ray_all(InsideMethod::Multipole(deep));
}

/// Position relative to the cube [0, 1]³, by comparing coordinates.
fn in_unit_cube(p: &Point<3>) -> i32 {
    let within = p.iter().all(|&x| (0.0..=1.0).contains(&x));
    let on = p.iter().any(|&x| x == 0.0 || x == 1.0);
    match (within, on) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 1,
    }
}

#[test]
fn a_grid_that_coincides_with_the_planes_of_a_cube_is_located_exactly() {
    let points: Vec<Point<3>> = (0..4913)
        .map(|i| Point::from([i % 17, i / 17 % 17, i / 289].map(|k| f64::from(k) / 8.0 - 0.5)))
        .collect();
    for method in [
        InsideMethod::Auto,
        InsideMethod::Ray,
        InsideMethod::RayAll,
        InsideMethod::Potential,
        MULTIPOLE,
    ] {
        let (positions, report) = locate(&cube([0.0; 3], 1.0), method, &points);
        for (point, position) in points.iter().zip(&positions) {
            let code = match position {
                Position::Outside => 0,
                Position::Inside => 1,
                Position::On(_) => 2,
            };
            assert_eq!(code, in_unit_cube(point), "{method:?} {point}");
        }
        assert_eq!(
            (report.inside, report.boundary),
            (7 * 7 * 7, 9 * 9 * 9 - 7 * 7 * 7)
        );
    }
}

#[test]
fn on_a_cube_the_potential_is_a_half_on_faces_a_quarter_on_edges_an_eighth_at_corners() {
    let inside = Inside::new(
        cube([0.0; 3], 1.0),
        &InsideOptions {
            method: InsideMethod::Potential,
            seed: 0,
        },
    )
    .expect("valid options");

    let cases = [
        ([0.5, 0.5, 0.5], 1.0),
        ([0.25, 0.5, 0.0], 0.5),
        ([0.5, 0.5, 1.0], 0.5),
        ([0.3, 1.0, 0.7], 0.5),
        ([0.25, 0.0, 0.0], 0.25),
        ([1.0, 1.0, 0.3], 0.25),
        ([0.0, 0.0, 0.0], 0.125),
        ([1.0, 0.0, 1.0], 0.125),
        ([1.0, 0.5, 1.5], 0.0),
        ([0.4, 0.5, -1e-3], 0.0),
        ([0.4, 0.5, 1e-3], 1.0),
    ];
    let mut found = Vec::new();
    inside
        .potentials(&cases.map(|c| Point::from(c.0)), &mut found)
        .expect("finite");

    for ((point, expected), found) in cases.iter().zip(&found) {
        assert!(
            (found - expected).abs() < 1e-12,
            "J({point:?}) = {found}, not {expected}"
        );
    }
}

#[test]
fn in_nested_shells_turned_alike_parity_sees_a_hole_and_winding_does_not() {
    let points = [
        Point::from([2.0, 2.0, 2.0]),
        Point::from([0.5, 2.0, 2.0]),
        Point::from([3.5, 3.5, 0.5]),
    ];
    let of = |turn: i32, method: InsideMethod| locate(&nested_cubes(turn), method, &points).0;
    use Position::{Inside, Outside};

    for method in [InsideMethod::Auto, InsideMethod::Ray, InsideMethod::RayAll] {
        assert_eq!(of(1, method), [Outside, Inside, Inside]);
        assert_eq!(of(-1, method), [Outside, Inside, Inside]);
    }

    for method in [InsideMethod::Potential, MULTIPOLE] {
        assert_eq!(of(1, method), [Inside, Inside, Inside]);
        assert_eq!(of(-1, method), [Outside, Inside, Inside]);
    }
}

#[test]
fn the_winding_number_of_exact_rays_is_the_rounded_potential() {
    let shells = nested_cubes(1);
    let rays = RayCrossing::with_tree(shells.clone(), 3);
    let mut random = Random::new(33);
    let mut seen = [0; 3];

    for row in 0..300 {
        let point = Point::from(std::array::from_fn::<f64, 3, _>(|_| {
            random.within(-0.5, 4.5)
        }));
        let winding = rays.winding(row, &point).expect("off the surface");
        let potential = winding_number(shells.points(), shells.triangles(), &point);
        assert!(
            (potential - winding as f64).abs() < 1e-10,
            "{point} {potential}"
        );
        seen[winding as usize] += 1;
    }

    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
fn answers_do_not_change_with_the_seed() {
    let surface = nested_cubes(-1);
    let points: Vec<Point<3>> = (0..1000)
        .map(|i| Point::from([i % 10, i / 10 % 10, i / 100].map(|k| f64::from(k) * 0.5)))
        .collect();
    let answers: Vec<Vec<Position>> = (0..5)
        .map(|seed| {
            let inside = Inside::new(
                surface.clone(),
                &InsideOptions {
                    method: InsideMethod::Ray,
                    seed,
                },
            )
            .expect("valid options");
            let mut positions = Vec::new();
            inside.positions(&points, &mut positions).expect("finite");
            positions
        })
        .collect();

    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn nan_and_infinite_points_name_their_row_and_distant_ones_are_outside() {
    for method in [
        InsideMethod::Auto,
        InsideMethod::Ray,
        InsideMethod::RayAll,
        InsideMethod::Potential,
        MULTIPOLE,
    ] {
        let inside =
            Inside::new(sphere(1), &InsideOptions { method, seed: 0 }).expect("valid options");
        let mut positions = Vec::new();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let points = [
                Point::from([0.0; 3]),
                Point::from([0.0, bad, 0.0]),
                Point::from([bad; 3]),
            ];
            let error = inside.positions(&points, &mut positions).unwrap_err();
            assert_eq!(
                error.to_string(),
                "point 1 has a coordinate that is NaN or infinite"
            );

            assert_eq!(
                inside.potentials(&points, &mut Vec::new()),
                Err(NotFinite { row: 1 })
            );
        }
        for far in [1e12, -1e12, 1e300, f64::MAX] {
            inside
                .positions(&[Point::from([far, 0.0, 0.0])], &mut positions)
                .expect("finite");
            assert_eq!(positions, [Position::Outside]);
        }
        assert_eq!(inside.positions(&[], &mut positions), Ok(Report::default()));
    }
}

#[test]
fn answers_and_counts_are_the_same_for_1_2_and_7_threads() {
    let surface = sphere(3);
    let mut random = Random::new(34);
    let points: Vec<Point<3>> = (0..5000)
        .map(|_| {
            Point::from(std::array::from_fn::<f64, 3, _>(|_| {
                random.within(-1.0, 1.0)
            }))
        })
        .collect();

    for method in [
        InsideMethod::Auto,
        InsideMethod::Ray,
        InsideMethod::RayAll,
        InsideMethod::Potential,
        MULTIPOLE,
    ] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            pool.install(|| locate(&surface, method, &points))
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(7));
    }
}

#[test]
fn a_half_sphere_winds_by_half_and_the_whole_by_one() {
    let (points, triangles) = sphere_parts(3);
    let points: Vec<Point<3>> = points.into_iter().map(Point::from).collect();
    let upper: Vec<[u32; 3]> = triangles
        .iter()
        .copied()
        .filter(|t| t.iter().map(|&n| points[n as usize].z).sum::<f64>() > 0.0)
        .collect();
    assert_eq!(upper.len() * 2, triangles.len());
    let centre = Point::from([0.0; 3]);
    assert!((winding_number(&points, &upper, &centre) - 0.5).abs() < 1e-14);
    assert!((winding_number(&points, &triangles, &centre) - 1.0).abs() < 1e-14);

    assert_eq!(winding_number(&points, &[], &centre), 0.0);
}

#[test]
fn points_within_1e_200_of_a_corner_are_located_by_every_method() {
    let mut random = Random::new(73);
    let cube = crate::shape::generate::block([2, 2, 2], [1.0; 3]).expect("valid");
    let ball = crate::shape::generate::sphere(2).expect("valid");
    let corner = ball.points()[3];
    let points: Vec<Point<3>> = ball.points().iter().map(|p| (p - corner).into()).collect();
    let ball = Surface::new(&points, ball.triangles()).expect("valid");
    let near: Vec<Point<3>> = [1e-100, 1e-155, 1e-200, 1e-300, 1e-320]
        .into_iter()
        .flat_map(|distance| [distance; 40])
        .map(|distance| Point::from(random.direction::<3>() * distance))
        .collect();

    for surface in [&cube, &ball] {
        let (expected, counts) = locate(surface, InsideMethod::RayAll, &near);
        assert!(counts.inside > 10 && counts.outside > 10, "{counts:?}");
        for method in [
            InsideMethod::Auto,
            InsideMethod::Ray,
            InsideMethod::Potential,
            MULTIPOLE,
        ] {
            let (found, _) = locate(surface, method, &near);
            for (row, point) in near.iter().enumerate() {
                assert_eq!(found[row], expected[row], "{method:?}, {point:?}");
            }
        }
    }

    let (found, _) = locate(&cube, InsideMethod::Potential, &near);
    for (position, point) in found.iter().zip(&near) {
        assert_eq!(
            *position == Position::Inside,
            in_unit_cube(point) == 1,
            "{point:?}"
        );
    }
}
