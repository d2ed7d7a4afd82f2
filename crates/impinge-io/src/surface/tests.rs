use super::*;

/// Five corners on a circle and its centre, which makes a polygon non-convex.
fn points() -> Vec<Point<3>> {
    let around = |i: u32| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 5.0).sin_cos();
        Point::from([cos, sin, 0.0])
    };
    (0..5).map(around).chain([Point::origin()]).collect()
}

#[test]
fn polygons_become_triangles_and_quads_with_their_values() {
    let mut polygons = Polygons::default();
    for corners in [
        &[0, 1, 2, 3][..],
        &[0, 1, 2, 3, 4],
        &[5, 0],
        &[1, 2, 3],
        &[1, 0, 5, 3],
    ] {
        polygons.push(corners);
    }

    let cut = polygons.cut(&points()).expect("simple");
    assert_eq!(
        cut.spread(&[10, 20, 30, 40, 50]),
        [20, 20, 20, 40, 50, 50, 10]
    );
    let dataset = cut.into_dataset(points());
    let expected = [0, 1, 2, 0, 2, 3, 0, 3, 4, 1, 2, 3, 1, 0, 5, 1, 5, 3];
    assert_eq!(dataset.mesh.blocks[0].nodes, expected);
    assert_eq!(dataset.mesh.blocks[1].nodes, [0, 1, 2, 3]);

    let counts: Vec<usize> = dataset
        .ignored
        .iter()
        .map(|ignored| ignored.count)
        .collect();

    assert_eq!(counts, [1, 1, 1]);
}

#[test]
fn a_polygon_that_crosses_itself_is_refused_with_its_number() {
    for crossed in [&[0, 2, 4, 1, 3][..], &[0, 1, 3, 2], &[0, 1, 2, 0, 1, 2]] {
        let mut polygons = Polygons::default();
        polygons.push(&[0, 1, 2]);
        polygons.push(crossed);
        let fault = polygons.cut(&points()).unwrap_err();
        let start = format!("face 1 ({} corners) crosses itself", crossed.len());
        assert!(fault.reason.starts_with(&start), "{fault}");
    }
}

#[test]
fn solids_are_refused_with_a_hint() {
    let mesh = Mesh::of_tetrahedra(vec![Point::origin(); 4], &[[0, 1, 2, 3]]);
    let fault = left_out(&mesh.into(), "STL").unwrap_err();
    assert_eq!(
        fault.reason,
        "STL stores surfaces, but the mesh has 1 tet4 elements; take their boundary first"
    );
}
