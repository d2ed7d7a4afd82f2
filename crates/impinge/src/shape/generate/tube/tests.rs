use super::super::test_support::genus;
use super::*;
use std::f64::consts::PI;

#[test]
fn a_tube_in_any_direction_has_the_volume_of_its_prism() {
    for to in [
        [0.0, 0.0, 3.0],
        [0.0, -2.0, 0.0],
        [1.0, 2.0, -2.0],
        [-3.0, 0.0, 1e-9],
    ] {
        let (from, to) = (Point::from([0.5, 1.0, -0.25]), Point::from(to));
        let rod = tube(from, to, 0.25, [24, 7]).expect("valid");
        assert_eq!(rod.triangles().len(), 2 * 24 * 8);
        assert_eq!(genus(&rod), 0);
        let section = 24.0 * 0.5 * (2.0 * PI / 24.0).sin() * 0.0625;
        assert!((rod.volume() / (section * (to - from).norm()) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn bad_arguments_are_named() {
    let [o, x] = [[0.0; 3], [1.0, 0.0, 0.0]].map(Point::from);
    let argument = |from, to, radius, cells| tube(from, to, radius, cells).unwrap_err().argument;
    assert_eq!(argument(o, o, 0.1, [6, 1]), "length");
    assert_eq!(argument(o, Point::from([f64::NAN; 3]), 0.1, [6, 1]), "to");
    assert_eq!(argument(o, x, -0.1, [6, 1]), "radius");
    assert_eq!(argument(o, x, 1e-9, [6, 1]), "radius");
    assert_eq!(argument(o, x, 0.1, [2, 1]), "cells");

    assert_eq!(argument(o, x, 0.1, [6, 0]), "cells");
}
