use super::*;

fn tetrahedron(faces: &[[u32; 3]]) -> Mesh {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    Mesh::of_triangles(corners.map(Point::from).to_vec(), faces)
}

const CLOSED: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

#[test]
fn every_edge_with_a_problem_is_marked_and_no_other() {
    let marks = Marks::of(&tetrahedron(&CLOSED));
    assert!(marks.open.is_empty() && marks.branching.is_empty() && marks.disagreeing.is_empty());

    let marks = Marks::of(&tetrahedron(&CLOSED[..3]));
    assert_eq!(marks.open, [[0, 2], [0, 3], [2, 3]]);

    let mut turned = CLOSED;
    turned[3] = [0, 2, 3];
    let marks = Marks::of(&tetrahedron(&turned));
    assert_eq!(marks.disagreeing, [[0, 2], [0, 3], [2, 3]]);

    let twice = [CLOSED[0], CLOSED[1], CLOSED[2], CLOSED[3], CLOSED[3]];
    assert_eq!(Marks::of(&tetrahedron(&twice)).branching.len(), 3);
}

#[test]
fn an_inverted_tetrahedron_is_marked() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mesh = |nodes| Mesh::of_tetrahedra(corners.map(Point::from).to_vec(), &[nodes]);
    assert!(inverted(&mesh([0, 1, 2, 3])).is_empty());
    assert_eq!(inverted(&mesh([0, 2, 1, 3])), [[0, 2, 1, 3]]);
}
