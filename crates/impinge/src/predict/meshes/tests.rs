use super::*;
use crate::predict::{edge_edge, vertex_face};
use crate::shape::{ProblemKind, generate};
use crate::space::{Point, Random, Vector};

/// A rough sheet of n × n squares, each split into two triangles.
fn sheet(n: usize, height: impl Fn(f64, f64) -> f64) -> (Vec<Point<3>>, Vec<[u32; 3]>) {
    let at = |k: usize| k as f64 / n as f64 - 0.5;
    let points = (0..=n)
        .flat_map(|i| (0..=n).map(move |j| (at(i), at(j))))
        .map(|(x, y)| Point::from([x, y, height(x, y)]))
        .collect();
    let number = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let triangles = (0..n)
        .flat_map(|i| (0..n).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] =
                [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| number(i, j));
            [[a, b, c], [a, c, d]]
        })
        .collect();

    (points, triangles)
}

fn moving(start: &[Point<3>], end: &[Point<3>], triangles: &[[u32; 3]]) -> MovingMesh {
    let mut mesh = MovingMesh::new(start, triangles).expect("valid");
    mesh.set_step(start, end).expect("valid");
    mesh
}

/// Brute force: all pairs of parts by the exact primitives.
fn brute_force(a: &MovingMesh, b: &MovingMesh, is_self: bool, tolerance: f64) -> Vec<MeshImpact> {
    let edges = |mesh: &MovingMesh| {
        let mut edges: Vec<[u32; 2]> = (mesh.triangles().iter())
            .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
            .map(|[i, j]| [i.min(j), i.max(j)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    };
    let mut found = Vec::new();

    let mut add = |impact: Option<crate::predict::Impact>, parts| {
        found.extend(impact.map(|i| MeshImpact {
            from: i.from,
            to: i.to,
            certain: i.certain,
            parts,
        }));
    };

    let step = |m: &MovingMesh, n: &MovingMesh, of_m: &[u32], of_n: &[u32]| {
        [0, 1].map(|end| {
            let first = of_m.iter().map(|&k| m.points()[end][k as usize]);
            let second = of_n.iter().map(|&k| n.points()[end][k as usize]);
            let all: Vec<_> = first.chain(second).collect();
            [all[0], all[1], all[2], all[3]]
        })
    };

    for (face, t) in (0..).zip(b.triangles()) {
        for vertex in (0..a.points()[0].len() as u32).filter(|v| !is_self || !t.contains(v)) {
            let impact = vertex_face(&step(a, b, &[vertex], t), tolerance).expect("finite");
            add(impact, ImpactParts::VertexFace { vertex, face });
        }
    }

    if !is_self {
        for (face, t) in (0..).zip(a.triangles()) {
            for vertex in 0..b.points()[0].len() as u32 {
                let impact = vertex_face(&step(b, a, &[vertex], t), tolerance).expect("finite");
                add(impact, ImpactParts::FaceVertex { face, vertex });
            }
        }
    }

    for first in edges(a) {
        for second in edges(b) {
            let apart = !first.iter().any(|n| second.contains(n));
            if !is_self || (first < second && apart) {
                let impact = edge_edge(&step(a, b, &first, &second), tolerance).expect("finite");
                add(impact, ImpactParts::EdgeEdge { first, second });
            }
        }
    }

    found.sort_by(MeshImpact::order);
    found
}

/// In self-impacts either part may come first.
fn normalised(found: &[MeshImpact], is_self: bool) -> Vec<(u64, ImpactParts)> {
    let mut all: Vec<_> = found
        .iter()
        .map(|impact| {
            let parts = match impact.parts {
                ImpactParts::FaceVertex { face, vertex } if is_self => {
                    ImpactParts::VertexFace { vertex, face }
                }
                ImpactParts::EdgeEdge { first, second } if is_self => ImpactParts::EdgeEdge {
                    first: first.min(second),
                    second: first.max(second),
                },
                parts => parts,
            };
            (impact.from.to_bits(), parts)
        })
        .collect();
    all.sort();

    all
}

#[test]
fn two_rough_sheets_meet_where_all_pairs_of_parts_say() {
    let mut random = Random::new(71);
    let options = ImpactOptions::default();
    let mut hits = 0;

    for round in 0..20 {
        let (phase, depth) = (f64::from(round), random.within(0.5, 3.0));
        let (low, triangles) = sheet(8, |x, y| 0.05 * (9.0 * x + phase).sin() * (7.0 * y).cos());
        let (high, _) = sheet(8, |x, y| {
            1.0 + 0.05 * (8.0 * x).cos() * (11.0 * y + phase).sin()
        });

        // A common motion changes only rounding.
        let common = random.direction::<3>() * [0.0, 100.0][round as usize % 2];
        let mut moved = |points: &[Point<3>], by: Vector<3>| -> Vec<Point<3>> {
            let mut jitter = || random.direction::<3>() * 0.02;
            points.iter().map(|p| p + by + jitter()).collect()
        };
        let a = moving(&low, &moved(&low, common), &triangles);
        let b = moving(
            &high,
            &moved(&high, common - Vector::z() * depth),
            &triangles,
        );

        let brute = brute_force(&a, &b, false, options.tolerance);
        let mut found = Vec::new();
        impacts(&a, &b, &options, &mut found);
        assert_eq!(normalised(&found, false), normalised(&brute, false));
        assert_eq!(first_impact(&a, &b, &options), brute.first().copied());

        hits += brute.len();
    }

    assert!(hits > 1000, "{hits}");
}

#[test]
fn a_sheet_that_folds_meets_itself_where_all_pairs_of_parts_say() {
    let options = ImpactOptions::default();
    // The left half starts raised and swings over and through the right one.
    let wave = |x: f64, y: f64| 0.01 * (20.0 * x).sin() * (20.0 * y).sin();
    let (open, triangles) = sheet(10, |x, y| wave(x, y) - 0.4 * x.min(0.0));
    let folded: Vec<Point<3>> = open
        .iter()
        .map(|p| match p.x < 0.0 {
            true => Point::from([-0.9 * p.x, p.y, 0.3 * p.x]),
            false => *p,
        })
        .collect();
    let mesh = moving(&open, &folded, &triangles);

    let brute = brute_force(&mesh, &mesh, true, options.tolerance);
    let mut found = Vec::new();
    self_impacts(&mesh, &options, &mut found);
    assert_eq!(normalised(&found, true), normalised(&brute, true));
    assert!(!brute.is_empty());
    let first = first_self_impact(&mesh, &options).expect("it meets itself");

    assert_eq!(first.from, brute[0].from);
}

#[test]
fn meshes_that_cross_at_the_start_meet_at_time_zero() {
    let ball = generate::icosphere(2).expect("valid");
    let still = MovingMesh::new(ball.points(), ball.triangles()).expect("valid");
    let beside: Vec<Point<3>> = ball
        .points()
        .iter()
        .map(|p| p + Vector::x() * 0.5)
        .collect();
    let away: Vec<Point<3>> = ball
        .points()
        .iter()
        .map(|p| p + Vector::x() * 9.0)
        .collect();
    let leaving = moving(&beside, &away, ball.triangles());

    let impact = first_impact(&still, &leaving, &ImpactOptions::default()).expect("they overlap");
    assert_eq!(impact.from, 0.0);
    assert!(matches!(impact.parts, ImpactParts::StartOverlap { .. }));
}

#[test]
fn a_search_until_a_time_finds_nothing_later() {
    let (low, triangles) = sheet(4, |_, _| 0.0);
    let high: Vec<Point<3>> = low.iter().map(|p| p + Vector::z()).collect();
    let deep: Vec<Point<3>> = low.iter().map(|p| p - Vector::z()).collect();
    let floor = MovingMesh::new(&low, &triangles).expect("valid");
    let falling = moving(&high, &deep, &triangles);

    let mut options = ImpactOptions::default();
    let impact = first_impact(&floor, &falling, &options).expect("they meet half way");
    assert!((impact.from - 0.5).abs() <= options.tolerance);
    options.until = 0.49;
    assert_eq!(first_impact(&floor, &falling, &options), None);
}

#[test]
fn a_minimum_separation_is_kept_and_reached() {
    let (low, triangles) = sheet(6, |x, y| 0.03 * (5.0 * x).sin() * (6.0 * y).cos());
    let high: Vec<Point<3>> = low
        .iter()
        .map(|p| p + Vector::<3>::new(0.03, 0.01, 1.0))
        .collect();
    let deep: Vec<Point<3>> = high.iter().map(|p| p - Vector::z() * 2.0).collect();
    let floor = MovingMesh::new(&low, &triangles).expect("valid");
    let falling = moving(&high, &deep, &triangles);

    let options = ImpactOptions {
        separation: 0.1,
        ..ImpactOptions::default()
    };
    let impact = first_impact(&floor, &falling, &options).expect("they meet");
    let touch = first_impact(&floor, &falling, &ImpactOptions::default()).expect("they meet");
    assert!(impact.from < touch.from - 0.04);

    let placed: Vec<Point<3>> = high
        .iter()
        .zip(&deep)
        .map(|(p, q)| p + (q - p) * impact.from)
        .collect();
    let corners = |points: &[Point<3>], t: &[u32; 3]| t.map(|n| points[n as usize]);
    let distances = triangles.iter().flat_map(|s| {
        let one = corners(&low, s);
        let placed = &placed;
        (triangles.iter()).map(move |t| {
            crate::narrow::triangle::closest(&one, &corners(placed, t))
                .way
                .norm()
        })
    });
    let nearest = distances.fold(f64::INFINITY, f64::min);

    assert!((0.1 - 1e-12..0.1 + 1e-6).contains(&nearest), "{nearest}");
}

#[test]
fn bad_points_are_refused_and_the_step_stays_as_it_was() {
    let (points, triangles) = sheet(1, |_, _| 0.0);
    let mut mesh = MovingMesh::new(&points, &triangles).expect("valid");
    let mut bad = points.clone();
    bad[2].y = f64::NAN;
    assert_eq!(
        mesh.set_step(&points, &bad).unwrap_err().kind,
        ProblemKind::NotFinite
    );

    assert_eq!(
        mesh.set_step(&points, &points[1..]).unwrap_err().kind,
        ProblemKind::WrongCount
    );
    assert_eq!(mesh.points(), [&points[..]; 2]);

    let empty = MovingMesh::new(&[] as &[Point<3>], &[]).expect("nothing is a mesh");
    assert_eq!(first_impact(&mesh, &empty, &ImpactOptions::default()), None);
    assert!(MovingMesh::new(&points, &[[0, 1, 9]]).is_err());
}
