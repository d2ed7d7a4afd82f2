use super::*;
use crate::shape::{Item, ProblemKind};
use crate::space::{Matrix, Random, collinear};

/// The properties of a hull, checked against every point in exact arithmetic.
fn assert_is_hull_of(hull: &Polyhedron, points: &[Point<3>]) {
    hull.assert_valid();
    for point in points {
        assert!(hull.contains(point), "{point} is outside");
    }

    assert!(
        hull.points().iter().all(|vertex| points.contains(vertex)),
        "vertices are input points"
    );

    for (face, plane) in hull.planes().iter().enumerate() {
        assert!((plane.normal.norm() - 1.0).abs() < 1e-15);
        // No three corners are collinear: the facets have no superfluous vertices.
        let corners: Vec<Point<3>> = hull
            .face_corners(face)
            .map(|i| hull.points[i as usize])
            .collect();
        let count = corners.len();
        let straight = |i: usize| {
            collinear(
                &corners[i],
                &corners[(i + 1) % count],
                &corners[(i + 2) % count],
            )
        };

        assert!(!(0..count).any(straight));
    }
}

/// The number of distinct planes through three points that have all points on one side: facets by
/// brute force.
fn facets_by_brute_force(points: &[Point<3>]) -> usize {
    let count = points.len();
    let mut facets: Vec<Vec<usize>> = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let sides: Vec<Sign> = points
                    .iter()
                    .map(|p| orient3(&points[i], &points[j], &points[k], p))
                    .collect();
                let one_sided =
                    !(sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative));
                if one_sided && !collinear(&points[i], &points[j], &points[k]) {
                    facets.push((0..count).filter(|&p| sides[p] == Sign::Zero).collect());
                }
            }
        }
    }

    facets.sort();
    facets.dedup();
    facets.len()
}

fn cloud(
    random: &mut Random,
    count: usize,
    mut coordinate: impl FnMut(&mut Random) -> f64,
) -> Vec<Point<3>> {
    (0..count)
        .map(|_| Point::from([(); 3].map(|()| coordinate(random))))
        .collect()
}

fn on_ellipsoid(random: &mut Random, count: usize, axes: [f64; 3]) -> Vec<Point<3>> {
    (0..count)
        .map(|_| Point::from(random.direction::<3>().component_mul(&Vector::from(axes))))
        .collect()
}

fn cube_corners() -> Vec<Point<3>> {
    (0..8)
        .map(|i| Point::from([i & 1, i >> 1 & 1, i >> 2].map(f64::from)))
        .collect()
}

const CUBE: [[u32; 4]; 6] = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
];

#[test]
fn small_hulls_have_the_facets_of_brute_force() {
    let mut random = Random::new(11);
    for round in 0..400 {
        let count = 4 + random.below(9);
        // Uniform, or on a 3×3×3 grid with many coincident, collinear and coplanar points.
        let points = match round % 2 {
            0 => cloud(&mut random, count, |random| random.within(-1.0, 1.0)),
            _ => cloud(&mut random, count + 4, |random| random.below(3) as f64),
        };

        match Polyhedron::hull(&points) {
            Ok(hull) => {
                assert_is_hull_of(&hull, &points);
                assert_eq!(hull.face_count(), facets_by_brute_force(&points));
            }
            Err(problem) => {
                assert_eq!(problem, Problem::whole(ProblemKind::Flat));
                // Coplanar points have their plane as the only supporting plane; collinear points
                // have none.
                assert!(facets_by_brute_force(&points) <= 1);
            }
        }
    }
}

#[test]
fn a_full_grid_is_a_cube_of_six_squares() {
    let points: Vec<Point<3>> = (0..1000)
        .map(|i| Point::from([i % 10, i / 10 % 10, i / 100].map(f64::from)))
        .collect();
    let hull = Polyhedron::hull(&points).expect("a cube");
    assert_is_hull_of(&hull, &points);
    assert_eq!(
        (hull.vertex_count(), hull.edge_count(), hull.face_count()),
        (8, 12, 6)
    );

    assert!(hull.neighbours.len() == 24 && (0..6).all(|face| hull.face_corners(face).len() == 4));
}

#[test]
fn cospherical_lattice_points_give_a_valid_hull() {
    // All integer points with x² + y² + z² = 3600: exactly on one sphere, with coplanar sets of
    // many sizes.
    let range = -60i32..=60;
    let points: Vec<Point<3>> = range
        .clone()
        .flat_map(|x| range.clone().map(move |y| (x, y)))
        .flat_map(|(x, y)| range.clone().map(move |z| [x, y, z]))
        .filter(|p| p.iter().map(|x| x * x).sum::<i32>() == 3600)
        .map(|p| Point::from(p.map(f64::from)))
        .collect();
    let hull = Polyhedron::hull(&points).expect("a round body");
    assert_is_hull_of(&hull, &points);

    assert_eq!(hull.vertex_count(), points.len());
}

#[test]
fn needles_plates_offsets_and_scales_give_valid_hulls() {
    let mut random = Random::new(12);
    for axes in [
        [1e6, 1.0, 1.0],
        [1e6, 1e6, 1.0],
        [1.0, 1e-9, 1e-3],
        [1e-12; 3],
        [1e12; 3],
        [1e60; 3],
        [1e-70; 3],
    ] {
        let points = on_ellipsoid(&mut random, 200, axes.map(|a| a * 0.9));
        assert_is_hull_of(&Polyhedron::hull(&points).expect("a body"), &points);
    }

    // At 1e12 + [0, 1] only 8192 values are left per axis: many points coincide.
    let far: Vec<Point<3>> = on_ellipsoid(&mut random, 500, [0.01, 0.01, 1.0])
        .iter()
        .map(|p| p.map(|x| x + 1e12))
        .collect();
    assert_is_hull_of(&Polyhedron::hull(&far).expect("a body"), &far);
}

#[test]
fn a_rotated_cube_whose_faces_are_not_quite_planar_gives_a_valid_hull() {
    let mut random = Random::new(13);
    for _ in 0..50 {
        let rotation = rotation(&mut random);
        let points: Vec<Point<3>> = (0..125)
            .map(|i| {
                Point::from(rotation * Vector::from([i % 5, i / 5 % 5, i / 25].map(f64::from)))
            })
            .collect();
        let hull = Polyhedron::hull(&points).expect("a cube");
        assert_is_hull_of(&hull, &points);
        assert!((hull.volume() - 64.0).abs() < 1e-12);
    }
}

fn rotation(random: &mut Random) -> Matrix<3> {
    let z = random.direction::<3>();
    let x = z.cross(&random.direction::<3>()).normalize();
    Matrix::from_columns(&[x, z.cross(&x), z])
}

#[test]
fn repeated_and_inner_points_and_their_order_change_nothing() {
    let mut random = Random::new(14);
    let points = on_ellipsoid(&mut random, 60, [1.0, 2.0, 3.0]);
    let hull = Polyhedron::hull(&points).expect("a body");
    let mut more = points.clone();
    more.extend(points.iter().map(|p| Point::from(p.coords * 0.5)));
    more.extend(points.iter().rev());
    assert_eq!(Polyhedron::hull(&more), Ok(hull.clone()));
    let reversed: Vec<Point<3>> = points.iter().rev().copied().collect();
    let mirror = Polyhedron::hull(&reversed).expect("a body");
    assert_eq!(mirror.face_count(), hull.face_count());

    assert_eq!(
        mirror.points().iter().rev().copied().collect::<Vec<_>>(),
        hull.points()
    );
}

#[test]
fn points_that_span_no_volume_are_flat() {
    let mut random = Random::new(15);
    let (u, v) = (
        Vector::<3>::new(3.0, -1.0, 2.0),
        Vector::<3>::new(1.0, 4.0, -7.0),
    );
    let in_plane: Vec<Point<3>> = (0..50)
        .map(|_| Point::from(u * random.below(100) as f64 + v * random.below(100) as f64))
        .collect();
    let on_line: Vec<Point<3>> = (0..50).map(|i| Point::from(u * i as f64)).collect();

    for points in [
        in_plane,
        on_line,
        vec![Point::from([1.0; 3]); 9],
        cube_corners()[..3].to_vec(),
    ] {
        assert_eq!(
            Polyhedron::hull(&points),
            Err(Problem::whole(ProblemKind::Flat))
        );
    }

    assert_eq!(
        Polyhedron::hull(&[] as &[Point<3>]),
        Err(Problem::whole(ProblemKind::Empty))
    );
    let mut broken = cube_corners();
    broken[5].y = f64::INFINITY;
    let named = Problem {
        kind: ProblemKind::NotFinite,
        first: Item::Point(5),
        count: 1,
    };

    assert_eq!(Polyhedron::hull(&broken), Err(named));
}

#[test]
fn a_body_one_ulp_thick_is_a_body_with_sound_normals() {
    let mut points = cube_corners();
    points
        .iter_mut()
        .for_each(|p| p.z = if p.z == 0.0 { 1.0 } else { 1.0f64.next_up() });
    let plate = Polyhedron::hull(&points).expect("a plate");
    assert_is_hull_of(&plate, &points);
    assert!((plate.volume() / f64::EPSILON - 1.0).abs() < 1e-15);
    assert!(
        plate
            .planes()
            .iter()
            .all(|plane| plane.normal.amax() == 1.0 && plane.normal.abs().sum() == 1.0)
    );

    assert!((plate.centroid() - Point::from([0.5, 0.5, 1.0])).norm() < 1e-15);
}

#[test]
fn coordinates_of_wildly_mixed_magnitude_never_panic() {
    let mut random = Random::new(16);
    let mut bodies = 0;
    for _ in 0..300 {
        let count = 4 + random.below(12);
        let points = cloud(&mut random, count, |random| {
            let exponent = random.below(300) as i32 - 250;
            random.within(-1.0, 1.0) * 10f64.powi(exponent)
        });

        if let Ok(hull) = Polyhedron::hull(&points) {
            bodies += 1;
            hull.assert_valid();
            assert!(
                hull.planes()
                    .iter()
                    .all(|plane| (plane.normal.norm() - 1.0).abs() < 1e-15)
            );

            assert!(
                hull.centroid()
                    .iter()
                    .chain(hull.inertia().iter())
                    .all(|x| x.is_finite())
            );
        }
    }

    assert!(bodies > 200, "{bodies}");
}

#[test]
fn support_by_climbing_is_support_by_scanning() {
    let mut random = Random::new(17);
    for points in [
        on_ellipsoid(&mut random, 1000, [1.0, 2.0, 0.2]),
        cube_corners(),
    ] {
        let hull = Polyhedron::hull(&points).expect("a body");
        let mut start = 0;
        for _ in 0..1000 {
            let direction = random.direction::<3>();
            start = hull.support(&direction, start);
            let highest = points
                .iter()
                .map(|p| direction.dot(&p.coords))
                .fold(f64::MIN, f64::max);
            for found in [start, hull.furthest(&direction)] {
                assert!(highest - direction.dot(&hull.points()[found as usize].coords) < 1e-14);
            }
        }
    }
}

#[test]
fn a_brick_has_the_textbook_mass_properties_at_any_pose() {
    let mut random = Random::new(18);
    let size = Vector::<3>::new(1.0, 2.0, 5.0);
    for offset in [0.0, 1e4] {
        let turn = rotation(&mut random);
        let shift = random.direction::<3>() * offset;
        let corners: Vec<Point<3>> = cube_corners()
            .iter()
            .map(|p| {
                Point::from(turn * (p.coords - Vector::repeat(0.5)).component_mul(&size) + shift)
            })
            .collect();
        let brick = Polyhedron::hull(&corners).expect("a brick");
        let tolerance = 1e-13 + 1e-15 * offset;
        assert!((brick.volume() - 10.0).abs() < 10.0 * tolerance);
        assert!((brick.centroid() - Point::from(shift)).norm() < 10.0 * tolerance);

        // m/12 (b² + c²) about each principal axis, m = 10.
        let own = Vector::<3>::new(29.0, 26.0, 5.0) * (10.0 / 12.0);
        let expected = turn * Matrix::from_diagonal(&own) * turn.transpose();
        assert!((brick.inertia() - expected).amax() < 100.0 * tolerance);
    }
}

#[test]
fn a_cube_keeps_its_squares_and_twelve_triangles_become_six() {
    let quads = Polyhedron::from_faces(&cube_corners(), &CUBE).expect("a cube");
    quads.assert_valid();
    assert_eq!(
        (quads.vertex_count(), quads.edge_count(), quads.face_count()),
        (8, 12, 6)
    );
    let halves: Vec<[u32; 3]> = CUBE
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();

    assert_eq!(
        Polyhedron::from_faces(&cube_corners(), &halves),
        Ok(quads.clone())
    );
    assert_eq!(Polyhedron::hull(&cube_corners()), Ok(quads));
}

#[test]
fn each_half_edge_has_its_neighbours() {
    let cube = Polyhedron::hull(&cube_corners()).expect("a cube");
    for h in 0..cube.half_edges().len() as u32 {
        assert_eq!(cube.half_edges()[cube.previous(h) as usize].next, h);
        let [origin, target] = cube.ends(h);
        let at = cube
            .outgoing(origin as usize)
            .iter()
            .position(|&out| out == h)
            .expect("in the ring");
        assert_eq!(cube.neighbours(origin as usize)[at], target);
    }

    for (face, plane) in cube.planes().iter().enumerate() {
        let inner = Point::from([0.5; 3]);
        assert_eq!(cube.height(face, &inner), -0.5);
        assert_eq!(plane.normal.dot(&inner.coords) - plane.offset, -0.5);
    }
}

#[test]
fn a_single_precision_dodecahedron_is_accepted_and_made_exactly_convex() {
    let mut random = Random::new(19);
    let exact = dodecahedron();
    let turn = rotation(&mut random);
    let rounded: Vec<Point<3>> = exact
        .points()
        .iter()
        .map(|p| Point::from((turn * p.coords + Vector::repeat(5.0)).map(|x| f64::from(x as f32))))
        .collect();
    let faces: Vec<Vec<u32>> = (0..12)
        .map(|face| exact.face_corners(face).collect())
        .collect();
    let body = Polyhedron::from_faces(&rounded, &faces).expect("nearly planar");
    body.assert_valid();
    assert_eq!(body.vertex_count(), 20);

    assert!(
        body.face_count() > 12,
        "pentagons that are not planar become several facets"
    );
    assert!((body.volume() / exact.volume() - 1.0).abs() < 1e-5);
}

/// From integer approximations of the golden ratio, so that the pentagons are exactly planar.
fn dodecahedron() -> Polyhedron {
    // The pyritohedron of height h = 1/2: (0, ±(1 + h), ±(1 − h²)) and its cyclic permutations,
    // with the cube ±1.
    let mut points: Vec<Point<3>> = cube_corners()
        .iter()
        .map(|p| p.map(|x| 2.0 * x - 1.0))
        .collect();

    for (a, b) in [(1.5, 0.75), (1.5, -0.75), (-1.5, 0.75), (-1.5, -0.75)] {
        points.extend([[0.0, a, b], [b, 0.0, a], [a, b, 0.0]].map(Point::from));
    }

    let body = Polyhedron::hull(&points).expect("a body");
    assert_eq!(
        (body.vertex_count(), body.edge_count(), body.face_count()),
        (20, 30, 12)
    );

    body
}

#[test]
fn each_fault_of_given_faces_has_its_error() {
    let points = cube_corners();
    let refused = |points: &[Point<3>], faces: &[[u32; 4]]| {
        Polyhedron::from_faces(points, faces).expect_err("refused")
    };
    let edge = |a, b, triangles| Item::Edge {
        nodes: [a, b],
        triangles,
    };

    let open = refused(&points, &CUBE[..5]);
    assert_eq!(
        open,
        Problem {
            kind: ProblemKind::OpenEdge,
            first: edge(1, 3, 1),
            count: 4
        }
    );
    let crowded = refused(&points, &[CUBE.as_slice(), &CUBE[..1]].concat());
    assert_eq!(crowded.kind, ProblemKind::NonManifoldEdge);
    let mut faces = CUBE;
    faces[2].reverse();

    assert_eq!(
        refused(&points, &faces).kind,
        ProblemKind::InconsistentOrientation
    );
    faces = CUBE.map(|[a, b, c, d]| [d, c, b, a]);
    assert_eq!(
        refused(&points, &faces),
        Problem::whole(ProblemKind::InsideOut)
    );
    faces = CUBE;
    faces[3][1] = 8;
    assert_eq!(refused(&points, &faces).first, Item::Face(3));
    assert_eq!(refused(&points, &faces).kind, ProblemKind::IndexOutOfRange);
    faces[3][1] = faces[3][0];
    assert_eq!(refused(&points, &faces).kind, ProblemKind::RepeatedNode);
    assert_eq!(refused(&points, &[]).kind, ProblemKind::Empty);

    assert_eq!(
        Polyhedron::from_faces(&points, &[[0u32, 1]])
            .expect_err("refused")
            .kind,
        ProblemKind::ZeroArea
    );

    let mut dented = points.clone();
    dented[7] = Point::from([0.9; 3]);
    assert_eq!(refused(&dented, &CUBE).kind, ProblemKind::NotConvex);
    dented[7] = Point::from([1.0 - 1e-8; 3]);
    assert!(Polyhedron::from_faces(&dented, &CUBE).is_ok());
    dented[7] = dented[6];
    assert_eq!(
        refused(&dented, &CUBE),
        Problem {
            kind: ProblemKind::DuplicatePoint,
            first: Item::Point(7),
            count: 1
        }
    );

    let flat: Vec<Point<3>> = points
        .iter()
        .map(|p| Point::from([p.x + 2.0 * p.z, p.y + 2.0 * p.z, 0.0]))
        .collect();
    assert_eq!(refused(&flat, &CUBE), Problem::whole(ProblemKind::Flat));
}

#[test]
fn a_dent_names_its_face_and_two_cubes_are_not_one_body() {
    // A roof pushed inward: vertex 8 below the top of the cube.
    let mut points = cube_corners();
    points.push(Point::from([0.5, 0.5, 0.8]));
    let mut faces: Vec<Vec<u32>> = CUBE
        .iter()
        .map(|face| face.to_vec())
        .filter(|face| face[0] != 4)
        .collect();
    faces.extend([[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]].map(Vec::from));
    let problem = Polyhedron::from_faces(&points, &faces).expect_err("dented");

    assert_eq!(
        problem,
        Problem {
            kind: ProblemKind::NotConvex,
            first: Item::Face(5),
            count: 4
        }
    );

    let mut two = cube_corners();
    two.extend(cube_corners().iter().map(|p| p + Vector::repeat(3.0)));
    let mut faces = CUBE.to_vec();
    faces.extend(CUBE.map(|face| face.map(|i| i + 8)));
    assert_eq!(
        Polyhedron::from_faces(&two, &faces),
        Err(Problem::whole(ProblemKind::NotConvex))
    );

    // Joined at a corner, they share a vertex whose faces form two fans.
    two.truncate(8);
    two.extend(cube_corners()[1..].iter().map(|p| p + Vector::repeat(1.0)));
    let mut faces = CUBE.to_vec();
    faces.extend(CUBE.map(|face| face.map(|i| i + 7)));
    let problem = Polyhedron::from_faces(&two, &faces).expect_err("two bodies");

    assert_eq!(
        problem,
        Problem {
            kind: ProblemKind::NonManifoldVertex,
            first: Item::Point(7),
            count: 1
        }
    );
}
