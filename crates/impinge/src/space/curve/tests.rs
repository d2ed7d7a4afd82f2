use super::*;

#[test]
fn the_cells_of_a_cube_come_octant_by_octant() {
    let bounds = Aabb::new([0.0; 3], [1.0; 3]);
    let corners: Vec<Point<3>> = (0..8)
        .map(|n| Point::from([n & 1, n >> 1 & 1, n >> 2].map(f64::from)))
        .rev()
        .collect();
    assert_eq!(along_curve(&corners, &bounds), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(along_curve(&[Point::from([f64::NAN; 3])], &bounds), [0]);
    assert!(along_curve(&[], &Aabb::EMPTY).is_empty());
}
