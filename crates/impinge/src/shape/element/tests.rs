use super::*;

#[test]
fn every_permutation_is_a_bijection() {
    for kind in ElementKind::ALL {
        let mut places = kind.gmsh_to_vtk();
        places.sort_unstable();
        assert_eq!(
            places,
            (0..kind.node_count()).collect::<Vec<_>>(),
            "{}",
            kind.name()
        );
    }
}

#[test]
fn hex20_of_gmsh_reads_as_documented() {
    assert_eq!(
        Hex20.gmsh_to_vtk(),
        [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15
        ]
    );
}

#[test]
fn ids_are_unique_and_invertible() {
    for kind in ElementKind::ALL {
        assert_eq!(ElementKind::from_vtk_id(kind.vtk_id()), Some(kind));
        assert_eq!(ElementKind::from_gmsh_id(kind.gmsh_id()), Some(kind));
    }
}

#[test]
fn faces_have_the_order_of_their_element() {
    let kinds = |kind: ElementKind| {
        kind.faces()
            .into_iter()
            .map(|(face, _)| face)
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(Tet10), [Tri6; 4]);
    assert_eq!(kinds(Hex20), [Quad8; 6]);
    assert_eq!(kinds(Hex27), [Quad9; 6]);
    assert_eq!(kinds(Wedge15), [Tri6, Tri6, Quad8, Quad8, Quad8]);
    assert_eq!(kinds(Quad9), [Line3; 4]);

    assert_eq!(Tet10.faces()[0].1, [1, 2, 3, 5, 9, 8]);
}

#[test]
fn every_edge_of_a_solid_belongs_to_two_faces_in_opposite_directions() {
    for kind in [Tet4, Hex8, Wedge6, Pyramid5] {
        let directed: Vec<(u8, u8)> = kind
            .faces()
            .iter()
            .flat_map(|(_, nodes)| {
                (0..nodes.len())
                    .map(|i| (nodes[i], nodes[(i + 1) % nodes.len()]))
                    .collect::<Vec<_>>()
            })
            .collect();
        for &(a, b) in &directed {
            assert_eq!(
                directed.iter().filter(|&&edge| edge == (b, a)).count(),
                1,
                "{} {a}-{b}",
                kind.name()
            );
            assert_eq!(
                directed.iter().filter(|&&edge| edge == (a, b)).count(),
                1,
                "{} {a}-{b}",
                kind.name()
            );
        }
    }
}
