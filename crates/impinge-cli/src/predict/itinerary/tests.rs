use super::*;
use impinge::space::Point;

#[test]
fn an_oscillation_is_followed_to_a_millionth_of_its_amplitude() {
    let path = Path {
        velocity: [0.3, 0.0, -0.1],
        spin: [0.0, 2.0, 1.0],
        centre: Some([1.0, 2.0, 3.0]),
        amplitude: [0.0, 0.2, 0.1],
        frequency: 3.0,
        since: 0.21,
        until: Some(1.13),
        acceleration: [0.1, 0.0, 0.4],
        ..Path::default()
    };
    let gravity = Vector::from([0.0, 0.0, -9.81]);
    let frame = Pose::at([1.0, 2.0, 3.0]);
    let itinerary = Itinerary::new(path, frame, &gravity, 2.0).expect("few periods");
    assert!(Itinerary::changes(&path, 2.0));

    let local = Point::from([0.4, -0.2, 0.1]);
    let (mut time, mut motions, mut worst) = (0.0, 0, 0.0f64);
    while time < 2.0 {
        let (motion, next) = (
            itinerary.motion(time).expect("finite"),
            itinerary.next(time),
        );
        let end = next.min(2.0);
        for k in 0..=8 {
            let passed = (end - time) * f64::from(k) / 8.0;
            let now = time + passed;
            let fallen = motion.pose_at(passed).point(&local) + gravity * (0.5 * now * now);
            let expected = path.at(now).pose.point(&frame.point(&local));
            worst = worst.max((fallen - expected).norm());
        }
        assert!(next > time);
        (time, motions) = (next, motions + 1);
    }
    assert!(worst < 0.23 * 1e-6, "{worst}");
    // 0.92 s of three periods a second, and rest before and after.
    assert!((707..=711).contains(&motions), "{motions}");
}

#[test]
fn an_accelerated_path_is_followed_exactly_and_an_accelerated_rotation_is_refused() {
    let path = Path {
        velocity: [0.3, 0.0, -0.1],
        acceleration: [0.0, 2.0, 0.0],
        ..Path::default()
    };
    assert!(Itinerary::changes(&path, 3.0));
    let itinerary =
        Itinerary::new(path, Pose::identity(), &Vector::zeros(), 3.0).expect("parabola");
    assert_eq!(itinerary.next(0.0), f64::INFINITY);
    let end = itinerary.motion(0.0).expect("finite").pose_at(3.0);
    assert!((end.position() - Point::from([0.9, 9.0, -0.3])).norm() < 1e-12);

    let turning = Path {
        angular_acceleration: [0.0, 0.0, 1.0],
        ..path
    };
    let made = Itinerary::new(turning, Pose::identity(), &Vector::zeros(), 3.0);
    let said = made.err().expect("refused").to_string();
    assert!(said.contains("rotation accelerates"), "{said}");
}

#[test]
fn too_many_oscillations_are_refused() {
    let path = Path {
        amplitude: [0.1, 0.0, 0.0],
        frequency: 1e6,
        ..Path::default()
    };
    let made = Itinerary::new(path, Pose::identity(), &Vector::zeros(), 1.0);
    let said = made.err().expect("too many").to_string();
    assert!(said.contains("oscillates 1000000 times"), "{said}");
}
