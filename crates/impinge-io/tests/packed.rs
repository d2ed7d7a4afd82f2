//! Formats that pack other files: 3MF and GLB.

#[allow(dead_code)] // Shared with the test of broken files.
#[path = "mutate/packed_seeds.rs"]
mod packed_seeds;

use impinge::shape::{Surface, inspect};
use impinge_io::{Dataset, Format};
use packed_seeds::*;

fn volume(dataset: &Dataset) -> f64 {
    let surface = Surface::from_mesh(&dataset.mesh).expect("closed and outward");
    surface.volume()
}

#[test]
fn items_of_a_3mf_file_stand_where_they_are_placed() {
    for file in threemf() {
        let dataset = Format::ThreeMf.parse(&file).expect("a good file");
        // One of volume ⅙, one of twice the size, mirrored and still outward.
        assert!((volume(&dataset) - 9.0 / 6.0).abs() < 1e-12);
        let bounds = dataset.mesh.bounds();
        assert_eq!((bounds.min.x, bounds.max.x, bounds.max.z), (0.0, 10.0, 2.0));
        assert_eq!(inspect(&dataset.mesh).surface.components, 2);
        assert_eq!(dataset.ignored[0].count, 1);
    }
}

#[test]
fn nodes_of_a_glb_file_stand_where_they_are_placed() {
    let dataset = Format::Glb.parse(&glb()[0]).expect("a good file");
    assert!((volume(&dataset) - 9.0 / 6.0).abs() < 1e-12);
    let bounds = dataset.mesh.bounds();
    assert_eq!((bounds.min.x, bounds.max.x, bounds.max.z), (0.0, 10.0, 2.0));
    assert_eq!(dataset.mesh.points.len(), 8, "split corners are merged");

    let turned = r#"[{"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476],"translation":[0,0,1]}]"#;
    let dataset = Format::Glb.parse(&container(&scene(turned, "[0]"), &tetrahedron_data()));
    let bounds = dataset.expect("a good file").mesh.bounds();
    assert!((bounds.min.x + 1.0).abs() < 1e-12 && (bounds.max.z - 2.0).abs() < 1e-12);
}

#[test]
fn bombs_of_3mf_are_refused() {
    let reason = |file: &[u8]| Format::ThreeMf.parse(file).unwrap_err().reason;

    // 100 megabytes of white space in some 100 kilobytes.
    let spaces = " ".repeat(100 << 20);
    let bomb = package(&model(&spaces, r#"<item objectid="1"/>"#), true);
    assert!(
        bomb.len() < 1 << 20 && reason(&bomb).contains("expand beyond"),
        "{}",
        reason(&bomb)
    );

    // Thirty objects, each of which uses the one before twice.
    let twice = |id: u32| {
        let part = format!(r#"<component objectid="{}"/>"#, id - 1);
        format!(r#"<object id="{id}"><components>{part}{part}</components></object>"#)
    };
    let laughs: String = (2..32).map(twice).collect();
    let bomb = package(&model(&laughs, r#"<item objectid="31"/>"#), true);
    assert!(reason(&bomb).contains("expand beyond"), "{}", reason(&bomb));

    let circle = r#"<object id="2"><components><component objectid="2"/></components></object>"#;
    let bomb = package(&model(circle, r#"<item objectid="2"/>"#), true);
    assert!(
        reason(&bomb).contains("nested too deeply"),
        "{}",
        reason(&bomb)
    );

    let entity = r#"<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>"#;
    let bomb = package(
        &model("", "").replace("<model", &format!("{entity}<model")),
        true,
    );

    assert!(
        reason(&bomb).contains("document types"),
        "{}",
        reason(&bomb)
    );
}

#[test]
fn a_zip_archive_that_lies_about_sizes_is_refused() {
    let good = package(&model("", r#"<item objectid="1"/>"#), true);
    assert!(Format::ThreeMf.parse(&good).is_ok());
    let entry = good
        .windows(4)
        .rposition(|w| w == b"PK\x01\x02")
        .expect("a directory");

    for size in [1u32, 0x7fff_ffff, u32::MAX] {
        for field in [20, 24, 42] {
            let mut file = good.clone();
            file[entry + field..entry + field + 4].copy_from_slice(&size.to_le_bytes());
            assert!(Format::ThreeMf.parse(&file).is_err(), "{size} at {field}");
        }
    }
}

#[test]
fn bombs_and_lies_of_glb_are_refused() {
    let reason = |json: &str| {
        let file = container(json, &tetrahedron_data());
        Format::Glb.parse(&file).unwrap_err().reason
    };
    let twice = |i: u32| format!(r#"{{"children":[{},{}]}}"#, i + 1, i + 1);
    let nodes: Vec<String> = (0..60).map(twice).chain([r#"{"mesh":0}"#.into()]).collect();
    let laughs = scene(&format!("[{}]", nodes.join(",")), "[0]");
    assert!(
        reason(&laughs).contains("expand beyond"),
        "{}",
        reason(&laughs)
    );
    assert!(reason(&scene(r#"[{"children":[0]}]"#, "[0]")).contains("nested too deeply"));

    let good = scene(NODES, "[0,1]");
    for (part, lie) in [
        (
            r#""count":12,"type":"VEC3""#,
            r#""count":4000000000000000,"type":"VEC3""#,
        ),
        (r#""count":12,"type":"VEC3""#, r#""count":11,"type":"VEC3""#),
        (
            r#""byteOffset":144"#,
            r#""byteOffset":18446744073709551615"#,
        ),
        (r#""byteLength":24"#, r#""byteLength":23"#),
        (r#""indices":1"#, r#""indices":7"#),
        (r#""mesh":0,"#, r#""mesh":1,"#),
        (r#"-1,0,0,0"#, r#"1e308,1e308,0,0"#),
        (
            r#""scene":0"#,
            r#""scene":0,"extensionsRequired":["KHR_draco_mesh_compression"]"#,
        ),
    ] {
        let broken = good.replace(part, lie);
        assert_ne!(broken, good, "{part}");
        reason(&broken);
    }
}
