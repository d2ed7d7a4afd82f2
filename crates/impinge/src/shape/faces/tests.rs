use super::*;
use crate::shape::ElementKind;
use crate::space::Random;
use proptest::prelude::*;

/// A tri6 and a quad8 that share a side, on the parabolic sheet z = x².
fn pair() -> (Vec<Point<3>>, Vec<FaceKind>, Vec<u32>) {
    let flat = [
        [0.0, 0.0],
        [1.0, 0.0],
        [0.0, 1.0],
        [0.5, 0.0],
        [0.5, 0.5],
        [0.0, 0.5],
        [-1.0, 1.0],
        [-1.0, 0.0],
        [-0.5, 1.0],
        [-1.0, 0.5],
        [-0.5, 0.0],
    ];
    let points = flat
        .map(|[x, y]: [f64; 2]| Point::from([x, y, x * x]))
        .to_vec();

    (
        points,
        vec![FaceKind::Tri6, FaceKind::Quad8],
        vec![0, 1, 2, 3, 4, 5, 0, 2, 6, 7, 5, 8, 9, 10],
    )
}

fn problem(
    points: Vec<Point<3>>,
    kinds: Vec<FaceKind>,
    nodes: Vec<u32>,
) -> (ProblemKind, Item, usize) {
    let problem = Faces::new(points, kinds, nodes).unwrap_err();
    (problem.kind, problem.first, problem.count)
}

#[test]
fn faces_of_mixed_kinds_keep_their_nodes_and_their_curved_boxes() {
    let (points, kinds, nodes) = pair();
    let faces = Faces::new(points, kinds, nodes.clone()).expect("valid");
    assert_eq!(
        (faces.len(), faces.kind(0), faces.kind(1)),
        (2, FaceKind::Tri6, FaceKind::Quad8)
    );
    assert_eq!((faces.nodes(0), faces.nodes(1)), (&nodes[..6], &nodes[6..]));

    for face in [0, 1] {
        let on = faces.face(face).position([0.3, 0.1]);
        assert!(
            (on.z - on.x * on.x).abs() < 1e-15,
            "quadratic faces represent a parabola exactly"
        );
    }

    assert!((faces.bounds(0).max - Point::from([1.0, 1.0, 1.0])).amax() < 1e-12);
    assert!(faces.bounds(0).min.z <= 0.0);
}

#[test]
fn each_fault_has_its_error() {
    use ProblemKind::*;
    let (points, kinds, nodes) = pair();
    let with = |at: usize, node: u32| {
        let mut nodes = nodes.clone();
        nodes[at] = node;
        nodes
    };
    assert_eq!(
        problem(points.clone(), vec![], vec![]),
        (Empty, Item::Whole, 1)
    );

    assert_eq!(
        problem(points.clone(), kinds.clone(), nodes[1..].to_vec()),
        (WrongCount, Item::Whole, 1)
    );

    for beyond in [11, u32::MAX] {
        assert_eq!(
            problem(points.clone(), kinds.clone(), with(7, beyond)),
            (IndexOutOfRange, Item::Face(1), 1)
        );
    }

    assert_eq!(
        problem(points.clone(), kinds.clone(), with(2, 5)),
        (RepeatedNode, Item::Face(0), 1)
    );
    let lines = vec![FaceKind::Tri3, FaceKind::Line2, FaceKind::Line2];
    assert_eq!(
        problem(points.clone(), lines, vec![0, 1, 2, 0, 1, 1, 2]),
        (WrongElement, Item::Face(1), 2)
    );

    for bad in [f64::NAN, f64::NEG_INFINITY, -1e61] {
        let mut points = points.clone();
        points[4].y = bad;
        assert_eq!(
            problem(points, kinds.clone(), nodes.clone()),
            (NotFinite, Item::Point(4), 1)
        );
    }

    let flat: Vec<Point<3>> = points
        .iter()
        .map(|p| Point::from([p.x, 2.0 * p.x, 0.0]))
        .collect();
    assert_eq!(problem(flat, kinds, nodes), (ZeroArea, Item::Face(0), 2));
}

#[test]
fn a_line_of_no_length_is_refused() {
    let points = vec![Point::from([1.0, 2.0]); 2];
    let problem = Faces::new(points, vec![FaceKind::Line2], vec![0, 1]).unwrap_err();
    assert_eq!(
        (problem.kind, problem.first),
        (ProblemKind::ZeroArea, Item::Face(0))
    );
}

#[test]
fn a_mesh_gives_its_surface_elements_in_space_and_its_lines_in_the_plane() {
    let points: Vec<Point<3>> = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ]
    .map(Point::from)
    .to_vec();

    let mut mesh = Mesh {
        points,
        blocks: vec![],
    };
    mesh.push(ElementKind::Line2, &[0, 1]);
    mesh.push(ElementKind::Quad4, &[0, 1, 2, 3]);
    mesh.push(ElementKind::Line2, &[1, 2]);
    mesh.push(ElementKind::Tri3, &[0, 2, 3]);
    let surface = Faces::<3>::from_mesh(&mesh).expect("valid");

    assert_eq!(
        (surface.kind(0), surface.kind(1), surface.len()),
        (FaceKind::Quad4, FaceKind::Tri3, 2)
    );
    let lines = Faces::<2>::from_mesh(&mesh).expect("valid");
    assert_eq!(
        (lines.nodes(0), lines.nodes(1)),
        ([0, 1].as_slice(), [1, 2].as_slice())
    );
    mesh.points[2].z = 1e-9;
    let off = Faces::<2>::from_mesh(&mesh).unwrap_err();

    assert_eq!(
        (off.kind, off.first),
        (ProblemKind::OffPlane, Item::Point(2))
    );
    mesh.points[2].z = 0.0;
    mesh.blocks[0].nodes.push(0);
    assert_eq!(
        Faces::<2>::from_mesh(&mesh).unwrap_err().kind,
        ProblemKind::WrongCount
    );

    assert_eq!(
        Faces::<3>::from_mesh(&Mesh::default()).unwrap_err().kind,
        ProblemKind::Empty
    );
}

#[test]
fn points_that_are_not_finite_or_too_few_leave_the_faces_as_they_were() {
    let (points, kinds, nodes) = pair();
    let mut faces = Faces::new(points.clone(), kinds, nodes).expect("valid");
    let before = faces.clone();
    let mut moved = points;
    moved[3].z = 2.0;
    assert_eq!(
        faces.set_points(&moved[1..]).unwrap_err().kind,
        ProblemKind::WrongCount
    );
    moved[5].x = f64::NAN;
    assert_eq!(faces.set_points(&moved).unwrap_err().first, Item::Point(5));
    assert_eq!(faces, before);
    moved[5].x = 0.0;
    faces.set_points(&moved).expect("finite");

    assert!(
        faces.bounds(0).max.z > before.bounds(0).max.z,
        "the bulge follows its mid node"
    );
}

proptest! {
    #[test]
    fn no_list_of_numbers_panics(seed in 0u64..2000) {
        let mut random = Random::new(seed);
        let (points, _, _) = pair();
        let kinds: Vec<FaceKind> = (0..random.below(4)).map(|_| FaceKind::ALL[random.below(7)]).collect();
        let exact = kinds.iter().map(|kind| kind.node_count()).sum::<usize>();
        let count = exact + usize::from(random.below(4) == 0);
        let nodes: Vec<u32> = (0..count).map(|_| random.below(13) as u32).collect();

        if let Ok(faces) = Faces::<3>::new(points, kinds, nodes) {
            for i in 0..faces.len() {
                prop_assert!(faces.nodes(i).iter().all(|&n| n < 11));
                prop_assert!(!faces.bounds(i).is_empty());
            }
        }
    }
}
