use super::*;
use crate::bound::Ball;
use crate::predict::touch_bound;
use crate::space::{Random, Vector};

#[test]
fn only_pairs_without_a_bound_are_rejected_and_most_of_them_are() {
    let mut random = Random::new(3);
    let mut ball = || {
        let place: [f64; 3] = [0; 3].map(|_| random.within(-50.0, 50.0));
        let velocity: [f64; 3] = [0; 3].map(|_| random.within(-5.0, 5.0));
        let mut ball = MovingBall::at_rest(Ball::new(place, random.within(0.1, 4.0)))
            .with_velocity(velocity)
            .with_acceleration([0.0, 0.0, -9.81]);
        ball.growth = random.within(-1.0, 0.2).max(0.0);
        ball
    };
    let (mut rejected, mut misses) = (0, 0);
    for _ in 0..20_000 {
        let (a, b) = (ball(), ball());
        let misses_it = touch_bound(&a, &b).is_none();
        misses += usize::from(misses_it);
        rejected += usize::from(never_meet(&a, &b));
        assert!(misses_it || !never_meet(&a, &b), "{a:?} {b:?}");
    }
    assert!(rejected * 100 > misses * 99, "{rejected} of {misses}");
    let still = MovingBall::at_rest(Ball::new([0.0; 3], 1.0));
    let apart = MovingBall::at_rest(Ball::new([3.0, 0.0, 0.0], 1.0));
    assert!(never_meet(&still, &apart));
    let pulled = apart.with_acceleration(Vector::from([1.0, 0.0, 0.0]));
    assert!(!never_meet(&still, &pulled), "not decided here");
}
