use super::*;
use impinge::broad::{BroadPhase, BroadScene, Columns};

#[test]
fn balls_make_about_two_pairs_each_whatever_their_sizes() {
    for ratio in [1.0, 10.0, 100.0] {
        let mut pairs = Vec::new();
        let balls = balls::<3>(100_000, ratio, 1);
        Columns::default()
            .find_pairs(&BroadScene::of(&balls), &mut pairs)
            .unwrap();
        assert!(
            (1.7..2.1).contains(&(pairs.len() as f64 / 1e5)),
            "{ratio}: {}",
            pairs.len()
        );
        let largest = balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);

        assert!(largest <= 0.5 * ratio && largest > 0.2 * ratio);
    }
}
