use super::*;
use crate::bound::Ball;
use crate::broad::contract::{agree, crowd};
use crate::space::{Random, Vector};

/// Returns the exchanges per body and step of a crowd that moves by 0.01 per step.
fn exchanges_per_body(count: usize) -> f64 {
    let mut balls: Vec<Ball<3>> = crowd(count, 1.0, 1);
    let (mut sweep, mut random, mut pairs) = (CellSweep::default(), Random::new(3), Vec::new());
    sweep
        .find_pairs(&BroadScene::of(&balls), &mut pairs)
        .expect("good balls");
    let before = sweep.counters();

    for _ in 0..3 {
        balls
            .iter_mut()
            .for_each(|ball| ball.centre += random.direction::<3>() * 0.01);
        sweep
            .find_pairs(&BroadScene::of(&balls), &mut pairs)
            .expect("good balls");
    }

    assert_eq!(sweep.counters().rebuilds, before.rebuilds);
    (sweep.counters().exchanges - before.exchanges) as f64 / (3 * count) as f64
}

#[test]
fn exchanges_for_each_body_do_not_grow_with_their_number() {
    let (few, many) = (exchanges_per_body(2_000), exchanges_per_body(60_000));
    assert!(few > 0.1 && many < 1.5 * few, "{few} to {many}");
}

#[test]
fn lists_stay_valid_while_bodies_cross_cells() {
    let mut boxes: Vec<Aabb<3>> = crowd(400, 3.0, 2);
    let (mut sweep, mut random, mut pairs) = (CellSweep::default(), Random::new(4), Vec::new());
    let wind = Vector::from([0.3, -0.1, 0.05]);

    for step in 0..60 {
        for bounds in &mut boxes {
            let by = wind + random.direction::<3>() * 0.05;
            *bounds = Aabb {
                min: bounds.min + by,
                max: bounds.max + by,
            };
        }

        assert!(agree(&mut sweep, &BroadScene::of(&boxes), &mut pairs) > 100);
        if step % 10 == 0 {
            sweep.assert_valid();
        }
    }

    assert!(sweep.counters().rebuilds < 10, "{:?}", sweep.counters());
}
