//! `impinge run` as a user meets it: stopped, killed, resumed, out of space, and the same bytes in the end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Some dozens of spheres, with everything that has a memory: friction springs, a wall that moves, an inlet and an
/// outlet. 2,000 steps, 21 frames.
const SCENE: &str = "\
gravity = [0, 0, -9.81]

[run]
duration = 0.4
step = 2e-4
output = 0.02
contacts = 0.1
checkpoint_steps = 25
seed = 7

[[material]]
name = \"soft\"
young = 1e6
rolling = 0.02

[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]

[[wall]]
shape = { box = [0.02, 0.4, 0.3] }
position = [-0.12, 0, 0.1]
motion = { amplitude = [0.02, 0, 0], frequency = 5 }

[[particles]]
count = 60
radius = { uniform = [0.008, 0.012] }
region = { box = { min = [-0.08, -0.08, 0.01], max = [0.08, 0.08, 0.2] } }

[[inlet]]
rate = 100
radius = { uniform = [0.006, 0.01] }
region = { box = { min = [-0.05, -0.05, 0.25], max = [0.05, 0.05, 0.3] } }
velocity = [0, 0, -1]

[[outlet]]
region = { box = { min = [0.12, -1, -1], max = [1, 1, 1] } }
";

struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new() -> Self {
        let shop = Self(tempfile::tempdir().expect("a temporary folder"));
        shop.write("scene.toml", SCENE);
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("writes");
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

    fn succeed(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "impinge {arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );

        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs a command that must fail with 2, and returns what it said.
    fn error(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "impinge {arguments}");
        String::from_utf8(output.stderr).expect("text")
    }

    fn start(&self, arguments: &str) -> Child {
        let mut command = self.command(arguments);
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    /// Every file of a run but its summary, which has seconds in it.
    fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        for folder in [self.path(folder), self.path(folder).join("frames")] {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_file() && !path.ends_with("summary.json") {
                    let bytes = std::fs::read(&path).expect("bytes");
                    files.insert(path.strip_prefix(&folder).expect("below").to_owned(), bytes);
                }
            }
        }

        files
    }

    fn assert_same(&self, a: &str, b: &str) {
        let (a_files, b_files) = (self.files(a), self.files(b));
        let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&a_files), names(&b_files), "{a} and {b}");
        for (name, bytes) in &a_files {
            assert!(*bytes == b_files[name], "{} of {a} and {b}", name.display());
        }
    }
}

/// Every frame that a series names is there and can be read.
fn assert_whole(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "pvd") {
            let series = impinge_io::pvd::Series::open(&path).expect("a sound series");
            for step in series.steps() {
                impinge_io::read(&folder.join(&step.file)).expect("a whole frame");
            }
        }
    }
}

#[test]
fn a_run_leaves_frames_tables_and_a_summary() {
    let shop = TestFolder::new();
    let facts: serde_json::Value =
        serde_json::from_str(&shop.succeed("run scene.toml -o out --json")).expect("JSON");
    assert_eq!(
        (facts["steps"].as_u64(), facts["frames"].as_u64()),
        (Some(2000), Some(21))
    );
    assert_eq!(facts["finished"], true);

    assert!(
        facts["counts"]["particles"]
            .as_u64()
            .is_some_and(|n| n > 60)
    );
    let summary = std::fs::read_to_string(shop.path("out/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["energy"], facts["energy"]);
    let seconds = facts["seconds"].as_object().expect("an object");

    let stages: f64 = seconds
        .iter()
        .filter(|(name, _)| *name != "total")
        .filter_map(|(_, s)| s.as_f64())
        .sum();
    let total = seconds["total"].as_f64().expect("a number");
    assert!(
        (0.9 * total..1.001 * total).contains(&stages),
        "{seconds:?}"
    );
    assert_whole(&shop.path("out"));

    for series in ["particles", "contacts", "walls"] {
        let series = impinge_io::pvd::Series::open(&shop.path(&format!("out/{series}.pvd")))
            .expect("a series");
        assert_eq!(series.steps().len(), 21);
        assert!((series.steps()[20].time - 0.4).abs() < 1e-12);
    }

    let history = std::fs::read_to_string(shop.path("out/history.csv")).expect("a history");
    assert_eq!(history.lines().count(), 102);
    let contacts = std::fs::read_to_string(shop.path("out/contacts.csv")).expect("contacts");
    assert!(
        contacts
            .lines()
            .filter(|line| line.starts_with("0.4,particle,"))
            .count()
            > 30
    );
    let documented = include_str!("../../../docs/json.md");

    let section = documented
        .split("\n## `")
        .find(|section| section.starts_with("impinge run"))
        .expect("documented");

    for name in facts.as_object().expect("an object").keys() {
        assert!(
            section.contains(&format!("`{name}`")),
            "{name} is not documented"
        );
    }
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads() {
    let shop = TestFolder::new();
    for threads in [1, 2, 7] {
        shop.succeed(&format!(
            "run scene.toml -o out{threads} --threads {threads} --quiet"
        ));
    }

    shop.assert_same("out1", "out2");
    shop.assert_same("out1", "out7");
}

#[test]
fn killed_fifty_times_a_run_ends_with_the_same_bytes() {
    let shop = TestFolder::new();
    shop.write(
        "scene.toml",
        &SCENE.replace("duration = 0.4", "duration = 1.2"),
    );
    shop.succeed("run scene.toml -o straight --quiet");
    let mut random = impinge::space::Random::new(11);
    let mut kills = 0;
    let mut longest = 40.0;

    while kills < 50 {
        let mut child = shop.start("run scene.toml -o killed --resume --threads 1");
        std::thread::sleep(Duration::from_secs_f64(random.within(0.0, longest) * 1e-3));
        if child.try_wait().expect("a status").is_none() {
            child.kill().expect("it dies");
            kills += 1;
        } else {
            // It came to its end: begin again, and be quicker with the rest.
            assert!(child.wait().expect("a status").success());
            shop.assert_same("straight", "killed");
            std::fs::remove_dir_all(shop.path("killed")).expect("removes");
            longest *= 0.5;
        }

        child.wait().expect("it is gone");
        if shop.path("killed").is_dir() {
            assert_whole(&shop.path("killed"));
        }
    }

    shop.succeed("run scene.toml -o killed --resume --quiet");
    shop.assert_same("straight", "killed");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_saves_itself_and_resumes() {
    let shop = TestFolder::new();
    shop.write(
        "scene.toml",
        &SCENE
            .replace("duration = 0.4", "duration = 4")
            .replace("checkpoint_steps = 25\n", ""),
    );
    let mut child = shop.start("run scene.toml -o out");

    // Not before there is something to save; the first frame is written after the handler is in place.
    while !shop.path("out/contacts.pvd").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }

    std::thread::sleep(Duration::from_millis(30));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(killed.success());
    assert_eq!(child.wait().expect("a status").code(), Some(130));
    assert!(shop.path("out/checkpoint.bin").exists());

    shop.write(
        "scene.toml",
        &SCENE
            .replace("checkpoint_steps = 25\n", "")
            .replace("duration = 0.4", "duration = 4.1"),
    );
    let facts: serde_json::Value =
        serde_json::from_str(&shop.succeed("run scene.toml -o out --resume --json")).expect("JSON");

    assert_eq!(
        (facts["finished"].as_bool(), facts["steps"].as_u64()),
        (Some(true), Some(20_500))
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_leaves_the_last_checkpoint() {
    let shop = TestFolder::new();
    shop.write(
        "scene.toml",
        &SCENE.replace("output = 0.02", "output = 0.02\nhistory = 0.001"),
    );
    shop.succeed("run scene.toml -o straight --quiet");

    // No file may grow beyond 40 blocks of 1024 bytes, which the history does half-way and the checkpoint never.
    let script = format!(
        "trap '' XFSZ; ulimit -f 40; exec {} run scene.toml -o full --threads 1",
        env!("CARGO_BIN_EXE_impinge")
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(shop.0.path())
        .output()
        .expect("bash");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("File too large"), "{message}");
    assert!(shop.path("full/checkpoint.bin").exists());
    shop.succeed("run scene.toml -o full --resume --quiet");

    shop.assert_same("straight", "full");
}

#[test]
fn a_folder_is_not_overwritten_by_accident() {
    let shop = TestFolder::new();
    std::fs::create_dir(shop.path("mine")).expect("a folder");
    shop.write("mine/thesis.txt", "years of work");
    assert!(
        shop.error("run scene.toml -o mine")
            .contains("is not empty and contains no run")
    );
    assert!(
        shop.error("run scene.toml -o mine --force")
            .contains("is not empty and contains no run")
    );
    shop.succeed("run scene.toml -o out --quiet");

    assert!(
        shop.error("run scene.toml -o out")
            .contains("--resume continues it, --force discards it")
    );
    shop.succeed("run scene.toml -o out --force --quiet");
    shop.succeed("run scene.toml -o out --resume --quiet");
    shop.write("scene.toml", &SCENE.replace("count = 60", "count = 61"));

    assert!(
        shop.error("run scene.toml -o out --resume")
            .contains("changed since out was started")
    );
}

#[test]
fn a_run_can_be_resumed_to_go_on_for_longer() {
    let shop = TestFolder::new();
    shop.succeed("run scene.toml -o long --quiet");
    shop.write(
        "scene.toml",
        &SCENE.replace("duration = 0.4", "duration = 0.6"),
    );
    shop.succeed("run scene.toml -o long --resume --quiet");
    shop.succeed("run scene.toml -o straight --quiet");
    let names = |folder| shop.files(folder).into_keys().collect::<Vec<_>>();
    assert_eq!(names("long"), names("straight"));
    let last = |folder: &str| {
        std::fs::read(shop.path(folder).join("frames/particles_000030.vtp")).expect("a frame")
    };

    assert!(last("long") == last("straight"));
}

#[test]
fn starting_over_removes_what_the_run_wrote_and_nothing_else() {
    let shop = TestFolder::new();
    shop.succeed("run scene.toml -o out --pictures 2 --quiet");
    let own = [
        "out/mine.csv",
        "out/photo.png",
        "out/part.vtu",
        "out/frames/particles_final.vtp",
    ];

    let write_own = || {
        own.iter()
            .for_each(|name| shop.write(name, "years of work"))
    };
    let assert_own = || {
        for name in own {
            let text = std::fs::read_to_string(shop.path(name)).expect("still there");
            assert_eq!(text, "years of work", "{name}");
        }
    };

    write_own();
    let short = SCENE.replace("duration = 0.4", "duration = 0.04");
    shop.write("scene.toml", &short);
    shop.succeed("run scene.toml -o out --force --quiet");
    assert_own();

    for gone in ["out/frames/particles_000020.vtp", "out/pictures.png"] {
        assert!(!shop.path(gone).exists(), "{gone} is of the old run");
    }

    std::fs::remove_file(shop.path("out/checkpoint.bin")).expect("removes");
    shop.succeed("run scene.toml -o out --resume --quiet");
    assert_own();
}

#[test]
fn a_folder_whose_marker_is_no_list_of_a_run_is_refused() {
    let shop = TestFolder::new();
    std::fs::create_dir(shop.path("mine")).expect("a folder");
    shop.write("mine/.impinge-run", "");
    shop.write("mine/thesis.csv", "years of work");

    for how in ["", "--force", "--resume"] {
        assert!(
            shop.error(&format!("run scene.toml -o mine {how}"))
                .contains("is not empty and contains no run"),
            "{how}"
        );
    }

    assert!(shop.path("mine/thesis.csv").exists());
}

/// The times in a run's history.
fn times(folder: &Path) -> Vec<f64> {
    let history = std::fs::read_to_string(folder.join("history.csv")).expect("a history");
    let rows = history.lines().skip(1);
    rows.map(|row| {
        row.split(',')
            .nth(1)
            .expect("a time")
            .parse()
            .expect("a number")
    })
    .collect()
}

#[test]
fn a_longer_run_goes_on_with_the_step_of_its_checkpoint() {
    let shop = TestFolder::new();
    // The frames are further apart than the run is long, so an automatic step follows from the duration.
    let scene = |duration: &str| {
        SCENE
            .replace("duration = 0.4", &format!("duration = {duration}"))
            .replace("step = 2e-4\n", "")
            .replace("output = 0.02", "output = 0.05")
    };
    shop.write("scene.toml", &scene("0.0301"));

    let step = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).expect("JSON")["step"]
            .as_f64()
            .expect("a number")
    };
    let first = step(&shop.succeed("run scene.toml -o out --json"));
    let before = times(&shop.path("out"));

    shop.write("scene.toml", &scene("0.08"));
    assert_eq!(
        step(&shop.succeed("run scene.toml -o out --resume --json")),
        first
    );
    let after = times(&shop.path("out"));
    assert_eq!(after[..before.len()], before);
    assert!(after.windows(2).all(|pair| pair[0] < pair[1]), "{after:?}");

    assert!((after[after.len() - 1] - 0.08).abs() <= first);
}

#[test]
fn only_duration_output_and_checkpoints_may_change_on_the_way() {
    let shop = TestFolder::new();
    let short = SCENE.replace("duration = 0.4", "duration = 0.1");
    shop.write("scene.toml", &short);
    shop.succeed("run scene.toml -o out --quiet");
    let other = short
        .replace("duration = 0.1", "duration = 0.12\nhistory = 0.001")
        .replace("output = 0.02\n", "")
        .replace("contacts = 0.1\n", "")
        .replace("checkpoint_steps = 25", "checkpoint_seconds = 1");
    shop.write("scene.toml", &other);
    shop.succeed("run scene.toml -o out --resume --quiet");
    assert_whole(&shop.path("out"));

    for (from, to) in [
        ("step = 2e-4", "step = 1e-4"),
        ("seed = 7", "seed = 8"),
        ("rolling = 0.02", "rolling = 0.03"),
    ] {
        shop.write("scene.toml", &other.replace(from, to));
        assert!(
            shop.error("run scene.toml -o out --resume")
                .contains("changed since out was started"),
            "{to}"
        );
    }
}

#[test]
fn frames_that_went_missing_are_noted_and_left_out_of_the_series() {
    let shop = TestFolder::new();
    shop.write(
        "scene.toml",
        &SCENE.replace("duration = 0.4", "duration = 0.1"),
    );
    shop.succeed("run scene.toml -o out --quiet");
    std::fs::remove_file(shop.path("out/frames/particles_000002.vtp")).expect("removes");
    shop.write(
        "scene.toml",
        &SCENE.replace("duration = 0.4", "duration = 0.14"),
    );
    let output = shop.run("run scene.toml -o out --resume");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");

    assert!(
        message.contains("missing, the first is frames/particles_000002.vtp"),
        "{message}"
    );
    assert_whole(&shop.path("out"));
    let series = impinge_io::pvd::Series::open(&shop.path("out/particles.pvd")).expect("a series");

    assert_eq!(series.steps().len(), 7);
}

#[test]
fn a_reader_that_goes_away_stops_the_talking_and_not_the_run() {
    let shop = TestFolder::new();
    shop.write(
        "scene.toml",
        &SCENE.replace("duration = 0.4", "duration = 0.04"),
    );
    let status = shop
        .command("run scene.toml -o out")
        .stdout(closed_pipe())
        .stderr(closed_pipe())
        .status()
        .expect("it starts");
    assert_eq!(status.code(), Some(0));

    assert!(shop.path("out/summary.json").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_stops_the_talking_and_not_the_run() {
    let shop = TestFolder::new();
    shop.write(
        "scene.toml",
        &SCENE.replace("duration = 0.4", "duration = 0.04"),
    );
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("a device");
    let output = shop
        .command("run scene.toml -o out")
        .stdout(full)
        .output()
        .expect("it starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("cannot write to standard output"),
        "{message}"
    );

    assert!(shop.path("out/summary.json").exists());
}

/// The writing end of a pipe without a reader.
fn closed_pipe() -> std::io::PipeWriter {
    std::io::pipe().expect("a pipe").1
}

#[test]
fn errors_in_a_scene_are_named_with_file_line_and_key() {
    let shop = TestFolder::new();
    shop.write("bad.toml", "gravty = [0, 0, -9.81]\n[run]\nduration = 1\n");
    let message = shop.error("run bad.toml -o out");
    assert!(
        message.contains("bad.toml: line 1: unknown key \"gravty\"; did you mean \"gravity\"?"),
        "{message}"
    );
    shop.write(
        "bad.toml",
        "[run]\nduration = 1\n[[wall]]\nshape = { mesh = \"none.stl\" }\n",
    );
    let message = shop.error("run bad.toml -o out");

    assert!(
        message.contains("bad.toml: line 4: wall[0].shape: none.stl: No such file"),
        "{message}"
    );
    assert!(
        message.contains("relative to the folder of the scene"),
        "{message}"
    );

    assert!(!shop.path("out").exists());
}

#[test]
fn spheres_that_begin_in_a_wall_are_noted() {
    let shop = TestFolder::new();
    shop.succeed("mesh block -o block.stl");
    let scene = |scale: &str| {
        format!(
            "[run]\nduration = 1e-3\n[[wall]]\nshape = {{ mesh = \"block.stl\" }}\nscale = {scale}\n[[particles]]\n\
             count = 500\nradius = 0.02\nregion = {{ box = {{ min = [-1, -1, -1], max = [1, 1, 1] }} }}\n"
        )
    };

    for (scale, expected) in [
        ("1", "spheres start overlapping wall[0], the deepest by"),
        (
            "1",
            "spheres start inside wall[0] and cannot leave it; if this is intended, set hollow = true",
        ),
        ("1000", "a mesh in millimetres needs scale = 0.001"),
        ("1e-3", "smaller than every sphere"),
    ] {
        shop.write("scene.toml", &scene(scale));
        let output = shop.run("run scene.toml -o out --force");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && message.contains(expected),
            "{scale}: {message}"
        );
    }

    // What is resumed does not start.
    let longer = scene("1").replace("duration = 1e-3", "duration = 2e-3");
    shop.write("scene.toml", &scene("1"));
    shop.succeed("run scene.toml -o out --force --quiet");
    shop.write("scene.toml", &longer);
    let output = shop.run("run scene.toml -o out --resume");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !message.contains("start"),
        "{message}"
    );
}

#[test]
fn a_run_is_drawn_on_request() {
    let shop = TestFolder::new();
    shop.succeed("run scene.toml -o out --pictures 3 --quiet");
    let picture = std::fs::read(shop.path("out/pictures.png")).expect("a picture");
    assert_eq!(&picture[1..4], b"PNG");
    let width = u32::from_be_bytes(picture[16..20].try_into().expect("four bytes"));
    assert!(width >= 3 * 240 && width.is_multiple_of(3), "{width}");
}

#[test]
fn a_step_that_blows_up_names_the_body_and_keeps_the_last_good_state() {
    let shop = TestFolder::new();
    let text = SCENE
        .replace("step = 2e-4", "step = 4e-2")
        .replace("output = 0.02", "output = 0.04");
    shop.write("scene.toml", &text.replace("young = 1e6", "young = 1e11"));
    let message = shop.error("run scene.toml -o out");
    assert!(message.contains("warning: the step of"), "{message}");
    assert!(
        message.contains("particle ") && message.contains("the last stable state"),
        "{message}"
    );
    assert!(shop.path("out/checkpoint.bin").exists());

    assert_whole(&shop.path("out"));
}

#[test]
fn a_step_that_no_solid_survives_is_refused_with_the_stable_one() {
    let shop = TestFolder::new();
    let scene = "[run]\nduration = 1\noutput = 0.1\nstep = 1e-2\n[[solid]]\nname = 'cube'\n\
        shape = { brick = { cells = [2, 2, 2], size = [1, 1, 1] } }\nyoung = 1e7\ndensity = 1000\n";
    shop.write("stiff.toml", scene);
    let said = shop.error("run stiff.toml -o stiff");
    assert!(
        said.contains("cube: the step of 1.000e-2 s is longer than the stable one of"),
        "{said}"
    );
}

#[test]
fn the_schema_is_printed() {
    let schema: serde_json::Value =
        serde_json::from_str(&TestFolder::new().succeed("run --schema")).expect("JSON");
    assert_eq!(schema["title"], "Scene");
}

#[cfg(not(feature = "mpi"))]
#[test]
fn one_of_several_processes_without_mpi_says_how_to_build_it() {
    let shop = TestFolder::new();
    let mut command = shop.command("run scene.toml -o out");
    let output = command
        .env("OMPI_COMM_WORLD_SIZE", "3")
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && text.contains("--features mpi"),
        "{text}"
    );
    assert!(!shop.path("out").exists());
}
