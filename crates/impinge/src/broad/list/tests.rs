use super::*;
use crate::bound::Ball;
use crate::broad::contract::{agree, crowd};
use crate::space::{Random, Vector};

#[test]
fn a_list_lasts_many_small_steps() {
    let mut balls: Vec<Ball<3>> = crowd(2000, 1.5, 1);
    let (mut list, mut random, mut pairs) = (NeighbourList::default(), Random::new(3), Vec::new());

    for _ in 0..50 {
        agree(&mut list, &BroadScene::of(&balls), &mut pairs);
        balls
            .iter_mut()
            .for_each(|ball| ball.centre += random.direction::<3>() * 0.001);
    }

    let counters = list.counters();
    assert_eq!(counters.list_steps, 50);
    assert!(counters.rebuilds <= 6, "{counters:?}");
}

#[test]
fn a_runaway_does_not_end_the_list() {
    let mut balls: Vec<Ball<3>> = crowd(2000, 1.5, 1);
    let (mut list, mut pairs) = (NeighbourList::with_skin(Skin::Margin(0.1)), Vec::new());
    for step in 0..30 {
        balls[7].centre += Vector::repeat(0.3);
        balls[1234].centre -= Vector::x() * 0.2;
        if step == 20 {
            balls.push(Ball::new(balls[9].centre, 0.4));
        }
        assert!(agree(&mut list, &BroadScene::of(&balls), &mut pairs) > 100);
    }

    let counters = list.counters();
    assert_eq!(counters.rebuilds, 1);
    assert!(counters.strays > 50, "{counters:?}");
}
