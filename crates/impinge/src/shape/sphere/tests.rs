use super::super::Item;
use super::*;

#[test]
fn zero_negative_and_nan_spheres_are_refused() {
    let kind =
        |centre: [f64; 2], radius| Sphere::new(centre, radius).map_err(|problem| problem.kind);
    assert_eq!(kind([0.0; 2], 0.0), Err(ProblemKind::NotPositive));
    assert_eq!(kind([0.0; 2], -0.0), Err(ProblemKind::NotPositive));
    assert_eq!(
        kind([0.0; 2], f64::NEG_INFINITY),
        Err(ProblemKind::NotPositive)
    );
    assert_eq!(kind([0.0; 2], f64::NAN), Err(ProblemKind::NotFinite));
    assert_eq!(kind([0.0; 2], f64::INFINITY), Err(ProblemKind::NotFinite));
    assert_eq!(kind([f64::NAN, 0.0], 1.0), Err(ProblemKind::NotFinite));

    assert_eq!(
        Sphere::new([0.0], 0.0).map_err(|problem| problem.first),
        Err(Item::Whole)
    );
}

#[test]
fn the_box_of_a_sphere_holds_its_poles_at_any_offset() {
    for offset in [0.0, 1.0, 1e12] {
        let sphere = Sphere::new([offset, offset, offset], 0.1).expect("valid");
        let bounds = sphere.bounds();
        // The exact pole is between the rounded one and its neighbours.
        assert!(bounds.max[0] > offset + 0.1 && bounds.min[1] < offset - 0.1);
    }
}

#[test]
fn the_unit_sphere_and_disc_have_the_known_sizes() {
    assert_eq!(Sphere::new([0.0; 2], 1.0).expect("valid").area(), PI);
    assert_eq!(
        Sphere::new([0.0; 3], 1.0).expect("valid").volume(),
        4.0 / 3.0 * PI
    );
}
