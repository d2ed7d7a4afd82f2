use super::*;
use impinge::shape::ElementKind;
use impinge::space::Point;

#[test]
fn fields_and_sets_follow_the_elements_that_a_weld_leaves() {
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1e-9, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    let mut mesh = Mesh {
        points: points.map(Point::from).to_vec(),
        blocks: Vec::new(),
    };
    mesh.push(ElementKind::Tri3, &[0, 2, 3]);
    mesh.push(ElementKind::Tri3, &[2, 1, 3]);
    let mut dataset = Dataset::from(mesh);
    dataset.cell_fields.push(Field::whole("part", vec![7, 8]));
    dataset
        .point_fields
        .push(Field::scalar("heat", vec![0.0; 4]));

    let set = |of, members| Set {
        name: "s".into(),
        of,
        members,
    };
    dataset.sets = vec![
        set(SetOf::Elements, vec![0, 1]),
        set(SetOf::Sides, vec![2, 9]),
    ];

    dataset.weld(1e-6);
    dataset.check().expect("sound");
    assert_eq!((dataset.welded, dataset.ignored[0].count), (1, 1));
    assert_eq!(dataset.mesh.triangles(), [[0, 1, 3]]);
    assert_eq!(dataset.cell_fields[0].values, Values::Whole(vec![8]));
    assert_eq!(dataset.sets[0].members, [0]);

    assert_eq!(dataset.sets[1].members, [1]);
}
