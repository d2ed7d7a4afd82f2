use super::super::test_support::genus;
use super::*;
use std::f64::consts::PI;

#[test]
fn a_ring_has_one_handle_and_pappus_volume() {
    for cells in [[3, 3], [5, 40], [200, 100]] {
        assert_eq!(genus(&torus(2.0, 0.5, cells).expect("valid")), 1);
    }
    let fine = torus(2.0, 0.5, [200, 100]).expect("valid");
    assert!((fine.volume() / (2.0 * PI * 2.0 * PI * 0.25) - 1.0).abs() < 2e-3);
    assert!((fine.area() / (2.0 * PI * 2.0 * 2.0 * PI * 0.5) - 1.0).abs() < 1e-3);
}

#[test]
fn bad_arguments_are_named() {
    assert_eq!(torus(0.0, 0.5, [8, 8]).unwrap_err().argument, "radius");
    assert_eq!(torus(1.0, f64::NAN, [8, 8]).unwrap_err().argument, "tube");
    assert_eq!(torus(1.0, 1.0, [8, 8]).unwrap_err().argument, "tube");
    assert_eq!(torus(1.0, 0.5, [2, 8]).unwrap_err().argument, "cells");
    assert_eq!(
        torus(1.0, 0.5, [8, usize::MAX]).unwrap_err().argument,
        "cells"
    );
}
