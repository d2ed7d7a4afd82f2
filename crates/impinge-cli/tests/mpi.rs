//! `mpirun -n P impinge run`: the same bytes for every P, and no rank left behind.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Spheres with everything that has a memory: friction and rolling springs, a wall on a path, a mesh, an inlet and an
/// outlet; they migrate.
const FLOW: &str = include_str!("../../impinge-run/tests/ranks/flow.toml");

/// Radii 1:20 in a box that is periodic on two axes.
const SIZES: &str = include_str!("../../impinge-run/tests/ranks/sizes.toml");

/// Spheres beside a rigid body and an elastic solid.
const MIXED: &str = include_str!("../../impinge-run/tests/ranks/mixed.toml");

/// Spheres that fly freely, and so fast that steps are divided.
const THROWN: &str = include_str!("../../impinge-run/tests/ranks/thrown.toml");

struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new(scene: &str) -> Self {
        let shop = Self(tempfile::tempdir().expect("a temporary folder"));
        shop.write("scene.toml", scene);
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("writes");
    }

    /// Returns a command on some ranks, each with some threads; without `mpirun` if there is no rank.
    fn command(&self, ranks: usize, threads: usize, arguments: &str) -> Command {
        let mut command = match ranks {
            0 => Command::new(PROGRAM),
            _ => {
                let mut command = mpirun();
                command.args(["-n", &ranks.to_string(), PROGRAM]);
                command
            }
        };
        command
            .args(arguments.split_whitespace())
            .args(["--threads", &threads.to_string()])
            .current_dir(self.0.path());
        command
    }

    fn succeed(&self, ranks: usize, threads: usize, arguments: &str) {
        let output = self.command(ranks, threads, arguments).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{ranks} ranks: {}", text(&output));
    }

    /// Returns the files of a run that do not depend on the time it took, by name.
    fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(folder), Path::new(""), &mut files);
        files.remove(Path::new("summary.json"));
        assert!(files.len() > 4, "{:?}", files.keys());
        files
    }

    fn assert_same(&self, one: &str, other: &str) {
        let (one_files, other_files) = (self.files(one), self.files(other));
        assert!(one_files.keys().eq(other_files.keys()), "{one} {other}");
        for (name, bytes) in &one_files {
            assert!(other_files[name] == *bytes, "{} of {other}", name.display());
        }
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_impinge");

/// Returns `mpirun` with what it needs on a machine with fewer cores than ranks.
fn mpirun() -> Command {
    let mut command = Command::new("mpirun");
    let version = Command::new("mpirun").arg("--version").output();
    let version = version.expect("mpirun is installed");
    if text(&version).contains("Open MPI") {
        command.args([
            "--allow-run-as-root",
            "--oversubscribe",
            "--bind-to",
            "none",
        ]);
    }
    command
}

fn text(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

fn collect(root: &Path, under: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(root.join(under)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = under.join(entry.file_name());
        if entry.path().is_dir() {
            collect(root, &name, files);
        } else {
            files.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
}

/// Asserts that a scene gives the same files without `mpirun` and on 1, 2, 3 and 4 ranks.
fn assert_same_on_all_ranks(scene: &str) {
    let shop = TestFolder::new(scene);
    shop.succeed(0, 2, "run scene.toml -o alone");
    for (ranks, threads) in [(1, 1), (2, 1), (3, 2), (4, 1)] {
        let folder = format!("out{ranks}");
        shop.succeed(ranks, threads, &format!("run scene.toml -o {folder}"));
        shop.assert_same("alone", &folder);
    }
}

#[test]
fn a_flow_through_inlet_and_outlet_has_the_same_files_on_all_ranks() {
    assert_same_on_all_ranks(FLOW);
}

#[test]
fn radii_one_to_twenty_in_a_periodic_box_have_the_same_files_on_all_ranks() {
    assert_same_on_all_ranks(SIZES);
}

#[test]
fn spheres_beside_a_body_and_a_solid_have_the_same_files_on_all_ranks() {
    assert_same_on_all_ranks(MIXED);
}

#[test]
fn free_flights_and_divided_steps_have_the_same_files_on_all_ranks() {
    assert_same_on_all_ranks(THROWN);
}

#[test]
fn a_run_goes_on_with_another_number_of_ranks() {
    let shop = TestFolder::new(FLOW);
    shop.write(
        "half.toml",
        &FLOW.replace("duration = 0.3", "duration = 0.15"),
    );
    for (folder, first, second) in [("alone", 0, 0), ("other", 3, 2)] {
        shop.succeed(first, 1, &format!("run half.toml -o {folder}"));
        shop.succeed(second, 1, &format!("run scene.toml -o {folder} --resume"));
    }
    shop.assert_same("alone", "other");
}

#[test]
fn after_a_rank_was_killed_all_end_and_the_run_is_resumed_with_the_same_bytes() {
    let shop = TestFolder::new(FLOW);
    shop.succeed(0, 1, "run scene.toml -o alone");

    for victim in [0, 2] {
        let folder = format!("killed{victim}");
        let mut command = shop.command(3, 1, &format!("run scene.toml -o {folder}"));
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let checkpoint = shop.path(&folder).join("checkpoint.bin");
        wait_until("a checkpoint", || checkpoint.exists());
        kill_rank(child.id(), victim);
        let started = Instant::now();
        let status = child.wait().expect("it ends");
        assert!(!status.success() || status.signal().is_some());
        assert!(started.elapsed() < Duration::from_secs(60));

        shop.succeed(2, 1, &format!("run scene.toml -o {folder} --resume"));
        shop.assert_same("alone", &folder);
    }
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a rank of a job that `mpirun` runs, unless it has ended already.
fn kill_rank(mpirun: u32, rank: usize) {
    let mut children = descendants(mpirun);
    children.retain(|&process| is_rank(process, rank));
    for process in children {
        let _ = Command::new("kill")
            .args(["-KILL", &process.to_string()])
            .status();
    }
}

/// Returns whether a process is this rank of `impinge`.
fn is_rank(process: u32, rank: usize) -> bool {
    let file = |name: &str| std::fs::read(format!("/proc/{process}/{name}")).unwrap_or_default();
    let number = rank.to_string();
    let environment = file("environ");
    let is_variable = |variable: &[u8]| {
        ["OMPI_COMM_WORLD_RANK", "PMI_RANK"]
            .iter()
            .any(|name| variable == format!("{name}={number}").as_bytes())
    };
    file("cmdline").starts_with(PROGRAM.as_bytes())
        && environment.split(|&byte| byte == 0).any(is_variable)
}

/// Returns the processes that descend from one.
fn descendants(process: u32) -> Vec<u32> {
    let mut parents = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").expect("Linux").flatten() {
        if let Some(number) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        {
            let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
            let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
            if let Some(parent) = parent.and_then(|parent| parent.trim().parse::<u32>().ok()) {
                parents.insert(number, parent);
            }
        }
    }

    let is_below = |mut number: u32| {
        while let Some(&parent) = parents.get(&number) {
            if parent == process {
                return true;
            }
            number = parent;
        }
        false
    };
    parents
        .keys()
        .copied()
        .filter(|&number| is_below(number))
        .collect()
}

#[test]
fn a_termination_signal_writes_a_checkpoint_and_ends_all_ranks() {
    let shop = TestFolder::new(&FLOW.replace("checkpoint_steps = 100", "checkpoint_seconds = 1e6"));
    shop.succeed(0, 1, "run scene.toml -o alone");
    let mut child = shop
        .command(2, 1, "run scene.toml -o stopped")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let frame = shop.path("stopped").join("frames");
    wait_until("a second frame", || {
        std::fs::read_dir(&frame).is_ok_and(|all| all.count() > 2)
    });

    // Slurm signals the ranks, not mpirun.
    let ranks: Vec<u32> = descendants(child.id())
        .into_iter()
        .filter(|&process| (0..2).any(|rank| is_rank(process, rank)))
        .collect();
    for process in &ranks {
        let _ = Command::new("kill")
            .args(["-TERM", &process.to_string()])
            .status();
    }
    let _ = child.wait().expect("it ends");
    assert!(shop.path("stopped/checkpoint.bin").exists());
    shop.succeed(3, 1, "run scene.toml -o stopped --resume");
    shop.assert_same("alone", "stopped");
}

#[test]
fn an_unstable_step_ends_all_ranks_with_its_reason_and_the_last_good_state() {
    let shop = TestFolder::new(&FLOW.replace("step = 2e-4", "step = 4e-3"));
    let mut errors = Vec::new();
    for (ranks, folder) in [(0, "alone"), (2, "two"), (3, "three")] {
        let output = shop
            .command(ranks, 1, &format!("run scene.toml -o {folder}"))
            .output();
        let output = output.expect("it starts");
        assert!(!output.status.success());
        let text = text(&output);
        let line = text
            .lines()
            .find(|line| line.contains("step ") && line.contains(" s: "));
        errors.push(line.unwrap_or_else(|| panic!("{text}")).to_owned());
    }
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    shop.assert_same("alone", "two");
    shop.assert_same("alone", "three");
}

#[test]
fn a_rank_with_another_scene_or_without_one_is_refused_by_its_number() {
    let shop = TestFolder::new(FLOW);
    shop.write("other.toml", &FLOW.replace("seed = 7", "seed = 8"));
    for (other, reason) in [
        ("other.toml", "rank 1: its scene"),
        ("missing.toml", "rank 1: "),
    ] {
        let mut command = mpirun();
        command.args(["-n", "1", PROGRAM, "run", "scene.toml", "-o", "out", ":"]);
        command.args(["-n", "1", PROGRAM, "run", other, "-o", "out"]);
        let output = command
            .current_dir(shop.0.path())
            .output()
            .expect("it starts");
        assert!(!output.status.success());
        assert!(text(&output).contains(reason), "{}", text(&output));
        assert!(!shop.path("out").exists());
    }
}
