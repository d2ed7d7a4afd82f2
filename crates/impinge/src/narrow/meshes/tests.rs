use super::super::triangle::{closest as closest_triangles, closest_on, touch};
use super::*;
use crate::shape::{Surface, generate};
use crate::space::{Point, Pose, Random, Vector};

fn pose(random: &mut Random, reach: f64) -> Pose<3> {
    let q = std::array::from_fn(|_| random.within(-1.0, 1.0));
    Pose::from_quaternion(
        q,
        Point::from(random.direction::<3>() * reach * random.unit()),
    )
    .expect("a rotation")
}

/// A ball, a ring, long bars of very different triangles, a flat box with coplanar faces.
fn surfaces() -> Vec<Surface> {
    vec![
        generate::sphere(3).expect("valid"),
        generate::torus(1.0, 0.3, [24, 10]).expect("valid"),
        generate::block([4, 3, 2], [1.0, 1.5, 0.1]).expect("valid"),
        generate::tube(
            [-1.0, 0.0, 0.2].into(),
            [1.0, 0.3, 0.0].into(),
            0.05,
            [7, 9],
        )
        .expect("valid"),
    ]
}

#[test]
fn the_nearest_point_is_that_of_all_faces_near_far_on_and_at_nodes() {
    let mut random = Random::new(131);
    for surface in surfaces() {
        let tree = TriangleTree::new(&surface);
        let mut points: Vec<Point<3>> = (0..150)
            .map(|i| Point::from(random.direction::<3>() * [0.0, 0.5, 1.0, 3.0, 1e9][i % 5]))
            .collect();
        points.extend(&surface.points()[..20]);
        let mut found = Vec::new();
        tree.nearest_points(&points, &mut found);

        for (point, nearest) in points.iter().zip(&found) {
            let distance = |face: usize| closest_on(&surface.corners(face), point).way.norm();
            let least = (0..tree.len()).map(distance).fold(f64::INFINITY, f64::min);
            assert!(
                (nearest.distance - least).abs() <= 1e-12 * (1.0 + least),
                "{} {least}",
                nearest.distance
            );
            assert!(((nearest.point - point).norm() - least).abs() <= 1e-12 * (1.0 + least));
            assert_eq!(tree.nearest(point).distance, nearest.distance);
            assert!(tree.nearest_within(point, least * 1.01 + 1e-9).is_some());

            assert_eq!(tree.nearest_within(point, least * 0.99 - 1e-9), None);
        }
    }
}

#[test]
fn points_searched_together_get_what_each_gets_alone() {
    let mut random = Random::new(133);
    for surface in surfaces() {
        let tree = TriangleTree::new(&surface);
        // Dense near the surface, sparse, in one place, far away: groups of every width.
        for (count, reach) in [(3000, 0.05), (40, 2.0), (9, 0.0), (100, 1e6)] {
            let near = |_| {
                let [a, b, c] = surface.corners(random.below(tree.len()));
                let on = Point::from((a.coords + b.coords + c.coords) / 3.0);
                on + random.direction::<3>() * reach * random.unit()
            };
            let points: Vec<Point<3>> = (0..count).map(near).collect();
            let (mut found, mut distances) = (Vec::new(), Vec::new());
            tree.nearest_points(&points, &mut found);
            tree.distances(&points, &mut distances);
            for (n, point) in points.iter().enumerate() {
                let alone = tree.nearest(point);
                assert!((found[n].distance - alone.distance).abs() <= 1e-15 * (1.0 + reach));
                assert_eq!(found[n].distance, distances[n]);
            }
        }
    }
}

#[test]
fn a_point_that_is_not_a_number_does_not_disturb_its_neighbours() {
    let tree = TriangleTree::new(&generate::sphere(3).expect("valid"));
    let mut points = vec![Point::from([0.0, 0.0, 2.0]); 20];
    points[3] = Point::from([f64::NAN, 0.0, 0.0]);
    points[11] = Point::from([0.0, f64::INFINITY, 0.0]);
    let mut distances = Vec::new();
    tree.distances(&points, &mut distances);
    for n in (0..20).filter(|n| ![3, 11].contains(n)) {
        assert_eq!(distances[n], 1.0, "point {n}");
    }
}

#[test]
fn faces_within_a_distance_are_those_of_brute_force() {
    let mut random = Random::new(132);
    for surface in surfaces() {
        let (tree, mut found) = (TriangleTree::new(&surface), Vec::new());
        for _ in 0..40 {
            let (point, reach) = (
                Point::from(random.direction::<3>()),
                random.within(0.0, 0.8),
            );
            tree.faces_within(&point, reach, &mut found);
            let near = |&face: &u32| {
                closest_on(&surface.corners(face as usize), &point)
                    .way
                    .norm()
                    <= reach
            };

            assert_eq!(
                found,
                (0..tree.len() as u32).filter(near).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn the_first_hit_along_a_segment_is_that_of_all_faces() {
    let mut random = Random::new(133);
    let mut hits = 0;
    for surface in surfaces() {
        let tree = TriangleTree::new(&surface);
        for _ in 0..60 {
            let [from, to] =
                [0; 2].map(|_| Point::from(random.direction::<3>() * 2.0 * random.unit()));
            let found = tree.first_hit(&from, &to);
            let meets = |face: usize| {
                super::super::triangle::segment_touches(&from, &to, &surface.corners(face))
            };
            assert_eq!(found.is_some(), (0..tree.len()).any(meets));
            let Some(hit) = found else { continue };
            hits += 1;

            assert!(
                closest_on(&surface.corners(hit.face as usize), &hit.point)
                    .way
                    .norm()
                    < 1e-12
            );
            let before = from + (to - from) * (hit.fraction - 1e-9);

            assert!(hit.fraction < 1e-9 || tree.first_hit(&from, &before).is_none());
        }
    }

    assert!(hits > 30, "{hits}");
}

/// Every pair query by all pairs of faces.
fn pairs_by_brute_force(
    a: &TriangleTree,
    b: &TriangleTree,
    between: impl Fn(&[Point<3>; 3], &[Point<3>; 3]) -> bool,
    pose_a: &Pose<3>,
    pose_b: &Pose<3>,
) -> Vec<[u32; 2]> {
    let tandem = tandem::Tandem::new(a, pose_a, b, pose_b);
    let moved: Vec<[Point<3>; 3]> = (0..b.len()).map(|face| tandem.corners_of_b(face)).collect();
    let all = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| [i, j]));
    all.filter(|&[i, j]| between(&a.corners(i as usize), &moved[j as usize]))
        .collect()
}

#[test]
fn touching_and_near_faces_and_distances_are_those_of_all_pairs() {
    let mut random = Random::new(134);
    let (mut touching, mut apart) = (0, 0);
    let trees: Vec<TriangleTree> = surfaces().iter().map(TriangleTree::new).collect();

    for round in 0..14 {
        let (a, b) = (&trees[round % 4], &trees[(round / 4 + 2) % 4]);
        let (pose_a, pose_b) = (
            pose(&mut random, 1.0),
            pose(&mut random, [1.2, 3.0, 2.0][round % 3]),
        );
        let (mut pairs, expected) = (vec![], pairs_by_brute_force(a, b, touch, &pose_a, &pose_b));
        touching_faces(a, &pose_a, b, &pose_b, &mut pairs);
        assert_eq!(pairs, expected);
        assert_eq!(touches(a, &pose_a, b, &pose_b), !expected.is_empty());
        let found = distance(a, &pose_a, b, &pose_b, &mut PairHint::default()).contact;
        let tandem = tandem::Tandem::new(a, &pose_a, b, &pose_b);

        let least = (0..a.len())
            .flat_map(|i| (0..b.len()).map(move |j| (i, j)))
            .map(|(i, j)| {
                closest_triangles(&a.corners(i), &tandem.corners_of_b(j))
                    .way
                    .norm()
            })
            .fold(f64::INFINITY, f64::min);
        assert!((found.gap - least).abs() < 1e-13, "{} {least}", found.gap);
        assert!(((found.on_b - found.on_a).norm() - found.gap).abs() < 1e-12);
        let reach = least + 0.1;
        let near =
            |p: &[Point<3>; 3], q: &[Point<3>; 3]| closest_triangles(p, q).way.norm() <= reach;
        near_faces(a, &pose_a, b, &pose_b, reach, &mut pairs);
        assert_eq!(pairs, pairs_by_brute_force(a, b, near, &pose_a, &pose_b));
        touching += usize::from(!expected.is_empty());

        apart += usize::from(expected.is_empty());
    }

    assert!(touching >= 3 && apart >= 3, "{touching} {apart}");
}

#[test]
fn bodies_in_the_same_place_face_to_face_and_far_away_touch_as_they_do() {
    let cube = TriangleTree::new(&generate::block([3, 3, 3], [1.0; 3]).expect("valid"));
    let here = Pose::identity();
    let mut pairs = Vec::new();

    for (pose, count) in [
        (Pose::identity(), None),
        (Pose::at([1.0, 0.0, 0.0]), None),
        (Pose::at([1.0f64.next_up(), 0.0, 0.0]), Some(0)),
    ] {
        touching_faces(&cube, &here, &cube, &pose, &mut pairs);
        let expected = pairs_by_brute_force(&cube, &cube, touch, &here, &pose);
        assert_eq!(pairs, expected);
        assert!(
            count.is_none_or(|count| count == pairs.len()) && (count.is_some() || pairs.len() > 18)
        );
    }

    let far = |x: f64| Pose::at([1e9 + x, -1e9, 1e9]);
    assert!(
        touches(&cube, &far(0.0), &cube, &far(1.0))
            && !touches(&cube, &far(0.0), &cube, &far(1.25))
    );
    let gap = distance(
        &cube,
        &far(0.0),
        &cube,
        &far(1.25),
        &mut PairHint::default(),
    )
    .contact
    .gap;

    assert!((gap - 0.25).abs() < 1e-12);
}

#[test]
fn a_folded_strip_touches_itself_and_neighbours_do_not_count() {
    // Two blades of a strip, hinged at x = 0, that cross where they fold onto each other.
    let n = 10;
    let points: Vec<Point<3>> = (0..=2 * n)
        .flat_map(|i| {
            let s = f64::from(i - n) / f64::from(n);
            [0.0, 0.2].map(|y| Point::from([1.0 - s.abs(), y, s * (0.35 - s.abs())]))
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..2 * n as u32)
        .flat_map(|i| {
            [
                [2 * i, 2 * i + 1, 2 * i + 2],
                [2 * i + 1, 2 * i + 3, 2 * i + 2],
            ]
        })
        .collect();
    let tree = TriangleTree::of_triangles(&points, &triangles).expect("valid");

    let shares = |a: u32, b: u32| {
        triangles[a as usize]
            .iter()
            .any(|n| triangles[b as usize].contains(n))
    };
    let all = || {
        (0..tree.len() as u32)
            .flat_map(|b| (0..b).map(move |a| [a, b]))
            .filter(|&[a, b]| !shares(a, b))
    };
    let corners = |face: u32| tree.corners(face as usize);
    let mut brute: Vec<[u32; 2]> = all()
        .filter(|&[a, b]| touch(&corners(a), &corners(b)))
        .collect();
    brute.sort_unstable();
    let mut pairs = Vec::new();
    self_touching_faces(&tree, &mut pairs);
    assert!(pairs == brute && !brute.is_empty(), "{pairs:?}");
    self_near_faces(&tree, 0.15, &mut pairs);
    let near = |&[a, b]: &[u32; 2]| closest_triangles(&corners(a), &corners(b)).way.norm() <= 0.15;
    let mut brute: Vec<[u32; 2]> = all().filter(near).collect();
    brute.sort_unstable();

    assert_eq!(pairs, brute);
}

#[test]
fn the_overlap_of_boxes_and_of_nested_balls_is_their_common_volume() {
    let cube = TriangleTree::new(&generate::block([4, 3, 2], [1.0; 3]).expect("valid"));
    let here = Pose::identity();
    for shift in [
        [0.3, 0.2, 0.6],
        [0.5, 0.0, 0.0],
        [0.0; 3],
        [-0.25, 0.5, 0.5],
        [1.0, 0.0, 0.0],
        [1.5, 0.0, 0.0],
    ] {
        let expected: f64 = shift
            .map(|s: f64| (1.0 - s.abs()).max(0.0))
            .iter()
            .product();
        let found = overlap(&cube, &here, &cube, &Pose::at(shift)).expect("closed");
        assert!(
            (found.volume - expected).abs() < 1e-9,
            "{shift:?} {} {expected}",
            found.volume
        );
    }

    let ball = generate::sphere(4).expect("valid");
    let tree = TriangleTree::new(&ball);
    let turned = Pose::from_quaternion([0.3, 0.1, -0.5, 0.9], [0.01, 0.02, 0.03]).expect("valid");
    let small: Vec<Point<3>> = ball.points().iter().map(|p| p * 0.5).collect();
    let small = TriangleTree::new(&Surface::new(&small, ball.triangles()).expect("valid"));
    let found = overlap(&tree, &here, &small, &turned).expect("closed");

    assert!((found.volume - ball.volume() / 8.0).abs() < 1e-12 && found.push.norm() < 1e-12);
}

#[test]
fn the_overlap_of_balls_is_that_of_the_formula_and_its_push_is_its_slope() {
    let ball = TriangleTree::new(&generate::sphere(6).expect("valid"));
    let here = Pose::identity();
    let at = |x: f64| {
        let axis: Vector<3> = Vector::<3>::new(0.3, -0.5, 0.8).normalize() * x;
        Pose::from_quaternion([0.1, 0.7, 0.3, 0.4], Point::from(axis)).expect("valid")
    };
    let volume = |x: f64| overlap(&ball, &here, &ball, &at(x)).expect("closed").volume;

    for x in [0.4, 1.0, 1.6] {
        // The lens of two unit balls: π (2 − d)² (d² + 4d) / (12 d).
        let lens = std::f64::consts::PI * (2.0 - x) * (2.0 - x) * (x * x + 4.0 * x) / (12.0 * x);
        assert!(
            (volume(x) / lens - 1.0).abs() < 5e-3,
            "{} {lens}",
            volume(x)
        );
        let slope = (volume(x + 1e-5) - volume(x - 1e-5)) / 2e-5;
        let push = overlap(&ball, &here, &ball, &at(x)).expect("closed").push;
        let along = push.dot(&at(x).position().coords.normalize());

        assert!(
            (along + slope).abs() < 1e-5 * slope.abs(),
            "{along} {slope}"
        );
        assert!((push.norm() / along - 1.0).abs() < 1e-3);
    }
}

#[test]
fn the_depth_of_balls_and_boxes_is_that_of_the_bodies() {
    let ball = TriangleTree::new(&generate::sphere(5).expect("valid"));
    let here = Pose::identity();
    let mut random = Random::new(135);

    for depth in [1e-3, 0.1, 0.4, 1.0] {
        let pose = Pose::at(Point::from(random.direction::<3>() * (2.0 - depth)));
        let found = closest(&ball, &here, &ball, &pose, &mut PairHint::default()).contact;

        // The facets lie up to 1e-3 within the ball.
        assert!(
            found.gap < 0.0 && (found.gap + depth).abs() < 2.5e-3,
            "{} {depth}",
            found.gap
        );
        let parted = Pose::at(pose.position() - found.normal * (found.gap - 1e-8));
        assert!(!touches(&ball, &here, &ball, &parted));
        let still = Pose::at(pose.position() - found.normal * (found.gap * 0.999));

        assert!(touches(&ball, &here, &ball, &still));
    }

    let bar = TriangleTree::new(&generate::block([8, 2, 2], [4.0, 1.0, 1.0]).expect("valid"));
    for (shift, depth) in [
        ([3.5, 0.1, 0.2], 0.5),
        ([0.2, 0.75, 0.1], 0.25),
        ([0.0, 0.3, -0.6], 0.4),
    ] {
        let found = closest(
            &bar,
            &here,
            &bar,
            &Pose::at(shift),
            &mut PairHint::default(),
        )
        .contact;
        assert!(
            (found.gap + depth).abs() < 1e-6,
            "{shift:?}: {} instead of {depth}",
            found.gap
        );
    }

    let same = closest(&bar, &here, &bar, &here, &mut PairHint::default()).contact;
    assert!((same.gap + 1.0).abs() < 1e-6, "{}", same.gap);
}

#[test]
fn a_kept_pair_does_not_change_the_answer() {
    let (ring, bar) = (&surfaces()[1], &surfaces()[3]);
    let (ring, bar) = (TriangleTree::new(ring), TriangleTree::new(bar));
    let (mut kept, mut with, mut without) = (PairHint::default(), 0, 0);

    for step in 0..50 {
        let t = f64::from(step) * 0.01;
        let pose = Pose::from_quaternion([t, 0.2, 0.1, 1.0], [2.0 - t, t, 0.5]).expect("valid");
        let warm = distance(&ring, &Pose::identity(), &bar, &pose, &mut kept);
        let cold = distance(
            &ring,
            &Pose::identity(),
            &bar,
            &pose,
            &mut PairHint::default(),
        );
        assert!((warm.contact.gap - cold.contact.gap).abs() < 1e-14);

        (with, without) = (with + warm.tests, without + cold.tests);
    }

    assert!(with <= 2 * without, "{with} {without}");
}

#[test]
fn triangles_without_area_and_coordinates_that_are_not_finite_are_refused() {
    let points = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, f64::NAN, 0.0],
    ];
    assert!(TriangleTree::of_triangles(&points[..3], &[[0, 1, 2]]).is_err());
    assert!(TriangleTree::of_triangles(&points, &[[0, 1, 3]]).is_err());

    assert!(TriangleTree::of_triangles(&points[..2], &[[0, 1, 2]]).is_err());
}

#[test]
fn a_deformed_surface_answers_as_one_that_is_new() {
    let mut random = Random::new(136);
    let surface = generate::sphere(3).expect("valid");
    let mut tree = TriangleTree::new(&surface);
    let bent: Vec<Point<3>> = surface
        .points()
        .iter()
        .map(|p| Point::from([p.x + 0.5 * p.z * p.z, 1.5 * p.y, p.z]))
        .collect();
    tree.update(&bent);
    let new = TriangleTree::of_triangles(&bent, surface.triangles()).expect("valid");

    for _ in 0..100 {
        let point = Point::from(random.direction::<3>() * 2.0 * random.unit());
        assert!((tree.nearest(&point).distance - new.nearest(&point).distance).abs() < 1e-14);
    }
}

#[test]
fn kept_faces_answer_for_bodies_that_slide_through_each_other() {
    let ring = TriangleTree::new(&generate::torus(2.0, 0.5, [24, 12]).expect("valid"));
    let (mut kept, mut turns) = (PairHint::default(), 0);
    let mut last = false;

    for step in 0..200 {
        let x = 7.0 - 0.07 * f64::from(step);
        let there =
            Pose::from_quaternion([0.4, 0.1 * x, 0.0, 1.0], [x, 0.3, 0.1]).expect("a rotation");
        let touching = touches_again(&ring, &Pose::identity(), &ring, &there, &mut kept);
        assert_eq!(
            touching,
            touches(&ring, &Pose::identity(), &ring, &there),
            "{x}"
        );
        turns += usize::from(touching != last);

        last = touching;
    }

    assert!(turns >= 2 && !last, "they meet and part: {turns}");
}

#[test]
fn triangles_in_one_place_are_not_all_measured_and_the_bounds_hold_the_distance() {
    let count = 4000u32;
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.1], [0.1, 1.0, -0.2]];
    let points: Vec<Point<3>> = (0..count).flat_map(|_| corners.map(Point::from)).collect();
    let triangles: Vec<[u32; 3]> = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let pile = TriangleTree::of_triangles(&points, &triangles).expect("valid");
    let there = Pose::from_quaternion([0.5, 0.3, -0.2, 0.7], [0.3, 0.2, 2.0]).expect("valid");
    let found = distance(
        &pile,
        &Pose::identity(),
        &pile,
        &there,
        &mut PairHint::default(),
    );
    let one = corners.map(Point::from);
    let exact = closest_triangles(&one, &one.map(|p| there.point(&p)))
        .way
        .norm();

    assert!(
        (found.contact.gap - exact).abs() < 1e-14,
        "{found:?} {exact}"
    );
    assert!(
        found.bounds[0] <= exact && found.bounds[1] == found.contact.gap,
        "{found:?}"
    );

    assert!(found.tests < 3_000_000, "{}", found.tests);
}
