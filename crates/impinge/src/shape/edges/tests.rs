use super::*;

const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

#[test]
fn a_tetrahedron_has_six_edges_and_no_fault() {
    let edges = Edges::of(4, &TETRAHEDRON);
    assert_eq!((edges.count, edges.problems().count()), (6, 0));
    assert_eq!(edges.neighbours[0], [3, 2, 1]);
}

#[test]
fn open_edges_run_as_their_triangle_does() {
    assert!(open_edges(4, &TETRAHEDRON).is_empty());
    assert_eq!(open_edges(4, &TETRAHEDRON[1..]), [[0, 1], [2, 0], [1, 2]]);
}

#[test]
fn loops_use_every_edge_once_even_where_they_meet_in_a_node() {
    let bow = vec![[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]];
    assert_eq!(loops(bow), [vec![0, 1, 2], vec![2, 3, 4]]);
    assert!(loops(Vec::new()).is_empty());
}

#[test]
fn a_missing_a_flipped_and_a_third_triangle_are_distinguished() {
    let kinds = |triangles: &[[u32; 3]]| {
        Edges::of(5, triangles)
            .problems()
            .map(|p| (p.kind, p.count))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&TETRAHEDRON[..3]), [(ProblemKind::OpenEdge, 3)]);
    let flipped = [[0, 1, 2], TETRAHEDRON[1], TETRAHEDRON[2], TETRAHEDRON[3]];
    assert_eq!(kinds(&flipped), [(ProblemKind::InconsistentOrientation, 3)]);
    let fin = [TETRAHEDRON.as_slice(), &[[0, 1, 4]]].concat();

    assert_eq!(
        kinds(&fin),
        [
            (ProblemKind::NonManifoldEdge, 1),
            (ProblemKind::OpenEdge, 2)
        ]
    );
}
