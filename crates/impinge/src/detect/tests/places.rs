//! Tests of the rule of contacts: one for each connected place, with up to four points.

use super::samples::cube_solid;
use super::*;
use crate::narrow::SurfaceBody;
use crate::narrow::projection::FaceTree;
use crate::shape::{FaceKind, Faces, HalfSpace, Polyhedron, Solid, Surface, generate};

/// A box as a polyhedron.
fn brick(edges: [f64; 3]) -> Polyhedron {
    let corner = |i: u32| {
        let bits = [i & 1, i >> 1 & 1, i >> 2];
        Point::from(std::array::from_fn::<f64, 3, _>(|k| {
            f64::from(bits[k]) * edges[k]
        }))
    };
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a brick")
}

/// A block of cells as a closed surface, with its lowest corner at the origin.
fn block(cells: [usize; 3], edges: [f64; 3]) -> Surface {
    let block = generate::block(cells, edges).expect("a block");
    let low = block.bounds().min;
    block.moved(&Pose::at(-low.coords)).expect("finite")
}

/// The same block as finite-element faces.
fn faces(block: &Surface) -> FaceTree<3> {
    let kinds = vec![FaceKind::Tri3; block.triangles().len()];
    let nodes = block.triangles().as_flattened().to_vec();
    FaceTree::new(Faces::new(block.points().to_vec(), kinds, nodes).expect("faces"))
}

/// Every description of a table of 4 × 4 × 1, its top at z = 1.
fn tables() -> Vec<(&'static str, Shape3)> {
    let surface = |n| SurfaceBody::new(&block([n, n, 2], [4.0, 4.0, 1.0])).expect("closed");
    let top = HalfSpace::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).expect("a direction");
    vec![
        ("half-space", Shape3::HalfSpace(top)),
        (
            "polyhedron",
            Shape3::Polyhedron(Arc::new(brick([4.0, 4.0, 1.0]))),
        ),
        ("coarse surface", Shape3::Surface(Arc::new(surface(1)))),
        ("fine surface", Shape3::Surface(Arc::new(surface(13)))),
        (
            "faces",
            Shape3::Faces(Arc::new(faces(&block([9, 9, 2], [4.0, 4.0, 1.0])))),
        ),
    ]
}

/// Descriptions of a unit cube.
fn cubes() -> Vec<(&'static str, Shape3)> {
    let solid: Solid = cube_solid(1.0);
    let surface = |n| SurfaceBody::new(&block([n; 3], [1.0; 3])).expect("closed");
    vec![
        ("polyhedron", Shape3::Polyhedron(Arc::new(brick([1.0; 3])))),
        ("surface", Shape3::Surface(Arc::new(surface(4)))),
        ("solid", Shape3::Solid(Arc::new(solid))),
        (
            "faces",
            Shape3::Faces(Arc::new(faces(&block([4; 3], [1.0; 3])))),
        ),
    ]
}

#[test]
fn a_box_on_a_table_is_one_contact_with_four_points_however_they_are_described() {
    for (table_name, table) in tables() {
        for (cube_name, cube) in cubes() {
            for (depth, margin) in [(1e-3, 0.0), (-1e-3, 0.01)] {
                let name = format!("{cube_name} on {table_name}, {depth}");
                let mut scene = Scene3::default();
                let place = Place::Fixed(Pose::identity());
                scene.add(table.clone(), place).expect("finite");
                let place = Place::Moved(Pose::at([1.13, 1.27, 1.0 - depth]));
                scene.add(cube.clone(), place).expect("finite");
                let options = Options {
                    margin,
                    ..Options::default()
                };
                let mut detector = Detector3::new(options).expect("good");
                detector.step(&scene, 0.0).expect("good");

                let contacts = detector.contacts();
                assert_eq!(contacts.len(), 1, "{name}: {contacts:?}");
                let contact = &contacts[0];
                assert!(
                    (contact.touch.gap + depth).abs() < 1e-9,
                    "{name}: {contact:?}"
                );
                assert!((contact.touch.normal - Vector::z()).norm() < 1e-9, "{name}");
                let points = contact.manifold.points();
                assert_eq!(points.len(), 4, "{name}: {points:?}");
                for point in points {
                    assert!((point.gap + depth).abs() < 1e-9, "{name}: {point:?}");
                    let local = point.on_b - Point::from([1.13, 1.27, 0.0]);
                    let is_corner = |x: f64| x.abs() < 1e-9 || (x - 1.0).abs() < 1e-9;
                    assert!(
                        is_corner(local.x) && is_corner(local.y),
                        "{name}: {point:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_table_with_four_legs_stands_at_four_places_that_keep_their_numbers() {
    // Four blocks, joined to one surface of four shells.
    let leg = block([1, 1, 1], [0.2, 0.2, 1.0]);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for at in [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [2.0, 3.0]] {
        let first = points.len() as u32;
        points.extend(
            leg.points()
                .iter()
                .map(|p| p + Vector::<3>::new(at[0], at[1], 0.0)),
        );
        triangles.extend(leg.triangles().iter().map(|t| t.map(|n| n + first)));
    }
    let legs = Surface::new(&points, &triangles).expect("closed");
    let table = Shape3::Surface(Arc::new(SurfaceBody::new(&legs).expect("closed")));
    let floor = HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0]).expect("a direction");
    let mut scene = Scene3::default();
    let place = Place::Fixed(Pose::identity());
    scene.add(Shape3::HalfSpace(floor), place).expect("finite");
    let id = scene
        .add(table, Place::Moved(Pose::identity()))
        .expect("finite");
    let mut detector = Detector3::default();

    let mut numbers = Vec::new();
    for step in 0..40 {
        // It slides, and every other leg leaves the floor for some steps.
        let tilt = 0.02 * (f64::from(step) * 0.7).sin();
        let turn = [0.0, (0.5 * tilt).sin(), 0.0, (0.5 * tilt).cos()];
        let at = [0.1 * f64::from(step), 0.0, -0.01];
        let pose = Pose::from_quaternion(turn, at).expect("finite");
        scene.set_pose(id, pose).expect("finite");
        detector.step(&scene, f64::from(step)).expect("good");

        for contact in detector.contacts() {
            let local = pose.to_local(&contact.touch.on_b);
            let leg = [local.x > 1.0, local.y > 1.5];
            numbers.push((contact.place, leg));
        }
        if step == 0 {
            assert_eq!(detector.contacts().len(), 4);
        }
    }

    // A number never moves to another leg while both are in contact.
    assert!(numbers.len() > 80, "{}", numbers.len());
    let first: Vec<_> = numbers[..4].to_vec();
    for (place, leg) in &first {
        let is_same = |(p, l): &&(u32, [bool; 2])| p == place && l == leg;
        assert!(numbers.iter().filter(is_same).count() > 15, "{numbers:?}");
    }
}

#[test]
fn a_cube_in_the_corner_of_a_room_touches_three_walls_at_three_places() {
    let mut inward = block([5, 5, 5], [4.0; 3]).triangles().to_vec();
    inward.iter_mut().for_each(|t| t.swap(1, 2));
    let room = SurfaceBody::wall(block([5, 5, 5], [4.0; 3]).points(), &inward).expect("a room");
    let mut scene = Scene3::default();
    let place = Place::Fixed(Pose::identity());
    scene
        .add(Shape3::Surface(Arc::new(room)), place)
        .expect("finite");
    let cube = Shape3::Polyhedron(Arc::new(brick([1.0; 3])));
    let place = Place::Moved(Pose::at([-0.01, -0.01, -0.01]));
    scene.add(cube, place).expect("finite");
    let mut detector = Detector3::default();
    detector.step(&scene, 0.0).expect("good");
    let contacts = detector.contacts();
    assert_eq!(contacts.len(), 3, "{contacts:?}");
    assert!(contacts.iter().all(|c| c.manifold.points().len() == 4));
}

#[test]
fn rings_that_pass_through_each_other_touch_at_two_places_with_their_own_volumes() {
    let ring = generate::torus(1.0, 0.25, [40, 20]).expect("a ring");
    let ring = Shape3::Surface(Arc::new(SurfaceBody::new(&ring).expect("closed")));
    let mut scene = Scene3::default();
    let place = Place::Fixed(Pose::identity());
    scene.add(ring.clone(), place).expect("finite");
    let upright = Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [0.0; 3]).expect("finite");
    let id = scene.add(ring, Place::Moved(upright)).expect("finite");
    let mut detector = Detector3::default();

    let mut places: Vec<(u32, bool)> = Vec::new();
    for step in 0..10 {
        let shift = 0.05 + 0.01 * f64::from(step);
        let at = Pose::from_quaternion([1.0, 0.0, 0.0, 1.0], [shift, 0.0, 0.0]).expect("finite");
        scene.set_pose(id, at).expect("finite");
        detector.step(&scene, f64::from(step)).expect("good");
        assert_eq!(detector.contacts().len(), 2);
        for contact in detector.contacts() {
            let overlap = contact.overlap.expect("a volume");
            assert!(overlap.measure > 0.0 && overlap.centroid.x.abs() > 0.7);
            places.push((contact.place, overlap.centroid.x > 0.0));
        }
    }

    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 2, "each keeps its number: {places:?}");
}
