//! Tests of compounds: places of contact, and the same answers as whole bodies.

use super::samples::{kinds3, pose3};
use super::*;
use crate::shape::{HalfSpace, Polyhedron, Round};

fn cuboid(size: [f64; 3]) -> Shape3 {
    Polyhedron::cuboid(size).expect("a box").into()
}

fn compound(parts: Vec<(Shape3, Pose<3>)>) -> Shape3 {
    Compound::new(parts).expect("a compound").into()
}

/// The contacts of a body on the floor z = 0.
fn on_floor(shape: Shape3, pose: Pose<3>) -> Vec<Contact<3>> {
    let floor = HalfSpace::new([0.0; 3], [0.0, 0.0, 1.0]).expect("valid");
    let mut scene = Scene3::default();
    let place = Place::Fixed(Pose::identity());
    scene.add(Shape3::HalfSpace(floor), place).expect("finite");
    scene.add(shape, Place::Moved(pose)).expect("finite");
    let mut detector = Detector3::default();
    detector.step(&scene, 0.0).expect("good");
    detector.contacts().to_vec()
}

#[test]
fn parts_that_stand_on_one_place_have_one_contact_and_legs_one_each() {
    let low = Pose::at([0.0, 0.0, 0.19]);
    let bar = |x: f64, y: f64| cuboid([x, y, 0.4]);

    // Two halves of a box side by side, and a cross of two bars.
    let halves = compound(vec![
        (bar(0.5, 1.0), Pose::at([-0.25, 0.0, 0.0])),
        (bar(0.5, 1.0), Pose::at([0.25, 0.0, 0.0])),
    ]);
    let cross = compound(vec![
        (bar(2.0, 0.2), Pose::identity()),
        (bar(0.2, 2.0), Pose::identity()),
    ]);
    for shape in [halves, cross] {
        let contacts = on_floor(shape, low);
        assert_eq!(contacts.len(), 1, "{contacts:?}");
        assert_eq!(contacts[0].manifold.points().len(), 4);
        assert!((contacts[0].touch.gap + 0.01).abs() < 1e-12);
    }

    // A dumb-bell, and a table on four legs.
    let ball = Sphere::new([0.0; 3], 0.2).expect("valid");
    let rod = Round::capsule([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], 0.05).expect("valid");
    let bell = compound(vec![
        (rod.into(), Pose::identity()),
        (ball.into(), Pose::at([-0.5, 0.0, 0.0])),
        (ball.into(), Pose::at([0.5, 0.0, 0.0])),
    ]);
    assert_eq!(on_floor(bell, low).len(), 2);
    let leg = |x: f64, y: f64| (cuboid([0.1, 0.1, 1.0]), Pose::at([x, y, -0.5]));
    let top = (cuboid([1.0, 1.0, 0.1]), Pose::identity());
    let table = compound(vec![
        top,
        leg(-0.4, -0.4),
        leg(0.4, -0.4),
        leg(0.4, 0.4),
        leg(-0.4, 0.4),
    ]);
    let contacts = on_floor(table, Pose::at([0.0, 0.0, 0.99]));
    assert_eq!(contacts.len(), 4);
    assert!(contacts.iter().all(|c| c.manifold.points().len() == 4));
}

#[test]
fn a_box_of_two_halves_touches_what_the_box_touches() {
    let mut random = Random::new(91);
    let whole = cuboid([1.0, 0.8, 0.6]);
    let halves = compound(vec![
        (cuboid([0.5, 0.8, 0.6]), Pose::at([-0.25, 0.0, 0.0])),
        (cuboid([0.5, 0.8, 0.6]), Pose::at([0.25, 0.0, 0.0])),
    ]);
    let mut touching = 0;
    for (n, other) in (0..90).zip(kinds3().iter().cycle()) {
        let (at, pose) = (
            Point::from(random.direction::<3>() * 1.1),
            pose3(&mut random, Point::origin()),
        );
        let placed = pose3(&mut random, at);
        let touches = |shape: &Shape3| {
            let mut scene = Scene3::default();
            scene
                .add(other.clone(), Place::Fixed(pose))
                .expect("finite");
            scene
                .add(shape.clone(), Place::Moved(placed))
                .expect("finite");
            let mut detector = Detector3::default();
            detector.step(&scene, 0.0).expect("good");
            !detector.events().is_empty()
        };
        let expected = touches(&whole);
        // Nodes of a solid or of finite-element faces miss what has no node in it: the halves have more.
        let is_by_nodes = matches!(other, Shape3::Solid(_) | Shape3::Faces(_));
        let found = touches(&halves);
        assert!(
            found == expected || (is_by_nodes && found),
            "{n}: {other:?}"
        );
        touching += usize::from(expected);
    }

    assert!(touching > 30, "{touching}");
}

#[test]
fn parts_that_cannot_be_part_of_a_compound_are_named() {
    let kinds = kinds3();
    let error = Compound::new(Vec::new()).unwrap_err();
    assert!(error.to_string().contains("the shape"), "{error}");
    for refused in [3, 4, 8, 9] {
        let parts = [0, refused].map(|n: usize| (kinds[n].clone(), Pose::identity()));
        let error = Compound::new(parts.to_vec()).unwrap_err();
        assert!(error.to_string().contains("body 1"), "{error}");
    }
    let wall = crate::narrow::SurfaceBody::height_field(&[0.0; 4], [2, 2], [1.0; 2]);
    let wall = Shape3::Surface(Arc::new(wall.expect("a grid")));
    assert_eq!(wall.mass_properties(), None);
    assert!(Compound::new(vec![(wall, Pose::identity())]).is_err());
}
