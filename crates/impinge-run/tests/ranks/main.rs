//! Runs on several ranks, which are threads here, write the files of one process.

use impinge_run::run::{Ending, RunError, Runner, Start, follow};
use impinge_sim::ranks::run_on_threads;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Spheres with everything that has a memory: friction and rolling springs, a wall on a path, a mesh, an inlet and an
/// outlet; they migrate.
const FLOW: &str = include_str!("flow.toml");

/// Radii 1:20 in a box that is periodic on two axes.
const SIZES: &str = include_str!("sizes.toml");

/// Spheres beside a rigid body and an elastic solid.
const MIXED: &str = include_str!("mixed.toml");

/// Spheres that fly freely, and so fast that steps are divided.
const THROWN: &str = include_str!("thrown.toml");

struct Workshop(tempfile::TempDir);

impl Workshop {
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

    /// Runs a scene on some ranks.
    fn run(
        &self,
        ranks: usize,
        scene: &str,
        folder: &str,
        start: Start,
    ) -> Result<Ending, RunError> {
        self.run_watched(ranks, &|_| self.path(scene), folder, start, &mut |_| false)
    }

    /// Does the same, with the scene of each rank; stops when `stop` says so.
    fn run_watched(
        &self,
        ranks: usize,
        scene: &(dyn Fn(usize) -> PathBuf + Sync),
        folder: &str,
        start: Start,
        stop: &mut (dyn FnMut(&Runner) -> bool + Send),
    ) -> Result<Ending, RunError> {
        let (folder, stop) = (self.path(folder), Mutex::new(stop));
        let mut results = run_on_threads(ranks, |all| {
            let scene = scene(all.rank());
            if all.rank() > 0 {
                return follow(&scene, &all).map(|()| Ending::Finished);
            }

            let mut runner = match ranks {
                1 => Runner::start(&scene, &folder, start)?,
                _ => Runner::lead(&scene, &folder, start, &all)?,
            };
            let stopping = AtomicBool::new(false);
            let mut stop = stop.lock().expect("only rank 0 stops");
            runner.advance(&stopping, &mut |runner| {
                stopping.fetch_or(stop(runner), std::sync::atomic::Ordering::Relaxed);
            })
        });

        results.swap_remove(0)
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

/// Asserts that a scene gives the same files on 1, 2, 3 and 4 ranks; returns the summaries.
fn assert_same_on_all_ranks(scene: &str) -> Vec<String> {
    let shop = Workshop::new(scene);
    let mut summaries = Vec::new();
    for ranks in 1..=4 {
        let folder = format!("out{ranks}");
        let ending = shop.run(ranks, "scene.toml", &folder, Start::New);
        assert_eq!(ending.expect("a good run"), Ending::Finished);
        shop.assert_same("out1", &folder);

        let summary = std::fs::read_to_string(shop.path(&folder).join("summary.json"));
        let summary = summary.expect("a summary");
        let counted = summary.contains(&format!("\"ranks\": {ranks}"));
        assert_eq!(counted, ranks > 1, "{ranks} ranks");
        summaries.push(summary);
    }

    summaries
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
    for summary in assert_same_on_all_ranks(THROWN) {
        for counter in ["free_flights", "divided_steps"] {
            let line = summary.lines().find(|line| line.contains(counter));
            assert!(!line.expect("counted").contains(": 0"), "{summary}");
        }
    }
}

#[test]
fn a_run_goes_on_with_another_number_of_ranks() {
    let shop = Workshop::new(FLOW);
    shop.write(
        "half.toml",
        &FLOW.replace("duration = 0.3", "duration = 0.15"),
    );
    for (folder, first, second) in [("alone", 1, 1), ("other", 3, 2)] {
        shop.run(first, "half.toml", folder, Start::New)
            .expect("a good run");
        shop.run(second, "scene.toml", folder, Start::Resume)
            .expect("a good run");
    }
    shop.assert_same("alone", "other");
}

#[test]
fn a_stopped_run_of_three_ranks_ends_with_the_bytes_of_one_that_was_not_stopped() {
    let shop = Workshop::new(&FLOW.replace("duration = 0.3", "duration = 1.2"));
    shop.run(1, "scene.toml", "alone", Start::New)
        .expect("a good run");
    let scene = |_| shop.path("scene.toml");
    let ending = shop.run_watched(3, &scene, "stopped", Start::New, &mut |_| true);
    assert_eq!(ending.expect("it stops"), Ending::Stopped);
    shop.run(2, "scene.toml", "stopped", Start::Resume)
        .expect("a good run");
    shop.assert_same("alone", "stopped");
}

#[test]
fn an_unstable_step_ends_all_ranks_with_its_reason_and_the_last_good_state() {
    let shop = Workshop::new(&FLOW.replace("step = 2e-4", "step = 4e-3"));
    let errors = [(1, "one"), (2, "two"), (3, "three")].map(|(ranks, folder)| {
        let error = shop.run(ranks, "scene.toml", folder, Start::New);
        error.expect_err("the step is too long").to_string()
    });
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    shop.assert_same("one", "two");
    shop.assert_same("one", "three");
}

#[test]
fn a_rank_with_another_scene_or_without_one_is_refused_by_its_number() {
    let shop = Workshop::new(FLOW);
    shop.write("other.toml", &FLOW.replace("seed = 7", "seed = 8"));
    for (other, reason) in [
        ("other.toml", "rank 1: its scene"),
        ("missing.toml", "rank 1: "),
    ] {
        let scene = |rank: usize| shop.path(if rank == 1 { other } else { "scene.toml" });
        let error = shop.run_watched(2, &scene, "out", Start::New, &mut |_| false);
        let error = error.expect_err("they differ").to_string();
        assert!(error.starts_with(reason), "{error}");
        assert!(!shop.path("out").exists());
    }
}

#[test]
fn a_folder_that_cannot_be_used_ends_all_ranks() {
    let shop = Workshop::new(FLOW);
    std::fs::create_dir(shop.path("taken")).expect("a folder");
    shop.write("taken/letter.txt", "not a run");
    let error = shop.run(3, "scene.toml", "taken", Start::New);
    assert!(matches!(error, Err(RunError::NotARun { .. })));
}

#[test]
#[should_panic(expected = "rank 1: ")]
fn a_rank_that_loses_a_file_after_the_start_ends_all() {
    let shop = Workshop::new(FLOW);
    let path = |rank: usize| shop.path(&format!("own{rank}/scene.toml"));
    let mesh = "shape = { mesh = \"stone.stl\" }";
    let scene = format!("{FLOW}\n[[wall]]\nname = \"stone\"\n{mesh}\nposition = [9, 9, 9]\n");
    let stone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/stone.stl");
    for rank in 0..2 {
        let folder = shop.path(&format!("own{rank}"));
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(path(rank), &scene).expect("writes");
        std::fs::copy(&stone, folder.join("stone.stl")).expect("copies");
    }

    run_on_threads(2, |all| {
        let scene = path(all.rank());
        if all.rank() > 0 {
            let _ = follow(&scene, &all);
            return;
        }
        let runner = Runner::lead(&scene, &shop.path("out"), Start::New, &all);
        std::fs::remove_file(shop.path("own1/stone.stl")).expect("removes");
        let _ = runner
            .expect("a good start")
            .advance(&AtomicBool::new(false), &mut |_| {});
    });
}
