use super::*;
use impinge::shape::Mesh;
use impinge::space::Point;

#[test]
fn a_series_is_whole_after_every_step_and_can_be_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a & b.pvd");
    let mut series = Series::create(&path).expect("starts");

    for step in 0..3 {
        let mesh = Mesh {
            points: vec![Point::from([f64::from(step), 0.0, 0.0])],
            ..Mesh::default()
        };
        series
            .append(0.1 * f64::from(step), Format::Vtu, &mesh.into())
            .expect("appends");
        assert_eq!(Series::open(&path).expect("whole"), series);
    }

    assert_eq!(series.steps()[2].file, "a & b_000002.vtu");
    let last = crate::read(&folder.path().join("a & b_000002.vtu")).expect("the last step");
    assert_eq!(last.mesh.points[0].x, 2.0);
    series.cut(0.15).expect("cuts");
    assert_eq!(series.steps().len(), 2);
    assert!(series.append_file(f64::NAN, "x.vtu").is_err());

    assert_eq!(Series::open(&path).expect("whole"), series);
}

#[test]
fn a_broken_collection_is_refused() {
    for text in [
        "",
        "<a/>",
        "<Collection>",
        "<Collection><DataSet file='a'/></Collection>",
        "<!DOCTYPE a>",
    ] {
        let parsed = parse(text.as_bytes());
        assert!(parsed.is_err() || text == "<Collection>", "{text}");
    }

    let nan = "<Collection><DataSet timestep='nan' file='a'/></Collection>";
    assert!(
        parse(nan.as_bytes())
            .unwrap_err()
            .reason
            .contains("'nan' is not a number")
    );
}
