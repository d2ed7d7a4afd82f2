//! Tests of the pair methods of this module.

use super::samples::{cube_faces, pose3};
use crate::narrow::ball_surface::ball_surface;
use crate::narrow::convex_surface::convex_surface;
use crate::narrow::nodes::nodes_in;
use crate::narrow::places::{Dimension, Parts, Scratch};
use crate::narrow::projection::{ContactOptions, FaceTree, node_to_surface};
use crate::narrow::{PairContact, SurfaceBody};
use crate::shape::{Feature, Polyhedron, Sphere, generate};
use crate::space::{Point, Pose, Random, Vector};

/// A square wall of side 8 in the plane z = 0, each cell cut into two triangles.
fn wall(cells: u32) -> SurfaceBody {
    let at = |i: u32| 8.0 * f64::from(i) / f64::from(cells) - 4.0;
    let points: Vec<Point<3>> = (0..=cells)
        .flat_map(|j| (0..=cells).map(move |i| Point::from([at(i), at(j), 0.0])))
        .collect();
    let node = |i: u32, j: u32| j * (cells + 1) + i;
    let cell = |i: u32, j: u32| {
        let [a, b, c, d] = [
            node(i, j),
            node(i + 1, j),
            node(i + 1, j + 1),
            node(i, j + 1),
        ];
        [[a, b, c], [a, c, d]]
    };
    let triangles: Vec<[u32; 3]> = (0..cells)
        .flat_map(|j| (0..cells).flat_map(move |i| cell(i, j)))
        .collect();

    SurfaceBody::wall(&points, &triangles).expect("a wall")
}

fn cube(size: f64) -> Polyhedron {
    let corners: Vec<Point<3>> = (0..8)
        .map(|i| Point::from([i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) * size)))
        .collect();
    Polyhedron::hull(&corners).expect("a cube")
}

fn pressed(body: &Polyhedron, pose: &Pose<3>, surface: &SurfaceBody) -> Vec<PairContact<3>> {
    let mut found = Vec::new();
    convex_surface(body, pose, surface, &Pose::identity(), &mut found);
    found
}

/// Σ measure · normal, and Σ measure · centroid.
fn total(found: &[PairContact<3>]) -> (Vector<3>, Vector<3>) {
    let part = |f: &PairContact<3>| {
        f.overlap
            .map(|o| (f.touch.normal * o.measure, o.centroid.coords * o.measure))
    };
    let add = |x: (Vector<3>, Vector<3>), y: (Vector<3>, Vector<3>)| (x.0 + y.0, x.1 + y.1);

    found
        .iter()
        .filter_map(part)
        .fold((Vector::zeros(), Vector::zeros()), add)
}

#[test]
fn a_ball_rolls_over_a_flat_wall_with_one_contact_and_touches_a_corner_with_three() {
    let (wall, ball) = (wall(9), Sphere::new([0.0; 3], 1.0).expect("valid"));
    let mut random = Random::new(1);
    for _ in 0..500 {
        // Every other position is above an edge or a vertex of the cells.
        let mut at = || 8.0 / 9.0 * (random.below(12) as f64 * 0.5 - 3.0);
        let (x, y, z) = (at(), at(), random.within(0.1, 0.99));
        let mut found = Vec::new();
        ball_surface(
            &ball,
            &Pose::at([x, y, z]),
            &wall,
            &Pose::identity(),
            &mut found,
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].touch.gap - (z - 1.0)).abs() < 1e-12);

        assert!((found[0].touch.normal + Vector::z()).norm() < 1e-12);
    }

    let room = generate::block([3, 3, 3], [4.0, 4.0, 4.0]).expect("a block");
    let mut inward: Vec<[u32; 3]> = room.triangles().to_vec();
    inward.iter_mut().for_each(|t| t.swap(1, 2));
    let room = SurfaceBody::wall(room.points(), &inward).expect("a room");
    let low = room.faces().bounds().min;
    let mut found = Vec::new();
    ball_surface(
        &ball,
        &Pose::at(low + Vector::repeat(0.9)),
        &room,
        &Pose::identity(),
        &mut found,
    );
    assert_eq!(found.len(), 3);
    let block = SurfaceBody::new(&generate::block([3, 3, 3], [4.0, 4.0, 4.0]).expect("a block"))
        .expect("closed");
    found.clear();

    ball_surface(
        &ball,
        &Pose::at(low - Vector::repeat(0.5)),
        &block,
        &Pose::identity(),
        &mut found,
    );
    assert_eq!(found.len(), 1, "outside, the vertex alone");
    assert!(matches!(found[0].touch.feature_b, Feature::Vertex(_)));
    found.clear();

    ball_surface(
        &ball,
        &Pose::at(low + Vector::<3>::new(2.0, 0.2, 2.0)),
        &block,
        &Pose::identity(),
        &mut found,
    );
    assert_eq!(found.len(), 1, "inside, the way out");

    assert!((found[0].touch.gap + 1.2).abs() < 1e-12);
}

#[test]
fn how_a_wall_is_cut_into_triangles_does_not_matter() {
    let (coarse, fine, body) = (wall(1), wall(13), cube(1.0));
    let mut random = Random::new(2);
    let mut touched = 0;

    for _ in 0..200 {
        let at = Point::from([
            random.within(-1.0, 1.0),
            random.within(-1.0, 1.0),
            random.within(-0.8, 0.8),
        ]);
        let pose = pose3(&mut random, at);
        let (p, q) = (
            total(&pressed(&body, &pose, &coarse)),
            total(&pressed(&body, &pose, &fine)),
        );

        assert!(
            (p.0 - q.0).norm() < 1e-13 && (p.1 - q.1).norm() < 1e-13,
            "{p:?} {q:?}"
        );
        touched += usize::from(p.0.norm() > 0.0);
    }

    assert!(touched > 100);
}

#[test]
fn a_cube_that_lies_in_a_wall_is_pressed_by_the_integral_of_its_depth() {
    let depth = 0.1;
    let found = pressed(&cube(1.0), &Pose::at([0.3, 0.2, -depth]), &wall(5));
    let (push, moment) = total(&found);

    // ∫ min(depth, distance to the side) dA = ∫₀^depth (1 − 2t)² dt.
    let expected = (1.0 - (1.0f64 - 2.0 * depth).powi(3)) / 6.0;
    assert!((push + Vector::z() * expected).norm() < 1e-14, "{push}");
    assert!((moment / expected - Vector::<3>::new(0.8, 0.7, 0.0)).norm() < 1e-13);
    assert!(found.iter().all(|f| f.touch.gap >= -depth - 1e-14));

    // From below, the same open wall pushes in the opposite direction.
    let below = total(&pressed(
        &cube(1.0),
        &Pose::at([0.3, 0.2, depth - 1.0]),
        &wall(5),
    ))
    .0;

    assert!((below - Vector::z() * expected).norm() < 1e-14);
}

#[test]
fn the_press_of_a_surface_is_minus_the_gradient_of_its_energy() {
    // ∫ d dV over the intersection, by counting, displaced slightly in each direction.
    let block = SurfaceBody::new(&generate::block([2, 2, 2], [2.0, 2.0, 2.0]).expect("a block"))
        .expect("closed");
    let bounds = block.faces().bounds();
    let body = generate::polyhedron(10, 4).expect("a body");
    let pose = |shift: Vector<3>| Pose::at(bounds.max + Vector::<3>::new(-0.3, -0.4, 0.1) + shift);
    let push = total(&pressed(&body, &pose(Vector::zeros()), &block)).0;
    let energy = |shift: Vector<3>| {
        const CELLS: i32 = 60;
        let (pose, width) = (pose(shift), 2.0 / f64::from(CELLS));
        let mut sum = 0.0;
        for n in 0..CELLS.pow(3) {
            let cell = [n % CELLS, n / CELLS % CELLS, n / CELLS / CELLS];
            let at = bounds.min + Vector::from(cell.map(|k| (f64::from(k) + 0.5) * width));
            let local = pose.to_local(&at);
            let height = |face| body.height(face, &local);
            let depth = (0..body.face_count())
                .map(height)
                .fold(f64::NEG_INFINITY, f64::max);
            sum += (-depth).max(0.0) * width.powi(3);
        }
        sum
    };

    for axis in 0..3 {
        let step = Vector::<3>::ith(axis, 0.05);
        let slope = (energy(step) - energy(-step)) / 0.1;
        // The normal points from the body to the surface, so the force on the body opposes it.
        assert!(
            (push[axis] - slope).abs() < 0.02 * push.norm().max(0.1),
            "{axis}: {} {slope}",
            push[axis]
        );
    }

    assert!(push.norm() > 0.05);
}

#[test]
fn nodes_in_faces_are_those_of_node_to_surface_in_the_world() {
    let mut random = Random::new(3);
    let (a, b) = (cube_faces(1.0), cube_faces(1.4));
    let moved = |tree: &FaceTree<3>, pose: &Pose<3>| {
        let mut tree = tree.clone();
        let points: Vec<Point<3>> = tree
            .faces()
            .points()
            .iter()
            .map(|p| pose.point(p))
            .collect();
        tree.set_points(&points).expect("finite");
        tree
    };
    let mut compared = 0;

    for _ in 0..200 {
        let at = Point::from(random.direction::<3>() * 0.8);
        let (pose_a, pose_b) = (pose3(&mut random, at), pose3(&mut random, Point::origin()));
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        <Dimension as Scratch<3>>::with(|parts: &mut Parts<3>| {
            nodes_in(&a, &pose_a, &b, &pose_b, parts);
            found.append(&mut parts.contacts);
        });
        let options = ContactOptions::default();
        node_to_surface(
            &moved(&a, &pose_a),
            &moved(&b, &pose_b),
            &options,
            &mut expected,
        );
        assert_eq!(found.len(), expected.len());

        for (p, q) in found.iter().zip(&expected) {
            assert_eq!(p.touch.feature_a, Feature::Vertex(q.node));
            assert!((p.touch.gap - q.touch.gap).abs() < 1e-12);
            assert!((p.touch.on_b - q.touch.point).norm() < 1e-9);
        }

        compared += found.len();
    }

    assert!(compared > 100, "{compared}");
}

#[test]
fn a_ball_rests_on_a_height_field_and_bad_grids_are_refused() {
    let heights: Vec<f64> = (0..20).map(|n| 0.1 * f64::from(n % 5)).collect();
    let field = SurfaceBody::height_field(&heights, [5, 4], [1.0, 2.0]).expect("a grid");
    assert_eq!(
        (field.tree().len(), field.faces().bounds().max),
        (24, Point::from([4.0, 6.0, 0.4]))
    );

    // The field is the plane z = 0.1 x.
    let ball = Sphere::new([0.0; 3], 0.5).expect("valid");
    let up = Vector::<3>::new(-0.1, 0.0, 1.0).normalize();
    let centre = Point::from([2.3, 3.1, 0.23]) + up * 0.45;
    let mut found = Vec::new();
    ball_surface(
        &ball,
        &Pose::at(centre),
        &field,
        &Pose::identity(),
        &mut found,
    );
    assert_eq!(found.len(), 1);
    assert!(
        (found[0].touch.gap + 0.05).abs() < 1e-12 && (found[0].touch.normal + up).norm() < 1e-12
    );

    for (count, counts, cell) in [
        (20, [5, 5], [1.0; 2]),
        (5, [5, 1], [1.0; 2]),
        (20, [5, 4], [0.0, 1.0]),
    ] {
        assert!(SurfaceBody::height_field(&heights[..count], counts, cell).is_err());
    }
    let holes = vec![f64::NAN; 4];
    assert!(SurfaceBody::height_field(&holes, [2, 2], [1.0; 2]).is_err());
}
