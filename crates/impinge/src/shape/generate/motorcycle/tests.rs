use super::*;
use crate::shape::inspect_triangles;

#[test]
fn it_has_about_the_size_of_the_papers_mesh_and_is_closed() {
    let body = motorcycle();
    // [Aragon2013, section 5.2]: 9,981 nodes and 17,955 elements.
    assert!(
        body.triangles().len().abs_diff(17_955) < 180,
        "{}",
        body.triangles().len()
    );
    assert!(
        body.points().len().abs_diff(9_981) < 1_000,
        "{}",
        body.points().len()
    );
    let report = inspect_triangles(body.points(), body.triangles());
    assert!(report.closed && report.oriented && report.manifold);
    assert_eq!(report.problems, []);

    assert_eq!((report.components, report.genus), (49, Some(2)));
}

#[test]
fn it_stands_on_the_ground_and_is_as_wide_left_as_right() {
    let bounds = *motorcycle().bounds();
    assert!(bounds.min.z.abs() < 1e-3 && bounds.max.z < 1.1);
    assert!((bounds.min.y + bounds.max.y).abs() < 1e-9);
    assert!((2.0..2.3).contains(&bounds.extent().x));
}
