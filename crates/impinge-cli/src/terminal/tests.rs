use super::*;
use std::path::Path;

#[test]
fn hints_follow_the_kind_of_an_error_and_not_its_text() {
    let misleading = Path::new("No such file/boundary breaks the surface.stl");
    let system =
        |kind: ErrorKind| anyhow::Error::new(impinge_io::Error::system(misleading, kind.into()));
    assert_eq!(hint(&system(ErrorKind::StorageFull)), None);
    assert!(hint(&system(ErrorKind::NotFound)).is_some_and(|hint| hint.contains("path")));

    let nested = system(ErrorKind::PermissionDenied).context("while reading the boundary");
    assert!(hint(&nested).is_some_and(|hint| hint.contains("check the permissions")));
    assert_eq!(hint(&anyhow::anyhow!("No such file, faces inward")), None);
}

#[test]
fn numbers_of_any_size_are_shown_with_their_digits_and_zero_without_a_sign() {
    let shown = [-0.0, 6.0, -1.25, 1.234_567_89e-6, 4e-18, 0.1 + 0.2, 2e12].map(digits);
    let expected = ["0", "6", "-1.25", "1.234568e-6", "4e-18", "0.3", "2e12"];
    assert_eq!(shown, expected);
}

#[test]
fn numbers_are_grouped_by_three() {
    assert_eq!(
        [0, 999, 1000, 131_072, 1_000_000].map(grouped),
        ["0", "999", "1,000", "131,072", "1,000,000"]
    );
    assert_eq!(
        (count(1, "triangle"), count(2, "triangle")),
        ("1 triangle".into(), "2 triangles".into())
    );
}
