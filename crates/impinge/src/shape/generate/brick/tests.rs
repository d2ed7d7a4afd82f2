use super::super::test_support::hash_of_mesh;
use super::*;
use crate::space::Vector;
use ElementKind::*;

/// Six times the volume of the tetrahedron with four nodes.
fn six_volumes(mesh: &Mesh, nodes: [u32; 4]) -> f64 {
    let [a, b, c, d]: [Vector<3>; 4] = nodes.map(|n| mesh.points[n as usize].coords);
    (b - a).dot(&(c - a).cross(&(d - a)))
}

#[test]
fn tetrahedra_are_positive_and_fill_the_brick_exactly() {
    for kind in [Tet4, Tet10] {
        let mesh = brick([3, 4, 5], [1.5, 1.0, 2.5], kind).expect("valid");
        assert_eq!(mesh.count(kind), 6 * 60);
        let each: Vec<f64> = mesh.blocks[0]
            .elements()
            .map(|t| six_volumes(&mesh, [t[0], t[1], t[2], t[3]]))
            .collect();
        // Cells of ½ × ¼ × ½: six times the volume of every tetrahedron is 1/16, without
        // rounding.
        assert!(each.iter().all(|&v| v == 0.0625), "{each:?}");
    }
}

#[test]
fn hexahedra_have_the_corners_of_their_cell_in_vtks_order() {
    for kind in [Hex8, Hex20, Hex27] {
        let mesh = brick([2, 3, 1], [2.0, 3.0, 1.0], kind).expect("valid");
        assert_eq!(mesh.count(kind), 6);
        for element in mesh.blocks[0].elements() {
            let low = mesh.points[element[0] as usize];
            for (&node, corner) in element.iter().zip(HEXAHEDRON) {
                let expected = Vector::<3>::from(corner.map(|x| x as f64));
                assert_eq!(mesh.points[node as usize] - low, expected);
            }
        }
    }
}

#[test]
fn mid_nodes_lie_between_their_corners() {
    for kind in [Tet10, Hex20, Hex27] {
        let mesh = brick([2, 1, 3], [1.0, 2.0, 3.0], kind).expect("valid");
        for element in mesh.blocks[0].elements() {
            for (k, between) in kind.vtk_mid_nodes().iter().enumerate() {
                let sum: Vector<3> = between
                    .iter()
                    .map(|&c| mesh.points[element[c as usize] as usize].coords)
                    .sum();
                let mid = mesh.points[element[kind.corner_count() + k] as usize];
                assert!((mid.coords - sum / between.len() as f64).norm() < 1e-15);
            }
        }
    }
}

#[test]
fn nodes_are_shared_and_none_is_unused() {
    let [x, y, z] = [3, 4, 2];
    let corners = (x + 1) * (y + 1) * (z + 1);
    let edges = x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z;
    let all = (2 * x + 1) * (2 * y + 1) * (2 * z + 1);

    for (kind, count) in [
        (Tet4, corners),
        (Hex8, corners),
        (Hex20, corners + edges),
        (Tet10, all),
        (Hex27, all),
    ] {
        let mesh = brick([x, y, z], [1.0; 3], kind).expect("valid");
        assert_eq!(mesh.points.len(), count, "{}", kind.name());
        let mut used = vec![false; count];
        mesh.blocks[0]
            .nodes
            .iter()
            .for_each(|&n| used[n as usize] = true);
        assert!(used.into_iter().all(|u| u));
    }
}

#[test]
fn the_wall_of_12_by_12_has_144_hexahedra() {
    let mesh = wall([12, 12], [6.0, 3.0], 0.25, Hex8).expect("valid");
    assert_eq!(mesh.count(Hex8), 144);
    let bounds = mesh.bounds();
    assert_eq!(bounds.min, Point::from([0.0, -3.0, -1.5]));
    assert_eq!(bounds.max, Point::from([0.25, 3.0, 1.5]));
}

#[test]
fn the_bytes_are_known() {
    assert_eq!(
        hash_of_mesh(&brick([3, 2, 1], [1.0, 0.7, 0.3], Tet10).expect("valid")),
        0x2687_d092_9900_cd65
    );
    assert_eq!(
        hash_of_mesh(&brick([3, 2, 1], [1.0, 0.7, 0.3], Hex20).expect("valid")),
        0xa20b_11c7_3f1f_19a2
    );
}

#[test]
fn bad_arguments_are_named() {
    let argument = |cells, size, kind| brick(cells, size, kind).unwrap_err().argument;
    assert_eq!(argument([1, 0, 1], [1.0; 3], Tet4), "cells");
    assert_eq!(argument([1, usize::MAX, 1], [1.0; 3], Tet4), "cells");
    assert_eq!(argument([5000; 3], [1.0; 3], Tet4), "cells");
    assert_eq!(argument([1; 3], [1.0, f64::NAN, 1.0], Tet4), "size");
    assert_eq!(argument([1; 3], [1.0, -1.0, 1.0], Tet4), "size");
    assert_eq!(argument([1; 3], [1.0, f64::INFINITY, 1.0], Tet4), "size");
    assert_eq!(argument([1; 3], [1.0; 3], Wedge6), "element");

    assert_eq!(
        wall([2, 2], [1.0; 2], 0.0, Hex8).unwrap_err().argument,
        "thickness"
    );
}
