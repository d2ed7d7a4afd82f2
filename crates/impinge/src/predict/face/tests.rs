use super::*;
use crate::predict::Course;
use crate::space::{Motion, Pose, Random};

fn face(x: f64) -> [Point<3>; 3] {
    [[x, -1.0, -1.0], [x, 1.0, -1.0], [x, 0.0, 1.0]].map(Point::from)
}

fn course(motion: Motion<3>) -> Course {
    Course { motion, since: 0.0 }
}

fn touch(a: Motion<3>, b: Motion<3>) -> FaceTouch {
    let courses = [course(a), course(b)];
    let faces = [(0.0, 0), (10.0, 1)].map(|(x, k)| MovingFace::Rigid {
        corners: face(x),
        course: &courses[k as usize],
    });
    face_touch([&faces[0], &faces[1]], 0.0, 1e-9, &mut 0)
}

#[test]
fn faces_that_fly_at_each_other_touch_at_the_time_of_kinematics() {
    let rest = Motion::at_rest(Pose::identity());
    let FaceTouch::At { time, point, .. } = touch(
        rest.with_velocity([3.0, 0.0, 0.0]),
        rest.with_velocity([-1.0, 0.0, 0.0]),
    ) else {
        panic!("they meet")
    };
    assert!(
        time <= 2.5 && 2.5 - time < 2e-9 && (point.x - 7.5).abs() < 1e-6,
        "{time} {point}"
    );
    let FaceTouch::At { time, .. } = touch(rest, rest.with_acceleration([-5.0, 0.0, 0.0])) else {
        panic!("they meet")
    };
    assert!(time <= 2.0 && 2.0 - time < 2e-9);

    assert_eq!(
        touch(rest, rest.with_velocity([1.0, 0.0, 0.0])),
        FaceTouch::Never
    );
    assert_eq!(touch(rest, rest), FaceTouch::Never);
}

#[test]
fn a_spinning_face_touches_when_it_has_turned_far_enough() {
    // A blade along y, turning about z through the origin, meets a wall at x = 1/√2 after an eighth of a turn.
    let turning = course(Motion::at_rest(Pose::<3>::identity()).with_spin([0.0, 0.0, -1.0]));
    let rest = course(Motion::at_rest(Pose::identity()));
    let blade = [[0.0, 0.0, -0.1], [0.0, 0.0, 0.1], [0.0, 1.0, 0.0]].map(Point::from);
    let at = 0.5f64.sqrt();
    let wall = [[at, -5.0, -5.0], [at, 5.0, -5.0], [at, 0.0, 9.0]].map(Point::from);
    let blade = MovingFace::Rigid {
        corners: blade,
        course: &turning,
    };

    let wall = MovingFace::Rigid {
        corners: wall,
        course: &rest,
    };
    let mut from = 0.0;
    let found = loop {
        match face_touch([&blade, &wall], from, 1e-9, &mut 0) {
            FaceTouch::NotBefore(time) => from = time,
            other => break other,
        }
    };
    let FaceTouch::At { time, .. } = found else {
        panic!("it turns into the wall")
    };
    let expected = std::f64::consts::FRAC_PI_4;

    assert!(time <= expected && expected - time < 1e-9, "{time}");
}

fn random_face(random: &mut Random) -> StraightFace {
    let at = random.direction::<3>() * 1.5;
    let there = -at * random.within(0.0, 2.0);
    let corners = [0; 3].map(|_| Point::from(at + random.direction::<3>()));
    let velocities = [0; 3].map(|_| there + random.direction::<3>() * 0.5);
    StraightFace {
        corners,
        velocities,
        since: 0.5,
    }
}

#[test]
fn meetings_of_parts_and_conservative_advancement_find_the_same_time() {
    let mut random = Random::new(41);
    let (mut met, mut missed) = (0, 0);
    for case in 0..400 {
        let [a, b] = [0; 2].map(|_| random_face(&mut random));
        let exact = straight_touch([&a, &b], [0.5, 3.5], &Vector::zeros(), 1e-12, &mut 0);
        let [moving_a, moving_b] = [a, b].map(MovingFace::Straight);
        let mut from = 0.5;
        let advanced = loop {
            match face_touch([&moving_a, &moving_b], from, 1e-9, &mut 0) {
                FaceTouch::NotBefore(time) if time < 3.5 => from = time,
                other => break other,
            }
        };

        match (exact, advanced) {
            (FaceTouch::At { time, .. }, FaceTouch::At { time: early, .. }) => {
                assert!(
                    early <= time + 1e-9 && time - early < 1e-5,
                    "{case}: {time} {early}"
                );
                met += 1;
            }
            (FaceTouch::At { time, .. }, other) => panic!("{case}: {time}, but {other:?}"),
            (_, FaceTouch::At { time, .. }) => {
                assert!(time > 3.5 - 1e-6, "{case}: {time} is missed")
            }
            _ => missed += 1,
        }
    }

    assert!(met > 60 && missed > 60, "{met} {missed}");
}

#[test]
fn a_common_velocity_changes_no_meeting() {
    let mut random = Random::new(42);
    let wind = Vector::from([1024.0, -512.0, 256.0]);
    let mut met = 0;

    for case in 0..300 {
        let still = [0; 2].map(|_| random_face(&mut random));
        let blown = still.map(|face| StraightFace {
            velocities: face.velocities.map(|v| v + wind),
            ..face
        });
        let [calm, windy] = [(&still, Vector::zeros()), (&blown, wind)].map(|(faces, drift)| {
            straight_touch([&faces[0], &faces[1]], [0.5, 2.5], &drift, 1e-12, &mut 0)
        });

        match (calm, windy) {
            (FaceTouch::At { time, .. }, FaceTouch::At { time: other, .. }) => {
                assert!((time - other).abs() < 1e-9, "{case}: {time} {other}");
                met += 1;
            }
            (FaceTouch::At { .. }, _) | (_, FaceTouch::At { .. }) => {
                panic!("{case}: {calm:?} {windy:?}")
            }
            _ => {}
        }
    }

    assert!(met > 40, "{met}");
}

#[test]
fn faces_that_start_in_each_other_touch_at_once_and_parting_ones_never_again() {
    let flat = StraightFace {
        corners: face(0.0),
        velocities: [Vector::x(); 3],
        since: 0.0,
    };
    let across = StraightFace {
        corners: [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 5.0]].map(Point::from),
        velocities: [Vector::zeros(); 3],
        since: 0.0,
    };
    let found = straight_touch([&flat, &across], [0.0, 1.0], &Vector::zeros(), 1e-9, &mut 0);

    assert!(
        matches!(found, FaceTouch::At { time: 0.0, .. }),
        "{found:?}"
    );
    let behind = StraightFace {
        corners: face(-1.0),
        velocities: [-Vector::x(); 3],
        since: 0.0,
    };
    let found = straight_touch([&flat, &behind], [0.0, 1.0], &Vector::zeros(), 1e-9, &mut 0);

    assert_eq!(found, FaceTouch::Never);
}

/// Two faces of spinning bodies, the second at a given position.
fn spinning(random: &mut Random) -> [([Point<3>; 3], Motion<3>); 2] {
    [0.0, 1.0].map(|side| {
        let corners = [0; 3].map(|_| Point::from(random.direction::<3>()));
        let place = random.direction::<3>() * 0.2 + Vector::x() * (2.6 * side);
        let spin = random.direction::<3>() * random.within(0.3, 3.0);
        (corners, Motion::at_rest(Pose::at(place)).with_spin(spin))
    })
}

fn way_at(bodies: &[([Point<3>; 3], Motion<3>); 2], time: f64) -> Vector<3> {
    let [a, b] = bodies.map(|(corners, motion)| {
        let pose = motion.pose_at(time);
        corners.map(|p| pose.point(&p))
    });
    closest(&a, &b).way
}

/// The time in (0.5, 2.5) at which two bodies are closest, if the minimum is inside this interval.
fn closest_time(bodies: &[([Point<3>; 3], Motion<3>); 2]) -> Option<f64> {
    let distance = |time: f64| way_at(bodies, time).norm();
    let samples = (0..=2000).map(|k| 0.5 + 1e-3 * f64::from(k));
    let best = samples.min_by(|&s, &t| distance(s).total_cmp(&distance(t)))?;

    if !(0.6..2.4).contains(&best) {
        return None;
    }

    let [mut from, mut to] = [best - 1e-3, best + 1e-3];
    for _ in 0..100 {
        let [left, right] = [(2.0 * from + to) / 3.0, (from + 2.0 * to) / 3.0];
        if distance(left) < distance(right) {
            to = right
        } else {
            from = left
        }
    }

    Some(0.5 * (from + to))
}

fn first_touch_until(bodies: &[([Point<3>; 3], Motion<3>); 2], until: f64) -> (FaceTouch, usize) {
    let courses = bodies.map(|(_, motion)| course(motion));
    let faces = [0, 1].map(|k: usize| MovingFace::Rigid {
        corners: bodies[k].0,
        course: &courses[k],
    });
    let (mut from, mut tests) = (0.5, 0);

    loop {
        match face_touch([&faces[0], &faces[1]], from, 1e-9, &mut tests) {
            FaceTouch::NotBefore(time) if time < until && tests < 20_000 => from = time,
            other => break (other, tests),
        }
    }
}

/// Corners in the body frame, and the body's motion.
type SpinningFace = ([Point<3>; 3], Motion<3>);

/// The bodies, with the second moved so that they pass at a distance of 1e-7, and the time of that.
fn brought_near(mut bodies: [([Point<3>; 3], Motion<3>); 2]) -> Option<([SpinningFace; 2], f64)> {
    // Moving it along the closest offset changes the time of closest approach slightly.
    for _ in 0..8 {
        let way = way_at(&bodies, closest_time(&bodies)?);
        let place = bodies[1].1.pose.position().coords - way * (1.0 - 1e-7 / way.norm());
        bodies[1].1.pose = Pose::at(place);
    }

    let time = closest_time(&bodies)?;
    let distance = way_at(&bodies, time).norm();
    (distance > 0.9e-7 && distance < 1.1e-7).then_some((bodies, time))
}

#[test]
fn spinning_faces_that_pass_within_a_billionth_do_not_touch_and_those_that_cut_as_much_do() {
    let mut random = Random::new(43);
    let (mut missed, mut cut) = (0, 0);
    for case in 0..60 {
        let Some((bodies, time)) = brought_near(spinning(&mut random)) else {
            continue;
        };
        let way = way_at(&bodies, time);

        for gap in [1e-9, 1e-11, -1e-9, -1e-11] {
            let mut near = bodies;
            let place = near[1].1.pose.position().coords - way * (1.0 - gap / way.norm());
            near[1].1.pose = Pose::at(place);

            // Corners and free edges that pass each other do not touch, whatever the gap.
            let samples = (-2000..2000).map(|k| time + 1e-7 * f64::from(k));
            let seen = samples
                .into_iter()
                .find(|&time| way_at(&near, time) == Vector::<3>::zeros());
            let (found, tests) = first_touch_until(&near, time + 0.05);
            assert!(tests < 5_000, "{case}: {gap:e} took {tests} distances");

            match (found, seen) {
                (
                    FaceTouch::At {
                        time: at,
                        latest,
                        certain,
                        ..
                    },
                    Some(seen),
                ) => {
                    assert!(certain && at <= seen, "{case}, {gap:e}: {at} {seen}");
                    assert!(seen <= latest + 1e-7, "{case}, {gap:e}: {latest} {seen}");
                    assert!(latest - at < 1e-6, "{case}, {gap:e}: {at} {latest}");
                    cut += 1;
                }
                (found, Some(seen)) => panic!("{case}, {gap:e}: {found:?}, but {seen}"),
                (
                    FaceTouch::At {
                        time: at, certain, ..
                    },
                    None,
                ) if at < time + 0.05 => {
                    // At 1e-11 rounding may leave the answer undecided; the result must then say so.
                    let is_open = !certain && gap < 1e-10;
                    assert!(gap < 0.0 || is_open, "{case}: {gap:e} touches at {at}");
                }
                _ => missed += 1,
            }
        }
    }

    assert!(missed > 20 && cut > 10, "{missed} {cut}");
}
