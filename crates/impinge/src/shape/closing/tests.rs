use super::*;

#[test]
fn the_weld_that_closes_a_tetrahedron_is_found() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 4], [2, 0, 4]];
    let closing = |off: f64| {
        let mut points = corners.map(Point::from).to_vec();
        points.push(Point::from([off, 0.0, 1.0]));
        closing_weld(&points, &faces)
    };
    assert_eq!(closing(0.0), Some(0.0));
    assert_eq!(closing(1e-17), Some(1e-12));
    assert_eq!(closing(3e-6), Some(1e-5));
    assert_eq!(closing(0.1), None);

    let points = corners.map(Point::from);
    assert_eq!(
        closing_weld(&points, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]),
        None
    );

    assert_eq!(closing_weld(&points, &[[0, 2, 1], [0, 1, 3]]), None);
}
