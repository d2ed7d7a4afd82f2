use super::*;
use crate::space::Random;

fn grid_points(seed: u64, count: usize, side: usize, size: f64) -> Vec<Point<3>> {
    let mut random = Random::new(seed);
    let mut coordinate = || (random.below(side) as f64 - side as f64 / 2.0) * size;
    (0..count)
        .map(|_| Point::from([coordinate(), coordinate(), coordinate()]))
        .collect()
}

#[test]
fn the_table_numbers_as_sorting_does() {
    for (seed, size) in [1.0, -0.0, 0.1, 1e-300, 1e12].into_iter().enumerate() {
        for side in [1, 2, 8, 200] {
            let points = grid_points(seed as u64, 20_000, side, size);
            assert_eq!(
                weld(&points),
                weld_by_sorting(&points),
                "side {side}, size {size}"
            );
        }
    }
    assert_eq!(weld(&[]), (vec![], vec![]));
}

#[test]
fn regular_points_meet_few_others_in_the_table() {
    let line = (0..100_000)
        .map(|i| Point::from([f64::from(i), 0.0, 0.0]))
        .collect();
    let plane = (0..100_000)
        .map(|i| Point::from([f64::from(i % 300), f64::from(i / 300), 0.0]))
        .collect();
    let thirds = (0..100_000)
        .map(|i| Point::from([f64::from(i as f32 / 3.0); 3]))
        .collect();

    for points in [line, plane, thirds, grid_points(1, 100_000, 50, 0.5)] {
        let distinct = weld(&points).0;
        let mut probes_left = usize::MAX;
        grown(1 << 18, &distinct, hash, &mut probes_left).expect("enough probes");
        let probes = usize::MAX - probes_left;
        assert!(
            probes < distinct.len(),
            "{probes} probes for {} points",
            distinct.len()
        );
    }
}

#[test]
fn points_that_all_collide_are_sorted_instead() {
    let points = grid_points(7, 50_000, 100, 1.0);
    assert_eq!(weld_by_table(&points, |_| 42), None);
}
