//! Tests of the options: margin, what to compute, broad phase, ignored pairs.

use super::samples::{kinds2, kinds3, pose2, pose3};
use super::*;
use crate::broad::BroadMethod;

#[test]
fn every_pair_of_kinds_has_the_contacts_of_all_pairs_within_a_margin() {
    let options = Options {
        margin: 0.15,
        ..Options::default()
    };
    for seed in 0..2 {
        assert!(follow(&kinds3(), 50 + seed, options, pose3) > 20);
    }
    for seed in 0..5 {
        assert!(follow(&kinds2(), 50 + seed, options, pose2) > 8);
    }
}

#[test]
fn a_margin_adds_contacts_with_their_gap_and_changes_no_event() {
    let mut random = Random::new(31);
    let kinds = kinds3();
    let (mut added, mut scene) = (0, couples(&kinds, &mut random, pose3));
    let near = Options {
        margin: 0.3,
        ..Options::default()
    };
    let (mut plain, mut wide) = (Detector3::default(), Detector3::new(near).expect("good"));

    for step in 0..10 {
        for detector in [&mut plain, &mut wide] {
            detector.step(&scene, f64::from(step)).expect("good");
        }
        assert_eq!(plain.events(), wide.events(), "step {step}");

        for contact in wide.contacts() {
            assert!(contact.touch.gap <= near.margin, "{contact:?}");
            let way =
                contact.touch.on_b - contact.touch.on_a - contact.touch.normal * contact.touch.gap;
            assert!(way.norm() < 1e-6, "{contact:?}");
        }
        let touching = |detector: &Detector3| {
            let contacts = detector.contacts().iter();
            let mut pairs: Vec<Pair> = contacts
                .filter(|contact| contact.touch.gap <= 0.0)
                .map(|contact| contact.pair)
                .collect();
            pairs.dedup();
            pairs
        };
        assert_eq!(touching(&plain), touching(&wide));
        added += wide
            .contacts()
            .iter()
            .filter(|contact| contact.touch.gap > 0.0)
            .count();

        for id in scene.ids().collect::<Vec<_>>() {
            if !scene.is_fixed(id) {
                let here = scene.pose(id, 0.0).expect("there");
                let moved = here.position() + random.direction::<3>() * 0.3;
                scene
                    .set_pose(id, pose3(&mut random, moved))
                    .expect("finite");
            }
        }
    }

    assert!(added > 50, "{added}");
}

#[test]
fn all_broad_phases_give_the_same_bytes() {
    let scene = heap(80);
    let contacts = |broad: BroadMethod| {
        let options = Options {
            broad,
            ..Options::default()
        };
        let mut detector = Detector3::new(options).expect("good");
        detector.step(&scene, 0.0).expect("good");
        format!("{:?}", detector.contacts())
    };
    let auto = contacts(BroadMethod::Auto);
    assert!(
        BroadMethod::ALL
            .iter()
            .all(|&broad| contacts(broad) == auto)
    );
}

#[test]
fn what_is_not_wanted_is_not_computed_and_the_same_pairs_touch() {
    let scene = heap(80);
    let run = |want: Want| {
        let options = Options {
            want,
            ..Options::default()
        };
        let mut detector = Detector3::new(options).expect("good");
        detector.step(&scene, 0.0).expect("good");
        detector.contacts().to_vec()
    };
    let pairs = |contacts: &[Contact<3>]| contacts.iter().map(|c| c.pair).collect::<Vec<_>>();
    let (all, touch) = (run(Want::ALL), run(Want::TOUCH));
    assert_eq!(pairs(&all), pairs(&touch));
    assert!(
        all.iter().any(|c| c.overlap.is_some())
            && all.iter().any(|c| c.manifold.points().len() > 2)
    );
    let convex = |c: &&Contact<3>| c.touch.gap < 0.0;
    assert_eq!(
        run(Want::DEPTH).iter().filter(convex).count(),
        all.iter().filter(convex).count()
    );
}

#[test]
fn ignored_pairs_have_no_contacts_until_they_are_no_longer_ignored() {
    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0).expect("valid"));
    let mut scene = Scene3::default();
    for x in [0.0, 1.0, 2.0] {
        let place = Place::Moved(Pose::at([x, 0.0, 0.0]));
        scene.add(ball.clone(), place).expect("finite");
    }
    let mut detector = Detector3::default();
    detector.step(&scene, 0.0).expect("good");
    assert_eq!(detector.contacts().len(), 3);

    scene.ignore(2, 1).expect("there");
    detector.step(&scene, 0.0).expect("good");
    assert_eq!(detector.contacts().len(), 2);
    let ended = Event {
        pair: Pair { a: 1, b: 2 },
        kind: EventKind::Ended,
    };
    assert_eq!(detector.events(), [ended]);
    assert!(detector.contacts_of(2, 1).is_empty() && detector.contacts_of(2, 0).len() == 1);

    scene.unignore(1, 2).expect("there");
    detector.step(&scene, 0.0).expect("good");
    assert_eq!(detector.contacts().len(), 3);
}

#[test]
fn bad_options_and_pairs_are_refused_with_the_item_named() {
    for margin in [-1e-9, f64::NAN, f64::INFINITY, 1e61] {
        let options = Options {
            margin,
            ..Options::default()
        };
        let refused = Detector3::new(options).unwrap_err().to_string();
        assert!(refused.contains("margin"), "{refused}");
    }

    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0).expect("valid"));
    let mut scene = Scene3::default();
    scene
        .add(ball, Place::Moved(Pose::identity()))
        .expect("finite");
    let unknown = InvalidBody {
        body: 5,
        cause: Cause::Unknown,
    };
    assert_eq!(scene.ignore(0, 5), Err(unknown));
    assert_eq!(scene.ignore(0, 0).unwrap_err().cause, Cause::Itself);
}
