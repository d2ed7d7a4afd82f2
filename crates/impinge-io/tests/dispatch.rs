//! The functions `read` and `write`: formats by extension, and contents that contradict it.

use impinge::shape::{ElementKind, Mesh};
use impinge::space::Point;
use impinge_io::{Dataset, Field, Format, read, write};
use std::path::PathBuf;

fn tetrahedron_surface() -> Dataset {
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.5],
    ]
    .map(Point::from)
    .to_vec();
    Mesh::of_triangles(points, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).into()
}

fn written() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.is_written())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn file(folder: &tempfile::TempDir, format: Format) -> PathBuf {
    folder
        .path()
        .join("mesh")
        .with_extension(format.extension())
}

#[test]
fn every_written_format_gives_the_surface_back() {
    let folder = folder();
    for format in written() {
        let path = file(&folder, format);
        let left_out = write(&path, &tetrahedron_surface()).expect("writes");
        assert_eq!(left_out, [], "{format:?}");
        let mesh = read(&path).expect("reads").mesh;
        let corners = |mesh: &Mesh| -> Vec<[Point<3>; 3]> {
            mesh.triangles()
                .iter()
                .map(|t| t.map(|node| mesh.points[node as usize]))
                .collect()
        };

        assert_eq!(
            corners(&mesh),
            corners(&tetrahedron_surface().mesh),
            "{format:?}"
        );

        assert_eq!(mesh.points.len(), 4, "{format:?}");
    }
}

#[test]
fn a_wrong_extension_is_reported_with_the_right_one() {
    let folder = folder();
    for of in written() {
        let path = file(&folder, of);
        write(&path, &tetrahedron_surface()).expect("writes");
        for named in Format::ALL.into_iter().filter(|&named| named != of) {
            let wrong = folder
                .path()
                .join("wrong")
                .with_extension(named.extension());
            std::fs::copy(&path, &wrong).expect("copies");
            let error = read(&wrong).unwrap_err().to_string();
            let (named, of) = (
                named.extension().to_uppercase(),
                of.extension().to_uppercase(),
            );
            let expected =
                format!(": the extension says {named} but the file looks like {of}; rename it");

            assert!(error.ends_with(&expected), "{error}");
        }
    }
}

#[test]
fn what_is_no_mesh_is_named() {
    let folder = folder();
    for (bytes, reason) in [
        (&b""[..], "the file is empty"),
        (
            b"\x1f\x8b\x08\0rest",
            "compressed with gzip; unpack it first",
        ),
        (b"PK\x03\x04rest", "a ZIP archive"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "a Git LFS pointer",
        ),
    ] {
        for format in Format::ALL {
            let path = file(&folder, format);
            std::fs::write(&path, bytes).expect("writes");
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}

#[test]
fn unknown_extensions_and_missing_files_are_errors() {
    let folder = folder();
    for name in ["mesh", "mesh.docx", ".stl"] {
        let error = read(&folder.path().join(name)).unwrap_err().to_string();
        assert!(
            error.contains("unsupported mesh format") && error.contains("stl, obj"),
            "{error}"
        );
        assert!(write(&folder.path().join(name), &tetrahedron_surface()).is_err());
    }

    let error = read(&folder.path().join("nothing.stl"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("nothing.stl: "), "{error}");
}

#[test]
fn nothing_appears_where_a_dataset_is_refused() {
    let folder = folder();
    let mut index = tetrahedron_surface();
    index.mesh.blocks[0].nodes[5] = 4;
    let mut infinite = tetrahedron_surface();
    infinite.mesh.points[2].y = f64::INFINITY;
    let mut short = tetrahedron_surface();
    short.point_fields.push(Field::scalar("heat", vec![0.0; 3]));

    for format in written() {
        for (dataset, reason) in [
            (&index, "a tri3 has node 4, but there are 4 points"),
            (&infinite, "point 2 has a coordinate that is not finite"),
            (
                &short,
                "field heat has 3 numbers for 4 items of 1 components",
            ),
        ] {
            let error = write(&file(&folder, format), dataset)
                .unwrap_err()
                .to_string();
            assert!(error.ends_with(reason), "{error}");
        }
    }

    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        0
    );
}

#[test]
fn surface_formats_say_what_they_leave_out() {
    let folder = folder();
    let mut dataset = tetrahedron_surface();
    dataset.mesh.push(ElementKind::Line2, &[0, 1]);
    dataset.mesh.points[3] = Point::from([-0.5, 0.5, 0.5]);
    dataset.mesh.push(ElementKind::Quad4, &[0, 1, 2, 3]);
    dataset
        .point_fields
        .push(Field::scalar("heat", vec![0.0; 4]));

    let reported = |format: Format| -> Vec<String> {
        let left_out = write(&file(&folder, format), &dataset).expect("writes");
        left_out
            .into_iter()
            .map(|ignored| format!("{} {}", ignored.count, ignored.what))
            .collect()
    };

    for format in [Format::Stl, Format::Obj, Format::Off] {
        assert_eq!(reported(format), ["1 line2 elements", "1 point fields"]);
    }

    assert_eq!(reported(Format::Ply), ["1 line2 elements"]);
    assert_eq!(
        read(&file(&folder, Format::Stl))
            .expect("reads")
            .mesh
            .triangles()
            .len(),
        6
    );
    let tetrahedron = Mesh::of_tetrahedra(dataset.mesh.points.clone(), &[[0, 1, 2, 3]]).into();

    for format in [Format::Stl, Format::Obj, Format::Off, Format::Ply] {
        let error = write(&file(&folder, format), &tetrahedron)
            .unwrap_err()
            .to_string();
        assert!(error.ends_with("take their boundary first"), "{error}");
    }
}
