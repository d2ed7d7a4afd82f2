use super::*;
use crate::space::Random;

#[test]
fn the_normal_of_a_sliver_keeps_its_digits() {
    // Multiples of two integer vectors: everything is exactly representable, and the corners
    // are nearly collinear.
    let (u, v) = (
        Vector::<3>::new(5.0, 3.0, 0.0),
        Vector::<3>::new(0.0, 7.0, 5.0),
    );
    let far = u * 1e12 + v * 1e11;
    let triangle = [
        Point::origin(),
        Point::from(far),
        Point::from(far * 2.0 + u),
    ];

    assert!((unit_normal(&triangle) - v.cross(&u).normalize()).norm() < 1e-15);
}

#[test]
fn signs_stand_in_for_a_normal_within_55_degrees() {
    let mut random = Random::new(5);
    for _ in 0..100 {
        let corners: [Point<3>; 3] = std::array::from_fn(|_| Point::from(random.direction::<3>()));
        let by_signs = normal_by_signs(&corners[0], &corners[1], &corners[2]);
        assert!(by_signs.dot(&unit_normal(&corners)) > 0.57);
    }
}

#[test]
fn the_volume_of_a_plate_of_1e_14_at_an_offset_is_relatively_right() {
    let thin = 2f64.powi(-46);
    let [a, b, c, d] = [
        [8.0, 8.0, 8.0],
        [9.0, 8.0, 8.0],
        [8.0, 9.0, 8.0],
        [8.3, 8.7, 8.0 + thin],
    ]
    .map(Point::from);
    assert_eq!(six_volumes(&a, &b, &c, &d), thin);

    assert_eq!(six_volumes(&a, &c, &b, &d), -thin);
}

#[test]
fn the_area_of_nearly_collinear_points_is_relatively_right() {
    let e = f64::EPSILON;
    // (1 + e)² − 1·(1 + 2e) = e², which f64 rounds away.
    let [a, b, c] = [[0.0, 0.0], [1.0 + e, 1.0 + 2.0 * e], [1.0, 1.0 + e]].map(Point::from);
    assert_eq!(twice_area(&a, &b, &c), e * e);
}
