use super::*;

#[test]
fn the_nearest_image_is_at_most_half_a_period_away() {
    let period = Period::<2> {
        lengths: [Some(10.0), None],
    };
    assert_eq!(period.nearest(0, 9.0), -1.0);
    assert_eq!(period.nearest(0, -34.0), -4.0);
    assert_eq!(period.nearest(1, 9.0), 9.0);
}

#[test]
fn a_period_of_zero_or_infinity_is_a_fault() {
    assert_eq!(Period::cell([1.0, 0.0]).fault(), Some(1));
    assert_eq!(Period::cell([f64::INFINITY, 1.0]).fault(), Some(0));
    assert_eq!(Period::cell([f64::NAN, 1.0]).fault(), Some(0));
    assert_eq!(Period::<3>::NONE.fault(), None);
}
