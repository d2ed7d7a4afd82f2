use super::*;
use crate::shape::{Surface, generate};

fn arrow() -> Mesh {
    let points = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 4.0, 0.0],
    ];
    let mut mesh = Mesh {
        points: points.map(Point::from).to_vec(),
        blocks: Vec::new(),
    };
    mesh.push(ElementKind::Quad4, &[1, 2, 3, 0]);

    mesh
}

#[test]
fn a_dented_quadrilateral_is_cut_at_its_dent_and_named() {
    let mut mesh = arrow();
    let area = super::super::surface::area(&mesh.points, &mesh.triangles());
    assert_eq!((area, mesh.uncut_quads()), (4.0, None));
    assert_eq!(mesh.dented_quads().map(|p| p.first), Some(Item::Face(0)));

    // A bow tie has no interior at all.
    mesh.blocks[0].nodes = vec![0, 1, 3, 2];
    mesh.points[2] = Point::from([4.0, 4.0, 0.0]);
    let problem = Surface::from_mesh(&mesh).unwrap_err();
    assert_eq!(
        (problem.kind, problem.first),
        (ProblemKind::NotSimple, Item::Face(0))
    );
}

#[test]
fn split_points_are_welded_without_new_numbers() {
    let ball = generate::icosphere(1).expect("a ball");
    let points: Vec<Point<3>> = ball
        .triangles()
        .as_flattened()
        .iter()
        .map(|&n| ball.points()[n as usize])
        .collect();
    let soup: Vec<[u32; 3]> = (0..points.len() as u32 / 3)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    let mut mesh = Mesh::of_triangles(points.clone(), &soup);
    assert!(Surface::from_mesh(&mesh).is_err());

    let weld = mesh.weld(0.0);
    assert_eq!(weld.merged_points, points.len() - ball.points().len());
    assert!(weld.dropped_elements.is_empty());
    assert_eq!(mesh.points, points);
    assert!(Surface::from_mesh(&mesh).is_ok());

    mesh.flip();
    let problem = Surface::from_mesh(&mesh).unwrap_err();
    assert_eq!(problem.kind, ProblemKind::InsideOut);
}

#[test]
fn flipped_elements_keep_their_mid_nodes_between_their_corners() {
    let mut nodes = [0, 1, 2, 10, 21, 20];
    flip(ElementKind::Tri6, &mut nodes);
    assert_eq!(nodes, [0, 2, 1, 20, 21, 10]);
    let mut nodes = [0, 1, 2, 3, 10, 21, 32, 30, 9];
    flip(ElementKind::Quad9, &mut nodes);
    assert_eq!(nodes, [0, 3, 2, 1, 30, 32, 21, 10, 9]);
}
