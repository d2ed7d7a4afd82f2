use super::*;
use crate::shape::{Cells, Solid};
use ElementKind::*;

#[test]
fn caps_are_valid_and_their_nodes_lie_between_two_spheres() {
    for kind in [Tet4, Tet10, Hex8, Hex20, Hex27] {
        let mesh = cap(2.0, 0.25, 1.0, [8, 2], kind).expect("valid");
        Cells::<3>::from_mesh(&mesh).expect("valid cells");
        for point in &mesh.points {
            let radius = point.coords.norm();
            assert!((1.75 - 1e-12..=2.0 + 1e-12).contains(&radius), "{radius}");
            assert!(point.x.abs().atan2(point.z) <= 1.0 + 1e-12);
        }
    }
}

#[test]
fn the_volume_tends_to_that_of_the_shell() {
    // An equiangular patch of half angle π/4 is a sixth of the sphere.
    let angle = std::f64::consts::FRAC_PI_4;
    let solid = Solid::from_mesh(&cap(2.0, 0.5, angle, [40, 4], Tet4).expect("valid"));
    let shell = 4.0 / 3.0 * std::f64::consts::PI * (8.0 - 1.5f64.powi(3)) / 6.0;
    let volume = solid.expect("positive").volume();
    assert!((volume / shell - 1.0).abs() < 2e-3, "{volume} {shell}");
}

#[test]
fn bad_arguments_are_named() {
    let argument = |radius, thickness, angle, cells, kind| {
        cap(radius, thickness, angle, cells, kind)
            .unwrap_err()
            .argument
    };
    assert_eq!(argument(f64::NAN, 0.1, 0.5, [2, 1], Tet4), "radius");
    assert_eq!(argument(1.0, 0.0, 0.5, [2, 1], Tet4), "thickness");
    assert_eq!(argument(1.0, 1.0, 0.5, [2, 1], Tet4), "thickness");
    assert_eq!(argument(1.0, 0.1, 1.3, [2, 1], Tet4), "angle");
    assert_eq!(argument(1.0, 0.1, f64::NAN, [2, 1], Tet4), "angle");
    assert_eq!(argument(1.0, 0.1, 0.5, [0, 1], Tet4), "cells");
    assert_eq!(argument(1.0, 0.1, 0.5, [2, usize::MAX], Tet4), "cells");
    assert_eq!(argument(1.0, 0.1, 0.5, [2, 1], Wedge6), "element");
}
