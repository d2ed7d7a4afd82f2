use super::*;

const CORNERS: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn report(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> SurfaceReport {
    inspect_triangles(
        &points.iter().map(|&p| p.into()).collect::<Vec<_>>(),
        triangles,
    )
}

fn kinds(report: &SurfaceReport) -> Vec<ProblemKind> {
    report.problems.iter().map(|problem| problem.kind).collect()
}

#[test]
fn a_tetrahedron_is_closed_oriented_manifold_and_of_genus_zero() {
    let report = report(&CORNERS, &FACES);
    assert!(report.closed && report.oriented && report.manifold);
    assert_eq!((report.components, report.genus), (1, Some(0)));
    assert!((report.volume.expect("closed") - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!(report.edge_lengths, [1.0, 2f64.sqrt()]);
    assert!(report.problems.is_empty());
}

#[test]
fn a_square_ring_of_boxes_has_genus_one() {
    // A torus of 3×3 quadrilaterals, each split in two, periodic in both directions.
    let at = |i: u32, j: u32| (i % 3) * 3 + j % 3;
    let points: Vec<[f64; 3]> = (0..9)
        .map(|n| {
            let (u, v) = ((n / 3) as f64 * 2.0944, (n % 3) as f64 * 2.0944);
            [
                (3.0 + v.cos()) * u.cos(),
                (3.0 + v.cos()) * u.sin(),
                v.sin(),
            ]
        })
        .collect();

    let triangles: Vec<[u32; 3]> = (0..3)
        .flat_map(|i| (0..3).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let report = report(&points, &triangles);

    assert_eq!(
        (report.closed, report.components, report.genus),
        (true, 1, Some(1))
    );
}

#[test]
fn tetrahedra_that_share_a_vertex_are_two_components_and_not_manifold() {
    let mut points = CORNERS.to_vec();
    points.extend([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]);
    let mirrored = FACES
        .map(|f| f.map(|n| if n == 0 { 0 } else { n + 3 }))
        .map(|[a, b, c]| [a, c, b]);
    let report = report(&points, &[FACES, mirrored].concat());
    assert_eq!(
        (report.closed, report.oriented, report.manifold),
        (true, true, false)
    );
    assert_eq!((report.components, report.genus), (2, Some(0)));

    assert_eq!(kinds(&report), [ProblemKind::NonManifoldVertex]);
}

#[test]
fn everything_that_is_wrong_is_listed_at_once() {
    let mut points = CORNERS.to_vec();
    points.push([f64::NAN, 0.0, 0.0]);
    points.push(CORNERS[1]);
    let triangles = [
        FACES[0],
        FACES[1],
        [1, 1, 2],
        [0, 1, 77],
        [2, 3, 4],
        FACES[1],
    ];
    use ProblemKind::*;
    let report = report(&points, &triangles);

    assert_eq!(
        kinds(&report),
        [
            NotFinite,
            IndexOutOfRange,
            RepeatedNode,
            DuplicatePoint,
            DuplicateElement,
            NonManifoldEdge,
            OpenEdge,
            InconsistentOrientation
        ]
    );

    assert!(!report.closed && !report.manifold && report.area.is_finite());
}

#[test]
fn an_inward_surface_is_not_oriented() {
    let report = report(&CORNERS, &FACES.map(|[a, b, c]| [a, c, b]));
    assert_eq!((report.closed, report.oriented), (true, false));
    assert_eq!(kinds(&report), [ProblemKind::InsideOut]);
    assert!((report.volume.expect("closed") + 1.0 / 6.0).abs() < 1e-15);
}

#[test]
fn an_empty_mesh_is_reported_as_empty() {
    let report = report(&[], &[]);
    assert_eq!(kinds(&report), [ProblemKind::Empty]);
    assert!(!report.closed && report.quality.is_none() && report.edge_lengths == [0.0, 0.0]);
}
