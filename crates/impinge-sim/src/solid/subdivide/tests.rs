use super::*;
use ElementKind::*;
use impinge::shape::{Solid, generate::brick};

#[test]
fn cells_are_filled_and_neighbours_agree_on_their_faces() {
    for (kind, each) in [(Tet10, 48), (Hex8, 6), (Hex20, 24), (Hex27, 48)] {
        let mesh = brick([3, 2, 2], [3.0, 1.0, 2.0], kind).expect("valid");
        let mut all = Vec::new();
        for nodes in mesh.blocks[0].elements() {
            tetrahedra(kind, nodes, |t| all.push(t));
        }
        assert_eq!(all.len(), 12 * each, "{}", kind.name());

        // `Solid` rejects overlaps across faces and inverted tetrahedra.
        let solid = Solid::new(&mesh.points, &all).expect("valid");
        assert!((solid.volume() - 6.0).abs() < 1e-12, "{}", kind.name());
        // Closed: faces that neighbours divide differently would be boundary on both sides.
        let bounds = solid.bounds();
        for triangle in solid.boundary_triangles() {
            let corners = triangle.map(|n| solid.points()[n as usize]);
            let is_outside = (0..3).any(|k| {
                [bounds.min[k], bounds.max[k]]
                    .iter()
                    .any(|side| corners.iter().all(|c| c[k] == *side))
            });
            assert!(is_outside, "{} {corners:?}", kind.name());
        }
    }
}
