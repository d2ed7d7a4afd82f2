use super::*;
use crate::predict::first_touch;
use crate::space::Point;

#[test]
fn both_bounds_of_a_spinning_ball_hold_it_at_all_times() {
    let motion = Motion::at_rest(Pose::<3>::at([1.0, 2.0, 3.0]))
        .with_velocity([1.0, 0.0, 0.5])
        .with_acceleration([0.0, 0.0, -1.0])
        .with_spin([0.5, 2.0, 1.0]);
    let course = Course { motion, since: 1.0 };
    let ball = Ball::new([0.5, 0.0, 0.2], 0.3);
    let bounds = [
        course.ball(&ball, 2.0),
        course
            .ball_about(&course.pose(2.0), &ball, 2.0)
            .expect("it turns"),
    ];

    for k in 0..400 {
        let wait = 0.01 * f64::from(k);
        let centre: Point<3> = course.pose(2.0 + wait).point(&ball.centre);
        for bound in &bounds {
            let middle = bound.ball.centre
                + bound.velocity * wait
                + bound.acceleration * (0.5 * wait * wait);
            let radius = bound.ball.radius + 0.5 * bound.swelling * wait * wait;
            assert!(
                (centre - middle).norm() + ball.radius <= radius * (1.0 + 1e-12),
                "{wait}"
            );
        }
    }
}

#[test]
fn a_body_that_spins_on_the_spot_never_comes_near_by_its_second_bound() {
    let course = Course {
        motion: Motion::at_rest(Pose::<3>::identity()).with_spin([0.0, 0.0, 1.0]),
        since: 0.0,
    };
    let ball = Ball::new([1.0, 0.0, 0.0], 0.5);
    let still = MovingBall::at_rest(Ball::new([5.0, 0.0, 0.0], 1.0));
    assert!(first_touch(&course.ball(&ball, 0.0), &still, f64::INFINITY).is_some());
    let about = course
        .ball_about(&Pose::identity(), &ball, 0.0)
        .expect("it turns");

    assert_eq!(first_touch(&about, &still, f64::INFINITY), None);
}
