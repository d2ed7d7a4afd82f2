use super::*;
use crate::{Field, Location};

fn square() -> Dataset {
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.5],
        [0.0, 1.0, 0.5],
    ]
    .map(Point::from)
    .to_vec();
    Mesh::of_triangles(points, &[[0, 1, 2], [0, 2, 3]]).into()
}

fn binary(dataset: &Dataset) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(dataset, &mut bytes).expect("writes");
    bytes
}

fn text(dataset: &Dataset) -> String {
    let mut bytes = Vec::new();
    write_text(dataset, &mut bytes).expect("writes");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn both_kinds_are_read_as_written() {
    let square = square();
    assert_eq!(parse(&binary(&square)).expect("reads"), square);
    assert_eq!(parse(text(&square).as_bytes()).expect("reads"), square);
    assert_eq!(
        parse(
            text(&square)
                .replace('\n', "\r\n")
                .to_uppercase()
                .as_bytes()
        )
        .expect("reads"),
        square
    );
}

#[test]
fn text_keeps_all_digits() {
    let mut square = square();
    square.mesh.points[2].x = 0.1 + 0.2;
    square.mesh.points[3].y = 1e-300;
    assert_eq!(parse(text(&square).as_bytes()).expect("reads"), square);
}

#[test]
fn a_binary_file_that_begins_with_solid_is_known_by_its_size() {
    let mut bytes = binary(&square());
    bytes[..12].copy_from_slice(b"solid square");
    assert_eq!(parse(&bytes).expect("reads"), square());
    bytes[12..80].fill(0);
    bytes.push(0);

    assert_eq!(
        parse(&bytes).expect("reads").ignored[0].what,
        "bytes after the last triangle"
    );
}

#[test]
fn attribute_bytes_are_reported() {
    let mut bytes = binary(&square());
    bytes[START + 48] = 9;
    let ignored = parse(&bytes).expect("reads").ignored;
    assert_eq!(
        (ignored[0].what.as_str(), ignored[0].count),
        ("attribute bytes (colours) of triangles", 1)
    );
}

#[test]
fn several_solids_are_sets() {
    let text = text(&square()).replace("solid impinge", "solid left side") + &text(&square());
    let dataset = parse(text.as_bytes()).expect("reads");
    assert_eq!(dataset.mesh.points.len(), 4);
    let sets: Vec<_> = dataset
        .sets
        .iter()
        .map(|set| (set.name.as_str(), set.members.as_slice()))
        .collect();

    assert_eq!(sets, [("left side", &[0, 1][..]), ("impinge", &[2, 3])]);
}

#[test]
fn normals_may_be_anything_and_corners_may_not() {
    let good = binary(&square());
    let nan = f32::NAN.to_le_bytes();
    let mut normal = good.clone();
    normal[START..START + 4].copy_from_slice(&nan);
    assert_eq!(parse(&normal).expect("reads"), square());
    let mut corner = good;
    corner[START + RECORD + 28..][..4].copy_from_slice(&nan);
    let fault = parse(&corner).unwrap_err();

    assert_eq!(
        fault.to_string(),
        "byte 158: corner 1 of triangle 1 has a coordinate that is not finite"
    );
    let fault = parse(
        text(&square())
            .replace("vertex 1.0", "vertex inf")
            .as_bytes(),
    )
    .unwrap_err();

    assert_eq!(fault.to_string(), "line 5: 'inf' is not finite");
}

#[test]
fn truncation_at_any_byte_is_refused() {
    let text = text(&square());
    let good_end = text.trim_end().len() - " impinge".len();
    for end in 0..good_end {
        assert!(
            parse(&text.as_bytes()[..end]).is_err(),
            "the first {end} bytes of text are read as a whole file"
        );
    }

    let bytes = binary(&square());
    for end in 0..bytes.len() {
        assert!(
            parse(&bytes[..end]).is_err(),
            "the first {end} bytes are read as a whole file"
        );
    }
}

#[test]
fn counts_that_lie_are_refused() {
    let mut bytes = binary(&square());
    bytes[HEADER..START].copy_from_slice(&u32::MAX.to_le_bytes());
    let fault = parse(&bytes).unwrap_err();
    assert_eq!(fault.place, Location::Byte(84));
    assert_eq!(
        fault.reason,
        "4294967295 items of 50 bytes are declared, but only 100 bytes follow"
    );
    bytes[HEADER..START].copy_from_slice(&1_u32.to_le_bytes());

    assert_eq!(
        parse(&bytes).unwrap_err().reason,
        "1 triangles are declared, but 50 more bytes follow them"
    );
}

#[test]
fn a_facet_of_four_corners_is_refused() {
    let text = text(&square()).replace(" endloop", "  vertex 0 0 0\n endloop");
    assert_eq!(
        parse(text.as_bytes()).unwrap_err().to_string(),
        "line 7: expected 'endloop', found 'vertex 0 0 0'"
    );
}

#[test]
fn values_beyond_32_bits_are_reported() {
    let mut far = square();
    far.mesh.points[1].x = 1e39;
    assert_eq!(
        check(&far).unwrap_err().reason,
        "point 1 is out of range for the 32-bit reals of a binary STL"
    );
    let mut shifted = square();
    shifted
        .mesh
        .points
        .iter_mut()
        .for_each(|point| point.x += 1e9);
    shifted.mesh.points.push(Point::origin());
    shifted
        .point_fields
        .push(Field::scalar("heat", vec![0.0; 5]));

    let reported: Vec<_> = check(&shifted)
        .expect("writable")
        .into_iter()
        .map(|i| (i.what, i.count))
        .collect();
    let expected = [
        ("point fields", 1),
        ("points not used by any triangle", 1),
        (
            "last digits of points (coordinates are rounded to 32 bits)",
            2,
        ),
        ("triangles that collapse when rounded to 32 bits", 2),
    ];

    assert_eq!(
        reported,
        expected.map(|(what, count)| (what.to_owned(), count))
    );
}

#[test]
fn normals_are_unit_for_any_size_of_triangle() {
    for size in [1e-300, 1e-12, 1.0, 1e12, 1e300, 1.7e308] {
        let corners = [[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, 0.0]].map(Point::from);
        assert_eq!(normal(corners), [0.0, 0.0, 1.0], "size {size}");
    }
    assert_eq!(normal([Point::origin(); 3]), [0.0; 3]);
}

#[test]
fn corners_that_only_rounding_keeps_apart_are_one_and_counted() {
    let corners = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.0, 0.0, 2.0],
        [3e-17, -1e-15, 2.0],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 4], [2, 0, 4], [0, 3, 4]];
    let soup = Mesh::of_triangles(corners.map(Point::from).to_vec(), &faces).into();

    for bytes in [binary(&soup), text(&soup).into_bytes()] {
        let dataset = parse(&bytes).expect("reads");
        assert_eq!((dataset.mesh.points.len(), dataset.welded), (4, 1));
        // The sliver between the two is gone, and the rest is closed.
        assert_eq!(dataset.ignored[0].count, 1);
        assert!(impinge::shape::Surface::from_mesh(&dataset.mesh).is_ok());
    }
}
