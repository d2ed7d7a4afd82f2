use super::*;
use crate::space::Random;

#[test]
fn a_jumble_is_sorted_so_that_steps_become_short_and_a_grid_is_left_alone() {
    let bounds = Aabb::new([0.0; 3], [1.0; 3]);
    let mut random = Random::new(71);
    let jumble: Vec<Point<3>> = (0..20_000)
        .map(|_| Point::from(std::array::from_fn::<f64, 3, _>(|_| random.unit())))
        .collect();
    let order = along_curve(&jumble, &bounds).expect("jumbled");
    let sorted: Vec<Point<3>> = order.iter().map(|&row| jumble[row as usize]).collect();
    assert!(!is_jumbled(&sorted, &bounds));
    let mut rows = order.clone();
    rows.sort_unstable();
    assert!(rows.iter().zip(0..).all(|(&row, k)| row == k));
    let grid: Vec<Point<3>> = (0..27_000)
        .map(|i| Point::from([i % 30, i / 30 % 30, i / 900].map(|k| f64::from(k) / 30.0)))
        .collect();
    assert_eq!(along_curve(&grid, &bounds), None);

    assert_eq!(along_curve(&jumble[..100], &bounds), None);
}
