use super::*;
use crate::space::{Pose, Random};

fn corners(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

fn flat(places: &[[f64; 2]]) -> Vec<Point<3>> {
    places
        .iter()
        .map(|&[x, y]| Point::from([x, y, 0.0]))
        .collect()
}

fn cut(places: &[[f64; 2]]) -> Option<Vec<[u32; 3]>> {
    triangulate(&flat(places), &corners(places.len()))
}

fn area(points: &[Point<3>], triangles: &[[u32; 3]]) -> f64 {
    super::super::surface::area(points, triangles)
}

/// A polygon of `2 n` corners around the origin, every other one drawn inward.
fn star(random: &mut Random, n: usize) -> Vec<[f64; 2]> {
    (0..2 * n)
        .map(|i| {
            let angle = std::f64::consts::PI * (i as f64 + random.within(-0.3, 0.3)) / n as f64;
            let radius = [1.0, random.within(0.05, 1.2)][i % 2];
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect()
}

fn shoelace(places: &[[f64; 2]]) -> f64 {
    let ends = places.iter().skip(1).chain(&places[..1]);
    0.5 * places
        .iter()
        .zip(ends)
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .sum::<f64>()
}

#[test]
fn a_comb_has_the_area_of_its_outline() {
    // Two posts of 2 by 10 on a base of 11 by 2.
    let comb = [
        [0.0, 0.0],
        [11.0, 0.0],
        [11.0, 12.0],
        [9.0, 12.0],
        [9.0, 2.0],
        [2.0, 2.0],
        [2.0, 12.0],
        [0.0, 12.0],
    ];
    let triangles = cut(&comb).expect("simple");
    assert_eq!(triangles.len(), 6);

    assert_eq!(area(&flat(&comb), &triangles), 62.0);
}

#[test]
fn stars_in_any_pose_and_direction_are_covered_once() {
    let mut random = Random::new(15);
    for round in 0..300 {
        let mut places = star(&mut random, 3 + round % 20);
        if round % 2 == 1 {
            places.reverse();
        }

        let [x, y, z, w] = random.direction::<4>().into();
        let pose = Pose::from_quaternion([x, y, z, w], [3.0, -2.0, 1.0]).expect("a pose");
        let points: Vec<Point<3>> = flat(&places).iter().map(|p| pose.point(p)).collect();
        let triangles = triangulate(&points, &corners(points.len())).expect("simple");

        assert_eq!(triangles.len(), points.len() - 2);
        let expected = shoelace(&places).abs();
        assert!(
            (area(&points, &triangles) - expected).abs() < 1e-12,
            "{round}"
        );

        // Every side of the polygon is a side of one triangle, in its direction.
        let has = |a: u32, b: u32| {
            let sides = triangles.iter();
            sides
                .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
                .any(|s| s == [a, b])
        };
        let n = points.len() as u32;

        assert!((0..n).all(|i| has(i, (i + 1) % n)), "{round}");
    }
}

#[test]
fn corners_on_a_straight_side_are_kept() {
    let square = [
        [0.0, 0.0],
        [1.0, 0.0],
        [2.0, 0.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];

    for shift in 0..6 {
        let mut places = square;
        places.rotate_left(shift);
        let triangles = cut(&places).expect("simple");
        assert_eq!(
            (triangles.len(), area(&flat(&places), &triangles)),
            (4, 4.0)
        );
        assert!((0..6).all(|i| triangles.as_flattened().contains(&i)));
    }

    assert!(cut(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]).is_some());
}

#[test]
fn a_hole_on_a_bridge_is_left_out() {
    let keyhole = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 3.0],
        [0.0, 3.0],
        [0.0, 0.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [2.0, 2.0],
        [2.0, 1.0],
        [1.0, 1.0],
    ];
    let triangles = cut(&keyhole).expect("weakly simple");

    assert_eq!(area(&flat(&keyhole), &triangles), 8.0);
}

#[test]
fn what_crosses_itself_or_has_no_area_is_refused() {
    let pentagram = |i: usize| {
        let angle = std::f64::consts::TAU * (2 * i) as f64 / 5.0;
        [angle.cos(), angle.sin()]
    };
    assert_eq!(cut(&[0, 1, 2, 3, 4].map(pentagram)), None);
    assert_eq!(cut(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), None);
    assert_eq!(
        cut(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]),
        None
    );
    let twice = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    assert_eq!(triangulate(&flat(&twice), &[0, 1, 2, 0, 1, 2]), None);
    assert_eq!(triangulate(&flat(&twice), &[0; 100_000]), None);

    // A figure eight with lobes of different size has an area, and intersects itself.
    let eight = [
        [0.0, 0.0],
        [4.0, 4.0],
        [4.0, 0.0],
        [3.0, 0.0],
        [0.0, 3.0],
        [-1.0, 1.0],
    ];

    assert_eq!(cut(&eight), None);
}

#[test]
fn a_bent_quadrilateral_without_a_good_coordinate_plane_is_cut() {
    let corner = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.5],
    ]
    .map(Point::from);
    assert_eq!(cut_quad(corner), Some([[0, 1, 2], [0, 2, 3]]));

    // Folded back by 135°, a roof over the side of a square has no suitable projection plane.
    let square = [[-5.0, 5.0], [5.0, 5.0], [5.0, -5.0], [-5.0, -5.0]];
    let mut roof: Vec<Point<3>> = square.map(|[x, z]| Point::from([x, 0.0, z])).to_vec();
    roof.push(Point::from([0.0, 5.0, -5.0]));
    assert_eq!(triangulate(&roof, &corners(5)), None);
}

#[test]
fn a_dented_quadrilateral_is_cut_at_its_dent() {
    let dented = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
    for shift in 0..4 {
        let mut places = dented;
        places.rotate_left(shift);
        let points = flat(&places);
        let triangles = cut(&places).expect("simple");
        assert_eq!(area(&points, &triangles), 4.0);
        let corners: [Point<3>; 4] = points.try_into().expect("four");
        assert!(!is_convex_quad(corners));
    }
}

#[test]
fn a_long_spiral_is_cut_in_a_bounded_time() {
    let turns = 40.0;
    let arm = |i: usize, off: f64| {
        let t = i as f64 / 2_000.0;
        let (r, angle) = (0.1 + t + off, turns * std::f64::consts::TAU * t);
        [r * angle.cos(), r * angle.sin()]
    };
    let out = (0..2_000).map(|i| arm(i, 0.0));
    let back = (0..2_000).rev().map(|i| arm(i, 0.01));
    let places: Vec<[f64; 2]> = back.chain(out).collect();
    let triangles = cut(&places).expect("simple");

    assert!((area(&flat(&places), &triangles) - shoelace(&places).abs()).abs() < 1e-10);
}
