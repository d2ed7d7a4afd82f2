use super::*;
use impinge::shape::ElementKind::*;
use impinge::space::Point;

fn taken(id: u8, nodes: &[u32]) -> Result<(Dataset, Vec<u32>), ParseError> {
    let mut dataset = Dataset::default();
    // Points on a circle, so that polygons in order are convex.
    let around = |i: u32| {
        let (sin, cos) = (0.1 * f64::from(i)).sin_cos();
        Point::from([cos, sin, 0.0])
    };
    dataset.mesh.points = (0..20).map(around).collect();
    let mut cells = Cells::new(&mut dataset, 8);
    let lists = Lists {
        ends: vec![0, nodes.len() as u64],
        nodes: nodes.to_vec(),
    };

    cells.take_all(
        &lists,
        |i| if i == 0 { POLY_LINE } else { id },
        &mut Budget::of(&[]),
    )?;
    let (origin, _) = cells.finish();

    Ok((dataset, origin))
}

#[test]
fn a_strip_turns_every_other_triangle_round() {
    let (dataset, origin) = taken(STRIP, &[0, 1, 2, 3]).expect("two triangles");
    assert_eq!(dataset.mesh.blocks[0].kind, Tri3);
    assert_eq!(dataset.mesh.blocks[0].nodes, [8, 9, 10, 10, 9, 11]);
    assert_eq!(origin, [1, 1]);
}

#[test]
fn a_pentagon_is_cut_and_said() {
    let (dataset, origin) = taken(POLYGON, &[0, 1, 2, 3, 4]).expect("three triangles");
    assert_eq!(
        dataset.mesh.blocks[0].nodes,
        [8, 9, 10, 8, 10, 11, 8, 11, 12]
    );
    assert_eq!(origin, [1, 1, 1]);
    assert_eq!(dataset.ignored[0].count, 1);

    let fault = taken(POLYGON, &[0, 2, 1, 3]).unwrap_err();
    assert!(
        fault
            .reason
            .starts_with("cell 1 (4 corners) crosses itself"),
        "{fault}"
    );
}

#[test]
fn pixels_and_voxels_are_renumbered() {
    let (dataset, _) = taken(8, &[0, 1, 2, 3]).expect("a quadrilateral");
    assert_eq!(dataset.mesh.blocks[0].nodes, [8, 9, 11, 10]);
    let (dataset, _) = taken(11, &[0, 1, 2, 3, 4, 5, 6, 7]).expect("a hexahedron");
    assert_eq!(dataset.mesh.blocks[0].nodes, [8, 9, 11, 10, 12, 13, 15, 14]);
}

#[test]
fn wrong_cells_are_named() {
    let reason = |id, nodes: &[u32]| taken(id, nodes).unwrap_err().reason;
    assert_eq!(
        reason(10, &[0, 1, 2]),
        "cell 1 is a tet4 with 3 nodes, but it needs 4"
    );
    assert_eq!(
        reason(10, &[0, 1, 2, 12]),
        "cell 1 has node 12, but there are 12 points"
    );
    let (dataset, _) = taken(42, &[0, 1, 2, 3]).expect("a polyhedron is passed over");
    assert_eq!(dataset.ignored[0].what, "polyhedron cells (VTK type 42)");

    assert!(dataset.mesh.blocks.is_empty());
}

#[test]
fn fields_follow_their_cells() {
    let field = Field {
        name: "v".into(),
        components: 2,
        values: Values::Whole(vec![1, 2, 3, 4, 5, 6]),
    };
    let followed = follow(field.clone(), &[0, 2, 2], 3, &mut Budget::of(&[])).expect("small");
    assert_eq!(followed.values, Values::Whole(vec![1, 2, 5, 6, 5, 6]));

    assert_eq!(
        follow(field.clone(), &[0, 1, 2], 3, &mut Budget::of(&[])),
        Ok(field)
    );
}
