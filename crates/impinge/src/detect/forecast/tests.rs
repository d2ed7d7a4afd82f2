use super::*;
use crate::narrow::meshes::{TriangleTree, touches};
use crate::predict::{FaceTouch, straight_touch};
use crate::shape::generate;
use crate::space::Random;

fn ball(level: usize) -> Prepared {
    Prepared::new(&generate::sphere(level).expect("valid"))
}

fn at(x: f64, y: f64, z: f64) -> Motion<3> {
    Motion::at_rest(Pose::at([x, y, z]))
}

fn contacts(events: &[ForecastEvent]) -> Vec<(ForecastEventKind, f64)> {
    events
        .iter()
        .filter(|e| e.kind != ForecastEventKind::Predicted)
        .map(|e| (e.kind, e.time))
        .collect()
}

#[test]
fn the_projectiles_of_section_5_1_meet_at_14_98_seconds_and_the_engine_slept_before() {
    let mut forecast = Forecast::new(Settings::default());
    let thrown = |x: f64, side: f64| {
        at(x, 0.0, 0.0)
            .with_velocity([50.0 * side, 0.0, 50.0 * 3f64.sqrt()])
            .with_acceleration([0.0, 0.0, -9.81])
    };
    forecast.add(ball(4), thrown(0.0, 1.0)).expect("finite");
    forecast.add(ball(4), thrown(1500.0, -1.0)).expect("finite");
    let mut events = Vec::new();
    let mut slept = 0;

    for step in 1..=300 {
        let done = forecast
            .advance(0.05 * f64::from(step), &mut events)
            .expect("forward");
        slept += usize::from(done.worked == 0);
    }

    let found = contacts(&events);
    // The octahedral spheres have a vertex on the line of flight.
    assert!(
        found[0].0 == ForecastEventKind::Contact && (found[0].1 - 14.98).abs() < 1e-6,
        "{found:?}"
    );

    // Fitted root balls are as large as the bodies, so that the prediction is the contact. The
    // paper's 14.9503 s is that of root spheres of radius 2.485.
    assert!(
        events[0].kind == ForecastEventKind::Predicted && (events[0].time - 14.98).abs() < 1e-9,
        "{:?}",
        events[0]
    );

    assert!(slept >= 299, "{slept}");
}

#[test]
fn a_fast_thin_plate_that_fixed_steps_would_miss_is_met_and_left() {
    let plate = Prepared::new(&generate::block([1, 1, 1], [2.0, 2.0, 0.001]).expect("valid"));
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(plate, at(0.0, 0.0, 0.0)).expect("finite");
    forecast
        .add(
            ball(3),
            at(1.0, 1.0, 1000.0).with_velocity([0.0, 0.0, -900.0]),
        )
        .expect("finite");
    let mut events = Vec::new();
    forecast.advance(10.0, &mut events).expect("forward");
    let kinds: Vec<ForecastEventKind> = contacts(&events).iter().map(|e| e.0).collect();

    assert_eq!(
        kinds,
        [ForecastEventKind::Contact, ForecastEventKind::Separation]
    );
    assert!(
        events.windows(2).all(
            |pair| pair[0].time <= pair[1].time || pair[0].kind == ForecastEventKind::Predicted
        )
    );
}

#[test]
fn bodies_that_start_in_each_other_are_in_contact_at_time_zero() {
    for shift in [0.0, 0.3, 1.5] {
        let mut forecast = Forecast::new(Settings::default());
        forecast.add(ball(3), at(0.0, 0.0, 0.0)).expect("finite");
        let small = generate::sphere(2).expect("valid");
        let points: Vec<Point<3>> = small.points().iter().map(|p| p * 0.5).collect();
        let small = crate::shape::Surface::new(&points, small.triangles()).expect("valid");
        forecast.add(&small, at(shift, 0.0, 0.0)).expect("finite");
        let mut events = Vec::new();
        forecast.advance(0.0, &mut events).expect("now");

        assert_eq!(
            contacts(&events),
            [(ForecastEventKind::Contact, 0.0)],
            "shifted by {shift}"
        );

        assert_eq!(forecast.touching(), [[ForecastId(0), ForecastId(1)]]);
    }
}

#[test]
fn a_changed_motion_makes_old_plans_stale() {
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(ball(3), at(0.0, 0.0, 0.0)).expect("finite");
    let flying = forecast
        .add(ball(3), at(10.0, 0.0, 0.0).with_velocity([-2.0, 0.0, 0.0]))
        .expect("finite");
    let mut events = Vec::new();
    forecast.advance(3.0, &mut events).expect("forward");
    let here = Motion::at_rest(forecast.pose(flying).expect("rigid"));
    forecast
        .set_motion(flying, here.with_velocity([1.0, 0.0, 0.0]))
        .expect("finite");
    forecast.advance(100.0, &mut events).expect("forward");
    assert_eq!(contacts(&events), []);
    assert_eq!(forecast.next_due(), None);

    assert!(
        forecast.advance(99.0, &mut events).is_err(),
        "time never goes backwards"
    );
    assert!(
        forecast
            .set_motion(flying, here.with_velocity([f64::NAN, 0.0, 0.0]))
            .is_err()
    );
}

#[test]
fn spinning_bodies_meet_not_later_than_dense_sampling_sees() {
    let mut random = Random::new(31);
    let rod = TriangleTree::new(&generate::block([1, 1, 1], [4.0, 0.5, 0.5]).expect("valid"));
    let mut met = 0;

    for case in 0..12 {
        let spin = random.direction::<3>() * 3.0;
        let motions = [
            at(0.0, 0.0, 0.0).with_spin(random.direction::<3>() * 2.0),
            at(6.0, random.within(-1.5, 1.5), 0.0)
                .with_velocity([-1.0, 0.0, 0.0])
                .with_spin(spin),
        ];
        let mut forecast = Forecast::new(Settings {
            tolerance: 1e-6,
            ..Settings::default()
        });

        for motion in motions {
            forecast.add(rod.clone(), motion).expect("finite");
        }

        let mut events = Vec::new();
        forecast.advance(8.0, &mut events).expect("forward");
        let seen = (0..8000)
            .map(|k| f64::from(k) * 1e-3)
            .find(|&t| touches(&rod, &motions[0].pose_at(t), &rod, &motions[1].pose_at(t)));
        let found = contacts(&events).first().map(|event| event.1);

        match (found, seen) {
            (Some(found), Some(seen)) => {
                assert!(
                    found <= seen && seen - found < 2e-3,
                    "{case}: {found} {seen}"
                )
            }
            (None, Some(seen)) => panic!("{case}: missed at {seen}"),
            _ => {}
        }

        met += usize::from(seen.is_some());
    }

    assert!(met >= 4, "{met}");
}

/// Two balls, the second thrown at the first: they touch at time 4.
fn thrown() -> (Forecast, ForecastId) {
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(ball(3), at(0.0, 0.0, 0.0)).expect("finite");
    let flying = at(10.0, 0.0, 0.0).with_velocity([-2.0, 0.0, 0.0]);
    let flying = forecast.add(ball(3), flying).expect("finite");
    (forecast, flying)
}

#[test]
fn a_predicted_motion_keeps_the_plans() {
    let (mut forecast, flying) = thrown();
    let (mut events, mut planned) = (Vec::new(), 0);
    for step in 0..39 {
        let time = 0.1 * f64::from(step);
        forecast.advance(time, &mut events).expect("forward");
        let now = at(10.0 - 2.0 * time, 0.0, 0.0).with_velocity([-2.0, 0.0, 0.0]);
        assert_eq!(
            forecast.set_motion(flying, now).expect("finite"),
            MotionUpdate::AsPredicted
        );
        assert_eq!(
            forecast.set_pose(flying, now.pose).expect("finite"),
            MotionUpdate::AsPredicted
        );

        if step == 0 {
            planned = forecast.counters().trajectories.count;
        }
    }

    assert_eq!(
        forecast.counters().trajectories.count,
        planned,
        "nothing was planned again"
    );
}

#[test]
fn a_position_off_the_prediction_is_replanned_and_reported() {
    let (mut forecast, flying) = thrown();
    let mut events = Vec::new();
    forecast.advance(1.0, &mut events).expect("forward");
    let Ok(MotionUpdate::Replanned { off }) = forecast.set_pose(flying, Pose::at([9.0, 0.0, 0.0]))
    else {
        panic!("it is one metre off")
    };
    assert!((off - 1.0).abs() < 1e-12, "{off}");

    // A rotation also displaces the body's points.
    let turned = Pose::from_quaternion([0.0, 0.0, 0.6, 0.8], [9.0, 0.0, 0.0]).expect("a rotation");
    assert!(matches!(
        forecast.set_pose(flying, turned),
        Ok(MotionUpdate::Replanned { .. })
    ));
    let faster = at(9.0, 0.0, 0.0).with_velocity([-7.0, 0.0, 0.0]);
    assert!(matches!(
        forecast.set_motion(flying, faster),
        Ok(MotionUpdate::Replanned { .. })
    ));
    forecast.advance(3.0, &mut events).expect("forward");
    let found = contacts(&events);

    assert!(
        found[0].0 == ForecastEventKind::Contact && (found[0].1 - 2.0).abs() < 1e-8,
        "{found:?}"
    );
}

#[test]
fn a_velocity_that_passes_through_zero_is_still_the_predicted_one() {
    let mut forecast = Forecast::new(Settings::default());
    let up = at(0.0, 0.0, 0.0)
        .with_velocity([0.0, 0.0, 9.81])
        .with_acceleration([0.0, 0.0, -9.81]);
    let body = forecast.add(ball(2), up).expect("finite");
    forecast.advance(1.0, &mut Vec::new()).expect("forward");
    let top = at(0.0, 0.0, 4.905)
        .with_velocity([0.0, 0.0, 1e-15])
        .with_acceleration([0.0, 0.0, -9.81]);

    assert_eq!(
        forecast.set_motion(body, top),
        Ok(MotionUpdate::AsPredicted)
    );
}

#[test]
fn bodies_set_far_away_no_longer_touch() {
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(ball(3), at(0.0, 0.0, 0.0)).expect("finite");
    let body = forecast.add(ball(3), at(1.5, 0.0, 0.0)).expect("finite");
    let mut events = Vec::new();
    forecast.advance(1.0, &mut events).expect("forward");
    assert_eq!(forecast.touching().len(), 1);
    forecast
        .set_pose(body, Pose::at([50.0, 0.0, 0.0]))
        .expect("finite");
    assert!(forecast.touching().is_empty());
    forecast.advance(1.0, &mut events).expect("now");

    assert_eq!(
        contacts(&events),
        [
            (ForecastEventKind::Contact, 0.0),
            (ForecastEventKind::Separation, 1.0)
        ]
    );
}

#[test]
fn a_removed_body_touches_nothing_and_is_rejected() {
    let (mut forecast, flying) = thrown();
    let third = forecast.add(ball(2), at(10.5, 0.0, 0.0)).expect("finite");
    let mut events = Vec::new();
    forecast.advance(0.1, &mut events).expect("forward");
    assert_eq!(forecast.touching(), [[flying, third]]);
    forecast.remove(flying).expect("there");
    forecast.advance(100.0, &mut events).expect("forward");
    let kinds: Vec<ForecastEventKind> = contacts(&events).iter().map(|event| event.0).collect();

    assert_eq!(
        kinds,
        [ForecastEventKind::Contact, ForecastEventKind::Separation],
        "the contact ends with the removal, no other begins"
    );
    assert_eq!(forecast.remove(flying), Err(InvalidInput::NoBody(flying)));
    assert_eq!(forecast.pose(flying), Err(InvalidInput::NoBody(flying)));
    assert_eq!(
        forecast.set_motion(ForecastId(99), at(0.0, 0.0, 0.0)),
        Err(InvalidInput::NoBody(ForecastId(99)))
    );

    assert_eq!(forecast.next_due(), None);
}

#[test]
fn wild_motions_are_refused_and_change_nothing() {
    let (mut forecast, flying) = thrown();
    let nan = at(f64::NAN, 0.0, 0.0);
    assert!(matches!(
        forecast.add(ball(1), nan),
        Err(InvalidInput::Motion(_))
    ));
    assert!(matches!(
        forecast.set_motion(flying, nan),
        Err(InvalidInput::Motion(_))
    ));
    let nowhere = Pose::at([f64::INFINITY, 0.0, 0.0]);

    assert!(matches!(
        forecast.set_pose(flying, nowhere),
        Err(InvalidInput::Motion(_))
    ));
    let mut events = Vec::new();

    for time in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(forecast.advance(time, &mut events).is_err(), "{time}");
    }

    forecast.advance(5.0, &mut events).expect("forward");
    assert!((contacts(&events)[0].1 - 4.0).abs() < 1e-8);
}

#[test]
fn bodies_at_rest_are_never_due() {
    let mut forecast = Forecast::new(Settings::default());
    for k in 0..4 {
        forecast
            .add(ball(2), at(3.0 * f64::from(k), 0.0, 0.0))
            .expect("finite");
    }

    assert_eq!(forecast.next_due(), None);
    let done = forecast.advance(1e9, &mut Vec::new()).expect("forward");
    assert_eq!(
        done,
        Advance {
            worked: 0,
            next: None
        }
    );
}

#[test]
fn the_volumes_with_the_highest_priority_touch_when_they_are_due() {
    let (mut forecast, _) = thrown();
    let mut events = Vec::new();
    let mut seen = 0;

    while let Some(upcoming) = forecast.upcoming().filter(|next| next.time <= 4.0) {
        let Some([a, b]) = upcoming.balls else { break };
        let gap = (b.centre - a.centre).norm() - a.radius - b.radius;
        assert!(gap < 1e-6, "{gap} at {}", upcoming.time);
        forecast
            .advance(upcoming.time, &mut events)
            .expect("forward");
        seen += 1;

        if events
            .iter()
            .any(|event| event.kind == ForecastEventKind::Contact)
        {
            break;
        }
    }

    assert!(seen >= 1 && !contacts(&events).is_empty());
}

/// A ball of radius 1 that wobbles while it flies.
fn wobbling(
    random: &mut Random,
    middle: [f64; 3],
    velocity: [f64; 3],
) -> (Prepared, Vec<Point<3>>, Vec<Vector<3>>) {
    let shape = ball(1);
    let positions: Vec<Point<3>> = shape
        .points()
        .iter()
        .map(|p| p + Vector::from(middle))
        .collect();
    let wobble = positions
        .iter()
        .map(|_| Vector::from(velocity) + random.direction::<3>() * 0.2)
        .collect();

    (shape, positions, wobble)
}

#[test]
fn deforming_bodies_meet_when_the_first_of_all_their_faces_do() {
    let mut random = Random::new(61);
    let mut met = 0;
    for case in 0..12 {
        let aside = random.within(0.0, 2.6);
        let bodies = [
            wobbling(&mut random, [0.0; 3], [100.0, 0.0, 0.0]),
            wobbling(&mut random, [5.0, aside, 0.3], [98.0, 0.0, 0.0]),
        ];
        let mut forecast = Forecast::new(Settings::default());
        let ids = bodies.each_ref().map(|(shape, positions, velocities)| {
            forecast
                .add_deforming(shape.clone(), positions, velocities)
                .expect("finite")
        });
        let mut events = Vec::new();

        for step in 1..=4 {
            forecast
                .advance(f64::from(step), &mut events)
                .expect("forward");
        }

        let found = contacts(&events).first().map(|event| event.1);
        let faces = |k: usize| {
            let (shape, positions, velocities) = &bodies[k];
            let nodes = Straight::new(shape, positions, velocities, 0.0);
            shape
                .triangles()
                .iter()
                .map(|&t| nodes.face(t))
                .collect::<Vec<_>>()
        };
        let (of_a, of_b) = (faces(0), faces(1));
        let all = of_a.iter().flat_map(|a| of_b.iter().map(move |b| (a, b)));
        let drift = Vector::from([100.0, 0.0, 0.0]);

        let expected = all
            .filter_map(
                |(a, b)| match straight_touch([a, b], [0.0, 4.0], &drift, 1e-10, &mut 0) {
                    FaceTouch::At { time, .. } => Some(time),
                    _ => None,
                },
            )
            .min_by(f64::total_cmp);

        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert!(
                    (found - expected).abs() < 1e-8,
                    "{case}: {found} {expected}"
                );
                met += 1;
            }
            (None, None) => {}
            other => panic!("{case}: {other:?} {ids:?}"),
        }
    }

    assert!((3..12).contains(&met), "{met}");
}

#[test]
fn a_deforming_body_meets_a_rigid_one_like_a_rigid_one_would() {
    let (shape, wall) = (
        ball(3),
        generate::block([4, 4, 1], [8.0, 8.0, 1.0]).expect("valid"),
    );
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(&wall, at(-4.0, -4.0, -1.0)).expect("finite");
    let positions: Vec<Point<3>> = shape
        .points()
        .iter()
        .map(|p| p + Vector::z() * 11.0)
        .collect();
    let falling = vec![-Vector::z() * 5.0; positions.len()];
    let body = forecast
        .add_deforming(shape, &positions, &falling)
        .expect("finite");
    let mut events = Vec::new();
    let mut slept = 0;

    for step in 1..=21 {
        slept += usize::from(
            forecast
                .advance(0.1 * f64::from(step), &mut events)
                .expect("forward")
                .worked
                == 0,
        );
    }

    let found = contacts(&events);
    assert!(
        found[0].0 == ForecastEventKind::Contact && (found[0].1 - 2.0).abs() < 1e-8,
        "{found:?}"
    );
    assert!(slept > 8, "{slept}");

    // With an upward motion it separates from the wall.
    let now = forecast.points(body).expect("there");
    let rising: Vec<Vector<3>> = now.iter().map(|_| Vector::z()).collect();
    assert!(matches!(
        forecast.set_nodes(body, &now, &rising),
        Ok(MotionUpdate::Replanned { .. })
    ));
    assert_eq!(
        forecast.set_nodes(body, &now, &rising),
        Ok(MotionUpdate::AsPredicted)
    );
    forecast.advance(4.0, &mut events).expect("forward");
    let last = contacts(&events).last().copied().expect("it parts");

    assert!(
        last.0 == ForecastEventKind::Separation && (last.1 - 2.6).abs() < 1e-6,
        "{last:?}"
    );
}

#[test]
fn a_deforming_body_within_another_is_in_contact_at_once() {
    let shell = ball(3);
    let core = generate::sphere(2).expect("valid");
    let core: Vec<Point<3>> = core.points().iter().map(|p| p * 0.3).collect();
    let mut forecast = Forecast::new(Settings::default());
    let still = |count: usize| vec![Vector::zeros(); count];
    let points = shell.points().to_vec();
    forecast
        .add_deforming(shell, &points, &still(points.len()))
        .expect("finite");
    forecast
        .add_deforming(ball(2), &core, &still(core.len()))
        .expect("finite");

    assert_eq!(forecast.touching(), [[ForecastId(0), ForecastId(1)]]);
}

#[test]
fn nodes_with_a_fault_are_named() {
    let shape = ball(1);
    let (points, still) = (
        shape.points().to_vec(),
        vec![Vector::zeros(); shape.points().len()],
    );
    let mut forecast = Forecast::new(Settings::default());
    let mut add = |points: &[Point<3>], still: &[Vector<3>]| {
        forecast
            .add_deforming(shape.clone(), points, still)
            .expect_err("refused")
            .to_string()
    };

    assert_eq!(
        add(&points[1..], &still),
        format!("17 positions for a shape of {} points", points.len())
    );
    let mut broken = points.clone();
    broken[5].y = f64::NAN;
    assert_eq!(add(&broken, &still), "the position of node 5 is not finite");
    let mut wild = still.clone();
    wild[7].x = f64::INFINITY;
    assert_eq!(add(&points, &wild), "the velocity of node 7 is not finite");
    let body = forecast
        .add_deforming(shape.clone(), &points, &still)
        .expect("finite");

    assert_eq!(
        forecast.set_motion(body, at(0.0, 0.0, 0.0)),
        Err(InvalidInput::Deforms(body))
    );
    let rigid = forecast.add(shape, at(9.0, 0.0, 0.0)).expect("finite");
    assert_eq!(
        forecast.set_nodes(rigid, &points, &still),
        Err(InvalidInput::Rigid(rigid))
    );

    assert!(
        forecast
            .self_candidates(rigid, 1.0, &mut Vec::new())
            .is_err()
    );

    assert!(
        forecast
            .self_candidates(body, f64::NAN, &mut Vec::new())
            .is_err()
    );
}

/// The surface of a V whose legs close within a second, with a common drift velocity.
fn closing_vee(angles: [f64; 2], wind: Vector<3>) -> (Prepared, Vec<Point<3>>, Vec<Vector<3>>) {
    let vee = generate::Vee::new(600).expect("valid");
    let [start, end] = angles.map(|angle| vee.points(angle).expect("in range"));
    let solid = crate::shape::Solid::new(&start, vee.tetrahedra()).expect("valid");
    let shape = Prepared::of_triangles(
        &start,
        solid.boundary_triangles(),
        crate::tree::Builder::Auto,
    )
    .expect("valid");
    let velocities = start.iter().zip(&end).map(|(a, b)| b - a + wind).collect();

    (shape, start, velocities)
}

#[test]
fn a_fast_translation_adds_no_candidate_for_self_contact() {
    let counts = [Vector::zeros(), Vector::from([1024.0, -512.0, 256.0])].map(|wind| {
        let (shape, points, velocities) = closing_vee([0.2, -0.3], wind);
        let mut forecast = Forecast::new(Settings::default());
        let body = forecast
            .add_deforming(shape, &points, &velocities)
            .expect("finite");
        let mut pairs = Vec::new();
        forecast
            .self_candidates(body, 1.0, &mut pairs)
            .expect("valid");
        let contact = forecast
            .self_contact(body, 1.0)
            .expect("valid")
            .expect("the legs cross");
        (pairs, contact)
    });
    let [(calm, first), (windy, other)] = counts;
    assert_eq!(calm, windy);
    assert!(calm.len() > 300, "{}", calm.len());

    assert!(
        (first.time - other.time).abs() < 1e-9 && first.time > 0.3,
        "{} {}",
        first.time,
        other.time
    );
}

#[test]
fn candidates_for_self_contact_hold_all_pairs_that_meet() {
    let (shape, points, velocities) = closing_vee([0.2, -0.3], Vector::zeros());
    let mut forecast = Forecast::new(Settings::default());
    let body = forecast
        .add_deforming(shape.clone(), &points, &velocities)
        .expect("finite");
    let mut pairs = Vec::new();
    forecast
        .self_candidates(body, 1.0, &mut pairs)
        .expect("valid");
    let nodes = Straight::new(&shape, &points, &velocities, 0.0);
    let faces: Vec<_> = shape.triangles().iter().map(|&t| nodes.face(t)).collect();
    let mut meeting = 0;

    for a in 0..faces.len() as u32 {
        for b in a + 1..faces.len() as u32 {
            let [one, two] = [a, b].map(|face| shape.triangles()[face as usize]);
            if one.iter().any(|n| two.contains(n)) {
                continue;
            }
            let [one, two] = [a, b].map(|face| &faces[face as usize]);
            let found = straight_touch([one, two], [0.0, 1.0], &Vector::zeros(), 1e-6, &mut 0);
            if matches!(found, FaceTouch::At { .. }) {
                assert!(pairs.binary_search(&[a, b]).is_ok(), "{a} and {b} meet");
                meeting += 1;
            }
        }
    }

    assert!(
        meeting > 50 && meeting < pairs.len(),
        "{meeting} of {}",
        pairs.len()
    );
}

/// A cube of side 1 that spins about its centre; its distance from a wall is the corner radius plus
/// a gap.
fn spinning_beside_a_wall(rate: f64, gap: f64, settings: Settings) -> Forecast {
    let cube = generate::block([1, 1, 1], [1.0, 1.0, 1.0]).expect("valid");
    let points: Vec<Point<3>> = cube
        .points()
        .iter()
        .map(|p| p - Vector::repeat(0.5))
        .collect();
    let cube = crate::shape::Surface::new(&points, cube.triangles()).expect("valid");
    let wall = generate::block([2, 3, 3], [1.0, 6.0, 6.0]).expect("valid");
    let mut forecast = Forecast::new(settings);
    let spin = at(0.0, 0.0, 0.0).with_spin([0.0, 0.0, rate]);
    forecast.add(&cube, spin).expect("finite");
    forecast
        .add(&wall, at(0.5f64.sqrt() + gap, -2.9, -3.1))
        .expect("finite");

    forecast
}

#[test]
fn a_corner_that_grazes_a_wall_touches_once_within_its_interval() {
    let mut forecast = spinning_beside_a_wall(1.0, 0.0, Settings::default());
    let mut events = Vec::new();
    forecast.advance(1.5, &mut events).expect("forward");
    let kinds: Vec<ForecastEventKind> = contacts(&events).iter().map(|event| event.0).collect();
    assert_eq!(
        kinds,
        [ForecastEventKind::Contact, ForecastEventKind::Separation]
    );

    let contact = events
        .iter()
        .find(|event| event.kind == ForecastEventKind::Contact)
        .expect("they graze");
    let expected = std::f64::consts::FRAC_PI_4;
    assert!(
        contact.time <= expected && expected <= contact.latest,
        "{contact:?}"
    );
    assert!(contact.latest - contact.time < 1e-5, "{contact:?}");

    assert!(expected - contact.time < 1e-6, "{contact:?}");
}

#[test]
fn a_corner_that_passes_a_wall_by_1e_10_does_not_touch_and_one_that_cuts_it_by_as_much_does() {
    for gap in [1e-10, 1e-12] {
        let mut forecast = spinning_beside_a_wall(1.0, gap, Settings::default());
        let mut events = Vec::new();
        forecast.advance(7.0, &mut events).expect("forward");
        assert_eq!(contacts(&events), [], "{gap}");
        assert!(forecast.undecided().is_empty());
    }

    let mut forecast = spinning_beside_a_wall(1.0, -1e-10, Settings::default());
    let mut events = Vec::new();
    forecast.advance(1.5, &mut events).expect("forward");
    let found = contacts(&events);
    assert_eq!(found.len(), 2, "{found:?}");

    // The corner reaches r cos(π/4 − t), and 1 − cos x = 2 sin²(x/2).
    let reach = 0.5f64.sqrt();
    let depth = reach - (reach - 1e-10);
    let before = 2.0 * (0.5 * depth / reach).sqrt().asin();
    let expected = std::f64::consts::FRAC_PI_4 - before;
    assert!(
        found[0].1 <= expected + 1e-12 && expected - found[0].1 < 2e-9,
        "{} {expected}",
        found[0].1
    );
}

#[test]
fn spins_too_fast_to_be_followed_are_left_undecided_after_bounded_work() {
    for rate in [1e6, 1e9, 1e12] {
        let settings = Settings {
            most_work: 20_000,
            ..Settings::default()
        };
        let mut forecast = spinning_beside_a_wall(rate, 1e-3, settings);
        let mut events = Vec::new();
        forecast.advance(10.0, &mut events).expect("forward");
        let last = events.last().expect("something happens");

        assert_eq!(
            last.kind,
            ForecastEventKind::Undecided,
            "{rate}: {events:?}"
        );
        assert_eq!(
            forecast.undecided(),
            [([ForecastId(0), ForecastId(1)], last.time)],
            "{rate}"
        );
        assert_eq!(contacts(&events).len(), 1, "{rate}");
        let done = forecast.counters();

        assert!(
            done.primitives.count + done.volumes.count < 60_000,
            "{rate}"
        );
    }
}

#[test]
fn an_undecided_pair_is_searched_again_after_its_motion_is_set() {
    let settings = Settings {
        most_work: 1000,
        ..Settings::default()
    };
    let mut forecast = spinning_beside_a_wall(1e6, 1e-3, settings);
    let mut events = Vec::new();
    forecast.advance(1.0, &mut events).expect("forward");
    assert_eq!(forecast.undecided().len(), 1);
    let slow = at(0.0, 0.0, 0.0).with_velocity([1.0, 0.0, 0.0]);
    forecast.set_motion(ForecastId(0), slow).expect("finite");
    assert!(forecast.undecided().is_empty());
    events.clear();
    forecast.advance(2.0, &mut events).expect("forward");
    let found = contacts(&events);
    let expected = 1.0 + 0.5f64.sqrt() + 1e-3 - 0.5;

    assert!(
        found[0].0 == ForecastEventKind::Contact && (found[0].1 - expected).abs() < 1e-8,
        "{found:?}"
    );
}

#[test]
fn a_block_that_slides_on_another_touches_without_a_pause() {
    let turned = |position: [f64; 3]| {
        Pose::from_quaternion([0.1, 0.2, 0.3, 0.927_361_849_549_570_4], position)
            .expect("a rotation")
    };
    let pose = turned([0.3, 0.7, -0.2]);
    let block = generate::block([1, 1, 1], [1.0, 1.0, 1.0]).expect("valid");
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(&block, Motion::at_rest(pose)).expect("finite");
    let on_top = pose.point(&Point::from([-0.1, 0.05, 1.0]));
    let sliding = Motion::at_rest(turned(on_top.coords.into()))
        .with_velocity(pose.vector(&Vector::from([0.25, 0.0, 0.0])));
    forecast.add(&block, sliding).expect("finite");
    let mut events = Vec::new();
    forecast.advance(10.0, &mut events).expect("forward");
    let found = contacts(&events);
    let kinds: Vec<ForecastEventKind> = found.iter().map(|event| event.0).collect();

    assert_eq!(
        kinds,
        [ForecastEventKind::Contact, ForecastEventKind::Separation],
        "{found:?}"
    );

    assert!(
        found[0].1 < 1e-9 && (found[1].1 - 4.4).abs() < 1e-6,
        "{found:?}"
    );
}
