use super::*;
use crate::shape::generate;
use crate::space::Random;

#[test]
fn windings_of_a_torn_foam_are_those_of_the_direct_sum() {
    let foam = generate::foam(6_000, 1).expect("valid");
    let mut random = Random::new(8);
    let torn: Vec<[u32; 3]> = foam
        .triangles()
        .iter()
        .copied()
        .filter(|_| random.unit() > 0.02)
        .collect();
    let winding = Winding::new(foam.points(), &torn).expect("valid");
    let points: Vec<Point<3>> = (0..400)
        .map(|_| Point::from([0; 3].map(|_| random.within(-1.4, 1.4))))
        .collect();
    let mut values = Vec::new();
    winding.windings(&points, &mut values).expect("finite");

    for (point, value) in points.iter().zip(&values) {
        let direct = winding_number(foam.points(), &torn, point);
        assert!((value - direct).abs() < 1e-4, "{point}: {value} {direct}");
        assert_eq!(*value > 0.5, direct > 0.5);
    }

    assert!(values.iter().any(|w| *w > 0.9) && values.iter().any(|w| w.abs() < 0.1));
}

#[test]
fn a_closed_surface_winds_an_integer_number_of_times() {
    let sphere = generate::sphere(3).expect("valid");
    let winding = Winding::new(sphere.points(), sphere.triangles()).expect("valid");
    let mut values = Vec::new();
    winding
        .windings(
            &[[0.1, 0.2, 0.3].into(), [2.0, 0.0, 0.0].into()],
            &mut values,
        )
        .expect("finite");

    assert_eq!(values, [1.0, 0.0]);
}

#[test]
fn loose_triangles_are_summed_directly_and_bad_ones_refused() {
    let points: Vec<Point<3>> = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        .map(Point::from)
        .to_vec();
    let single = Winding::new(&points, &[[0, 1, 2]]).expect("valid");
    let mut values = Vec::new();
    single
        .windings(&[[0.25, 0.25, -1e-9].into()], &mut values)
        .expect("finite");
    assert!((values[0] - 0.5).abs() < 1e-6);

    assert_eq!(
        single.windings(&[[f64::NAN; 3].into()], &mut values),
        Err(NotFinite { row: 0 })
    );
    assert!(Winding::new(&points, &[[0, 1, 7]]).is_err());
}
