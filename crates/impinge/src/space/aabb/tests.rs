use super::*;

#[test]
fn boxes_that_share_a_corner_overlap() {
    let a = Aabb::new([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
    assert!(a.overlaps(&Aabb::new([1.0, 1.0, 1.0], [2.0, 2.0, 2.0])));
    assert!(!a.overlaps(&Aabb::new([1.0, 1.0, 1.0f64.next_up()], [2.0, 2.0, 2.0])));
}

#[test]
fn the_empty_box_overlaps_nothing_and_merges_away() {
    let all = Aabb::new([-1e300, -1e300], [1e300, 1e300]);
    assert!(!Aabb::EMPTY.overlaps(&all));
    assert_eq!(Aabb::EMPTY.merged(&all), all);
    assert_eq!(Aabb::<2>::EMPTY.volume(), 0.0);
    assert_eq!(Aabb::<3>::EMPTY.longest_edge(), 0.0);
}

#[test]
fn distance_to_a_box_is_zero_inside_and_pythagorean_off_a_corner() {
    let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    assert_eq!(unit.squared_distance(&Point::from([0.5, 1.0])), 0.0);
    assert_eq!(unit.squared_distance(&Point::from([4.0, 5.0])), 25.0);
}
