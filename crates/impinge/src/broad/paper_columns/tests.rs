use super::*;
use crate::broad::contract::crowd;
use crate::broad::{BroadPhase, BroadScene, Columns, Proxy};

#[test]
fn one_grid_misses_many_pairs_the_shifted_grid_few_and_ours_none() {
    let balls: Vec<Ball<3>> = crowd(20_000, 1.0, 3);
    let (mut one, mut both, mut all) = (Vec::new(), Vec::new(), Vec::new());
    PaperColumns::new(PaperGrid::One).find_some_pairs(&balls, &mut one);
    PaperColumns::new(PaperGrid::Shifted).find_some_pairs(&balls, &mut both);
    Columns::default()
        .find_pairs(&BroadScene::of(&balls), &mut all)
        .expect("good balls");
    assert!(
        one.iter()
            .chain(&both)
            .all(|pair| all.binary_search(pair).is_ok())
    );
    let missed = |found: &[Pair]| (all.len() - found.len()) as f64 / all.len() as f64;
    assert!((0.05..0.5).contains(&missed(&one)), "{}", missed(&one));

    assert!((1e-5..0.02).contains(&missed(&both)), "{}", missed(&both));
}

#[test]
fn a_ball_that_reaches_into_the_cell_of_another_is_missed() {
    // The ball at 1.2 reaches into the cell of the one at 0.6, but not vice versa, and its
    // `low` is greater.
    let balls = [Ball::new([0.0, 0.6], 0.3), Ball::new([0.3, 1.2], 0.5)];
    assert!(balls[0].overlaps(&balls[1]));
    let mut pairs = Vec::new();
    PaperColumns::new(PaperGrid::One).find_some_pairs(&balls, &mut pairs);
    assert_eq!(pairs, []);
    PaperColumns::new(PaperGrid::Shifted).find_some_pairs(&balls, &mut pairs);

    assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
}

#[test]
fn two_alternating_steps_at_rest_find_what_the_shifted_grid_finds() {
    let balls: Vec<Ball<3>> = crowd(5_000, 1.0, 8);
    let (mut both, mut found) = (Vec::new(), Vec::new());
    PaperColumns::new(PaperGrid::Shifted).find_some_pairs(&balls, &mut both);
    let mut alternating = PaperColumns::new(PaperGrid::Alternating);
    let mut seen = Vec::new();
    for _ in 0..2 {
        alternating.find_some_pairs(&balls, &mut found);
        assert!(found.len() < both.len());
        seen.extend_from_slice(&found);
    }

    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, both);
}

#[test]
fn a_ball_overlaps_at_most_three_other_cells() {
    for ball in crowd::<Ball<3>, 3>(1000, 1.0, 5) {
        let mut cells = 0;
        for_each_overlapped_cell(&ball, 1.0, 0.0, |_| cells += 1);
        assert!((1..=4).contains(&cells));
    }
}
