use super::*;
use crate::Location;
use impinge::shape::ElementKind::{Quad4, Tri3};

const TEXT: &str = "ply\r\nformat ascii 1.0\r\ncomment a square and a triangle\r\nelement vertex 5\r\n\
    property float x\r\nproperty float y\r\nproperty float z\r\nproperty uchar red\r\n\
    property list uchar float weights\r\nelement face 2\r\nproperty int part\r\n\
    property list uchar int vertex_indices\r\nelement edge 1\r\nproperty int vertex1\r\nproperty int vertex2\r\n\
    end_header\r\n0 0 0 255 0\r\n1 0 0 254 1 0.5\r\n1 1 0 253 2 0.25 1\r\n0 1 0 252 0\r\n0.5 2 1e-1 251 0\r\n\
    7 4 0 1 2 3\r\n\r\n8 3 3 2 4\r\n0 1\r\n";

/// Returns a file with one property of each kind, in the given byte order.
fn binary(big: bool) -> Vec<u8> {
    let mut file = format!(
        "ply\nformat binary_{}_endian 1.0\nelement vertex 3\nproperty short x\nproperty double y\nproperty uint z\n\
         element face 1\nproperty list ushort int8 vertex_index\nproperty list uint double more\n\
         property char part\nend_header\n",
        if big { "big" } else { "little" }
    )
    .into_bytes();
    let mut put = |bytes: &[u8]| match big {
        true => file.extend(bytes),
        false => file.extend(bytes.iter().rev()),
    };

    for (x, y, z) in [(-1_i16, 0.5_f64, 7_u32), (2, 1.5, 0), (300, -2.5, 1)] {
        put(&x.to_be_bytes());
        put(&y.to_be_bytes());
        put(&z.to_be_bytes());
    }

    put(&3_u16.to_be_bytes());
    (0..3).for_each(|i| put(&[i]));
    put(&2_u32.to_be_bytes());
    put(&1.0_f64.to_be_bytes());
    put(&2.0_f64.to_be_bytes());
    put(&[0xfe]);

    file
}

#[test]
fn text_is_read_with_its_fields_and_a_word_on_the_rest() {
    let dataset = parse(TEXT.as_bytes()).expect("a good file");
    assert_eq!(
        (dataset.mesh.count(Tri3), dataset.mesh.count(Quad4)),
        (1, 1)
    );
    assert_eq!(dataset.mesh.points[4], Point::from([0.5, 2.0, 0.1]));
    assert_eq!(
        dataset.point_fields,
        [Field::whole("red", vec![255, 254, 253, 252, 251])]
    );

    assert_eq!(
        dataset.cell_fields,
        [Field::whole("part", vec![8, 7])],
        "triangles come first"
    );
    let ignored: Vec<_> = dataset
        .ignored
        .iter()
        .map(|i| (i.what.as_str(), i.count))
        .collect();

    assert_eq!(ignored, [("list properties", 1), ("edge elements", 1)]);
}

#[test]
fn both_ends_of_binary_give_the_same() {
    let little = parse(&binary(false)).expect("a good file");
    assert_eq!(little, parse(&binary(true)).expect("a good file"));
    assert_eq!(
        little.mesh.points,
        [[-1.0, 0.5, 7.0], [2.0, 1.5, 0.0], [300.0, -2.5, 1.0]].map(Point::from)
    );
    assert_eq!(little.mesh.triangles(), [[0, 1, 2]]);

    assert_eq!(little.cell_fields, [Field::whole("part", vec![-2])]);
}

#[test]
fn what_is_written_is_read_again() {
    let mut dataset = parse(TEXT.as_bytes()).expect("a good file");
    dataset.ignored.clear();
    dataset.point_fields.push(Field::scalar(
        "heat",
        vec![0.1, f64::MAX, -0.0, 1e-300, 2.0],
    ));
    let mut bytes = Vec::new();
    write(&dataset, &mut bytes).expect("writes");

    assert_eq!(parse(&bytes).expect("reads"), dataset);
}

#[test]
fn field_names_that_ply_cannot_have_are_changed() {
    let mut dataset = parse(&binary(false)).expect("a good file");
    dataset.point_fields = vec![
        Field::scalar("x", vec![0.0; 3]),
        Field::vector("a b", &[[1.0, 2.0, 3.0]; 3]),
    ];
    let mut bytes = Vec::new();
    write(&dataset, &mut bytes).expect("writes");
    let read = parse(&bytes).expect("reads");

    let names: Vec<&str> = read
        .point_fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names, ["x_", "a_b_0", "a_b_1", "a_b_2"]);

    assert_eq!(read.mesh, dataset.mesh);
}

#[test]
fn truncation_at_any_byte_is_refused() {
    for file in [binary(false), TEXT.as_bytes()[..TEXT.len() - 3].to_vec()] {
        for end in 0..file.len() {
            assert!(
                parse(&file[..end]).is_err(),
                "the first {end} bytes are read as a whole file"
            );
        }
    }
}

#[test]
fn broken_text_is_refused_with_its_line() {
    for (from, to, line) in [
        ("0.5 2 1e-1", "0.5 nan 1e-1", 21),
        ("0.5 2 1e-1", "0.5 2,5 1e-1", 21),
        ("8 3 3 2 4", "8 3 3 2 5", 24),
        ("8 3 3 2 4", "8 3 3 2 -1", 24),
        ("8 3 3 2 4", "8 -3 3 2 4", 24),
        ("8 3 3 2 4", "8 3 3 2 4 4", 24),
        ("8 3 3 2 4", "8 4 3 2 4", 24),
        ("element vertex 5", "element vertex 4294967295", 16),
        ("element vertex 5", "element vertex 18446744073709551616", 4),
        ("property float y", "property float x", 6),
        ("property float y", "property real y", 6),
    ] {
        let fault = parse(TEXT.replace(from, to).as_bytes()).unwrap_err();
        assert_eq!(fault.place, Location::Line(line), "{to}: {fault}");
    }
}

#[test]
fn false_counts_are_rejected_before_memory_is_allocated() {
    let file = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\n\
        element face 1\nproperty list uint int vertex_indices\nend_header\n\0\0\u{7f}\u{7f}\u{7f}\u{7f}";
    let fault = parse(file.as_bytes()).unwrap_err();
    assert!(matches!(fault.place, Location::Byte(_)), "{fault}");
    let file = file.replace("vertex 1", "vertex 4000000000");
    assert!(
        parse(file.as_bytes())
            .unwrap_err()
            .reason
            .contains("4000000000")
    );
    let empty =
        "ply\nformat ascii 1.0\nelement thing 18446744073709551615\nelement vertex 0\nend_header\n";

    assert!(
        parse(empty.as_bytes())
            .expect("things without properties")
            .mesh
            .points
            .is_empty()
    );
}
