use super::*;

fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = [MARK, &[version, 0]].concat();
    match version {
        1 => file.extend((header.len() as u16).to_le_bytes()),
        _ => file.extend((header.len() as u32).to_le_bytes()),
    }

    file.extend(header.as_bytes());
    file.extend(data);
    file
}

fn header(kind: &str, order: &str, shape: &str) -> String {
    format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n")
}

#[test]
fn every_type_and_end_is_read() {
    let two = [1.0_f64, -2.5];
    let real = |kind: &str, data: Vec<u8>| {
        let array = parse(&file(1, &header(kind, "False", "(2,)"), &data)).expect("a good file");
        assert_eq!(
            array,
            Array {
                shape: vec![2],
                values: Values::Real(two.to_vec())
            },
            "{kind}"
        );
    };
    real("<f8", two.iter().flat_map(|x| x.to_le_bytes()).collect());
    real(">f8", two.iter().flat_map(|x| x.to_be_bytes()).collect());

    real(
        "<f4",
        two.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect(),
    );
    real(
        ">f4",
        two.iter().flat_map(|&x| (x as f32).to_be_bytes()).collect(),
    );

    let whole = |kind: &str, data: &[u8], expected: [i64; 2]| {
        let array = parse(&file(2, &header(kind, "False", "(2,)"), data)).expect("a good file");
        assert_eq!(array.values, Values::Whole(expected.to_vec()), "{kind}");
    };
    whole("|i1", &[1, 0xff], [1, -1]);
    whole("|u1", &[1, 0xff], [1, 255]);
    whole("|b1", &[1, 0], [1, 0]);
    whole("<i2", &[1, 0, 0xff, 0xff], [1, -1]);
    whole(">u2", &[0, 1, 0xff, 0xff], [1, 65535]);
    whole("<i4", &[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], [1, -1]);

    whole(
        ">i8",
        &[[0, 0, 0, 0, 0, 0, 0, 1], [0xff; 8]].concat(),
        [1, -1],
    );

    whole(
        "<u8",
        &[[1, 0, 0, 0, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0, 0]].concat(),
        [1, 7],
    );
}

#[test]
fn columns_are_turned_into_rows() {
    let array = parse(&file(
        1,
        &header("|u1", "True", "(2, 3)"),
        &[1, 2, 3, 4, 5, 6],
    ))
    .expect("a good file");
    assert_eq!(array.values, Values::Whole(vec![1, 3, 5, 2, 4, 6]));

    assert_eq!(array.shape, [2, 3]);
}

#[test]
fn what_is_written_is_read_again_and_is_aligned() {
    for (shape, values) in [
        (
            vec![2, 2],
            Values::Real(vec![0.1, -0.0, 1e300, f64::INFINITY]),
        ),
        (vec![3], Values::Whole(vec![i64::MIN, 0, i64::MAX])),
        (vec![0, 4], Values::Real(vec![])),
    ] {
        let array = Array { shape, values };
        let mut bytes = Vec::new();
        write(&array, &mut bytes).expect("writes");
        assert_eq!((bytes.len() - 8 * array.values.len()) % ALIGNMENT, 0);
        assert_eq!(parse(&bytes).expect("reads"), array);
    }
}

#[test]
fn broken_files_are_refused() {
    let huge = "(4611686018427387904, 4)";
    for (file, reason) in [
        (b"\x93NUMPX".to_vec(), "begins with"),
        (file(9, "", &[]), "version 9"),
        (
            file(1, &header("<f8", "False", "(2,)"), &[0; 15]),
            "2 items of 8 bytes",
        ),
        (
            file(1, &header("<f8", "False", "(2,)"), &[0; 17]),
            "1 bytes follow",
        ),
        (
            file(1, &header("<f8", "False", huge), &[0; 16]),
            "items of 8 bytes",
        ),
        (
            file(1, &header("<f8", "False", "(-1, 2)"), &[]),
            "'-1' is not a length",
        ),
        (
            file(1, &header("<f8", "False", "()"), &[0; 8]),
            "0 dimensions",
        ),
        (
            file(1, &header("<c16", "False", "(1,)"), &[0; 16]),
            "'<c16' are not supported",
        ),
        (
            file(1, "{'descr': [('x', '<f8')], 'fortran_order': False}", &[]),
            "records",
        ),
        (
            file(1, &header("<u8", "False", "(1,)"), &[0xff; 8]),
            "63 bits",
        ),
        (file(1, "{}", &[]), "no 'descr'"),
    ] {
        let fault = parse(&file).unwrap_err().to_string();
        assert!(fault.contains(reason), "{fault}");
    }
}
