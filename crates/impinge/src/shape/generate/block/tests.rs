use super::super::test_support::genus;
use super::*;

#[test]
fn area_volume_and_counts_are_those_of_the_box() {
    for cells in [[1, 1, 1], [4, 3, 2], [1, 7, 20]] {
        let [x, y, z] = cells;
        let surface = block(cells, [2.0, 0.5, 4.0]).expect("valid");
        assert_eq!(surface.triangles().len(), 4 * (x * y + y * z + z * x));
        assert_eq!(genus(&surface), 0);
        assert!((surface.volume() - 4.0).abs() < 1e-13);
        assert!((surface.area() - 2.0 * (1.0 + 2.0 + 8.0)).abs() < 1e-13);
    }
}

#[test]
fn bad_arguments_are_named() {
    assert_eq!(block([0, 1, 1], [1.0; 3]).unwrap_err().argument, "cells");
    assert_eq!(block([1; 3], [1.0, 0.0, 1.0]).unwrap_err().argument, "size");
}
