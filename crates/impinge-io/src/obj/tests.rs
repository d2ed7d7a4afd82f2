use super::*;
use impinge::shape::ElementKind::{Quad4, Tri3};

fn counted(dataset: &Dataset) -> Vec<(&str, usize)> {
    dataset
        .ignored
        .iter()
        .map(|ignored| (ignored.what.as_str(), ignored.count))
        .collect()
}

#[test]
fn faces_of_every_notation_are_read() {
    let text = "# comment \\\r\nmtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0 1 0.5 0.25\nvt 0 0\nvn 0 0 1\n\
            f 1/1/1 2/1/1 3/1/1\nf 1//1 3//1 4//1\nf -4 -3 -2 -1\nf 1 2 \\\n 3\nl 1 2\nv 0.5 2 0\nf 1 2 3 5 4\nv 2 0.5 0\nf 6 3 1 2";
    let dataset = parse(text.as_bytes()).expect("a good file");
    assert_eq!(dataset.mesh.points.len(), 6);
    assert_eq!(
        (dataset.mesh.count(Tri3), dataset.mesh.count(Quad4)),
        (6, 2)
    );

    assert_eq!(
        dataset.mesh.blocks[0].nodes[6..],
        [0, 1, 2, 0, 1, 2, 0, 2, 4, 0, 4, 3]
    );
    let expected = [
        ("polygons of more than 4 corners (split into triangles)", 1),
        ("weights or colours of vertices", 1),
        ("texture coordinates", 1),
        ("vertex normals", 1),
        ("line elements", 1),
        ("material statements", 1),
    ];

    assert_eq!(counted(&dataset), expected);
}

#[test]
fn a_face_may_stand_before_its_vertices() {
    let dataset = parse(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").expect("a good file");
    assert_eq!(dataset.mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn indices_that_name_no_vertex_are_refused_with_their_line() {
    let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for face in [
        "f 0 1 2",
        "f 1 2 4",
        "f 1 2 -4",
        "f 1 2 4294967297",
        "f 1 2 18446744073709551617",
        "f 1 2 x",
    ] {
        let fault = parse(format!("{vertices}{face}\nv 0 0 1e400x\n").as_bytes()).unwrap_err();
        assert!(
            matches!(fault.place, crate::Location::Line(4 | 5)),
            "{face}: {fault}"
        );
    }

    let fault = parse(format!("{vertices}f 1 2 4\n").as_bytes()).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "line 4: the face has vertex 4, but there are 3"
    );
}

#[test]
fn coordinates_must_be_finite_numbers_with_a_point() {
    for (vertex, reason) in [
        ("v 0 nan 0", "line 2: 'nan' is not finite"),
        ("v 0 1e400 0", "line 2: '1e400' is not finite"),
        (
            "v 0 1,5 0",
            "line 2: '1,5' is not a number; use a decimal point",
        ),
        ("v 0 0", "line 2: a point needs 3 coordinates"),
    ] {
        assert_eq!(
            parse(format!("v 0 0 0\n{vertex}\n").as_bytes())
                .unwrap_err()
                .to_string(),
            reason
        );
    }
}

#[test]
fn what_is_written_is_read_again() {
    let text = "v 0.1 -0.30000000000000004 1e-300\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 2 3 4\n";
    let dataset = parse(text.as_bytes()).expect("a good file");
    let mut bytes = Vec::new();
    write(&dataset, &mut bytes).expect("writes");
    assert_eq!(parse(&bytes).expect("reads"), dataset);
}

#[test]
fn one_endless_line_is_read_or_refused() {
    let mut text = b"v 0 0 0\nf".to_vec();
    text.extend(b" 1".repeat(1_000_000));
    let fault = parse(&text).unwrap_err();
    assert!(
        fault
            .reason
            .starts_with("face 0 (1000000 corners) crosses itself, is folded or has no area")
    );

    assert!(
        parse(&b"x".repeat(10_000_000))
            .unwrap_err()
            .reason
            .starts_with("no vertex")
    );
}
