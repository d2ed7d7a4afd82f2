//! Tests of scenes; those of single pair methods are in `pairs`.

mod bad_input;
mod compounds;
mod options;
mod pairs;
mod places;
mod queries;
mod samples;

use super::shape::PairMethods;
use super::*;
use crate::broad::{Filter, Pair};
use crate::shape::{Sphere, generate::Vee};
use crate::space::{Motion, Point, Pose, Random, Vector};
use samples::{kinds2, kinds3, pose2, pose3};
use std::sync::Arc;

/// Brute force over all pairs, without caches.
fn brute<S: PairMethods<D>, const D: usize>(
    scene: &Scene<S, D>,
    time: f64,
    options: &Options,
) -> Vec<Contact<D>> {
    let bodies = scene.placed(time);
    let ids: Vec<u32> = scene.ids().collect();
    let all = || {
        ids.iter().flat_map(|&a| {
            ids.iter()
                .filter(move |&&b| a < b)
                .map(move |&b| Pair { a, b })
        })
    };

    let pairs: Vec<Pair> = all().filter(|pair| scene.allows(*pair)).collect();
    let (mut deforming, mut contacts) = (S::Deforming::default(), Vec::new());
    S::deform(&mut deforming, &bodies, &pairs, options, &mut contacts);

    for pair in pairs {
        let [a, b] = [pair.a, pair.b].map(|id| bodies[id as usize].as_ref().expect("it is there"));
        let (mut found, mut kept) = (Vec::new(), S::Cache::default());
        S::meet(a, b, &mut kept, &deforming, options, &mut found);
        contacts.extend(found.iter().map(|contact| Contact::of(pair, contact)));
    }

    contacts
}

/// Equally close features may be reported in either order: bodies, count, depth and intersection must
/// agree.
fn assert_same<const D: usize>(found: &[Contact<D>], expected: &[Contact<D>]) {
    let mut found = found.to_vec();
    let mut expected = expected.to_vec();
    for list in [&mut found, &mut expected] {
        list.sort_by(|p, q| {
            let measure = |c: &Contact<D>| c.overlap.map_or(0.0, |overlap| overlap.measure);
            p.pair
                .cmp(&q.pair)
                .then(p.touch.gap.total_cmp(&q.touch.gap))
                .then(measure(p).total_cmp(&measure(q)))
        });
    }

    let pairs = |list: &[Contact<D>]| list.iter().map(|contact| contact.pair).collect::<Vec<_>>();
    assert_eq!(pairs(&found), pairs(&expected));
    for (p, q) in found.iter().zip(&expected) {
        assert!((p.touch.gap - q.touch.gap).abs() < 1e-9, "{p:?} {q:?}");
        assert_eq!(p.overlap.map(|o| o.measure), q.overlap.map(|o| o.measure));
        assert!((p.touch.normal.norm() - 1.0).abs() < 1e-9, "{p:?}");
        let way = p.touch.on_b - p.touch.on_a - p.touch.normal * p.touch.gap;
        assert!(way.norm() < 1e-6, "{p:?}");
        assert!((1..=4).contains(&p.manifold.points().len()));
    }
}

/// Two bodies of each pair of kinds close together, the pairs far apart. The second bodies move through
/// the first.
fn couples<S: PairMethods<D>, const D: usize>(
    kinds: &[S],
    random: &mut Random,
    pose: impl Fn(&mut Random, Point<D>) -> Pose<D>,
) -> Scene<S, D> {
    let mut scene = Scene::default();
    let mut count = 0.0;
    for (i, a) in kinds.iter().enumerate() {
        for (j, b) in kinds.iter().enumerate() {
            let is_endless = a.half_space().is_some() || b.half_space().is_some();
            if is_endless && i.min(j) + 1 < kinds.len() && i + 1 == kinds.len() {
                continue;
            }

            let mut at = Point::origin();
            at[0] = 20.0 * count;
            let first = scene
                .add(a.clone(), Place::Fixed(pose(random, at)))
                .expect("finite");
            let start = at + random.direction::<D>() * 1.5;
            let place = Place::Moved(pose(random, start));
            let second = scene.add(b.clone(), place).expect("finite");
            count += 1.0;

            // Half-spaces meet only their partner.
            let group = if is_endless {
                1 << (1 + count as u32 % 29)
            } else {
                1
            };

            for id in [first, second] {
                let filter = Filter {
                    groups: group,
                    collides_with: group,
                    family: 0,
                };
                scene.set_filter(id, filter).expect("it is there");
            }
        }
    }

    scene
}

fn follow<S: PairMethods<D>, const D: usize>(
    kinds: &[S],
    seed: u64,
    options: Options,
    pose: impl Fn(&mut Random, Point<D>) -> Pose<D>,
) -> usize {
    let mut random = Random::new(seed);
    let mut scene = couples(kinds, &mut random, &pose);
    let [mut detector, mut forgetful] = [(); 2].map(|()| Detector::new(options).expect("good"));
    let mut seen = std::collections::BTreeSet::new();
    let mut touching: Vec<Pair> = Vec::new();

    for step in 0..12 {
        detector
            .step(&scene, f64::from(step))
            .expect("a good scene");
        forgetful.forget();
        forgetful
            .step(&scene, f64::from(step))
            .expect("a good scene");
        let expected = brute(&scene, f64::from(step), detector.options());
        assert_same(detector.contacts(), &expected);
        assert_same(forgetful.contacts(), &expected);
        assert_eq!(detector.events(), forgetful.events());
        let is_touching = |contact: &&Contact<D>| contact.touch.gap <= 0.0;
        let touching_now = detector.contacts().iter().filter(is_touching);
        let mut now: Vec<Pair> = touching_now.map(|contact| contact.pair).collect();
        now.dedup();
        let began = now.iter().filter(|pair| !touching.contains(pair)).count();

        let reported = detector
            .events()
            .iter()
            .filter(|event| event.kind == EventKind::Began)
            .count();
        assert_eq!(began, reported);
        touching = now;
        seen.extend(touching.iter().copied());

        for id in scene.ids().collect::<Vec<_>>() {
            if !scene.is_fixed(id) {
                let here = scene.pose(id, 0.0).expect("there");
                let first = scene.pose(id - 1, 0.0).expect("there");
                let step =
                    (first.position() - here.position()) * 0.25 + random.direction::<D>() * 0.2;
                let turned = pose(&mut random, here.position() + step);
                scene.set_pose(id, turned).expect("finite");
            }
        }
    }

    seen.len()
}

#[test]
fn every_pair_of_kinds_of_space_has_the_contacts_of_all_pairs() {
    let kinds = kinds3();
    let couples = (kinds.len() - 1) * (kinds.len() - 1) + kinds.len() - 1;
    let seen: usize = (0..3)
        .map(|seed| follow(&kinds, seed, Options::default(), pose3))
        .sum();
    assert!(seen >= 3 * couples - 3, "{seen} of {}", 3 * couples);
}

#[test]
fn every_pair_of_kinds_of_the_plane_has_the_contacts_of_all_pairs() {
    let kinds = kinds2();
    let couples = (kinds.len() - 1) * (kinds.len() - 1) + kinds.len() - 1;
    let seen: usize = (0..20)
        .map(|seed| follow(&kinds, seed, Options::default(), pose2))
        .sum();
    assert!(seen >= 20 * couples - 20, "{seen} of {}", 20 * couples);
}

/// A heap of bodies of every kind on a floor.
fn heap(count: usize) -> Scene3 {
    let (mut random, kinds, mut scene) = (Random::new(5), kinds3(), Scene3::default());
    scene
        .add(
            kinds[kinds.len() - 1].clone(),
            Place::Fixed(Pose::identity()),
        )
        .expect("finite");

    for n in 0..count {
        let at = Point::from([(); 3].map(|()| random.within(-4.0, 4.0)));
        scene
            .add(
                kinds[n % (kinds.len() - 1)].clone(),
                Place::Moved(pose3(&mut random, at)),
            )
            .expect("finite");
    }

    scene
}

#[test]
fn contacts_are_the_same_bytes_for_1_2_and_7_threads() {
    let scene = heap(120);
    let contacts = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut detector = Detector3::default();
            detector.step(&scene, 0.0).expect("good");
            format!("{:?}", detector.contacts())
        })
    };
    let one = contacts(1);
    assert!(one.len() > 10_000, "{}", one.len());

    assert!(one == contacts(2) && one == contacts(7));
}

#[test]
fn what_is_kept_survives_adding_and_removing() {
    let mut scene = heap(40);
    let (mut detector, mut random, kinds) = (Detector3::default(), Random::new(8), kinds3());
    for step in 0..20 {
        let ids: Vec<u32> = scene.ids().collect();
        scene
            .remove(ids[1 + random.below(ids.len() - 1)])
            .expect("there");
        let at = Point::from([(); 3].map(|()| random.within(-3.0, 3.0)));
        scene
            .add(
                kinds[step % 9].clone(),
                Place::Moved(pose3(&mut random, at)),
            )
            .expect("finite");
        detector.step(&scene, step as f64).expect("good");

        assert_same(
            detector.contacts(),
            &brute(&scene, step as f64, detector.options()),
        );
    }

    // Another scene: cached data of the first one must have no effect.
    let other = heap(30);
    detector.step(&other, 0.0).expect("good");
    assert_same(detector.contacts(), &brute(&other, 0.0, detector.options()));
}

#[test]
fn a_detector_sleeps_until_balls_may_touch_and_is_never_late() {
    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0).expect("valid"));
    let mut scene = Scene3::default();
    let rest = Motion::at_rest(Pose::<3>::identity());
    let given = |motion: Motion<3>| Place::Given { motion, since: 0.0 };
    scene
        .add(ball.clone(), given(rest.with_velocity([1.0, 0.0, 0.0])))
        .expect("finite");
    let far = Motion::at_rest(Pose::at([30.0, 0.0, 0.0])).with_acceleration([-0.5, 0.0, 0.0]);
    scene
        .add(ball, given(far.with_spin([0.0, 3.0, 0.0])))
        .expect("finite");
    let floor = crate::shape::HalfSpace::new([0.0, -50.0, 0.0], [0.0, 1.0, 0.0]).expect("valid");
    scene
        .add(Shape3::HalfSpace(floor), Place::Fixed(Pose::identity()))
        .expect("finite");
    let (mut detector, mut slept, mut first) = (Detector3::default(), 0, None);

    for n in 0..200 {
        let time = f64::from(n) * 0.1;
        let step = detector.step(&scene, time).expect("good");
        slept += usize::from(step.slept && first.is_none());
        assert_same(
            detector.contacts(),
            &brute(&scene, time, detector.options()),
        );
        if first.is_none() && !detector.contacts().is_empty() {
            first = Some(time);
        }
    }

    // t + t²/4 = 28 at t = 8.77.
    assert_eq!(first.map(|time| (time * 10.0).round()), Some(88.0));
    assert!((60..88).contains(&slept), "{slept}");
    scene
        .set_pose(0, Pose::at([0.0, 0.0, 9.0]))
        .expect("finite");

    assert!(
        !detector.step(&scene, 20.0).expect("good").slept,
        "a change wakes it"
    );
}

#[test]
fn bodies_at_rest_apart_sleep_for_ever() {
    let ball = Shape2::Disc(Sphere::new([0.0; 2], 1.0).expect("valid"));
    let mut scene = Scene2::default();
    scene
        .add(ball.clone(), Place::Fixed(Pose::identity()))
        .expect("finite");
    scene
        .add(ball, Place::Moved(Pose::at([5.0, 0.0])))
        .expect("finite");
    let mut detector = Detector2::default();

    assert_eq!(
        detector.step(&scene, 0.0).expect("good").wakes,
        Some(f64::INFINITY)
    );
    assert!(detector.step(&scene, 1e9).expect("good").slept);
}

#[test]
fn removed_bodies_end_their_contacts_and_fixed_ones_have_none_among_them() {
    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0).expect("valid"));
    let mut scene = Scene3::default();
    let fixed = scene
        .add(ball.clone(), Place::Fixed(Pose::identity()))
        .expect("finite");
    scene
        .add(ball.clone(), Place::Fixed(Pose::at([0.5, 0.0, 0.0])))
        .expect("finite");
    let moved = scene
        .add(ball, Place::Moved(Pose::at([0.0, 1.0, 0.0])))
        .expect("finite");
    let mut detector = Detector3::default();
    detector.step(&scene, 0.0).expect("good");

    let began = |a, b| Event {
        pair: Pair { a, b },
        kind: EventKind::Began,
    };
    assert_eq!(detector.events(), [began(fixed, moved), began(1, moved)]);
    scene.remove(moved).expect("there");
    detector.step(&scene, 1.0).expect("good");
    assert_eq!(
        detector
            .events()
            .iter()
            .filter(|event| event.kind == EventKind::Ended)
            .count(),
        2
    );

    assert!(detector.contacts().is_empty());
}

#[test]
fn a_solid_that_closes_on_itself_is_in_contact_with_itself() {
    let vee = Vee::new(600).expect("valid");
    let solid =
        crate::shape::Solid::new(&vee.points(0.5).expect("open"), vee.tetrahedra()).expect("valid");
    let mut scene = Scene3::default();
    let id = scene
        .add(
            Shape3::Solid(Arc::new(solid)),
            Place::Fixed(Pose::identity()),
        )
        .expect("finite");
    let mut detector = Detector3::default();
    detector.step(&scene, 0.0).expect("good");
    assert!(detector.contacts().is_empty());
    scene
        .set_points(id, &vee.points(-0.3).expect("closed"))
        .expect("as many");
    detector.step(&scene, 1.0).expect("good");
    let count = detector.contacts().len();
    assert!((1..20).contains(&count), "{count} places");

    assert!(
        detector
            .contacts()
            .iter()
            .all(|contact| contact.pair == Pair { a: id, b: id })
    );
    let ids: Vec<ContactId> = detector.contacts().iter().map(Contact::id).collect();

    assert!(
        ids.windows(2).all(|two| two[0] < two[1]),
        "names are unique and sorted"
    );
}

#[test]
fn hostile_input_is_refused_with_the_body_named() {
    let ball = Shape3::Sphere(Sphere::new([0.0; 3], 1.0).expect("valid"));
    let mut scene = Scene3::default();
    scene
        .add(ball.clone(), Place::Moved(Pose::identity()))
        .expect("finite");
    let refused = scene
        .add(ball.clone(), Place::Moved(Pose::at([f64::NAN, 0.0, 0.0])))
        .unwrap_err();

    assert_eq!(
        refused,
        InvalidBody {
            body: 1,
            cause: Cause::Pose
        }
    );
    let motion =
        Motion::at_rest(Pose::identity()).with_velocity(Vector::<3>::repeat(f64::INFINITY));
    let refused = scene
        .add(ball.clone(), Place::Given { motion, since: 0.0 })
        .unwrap_err();

    assert_eq!(
        refused.to_string(),
        "body 1: the motion's velocity is not finite"
    );
    assert_eq!(
        scene.set_pose(7, Pose::identity()).unwrap_err().cause,
        Cause::Unknown
    );

    assert!(matches!(
        scene.set_points(0, &[]).unwrap_err().cause,
        Cause::Points(_)
    ));
    let mut detector = Detector3::default();
    assert!(matches!(
        detector.step(&scene, f64::NAN),
        Err(InvalidStep::Time(_))
    ));
    let beyond = Pose::at([1e61, 0.0, 0.0]);

    for place in [Place::Moved(beyond), Place::Fixed(beyond)] {
        assert_eq!(
            scene.add(ball.clone(), place).unwrap_err().cause,
            Cause::Pose
        );
    }

    assert_eq!(scene.set_pose(0, beyond).unwrap_err().cause, Cause::Pose);
    let resting = Motion::at_rest(beyond);
    let place = Place::Given {
        motion: resting,
        since: 0.0,
    };
    assert!(matches!(
        scene.add(ball.clone(), place).unwrap_err().cause,
        Cause::Motion(_)
    ));

    // A motion may leave the supported range later.
    let motion = Motion::at_rest(Pose::identity()).with_velocity([1e61, 0.0, 0.0]);
    let far = scene
        .add(ball, Place::Given { motion, since: 0.0 })
        .expect("finite");
    let refused = detector.step(&scene, 1.0).unwrap_err().to_string();
    assert!(refused.starts_with(&format!("body {far} ")), "{refused}");
    scene.remove(far).expect("there");

    assert!(detector.step(&scene, 1.0).is_ok() && scene.remove(far).is_err());
}
