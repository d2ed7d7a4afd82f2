use super::*;
use crate::space::Random;

fn lattice_point(random: &mut Random, steps: usize) -> Point<3> {
    Point::from(std::array::from_fn::<f64, 3, _>(|_| {
        random.below(steps) as f64
    }))
}

/// A triangle and two points on a small lattice, where every degeneracy is frequent.
fn lattice_case(random: &mut Random) -> [Point<3>; 5] {
    loop {
        let [p, q, a, b, c] = std::array::from_fn(|_| lattice_point(random, 4));
        if !crate::space::collinear(&a, &b, &c) {
            return [p, q, a, b, c];
        }
    }
}

/// Reference solution. The squared distance between segment and triangle in integers would be
/// the full test. On a lattice it is enough to solve p + t (q − p) = a + u (b − a) + v (c − a)
/// in integers by Cramer's rule.
fn oracle(
    p: &Point<3>,
    q: &Point<3>,
    a: &Point<3>,
    b: &Point<3>,
    c: &Point<3>,
) -> Option<Crossing> {
    let int = |v: Vector<3>| [v.x as i64, v.y as i64, v.z as i64];
    let det = |u: [i64; 3], v: [i64; 3], w: [i64; 3]| {
        u[0] * (v[1] * w[2] - v[2] * w[1])
            + u[1] * (v[2] * w[0] - v[0] * w[2])
            + u[2] * (v[0] * w[1] - v[1] * w[0])
    };
    let (d, e, f, r) = (int(p - q), int(b - a), int(c - a), int(p - a));
    let whole = det(d, e, f);

    if whole == 0 {
        return None;
    }

    let sign = whole.signum();
    let (t, u, v) = (
        det(r, e, f) * sign,
        det(d, r, f) * sign,
        det(d, e, r) * sign,
    );
    let parts = [t, whole.abs() - t, u, v, whole.abs() - u - v];

    Some(if parts.iter().any(|&x| x < 0) {
        Crossing::Apart
    } else if parts.contains(&0) {
        Crossing::Degenerate
    } else {
        Crossing::Through
    })
}

#[test]
fn crossings_on_a_lattice_are_those_of_cramers_rule_in_integers() {
    let mut random = Random::new(11);
    let mut seen = [0; 3];
    for _ in 0..200_000 {
        let [p, q, a, b, c] = lattice_case(&mut random);
        if let Some(expected) = oracle(&p, &q, &a, &b, &c) {
            assert_eq!(
                crossing(&p, &q, &a, &b, &c),
                expected,
                "{p} {q} {a} {b} {c}"
            );
            assert_eq!(exact_crossing(&p, &q, &a, &b, &c), expected);
            seen[expected as usize] += 1;
        }
    }

    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn a_segment_in_the_plane_is_apart_or_degenerate_as_sampling_says() {
    let mut random = Random::new(12);
    let mut seen = [0; 2];
    for _ in 0..10_000 {
        let [mut p, mut q, mut a, mut b, mut c] = lattice_case(&mut random);
        for point in [&mut p, &mut q, &mut a, &mut b, &mut c] {
            point.z = point.x + 2.0 * point.y;
        }

        if crate::space::collinear(&a, &b, &c) {
            continue;
        }

        // A lattice segment and triangle of this size that touch do so at a parameter with a
        // small denominator.
        let touches = (1..=40).any(|n| {
            (0..=n).any(|k| {
                let scaled = |point: &Point<3>| point * f64::from(n);
                let x = Point::from(p.coords * f64::from(n - k) + q.coords * f64::from(k));
                let signs = [(a, b), (b, c), (c, a)].map(|(s, t)| {
                    orient2(&flat(&scaled(&s), 2), &flat(&scaled(&t), 2), &flat(&x, 2))
                });
                !(signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative))
            })
        });

        let expected = if touches {
            Crossing::Degenerate
        } else {
            Crossing::Apart
        };
        assert_eq!(
            crossing(&p, &q, &a, &b, &c),
            expected,
            "{p} {q} {a} {b} {c}"
        );

        seen[usize::from(touches)] += 1;
    }

    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn the_filter_never_contradicts_the_exact_predicates() {
    let mut random = Random::new(13);
    for round in 0..100_000 {
        let offset = [0.0, 1e9, -1e3][round % 3];
        let scale = [1.0, 1e-9, 1e20][round / 3 % 3];
        let mut point = || {
            Point::from(std::array::from_fn::<f64, 3, _>(|_| {
                offset + scale * random.within(-1.0, 1.0)
            }))
        };
        let [p, mut q, a, b, c] = std::array::from_fn(|_| point());

        if round % 2 == 0 {
            // Aimed at a side, so the volume of that side nearly vanishes.
            let aim = a + (b - a) * random.unit();
            q = p + (aim - p) * 2.0;
        }

        if !crate::space::collinear(&a, &b, &c) {
            assert_eq!(
                crossing(&p, &q, &a, &b, &c),
                exact_crossing(&p, &q, &a, &b, &c)
            );
        }
    }
}

#[test]
fn moved_segments_cross_as_plain_ones_where_those_are_not_degenerate() {
    let mut random = Random::new(14);
    for _ in 0..50_000 {
        let [p, q, a, b, c] = lattice_case(&mut random);
        match crossing(&p, &q, &a, &b, &c) {
            Crossing::Apart => assert!(!crosses_nearby(&p, &q, &a, &b, &c)),
            Crossing::Through => assert!(crosses_nearby(&p, &q, &a, &b, &c)),
            Crossing::Degenerate => {}
        }
    }
}

fn octahedron() -> Surface {
    let points = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];

    let faces = [
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];

    Surface::new(&points, &faces).expect("closed")
}

#[test]
fn moved_segments_between_lattice_points_have_the_parity_of_the_octahedron() {
    // Most of these segments pass through vertices, along edges or in faces.
    let octahedron = octahedron();
    let lattice: Vec<Point<3>> = (0..729)
        .map(|i| Point::from([i % 9, i / 9 % 9, i / 81].map(|k| f64::from(k) * 0.5 - 2.0)))
        .filter(|x| x.coords.abs().sum() != 1.0)
        .collect();
    let is_inside = |x: &Point<3>| x.coords.abs().sum() < 1.0;

    for p in &lattice {
        for q in lattice.iter().step_by(7) {
            let count = (0..8)
                .filter(|&t| {
                    let [a, b, c] = octahedron.corners(t);
                    crosses_nearby(p, q, &a, &b, &c)
                })
                .count();
            assert_eq!(count % 2 == 1, is_inside(p) != is_inside(q), "{p} {q}");
        }
    }
}

#[test]
fn points_on_a_face_edge_and_vertex_are_located_and_one_ulp_off_they_are_not() {
    let octahedron = octahedron();
    let on = |point: [f64; 3]| locate_on(&octahedron, 0, &point.into());
    assert_eq!(on([0.5, 0.25, 0.25]), Some(Feature::Face(0)));
    assert_eq!(on([0.5, 0.5, 0.0]), Some(Feature::Edge([0, 2])));
    assert_eq!(on([0.0, 0.75, 0.25]), Some(Feature::Edge([2, 4])));
    assert_eq!(on([0.5, 0.0, 0.5]), Some(Feature::Edge([0, 4])));
    assert_eq!(on([1.0, 0.0, 0.0]), Some(Feature::Vertex(0)));
    assert_eq!(on([0.0, 1.0, 0.0]), Some(Feature::Vertex(2)));
    assert_eq!(on([0.0, 0.0, 1.0]), Some(Feature::Vertex(4)));
    assert_eq!(on([0.5f64.next_up(), 0.25, 0.25]), None);
    assert_eq!(on([0.5, 0.25, 0.25f64.next_down()]), None);

    assert_eq!(on([0.5, 0.75, -0.25]), None);
}
