//! What the commands make of surfaces that are not as they should be.

use std::process::{Command, Output};

/// Runs a command in a folder.
fn run(folder: &tempfile::TempDir, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .output()
        .expect("it starts")
}

fn json(folder: &tempfile::TempDir, arguments: &str) -> serde_json::Value {
    let output = run(folder, &format!("{arguments} --json"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments}: {stderr}"))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How a box is written.
#[derive(Clone, Copy)]
enum How {
    Sound,
    InsideOut,
    /// Every face with points of its own.
    Split,
    /// The same, moved apart by this.
    Loose(f64),
}

/// A box as OBJ, and the points before it.
fn cuboid(min: [f64; 3], max: [f64; 3], how: How, first: usize) -> String {
    const FACES: [[usize; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];

    let corner = |c: usize, off: f64| {
        let at = [0, 1, 2].map(|axis| {
            if c >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        });
        format!("v {} {} {}\n", at[0] + off, at[1], at[2])
    };

    let face = |nodes: [usize; 4]| {
        let [a, b, c, d] = nodes.map(|n| n + first + 1);
        format!("f {a} {b} {c} {d}\n")
    };
    let apart = |off: f64| -> String {
        let each = |f: usize| {
            let points = FACES[f].map(|c| corner(c, off * f as f64)).concat();
            points + &face([4 * f, 4 * f + 1, 4 * f + 2, 4 * f + 3])
        };
        (0..6).map(each).collect()
    };
    let points: String = (0..8).map(|c| corner(c, 0.0)).collect();

    match how {
        How::Sound => points + &FACES.map(face).concat(),
        How::InsideOut => points + &FACES.map(|[a, b, c, d]| face([a, d, c, b])).concat(),
        How::Split => apart(0.0),
        How::Loose(off) => apart(off),
    }
}

fn workshop(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("writes");
    }
    folder
}

const UNIT: [[f64; 3]; 2] = [[0.0; 3], [1.0; 3]];

#[test]
fn inside_out_and_split_surfaces_have_the_contacts_of_sound_ones() {
    let [min, max] = UNIT;
    let folder = workshop(&[
        ("sound.obj", cuboid(min, max, How::Sound, 0)),
        ("inward.obj", cuboid(min, max, How::InsideOut, 0)),
        ("split.obj", cuboid(min, max, How::Split, 0)),
        (
            "pin.obj",
            cuboid([0.8, 0.3, 0.3], [1.4, 0.7, 0.7], How::Sound, 0),
        ),
    ]);

    for (file, note) in [
        ("sound.obj", None),
        ("inward.obj", Some("was flipped")),
        ("split.obj", Some("16 points equal to others")),
    ] {
        let found = json(&folder, &format!("contacts {file} pin.obj"));
        assert_eq!(
            (&found["contacts"], &found["nodes_of_b"]),
            (&4.into(), &4.into()),
            "{file}"
        );
        let gap = found["deepest"].as_f64().expect("a gap");
        assert!((gap + 0.2).abs() < 1e-12, "{file}: {gap}");

        let output = run(&folder, &format!("distance {file} pin.obj --json"));
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let distance = found["distance"].as_f64().expect("a number");
        assert!((distance + 0.2).abs() < 1e-9, "{file}: {distance}");
        let said = stderr(&output);
        assert!(
            note.is_none_or(|note| said.contains(note)),
            "{file}: {said}"
        );

        let found = json(&folder, &format!("inside {file} pin.obj"));
        assert_eq!(
            (&found["inside"], &found["outside"]),
            (&4.into(), &4.into()),
            "{file}"
        );
    }

    assert_eq!(
        json(&folder, "self split.obj")["hits"],
        0,
        "neighbours are no hits"
    );
}

#[test]
fn surfaces_that_do_not_say_what_is_inside_are_refused_with_what_to_do() {
    let [min, max] = UNIT;
    // Two boxes that share an edge, named by the same points: 2-3 is 0-1 of the other.
    let mut pair = cuboid(min, max, How::Sound, 0);
    let second = cuboid([0.0, 1.0, -1.0], [1.0, 2.0, 0.0], How::Sound, 8);
    pair += &second;
    let mut twisted = cuboid(min, max, How::Sound, 0);
    twisted = twisted.replace("f 1 3 4 2", "f 1 2 4 3");
    let folder = workshop(&[
        ("pair.obj", pair),
        ("twisted.obj", twisted),
        (
            "pin.obj",
            cuboid([0.8, 0.3, 0.3], [1.4, 0.7, 0.7], How::Sound, 0),
        ),
    ]);

    // Welded, the edge has four triangles.
    for command in [
        "contacts pair.obj pin.obj --weld 1e-9",
        "inside pair.obj pin.obj --weld 1e-9",
    ] {
        let output = run(&folder, command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let said = stderr(&output);
        assert!(
            said.contains("4 triangles") && said.contains("separate files"),
            "{said}"
        );
    }

    for command in [
        "contacts twisted.obj pin.obj",
        "distance twisted.obj pin.obj",
    ] {
        let output = run(&folder, command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(
            stderr(&output).contains("consistently first"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_weld_that_would_close_a_surface_is_named_and_closes_it() {
    let [min, max] = UNIT;
    let folder = workshop(&[("loose.obj", cuboid(min, max, How::Loose(1e-8), 0))]);
    let info = json(&folder, "info loose.obj");
    assert_eq!(
        (&info["closed"], &info["closing_weld"]),
        (&false.into(), &1e-7.into())
    );
    let text = run(&folder, "info loose.obj").stdout;
    assert!(String::from_utf8_lossy(&text).contains("--weld 1e-7 closes it"));

    assert!(
        stderr(&run(&folder, "convert loose.obj a.stl --repair")).contains("--weld 1e-7 closes it")
    );

    let info = json(&folder, "info loose.obj --weld 1e-7");
    assert_eq!(
        (&info["closed"], &info["welded"]),
        (&true.into(), &16.into())
    );
    assert!(
        run(&folder, "convert loose.obj a.stl --repair --weld 1e-7")
            .status
            .success()
    );

    assert_eq!(
        json(&folder, "info a.stl")["volume"]
            .as_f64()
            .map(|v| (v - 1.0).abs() < 1e-6),
        Some(true)
    );
}

#[test]
fn a_comb_of_one_polygon_has_the_area_of_its_outline() {
    // Two posts of 2 by 10 on a foot of 11 by 2, as one polygon: area 62.
    let comb = "v 0 0 0\nv 11 0 0\nv 11 12 0\nv 9 12 0\nv 9 2 0\nv 2 2 0\nv 2 12 0\nv 0 12 0\nf 1 2 3 4 5 6 7 8\n";
    let bow = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3 4\n";
    let folder = workshop(&[("comb.obj", comb.to_owned()), ("bow.obj", bow.to_owned())]);
    assert_eq!(json(&folder, "info comb.obj")["area"], 62.0);
    let output = run(&folder, "info bow.obj");
    assert_eq!(output.status.code(), Some(2));

    assert!(
        stderr(&output).contains("face 1 (4 corners) crosses itself"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_part_that_is_inside_out_beside_another_is_refused_and_a_cavity_is_not() {
    let [min, max] = UNIT;
    let with = |low: f64, up: f64, x: f64| {
        let second = cuboid([low + x, low, low], [up + x, up, up], How::InsideOut, 8);
        cuboid(min, max, How::Sound, 0) + &second
    };
    let folder = workshop(&[
        ("cavity.obj", with(0.25, 0.75, 0.0)),
        ("beside.obj", with(0.25, 0.75, 2.0)),
        // As large as the first: no volume in all.
        ("equal.obj", with(0.0, 1.0, 2.0)),
        (
            "pin.obj",
            cuboid([0.8, 0.3, 0.3], [1.4, 0.7, 0.7], How::Sound, 0),
        ),
    ]);

    for command in ["inside", "contacts", "distance"] {
        let sound = run(&folder, &format!("{command} cavity.obj pin.obj"));
        let said = stderr(&sound);
        assert!(!said.contains("ambiguous"), "{command}: {said}");

        let refused = run(&folder, &format!("{command} beside.obj pin.obj"));
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{command}: {said}");
        assert!(
            said.contains("triangle 12 faces inward and is not a cavity"),
            "{command}: {said}"
        );

        let refused = run(&folder, &format!("{command} equal.obj pin.obj"));
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{command}: {said}");
        assert!(
            said.contains("flip the parts that face inward"),
            "{command}: {said}"
        );
    }
}

#[test]
fn sizes_beyond_memory_are_refused_with_a_sentence() {
    let folder = workshop(&[]);
    for kind in [
        "foam --triangles 1000000000000",
        "v --tetrahedra 1000000000000",
        "brick --cells 100000,100000,100000",
        "wall --cells 1000000,1000000",
        "block --cells 1000000000,1000000000,1000000000",
        "torus --cells 10000000,10000000",
        "sphere --level 40",
        "icosphere --level 400",
    ] {
        let refused = run(&folder, &format!("mesh {kind} -o a.vtu"));
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{kind}: {said}");
        assert!(
            said.contains("GB of memory") || said.contains("must be"),
            "{kind}: {said}"
        );
    }
}
