use super::*;

#[test]
fn points_come_back_into_the_box_and_differences_are_to_the_nearest_image() {
    let cell = Box3::new([Some([-1.0, 3.0]), None, Some([0.0, 1.0])]);
    let mut point = Point::from([11.5, 7.0, -0.25]);
    cell.wrap(&mut point);
    assert_eq!(point, Point::from([-0.5, 7.0, 0.75]));
    assert_eq!(
        cell.nearest(Vector::from([3.5, 9.0, -0.75])),
        Vector::from([-0.5, 9.0, 0.25])
    );
}
