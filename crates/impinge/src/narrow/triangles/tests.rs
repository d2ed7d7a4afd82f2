use super::super::triangle_tetrahedron::relation;
use super::*;
use crate::shape::generate;
use crate::space::{Random, Vector};

#[test]
fn an_embedded_surface_does_not_meet_itself_and_a_folded_one_does() {
    let ball = generate::sphere(3).expect("valid");
    let mut pairs = Vec::new();
    let of = |points: &[Point<3>]| Triangles::new(points, ball.triangles()).expect("good");
    of(ball.points()).find_self(Neighbours::Exact, &mut pairs);
    assert_eq!(pairs, Vec::<[u32; 2]>::new());
    of(ball.points()).find_self(Neighbours::Face, &mut pairs);
    assert!(pairs.len() > ball.triangles().len(), "corners touch");
    let mut folded = ball.points().to_vec();
    folded[5] = Point::from(-folded[5].coords * 1.5);
    of(&folded).find_self(Neighbours::Exact, &mut pairs);

    assert!(pairs.len() > 5 && pairs.iter().all(|[a, b]| a < b));
}

#[test]
fn pairs_of_two_surfaces_are_those_of_all_pairs_on_a_grid() {
    let mut random = Random::new(9);
    let mut soup = || {
        let points: Vec<Point<3>> = (0..60)
            .map(|_| Point::from([0; 3].map(|_| random.below(6) as f64)))
            .collect();
        let triangles: Vec<[u32; 3]> = (0..60).map(|i| [i, (i + 1) % 60, (i + 7) % 60]).collect();
        Triangles::new(&points, &triangles).expect("good")
    };
    let (a, b) = (soup(), soup());
    let (mut pairs, mut swapped) = (Vec::new(), Vec::new());
    a.find_between(&b, &mut pairs);
    b.find_between(&a, &mut swapped);
    swapped.iter_mut().for_each(|pair| pair.reverse());
    swapped.sort_unstable();
    assert_eq!(pairs, swapped, "the test is symmetric");
    let meets = |i: u32, j: u32| relation(&a.corners(i), &doubled(b.corners(j))) != Relation::Apart;

    let all: Vec<[u32; 2]> = (0..60)
        .flat_map(|i| (0..60).map(move |j| [i, j]))
        .filter(|&[i, j]| meets(i, j))
        .collect();
    assert_eq!(pairs, all);

    assert!(all.len() > 100);
}

/// Triangles from the origin to a rim that rises and turns by some angle, and more of them below.
fn fan(count: u32, turn: f64, rise: f64, below: bool) -> Triangles {
    let rim = |k: u32| {
        let angle = turn * f64::from(k) / f64::from(count);
        [angle.cos(), angle.sin(), rise * angle]
    };
    let mut points = vec![[0.0; 3], [0.0, 0.0, -1.0]];
    points.extend((0..=count).map(rim));
    let mut triangles: Vec<[u32; 3]> = (0..count).map(|k| [0, k + 2, k + 3]).collect();
    if below {
        triangles.extend((0..count).map(|k| [1, k + 3, k + 2]));
    }
    Triangles::new(&points, &triangles).expect("good")
}

#[test]
fn fans_have_the_pairs_of_all_pairs() {
    // The fourth overlaps itself, and its lower side meets the upper one.
    for (count, turn, below) in [(150, 5.0, false), (150, 6.0, true), (90, 8.0, true)] {
        let fan = fan(count, turn, 0.1, below);
        for neighbours in [Neighbours::Exact, Neighbours::Node, Neighbours::Face] {
            let all = fan.triangles.len() as u32;
            let expected: Vec<[u32; 2]> = (0..all)
                .flat_map(|a| (a + 1..all).map(move |b| [a, b]))
                .filter(|&[a, b]| fan.meets_within(a, b, neighbours))
                .collect();
            let mut pairs = Vec::new();
            fan.find_self(neighbours, &mut pairs);
            assert_eq!(pairs, expected, "{count} {turn} {neighbours:?}");
        }
    }
}

#[test]
fn triangles_through_a_hub_and_flat_ones_at_it_are_found() {
    let mut points: Vec<[f64; 3]> = vec![[0.0; 3], [0.0; 3]];
    points.extend((0..100).map(|k| {
        let angle = 0.06 * f64::from(k);
        [angle.cos(), angle.sin(), 0.0]
    }));
    // Through the hub, ending on it, around it in another plane, beside it.
    points.extend([
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
        [0.3, 0.1, 0.5],
        [9.0, 9.0, 9.0],
    ]);
    let mut triangles: Vec<[u32; 3]> = (0..99).map(|k| [0, k + 2, k + 3]).collect();
    triangles.extend([
        [102, 103, 104],
        [1, 102, 104],
        [0, 1, 30],
        [0, 0, 40],
        [104, 105, 102],
    ]);
    triangles.extend([[0, 2, 102], [103, 102, 105]]);
    let fan = Triangles::new(&points, &triangles).expect("good");
    let all = triangles.len() as u32;
    for neighbours in [Neighbours::Exact, Neighbours::Node] {
        let expected: Vec<[u32; 2]> = (0..all)
            .flat_map(|a| (a + 1..all).map(move |b| [a, b]))
            .filter(|&[a, b]| fan.meets_within(a, b, neighbours))
            .collect();
        let mut pairs = Vec::new();
        fan.find_self(neighbours, &mut pairs);
        assert_eq!(pairs, expected, "{neighbours:?}");
        assert!(pairs.len() > 99, "{neighbours:?}: {}", pairs.len());
    }
}

#[test]
fn the_candidates_of_a_fan_grow_with_its_triangles_not_their_square() {
    // A disc with a cone below, and a spiral that turns nearly twice.
    for count in [1000, 4000] {
        for (turn, rise, below) in [(6.2, 0.0, true), (12.0, 0.1, false)] {
            let fan = fan(count, turn, rise, below);
            let fans = Fans::new(&fan).expect("hubs");
            let (mut near, mut candidates) = (Vec::new(), 0);
            for a in 0..fan.triangles.len() as u32 {
                fans.find(a, &mut near);
                candidates += near.len();
            }
            assert!(candidates < 20 * count as usize, "{count}: {candidates}");
        }
    }
}

#[test]
fn coplanar_and_touching_surfaces_meet() {
    let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Point::from);
    let one = Triangles::new(&flat, &[[0, 1, 2]]).expect("good");
    let mut pairs = Vec::new();

    for (shift, expected) in [
        ([1.0, 1.0, 0.0], 1),
        ([4.0, 0.0, 0.0], 1),
        ([4.0, 1e-9, 0.0], 0),
        ([0.5, 0.5, 1e-300], 0),
    ] {
        let moved = flat.map(|p| p + Vector::<3>::from(shift));
        one.find_between(
            &Triangles::new(&moved, &[[0, 1, 2]]).expect("good"),
            &mut pairs,
        );
        assert_eq!(pairs.len(), expected, "{shift:?}");
    }
}
