use super::super::samples::{brick, shuffled};
use super::*;
use crate::shape::generate;
use crate::space::{Random, Vector};
use ElementKind::*;
use proptest::prelude::*;

const SOLID: [ElementKind; 10] = [
    Tet4, Tet10, Hex8, Hex20, Hex27, Wedge6, Wedge15, Wedge18, Pyramid5, Pyramid13,
];
const PLANE: [ElementKind; 5] = [Tri3, Tri6, Quad4, Quad8, Quad9];

/// Area vectors of a boundary with straight sides, by face kind.
fn areas<const D: usize>(boundary: &Boundary<D>) -> Vec<(FaceKind, Vector<D>, Point<D>)> {
    (0..boundary.faces.len())
        .map(|i| {
            let (face, domain) = (boundary.faces.face(i), boundary.faces.kind(i).domain());
            let local = domain.centre();
            (
                face.kind(),
                face.area_normal(local) * domain.measure(),
                face.position(local),
            )
        })
        .collect()
}

fn check_cube<const D: usize>(kind: ElementKind, n: usize, random: &mut Random) {
    let cells = Cells::<D>::from_mesh(&shuffled(&brick(kind, n), random)).expect("a good mesh");
    cells.assert_valid();
    let boundary = cells.boundary();
    let areas = areas(&boundary);
    let total: f64 = areas.iter().map(|(_, area, _)| area.norm()).sum();
    assert!(
        (total - 2.0 * D as f64).abs() < 1e-12,
        "{} has area {total}",
        kind.name()
    );

    for (i, (face, area, centre)) in areas.iter().enumerate() {
        // Outward from the centre of the cube, whose boundary is half a unit away along the
        // normal.
        let height = (centre - Point::from(Vector::repeat(0.5))).dot(&area.normalize());
        assert!((height - 0.5).abs() < 1e-12, "{} {height}", kind.name());
        let (cell, side) = (boundary.cells[i] as usize, boundary.sides[i] as usize);
        assert_eq!(
            kind.faces()[side].0,
            face.element(),
            "faces are of the order of the cells"
        );
        assert_eq!(cells.neighbour(cell, side), None);

        assert!(
            boundary
                .faces
                .nodes(i)
                .iter()
                .all(|node| cells.nodes(cell).contains(node))
        );
    }
}

#[test]
fn the_boundary_of_a_unit_cube_has_area_six_and_faces_outward() {
    let mut random = Random::new(1);
    for kind in SOLID {
        (1..=3).for_each(|n| check_cube::<3>(kind, n, &mut random));
    }
}

#[test]
fn the_boundary_of_a_unit_square_has_length_four_and_faces_outward() {
    let mut random = Random::new(2);
    for kind in PLANE {
        (1..=4).for_each(|n| check_cube::<2>(kind, n, &mut random));
    }
}

#[test]
fn every_side_is_on_the_boundary_or_between_two_cells() {
    for (kind, on_boundary, n) in [
        (Hex20, 6, 3),
        (Tet10, 12, 2),
        (Wedge15, 8, 3),
        (Pyramid13, 6, 2),
    ] {
        let cells = Cells::<3>::from_mesh(&brick(kind, n)).expect("good");
        let sides = cells.len() * kind.faces().len();
        let matched = (0..cells.len())
            .flat_map(|cell| (0..6).map(move |side| (cell, side)))
            .filter(|&(cell, side)| cells.neighbour(cell, side).is_some())
            .count();
        assert_eq!(sides - matched, on_boundary * n * n, "{}", kind.name());
        assert_eq!(cells.boundary().faces.len(), on_boundary * n * n);
    }
}

#[test]
fn elements_of_mixed_kinds_meet_and_flat_ones_are_left_aside() {
    // One cube as a hexahedron, its neighbour as six pyramids.
    let mut mesh = brick(Hex8, 1);
    mesh.points.extend(
        [
            [2.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
            [2.0, 0.0, 1.0],
            [2.0, 1.0, 1.0],
            [1.5, 0.5, 0.5],
        ]
        .map(Point::from),
    );

    let at = |x: f64, y: f64, z: f64| {
        mesh.points
            .iter()
            .position(|p| *p == Point::from([x, y, z]))
            .expect("a corner") as u32
    };
    let corners = [
        at(1., 0., 0.),
        at(2., 0., 0.),
        at(2., 1., 0.),
        at(1., 1., 0.),
        at(1., 0., 1.),
        at(2., 0., 1.),
        at(2., 1., 1.),
        at(1., 1., 1.),
    ];

    for (_, face) in Hex8.faces() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| corners[face[i] as usize]);
        mesh.push(Pyramid5, &[d, c, b, a, 12]);
    }

    mesh.push(Tri3, &[0, 1, 2]);
    let cells = Cells::<3>::from_mesh(&mesh).expect("good");
    assert_eq!((cells.len(), cells.boundary().faces.len()), (7, 10));
    assert_eq!(
        cells.kind(cells.neighbour(0, 1).expect("the cubes meet").0),
        Pyramid5
    );
}

#[test]
fn generated_bricks_have_the_boundary_of_a_box() {
    for kind in [Tet4, Tet10, Hex8, Hex20, Hex27] {
        let mesh = generate::brick([3, 2, 1], [3.0, 1.0, 0.5], kind).expect("good arguments");
        let boundary = Cells::<3>::from_mesh(&mesh).expect("good").boundary();
        let area: f64 = areas(&boundary)
            .iter()
            .map(|(_, area, _)| area.norm())
            .sum();
        assert!((area - 10.0).abs() < 1e-12, "{} {area}", kind.name());
    }
}

#[test]
fn wedges_of_either_order_give_the_same_boundary() {
    for kind in [Wedge6, Wedge15, Wedge18] {
        let mesh = brick(kind, 2);
        let mut mirrored = mesh.clone();
        for nodes in mirrored.blocks[0]
            .nodes
            .chunks_exact_mut(kind.node_count())
            .step_by(2)
        {
            turn_wedge(nodes);
        }
        let (straight, turned) = (
            Cells::<3>::from_mesh(&mesh).expect("good"),
            Cells::<3>::from_mesh(&mirrored).expect("good"),
        );
        assert_eq!((straight.turned_wedges(), turned.turned_wedges()), (0, 8));

        assert_eq!(straight.boundary().faces, turned.boundary().faces);
    }
}

fn fault<const D: usize>(mesh: &Mesh) -> (ProblemKind, Item, usize) {
    let problem = Cells::<D>::from_mesh(mesh).unwrap_err();
    (problem.kind, problem.first, problem.count)
}

#[test]
fn each_fault_has_its_error() {
    use ProblemKind::*;
    let good = brick(Hex8, 2);
    let damaged = |damage: fn(&mut Mesh)| {
        let mut mesh = good.clone();
        damage(&mut mesh);
        fault::<3>(&mesh)
    };
    assert_eq!(fault::<2>(&good), (Empty, Item::Whole, 1));

    assert_eq!(
        damaged(|m| {
            m.blocks[0].nodes.pop();
        }),
        (WrongCount, Item::Whole, 1)
    );
    assert_eq!(
        damaged(|m| m.points[3].z = f64::NAN),
        (NotFinite, Item::Point(3), 1)
    );

    assert_eq!(
        damaged(|m| m.blocks[0].nodes[9] = u32::MAX),
        (IndexOutOfRange, Item::Cell(1), 1)
    );
    assert_eq!(
        damaged(|m| m.blocks[0].nodes[16] = m.blocks[0].nodes[17]),
        (RepeatedNode, Item::Cell(2), 1)
    );

    assert_eq!(
        damaged(|m| m.points.iter_mut().for_each(|p| p.z = 1.0)),
        (ZeroVolume, Item::Cell(0), 8)
    );
    assert_eq!(
        damaged(|m| m.points.iter_mut().for_each(|p| p.x = -p.x)),
        (Inverted, Item::Cell(0), 8)
    );

    let twice = |m: &mut Mesh| {
        let first = m.blocks[0].nodes[..8].to_vec();
        m.blocks[0].nodes.extend(first);
    };
    assert_eq!(
        damaged(twice),
        (NonManifoldFace, Item::Side { cell: 0, side: 1 }, 3)
    );
    let mut alone = brick(Hex8, 1);
    twice(&mut alone);

    assert_eq!(
        fault::<3>(&alone),
        (InconsistentOrientation, Item::Side { cell: 0, side: 0 }, 6)
    );
    let mut square = brick(Quad8, 2);
    square.points[5].z = 0.5;
    assert_eq!(fault::<2>(&square), (OffPlane, Item::Point(5), 1));
    let mut collapsed = brick(Hex8, 1);
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| collapsed.blocks[0].nodes[i] as usize);
    let (low, up) = (collapsed.points[a], collapsed.points[b]);
    (collapsed.points[d], collapsed.points[c]) = (low, up);

    assert_eq!(
        fault::<3>(&collapsed),
        (ZeroArea, Item::Side { cell: 0, side: 4 }, 1)
    );
}

#[test]
fn a_bulge_that_turns_a_corner_inside_out_is_inverted() {
    for kind in [Tet10, Hex20, Hex27, Pyramid13, Wedge15] {
        let mut mesh = brick(kind, 1);
        let nodes: Vec<usize> = mesh.blocks[0].nodes.iter().map(|&n| n as usize).collect();
        let (a, b) = (mesh.points[nodes[0]], mesh.points[nodes[1]]);
        let mid = nodes[kind.mid_node(&[0, 1]).expect("quadratic") as usize];

        // At a quarter of the edge the tangent vanishes; nearer to the corner it points
        // backward.
        mesh.points[mid] = a + (b - a) * 0.2;
        let (problem, first, _) = fault::<3>(&mesh);
        assert_eq!(
            (problem, first),
            (ProblemKind::Inverted, Item::Cell(0)),
            "{}",
            kind.name()
        );
        mesh.points[mid] = a + (b - a) * 0.3;

        assert!(Cells::<3>::from_mesh(&mesh).is_ok());
    }
}

proptest! {
    #[test]
    fn random_damage_is_always_reported(seed in 0u64..400, which in 0usize..10, damage in 0usize..6) {
        let mut random = Random::new(seed);
        let kind = SOLID[which];
        let mut mesh = shuffled(&brick(kind, 2), &mut random);
        let count = kind.node_count();
        let cell = random.below(mesh.blocks[0].len());
        let (own, block) = (cell * count..(cell + 1) * count, &mut mesh.blocks[0]);
        let corner = cell * count + random.below(kind.corner_count());

        match damage {
            0 => mesh.points[block.nodes[corner] as usize][random.below(3)] = f64::INFINITY,
            1 => block.nodes[corner] = (mesh.points.len() + random.below(1000)) as u32,
            2 => block.nodes[corner] = block.nodes[own.start + (corner + 1 - own.start) % count],
            3 => { let nodes = block.nodes[own].to_vec(); block.nodes.extend(nodes); }
            4 => block.nodes.swap(own.start, own.start + 1),
            _ => mesh.points.iter_mut().for_each(|p| p[random.below(3)] = 0.25),
        }

        let problem = Cells::<3>::from_mesh(&mesh).unwrap_err();
        prop_assert!(problem.count >= 1);
    }

    #[test]
    fn no_list_of_numbers_panics(seed in 0u64..1000) {
        let mut random = Random::new(seed);
        let points: Vec<Point<3>> = (0..12).map(|i| Point::from([f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4)])).collect();
        let mut mesh = Mesh { points, blocks: vec![] };

        for _ in 0..random.below(4) {
            let kind = ElementKind::ALL[random.below(18)];
            let nodes: Vec<u32> = (0..kind.node_count()).map(|_| random.below(14) as u32).collect();
            mesh.push(kind, &nodes);
        }

        let _ = Cells::<3>::from_mesh(&mesh).map(|cells| cells.assert_valid());
        mesh.points.iter_mut().for_each(|p| p.z = 0.0);
        let _ = Cells::<2>::from_mesh(&mesh).map(|cells| cells.assert_valid());
    }
}
