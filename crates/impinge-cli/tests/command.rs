//! The command as a user meets it: arguments in, files, output and exit codes out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that the commands of one test run in.
struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impinge"));
        command
            .args(arguments.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("it starts")
    }

    /// Runs a command that must succeed, and returns what it printed.
    fn print(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "impinge {arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );

        String::from_utf8(output.stdout).expect("text")
    }

    fn json(&self, arguments: &str) -> serde_json::Value {
        serde_json::from_str(&self.print(&format!("{arguments} --json"))).expect("JSON")
    }

    /// Runs a command that must fail with 2, and returns what it said.
    fn error(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "impinge {arguments}");
        assert!(
            output.stdout.is_empty(),
            "an error prints nothing on standard output"
        );

        String::from_utf8(output.stderr).expect("text")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("writes");
    }
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder)
        .expect("a folder")
        .next()
        .is_none()
}

#[test]
fn a_foam_is_closed_oriented_and_connected_in_every_surface_format() {
    let shop = TestFolder::new();
    shop.print("mesh foam --triangles 10000 --seed 3 -o foam.stl");
    for file in [
        "foam.stl", "foam.obj", "foam.ply", "foam.off", "foam.vtp", "foam.vtu", "foam.msh",
    ] {
        if file != "foam.stl" {
            shop.print(&format!("convert foam.stl {file}"));
        }
        let info = shop.json(&format!("info {file}"));
        for fact in ["closed", "oriented", "manifold"] {
            assert_eq!(info[fact], true, "{file} {fact}");
        }
        assert_eq!(
            (info["components"].as_u64(), info["order"].as_u64()),
            (Some(1), Some(1)),
            "{file}"
        );
        assert!(
            info["triangles"]
                .as_f64()
                .is_some_and(|n| (n / 10_000.0 - 1.0).abs() < 0.02),
            "{file}"
        );
        assert!(
            info["genus"].as_u64().is_some_and(|genus| genus > 20),
            "{file}"
        );
        assert_eq!(info["problems"].as_array().map(Vec::len), Some(0), "{file}");
    }
}

/// Every field that docs/json.md names for a command is in what it printed.
fn assert_documented(command: &str, printed: &serde_json::Value) {
    let documented = include_str!("../../../docs/json.md");
    let section = documented
        .split("\n## `")
        .find(|section| section.starts_with(command))
        .expect("documented");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let names: Vec<&str> = rows
        .flat_map(|row| {
            row.split(" |")
                .next()
                .unwrap_or_default()
                .split('`')
                .step_by(2)
        })
        .collect();
    assert!(names.len() > 4, "{names:?}");

    for name in names.into_iter().filter(|name| !name.is_empty()) {
        let value = name.split('.').fold(printed, |value, key| &value[key]);
        let may_be_null = ["genus", "volume", "closing_weld"].contains(&name);
        assert!(
            may_be_null || !value.is_null(),
            "{name} is documented but not printed"
        );
    }
}

#[test]
fn every_documented_field_of_info_is_there() {
    let shop = TestFolder::new();
    shop.print("mesh brick --cells 2,1,1 --element tet --order 2 -o brick.vtu");
    let info = shop.json("info brick.vtu");
    assert_documented("impinge info", &info);
    assert_eq!(info["tetrahedra"], 12);
    assert_eq!(info["order"], 2);
    assert!((info["volume"].as_f64().expect("a volume") - 2.0).abs() < 1e-12);

    assert_eq!(info["bounds"]["max"], serde_json::json!([2.0, 1.0, 1.0]));
}

#[test]
fn bricks_of_both_families_and_orders_survive_the_formats() {
    let shop = TestFolder::new();
    for (element, order, kind) in [
        ("tet", 1, "tet4"),
        ("tet", 2, "tet10"),
        ("hex", 1, "hex8"),
        ("hex", 2, "hex27"),
    ] {
        shop.print(&format!(
            "mesh brick --cells 2,2,2 --element {element} --order {order} -o brick.msh"
        ));
        shop.print("convert brick.msh brick.vtu");
        for file in ["brick.msh", "brick.vtu"] {
            let info = shop.json(&format!("info {file}"));
            assert!(
                info["elements"][kind].as_u64().is_some_and(|n| n >= 8),
                "{file} {kind}"
            );
            assert!(
                (info["volume"].as_f64().expect("closed") - 8.0).abs() < 1e-12,
                "{file} {kind}"
            );

            assert_eq!(
                info["problems"].as_array().map(Vec::len),
                Some(0),
                "{file} {kind}: {}",
                info["problems"]
            );
        }
        shop.print("convert brick.vtu skin.stl --boundary");
        assert_eq!(shop.json("info skin.stl")["closed"], true);
    }
}

#[test]
fn each_kind_of_broken_surface_is_reported_and_checked() {
    let tetrahedron = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
    let cases = [
        (
            "open.off",
            "3 0 2 1\n3 0 1 3\n3 1 2 3\n",
            "3 0 2 1\n",
            "open-edge",
        ),
        (
            "inward.off",
            "3 0 1 2\n3 0 3 1\n3 1 3 2\n3 2 3 0\n",
            "",
            "inside-out",
        ),
        (
            "twisted.off",
            "3 0 1 2\n3 0 1 3\n3 1 2 3\n3 2 0 3\n",
            "",
            "inconsistent-orientation",
        ),
    ];
    let shop = TestFolder::new();

    for (file, faces, _, kind) in cases {
        let count = faces.lines().count();
        shop.write(
            file,
            &format!(
                "{}{faces}",
                tetrahedron.replace("4 4 0", &format!("4 {count} 0"))
            ),
        );
        let info = shop.json(&format!("info {file}"));
        assert_eq!(info["problems"][0]["kind"], kind, "{file}");

        assert_eq!(
            shop.run(&format!("info {file} --check")).status.code(),
            Some(1),
            "{file}"
        );

        assert_eq!(
            shop.run(&format!("info {file}")).status.code(),
            Some(0),
            "{file}"
        );
    }

    shop.print("convert inward.off outward.off --repair");
    assert_eq!(shop.run("info outward.off --check").status.code(), Some(0));
    assert!(
        shop.error("convert open.off mended.off --repair")
            .contains("edge")
    );

    assert!(!shop.path("mended.off").exists());
}

#[test]
fn errors_name_the_file_the_place_and_a_hint_and_leave_nothing_behind() {
    let shop = TestFolder::new();
    let folder = shop.path("empty");
    std::fs::create_dir(&folder).expect("a folder");
    shop.write("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    assert!(shop.error("info nan.obj").contains("nan.obj:2"));
    let missing = shop.error("info nothing.stl");
    assert!(
        missing.contains("nothing.stl") && missing.contains("hint:"),
        "{missing}"
    );

    assert!(
        shop.error("mesh sphere --level 99 -o empty/s.stl")
            .contains("level is 99")
    );
    assert!(
        shop.error("mesh sphere --level 2 -o empty/s.xyzzy")
            .contains("xyzzy")
    );

    assert!(
        shop.error("mesh brick --cells 2,2 -o empty/b.vtu")
            .contains("3 comma-separated numbers, found 2")
    );
    shop.print("mesh brick --cells 1,1,1 --element tet -o b.vtu");
    assert!(
        shop.error("convert b.vtu empty/b.stl")
            .contains("--boundary")
    );

    assert!(is_empty(&folder));
}

/// The writing end of a pipe without a reader.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[test]
fn a_reader_that_goes_away_stops_the_talking_and_not_the_work() {
    let shop = TestFolder::new();
    shop.write(
        "inward.off",
        "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 3 1\n3 1 3 2\n3 2 3 0\n",
    );

    for (arguments, code, file) in [
        ("convert inward.off mended.off --repair", 0, "mended.off"),
        ("demo --spheres 20 -o demo", 0, "demo/points.vtu"),
        ("mesh block -o block.stl", 0, "block.stl"),
        ("info inward.off --check", 1, "inward.off"),
    ] {
        let status = shop
            .command(arguments)
            .stdout(closed_pipe())
            .status()
            .expect("it starts");
        assert_eq!(status.code(), Some(code), "{arguments}");
        assert!(shop.path(file).exists(), "{arguments}");
    }
}

#[test]
fn an_error_that_cannot_be_printed_is_still_an_error_and_no_panic() {
    let shop = TestFolder::new();
    for arguments in ["info nothing.stl", "mesh sphere --level 99 -o s.stl"] {
        let status = shop
            .command(arguments)
            .stderr(closed_pipe())
            .status()
            .expect("it starts");
        assert_eq!(status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn what_is_too_large_for_the_memory_gets_a_sentence() {
    let shop = TestFolder::new();
    for arguments in [
        "mesh points --count 1000000000000 -o p.csv",
        "mesh points --count 18446744073709551615 -o p.csv",
        "mesh spheres --count 1000000000000 -o p.csv",
        "mesh polygon --vertices 1000000000000 -o p.csv",
    ] {
        let said = shop.error(arguments);
        assert!(said.contains("GB of memory"), "{arguments}: {said}");
    }

    shop.print("mesh block -o block.stl -q");
    let said = shop.error("inside block.stl grid:2000 -o cloud.vtu");
    assert!(
        said.contains("8,000,000,000 points are too many for a .vtu"),
        "{said}"
    );
}

#[test]
fn a_grid_is_located_layer_by_layer_as_the_list_of_its_points() {
    let shop = TestFolder::new();
    shop.print("mesh foam --triangles 5000 -o foam.ply");
    for method in ["auto", "ray", "multipole"] {
        shop.print(&format!(
            "inside foam.ply grid:9 --method {method} -o grid.csv"
        ));
        let grid = std::fs::read_to_string(shop.path("grid.csv")).expect("a file");
        assert_eq!(grid.lines().count(), 1 + 9 * 9 * 9, "{method}");
        let coordinates = grid.lines().map(|line| {
            let cells: Vec<&str> = line.split(',').take(3).collect();
            cells.join(",") + "\n"
        });
        shop.write("points.csv", &coordinates.collect::<String>());
        shop.print(&format!(
            "inside foam.ply points.csv --method {method} -o list.csv"
        ));
        let list = std::fs::read_to_string(shop.path("list.csv")).expect("a file");

        assert_eq!(list, grid, "{method}");
    }

    for file in ["grid.npy", "list.npy"] {
        let points = if file == "grid.npy" {
            "grid:9"
        } else {
            "points.csv"
        };
        shop.print(&format!("inside foam.ply {points} --open -o {file}"));
    }

    let bytes = |file: &str| std::fs::read(shop.path(file)).expect("a file");
    assert!(bytes("grid.npy") == bytes("list.npy"));
}

#[test]
fn a_micrometre_part_is_described_with_digits() {
    let shop = TestFolder::new();
    shop.print("mesh block --size 2e-6,3e-6,4e-6 -o tiny.obj");
    let said = shop.print("info tiny.obj");
    assert!(
        said.contains("to (2e-6, 3e-6, 4e-6)") && said.contains("area 5.2e-11, volume 2.4e-17"),
        "{said}"
    );

    assert!(said.contains("edges       2e-6 to "), "{said}");
}

#[test]
fn zero_has_no_sign_in_what_is_printed() {
    let shop = TestFolder::new();
    shop.print("mesh block -o cube.stl -q");
    shop.write("negative.obj", "v -0 -0 -0\nv 1 0 0\nv 0 1 -0\nf 1 2 3\n");

    for arguments in [
        "info negative.obj",
        "info negative.obj --json",
        "distance cube.stl cube.stl --pose-b -1,0,0",
        "distance cube.stl cube.stl --pose-b -1,0,0 --json",
    ] {
        let said = shop.print(arguments);
        assert!(!said.contains("-0,") && !said.contains("-0.0"), "{said}");
    }
}

#[test]
fn quiet_commands_say_nothing_but_errors() {
    let shop = TestFolder::new();
    shop.write(
        "normals.obj",
        "v 0 0 0\nv 1.1 0 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3\n",
    );

    for (arguments, speaks) in [
        ("convert normals.obj out.stl", true),
        ("convert normals.obj out.stl -q", false),
        ("info normals.obj -q", false),
        ("self normals.obj -q", false),
    ] {
        let output = shop.run(arguments);
        assert_eq!(!output.stderr.is_empty(), speaks, "{arguments}");
        assert!(speaks || output.stdout.is_empty(), "{arguments}");
    }

    assert!(shop.error("info nothing.stl -q").contains("nothing.stl"));
}

#[test]
fn every_loss_of_a_conversion_is_said() {
    let shop = TestFolder::new();
    let field = |name: &str, of: &str, components: u8, values: &str| {
        format!(
            "<DataArray type=\"{of}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">\
             {values}</DataArray>"
        )
    };
    let fields = [
        field("big", "Int64", 1, "1 2 9007199254740993"),
        field("unsigned", "UInt64", 1, "1 2 18446744073709551615"),
        field("pair", "Float64", 2, "1 2 3 4 5 6"),
    ];

    shop.write(
        "fields.vtu",
        &format!(
            "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">\
             <Points>{}</Points><Cells>{}{}{}</Cells><PointData>{}</PointData></Piece></UnstructuredGrid></VTKFile>",
            field("Points", "Float64", 3, "0 0 0 1.1 0 0 0 1 0"),
            field("connectivity", "Int64", 1, "0 1 2"),
            field("offsets", "Int64", 1, "3"),
            field("types", "UInt8", 1, "5"),
            fields.concat()
        ),
    );
    let big = "1 last digits of whole numbers beyond 2⁵³";

    for (to, losses) in [
        ("out.vtu", &["fields.vtu: ignored: 1 last digits"][..]),
        ("out.msh", &[big, "1 numbers of components (fields padded"]),
        ("out.ply", &[big]),
        ("out.stl", &["3 point fields", "1 last digits of points"]),
        ("out.csv", &["3 point fields", "1 tri3 elements"]),
    ] {
        let output = shop.run(&format!("convert fields.vtu {to}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{to}: {said}");
        for loss in losses {
            assert!(said.contains(loss), "{to} {loss}: {said}");
        }
    }
}

#[test]
fn a_bad_output_is_refused_before_the_work() {
    let shop = TestFolder::new();
    // The inputs do not exist: who reads them first complains of them.
    for arguments in [
        "inside none.stl grid:9 -o out.txt",
        "contacts none.stl none.stl -o out.txt",
        "project none.stl none.csv -o out.txt",
        "pairs none.csv -o out.txt",
        "self none.vtu -o out.txt",
        "collide none.vtu none.vtu -o out.txt",
        "convert none.stl out.txt2",
        "mesh foam --triangles 100000000 -o out.txt",
        "mesh points --count 1000000000 -o out.stl",
        "inside none.stl grid:9 -o nowhere/out.csv",
    ] {
        let said = shop.error(arguments);
        assert!(said.contains("out.") && !said.contains("none."), "{said}");
    }
}

#[test]
fn options_without_effect_are_refused() {
    let shop = TestFolder::new();
    for arguments in [
        "inside none.stl grid:9 --open --method ray",
        "inside none.stl grid:9 --open --degree 4",
        "collide a.vtu b.vtu --neighbours node",
    ] {
        let said = shop.error(arguments);
        assert!(said.contains("Usage:"), "{arguments}: {said}");
    }
}

#[test]
fn particles_and_points_go_to_csv_and_npy() {
    let shop = TestFolder::new();
    shop.print("mesh spheres --count 500 --ratio 3 --fraction 0.2 --seed 4 -o bed.csv");
    shop.print("mesh spheres --count 500 --ratio 3 --fraction 0.2 --seed 4 -o bed.npy");
    let csv = std::fs::read_to_string(shop.path("bed.csv")).expect("a file");
    assert_eq!(csv.lines().next(), Some("x,y,z,r"));
    assert_eq!(csv.lines().count(), 501);

    for file in ["bed.data", "bed.dump", "bed.xyz"] {
        shop.print(&format!("convert bed.npy {file}"));
        shop.print(&format!("convert {file} again.csv"));
        let again = std::fs::read_to_string(shop.path("again.csv")).expect("a file");
        assert_eq!(
            again.lines().skip(1).collect::<Vec<_>>(),
            csv.lines().skip(1).collect::<Vec<_>>(),
            "{file}"
        );
    }

    let npy = std::fs::read(shop.path("bed.npy")).expect("a file");
    assert!(npy.starts_with(b"\x93NUMPY") && npy.len() > 500 * 4 * 8);
}

#[test]
fn names_decide_what_the_columns_of_a_table_are() {
    let shop = TestFolder::new();
    // By diameters of 1 the two touch; by radii of 1 all three would.
    shop.write(
        "bed.csv",
        "id,vx,diameter,x,y,z\n7,0,1,0,0,0\n8,0,1,1,0,0\n9,0,1,2.5,0,0\n",
    );
    assert_eq!(shop.json("pairs bed.csv")["pairs"], 1);
    shop.write("speeds.csv", "id,x,y,z,vx\n7,0,0,0,5\n");
    let refused = shop.error("pairs speeds.csv");

    assert!(
        refused.contains("speeds.csv") && refused.contains("r or radius"),
        "{refused}"
    );

    shop.write("turned.csv", "r,x,y,z,id\n0.5,1,2,3,7\n");
    let output = shop.run("convert turned.csv bed.xyz");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("columns ('id')"));
    let xyz = std::fs::read_to_string(shop.path("bed.xyz")).expect("a file");
    assert_eq!(xyz, "1.0 2.0 3.0 0.5\n");

    shop.print("mesh block --cells 1,1,1 -o cube.stl");
    shop.write("flat.csv", "0.5,0.5\n");
    assert!(
        shop.error("inside cube.stl flat.csv")
            .contains("third column z")
    );
}

#[test]
fn flat_boxes_end_and_find_their_pairs() {
    let shop = TestFolder::new();
    let plates: String = (0..100)
        .map(|n| format!("{n},0,0,{},{},0\n", n as f64 + 0.5 * (n % 3) as f64, n + 1))
        .collect();
    shop.write("plates.csv", &plates);
    let pairs = |method: &str| {
        let facts = shop.json(&format!("pairs plates.csv --method {method}"));
        facts["pairs"].as_u64().expect("a count")
    };
    assert_eq!(pairs("brute"), 33);

    for method in ["auto", "columns", "sweep"] {
        assert_eq!(pairs(method), 33, "{method}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let shop = TestFolder::new();
    for threads in [1, 2, 7] {
        shop.print(&format!(
            "mesh foam --triangles 8000 --seed 9 -o foam{threads}.stl --threads {threads}"
        ));
    }

    let bytes =
        |threads: u32| std::fs::read(shop.path(&format!("foam{threads}.stl"))).expect("a file");
    assert!(bytes(1) == bytes(2) && bytes(1) == bytes(7));
}

#[test]
fn the_demo_shows_something() {
    let shop = TestFolder::new();
    let said = shop.print("demo --spheres 400");
    assert!(
        said.contains("inside") && said.contains("demo.png"),
        "{said}"
    );

    for picture in ["demo.png", "foam.png"] {
        let bytes = std::fs::read(shop.path("out/demo").join(picture)).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{picture}");
    }

    let curves = std::fs::read_to_string(shop.path("out/demo/history.svg")).expect("curves");
    assert_eq!(curves.matches("<polyline").count(), 3);
    assert_eq!(shop.json("info out/demo/foam.vtp")["closed"], true);
}

#[test]
fn completions_and_man_pages_are_generated() {
    let shop = TestFolder::new();
    assert!(shop.print("completions bash").contains("_impinge"));
    shop.print("manual pages");
    let page = std::fs::read_to_string(shop.path("pages/impinge-info.1")).expect("a man page");
    assert!(page.contains("impinge info part.stl"));
}

#[test]
fn all_methods_of_inside_agree_on_a_cube_and_know_its_boundary() {
    let shop = TestFolder::new();
    shop.print("mesh block --cells 2,2,2 -o cube.stl");
    shop.write(
        "points.csv",
        "x,y,z\n0.5,0.5,0.5\n2,2,2\n0.5,0.5,0\n0.5,0,0\n0,0,0\n1e12,0,0\n5e-324,0.3,0.4\n",
    );

    for method in ["auto", "ray", "ray-all", "potential", "multipole"] {
        let facts = shop.json(&format!(
            "inside cube.stl points.csv --method {method} -o located.csv"
        ));
        assert_documented("impinge inside", &facts);
        let counts = ["points", "inside", "outside", "boundary"]
            .map(|name| facts[name].as_u64().expect("a count"));
        assert_eq!(counts, [7, 2, 2, 3], "{method}");
        let table = std::fs::read_to_string(shop.path("located.csv")).expect("a file");

        let columns = |n: usize| {
            table
                .lines()
                .map(|line| line.split(',').nth(n).unwrap_or_default())
                .collect::<Vec<_>>()
        };
        let words = [
            "position", "inside", "outside", "boundary", "boundary", "boundary", "outside",
            "inside",
        ];
        assert_eq!(columns(3), words, "{method}");

        let potentials: Vec<f64> = columns(4)[1..]
            .iter()
            .map(|number| number.parse().expect("a number"))
            .collect();

        for (potential, expected) in potentials
            .iter()
            .zip([1.0, 0.0, 0.5, 0.25, 0.125, 0.0, 1.0])
        {
            assert!(
                (potential - expected).abs() < 1e-9,
                "{method}: {potentials:?}"
            );
        }
    }
}

#[test]
fn a_grid_over_a_foam_is_located_alike_by_all_fast_methods_and_any_number_of_threads() {
    let shop = TestFolder::new();
    shop.print("mesh foam --triangles 6000 -o foam.ply");
    let bytes = |arguments: &str| {
        shop.print(&format!("inside foam.ply grid:24 -o out.npy {arguments}"));
        std::fs::read(shop.path("out.npy")).expect("a file")
    };
    let auto = bytes("--threads 1");
    assert_eq!(
        auto.len() % 64,
        24 * 24 * 24 % 64,
        "a header of whole lines, then one byte a point"
    );

    for arguments in [
        "--threads 7",
        "--method ray --threads 2",
        "--method multipole",
        "--method ray --seed 99",
    ] {
        assert!(bytes(arguments) == auto, "{arguments}");
    }
}

#[test]
fn open_surfaces_need_the_winding_number_and_bad_points_are_named() {
    let shop = TestFolder::new();
    shop.write(
        "open.off",
        "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 2 0 3\n",
    );
    shop.write("points.csv", "0.05,0.05,0.05\n0.9,0.9,0.9\n");
    let refused = shop.error("inside open.off points.csv");
    assert!(
        refused.contains("edge 1-2") && refused.contains("--open"),
        "{refused}"
    );
    let facts = shop.json("inside open.off points.csv --open -o winding.csv");

    assert_eq!(
        (facts["inside"].as_u64(), facts["outside"].as_u64()),
        (Some(1), Some(1))
    );
    shop.write("bad.csv", "0,0,0\n0,nan,0\n");
    assert!(
        shop.error("inside open.off bad.csv --open")
            .contains("bad.csv:2")
    );

    assert!(
        shop.error("inside open.off grid:0 --open")
            .contains("grid:N")
    );
    assert!(
        shop.error("inside open.off grid:5 --open -o out.txt")
            .contains(".csv, .npy or .vtu")
    );
}

#[test]
fn distances_of_cubes_are_exact_apart_touching_and_overlapping() {
    let shop = TestFolder::new();
    shop.print("mesh block -o cube.stl");
    for (shift, distance) in [("3,0,0", 2.0), ("1,0,0", 0.0), ("0.75,0.1,0.2", -0.25)] {
        let facts = shop.json(&format!("distance cube.stl cube.stl --pose-b {shift}"));
        assert_documented("impinge distance", &facts);
        assert!(
            (facts["distance"].as_f64().expect("a number") - distance).abs() < 1e-12,
            "{shift}: {facts}"
        );
        assert!(
            (facts["normal"][0].as_f64().expect("a number") - 1.0).abs() < 1e-12,
            "{shift}: {facts}"
        );
    }

    let turned = shop.json("distance cube.stl cube.stl --pose-b -3,0,0,0,0,1,1 --hull");
    assert!(
        (turned["distance"].as_f64().expect("a number") - 3.0).abs() < 1e-12,
        "{turned}"
    );
    assert!(
        shop.error("distance cube.stl cube.stl --pose-a 0,0,0,0,0,0,0")
            .contains("quaternion is zero")
    );

    assert!(
        shop.error("distance cube.stl cube.stl --pose-b 1e61,0,0")
            .contains("exceeds 1e60")
    );
}

#[test]
fn distances_of_surfaces_that_are_not_convex_go_through_the_tree() {
    let shop = TestFolder::new();
    shop.print("mesh torus --radius 1 --tube 0.3 --cells 64,24 -o ring.stl");
    shop.print("mesh sphere --level 4 -o ball.stl");

    for (shift, distance) in [("3,0,0", 0.7), ("2.1,0,0", -0.2)] {
        let facts = shop.json(&format!("distance ring.stl ball.stl --pose-b {shift}"));
        assert_documented("impinge distance", &facts);
        assert_eq!(facts["method"], "tree");
        let found = facts["distance"].as_f64().expect("a number");

        // The facets of both lie a little within the round bodies.
        assert!((found - distance).abs() < 1e-3, "{shift}: {facts}");
        let bounds = [0, 1].map(|k| facts["bounds"][k].as_f64().expect("a number"));
        assert!(
            bounds[0] <= found && found <= bounds[1] && bounds[1] - bounds[0] < 1e-2,
            "{facts}"
        );
    }

    shop.write("open.obj", "v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n");
    let facts = shop.json("distance ring.stl open.obj");
    assert!(
        (facts["distance"].as_f64().expect("a number") - 4.7).abs() < 0.02,
        "{facts}"
    );
    shop.write("flat.obj", "v 0 0 5\nv 1 0 5\nv 2 0 5\nf 1 2 3\n");

    assert!(shop.error("distance ring.stl flat.obj").contains("--hull"));
}

#[test]
fn all_methods_find_the_same_pairs_of_spheres_discs_boxes_and_parts() {
    let shop = TestFolder::new();
    shop.print("mesh spheres --count 3000 --ratio 5 --fraction 0.3 --seed 2 -o spheres.npy");
    shop.print("mesh spheres --count 900 --flat --fraction 0.4 -o discs.csv");
    shop.write("boxes.csv", "0,0,0,1,1,1\n1,1,1,2,2,2\n5,5,5,6,6,6\n");

    for file in ["spheres.npy", "discs.csv", "boxes.csv"] {
        let table = |method: &str, threads: u32| {
            let facts = shop.json(&format!(
                "pairs {file} --method {method} --threads {threads} -o pairs.csv"
            ));
            assert_documented("impinge pairs", &facts);
            let table = std::fs::read_to_string(shop.path("pairs.csv")).expect("a file");
            assert_eq!(
                facts["pairs"].as_u64(),
                Some(table.lines().count() as u64 - 1)
            );
            table
        };
        let brute = table("brute", 1);

        assert!(
            brute.starts_with("a,b\n") && brute.lines().count() > 1,
            "{file}"
        );

        for (method, threads) in [("auto", 1), ("auto", 7), ("sweep", 2), ("columns", 2)] {
            assert_eq!(table(method, threads), brute, "{file} {method}");
        }
    }

    assert_eq!(shop.print("pairs boxes.csv -q"), "");
    let npy = shop.run("pairs spheres.npy -o pairs.npy");
    assert!(
        npy.status.success()
            && std::fs::read(shop.path("pairs.npy"))
                .is_ok_and(|f| f.windows(3).any(|w| w == b"<u4"))
    );
    shop.write("apart.csv", "x,y,z,r\n0,0,0,1\n9,0,0,1\n");
    assert_eq!(shop.run("pairs apart.csv").status.code(), Some(1));
    shop.write("bad.csv", "x,y,z,r\n0,0,0,1\n9,0,0,-1\n");

    assert!(shop.error("pairs bad.csv").contains("body 1"));
}

#[test]
fn contacts_of_two_bricks_are_exact_both_ways_in_csv_vtu_and_json() {
    let shop = TestFolder::new();
    shop.print("mesh brick --cells 4,4,2 --element hex --order 2 -o a.vtu");
    shop.print("mesh brick --cells 3,3,3 --size 2,2,2 --element tet -o b.vtu");

    // Both begin at the origin: b's cube of 2 lies in a's corner, all of its nodes at or below a's surface.
    let facts = shop.json("contacts a.vtu b.vtu -o contacts.csv");
    assert_documented("impinge contacts", &facts);
    assert_eq!(facts["unsure"], 0);
    let table = std::fs::read_to_string(shop.path("contacts.csv")).expect("a file");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("body,node,face,xi,eta,x,y,z,nx,ny,nz,gap,status")
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(facts["contacts"].as_u64(), Some(rows.len() as u64));

    let of_b: Vec<f64> = rows
        .iter()
        .filter(|row| row[0] == "b")
        .map(|row| row[11].parse().expect("a gap"))
        .collect();
    assert_eq!(of_b.len(), 56, "all nodes of b's surface");
    assert!(
        of_b.iter()
            .all(|gap| (-2.0 / 3.0 - 1e-12..=1e-12).contains(gap)),
        "{of_b:?}"
    );
    assert!(of_b.iter().any(|gap| (gap + 2.0 / 3.0).abs() < 1e-12));

    for threads in [1, 7] {
        shop.print(&format!(
            "contacts a.vtu b.vtu -o again.csv --threads {threads}"
        ));
        assert_eq!(
            std::fs::read_to_string(shop.path("again.csv")).expect("a file"),
            table
        );
    }

    shop.print("contacts a.vtu b.vtu -o contacts.vtu");
    assert_eq!(
        shop.json("info contacts.vtu")["vertices"].as_u64(),
        Some(rows.len() as u64)
    );
    assert!(
        shop.error("contacts a.vtu b.vtu --within -1")
            .contains("--within")
    );

    assert!(
        shop.error("contacts a.vtu b.vtu -o contacts.txt")
            .contains(".csv or .vtu")
    );
}

#[test]
fn bodies_apart_have_no_contact_and_the_exit_code_says_so() {
    let shop = TestFolder::new();
    shop.write(
        "a.off",
        "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n",
    );
    shop.write(
        "b.off",
        "OFF\n4 4 0\n2 0 0\n3 0 0\n2 1 0\n2 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n",
    );
    assert_eq!(shop.run("contacts a.off b.off").status.code(), Some(1));

    assert_eq!(shop.json("contacts a.off b.off --within 1")["contacts"], 2);
}

#[test]
fn projections_on_a_cube_are_exact_and_bad_input_is_named() {
    let shop = TestFolder::new();
    shop.print("mesh brick --cells 2,2,2 --element hex --order 2 -o cube.vtu");
    shop.write(
        "points.csv",
        "x,y,z\n0.7,0.6,1.5\n3,0.3,0.4\n3,3,0.4\n3,3,3\n",
    );
    let facts = shop.json("project cube.vtu points.csv -o closest.csv");
    assert_documented("impinge project", &facts);
    let places =
        ["on_face", "on_edge", "on_vertex"].map(|name| facts[name].as_u64().expect("a count"));
    assert_eq!(places, [2, 1, 1]);
    let table = std::fs::read_to_string(shop.path("closest.csv")).expect("a file");
    assert!(table.starts_with("x,y,z,face,xi,eta,distance,on\n"));

    let distance = |i: usize| -> f64 {
        let line = table.lines().nth(i + 1).expect("a row");
        line.split(',')
            .nth(6)
            .expect("a column")
            .parse()
            .expect("a number")
    };

    for (i, exact) in [0.5, 1.0, 2f64.sqrt(), 3f64.sqrt()].into_iter().enumerate() {
        assert!((distance(i) - exact).abs() < 1e-12, "{i}: {}", distance(i));
    }

    shop.print("project cube.vtu grid:5 -o closest.npy");
    let npy = std::fs::read(shop.path("closest.npy")).expect("a file");
    assert!(npy.windows(8).any(|w| w == b"(125, 3,") && npy.len() >= 125 * 3 * 8);
    assert!(
        shop.error("project cube.vtu points.csv -o closest.txt")
            .contains(".csv or .npy")
    );
    shop.write("empty.off", "OFF\n1 0 0\n0 0 0\n");

    assert!(
        shop.error("project empty.off points.csv")
            .contains("no elements")
    );
}

#[test]
fn crossing_legs_are_found_with_their_depth_and_marked() {
    let shop = TestFolder::new();
    shop.print("mesh v --tetrahedra 1500 --angle=-20 -o v.vtu");
    let facts = shop.json("self v.vtu -o hits.csv");
    assert_documented("impinge self", &facts);
    let hits = facts["hits"].as_u64().expect("a number");
    assert!(hits > 100 && facts["inverted"] == 0);
    let table = std::fs::read_to_string(shop.path("hits.csv")).expect("written");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("face,tetrahedron,depth"));
    assert_eq!(lines.clone().count() as u64, hits);

    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let nodes: Vec<u32> = cells[0]
            .split('-')
            .map(|n| n.parse().expect("a node"))
            .collect();
        assert!(nodes.len() == 3 && nodes.is_sorted());

        assert!(
            cells[2]
                .parse::<f64>()
                .is_ok_and(|depth| (0.0..0.6).contains(&depth)),
            "{line}"
        );
    }

    for other in [
        "--method buckets",
        "--method contours",
        "--method brute",
        "--threads 1",
    ] {
        assert_eq!(
            shop.json(&format!("self v.vtu {other}"))["hits"],
            hits,
            "{other}"
        );
    }

    assert!(shop.json("self v.vtu --neighbours face")["hits"].as_u64() > Some(hits));
    shop.print("self v.vtu -o marked.vtu");
    assert!(
        shop.json("info marked.vtu")["fields"]
            .to_string()
            .contains("touched")
    );

    assert!(shop.error("self v.vtu -o hits.stl").contains(".csv"));
}

#[test]
fn solids_that_do_not_meet_answer_no() {
    let shop = TestFolder::new();
    shop.print("mesh v --tetrahedra 600 --angle 60 -o open.vtu");
    assert_eq!(shop.run("self open.vtu").status.code(), Some(1));
    shop.print("mesh v --tetrahedra 300 --angle 40 -o other.vtu");
    let facts = shop.json("collide open.vtu other.vtu -o hits.csv");
    assert_documented("impinge collide", &facts);
    let table = std::fs::read_to_string(shop.path("hits.csv")).expect("written");
    assert!(table.starts_with("face,tetrahedron,depth,face_of\n"));

    assert_eq!(
        table.lines().count() as u64,
        1 + facts["hits"].as_u64().expect("a number")
    );
    assert_eq!(
        shop.json("collide other.vtu open.vtu")["hits"],
        facts["hits"]
    );
}

#[test]
fn surfaces_meet_by_pairs_of_triangles() {
    let shop = TestFolder::new();
    shop.print("mesh sphere --level 3 -o ball.stl");
    shop.print("mesh block --cells 4,4,4 --size 0.9,0.9,0.9 -o block.stl");
    assert_eq!(shop.run("self ball.stl").status.code(), Some(1));
    let facts = shop.json("collide ball.stl block.stl -o pairs.csv");
    let hits = facts["hits"].as_u64().expect("a number");
    assert!(hits > 20 && facts["tetrahedra"] == 0);
    let table = std::fs::read_to_string(shop.path("pairs.csv")).expect("written");
    assert!(table.starts_with("face_a,face_b\n"));

    assert_eq!(table.lines().count() as u64, hits + 1);
}

#[test]
fn two_balls_thrown_at_each_other_meet_when_kinematics_says() {
    let shop = TestFolder::new();
    shop.print("mesh sphere --level 3 -o ball.stl");
    let scene = "gravity = [0, 0, -9.81]\n[run]\nduration = 20\n[[body]]\nname = 'left'\n\
        shape = { mesh = 'ball.stl' }\nposition = [0, 0, 0]\nvelocity = [50, 0, 86.60254037844386]\n[[body]]\nname = 'right'\n\
        shape = { mesh = 'ball.stl' }\nposition = [1500, 0, 0]\nvelocity = [-50, 0, 86.60254037844386]\n";
    shop.write("scene.toml", scene);
    let facts = shop.json("predict scene.toml --until 14.99");
    assert_documented("impinge predict", &facts);
    let events = facts["events"].as_array().expect("a list");

    let contact = events
        .iter()
        .find(|event| event["kind"] == "contact")
        .expect("they meet");
    assert!(
        (contact["time"].as_f64().expect("a number") - 14.98).abs() < 1e-6,
        "{contact}"
    );

    assert_eq!(
        (&contact["a"], &contact["b"]),
        (&"left".into(), &"right".into())
    );
    assert!(facts["idle_share"].as_f64().expect("a number") > 0.99);

    assert_eq!(
        shop.run("predict scene.toml --until 14").status.code(),
        Some(1),
        "nothing touches before 14 s"
    );
}

#[test]
fn bodies_that_spin_too_fast_to_be_followed_are_undecided_instead_of_a_hang() {
    let shop = TestFolder::new();
    shop.print("mesh block --size 1,1,1 -o cube.stl");
    let scene = |spin: &str| {
        format!(
            "gravity = [0, 0, 0]\n[run]\nduration = 10\n[[body]]\nname = 'cube'\nshape = {{ mesh = 'cube.stl' }}\n\
             position = [-2, 0, 0]\nspin = [0, 0, {spin}]\n\
             [[body]]\nname = 'wall'\nshape = {{ mesh = 'cube.stl' }}\nposition = [-0.79, 0, 0]\n"
        )
    };

    for spin in ["1e6", "1e9"] {
        shop.write("scene.toml", &scene(spin));
        let done = shop.run("predict scene.toml --until 10 --work 20000 --json");
        let facts: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        assert_documented("impinge predict", &facts);
        assert_eq!(facts["status"], "undecided", "{facts}");
        assert_eq!(facts["undecided"][0]["a"], "cube", "{facts}");

        assert!(
            facts["undecided"][0]["from"]
                .as_f64()
                .is_some_and(|from| from < 10.0)
        );
    }
}

#[test]
fn a_scene_with_a_fault_names_the_line_or_the_body() {
    let shop = TestFolder::new();
    shop.write(
        "typo.toml",
        "[run]\nduration = 1\n[[body]]\nname = 'a'\nvelocty = [1, 0, 0]\n",
    );
    let said = shop.error("predict typo.toml");
    assert!(
        said.contains("velocty") && said.contains("line 5"),
        "{said}"
    );
    shop.print("mesh sphere --level 2 -o ball.stl");

    shop.write(
        "nan.toml",
        "[run]\nduration = 1\n[[body]]\nname = 'wild'\nshape = { mesh = 'ball.stl' }\nvelocity = [nan, 0, 0]\n",
    );
    let said = shop.error("predict nan.toml");

    assert!(
        said.contains("body[0]") && said.contains("velocity"),
        "{said}"
    );
}

/// Returns the contacts of a prediction: time and names.
fn contacts_of(facts: &serde_json::Value) -> Vec<(f64, String, String)> {
    let events = facts["events"].as_array().expect("a list");
    let contacts = events.iter().filter(|event| event["kind"] == "contact");
    let text = |value: &serde_json::Value| value.as_str().expect("a name").to_owned();
    contacts
        .map(|event| {
            let time = event["time"].as_f64().expect("a time");
            (time, text(&event["a"]), text(&event["b"]))
        })
        .collect()
}

#[test]
fn a_mesh_alone_is_searched_for_contact_with_itself() {
    let shop = TestFolder::new();
    let mut sheets = String::new();
    for z in [0.0, 0.01] {
        for [x, y] in [[0, 0], [1, 0], [1, 1], [0, 1]] {
            sheets += &format!("v {x} {y} {z}\n");
        }
    }
    shop.write(
        "sheets.obj",
        &(sheets + "f 1 2 3\nf 1 3 4\nf 5 7 6\nf 5 8 7\n"),
    );
    let facts = shop.json("contacts sheets.obj --within 0.02");
    assert_documented("impinge contacts", &facts);
    assert_eq!(facts["contacts"], 8);
    let near = |gap: &serde_json::Value| (gap.as_f64().expect("a gap") - 0.01).abs() < 1e-12;
    assert!(near(&facts["deepest"]), "{facts}");
    assert_eq!(
        shop.run("contacts sheets.obj --within 0.005").status.code(),
        Some(1)
    );
}

#[test]
fn every_shape_of_a_scene_is_predicted() {
    let shop = TestFolder::new();
    let scene = "gravity = [0, 0, -10]\n[run]\nduration = 1\n\
        [[wall]]\nname = 'floor'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n\
        [[body]]\nname = 'ball'\nshape = { sphere = 0.5 }\nposition = [0, 0, 5.5]\n\
        [[body]]\nname = 'plate'\nshape = { box = [2, 2, 0.002] }\nposition = [20, 0, 3]\nvelocity = [0, 0, -900]\n\
        [[solid]]\nname = 'brick'\nshape = { brick = { cells = [1, 1, 1], size = [1, 1, 1] } }\n\
        young = 1e6\ndensity = 1000\nposition = [40, 0, 1.25]\n\
        [[particles]]\ncount = 1\nradius = 0.1\nregion = { box = { min = [60, 0, 3.3], max = [60.3, 0.3, 3.6] } }\n";
    shop.write("scene.toml", scene);
    let facts = shop.json("predict scene.toml");
    let contacts = contacts_of(&facts);
    let time = |name: &str| {
        let found = contacts
            .iter()
            .find(|(_, a, b)| (a == name || b == name) && (a == "floor" || b == "floor"));
        found.unwrap_or_else(|| panic!("{name}: {contacts:?}")).0
    };
    // Falls of 5 m and of 1.25 m; the ball's triangles enclose it by less than 0.2 %.
    assert!(time("ball") <= 1.0 && time("ball") > 0.999, "{contacts:?}");
    assert!((time("brick") - 0.5).abs() < 1e-6, "{contacts:?}");
    let plate = (2.999f64 * 2.0 * 10.0 + 900.0 * 900.0).sqrt() / 10.0 - 90.0;
    assert!((time("plate") - plate).abs() < 1e-8, "{contacts:?}");
    assert!(time("particle 0") < 0.86, "{contacts:?}");
}

#[test]
fn polygons_of_the_plane_and_balls_are_predicted_exactly() {
    let shop = TestFolder::new();
    let plane = "dimension = 2\ngravity = [0, 0]\n[run]\nduration = 5\n\
        [[body]]\nname = 'square'\nshape = { points = [[0, 0], [1, 0], [1, 1], [0, 1]] }\nposition = [0, 0]\nvelocity = [1, 0]\n\
        [[body]]\nname = 'tip'\nshape = { points = [[0, 0], [1, -1], [1, 1]] }\nposition = [3, 0.5]\n";
    shop.write("plane.toml", plane);
    let contacts = contacts_of(&shop.json("predict plane.toml"));
    assert!((contacts[0].0 - 2.0).abs() < 1e-8, "{contacts:?}");

    let balls = "gravity = [0, 0, 0]\n[run]\nduration = 5\n\
        [[body]]\nname = 'a'\nshape = { sphere = 1 }\nposition = [0, 0, 0]\n\
        [[body]]\nname = 'b'\nshape = { sphere = 2 }\nposition = [10, 0, 0]\nvelocity = [-2, 0, 0]\n\
        [[body]]\nname = 'c'\nshape = { sphere = 2 }\nposition = [10, 3.001, 0]\nvelocity = [-2, 0, 0]\n";
    shop.write("balls.toml", balls);
    let contacts = contacts_of(&shop.json("predict balls.toml"));
    assert!(
        (contacts.last().expect("a contact").0 - 3.5).abs() < 1e-12,
        "{contacts:?}"
    );
    assert_eq!(
        contacts
            .iter()
            .filter(|(_, a, b)| a == "a" && b == "c")
            .count(),
        0
    );
}

#[test]
fn paths_that_oscillate_begin_or_end_are_predicted() {
    let shop = TestFolder::new();
    // The piston rises as 0.1 sin 4πt and meets the plate at half of that; the drawer starts at 1 s,
    // closes 0.5 m a second, and stops at 2 s, short of the second box.
    let scene = "gravity = [0, 0, 0]\n[run]\nduration = 3\n\
        [[wall]]\nname = 'piston'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n\
        motion = { amplitude = [0, 0, 0.1], frequency = 2 }\n\
        [[body]]\nname = 'plate'\nshape = { box = [1, 1, 0.1] }\nposition = [0, 0, 0.1]\n\
        [[body]]\nname = 'drawer'\nshape = { box = [0.1, 1, 1] }\nposition = [0, 0, 10]\n\
        motion = { velocity = [0.5, 0, 0], from = 1, until = 2 }\n\
        [[body]]\nname = 'near'\nshape = { box = [0.1, 0.1, 0.1] }\nposition = [0.3, 0, 10]\n\
        [[body]]\nname = 'far'\nshape = { box = [0.1, 0.1, 0.1] }\nposition = [0.7, 0, 10]\n";
    shop.write("scene.toml", scene);
    let contacts = contacts_of(&shop.json("predict scene.toml"));
    let first = |a: &str, b: &str| contacts.iter().find(|c| c.1 == a && c.2 == b).map(|c| c.0);
    let touch = 0.5f64.asin() / (4.0 * std::f64::consts::PI);
    assert!(
        (first("plate", "piston").expect("they meet") - touch).abs() < 1e-6,
        "{contacts:?}"
    );
    assert!(
        (first("drawer", "near").expect("they meet") - 1.4).abs() < 1e-6,
        "{contacts:?}"
    );
    assert_eq!(first("drawer", "far"), None, "{contacts:?}");
}

#[test]
fn a_solid_that_folds_is_predicted_to_touch_itself() {
    let shop = TestFolder::new();
    let scene = "gravity = [0, 0, -10]\n[run]\nduration = 1\n\
        [[solid]]\nname = 'vee'\nshape = { vee = { tetrahedra = 600, angle = 0.5 } }\nyoung = 1e6\ndensity = 1000\n\
        self_contact = true\npush = [{ region = { box = { min = [-9, -9, 0.2], max = [9, 9, 9] } }, velocity = [0, 0, -4] }]\n\
        [[solid]]\nname = 'shelf'\nshape = { brick = { cells = [1, 1, 1], size = [1, 1, 1] } }\nyoung = 1e6\n\
        density = 1000\nposition = [40, 0, 0]\nfixed = [{ box = { min = [39, -1, -1], max = [42, 2, 2] } }]\n\
        [[body]]\nname = 'box'\nshape = { box = [0.5, 0.5, 0.5] }\nposition = [40.5, 0.5, 2.5]\n";
    shop.write("scene.toml", scene);
    let contacts = contacts_of(&shop.json("predict scene.toml"));
    let find = |a: &str, b: &str| contacts.iter().find(|c| c.1 == a && c.2 == b).map(|c| c.0);
    assert!(find("vee", "vee").is_some(), "{contacts:?}");
    // The shelf is held: a fall of 1.25 m.
    let fall = find("box", "shelf").expect("it falls on the shelf");
    assert!((fall - 0.5).abs() < 1e-6, "{contacts:?}");
}

#[test]
fn self_and_collide_split_hexahedra_into_tetrahedra() {
    let shop = TestFolder::new();
    shop.print("mesh brick --cells 3,3,3 --element hex -o a.vtu");
    shop.print("mesh brick --cells 3,3,3 --element tet -o t.vtu");
    shop.print("convert a.vtu b.vtu");

    // Every node of a brick lies on the other, equal one.
    let [hexahedra, tetrahedra] =
        ["collide a.vtu b.vtu", "collide t.vtu b.vtu"].map(|line| shop.json(line));
    assert!(hexahedra["hits"].as_u64() > Some(100), "{hexahedra}");
    assert!(tetrahedra["hits"].as_u64() > Some(100), "{tetrahedra}");

    shop.print("collide a.vtu b.vtu -o hits.csv");
    let table = std::fs::read_to_string(shop.path("hits.csv")).expect("a table");
    assert_eq!(
        table.lines().next(),
        Some("face,tetrahedron,depth,cell,face_of")
    );
    let cell = |line: &str| line.split(',').nth(3).and_then(|cell| cell.parse().ok());
    let cells: Vec<u32> = table.lines().skip(1).filter_map(cell).collect();
    assert!(!cells.is_empty() && cells.iter().all(|&cell| cell < 27));

    // A brick that is not deformed does not intersect itself.
    assert_eq!(shop.run("self a.vtu").status.code(), Some(1));
}
