use super::*;
use crate::bound::Ball;
use crate::broad::Changes;
use crate::broad::contract::{agree, crowd};
use crate::space::Random;

/// Two boxes along axis 0 that do or do not overlap on axis 1.
fn two(at: f64, overlap_across: bool) -> [Aabb<2>; 2] {
    let across = if overlap_across { 0.5 } else { 5.0 };
    [
        Aabb::new([0.0, 0.0], [1.0, 1.0]),
        Aabb::new([at, across], [at + 1.0, across + 1.0]),
    ]
}

#[test]
fn exchanges_change_the_overlap_status_as_the_table_says() {
    for across in [false, true] {
        let (mut sweep, mut pairs, mut changes) =
            (Sweep::default(), Vec::new(), Changes::default());
        sweep
            .find_pairs(&BroadScene::of(&two(2.0, across)), &mut pairs)
            .expect("good boxes");
        let before = sweep.counters();

        // Apart; lower past upper (eb → be); lower past lower and upper past upper; upper past lower (be → eb).
        for (at, overlap) in [(2.0, false), (0.5, true), (-0.5, true), (-2.0, false)] {
            sweep
                .find_pairs(&BroadScene::of(&two(at, across)), &mut pairs)
                .expect("good boxes");
            changes.update(&pairs);
            assert_eq!(pairs.len(), usize::from(overlap && across));
            assert_eq!(changes.began.len(), usize::from(at == 0.5 && across));
            assert_eq!(changes.ended.len(), usize::from(at == -2.0 && across));
            sweep.assert_valid();
        }

        let after = sweep.counters();
        assert_eq!(after.rebuilds, before.rebuilds);
        assert_eq!(after.exchanges - before.exchanges, 4, "eb, bb, ee, be");
        assert_eq!(after.tests - before.tests, 2, "bb and ee change nothing");
    }
}

#[test]
fn a_thousand_random_steps_never_build_from_scratch() {
    let mut boxes: Vec<Aabb<3>> = crowd(150, 1.5, 2);
    let (mut sweep, mut random, mut pairs) = (Sweep::default(), Random::new(4), Vec::new());
    for step in 0..1000 {
        for bounds in &mut boxes {
            let by = random.direction::<3>() * 0.01;
            *bounds = Aabb {
                min: bounds.min + by,
                max: bounds.max + by,
            };
        }

        agree(&mut sweep, &BroadScene::of(&boxes), &mut pairs);
        if step % 100 == 0 {
            sweep.assert_valid();
        }
    }

    assert_eq!(sweep.counters().rebuilds, 1);
    assert!(sweep.counters().exchanges > 1000);
}

#[test]
fn memory_holds_the_boxes_of_two_steps_and_their_ends_and_does_not_grow() {
    let mut balls: Vec<Ball<3>> = crowd(1000, 1.5, 3);
    let (mut sweep, mut pairs, mut sizes) = (Sweep::default(), Vec::new(), Vec::new());
    for _ in 0..20 {
        balls.iter_mut().for_each(|ball| ball.centre.x += 1e-4);
        agree(&mut sweep, &BroadScene::of(&balls), &mut pairs);
        sizes.push(sweep.memory());
    }

    let least = 1000 * (2 * size_of::<Aabb<3>>() + 6 * 16);
    assert!(
        sizes[19] >= least + pairs.len() * size_of::<Pair>(),
        "{sizes:?}"
    );
    assert!(sizes[19] < 4 * least && sizes[19] == sizes[10], "{sizes:?}");
}

#[test]
fn when_everything_jumps_the_budget_ends_the_sort() {
    let (mut sweep, mut pairs) = (Sweep::default(), Vec::new());
    for seed in 0..4 {
        let balls: Vec<Ball<3>> = crowd(3000, 1.5, seed);
        sweep
            .find_pairs(&BroadScene::of(&balls), &mut pairs)
            .expect("good balls");
    }

    assert_eq!(sweep.counters().rebuilds, 4);
    let longest_move = 2 * 3000;
    assert!(sweep.counters().exchanges <= 3 * (EXCHANGES_PER_BODY * 3000 + longest_move));
    sweep.assert_valid();
}
