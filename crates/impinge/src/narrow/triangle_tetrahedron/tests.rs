//! Tests against integer arithmetic: the intersection of two simplices as all basic solutions of T
//! λ = K μ.

use super::*;
use crate::space::{Random, Sign, orient3};
use fearless_simd::Level;

type Whole = [i128; 3];

/// A point with integer coordinates over a positive denominator.
#[derive(Clone, Copy)]
struct Fraction {
    numerators: Whole,
    denominator: i128,
}

fn whole(point: &Point<3>) -> Whole {
    std::array::from_fn(|axis| {
        assert_eq!(
            point[axis].fract(),
            0.0,
            "the oracle takes whole coordinates"
        );
        point[axis] as i128
    })
}

/// Returns the points T λ of all solutions of T λ = K μ, Σ λ = Σ μ = 1, λ, μ ≥ 0 that use
/// independent columns: the extreme points of the intersection are among them.
fn common_points(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4]) -> Vec<Fraction> {
    let columns: [[i128; 5]; 7] = std::array::from_fn(|place| {
        if place < 3 {
            let [x, y, z] = whole(&triangle[place]);
            [x, y, z, 1, 0]
        } else {
            let [x, y, z] = whole(&tetrahedron[place - 3]);
            [-x, -y, -z, 0, 1]
        }
    });
    let chosen = (0u32..128).filter(|c| c & 0b111 != 0 && c >> 3 != 0 && c.count_ones() <= 5);

    chosen
        .filter_map(|chosen| {
            let places: Vec<usize> = (0..7).filter(|&place| chosen >> place & 1 == 1).collect();
            let (weights, denominator) = solve(&columns, &places)?;
            let numerators = std::array::from_fn(|axis| {
                let of_triangle = places.iter().zip(&weights).filter(|(place, _)| **place < 3);
                of_triangle
                    .map(|(&place, weight)| weight * columns[place][axis])
                    .sum()
            });
            Some(Fraction {
                numerators,
                denominator,
            })
        })
        .collect()
}

/// Returns the only solution in the chosen columns, if it exists and has no negative weight, over a
/// common denominator, by fraction-free elimination (Bareiss 1968).
fn solve(columns: &[[i128; 5]; 7], places: &[usize]) -> Option<(Vec<i128>, i128)> {
    let n = places.len();
    let mut rows: Vec<Vec<i128>> = (0..5)
        .map(|row| {
            places
                .iter()
                .map(|&place| columns[place][row])
                .chain([i128::from(row >= 3)])
                .collect()
        })
        .collect();
    let mut last = 1;

    for step in 0..n {
        let pivot = (step..5).find(|&row| rows[row][step] != 0)?;
        rows.swap(step, pivot);
        let lead = rows[step].clone();
        for row in (0..5).filter(|&row| row != step) {
            let factor = rows[row][step];
            (0..=n)
                .for_each(|i| rows[row][i] = (lead[step] * rows[row][i] - factor * lead[i]) / last);
        }
        last = lead[step];
    }

    if rows[n..].iter().any(|row| row[n] != 0) {
        return None;
    }

    let weights: Vec<i128> = (0..n).map(|i| rows[i][n] * last.signum()).collect();
    weights
        .iter()
        .all(|&w| w >= 0)
        .then_some((weights, last.abs()))
}

fn determinant(u: Whole, v: Whole, w: Whole) -> i128 {
    w[0] * (u[1] * v[2] - u[2] * v[1])
        + w[1] * (u[2] * v[0] - u[0] * v[2])
        + w[2] * (u[0] * v[1] - u[1] * v[0])
}

fn minus(a: Whole, b: Whole) -> Whole {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// Returns whether the point is the shared node or lies between the two.
fn in_hull_of_shared(point: &Fraction, shared: &[Whole]) -> bool {
    let scaled = |p: &Whole| p.map(|x| x * point.denominator);
    match shared {
        [] => false,
        [only] => point.numerators == scaled(only),
        [from, to] => {
            let (from, to) = (scaled(from), scaled(to));
            let between =
                |i: usize| (from[i].min(to[i])..=from[i].max(to[i])).contains(&point.numerators[i]);
            let (u, v) = (minus(to, from), minus(point.numerators, from));
            let parallel = (0..3).all(|i| u[i] * v[(i + 1) % 3] == u[(i + 1) % 3] * v[i]);
            parallel && (0..3).all(between)
        }
        _ => panic!("a face is not asked about its own tetrahedron"),
    }
}

fn oracle(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4], shared: Shared) -> Relation {
    let points = common_points(triangle, tetrahedron);
    let nodes: Vec<Whole> = (0..3)
        .filter(|&i| shared.partner[i].is_some())
        .map(|i| whole(&triangle[i]))
        .collect();

    if points.iter().all(|point| in_hull_of_shared(point, &nodes)) {
        return Relation::Apart;
    }

    let corners = tetrahedron.each_ref().map(whole);
    // On the same side of a face as the opposite corner.
    let inside = |point: &Fraction, face: usize| {
        let [a, b, c] = FACES[face].map(|i| corners[i]);
        let (u, v) = (minus(b, a), minus(c, a));
        let side = determinant(
            u,
            v,
            minus(point.numerators, a.map(|x| x * point.denominator)),
        );
        side.signum() * determinant(u, v, minus(corners[face], a)).signum() > 0
    };
    let crosses = (0..4).all(|face| points.iter().any(|point| inside(point, face)));

    if crosses {
        Relation::Crossing
    } else {
        Relation::Touching
    }
}

fn grid_point(random: &mut Random, side: usize) -> Point<3> {
    Point::from([0; 3].map(|_| random.below(side) as f64))
}

fn check(triangle: &[Point<3>; 3], tetrahedron: &[Point<3>; 4], shared: Shared) -> Relation {
    let found = relation_beyond(triangle, tetrahedron, shared);
    assert_eq!(
        found,
        oracle(triangle, tetrahedron, shared),
        "{triangle:?} {tetrahedron:?} {shared:?}"
    );

    if shared == Shared::NOTHING {
        let corners = SolidCorners {
            points: tetrahedron,
            tetrahedra: &[[0, 1, 2, 3]],
        };
        let at_once = by_probe(Level::new(), triangle, corners, vec![0]);
        let expected = if found == Relation::Apart {
            vec![]
        } else {
            vec![(0, found)]
        };

        assert_eq!(at_once, expected, "{triangle:?} {tetrahedron:?}");
    }

    found
}

fn by_probe(
    level: Level,
    triangle: &[Point<3>; 3],
    corners: SolidCorners,
    mut list: Vec<u32>,
) -> Vec<(u32, Relation)> {
    let mut found = Vec::new();
    Probe::new(triangle).find(level, corners, &mut list, |t, relation| {
        found.push((t, relation))
    });
    found
}

/// Grids in arbitrary position produce corners next to a plane but not in it, on whichever side
/// rounding puts them.
#[test]
fn four_at_once_are_what_they_are_one_by_one_at_every_level_and_length() {
    let mut random = Random::new(6);
    let mut counts = [0; 3];
    for round in 0..3000 {
        let turn: [f64; 4] = random.direction::<4>().into();
        let pose = Pose::from_quaternion(turn, random.direction::<3>()).expect("a unit quaternion");
        let scale = [1.0, 1e-30, 1e-45, 1e20, 1e50][round % 5];
        let placed = |p: Point<3>| Point::from(pose.point(&p).coords * scale);
        let side = 2 + round % 4;
        let triangle = [0; 3].map(|_| placed(grid_point(&mut random, side)));
        let points: Vec<Point<3>> = (0..20)
            .map(|_| placed(grid_point(&mut random, side)))
            .collect();
        let tetrahedra: Vec<[u32; 4]> = (0..12)
            .map(|_| [0; 4].map(|_| random.below(20) as u32))
            .collect();

        let corners = SolidCorners {
            points: &points,
            tetrahedra: &tetrahedra,
        };
        let list: Vec<u32> = (0..round as u32 % 12).collect();
        let one_by_one = list.iter().map(|&t| {
            let relation = relation(
                &triangle,
                &tetrahedra[t as usize].map(|n| points[n as usize]),
            );
            counts[relation as usize] += 1;
            (t, relation)
        });
        let expected: Vec<_> = one_by_one
            .filter(|(_, relation)| *relation != Relation::Apart)
            .collect();

        for level in [Level::new(), Level::baseline()] {
            assert_eq!(
                by_probe(level, &triangle, corners, list.clone()),
                expected,
                "{round}"
            );
        }
    }

    assert!(counts.iter().all(|&n| n > 300), "{counts:?}");
}

/// Small integer coordinates produce every degeneracy: flat tetrahedra, triangles that are
/// segments, points on edges.
#[test]
fn pairs_on_a_small_grid_are_those_of_whole_arithmetic() {
    let mut random = Random::new(1);
    let (mut found, mut flat) = ([0; 3], 0);
    for round in 0..20_000 {
        let side = [2, 3, 4, 6, 1 << 16][round % 5];
        let triangle = [0; 3].map(|_| grid_point(&mut random, side));
        let tetrahedron = [0; 4].map(|_| grid_point(&mut random, side));
        let [a, b, c, d] = &tetrahedron;
        flat += usize::from(orient3(a, b, c, d) == Sign::Zero);
        found[check(&triangle, &tetrahedron, Shared::NOTHING) as usize] += 1;
    }

    assert!(
        found.iter().all(|&n| n > 1000) && flat > 1000,
        "{found:?}, {flat} flat"
    );
}

#[test]
fn pairs_that_share_nodes_meet_only_where_they_have_more_in_common() {
    let mut random = Random::new(2);
    let (mut found, mut flat) = ([[0; 3]; 2], 0);
    for round in 0..20_000 {
        let (side, count) = ([3, 4, 5, 7][round / 2 % 4], 1 + round % 2);
        let mut triangle = [0; 3].map(|_| grid_point(&mut random, side));
        let tetrahedron = [0; 4].map(|_| grid_point(&mut random, side));
        let mut nodes = [10, 11, 12];

        for place in 0..count {
            let corner = (round / 2 + place) % 4;
            triangle[(round + place) % 3] = tetrahedron[corner];
            nodes[(round + place) % 3] = corner as u32;
        }

        // Different nodes at the position of a shared one touch it, by index; as sets of points
        // they have nothing more in common.
        let distinct = (0..4).all(|i| (0..i).all(|j| tetrahedron[i] != tetrahedron[j]));
        if !distinct || crate::space::collinear(&triangle[0], &triangle[1], &triangle[2]) {
            continue;
        }

        let [a, b, c, d] = &tetrahedron;
        flat += usize::from(orient3(a, b, c, d) == Sign::Zero);
        let shared = Shared::of(&nodes, &[0, 1, 2, 3]);
        assert_eq!(shared.count(), count);
        found[count - 1][check(&triangle, &tetrahedron, shared) as usize] += 1;
    }

    assert!(
        found.as_flattened().iter().all(|&n| n > 200) && flat > 200,
        "{found:?}, {flat} flat"
    );
}

/// Integer coordinates of 16 bits, with a corner as near to a face as they allow.
#[test]
fn pairs_about_to_touch_are_those_of_whole_arithmetic() {
    let mut random = Random::new(3);
    let mut found = [0; 3];
    for round in 0..3000 {
        let tetrahedron = [0; 4].map(|_| grid_point(&mut random, 1 << 16));
        let weights = [
            random.unit(),
            if round % 3 == 0 { 0.0 } else { random.unit() },
            random.unit(),
        ];
        let sum: f64 = weights.iter().sum();
        let on = (0..3)
            .map(|i| tetrahedron[i].coords * (weights[i] / sum))
            .sum::<Vector<3>>();
        let on = Point::from(on.map(f64::round));
        let away = Vector::<3>::from_fn(|axis, _| on[axis] - tetrahedron[3][axis]);

        let beside = |random: &mut Random| {
            let aside = random.direction::<3>() * (away.norm() * 0.5);
            Point::from(
                (on + away + aside)
                    .coords
                    .map(|x| x.round().clamp(-65_536.0, 65_536.0)),
            )
        };
        let triangle = [on, beside(&mut random), beside(&mut random)];

        found[check(&triangle, &tetrahedron, Shared::NOTHING) as usize] += 1;
    }

    assert!(found[0] > 200 && found[2] > 200, "{found:?}");
}

#[test]
fn the_relation_does_not_depend_on_order_or_orientation() {
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let triangle = [0; 3].map(|_| grid_point(&mut random, 4));
        let tetrahedron = [0; 4].map(|_| grid_point(&mut random, 4));
        let found = relation(&triangle, &tetrahedron);
        let [a, b, c] = triangle;
        let [p, q, r, s] = tetrahedron;
        for triangle in [[b, c, a], [b, a, c]] {
            for tetrahedron in [[q, p, r, s], [s, r, p, q], [q, r, p, s]] {
                assert_eq!(relation(&triangle, &tetrahedron), found);
            }
        }
    }
}

#[test]
fn gjk_agrees_where_the_bodies_are_not_about_to_touch() {
    let mut random = Random::new(5);
    let mut found = [0; 3];
    for _ in 0..20_000 {
        let triangle = [0; 3].map(|_| Point::from([0; 3].map(|_| random.unit())));
        let tetrahedron = [0; 4].map(|_| Point::from([0; 3].map(|_| random.unit())));
        let relation = relation(&triangle, &tetrahedron);
        found[relation as usize] += 1;
        assert_eq!(
            meet_by_gjk(&triangle, &tetrahedron),
            relation != Relation::Apart
        );
    }

    assert!(found[0] > 5000 && found[2] > 5000, "{found:?}");
}

#[test]
fn tiny_huge_and_distant_pairs_keep_their_relation() {
    let tetrahedron = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    for (z, expected) in [
        (1.0, Relation::Crossing),
        (0.0, Relation::Touching),
        (-1.0, Relation::Apart),
    ] {
        let triangle = [[1.0, 1.0, z], [9.0, 1.0, z], [1.0, 9.0, z]];
        for (scale, shift) in [
            (1e-200, 0.0),
            (1e-60, 0.0),
            (1e58, 0.0),
            (1.0, 2f64.powi(49)),
        ] {
            let placed = |p: [f64; 3]| Point::from(p.map(|x| x * scale + shift));
            assert_eq!(
                relation(&triangle.map(placed), &tetrahedron.map(placed)),
                expected,
                "{scale} {shift}"
            );
        }
    }
}

#[test]
fn sectors_of_a_fan_are_parted_at_their_node_without_exact_signs() {
    let count = 300;
    let rim = |k: usize| {
        let angle = std::f64::consts::TAU * (k % count) as f64 / count as f64;
        Point::from([angle.cos(), angle.sin(), 0.25 * (3.0 * angle).sin()])
    };
    let sector = |k: usize| [Point::origin(), rim(k), rim(k + 1)];

    for (i, j) in (0..count).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let apart = (i - j).min(count + j - i);
        if apart < 2 {
            continue;
        }
        let [o, p, q] = sector(j);
        let shared = Shared::of(&[0, 1, 2], &[0, 3, 4, 4]);
        assert!(
            are_parted_at_node(&sector(i), &[o, p, q, q], shared),
            "{i} {j}"
        );
    }
}
