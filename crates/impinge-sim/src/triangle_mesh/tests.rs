use super::*;

/// Appends a unit cube at a position, optionally inside out.
fn and_cube(mut given: TriangleMesh, at: [f64; 3], is_inward: bool) -> TriangleMesh {
    let cube = generate::block([1; 3], [1.0; 3]).expect("a cube");
    let first = given.points.len() as u32;
    let points = cube.points().iter();
    given
        .points
        .extend(points.map(|p| Point::from([p.x + at[0], p.y + at[1], p.z + at[2]])));
    let turned = |[a, b, c]: [u32; 3]| if is_inward { [a, c, b] } else { [a, b, c] };
    let faces = cube.triangles().iter();
    given
        .triangles
        .extend(faces.map(|face| turned(face.map(|node| node + first))));

    given
}

#[test]
fn surfaces_are_closed_by_one_rule_or_refused() {
    let none = TriangleMesh::default;
    let inward = and_cube(none(), [0.0; 3], true);
    let closed_inward = inward.closed().expect("clear");
    assert!(closed_inward.is_some_and(|cube| (cube.volume() - 1.0).abs() < 1e-12));

    let mut open = and_cube(none(), [0.0; 3], false);
    open.triangles.pop();
    assert!(open.closed().expect("open").is_none());
    let error = open.enclosing().expect_err("open").to_string();
    assert!(
        error.starts_with("the surface has 3 open edges, the first of them edge "),
        "{error}"
    );
    assert!(error.ends_with("it has holes: mend the mesh, or make it a wall, which may be open"));

    // The corners of each triangle apart from those of its neighbours, by less than can be seen.
    let cube = and_cube(none(), [0.0; 3], false);
    let mut torn = none();
    for (n, triangle) in cube.triangles.iter().enumerate() {
        let shift = 1e-7 * n as f64;
        let first = torn.points.len() as u32;
        let corners = triangle.map(|node| cube.points[node as usize]);
        torn.points
            .extend(corners.map(|p| Point::from([p.x + shift, p.y, p.z])));
        torn.triangles.push([first, first + 1, first + 2]);
    }
    let error = torn.enclosing().expect_err("torn").to_string();
    assert!(error.contains("36 open edges"), "{error}");
    assert!(error.contains("merging points within 1e-"), "{error}");

    let sharing_an_edge = and_cube(and_cube(none(), [0.0; 3], false), [1.0, 1.0, 0.0], false);
    let beside = and_cube(and_cube(none(), [0.0; 3], false), [3.0, 0.0, 0.0], true);
    let large = and_cube(none(), [0.0; 3], false).scaled(9.0);
    let refused = [
        sharing_an_edge,
        and_cube(beside, [6.0, 0.0, 0.0], false),
        and_cube(large, [20.0, 0.0, 0.0], true),
        and_cube(and_cube(none(), [0.0; 3], false), [3.0, 0.0, 0.0], true),
    ];

    for given in refused {
        let error = given.closed().expect_err("unclear").to_string();
        assert!(error.contains("the inside is ambiguous"), "{error}");
    }
}
