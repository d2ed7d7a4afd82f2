//! Input that is wrong, extreme, or changes while bodies touch.

use super::samples::{kinds3, pose3};
use super::*;
use crate::shape::{Polyhedron, Round};

#[test]
fn margins_that_are_no_length_are_refused_and_huge_ones_report_every_pair() {
    for margin in [-1.0, -1e-300, f64::NAN, f64::INFINITY, 1e61] {
        let options = Options {
            margin,
            ..Options::default()
        };
        let error = Detector3::new(options).unwrap_err();
        assert!(error.to_string().contains(&margin.to_string()), "{error}");
    }

    let scene = heap(20);
    let count = scene.ids().count();
    for margin in [1e3, 1e50, 1e60] {
        let options = Options {
            margin,
            ..Options::default()
        };
        let mut detector = Detector3::new(options).expect("good");
        detector.step(&scene, 0.0).expect("good");
        let mut pairs: Vec<Pair> = detector.contacts().iter().map(|c| c.pair).collect();
        pairs.retain(|pair| pair.a != pair.b);
        pairs.dedup();
        assert_eq!(pairs.len(), count * (count - 1) / 2, "{margin}");
        for contact in detector.contacts() {
            let touch = &contact.touch;
            let numbers = [touch.gap, touch.normal.norm(), touch.on_a.coords.norm()];
            assert!(numbers.iter().all(|x| x.is_finite()), "{contact:?}");
        }
    }
}

#[test]
fn ignoring_a_pair_that_does_not_exist_names_the_body() {
    let mut scene = heap(3);
    scene.remove(2).expect("there");
    for (a, b, missing) in [(0, 9, 9), (7, 1, 7), (2, 1, 2)] {
        for error in [scene.ignore(a, b), scene.unignore(a, b)] {
            let error = error.unwrap_err();
            assert_eq!(error.body, missing);
            assert_eq!(error.to_string(), format!("body {missing}: no such body"));
        }
    }
}

#[test]
fn a_body_of_any_kind_removed_while_it_touches_ends_its_contacts_and_no_other() {
    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 0.5).expect("valid"));
    for kind in kinds3() {
        let mut scene = Scene3::default();
        let other = scene.add(kind.clone(), Place::Moved(Pose::identity()));
        let other = other.expect("finite");
        for x in [0.0, 0.4] {
            let place = Place::Moved(Pose::at([x, 0.0, -0.2]));
            scene.add(ball.clone(), place).expect("finite");
        }
        let mut detector = Detector3::default();
        detector.step(&scene, 0.0).expect("good");
        let began = detector.events().len();
        assert!(began >= 2, "{kind:?}");

        scene.remove(other).expect("there");
        detector.step(&scene, 1.0).expect("good");
        assert_eq!(detector.contacts().len(), 1, "{kind:?}");
        assert_eq!(detector.events().len(), began - 1);
        let ended = |event: &Event| event.kind == EventKind::Ended && event.pair.a == other;
        assert!(detector.events().iter().all(ended));
        assert!(scene.remove(other).is_err());
    }
}

/// Bodies of a size of about 1e-6.
fn tiny() -> Vec<Shape3> {
    const SIZE: f64 = 1e-6;
    let end = [0.0, 0.0, SIZE];
    let ball = Sphere::new([0.0; 3], SIZE).expect("valid");
    let cube = Polyhedron::cuboid([SIZE; 3]).expect("a box");
    let pill = Round::capsule([0.0; 3], end, 0.5 * SIZE).expect("valid");
    let parts = vec![
        (ball.into(), Pose::identity()),
        (pill.into(), Pose::identity()),
    ];
    vec![
        ball.into(),
        cube.into(),
        pill.into(),
        Round::cylinder([0.0; 3], end, SIZE).expect("valid").into(),
        Round::cone([0.0; 3], end, SIZE).expect("valid").into(),
        Compound::new(parts).expect("a compound").into(),
    ]
}

#[test]
fn bodies_a_million_times_smaller_touch_where_they_are_on_a_surface_and_not_above_it() {
    let mut random = Random::new(77);
    for large in kinds3() {
        let mut one = Scene3::default();
        one.add(large.clone(), Place::Fixed(Pose::identity()))
            .expect("finite");
        for small in tiny() {
            // Over a face of the samples that are compared node by node, and not beside the sharp rim of
            // the cone, where the way back along the normal leads out through its base.
            let from = Point::from([1.5, 0.1, 0.45]) + random.direction::<3>() * 0.05;
            let now = one.at(0.0).expect("finite");
            let near = now
                .nearest(&from, f64::INFINITY, Filter::ALL)
                .expect("finite");
            let near = near.expect("a body");
            for (height, expected) in [(0.0, true), (1e-5, false), (-1e-5, true)] {
                let mut scene = one.clone();
                let turn = pose3(&mut random, Point::origin());
                let middle = small.mass_properties().expect("a volume").centroid;
                let at = near.on + near.normal * height - turn.vector(&middle.coords);
                let pose = Pose::at(at).after(&turn);
                scene
                    .add(small.clone(), Place::Moved(pose))
                    .expect("finite");
                let mut detector = Detector3::default();
                detector.step(&scene, 0.0).expect("good");
                let touches = detector.events().len() == 1;
                assert_eq!(touches, expected, "{small:?} {height} over {large:?}");
                for contact in detector.contacts() {
                    assert!((contact.touch.normal.norm() - 1.0).abs() < 1e-9);
                    assert!(contact.touch.gap > -2.0, "{contact:?}");
                }
            }
        }
    }
}
