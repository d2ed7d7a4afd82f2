use impinge::nalgebra;
use impinge::shape::{Polygon, Polyhedron, Sphere};
use impinge::space::{Point, points, points_from_f32};

#[test]
fn shapes_take_arrays_and_points_alike() {
    let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]];
    let from_points: Vec<nalgebra::Point2<f64>> = points(&corners);
    assert_eq!(Polygon::new(&corners), Polygon::new(&from_points));

    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let from_points: Vec<Point<3>> = points(&corners);
    assert_eq!(Polyhedron::hull(&corners), Polyhedron::hull(&from_points));
}

#[test]
fn single_precision_is_converted_without_rounding() {
    let converted = points_from_f32(&[[0.1f32, 2.0, -3.5]]);
    assert_eq!(converted, [Point::from([f64::from(0.1f32), 2.0, -3.5])]);
}

#[cfg(feature = "mint")]
#[test]
fn points_of_other_libraries_are_taken_through_mint() {
    let centre = impinge::nalgebra::Point3::from(mint::Point3 {
        x: 1.0,
        y: 2.0,
        z: 3.0,
    });
    assert_eq!(Sphere::new(centre, 1.0), Sphere::new([1.0, 2.0, 3.0], 1.0));
}

#[test]
fn errors_are_errors() {
    fn boxed(error: impl std::error::Error + 'static) -> Box<dyn std::error::Error> {
        Box::new(error)
    }

    let error = Sphere::new([0.0, 0.0], -1.0).unwrap_err();
    assert!(!boxed(error).to_string().is_empty());
}
