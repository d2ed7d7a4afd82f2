use super::*;

fn fault(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn every_separator_gives_the_same_rows() {
    for text in [
        "1,2.5,-3e2\n4,5,6\n",
        "1;2.5;-3e2\r\n4;5;6",
        "1\t2.5\t-3e2\n\n4\t5\t6\n",
        "# comment\n  1 2.5  -3e2\n4 5 6",
        "\u{feff}1, 2.5, -3e2\n% comment\n4, 5, 6\n",
        "\"1\",\"2.5\",\"-3e2\"\n\"4\",\"5\",\"6\"\n",
    ] {
        let points = parse(text.as_bytes()).expect("a good table");
        assert_eq!((points.columns, points.names.len()), (3, 0), "{text}");
        assert_eq!(points.values, [1.0, 2.5, -300.0, 4.0, 5.0, 6.0], "{text}");
    }
}

#[test]
fn a_header_names_the_columns() {
    for text in [
        "x,y,r\n1,2,3\n",
        "\"x\";\"y\";\"r\"\n1;2;3\n",
        "x y r\n1 2 3\n",
    ] {
        let points = parse(text.as_bytes()).expect("a good table");
        assert_eq!(
            (points.names.join(" "), points.len()),
            ("x y r".to_owned(), 1),
            "{text}"
        );
    }
    assert_eq!(parse(b"x,y\n").expect("an empty table").len(), 0);
}

#[test]
fn a_comment_that_names_coordinates_is_a_header() {
    for text in [
        "# id x y\n7 1 2\n",
        "#id,x,y\n7,1,2\n",
        "% made by hand\n# id;x;y\n7;1;2\n",
    ] {
        let points = parse(text.as_bytes()).expect("a good table");
        assert_eq!(
            (points.names.join(" "), points.len()),
            ("id x y".to_owned(), 1),
            "{text}"
        );
    }
    for text in [
        "# made by hand\n7 1 2\n",
        "# x y\n7 1 2\n",
        "7 1 2\n# id x y\n8 1 2\n",
        "c0,c1,c2\n7,1,2\n",
    ] {
        let points = parse(text.as_bytes()).expect("a good table");
        assert!(points.names.is_empty(), "{text}");
    }
}

#[test]
fn decimal_commas_are_refused_never_misread() {
    let hint = "'1,5' is not a number; use a decimal point";
    assert_eq!(fault("1,5;2,0\n"), format!("line 1: {hint}"));
    assert_eq!(fault("x;y\n1,5;2,0\n"), format!("line 2: {hint}"));
    assert_eq!(fault("1,5\t2,0\n"), format!("line 1: {hint}"));
    assert_eq!(fault("1 2\n1,5 2,0\n"), format!("line 2: {hint}"));
    assert_eq!(fault("1,5 2,0\n"), "line 1: '5 2' is not a number");

    assert_eq!(
        fault("x,y\n1,5,2,0\n"),
        "line 2: the row has 4 numbers where 2 are expected"
    );
}

#[test]
fn broken_rows_are_refused_with_their_line() {
    assert_eq!(
        fault("1,2\n3\n"),
        "line 2: the row has 1 numbers where 2 are expected"
    );
    assert_eq!(fault("1,2\n3,nan\n"), "line 2: 'nan' is not finite");
    assert_eq!(fault("1,2\n3,1e999\n"), "line 2: '1e999' is not finite");
    assert_eq!(fault("1,2,\n"), "line 1: field 3 is empty");
    assert_eq!(fault("1,two\n"), "line 1: 'two' is not a number");

    assert_eq!(
        fault("1\n2\n"),
        "line 1: points need at least 2 numbers per row"
    );
    assert_eq!(
        fault(&"1,".repeat(1 << 20)),
        "line 1: the row has more than 4096 columns"
    );

    assert_eq!(
        fault(&"x,".repeat(1 << 20)),
        "line 1: the row has more than 4096 columns"
    );
    assert_eq!(fault("# nothing\n"), "line 1: the file contains no numbers");

    assert!(fault("binary\0garbage").contains("neither numbers nor"));
}

#[test]
fn both_kinds_of_xyz_are_read() {
    assert_eq!(parse_xyz(b"1 2 3\n4 5 6\n").expect("points").len(), 2);
    let points =
        parse_xyz(b"2\n\nO 1 2 3\nH 4 5 6\n2\nnext\nO 1 2 3\nH 4 5 6\n").expect("molecules");
    assert_eq!(points.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(
        points
            .ignored
            .iter()
            .map(|ignored| ignored.count)
            .collect::<Vec<_>>(),
        [2, 4]
    );
    let fault = parse_xyz(b"4000000000\n\nO 1 2 3\n").unwrap_err();

    assert_eq!(
        fault.to_string(),
        "line 3: 4000000000 points are declared, but there are only 1"
    );
}
