//! Whole surfaces: the tree against all faces, and contacts against known results.

use super::*;
use crate::shape::samples::{brick, shuffled};
use crate::shape::{Cells, ElementKind, Faces};
use crate::space::Random;

/// The boundary of a unit cube (square) of elements with displaced points.
fn body<const D: usize>(
    kind: ElementKind,
    n: usize,
    place: impl Fn(Point<3>) -> Point<3>,
) -> Faces<D> {
    let mut mesh = shuffled(&brick(kind, n), &mut Random::new(n as u64));
    let mut faces = Cells::<D>::from_mesh(&mesh)
        .expect("a good mesh")
        .boundary()
        .faces;
    mesh.points.iter_mut().for_each(|p| *p = place(*p));
    let moved: Vec<Point<D>> = mesh
        .points
        .iter()
        .map(|p| Point::from(Vector::from_fn(|i, _| p[i])))
        .collect();
    faces.set_points(&moved).expect("finite");

    faces
}

/// Signed distance to the box between zero and `size`.
fn to_box<const D: usize>(p: &Point<D>, size: [f64; 3]) -> f64 {
    let off: Vec<f64> = (0..D).map(|i| (-p[i]).max(p[i] - size[i])).collect();
    let outside = off.iter().map(|x| x.max(0.0).powi(2)).sum::<f64>().sqrt();
    if outside > 0.0 {
        outside
    } else {
        off.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

fn scaled(size: [f64; 3]) -> impl Fn(Point<3>) -> Point<3> {
    move |p| Point::from([p.x * size[0], p.y * size[1], p.z * size[2]])
}

fn random_point<const D: usize>(size: [f64; 3], random: &mut Random) -> Point<D> {
    Point::from(Vector::from_fn(|i, _| random.within(-0.5, 1.5) * size[i]))
}

const SOLID: [ElementKind; 5] = [
    ElementKind::Tet4,
    ElementKind::Tet10,
    ElementKind::Hex8,
    ElementKind::Hex20,
    ElementKind::Hex27,
];
const PLANE: [ElementKind; 3] = [ElementKind::Tri3, ElementKind::Quad4, ElementKind::Quad9];

fn signed_distances_are_those_of_the_box<const D: usize>(kind: ElementKind) {
    let mut random = Random::new(3);
    for size in [[1.0, 1.0, 1.0], [10.0, 1.0, 1.0], [20.0, 1.0, 3.0]] {
        let tree = FaceTree::new(body::<D>(kind, 3, scaled(size)));
        for _ in 0..150 {
            let p = random_point::<D>(size, &mut random);
            let found = tree.nearest(&p).expect("finite").projection;
            let exact = to_box(&p, size);
            assert!(
                (found.gap - exact).abs() < 1e-11,
                "{} {p} {exact} {found:?}",
                kind.name()
            );
            assert!((found.point + found.normal * found.gap - p).amax() < 1e-7);
        }
    }
}

#[test]
fn signed_distances_to_boxes_of_every_element_are_exact_inside_and_outside_faces_edges_and_vertices()
 {
    SOLID
        .into_iter()
        .for_each(signed_distances_are_those_of_the_box::<3>);
    PLANE
        .into_iter()
        .for_each(signed_distances_are_those_of_the_box::<2>);
}

/// A cube inflated towards a ball, with truly curved faces.
fn blown(p: Point<3>) -> Point<3> {
    let v = p - Point::from([0.5; 3]);
    Point::from(v * (1.0 + 0.6 * (1.0 - v.norm_squared())))
}

#[test]
fn the_tree_finds_what_all_faces_together_have_on_curved_surfaces_that_deform() {
    let mut random = Random::new(5);
    for kind in [ElementKind::Tet10, ElementKind::Hex20, ElementKind::Hex27] {
        let mut tree = FaceTree::new(body::<3>(kind, 3, blown));
        for step in 0..3 {
            for _ in 0..40 {
                let p = Point::from(random.direction::<3>() * random.within(0.0, 1.5));
                let found = tree.nearest(&p).expect("finite");
                let each = (0..tree.faces().len())
                    .map(|i| project(&tree.faces().face(i), &p).expect("finite"));
                let least = each.map(|one| one.gap.abs()).fold(f64::INFINITY, f64::min);
                assert!(
                    (found.projection.gap.abs() - least).abs() < 1e-13,
                    "{} {step}",
                    kind.name()
                );
            }

            let moved: Vec<Point<3>> = tree
                .faces()
                .points()
                .iter()
                .map(|p| p + random.direction::<3>() * 0.02)
                .collect();

            tree.set_points(&moved).expect("finite");
        }
    }
}

#[test]
fn gaps_of_penetrating_nodes_are_exact_at_any_depth_and_stretch() {
    // Faces of the master stretched 10:1 and 20:1; the slave's nodes 0.6 and 1.5 edges deep.
    for (kind, slave_kind) in [
        (ElementKind::Hex8, ElementKind::Tet4),
        (ElementKind::Tet4, ElementKind::Hex8),
        (ElementKind::Tet10, ElementKind::Hex27),
        (ElementKind::Hex20, ElementKind::Tet10),
    ] {
        for stretch in [1.0, 10.0, 20.0] {
            let size = [4.0 * stretch, 4.0, 4.0];
            let master = FaceTree::new(body::<3>(kind, 4, scaled(size)));
            for depth in [0.6, 1.5] {
                let lift = move |p: Point<3>| {
                    Point::from([
                        p.x * size[0] * 0.8 + 0.3,
                        p.y * 3.0 + 0.4,
                        p.z * 2.0 + 4.0 - depth,
                    ])
                };
                let slave = FaceTree::new(body::<3>(slave_kind, 3, lift));
                let mut found = Vec::new();
                node_to_surface(&slave, &master, &ContactOptions::default(), &mut found);
                let inside =
                    |&&node: &&u32| to_box(&slave.faces().points()[node as usize], size) <= 0.0;
                let nodes = slave.nodes();
                let expected: Vec<u32> = nodes.iter().filter(inside).copied().collect();

                assert_eq!(
                    found.iter().map(|c| c.node).collect::<Vec<_>>(),
                    expected,
                    "{} {stretch}",
                    kind.name()
                );
                assert!(found.len() >= 16);

                for contact in &found {
                    let exact = to_box(&slave.faces().points()[contact.node as usize], size);
                    assert!(
                        (contact.touch.gap - exact).abs() < 1e-10,
                        "{} {contact:?}",
                        kind.name()
                    );
                }
            }
        }
    }
}

#[test]
fn gaps_on_quadratic_faces_are_those_of_the_oracle_on_each_face() {
    let master = FaceTree::new(body::<3>(ElementKind::Hex27, 2, blown));
    let shift = |p: Point<3>| blown(p) + Vector::from([0.9, 0.1, 0.05]);
    let slave = FaceTree::new(body::<3>(ElementKind::Tet10, 2, shift));
    let mut found = Vec::new();
    let options = ContactOptions {
        within: 0.1,
        ..ContactOptions::default()
    };
    node_to_surface(&slave, &master, &options, &mut found);

    assert!(
        found.len() > 5
            && found.iter().any(|c| c.touch.gap < 0.0)
            && found.iter().any(|c| c.touch.gap > 0.0)
    );

    for contact in &found {
        let p = slave.faces().points()[contact.node as usize];
        let all = (0..master.faces().len())
            .map(|i| brute::project(&master.faces().face(i), &p).expect("finite"));
        let least = all.map(|one| one.gap.abs()).fold(f64::INFINITY, f64::min);
        assert!(
            (contact.touch.gap.abs() - least).abs() < 1e-10,
            "{contact:?} {least}"
        );
    }
}

#[test]
fn bodies_that_just_touch_are_in_contact_and_bodies_apart_are_not() {
    let master = FaceTree::new(body::<3>(ElementKind::Hex8, 2, |p| p));
    let at = |z: f64| {
        FaceTree::new(body::<3>(ElementKind::Hex8, 3, move |p| {
            p + Vector::from([0.0, 0.0, z])
        }))
    };
    let mut found = Vec::new();
    node_to_surface(&at(1.0), &master, &ContactOptions::default(), &mut found);

    assert_eq!(
        found.len(),
        16,
        "all nodes of the face, its edges and its corners"
    );
    assert!(
        found
            .iter()
            .all(|c| c.touch.gap.abs() < 1e-14 && c.touch.normal.z > 0.5)
    );
    node_to_surface(&at(1.001), &master, &ContactOptions::default(), &mut found);
    assert!(found.is_empty());

    node_to_surface(
        &at(1.001),
        &master,
        &ContactOptions {
            within: 0.01,
            ..Default::default()
        },
        &mut found,
    );

    assert_eq!(found.len(), 16);
}

#[test]
fn the_weights_of_a_touching_face_add_up_to_its_area() {
    for kind in SOLID {
        let master = FaceTree::new(body::<3>(kind, 2, |p| p));
        let slave = FaceTree::new(body::<3>(kind, 3, |p| {
            p * 0.5 + Vector::from([0.25, 0.25, 1.0])
        }));
        let mut found = Vec::new();
        surface_to_surface(&slave, &master, &ContactOptions::default(), &mut found);
        let area: f64 = found.iter().map(|contact| contact.weight).sum();
        assert!((area - 0.25).abs() < 1e-12, "{} {area}", kind.name());
    }
}

#[test]
fn a_slit_that_closes_touches_itself_and_an_open_one_does_not() {
    // A U in 2D: nine squares around a slit whose walls are moved together.
    let u = |closed: f64| {
        let mesh = {
            let mut mesh = crate::shape::Mesh::default();
            for j in 0..=6 {
                for i in 0..=6 {
                    let x = f64::from(i);
                    // The right leg leans to the left above the base.
                    let lean = if i >= 4 && j >= 3 { closed } else { 0.0 };
                    mesh.points.push(Point::from([x - lean, f64::from(j), 0.0]));
                }
            }
            for j in 0..6u32 {
                for i in (0..6u32).filter(|i| !(2..4).contains(i) || j < 2) {
                    let a = 7 * j + i;
                    mesh.push(ElementKind::Quad4, &[a, a + 1, a + 8, a + 7]);
                }
            }
            mesh
        };
        FaceTree::new(Cells::<2>::from_mesh(&mesh).expect("good").boundary().faces)
    };
    let mut found = Vec::new();

    let options = ContactOptions {
        within: 0.0,
        depth: 0.4,
    };
    self_contact(&u(1.5), &options, &mut found);
    assert!(found.is_empty(), "{found:?}");
    self_contact(&u(2.25), &options, &mut found);
    let overlapping = found
        .iter()
        .filter(|c| (c.touch.gap + 0.25).abs() < 1e-12)
        .count();
    assert!(overlapping >= 6, "both walls, above the base: {found:?}");

    assert!(
        found
            .iter()
            .all(|c| (-0.25 - 1e-12..=0.0).contains(&c.touch.gap)),
        "{found:?}"
    );
}

#[test]
fn an_open_sheet_has_no_inside_beyond_its_edge() {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        .map(Point::from)
        .to_vec();
    let sheet = FaceTree::new(
        Faces::new(points, vec![crate::shape::FaceKind::Tri3], vec![0, 1, 2]).expect("good"),
    );
    let gap = |p: [f64; 3]| {
        sheet
            .nearest(&Point::from(p))
            .expect("finite")
            .projection
            .gap
    };
    assert_eq!((gap([0.2, 0.2, -0.5]), gap([0.2, 0.2, 0.5])), (-0.5, 0.5));

    assert!(gap([-1.0, 0.5, -0.5]) > 1.0 && gap([-1.0, -1.0, -0.5]) > 1.0);
}

#[test]
fn answers_are_the_same_for_any_number_of_threads_and_bad_points_are_named() {
    let tree = FaceTree::new(body::<3>(ElementKind::Tet10, 3, blown));
    let mut random = Random::new(8);
    let mut points: Vec<Point<3>> = (0..500)
        .map(|_| Point::from(random.direction::<3>() * random.within(0.2, 1.2)))
        .collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let mut found = Vec::new();
        pool.install(|| tree.nearest_points(&points, &mut found))
            .expect("finite");
        found
    };
    let one = run(1);
    assert!(one == run(2) && one == run(7));
    points[17].y = f64::NAN;
    let error = tree.nearest_points(&points, &mut Vec::new()).unwrap_err();

    assert_eq!(error.first, crate::shape::Item::Point(17));
}
