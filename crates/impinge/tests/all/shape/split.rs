//! Cells split into tetrahedra: they fit, whatever the numbers of the nodes.

use impinge::shape::{ElementKind, Mesh, Solid, generate};
use impinge::space::{Point, Random};

/// Corners of the unit cube, in the order of a hexahedron.
const CUBE: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

fn mesh_of(kind: ElementKind, points: &[[f64; 3]], cells: &[&[u32]]) -> Mesh {
    let mut mesh = Mesh {
        points: points.iter().map(|&p| Point::from(p)).collect(),
        ..Mesh::default()
    };
    cells.iter().for_each(|nodes| mesh.push(kind, nodes));
    mesh
}

/// Renumbers the nodes at random; the mesh stays the same.
fn shuffled(mesh: &Mesh, random: &mut Random) -> Mesh {
    let count = mesh.points.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    for k in (1..count).rev() {
        order.swap(k, random.below(k + 1));
    }
    let mut points = mesh.points.clone();
    for (old, &new) in order.iter().enumerate() {
        points[new as usize] = mesh.points[old];
    }
    let mut shuffled = mesh.clone();
    shuffled.points = points;
    for block in &mut shuffled.blocks {
        block
            .nodes
            .iter_mut()
            .for_each(|node| *node = order[*node as usize]);
    }
    shuffled
}

#[test]
fn neighbours_fit_whatever_the_numbers_of_the_nodes() {
    let brick = generate::brick([3, 4, 2], [3.0, 4.0, 2.0], ElementKind::Hex8).unwrap();
    let mut random = Random::new(5);
    for _ in 0..50 {
        let mesh = shuffled(&brick, &mut random);
        let split = mesh.split_cells().unwrap();
        let solid = Solid::new(&mesh.points, &split.tetrahedra).unwrap();
        assert!((solid.volume() - 24.0).abs() < 1e-12);
        assert_eq!(solid.boundary_triangles().len(), 2 * 2 * (12 + 8 + 6));
    }
}

#[test]
fn wedges_and_pyramids_of_a_cube_fit_for_every_numbering() {
    let wedges = mesh_of(
        ElementKind::Wedge6,
        &CUBE,
        &[&[0, 1, 2, 4, 5, 6], &[0, 2, 3, 4, 6, 7]],
    );
    let mut with_centre = CUBE.to_vec();
    with_centre.push([0.5; 3]);
    let faces = ElementKind::Hex8.faces();
    let bases: Vec<Vec<u32>> = faces
        .iter()
        .map(|(_, face)| {
            face.iter()
                .rev()
                .map(|&k| u32::from(k))
                .chain([8])
                .collect()
        })
        .collect();
    let bases: Vec<&[u32]> = bases.iter().map(Vec::as_slice).collect();
    let pyramids = mesh_of(ElementKind::Pyramid5, &with_centre, &bases);

    let mut random = Random::new(6);
    for (mesh, count) in [(&wedges, 6), (&pyramids, 12)] {
        for _ in 0..50 {
            let mesh = shuffled(mesh, &mut random);
            let split = mesh.split_cells().unwrap();
            assert_eq!(split.tetrahedra.len(), count);
            let solid = Solid::new(&mesh.points, &split.tetrahedra).unwrap();
            assert!((solid.volume() - 1.0).abs() < 1e-15);
            assert_eq!(solid.boundary_triangles().len(), 12);
        }
    }
}

#[test]
fn a_collapsed_hexahedron_is_split_as_the_wedge_that_it_is() {
    let nodes: &[u32] = &[0, 1, 2, 2, 4, 5, 6, 6];
    let split = mesh_of(ElementKind::Hex8, &CUBE, &[nodes])
        .split_cells()
        .unwrap();
    let points = CUBE.map(Point::from);
    let volume: f64 = split
        .tetrahedra
        .iter()
        .map(|t| t.map(|node| points[node as usize]))
        .map(|[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0)
        .sum();
    assert!((volume - 0.5).abs() < 1e-15);
    assert_eq!(split.cells.len(), split.tetrahedra.len());
}

#[test]
fn tetrahedra_stay_as_they_are() {
    let brick = generate::brick([2, 2, 2], [1.0; 3], ElementKind::Tet10).unwrap();
    let split = brick.split_cells().unwrap();
    let solid = Solid::from_mesh(&brick).unwrap();
    assert_eq!(
        (split.tetrahedra.as_slice(), split.split),
        (solid.tetrahedra(), 0)
    );
    assert!(split.cells.iter().copied().eq(0..48));
}
