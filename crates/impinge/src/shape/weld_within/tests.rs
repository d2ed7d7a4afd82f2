use super::*;
use crate::space::Random;

/// Compares all pairs: slow but obvious.
fn weld_by_pairs(points: &[Point<3>], tolerance: f64) -> (Vec<Point<3>>, Vec<u32>) {
    let mut kept: Vec<Point<3>> = Vec::new();
    let number = points.iter().map(|point| {
        let distance = |i: &usize| (kept[*i] - point).norm();
        let nearest = (0..kept.len())
            .filter(|i| distance(i) <= tolerance)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        nearest.unwrap_or_else(|| {
            kept.push(*point);
            kept.len() - 1
        }) as u32
    });
    let number = number.collect();

    (kept, number)
}

#[test]
fn clouds_are_welded_as_by_all_pairs() {
    let mut random = Random::new(25);
    for round in 0..60 {
        let tolerance = [1e-12, 1e-6, 1e-3, 0.05, 0.4, 3.0][round % 6];
        let centres: Vec<Point<3>> = (0..40)
            .map(|_| Point::from(random.direction::<3>() * random.within(0.0, 1.0)))
            .collect();
        let points: Vec<Point<3>> = (0..300)
            .map(|_| {
                let spread = tolerance * random.within(0.0, 1.5);
                centres[random.below(40)] + random.direction::<3>() * spread
            })
            .collect();

        let (fast, slow) = (
            weld_within(&points, tolerance),
            weld_by_pairs(&points, tolerance),
        );
        assert_eq!(fast, slow, "tolerance {tolerance}");
    }
}

#[test]
fn without_a_tolerance_only_equal_points_are_one() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [1e-300, 0.0, 0.0], [-0.0; 3]].map(Point::from);
    assert_eq!(weld_within(&points, 0.0), weld(&points));
    assert_eq!(weld_within(&points, f64::NAN), weld(&points));
    assert_eq!(weld_within(&points, 1e-200).1, [0, 1, 0, 0]);
}

#[test]
fn many_points_in_one_place_end() {
    let points: Vec<Point<3>> = (0..200_000)
        .map(|i| Point::from([f64::from(i) * 1e-300, f64::from(i % 2), 0.0]))
        .collect();
    let (distinct, _) = weld_within(&points, 1e-12);
    assert_eq!(distinct.len(), 2);
}
