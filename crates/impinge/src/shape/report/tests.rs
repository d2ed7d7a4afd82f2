use super::*;
use crate::shape::generate;

fn brick(kind: ElementKind) -> Mesh {
    generate::brick([3, 2, 2], [3.0, 2.0, 2.0], kind).expect("valid")
}

fn kinds(mesh: &Mesh) -> Vec<ProblemKind> {
    inspect(mesh)
        .problems
        .iter()
        .map(|problem| problem.kind)
        .collect()
}

#[test]
fn bricks_of_every_kind_have_the_boundary_and_volume_of_a_box() {
    use ElementKind::*;
    for kind in [Tet4, Tet10, Hex8, Hex20, Hex27] {
        let report = inspect(&brick(kind));
        assert_eq!(report.problems, [], "{}", kind.name());
        assert_eq!(
            (report.surface.components, report.surface.genus),
            (1, Some(0))
        );
        assert!((report.volume.expect("closed") - 12.0).abs() < 1e-12);
        assert!((report.surface.area - 32.0).abs() < 1e-12);
    }
}

#[test]
fn a_regular_tetrahedron_has_quality_one() {
    let corners = [
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, -1.0],
        [1.0, -1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ]
    .map(Point::from);
    assert!((tetrahedron_quality(corners) - 1.0).abs() < 1e-15);
    let [a, b, c, d] = corners;

    assert_eq!(tetrahedron_quality([b, a, c, d]), 0.0);
}

#[test]
fn an_inverted_element_is_reported_and_the_rest_still_looked_at() {
    let mut mesh = brick(ElementKind::Tet4);
    mesh.blocks[0].nodes.swap(4, 5);
    let report = inspect(&mesh);
    assert_eq!(report.problems[0].kind, ProblemKind::Inverted);
    assert_eq!(report.problems[0].count, 1);
    assert!(report.surface.closed && report.solid_quality.expect("tetrahedra").least == 0.0);
}

#[test]
fn a_missing_node_is_the_only_reported_problem_of_a_solid() {
    let mut mesh = brick(ElementKind::Hex8);
    mesh.blocks[0].nodes[3] = 9_999;
    assert_eq!(kinds(&mesh), [ProblemKind::IndexOutOfRange]);
}

#[test]
fn an_element_in_the_file_twice_is_no_solid() {
    let mut mesh = brick(ElementKind::Hex8);
    mesh.blocks[0].nodes.extend_from_within(..8);
    assert!(kinds(&mesh).contains(&ProblemKind::NonManifoldFace));
}
