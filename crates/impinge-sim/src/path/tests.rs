use super::*;

#[test]
fn the_velocity_of_a_motion_is_the_difference_of_its_poses() {
    let path = Path {
        velocity: [0.1, -0.2, 0.3],
        acceleration: [0.2, 0.5, -0.4],
        spin: [1.0, 2.0, -0.5],
        angular_acceleration: [-0.4, -0.8, 0.2],
        surface: [0.3, 0.0, 0.0],
        centre: Some([0.3, 0.1, -0.7]),
        amplitude: [0.05, 0.0, 0.02],
        frequency: 3.0,
        since: 0.25,
        until: Some(5.0),
    };
    let local = Point::from([0.4, -0.3, 0.9]);
    let (t, h) = (1.3, 1e-6);
    let [before, now, after] = [t - h, t, t + h].map(|t| path.at(t));
    let found = (after.pose.point(&local) - before.pose.point(&local)) / (2.0 * h);
    let arm = now.pose.point(&local) - now.pose.position();
    assert!((now.velocity + now.spin.cross(&arm) - found).norm() < 1e-7);
    let turned = now.pose.vector(&Vector::from([0.3, 0.0, 0.0]));
    assert!((now.surface - turned).norm() < 1e-15);
    assert!(path.turns_about_one_axis() && path.is_conveyor() && !path.is_rest());
    assert_eq!(path.at(0.1).pose, Pose::identity());
    assert_eq!(path.at(6.0).pose, path.at(7.0).pose);

    let ended = path.at(7.0);
    assert_eq!([ended.velocity, ended.surface], [Vector::<3>::zeros(); 2]);
}
