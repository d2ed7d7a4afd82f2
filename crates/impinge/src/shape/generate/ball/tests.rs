use super::*;
use crate::shape::Cells;
use ElementKind::*;

#[test]
fn balls_are_valid_closed_and_round() {
    for kind in [Tet4, Tet10, Hex8, Hex20, Hex27] {
        let mesh = ball(2, 3.0, kind).expect("valid");
        let each = if matches!(kind, Tet4 | Tet10) { 6 } else { 1 };
        assert_eq!(mesh.count(kind), 56 * each);

        let boundary = Cells::<3>::from_mesh(&mesh).expect("valid").boundary();
        assert_eq!(boundary.faces.len(), 24 * if each == 6 { 2 } else { 1 });
        for face in 0..boundary.faces.len() {
            for &node in boundary.faces.nodes(face) {
                let radius = mesh.points[node as usize].coords.norm();
                assert!((radius - 3.0).abs() < 1e-14, "{} {radius}", kind.name());
            }
        }
    }
}

#[test]
fn bad_arguments_are_named() {
    let argument = |cells, radius, kind| ball(cells, radius, kind).unwrap_err().argument;
    assert_eq!(argument(0, 1.0, Tet4), "cells");
    assert_eq!(argument(usize::MAX, 1.0, Tet4), "cells");
    assert_eq!(argument(2, f64::NAN, Tet4), "radius");
    assert_eq!(argument(2, -1.0, Tet4), "radius");
    assert_eq!(argument(2, 1.0, Wedge6), "element");
}
