use super::*;
use crate::space::Random;
use std::f64::consts::TAU;

fn regular(corners: usize, step: usize) -> Vec<Point<2>> {
    (0..corners)
        .map(|i| {
            let (sin, cos) = (TAU * (i * step) as f64 / corners as f64).sin_cos();
            Point::from([cos, sin])
        })
        .collect()
}

fn problem(points: &[[f64; 2]]) -> Problem {
    let points: Vec<Point<2>> = points.iter().copied().map(Point::from).collect();
    Polygon::new(&points).expect_err("refused")
}

#[test]
fn a_pentagram_turns_left_everywhere_and_is_refused() {
    assert_eq!(
        Polygon::new(&regular(5, 2)),
        Err(Problem::whole(ProblemKind::NotConvex))
    );
    assert!(Polygon::new(&regular(5, 1)).is_ok());
}

#[test]
fn each_fault_has_its_error() {
    assert_eq!(
        Polygon::new(&[] as &[Point<2>]),
        Err(Problem::whole(ProblemKind::Empty))
    );
    assert_eq!(
        problem(&[[0.0, 0.0], [1.0, 0.0]]),
        Problem::whole(ProblemKind::Flat)
    );
    assert_eq!(
        problem(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]),
        Problem::whole(ProblemKind::Flat)
    );

    assert_eq!(
        problem(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
        Problem::whole(ProblemKind::InsideOut)
    );
    let dented = problem(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0]]);
    assert_eq!(
        dented,
        Problem {
            kind: ProblemKind::NotConvex,
            first: Item::Point(2),
            count: 1
        }
    );
    let straight = problem(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]]);

    assert_eq!(
        straight,
        Problem {
            kind: ProblemKind::NotConvex,
            first: Item::Point(1),
            count: 1
        }
    );
    let doubled = problem(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [-0.0, 0.0]]);

    assert_eq!(
        doubled,
        Problem {
            kind: ProblemKind::DuplicatePoint,
            first: Item::Point(2),
            count: 2
        }
    );

    assert_eq!(
        problem(&[[0.0, f64::NAN], [1.0, 0.0], [0.0, 2.0]]).kind,
        ProblemKind::NotFinite
    );
    let clockwise_star: Vec<_> = regular(5, 2).into_iter().rev().collect();

    assert_eq!(
        Polygon::new(&clockwise_star).expect_err("refused").kind,
        ProblemKind::NotConvex
    );
}

#[test]
fn the_hull_holds_all_points_and_is_strictly_convex() {
    let mut random = Random::new(7);
    for round in 0..300 {
        let count = 3 + random.below(40);
        // Every other cloud is on a coarse grid, with many repeated and collinear points.
        let mut coordinate = || match round % 2 {
            0 => random.within(-1.0, 1.0),
            _ => random.below(5) as f64,
        };
        let points: Vec<Point<2>> = (0..count)
            .map(|_| Point::from([coordinate(), coordinate()]))
            .collect();

        match Polygon::hull(&points) {
            Ok(hull) => {
                assert!(points.iter().all(|p| hull.contains(p)));
                assert!(hull.points().iter().all(|p| points.contains(p)));
                assert_eq!(Polygon::new(hull.points()), Ok(hull));
            }
            Err(flat) => {
                assert_eq!(flat.kind, ProblemKind::Flat);
                let (a, b) = (points[0], points.iter().find(|p| **p != points[0]));
                assert!(b.is_none_or(|b| points.iter().all(|c| orient2(&a, b, c) == Sign::Zero)));
            }
        }
    }
}

#[test]
fn support_by_climbing_is_support_by_scanning() {
    let mut random = Random::new(8);
    let points: Vec<Point<2>> = (0..200)
        .map(|_| Point::from(random.direction::<2>() * 3.0))
        .collect();
    let hull = Polygon::hull(&points).expect("hull");

    for _ in 0..500 {
        let direction = random.direction::<2>();
        let best = hull.support(&direction, random.below(hull.corner_count()));
        let highest = hull
            .points()
            .iter()
            .map(|p| direction.dot(&p.coords))
            .fold(f64::MIN, f64::max);
        assert!(highest - direction.dot(&hull.points()[best].coords) < 1e-14);
    }
}

#[test]
fn a_rectangle_has_the_textbook_mass_properties_far_away_and_tiny() {
    for (offset, scale) in [(0.0, 1.0), (1e6, 1.0), (0.0, 1e-12), (0.0, 1e12)] {
        let at = |x: f64, y: f64| Point::from([offset + scale * x, offset + scale * y]);
        let polygon = Polygon::new(&[at(0.0, 0.0), at(4.0, 0.0), at(4.0, 2.0), at(0.0, 2.0)])
            .expect("convex");
        let close = |value: f64, expected: f64| (value - expected).abs() <= 1e-14 * expected.abs();
        assert!(close(polygon.area(), 8.0 * scale * scale));
        assert!((polygon.centroid() - at(2.0, 1.0)).norm() <= 1e-15 * (offset + scale));
        // m (a² + b²)/12 with m = 8.
        assert!(close(polygon.inertia(), 8.0 * 20.0 / 12.0 * scale.powi(4)));
        assert_eq!(polygon.normals()[1], Vector::<2>::x());
    }
}
