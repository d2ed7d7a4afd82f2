//! Every method and every number of threads returns the list of brute force.

use super::*;
use crate::shape::generate::{self, Vee};
use crate::shape::{Item, ProblemKind};
use crate::space::{Point, Random, Vector};
use crate::tree::{BucketLevels, BucketMapping, BucketRoot};

const METHODS: [SolidMethod; 6] = [
    SolidMethod::Auto,
    SolidMethod::Tree,
    SolidMethod::Contours,
    SolidMethod::BruteForce,
    SolidMethod::Buckets(BucketOptions {
        levels: BucketLevels::Overlapped(1.5),
        root: BucketRoot::Fitted,
        mapping: BucketMapping::Direct,
    }),
    SolidMethod::Buckets(BucketOptions {
        levels: BucketLevels::Overlapped(3.0),
        root: BucketRoot::Fitted,
        mapping: BucketMapping::Sorted,
    }),
];

pub(super) fn at(vee: &Vee, angle: f64, shift: [f64; 3]) -> Solid {
    let points = vee.points(angle).expect("in range");
    let points: Vec<Point<3>> = points
        .iter()
        .map(|p| p + Vector::<3>::from(shift))
        .collect();
    Solid::new(&points, vee.tetrahedra()).expect("good")
}

/// The self-contact hits of a solid, identical for all methods.
fn self_hits(solid: &Solid, neighbours: Neighbours) -> Vec<FaceHit> {
    let mut expected: Option<Vec<FaceHit>> = None;
    for method in METHODS {
        let mut contacts = SolidContacts::new(solid, SolidOptions { method, neighbours });
        let mut hits = Vec::new();
        contacts.find_self(solid, &mut hits);
        assert!(
            hits.windows(2)
                .all(|w| (w[0].face, w[0].tetrahedron) < (w[1].face, w[1].tetrahedron))
        );
        let first = expected.get_or_insert_with(|| hits.clone());
        assert_eq!(first.len(), hits.len(), "{method:?} {neighbours:?}");
        assert_eq!(*first, hits, "{method:?} {neighbours:?}");
    }

    expected.expect("there are methods")
}

/// The hits between two solids, identical for all methods.
pub(super) fn pair_hits(a: &Solid, b: &Solid) -> [Vec<FaceHit>; 2] {
    let mut expected: Option<[Vec<FaceHit>; 2]> = None;
    for method in METHODS {
        let options = SolidOptions {
            method,
            ..SolidOptions::default()
        };
        let mut contacts = [a, b].map(|solid| SolidContacts::new(solid, options));
        let mut hits = [Vec::new(), Vec::new()];
        let ([of_a, of_b], [first, second]) = (&mut contacts, &mut hits);
        of_a.find_between(a, of_b, b, [first, second]);

        assert_eq!(
            *expected.get_or_insert_with(|| hits.clone()),
            hits,
            "{method:?}"
        );
    }

    expected.expect("there are methods")
}

#[test]
fn crossing_legs_are_found_as_by_brute_force_in_every_sense_of_neighbour() {
    let vee = Vee::new(1500).expect("valid");
    for angle in [1.0, -0.12, -0.2, -0.5] {
        let solid = at(&vee, angle, [0.0; 3]);
        let [face, node, exact] =
            [Neighbours::Face, Neighbours::Node, Neighbours::Exact].map(|n| self_hits(&solid, n));
        assert!(
            face.len() > exact.len(),
            "neighbours that share only a node touch"
        );
        assert!(exact.len() >= node.len());
        assert_eq!(exact.is_empty(), angle > 0.0, "{angle}: {}", exact.len());

        if angle < -0.15 {
            assert!(exact.iter().filter(|hit| hit.crosses()).count() > 50);
        }
    }
}

#[test]
fn two_solids_dragged_through_each_other_are_found_as_by_brute_force() {
    let (vee, other) = (Vee::new(900).expect("valid"), Vee::new(600).expect("valid"));
    let a = at(&vee, 0.9, [0.0; 3]);
    let mut most = 0;

    for step in 0..6 {
        let b = at(&other, 0.8, [0.3, -2.5 + 0.8 * f64::from(step), 0.37]);
        let [of_a, of_b] = pair_hits(&a, &b);
        most = most.max(of_a.len().min(of_b.len()));
    }

    assert!(most > 50, "{most}");
}

/// Displaces each node randomly: nearly all stars are folded, many tetrahedra inverted.
fn shaken(solid: &Solid, length: f64, seed: u64) -> Solid {
    let mut random = Random::new(seed);
    let points: Vec<Point<3>> = solid
        .points()
        .iter()
        .map(|p| p + random.direction::<3>() * length)
        .collect();
    let mut shaken = solid.clone();
    shaken.set_points(&points).expect("finite");

    shaken
}

#[test]
fn crumpled_solids_with_inverted_tetrahedra_are_found_as_by_brute_force() {
    let vee = Vee::new(600).expect("valid");
    let still = at(&vee, 0.3, [0.0; 3]);
    for (seed, length) in [(1, 0.02), (2, 0.35), (3, 0.5), (4, 1.0)] {
        let solid = shaken(&still, length, seed);
        let inverted = solid.deformation().inverted;
        assert_eq!(inverted > 0, length > 0.05, "{length}");
        let hits = self_hits(&solid, Neighbours::Exact);
        assert_eq!(
            hits.is_empty(),
            inverted == 0,
            "{length}: {} hits",
            hits.len()
        );
    }
}

/// Integer coordinates: flat tetrahedra, coinciding nodes, coplanar faces.
#[test]
fn flattened_solids_are_found_as_by_brute_force() {
    let mesh = generate::brick([3, 2, 2], [3.0, 2.0, 2.0], crate::shape::ElementKind::Tet4)
        .expect("valid");
    let still = Solid::from_mesh(&mesh).expect("good");
    assert!(
        self_hits(&still, Neighbours::Exact).is_empty(),
        "coplanar faces of a brick do not meet"
    );
    let mut random = Random::new(5);

    for round in 0..6 {
        let mut points = still.points().to_vec();
        for _ in 0..2 + 3 * round {
            let (node, other) = (random.below(points.len()), random.below(points.len()));
            points[node] = points[other];
        }

        if round == 5 {
            points.iter_mut().for_each(|p| p.z = 0.0);
        }

        let mut solid = still.clone();
        assert!(solid.set_points(&points).expect("finite").flat > 0);
        assert!(!self_hits(&solid, Neighbours::Exact).is_empty());
        pair_hits(&solid, &still);
    }
}

#[test]
fn a_face_that_crosses_next_to_its_own_node_is_found() {
    // A fan of tetrahedra around an edge, wound by more than a full turn: the last one lies in the
    // first.
    let count = 7;
    let angle = |k: usize| k as f64 * 6.6 / count as f64;
    let ring = (0..=count).map(|k| Point::from([angle(k).cos(), angle(k).sin(), 0.0]));
    let points: Vec<Point<3>> = [Point::from([0.0, 0.0, -1.0]), Point::from([0.0, 0.0, 1.0])]
        .into_iter()
        .chain(ring)
        .collect();
    let tetrahedra: Vec<[u32; 4]> = (0..count as u32).map(|k| [0, 2 + k, 3 + k, 1]).collect();
    let solid = Solid::new(&points, &tetrahedra).expect("all positive");
    let hits = self_hits(&solid, Neighbours::Exact);
    assert!(hits.iter().any(|hit| hit.crosses()), "{hits:?}");

    assert!(
        self_hits(&solid, Neighbours::Node).is_empty(),
        "the paper's sense loses it"
    );
}

/// Tetrahedra around an edge, wound by some angle.
fn fan(count: usize, turn: f64) -> Solid {
    let angle = |k: usize| k as f64 * turn / count as f64;
    let ring = (0..=count).map(|k| Point::from([angle(k).cos(), angle(k).sin(), 0.0]));
    let points: Vec<Point<3>> = [Point::from([0.0, 0.0, -1.0]), Point::from([0.0, 0.0, 1.0])]
        .into_iter()
        .chain(ring)
        .collect();
    let tetrahedra: Vec<[u32; 4]> = (0..count as u32).map(|k| [0, 2 + k, 3 + k, 1]).collect();
    Solid::new(&points, &tetrahedra).expect("all positive")
}

#[test]
fn a_fan_around_an_edge_has_the_hits_of_brute_force_and_few_exact_tests() {
    for turn in [2.0, 4.0, 6.0, 6.6] {
        for neighbours in [Neighbours::Exact, Neighbours::Node, Neighbours::Face] {
            let hits = self_hits(&fan(150, turn), neighbours);
            if neighbours == Neighbours::Exact {
                let is_wound = turn > std::f64::consts::TAU;
                assert_eq!(hits.iter().any(|hit| hit.crosses()), is_wound, "{turn}");
            }
        }
    }

    let solid = fan(2500, 4.0);
    let mut contacts = SolidContacts::new(&solid, SolidOptions::default());
    let mut hits = Vec::new();
    contacts.find_self(&solid, &mut hits);
    let tests = contacts.counters().tests;
    assert!(hits.is_empty() && tests < 20 * 5002, "{tests} tests");
}

#[test]
fn lists_are_the_same_for_any_number_of_threads() {
    let vee = Vee::new(20_000).expect("valid");
    let (solid, other) = (at(&vee, -0.4, [0.0; 3]), at(&vee, 0.5, [0.2, 0.4, 0.3]));
    let run = |threads: usize, method: SolidMethod| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let options = SolidOptions {
            method,
            ..SolidOptions::default()
        };
        pool.install(|| {
            let mut contacts = [&solid, &other].map(|solid| SolidContacts::new(solid, options));
            let (mut own, mut hits) = (Vec::new(), [Vec::new(), Vec::new()]);
            contacts[0].find_self(&solid, &mut own);
            let ([of_a, of_b], [first, second]) = (&mut contacts, &mut hits);
            of_a.find_between(&solid, of_b, &other, [first, second]);
            (own, hits, contacts[0].counters())
        })
    };

    for method in [
        SolidMethod::Tree,
        SolidMethod::Contours,
        SolidMethod::Buckets(BucketOptions::default()),
    ] {
        let one = run(1, method);
        assert!(one.0.len() > 1000 && one.1[0].len() > 500);
        assert_eq!(one, run(2, method));
        assert_eq!(one, run(7, method));
    }
}

#[test]
fn kept_contacts_follow_an_oscillation_and_a_change_of_topology() {
    let vee = Vee::new(1200).expect("valid");
    let mut solid = at(&vee, 0.5, [0.0; 3]);
    let mut contacts = SolidContacts::new(&solid, SolidOptions::default());
    let mut hits = Vec::new();

    for step in 0..8 {
        let points = vee
            .oscillating(0.0, 0.5, f64::from(step) / 8.0)
            .expect("in range");
        solid.set_points(&points).expect("finite");
        contacts.update(&solid);
        contacts.find_self(&solid, &mut hits);
        let mut expected = Vec::new();
        brute::within(&solid, Neighbours::Exact, &mut expected);
        assert_eq!(hits, expected);
    }

    assert_eq!(
        contacts.counters().folded_nodes,
        0,
        "no node of a V needs the slow way"
    );
    solid
        .set_points(&vee.points(-0.4).expect("in range"))
        .expect("finite");
    let fewer = Solid::new(solid.points(), &solid.tetrahedra()[300..]).expect("still a solid");
    contacts.update_topology(&fewer);
    contacts.find_self(&fewer, &mut hits);
    assert_eq!(hits, self_hits(&fewer, Neighbours::Exact));

    assert!(!hits.is_empty());
}

#[test]
fn a_solid_inside_another_is_found_whole() {
    let big = at(&Vee::new(600).expect("valid"), 1.0, [0.0; 3]);
    let small: Vec<Point<3>> = big
        .points()
        .iter()
        .map(|p| Point::from(p.coords * 0.05))
        .collect();
    let small = Solid::new(&small, big.tetrahedra()).expect("good");
    let [_, of_small] = pair_hits(&big, &small);
    let mut faces: Vec<u32> = of_small.iter().map(|hit| hit.face).collect();
    faces.dedup();

    assert_eq!(faces.len(), small.boundary_triangles().len());
}

#[test]
fn one_tetrahedron_and_identical_solids_in_one_place() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let one = Solid::new(&corners, &[[0, 1, 2, 3]]).expect("good");
    assert!(self_hits(&one, Neighbours::Exact).is_empty());
    let [of_a, of_b] = pair_hits(&one, &one.clone());
    assert_eq!((of_a.len(), &of_a), (4, &of_b));
    assert!(of_a.iter().all(|hit| hit.relation == Relation::Touching));
    let vee = at(&Vee::new(300).expect("valid"), 0.7, [0.0; 3]);
    let [of_a, of_b] = pair_hits(&vee, &vee.clone());
    assert_eq!(of_a, of_b);

    assert!(of_a.len() > vee.boundary_triangles().len());
}

#[test]
fn one_element_a_million_times_larger_than_the_rest_hides_nothing() {
    let vee = Vee::new(600).expect("valid");
    let (mut points, mut tetrahedra) = (
        vee.points(-0.3).expect("in range"),
        vee.tetrahedra().to_vec(),
    );
    let first = points.len() as u32;
    points.extend(
        [
            [-1e5, -1e5, -1e5],
            [3e5, 0.0, 0.0],
            [0.0, 3e5, 0.0],
            [0.0, 0.0, 3e5],
        ]
        .map(Point::from),
    );
    tetrahedra.push([first, first + 1, first + 2, first + 3]);
    let solid = Solid::new(&points, &tetrahedra).expect("good");
    let hits = self_hits(&solid, Neighbours::Exact);
    let huge = tetrahedra.len() as u32 - 1;
    let in_huge = hits.iter().filter(|hit| hit.tetrahedron == huge).count();
    assert_eq!(in_huge, solid.boundary_triangles().len() - 4);

    assert!(hits.len() > in_huge + 100);
}

#[test]
fn a_solid_a_million_times_larger_than_its_elements() {
    // Two bricks of unit elements in one mesh, far apart, and far from the origin.
    let mesh = generate::brick([3, 2, 2], [3.0, 2.0, 2.0], crate::shape::ElementKind::Tet4)
        .expect("valid");
    let brick = Solid::from_mesh(&mesh).expect("good");
    let count = brick.points().len() as u32;

    for (far, hit) in [([1e6, 0.0, 0.0], false), ([0.25, 0.5, 0.125], true)] {
        let shifted = brick.points().iter().map(|p| p + Vector::<3>::from(far));
        let offset = Vector::<3>::repeat(2f64.powi(20));
        let points: Vec<Point<3>> = brick
            .points()
            .iter()
            .copied()
            .chain(shifted)
            .map(|p| p + offset)
            .collect();
        let second = brick.tetrahedra().iter().map(|t| t.map(|n| n + count));
        let tetrahedra: Vec<[u32; 4]> = brick.tetrahedra().iter().copied().chain(second).collect();
        let solid = Solid::new(&points, &tetrahedra).expect("good");

        assert_eq!(!self_hits(&solid, Neighbours::Exact).is_empty(), hit);
    }
}

#[test]
fn a_node_that_is_not_a_number_is_named() {
    let vee = Vee::new(100).expect("valid");
    let mut solid = at(&vee, 0.7, [0.0; 3]);
    let mut points = solid.points().to_vec();
    points[17].y = f64::NAN;
    let problem = solid.set_points(&points).unwrap_err();

    assert_eq!(
        (problem.kind, problem.first),
        (ProblemKind::NotFinite, Item::Point(17))
    );
}

#[test]
fn many_solids_are_found_pair_by_pair_and_in_themselves() {
    let vee = Vee::new(300).expect("valid");
    let solids = [(0.8, 0.0), (-0.4, 1.0), (0.6, 2.0), (0.5, 90.0)]
        .map(|(angle, x)| at(&vee, angle, [x, 0.2 * x, 0.1 * x]));
    let mut found = Vec::new();
    let mut many = ManySolids::new(&solids, SolidOptions::default());
    many.find(&solids, &mut found).expect("finite boxes");
    let mut expected = Vec::new();

    for (a, solid) in (0..).zip(&solids) {
        for (b, other) in (0..).zip(&solids) {
            let mut hits = Vec::new();
            if a == b {
                brute::within(solid, Neighbours::Exact, &mut hits);
            } else {
                brute::between(solid, other, &mut hits);
            }

            expected.extend(hits.into_iter().map(|hit| BodyHit {
                face_of: a,
                tetrahedron_of: b,
                hit,
            }));
        }
    }

    assert_eq!(found, expected);
    assert!(found.iter().any(|hit| hit.face_of == hit.tetrahedron_of));
}

#[test]
fn depths_are_distances_to_the_surface_and_nearly_always_the_least() {
    let (vee, small) = (
        Vee::new(3000).expect("valid"),
        Vee::new(200).expect("valid"),
    );
    let solid = at(&vee, 1.2, [0.0; 3]);
    let other = at(&small, 0.9, [0.4, 0.3, 0.25]);
    let mut hits = Vec::new();
    brute::between(&other, &solid, &mut hits);
    let depths = Depths::new(&solid);
    let mut deepest = Vec::new();
    penetrations(&other, &solid, &hits, &depths, &mut deepest);
    assert_eq!(deepest.len(), hits.len());
    let (mut deep, mut exact) = (0, 0);

    for Penetration {
        hit,
        deepest,
        barycentric,
        out,
    } in deepest
    {
        let corners = solid.corners(hit.tetrahedron as usize);
        let mixed: Vector<3> = (0..4).map(|i| corners[i].coords * barycentric[i]).sum();
        assert!((mixed - deepest.coords).norm() < 1e-9 && barycentric.iter().all(|&w| w >= 0.0));
        let nearest = (0..solid.boundary_triangles().len() as u32)
            .map(|face| (depth_to(&solid, face, &deepest)).abs())
            .fold(f64::INFINITY, f64::min);

        // In a mesh of three cells across, the part that is near along the mesh may not be the
        // nearest.
        assert!(
            out.depth > nearest - 1e-9 && out.depth < nearest + 0.12,
            "{} for {nearest}",
            out.depth
        );
        exact += usize::from(out.depth < nearest + 1e-9);
        assert!((deepest + out.direction * out.depth - out.on).norm() < 1e-9);

        deep += usize::from(out.depth > 0.2);
    }

    assert!(
        deep > 10 && exact * 20 > hits.len() * 19,
        "{deep} deep, {exact} of {} exact",
        hits.len()
    );
    let own = Depths::new(&other);
    let mut nodes = Vec::new();
    node_penetrations((&other, &own), (&solid, &depths), &hits, &mut nodes);

    assert!(nodes.len() > 10 && nodes.windows(2).all(|w| w[0].node < w[1].node));
}

/// Distance of a point to a boundary triangle, by many points of the triangle's sides and its
/// plane.
fn depth_to(solid: &Solid, face: u32, point: &Point<3>) -> f64 {
    let [a, b, c] = brute::face_corners(solid, face);
    let normal = (b - a).cross(&(c - a)).normalize();
    let height = normal.dot(&(point - a));
    let foot = point - normal * height;
    let is_over = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(p, q)| (q - p).cross(&(foot - p)).dot(&normal) >= 0.0);

    if is_over {
        return height.abs();
    }

    let to_side = |p: Point<3>, q: Point<3>| {
        let share = ((q - p).dot(&(point - p)) / (q - p).norm_squared()).clamp(0.0, 1.0);
        (p + (q - p) * share - point).norm()
    };
    to_side(a, b).min(to_side(b, c)).min(to_side(c, a))
}

#[test]
fn the_way_out_of_a_self_contact_is_that_of_the_penetrated_leg() {
    let vee = Vee::new(6000).expect("valid");
    let solid = at(&vee, -0.5, [0.0; 3]);
    let mut hits = Vec::new();
    SolidContacts::new(&solid, SolidOptions::default()).find_self(&solid, &mut hits);
    let depths = Depths::new(&solid);
    let mut nodes = Vec::new();
    node_penetrations((&solid, &depths), (&solid, &depths), &hits, &mut nodes);

    // The nearest way out is at most half of the leg, one unit thick. A node leaves through the faces
    // that oppose its own normal: no deeper than the leg. Faces of its own leg would give zero.
    assert!(nodes.iter().all(|node| node.nearest.depth < 0.55));
    assert!(nodes.iter().all(|node| node.out.depth < 1.05));
    assert!(
        nodes
            .iter()
            .all(|node| node.nearest.depth <= 1.05 * node.out.depth.max(0.1))
    );
    assert!(
        nodes.iter().any(|node| node.nearest.depth > 0.3),
        "{}",
        nodes.len()
    );
}
