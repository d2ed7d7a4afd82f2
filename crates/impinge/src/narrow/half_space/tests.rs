use super::super::samples::{any_body, any_pose};
use super::*;
use crate::space::Random;

#[test]
fn the_lowest_vertex_has_no_vertex_below_it() {
    let mut random = Random::new(61);
    for _ in 0..300 {
        let body = any_body(&mut random);
        let (pose, pose_half) = (any_pose(&mut random, 2.0), any_pose(&mut random, 1.0));
        let half =
            HalfSpace::new([0.1, 0.2, 0.3], random.direction::<3>() * 7.0).expect("a direction");
        let contact = polyhedron_contact(&body, &pose, &half, &pose_half, 0);
        let up = pose_half.vector(&half.normal());
        let height = |p: &Point<3>| up.dot(&(pose.point(p) - pose_half.point(&half.point())));
        let lowest = body
            .points()
            .iter()
            .map(height)
            .fold(f64::INFINITY, f64::min);
        assert!((contact.gap - lowest).abs() < 1e-14);
        assert!((contact.normal + up).norm() < 1e-14);
        assert!((contact.on_b - contact.on_a - contact.normal * contact.gap).norm() < 1e-14);

        assert!(
            up.dot(&(contact.on_b - pose_half.point(&half.point())))
                .abs()
                < 1e-14
        );
    }
}

#[test]
fn a_ball_in_the_floor() {
    let ball = Sphere::new([0.0, 1.0], 2.0).expect("valid");
    let floor = HalfSpace::new([5.0, 0.0], [0.0, 1e-100]).expect("a direction");
    let contact = sphere_contact(&ball, &Pose::identity(), &floor, &Pose::identity());
    assert_eq!(
        (contact.gap, contact.on_a),
        (-1.0, Point::from([0.0, -1.0]))
    );
}
