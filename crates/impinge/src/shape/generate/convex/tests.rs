use super::super::test_support::hash_of_points;
use super::*;

#[test]
fn polygons_have_every_requested_vertex() {
    for vertices in [3, 4, 5, 8, 50, 1_000, MOST_VERTICES] {
        for seed in 0..if vertices < 100 { 100 } else { 2 } {
            let polygon = polygon(vertices, seed).expect("valid");
            assert_eq!(polygon.corner_count(), vertices);
            assert!(polygon.area() > 0.1);
            assert!(
                polygon
                    .points()
                    .iter()
                    .all(|p| (0.49..1.01).contains(&p.coords.norm()))
            );
        }
    }
}

#[test]
fn polyhedra_have_every_requested_vertex() {
    for vertices in [4, 5, 8, 30, 200, 20_000] {
        for seed in 0..if vertices < 1_000 { 50 } else { 1 } {
            let body = polyhedron(vertices, seed).expect("valid");
            assert_eq!(body.vertex_count(), vertices);
            // Random points leave no two neighbouring triangles in one plane.
            assert_eq!(body.face_count(), 2 * vertices - 4);
            assert!(
                body.points()
                    .iter()
                    .all(|p| (0.49..1.01).contains(&p.coords.norm()))
            );
        }
    }
}

#[test]
fn the_circle_is_run_through_once() {
    let expected = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    for (k, [x, y]) in expected.into_iter().enumerate() {
        assert_eq!(on_circle(k as f64 / 4.0), Vector::<2>::new(x, y));
    }
}

#[test]
fn the_bytes_are_known() {
    let hashes = [
        hash_of_points(polygon(9, 1).expect("valid").points()),
        hash_of_points(polyhedron(60, 1).expect("valid").points()),
    ];
    assert_eq!(hashes, [0x87c1_4006_2831_7061, 0xb236_e980_8784_f721]);
}

#[test]
fn bad_numbers_of_vertices_are_named() {
    assert_eq!(
        polygon(2, 1).unwrap_err().to_string(),
        "vertices is 2; it must be at least 3"
    );
    assert_eq!(
        polyhedron(3, 1).unwrap_err().to_string(),
        "vertices is 3; it must be at least 4"
    );
    assert_eq!(polygon(usize::MAX, 1).unwrap_err().argument, "vertices");

    assert_eq!(polyhedron(usize::MAX, 1).unwrap_err().argument, "vertices");
}
