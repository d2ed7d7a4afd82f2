use super::*;
use crate::bound::Ball;
use crate::broad::Period;

#[test]
fn a_few_runaways_do_not_set_the_pace() {
    let mut balls: Vec<Ball<2>> = (0..5000).map(|n| Ball::new([n as f64, 0.0], 0.5)).collect();
    let mut motion = Motion::default();
    assert_eq!(motion.observe(&BroadScene::of(&balls)), None);

    for (n, ball) in balls.iter_mut().enumerate() {
        ball.centre.y += if n % 2000 == 0 { 100.0 } else { 0.25 };
    }

    let seen = motion
        .observe(&BroadScene::of(&balls))
        .expect("a second step");
    assert!((seen - 0.25).abs() < 1e-9, "{seen}");
    balls.push(balls[0]);

    assert_eq!(motion.observe(&BroadScene::of(&balls)), None);
}

#[test]
fn a_step_across_the_period_is_short() {
    let mut balls = vec![Ball::new([9.9, 1.0], 0.5); 3];
    let period = Period::cell([10.0, 10.0]);
    let mut motion = Motion::default();
    motion.observe(&BroadScene {
        period,
        ..BroadScene::of(&balls)
    });
    balls.iter_mut().for_each(|ball| ball.centre.x = 0.1);

    let seen = motion
        .observe(&BroadScene {
            period,
            ..BroadScene::of(&balls)
        })
        .expect("a second step");

    assert!((seen - 0.2).abs() < 1e-9, "{seen}");
}
