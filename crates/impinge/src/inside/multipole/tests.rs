use super::super::{samples, winding_number};
use super::*;
use crate::space::Random;

fn options(degree: usize, depth: usize, separation: f64) -> MultipoleOptions {
    MultipoleOptions {
        degree: Degree::Given(degree),
        depth: Depth::Given(depth),
        separation: Some(separation),
        ..MultipoleOptions::DEFAULT
    }
}

fn random_points(surface: &Surface, count: usize, seed: u64) -> Vec<Point<3>> {
    let mut random = Random::new(seed);
    let bounds = surface.bounds();
    (0..count)
        .map(|_| {
            Point::from(std::array::from_fn::<f64, 3, _>(|k| {
                random.within(bounds.min[k], bounds.max[k])
            }))
        })
        .collect()
}

fn largest_error(
    surface: &Surface,
    options: &MultipoleOptions,
    points: &[Point<3>],
) -> (f64, Multipole) {
    let multipole = Multipole::new(surface.clone(), options, 0).expect("valid options");
    let error = |x: &Point<3>| {
        let expected = winding_number(surface.points(), surface.triangles(), x);
        multipole
            .potential(x)
            .map_or(0.0, |found| (found - expected).abs())
    };

    (points.iter().map(error).fold(0.0, f64::max), multipole)
}

#[test]
fn errors_fall_with_the_degree_and_stay_below_the_bound() {
    let sphere = samples::sphere(4);
    let points = random_points(&sphere, 500, 61);
    let mut last = f64::INFINITY;

    for degree in [2, 4, 7, 12] {
        let (error, multipole) = largest_error(&sphere, &options(degree, 4, 1.5), &points);
        assert!(
            error <= multipole.error_bound(),
            "{error} {}",
            multipole.error_bound()
        );
        assert!(
            error < 0.7 * last,
            "degree {degree}: {error}, before {last}"
        );

        last = error;
    }

    assert!(last < 1e-4, "{last}");
}

#[test]
fn without_levels_the_sum_is_direct() {
    let sphere = samples::sphere(2);
    let (error, multipole) = largest_error(
        &sphere,
        &options(3, 0, 1.3),
        &random_points(&sphere, 200, 62),
    );
    assert!(error < 1e-12, "{error}");

    assert_eq!(multipole.statistics().leaves, 1);
}

#[test]
fn a_tolerance_chooses_a_degree_whose_errors_are_within_it() {
    let sphere = samples::sphere(4);
    let points = random_points(&sphere, 300, 63);
    for tolerance in [0.25, 0.02] {
        let degree = Degree::Tolerance(tolerance);
        let (error, multipole) = largest_error(
            &sphere,
            &MultipoleOptions {
                degree,
                depth: Depth::Given(3),
                separation: Some(2.5),
                ..MultipoleOptions::DEFAULT
            },
            &points,
        );

        assert!(
            multipole.error_bound() <= tolerance && error <= tolerance,
            "{error}"
        );
        assert!(multipole.statistics().conversions > 1000);
    }
}

#[test]
fn bad_options_are_refused_with_the_reason() {
    let refused =
        |options: MultipoleOptions| Multipole::new(samples::sphere(3), &options, 0).unwrap_err();
    assert_eq!(refused(options(21, 3, 1.5)), InvalidMultipole::Degree(21));
    assert_eq!(
        refused(options(4, 3, 1.0)),
        InvalidMultipole::Separation(1.0)
    );
    assert!(matches!(
        refused(options(4, 3, f64::NAN)),
        InvalidMultipole::Separation(_)
    ));

    let with_tolerance = |e: f64| MultipoleOptions {
        degree: Degree::Tolerance(e),
        ..options(0, 3, 1.1)
    };
    assert_eq!(
        refused(with_tolerance(0.0)),
        InvalidMultipole::Tolerance(0.0)
    );

    assert!(matches!(
        refused(with_tolerance(1e-9)),
        InvalidMultipole::Unreachable { .. }
    ));
}

#[test]
fn depths_grow_with_triangles_and_with_points() {
    let depth = |level: u32, depth: Depth| {
        let options = MultipoleOptions {
            depth,
            ..MultipoleOptions::default()
        };
        Multipole::new(samples::sphere(level), &options, 0)
            .expect("valid")
            .depth()
    };
    assert!(depth(3, Depth::Triangles) < depth(5, Depth::Triangles));
    assert!(depth(5, Depth::Both { points: 100 }) < depth(5, Depth::Both { points: 1_000_000 }));

    assert_eq!(depth(4, Depth::Given(2)), 2);
}

#[test]
fn every_degree_of_a_mesh_of_mixed_sizes_stays_near_the_direct_sum() {
    let surface = samples::mixed_scales();
    let mut points = random_points(&surface, 200, 64);
    points
        .extend((0..200).map(|t| surface.corners(t * 12)[0] + crate::space::Vector::repeat(1e-5)));

    for degree in [3, 6] {
        let wide = MultipoleOptions {
            degree: Degree::Given(degree),
            ..MultipoleOptions::default()
        };
        let (error, _) = largest_error(&surface, &wide, &points);
        assert!(error < 0.1, "degree {degree}: {error}");
    }
}

#[test]
fn a_tolerance_alone_is_reached_on_every_mesh() {
    for surface in [
        samples::sphere(4),
        samples::mixed_scales(),
        crate::shape::generate::foam(7_000, 1).expect("a foam"),
    ] {
        let points = random_points(&surface, 100, 65);
        // High degrees are slow: the finer tolerances are for small meshes.
        let finest = if surface.triangles().len() < 3_000 {
            3
        } else {
            1
        };
        for tolerance in [0.2, 1e-2, 1e-4].into_iter().take(finest) {
            for depth in [Depth::Triangles, Depth::Both { points: 100_000 }] {
                let wanted = MultipoleOptions {
                    degree: Degree::Tolerance(tolerance),
                    depth,
                    ..MultipoleOptions::DEFAULT
                };
                let (error, multipole) = largest_error(&surface, &wanted, &points);
                let bound = multipole.error_bound();
                assert!(
                    error <= bound && bound <= tolerance,
                    "{error:e} {bound:e} {tolerance:e}"
                );
            }
        }
    }
}

#[test]
fn a_lower_degree_on_finer_levels_stays_below_its_bound() {
    let sphere = samples::sphere(5);
    let points = random_points(&sphere, 300, 66);
    let falling = MultipoleOptions {
        order: LevelOrder::Falling,
        ..options(10, 5, 2.0)
    };
    let (error, multipole) = largest_error(&sphere, &falling, &points);
    assert!(error <= multipole.error_bound(), "{error}");
    assert!(error < 1e-3, "{error}");
}

#[test]
fn cells_that_are_evaluated_have_the_positions_of_labelled_ones() {
    let foam = crate::shape::generate::foam(7_000, 1).expect("a foam");
    let plain = MultipoleOptions {
        free_cells: FreeCells::Evaluated,
        ..MultipoleOptions::DEFAULT
    };
    let [labelled, evaluated] = [MultipoleOptions::DEFAULT, plain]
        .map(|options| Multipole::new(foam.clone(), &options, 0).expect("valid"));

    for (row, point) in random_points(&foam, 2_000, 67).iter().enumerate() {
        let [a, b] = [&labelled, &evaluated]
            .map(|multipole| multipole.locate(row, point, &mut Report::default()));
        assert_eq!(a, b, "{point}");
    }
}

#[test]
fn a_tree_for_known_points_is_smaller_and_right_everywhere() {
    let sphere = samples::sphere(5);
    let all = random_points(&sphere, 2_000, 68);
    let corner: Vec<Point<3>> = all
        .iter()
        .copied()
        .filter(|p| p.x > 0.5 && p.y > 0.3)
        .collect();
    let whole = Multipole::new(sphere.clone(), &MultipoleOptions::DEFAULT, 0).expect("valid");
    let part =
        Multipole::for_points(sphere, &corner, &MultipoleOptions::DEFAULT, 0).expect("valid");

    assert!(part.statistics().conversions * 4 < whole.statistics().conversions);
    assert!(corner.iter().all(|p| part.potential(p).is_some()));
    for (row, point) in all.iter().enumerate() {
        let [a, b] = [&whole, &part].map(|tree| tree.locate(row, point, &mut Report::default()));
        assert_eq!(a, b, "{point}");
    }
}
