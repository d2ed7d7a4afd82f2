use impinge::bound::*;
use impinge::space::{Aabb, Matrix, Point, Random, Vector};

/// Difficult point clouds of all kinds, with dyadic coordinates, so that midpoints and shifts are
/// exact.
fn clouds<const D: usize>(seed: u64) -> Vec<Vec<Point<D>>> {
    let mut random = Random::new(seed);
    let grid = |random: &mut Random| (random.below(1 << 20) as f64) / f64::from(1 << 19) - 1.0;
    let point =
        |random: &mut Random| Point::<D>::from(std::array::from_fn::<f64, D, _>(|_| grid(random)));
    let mut clouds = Vec::new();

    for _ in 0..20 {
        let count = 2 + random.below(60);
        let round: Vec<Point<D>> = (0..count).map(|_| point(&mut random)).collect();
        let scaled = |scale: f64| round.iter().map(|p| p * scale).collect::<Vec<_>>();
        clouds.push(vec![round[0]]);
        clouds.push(vec![round[0]; 5]);
        clouds.push(
            round
                .iter()
                .map(|p| round[0] + (round[1] - round[0]) * p[0])
                .collect(),
        );

        clouds.push(
            round
                .iter()
                .map(|p| {
                    Point::from(
                        p.coords
                            .map_with_location(|i, _, x| if i == 0 { 0.25 } else { x }),
                    )
                })
                .collect(),
        );

        clouds.push(
            round
                .iter()
                .map(|p| {
                    Point::from(
                        p.coords
                            .map_with_location(|i, _, x| if i == 0 { x * 1e6 } else { x }),
                    )
                })
                .collect(),
        );
        // 2⁴⁰ ≈ 1e12.
        clouds.push(round.iter().map(|p| p.map(|x| x + 2f64.powi(40))).collect());
        clouds.push(scaled(2f64.powi(-40)));
        clouds.push(scaled(2f64.powi(40)));
        clouds.push(scaled(2f64.powi(-300)));
        clouds.push(scaled(1e59));

        clouds.push(round);
    }

    clouds
}

/// The whole contract of a bound in one line: each guarantee of the trait, on all kinds of clouds.
macro_rules! bound_contract {
    ($name:ident, $bound:ty, $d:literal) => {
        mod $name {
            use super::*;

            #[test]
            fn a_bound_contains_its_points_also_after_merging_and_refitting() {
                for pair in clouds::<$d>(31).windows(2) {
                    let [a, b] =
                        [&pair[0], &pair[1]].map(|points| <$bound as Bound<$d>>::of(points));
                    let both = a.merged(&b);
                    assert!(
                        pair[0].iter().all(|p| a.contains(p) && both.contains(p)),
                        "{a:?} {:?}",
                        pair[0]
                    );

                    assert!(
                        pair[1].iter().all(|p| b.contains(p) && both.contains(p)),
                        "{b:?} {:?}",
                        pair[1]
                    );
                    let mut moved = a;
                    moved.refit(&pair[1]);
                    assert!(pair[1].iter().all(|p| moved.contains(p)));

                    assert!(
                        a.volume() >= 0.0
                            && both.volume() >= a.volume().max(b.volume()) * (1.0 - 1e-12)
                    );
                }
            }

            #[test]
            fn sets_that_share_a_place_are_never_excluded() {
                let mut excluded = 0;
                for pair in clouds::<$d>(32).windows(2) {
                    let (from, onto) = (&pair[0], &pair[1]);
                    // Shifts the first set so that one of its points is the exact midpoint of two
                    // points of the second.
                    let place = Point::from((onto[0].coords + onto[onto.len() - 1].coords) * 0.5);
                    let shift = place - from[0];
                    let shifted: Vec<Point<$d>> = from.iter().map(|p| p + shift).collect();

                    if shifted[0] != place {
                        continue;
                    }

                    let [a, b] = [onto, &shifted].map(|points| <$bound as Bound<$d>>::of(points));
                    assert!(
                        a.contains(&place) && a.overlaps(&b) && b.overlaps(&a),
                        "{onto:?} {shifted:?}"
                    );
                    let far: Vec<Point<$d>> = onto
                        .iter()
                        .map(|p| p + (*onto.last().unwrap() - onto[0]) * 8.0)
                        .collect();
                    let c = <$bound as Bound<$d>>::of(&far);
                    assert_eq!(a.overlaps(&c), c.overlaps(&a));

                    excluded += usize::from(!a.overlaps(&c));
                }

                assert!(excluded > 50, "{excluded}");
            }

            #[test]
            fn the_empty_bound_overlaps_nothing_and_merges_away() {
                let empty = <$bound as Bound<$d>>::EMPTY;
                assert_eq!(<$bound as Bound<$d>>::of(&[]), empty);
                assert!(empty.is_empty() && empty.volume() == 0.0);

                for points in clouds::<$d>(33) {
                    let bound = <$bound as Bound<$d>>::of(&points);
                    assert!(
                        !bound.is_empty() && !empty.overlaps(&bound) && !bound.overlaps(&empty)
                    );
                    assert_eq!(empty.merged(&bound), bound);
                    assert_eq!(bound.merged(&empty), bound);
                    assert!(!empty.contains(&points[0]));
                    let mut refitted = bound;
                    refitted.refit(&[]);
                    assert!(refitted.is_empty());
                }

                assert!(!empty.overlaps(&empty));
            }
        }
    };
}

bound_contract!(box_of_the_plane, Aabb<2>, 2);
bound_contract!(box_of_space, Aabb<3>, 3);
bound_contract!(disc, Ball<2>, 2);
bound_contract!(ball, Ball<3>, 3);
bound_contract!(oriented_rectangle, Obb<2>, 2);
bound_contract!(oriented_box, Obb<3>, 3);
bound_contract!(dop8, Dop8, 2);
bound_contract!(dop14, Dop14, 3);
bound_contract!(dop18, Dop18, 3);
bound_contract!(dop26, Dop26, 3);

/// A cloud with three clearly different extents, in a random pose.
fn ellipsoid(random: &mut Random, count: usize) -> Vec<Point<3>> {
    let turn = rotation(random);
    let shift = random.direction::<3>() * 10.0;
    let axes = Vector::<3>::new(1.0, 2.0, 4.0);
    (0..count)
        .map(|_| {
            Point::from(
                turn * (random.direction::<3>() * random.unit()).component_mul(&axes) + shift,
            )
        })
        .collect()
}

fn rotation(random: &mut Random) -> Matrix<3> {
    let z = random.direction::<3>();
    let x = z.cross(&random.direction::<3>()).normalize();
    Matrix::from_columns(&[x, z.cross(&x), z])
}

#[test]
fn more_directions_are_tighter() {
    let mut random = Random::new(41);
    for _ in 0..100 {
        let count = 4 + random.below(100);
        let points = ellipsoid(&mut random, count);
        let volumes = [
            Dop26::of(&points).volume(),
            Dop14::of(&points).volume(),
            <Aabb<3> as Bound<3>>::of(&points).volume(),
        ];
        assert!(
            volumes[0] > 0.0 && volumes[0] <= volumes[1] * (1.0 + 1e-13),
            "{volumes:?}"
        );
        assert!(volumes[1] <= volumes[2] * (1.0 + 1e-13), "{volumes:?}");
        assert!(Dop26::of(&points).volume() <= Dop18::of(&points).volume() * (1.0 + 1e-13));
        let flat: Vec<Point<2>> = points.iter().map(|p| p.xy()).collect();
        assert!(
            Dop8::of(&flat).volume() <= <Aabb<2> as Bound<2>>::of(&flat).volume() * (1.0 + 1e-13)
        );

        // No tighter than the body: the volume of the hull is smaller still.
        let hull = impinge::shape::Polyhedron::hull(&points).expect("a body");
        assert!(hull.volume() <= volumes[0] * (1.0 + 1e-13));
    }
}

#[test]
fn the_8_dop_of_a_diagonal_is_the_segment() {
    let diagonal = Dop8::of(&[[0.0, 0.0], [1.0, 1.0]].map(Point::from));
    assert!(diagonal.volume() < 1e-14);
    assert_eq!(diagonal.aabb(), Aabb::new([0.0, 0.0], [1.0, 1.0]));
}

#[test]
fn no_step_of_the_centre_makes_the_smallest_ball_smaller() {
    let mut random = Random::new(42);
    for round in 0..200 {
        let count = 2 + random.below(40);
        let mut points = ellipsoid(&mut random, count);
        if round % 4 == 0 {
            // Cospherical points: the radius is known.
            points = (0..count + 30)
                .map(|_| Point::from(random.direction::<3>()))
                .collect();
        }

        let ball = Ball::smallest(&points);
        let radius = |centre: Point<3>| {
            points
                .iter()
                .map(|p| (p - centre).norm())
                .fold(0.0, f64::max)
        };

        // The largest distance is a convex function of the centre: if no small step improves it, it
        // is the minimum.
        for step in [1e-2, 1e-4] {
            for _ in 0..50 {
                let moved = radius(ball.centre + random.direction::<3>() * (step * ball.radius));
                assert!(
                    moved >= ball.radius * (1.0 - 1e-11),
                    "{} {moved}",
                    ball.radius
                );
            }
        }
    }
}

#[test]
fn ritter_is_within_a_quarter_of_the_smallest_and_larsson_closer() {
    let mut random = Random::new(43);
    let mut sums = [0.0; 4];
    for _ in 0..200 {
        let count = 20 + random.below(300);
        let points = ellipsoid(&mut random, count);
        let least = Ball::smallest(&points).radius;
        let ratios = [
            Ball::ritter(&points),
            Ball::extremal::<3>(&points),
            Ball::extremal::<7>(&points),
            Ball::extremal::<13>(&points),
        ]
        .map(|ball| ball.radius / least);

        assert!(
            ratios
                .iter()
                .all(|ratio| (1.0 - 1e-12..1.25).contains(ratio)),
            "{ratios:?}"
        );

        sums = std::array::from_fn(|i| sums[i] + ratios[i] / 200.0);
    }

    let [ritter, epos6, epos14, epos26] = sums;
    assert!(
        epos6 < ritter && epos14 < epos6 && epos26 < epos14,
        "{sums:?}"
    );

    assert!(epos14 < 1.02, "{sums:?}");
}

#[test]
fn balls_and_oriented_boxes_move_with_the_body() {
    let mut random = Random::new(44);
    for _ in 0..50 {
        let points = ellipsoid(&mut random, 200);
        let turn = rotation(&mut random);
        let moved: Vec<Point<3>> = points
            .iter()
            .map(|p| turn * p + Vector::<3>::new(3.0, -2.0, 1.0))
            .collect();
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        assert!(close(
            Ball::smallest(&points).radius,
            Ball::smallest(&moved).radius
        ));

        assert!(close(Obb::of(&points).volume(), Obb::of(&moved).volume()));
    }
}

#[test]
fn an_oriented_box_of_triangles_does_not_feel_the_mesh_density() {
    // A slanted brick; one of its faces is subdivided into 200 more triangles.
    let mut random = Random::new(45);
    let turn = rotation(&mut random);
    let corner = |i: u32| {
        Vector::from([i & 1, i >> 1 & 1, i >> 2].map(f64::from))
            .component_mul(&Vector::<3>::new(1.0, 2.0, 5.0))
    };
    let mut points: Vec<Point<3>> = (0..8).map(|i| Point::from(turn * corner(i))).collect();
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];

    let mut triangles: Vec<[u32; 3]> = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();

    for _ in 0..100 {
        // The last triangle is replaced by three around a new point near its last corner.
        let [a, b, c] = triangles.pop().expect("not empty");
        let inner =
            points[a as usize].coords + points[b as usize].coords + points[c as usize].coords * 8.0;
        points.push(Point::from(inner / 10.0));
        let new = points.len() as u32 - 1;
        triangles.extend([[a, b, new], [b, c, new], [c, a, new]]);
    }

    let by_area = Obb::of_triangles(&points, &triangles);
    assert!(
        (by_area.volume() - 10.0).abs() < 1e-9,
        "{}",
        by_area.volume()
    );
    assert!(
        Obb::of(&points).volume() > 11.0,
        "the nodes' own inertia is skewed: {}",
        Obb::of(&points).volume()
    );
    assert_eq!(Obb::<3>::of_triangles(&points, &[]), Obb::EMPTY);

    assert!(Obb::of_triangles(&points, &[[0, 0, 0]]).contains(&points[0]));
}

/// Squared distance between two boxes by alternating projections.
fn squared_distance(a: &Obb<3>, b: &Obb<3>) -> f64 {
    let onto = |bound: &Obb<3>, point: Point<3>| {
        let local = bound.axes.tr_mul(&(point - bound.centre));
        bound.centre + bound.axes * local.inf(&bound.half).sup(&-bound.half)
    };
    let mut on_a = a.centre;

    for _ in 0..2000 {
        on_a = onto(a, onto(b, on_a));
    }

    (onto(b, on_a) - on_a).norm_squared()
}

#[test]
fn fifteen_axes_tell_what_projecting_to_and_fro_tells() {
    let mut random = Random::new(46);
    let (mut apart, mut together) = (0, 0);
    for _ in 0..2000 {
        let mut bound = || Obb {
            centre: Point::from(random.direction::<3>() * random.within(0.0, 1.4)),
            axes: rotation(&mut random),
            half: Vector::from_fn(|_, _| random.within(0.0, 1.0)),
        };
        let (a, b) = (bound(), bound());
        let distance = squared_distance(&a, &b).sqrt();

        match a.overlaps(&b) {
            true => assert!(distance < 1e-2, "{distance} {a:?} {b:?}"),
            false => assert!(distance > 0.0, "{distance} {a:?} {b:?}"),
        }

        apart += usize::from(!a.overlaps(&b));
        together += usize::from(a.overlaps(&b));
    }

    assert!(apart > 300 && together > 300, "{apart} {together}");
}

#[test]
fn parallel_oriented_boxes_that_kiss_overlap_and_a_clear_gap_is_seen() {
    let mut random = Random::new(47);
    for _ in 0..200 {
        let axes = rotation(&mut random);
        let half = Vector::<3>::new(0.5, 1.0, 2.0);
        let a = Obb {
            centre: Point::from(random.direction::<3>() * 100.0),
            axes,
            half,
        };

        // Nearly parallel: the nine cross products nearly vanish.
        let tilt = Matrix::identity() + (random.direction::<3>() * 1e-9).cross_matrix();
        let at = |gap: f64| Obb {
            centre: a.centre + axes * Vector::<3>::new(1.0 + gap, 0.3, 0.2),
            axes: tilt * axes,
            half,
        };
        assert!(a.overlaps(&at(-1e-8)) && !a.overlaps(&at(1e-8)));
        let same = |gap: f64| Obb { axes, ..at(gap) };

        assert!(a.overlaps(&same(0.0)) && !a.overlaps(&same(1e-12)));
    }
}

#[test]
fn balls_exclude_what_is_apart_and_hold_what_they_merge() {
    let ball = |x: f64, radius: f64| Ball {
        centre: Point::from([x, 0.0, 0.0]),
        radius,
    };
    assert!(ball(0.0, 1.0).overlaps(&ball(3.0, 2.0)));
    assert!(!ball(0.0, 1.0).overlaps(&ball(3.0 + 1e-13, 2.0)));
    assert_eq!(ball(0.0, 3.0).merged(&ball(1.0, 2.0)), ball(0.0, 3.0));
    let both = ball(0.0, 1.0).merged(&ball(4.0, 1.0));
    assert!((both.radius - 3.0).abs() < 1e-14 && (both.centre.x - 2.0).abs() < 1e-15);

    assert_eq!(ball(0.0, 1.0).merged(&ball(0.0, 1.0)), ball(0.0, 1.0));
}
