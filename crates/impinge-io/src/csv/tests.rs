use super::*;

fn written(columns: &[(&str, Column)]) -> String {
    let columns: Vec<_> = columns
        .iter()
        .map(|(name, column)| ((*name).to_owned(), column.clone()))
        .collect();
    let mut bytes = Vec::new();

    write(&columns, &mut bytes).map_or_else(
        |e| e.to_string(),
        |()| String::from_utf8(bytes).expect("text"),
    )
}

#[test]
fn every_kind_of_column_is_written() {
    let text = written(&[
        ("x", Column::Real(vec![-0.0, 1e-300])),
        ("n", Column::Whole(vec![-1, i64::MAX])),
        (
            "kind, of",
            Column::Text(vec!["plain".to_owned(), "say \"so\"".to_owned()]),
        ),
    ]);
    assert_eq!(
        text,
        "x,n,\"kind, of\"\n0.0,-1,plain\n1e-300,9223372036854775807,\"say \"\"so\"\"\"\n"
    );
}

#[test]
fn columns_of_unlike_length_are_refused() {
    let text = written(&[("x", Column::Real(vec![0.1])), ("n", Column::Whole(vec![]))]);
    assert_eq!(text, "column n has 0 rows where the first has 1");
}
