use super::*;
use impinge::shape::ElementKind::{Quad4, Tri3};

const SQUARE: &str = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

fn fault(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn every_head_gives_the_same_square() {
    let square = parse(SQUARE.as_bytes()).expect("a good file");
    assert_eq!(square.mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    for head in [
        "OFF 4 2 0",
        "4 2",
        "OFF4 2 0",
        "# hello\n\nOFF # three\r\n# four\r\n 4 2 5 # counts",
    ] {
        let text = SQUARE.replace("OFF\n4 2 0", head);
        assert_eq!(
            parse(text.as_bytes()).expect("a good file"),
            square,
            "{head}"
        );
    }
}

#[test]
fn colours_and_normals_are_counted_and_polygons_cut() {
    let text = "CNOFF\n5 3 0\n0 0 0 0 0 1 255 0 0\n1 0 0\n1 1 0\n0 1 0\n-.5 .5 0\n4 0 1 2 3 0.5 0.5 0.5\n\
            5 0 1 2 3 4\n2 0 1\nmore\n";
    let dataset = parse(text.as_bytes()).expect("a good file");
    assert_eq!(
        (dataset.mesh.count(Tri3), dataset.mesh.count(Quad4)),
        (3, 1)
    );
    let counts: Vec<usize> = dataset
        .ignored
        .iter()
        .map(|ignored| ignored.count)
        .collect();

    assert_eq!(counts, [1, 1, 1, 1, 1], "{:?}", dataset.ignored);
}

#[test]
fn broken_files_are_refused_with_their_line() {
    assert_eq!(
        fault(&SQUARE.replace("1 1 0", "1 nan 0")),
        "line 5: vertex 2: 'nan' is not finite"
    );
    assert_eq!(
        fault(&SQUARE.replace("3 0 2 3", "3 0 2 4")),
        "line 8: face 1: vertex '4' does not exist; there are 4"
    );

    assert_eq!(
        fault(&SQUARE.replace("3 0 2 3", "3 0 2 -1")),
        "line 8: face 1: vertex '-1' does not exist; there are 4"
    );
    assert_eq!(
        fault(&SQUARE.replace("3 0 2 3", "4 0 2 3")),
        "line 8: face 1: it has fewer than 4 corners"
    );

    assert_eq!(
        fault("4OFF\n1 0 0\n0 0 0 1\n"),
        "line 1: '4OFF' has points that are not of three dimensions"
    );
    assert_eq!(
        fault("OFF BINARY\n"),
        "line 1: the binary kind of OFF is not supported"
    );
    let lying = "line 2: 4000000000 vertices and 2 faces are declared, but only 40 bytes follow";
    assert_eq!(fault(&SQUARE.replace("4 2 0", "4000000000 2 0")), lying);

    for end in 0..SQUARE.len() - 2 {
        assert!(
            parse(&SQUARE.as_bytes()[..end]).is_err(),
            "the first {end} bytes are read as a whole file"
        );
    }
}

#[test]
fn what_is_written_is_read_again() {
    let text = SQUARE
        .replace("3 0 1 2\n", "4 0 1 2 3\n")
        .replace("1 1 0", "0.1 -0.30000000000000004 1e-300");
    let dataset = parse(text.as_bytes()).expect("a good file");
    let mut bytes = Vec::new();
    write(&dataset, &mut bytes).expect("writes");

    assert_eq!(parse(&bytes).expect("reads"), dataset);
}
