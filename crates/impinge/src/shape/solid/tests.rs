use super::super::samples::{brick, cube};
use super::*;
use crate::shape::{Cells, Surface};
use crate::space::{Random, Vector};
use ElementKind::{Hex8, Tet4, Tet10, Tri3};
use proptest::prelude::*;

const CORNERS: [[f64; 3]; 5] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 1., 1.],
];

#[test]
fn a_cube_of_tetrahedra_has_the_boundary_of_a_cube() {
    for n in 1..=4 {
        let (points, tetrahedra) = cube(n, n as u64);
        let solid = Solid::new(&points, &tetrahedra).expect("good");
        solid.assert_valid();
        assert_eq!(
            (solid.tetrahedra().len(), solid.boundary_triangles().len()),
            (6 * n * n * n, 12 * n * n)
        );
        assert_eq!(solid.boundary_nodes().len(), 6 * n * n + 2);
        assert!((solid.volume() - 1.0).abs() < 1e-12);
        assert_eq!(solid.bounds(), Aabb::new([0.0; 3], [1.0; 3]));
        let surface =
            Surface::new(solid.points(), solid.boundary_triangles()).expect("closed and outward");

        assert!((surface.area() - 6.0).abs() < 1e-12 && (surface.volume() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn neighbours_share_three_nodes_and_all_that_do_are_neighbours() {
    let (points, tetrahedra) = cube(2, 5);
    let solid = Solid::new(&points, &tetrahedra).expect("good");
    for (a, t) in tetrahedra.iter().enumerate() {
        for (b, other) in tetrahedra.iter().enumerate() {
            let opposite = (0..4).find(|&k| !other.contains(&t[k]));
            let meet = t.iter().filter(|node| other.contains(node)).count() == 3;
            let listed = solid.neighbours()[a].iter().position(|&n| n as usize == b);
            assert_eq!(listed, opposite.filter(|_| meet));
        }
    }
}

#[test]
fn the_tetrahedra_around_a_node_and_the_boundary_of_a_tetrahedron_are_those_of_a_search() {
    let (points, tetrahedra) = cube(3, 6);
    let solid = Solid::new(&points, &tetrahedra).expect("good");
    for node in 0..points.len() + 2 {
        let around: Vec<u32> = (0..)
            .zip(&tetrahedra)
            .filter(|(_, t)| t.contains(&(node as u32)))
            .map(|(i, _)| i)
            .collect();
        assert_eq!(solid.tetrahedra_around(node), around);
    }

    for t in 0..tetrahedra.len() {
        let open = (0..4)
            .filter(|&k| solid.neighbours()[t][k] == NO_NEIGHBOUR)
            .map(|k| solid.face(t, k));
        assert_eq!(
            solid.boundary_triangles()[solid.boundary_of(t)].to_vec(),
            open.collect::<Vec<_>>()
        );
        assert_eq!(solid.is_on_boundary(t), !solid.boundary_of(t).is_empty());
    }

    assert!(solid.boundary_of(usize::MAX).is_empty());
}

#[test]
fn the_faces_of_a_tetrahedron_are_those_of_the_element_tables() {
    let table: Vec<Vec<usize>> = Tet4
        .faces()
        .iter()
        .map(|(_, nodes)| nodes.iter().map(|&n| n as usize).collect())
        .collect();
    assert_eq!(table, FACES.map(|face| face.to_vec()));
}

#[test]
fn quadratic_tetrahedra_come_by_their_corners_and_hexahedra_are_refused() {
    let mut mesh = brick(Tet10, 2);
    mesh.push(Tri3, &[0, 1, 2]);
    let solid = Solid::from_mesh(&mesh).expect("good");
    assert_eq!((solid.points().len(), solid.tetrahedra().len()), (125, 48));
    let curved = Cells::<3>::from_mesh(&mesh).expect("good").boundary();
    assert_eq!(curved.cells, solid.boundary_owners());
    let corners: Vec<&[u32]> = (0..curved.faces.len())
        .map(|i| &curved.faces.nodes(i)[..3])
        .collect();
    assert_eq!(corners, solid.boundary_triangles());
    let mut mixed = brick(Tet4, 1);
    mixed.blocks.extend(brick(Hex8, 1).blocks);
    let problem = Solid::from_mesh(&mixed).unwrap_err();

    assert_eq!(
        (problem.kind, problem.first, problem.count),
        (ProblemKind::WrongElement, Item::Cell(6), 1)
    );
    assert_eq!(
        Solid::from_mesh(&Mesh::default()).unwrap_err().kind,
        ProblemKind::Empty
    );
}

#[test]
fn repair_merges_points_turns_inverted_tetrahedra_and_says_so() {
    let (points, tetrahedra) = cube(2, 8);
    let soup: Vec<Point<3>> = tetrahedra
        .iter()
        .flatten()
        .map(|&n| points[n as usize])
        .collect();
    let mut apart: Vec<[u32; 4]> = (0..48)
        .map(|t| [4 * t, 4 * t + 2, 4 * t + 1, 4 * t + 3])
        .collect();
    apart.push([0, 1, 2, 0]);
    let (solid, repair) = Solid::repair(&soup, &apart).expect("mendable");

    let expected = SolidRepair {
        merged_points: 192 - 27,
        dropped_tetrahedra: 1,
        flipped_tetrahedra: 48,
    };
    assert_eq!(repair, expected);
    solid.assert_valid();
    assert_eq!(solid.boundary_triangles().len(), 48);
    let (_, nothing) = Solid::repair(&points, &tetrahedra).expect("good");
    assert_eq!(nothing, SolidRepair::default());
    let one = Solid::repair(&CORNERS, &[[0, 2, 1, 3], [1, 4, 2, 3]]).unwrap_err();
    let unlike = Solid::deformed(&CORNERS, &[[0, 2, 1, 3], [1, 4, 2, 3]]).unwrap_err();

    assert_eq!(
        unlike.kind,
        ProblemKind::InconsistentOrientation,
        "turned over, not deformed"
    );

    assert_eq!(
        one.kind,
        ProblemKind::Inverted,
        "which of two tetrahedra is wrong would be a guess"
    );
}

#[test]
fn a_deformation_counts_what_it_inverts_and_a_bad_one_changes_nothing() {
    let (points, tetrahedra) = cube(2, 9);
    let mut solid = Solid::new(&points, &tetrahedra).expect("good");
    let bent: Vec<Point<3>> = points
        .iter()
        .map(|p| p + Vector::from([0.2 * p.z * p.z, 0.0, 0.1 * p.x]))
        .collect();
    assert_eq!(solid.set_points(&bent), Ok(Deformation::default()));
    let middle = points
        .iter()
        .position(|p| *p == Point::from([0.5; 3]))
        .expect("a node there");
    let mut pushed = points.clone();
    pushed[middle].z = 1.5;
    let deformation = solid.set_points(&pushed).expect("finite");
    let around = solid.tetrahedra_around(middle).to_vec();

    let negative: Vec<u32> = around
        .iter()
        .copied()
        .filter(|&t| volume(solid.corners(t as usize)) < 0.0)
        .collect();
    assert!(!negative.is_empty());
    assert_eq!(
        (deformation.inverted, deformation.first),
        (negative.len(), Some(negative[0] as usize))
    );
    solid.assert_valid();
    let (same, counted) = Solid::deformed(&pushed, &tetrahedra).expect("well connected");

    assert_eq!(
        (same.neighbours(), counted),
        (solid.neighbours(), deformation)
    );
    assert!(
        (solid.volume() - 1.0).abs() < 1e-12,
        "a node inside moves no volume in or out"
    );

    let flat: Vec<Point<3>> = points
        .iter()
        .map(|p| Point::from([p.x, p.y, 0.0]))
        .collect();
    assert_eq!(
        solid.set_points(&flat),
        Ok(Deformation {
            inverted: 0,
            flat: 48,
            first: Some(0)
        })
    );
    pushed[3].y = f64::INFINITY;
    assert_eq!(solid.set_points(&pushed).unwrap_err().first, Item::Point(3));

    assert_eq!(
        solid.set_points(&points[1..]).unwrap_err().kind,
        ProblemKind::WrongCount
    );
    assert_eq!(solid.points(), flat);
}

proptest! {
    #[test]
    fn no_list_of_numbers_panics(seed in 0u64..2000) {
        let mut random = Random::new(seed);
        let tetrahedra: Vec<[u32; 4]> = (0..1 + random.below(5))
            .map(|_| std::array::from_fn(|_| random.below(6) as u32))
            .collect();

        if let Ok(solid) = Solid::new(&CORNERS, &tetrahedra) {
            solid.assert_valid();
        }

        if let Ok((solid, _)) = Solid::repair(&CORNERS, &tetrahedra) {
            solid.assert_valid();
        }
    }
}
