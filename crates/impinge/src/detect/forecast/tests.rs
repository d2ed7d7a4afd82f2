use super::*;
use crate::shape::generate;
use crate::space::Random;

fn ball(level: usize) -> TriangleTree {
    TriangleTree::new(&generate::sphere(level).expect("valid"))
}

fn at(x: f64, y: f64, z: f64) -> Motion<3> {
    Motion::at_rest(Pose::at([x, y, z]))
}

fn contacts(events: &[Event]) -> Vec<(Kind, f64)> {
    events.iter().filter(|e| e.kind != Kind::Predicted).map(|e| (e.kind, e.time)).collect()
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
        let done = forecast.advance(0.05 * f64::from(step), &mut events).expect("forward");
        slept += usize::from(done.worked == 0);
    }
    let found = contacts(&events);
    // The octahedral spheres have a vertex on the line of flight.
    assert!(found[0].0 == Kind::Contact && (found[0].1 - 14.98).abs() < 1e-6, "{found:?}");
    assert!(slept >= 297, "{slept}");
}

#[test]
fn a_fast_thin_plate_that_fixed_steps_would_miss_is_met_and_left() {
    let plate = TriangleTree::new(&generate::block([1, 1, 1], [2.0, 2.0, 0.001]).expect("valid"));
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(plate, at(0.0, 0.0, 0.0)).expect("finite");
    forecast.add(ball(3), at(1.0, 1.0, 1000.0).with_velocity([0.0, 0.0, -900.0])).expect("finite");
    let mut events = Vec::new();
    forecast.advance(10.0, &mut events).expect("forward");
    let kinds: Vec<Kind> = contacts(&events).iter().map(|e| e.0).collect();
    assert_eq!(kinds, [Kind::Contact, Kind::Separation]);
    assert!(events.windows(2).all(|pair| pair[0].time <= pair[1].time || pair[0].kind == Kind::Predicted));
}

#[test]
fn bodies_that_start_in_each_other_are_in_contact_at_time_zero() {
    for shift in [0.0, 0.3, 1.5] {
        let mut forecast = Forecast::new(Settings::default());
        forecast.add(ball(3), at(0.0, 0.0, 0.0)).expect("finite");
        let small = generate::sphere(2).expect("valid");
        let points: Vec<Point<3>> = small.points().iter().map(|p| p * 0.5).collect();
        let small = crate::shape::Surface::new(&points, small.triangles()).expect("valid");
        forecast.add(TriangleTree::new(&small), at(shift, 0.0, 0.0)).expect("finite");
        let mut events = Vec::new();
        forecast.advance(0.0, &mut events).expect("now");
        assert_eq!(contacts(&events), [(Kind::Contact, 0.0)], "shifted by {shift}");
        assert_eq!(forecast.touching(), [[BodyId(0), BodyId(1)]]);
    }
}

#[test]
fn a_changed_motion_makes_old_plans_stale() {
    let mut forecast = Forecast::new(Settings::default());
    forecast.add(ball(3), at(0.0, 0.0, 0.0)).expect("finite");
    let flying = forecast.add(ball(3), at(10.0, 0.0, 0.0).with_velocity([-2.0, 0.0, 0.0])).expect("finite");
    let mut events = Vec::new();
    forecast.advance(3.0, &mut events).expect("forward");
    let here = Motion::at_rest(forecast.pose(flying));
    forecast.set_motion(flying, here.with_velocity([1.0, 0.0, 0.0])).expect("finite");
    forecast.advance(100.0, &mut events).expect("forward");
    assert_eq!(contacts(&events), []);
    assert_eq!(forecast.next_due(), None);
    assert!(forecast.advance(99.0, &mut events).is_err(), "time never goes backwards");
    assert!(forecast.set_motion(flying, here.with_velocity([f64::NAN, 0.0, 0.0])).is_err());
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
            at(6.0, random.within(-1.5, 1.5), 0.0).with_velocity([-1.0, 0.0, 0.0]).with_spin(spin),
        ];
        let mut forecast = Forecast::new(Settings { tolerance: 1e-6, ..Settings::default() });
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
                assert!(found <= seen && seen - found < 2e-3, "{case}: {found} {seen}")
            }
            (None, Some(seen)) => panic!("{case}: missed at {seen}"),
            _ => {}
        }
        met += usize::from(seen.is_some());
    }
    assert!(met >= 4, "{met}");
}
