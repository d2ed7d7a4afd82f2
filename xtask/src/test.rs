//! `cargo xtask test`: every check that a change must pass.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The steps in their order; `cargo xtask test STEP …` runs some of them.
pub(crate) const STEPS: [&str; 10] = [
    "formatting",
    "clippy",
    "features",
    "layers",
    "book",
    "tests",
    "MPI",
    "viewer",
    "documentation",
    "Python",
];

/// Runs the steps with these names, or all if there are none.
pub(crate) fn run(wanted: &[&str]) -> Result<()> {
    if let Some(name) = wanted.iter().find(|name| !STEPS.contains(name)) {
        bail!("unknown step '{name}'; there are {}", STEPS.join(", "));
    }

    let root = crate::root();
    let mut count = Count::default();
    for name in STEPS {
        if wanted.is_empty() || wanted.contains(&name) {
            run_step(name, &root, &mut count)?;
        }
    }

    println!(
        "\n{} passed, {} failed, {} skipped",
        count.passed, count.failed, count.ignored
    );

    Ok(())
}

fn run_step(name: &str, root: &Path, count: &mut Count) -> Result<()> {
    // A machine without these components can still run the tests; continuous integration must have
    // them.
    let component = match name {
        "formatting" => Some("fmt"),
        "clippy" => Some("clippy"),
        _ => None,
    };
    if let Some(component) = component
        && !has(component, root)?
    {
        return Ok(());
    }

    step(name, || match name {
        "formatting" => cargo(&["fmt", "--all", "--check"], root),
        "clippy" => clippy(root),
        "features" => features(root),
        "layers" => crate::layers::run(),
        "book" => crate::book::run(crate::book::Mode::Check),
        "tests" => tests(root).map(|found| *count = found),
        "MPI" => match crate::mpi::test(root)? {
            Ok(found) => {
                count.passed += found.passed;
                Ok(())
            }
            Err(reason) => skipped("runs on several MPI ranks were not tested", &reason),
        },
        "viewer" => match crate::viewer::test()? {
            None => Ok(()),
            Some(reason) => skipped("the page of `impinge view` was not checked", &reason),
        },
        "documentation" => documentation(root),
        _ => crate::python::test(root).map(|passed| count.passed += passed),
    })
}

fn skipped(what: &str, reason: &str) -> Result<()> {
    println!("   {what}: {reason}");
    Ok(())
}

fn clippy(root: &Path) -> Result<()> {
    let arguments = "clippy --workspace --all-targets --profile test --quiet -- -D warnings";
    cargo(&arguments.split(' ').collect::<Vec<_>>(), root)
}

/// Compiles the library without its optional features, for the browser if the target is installed, and
/// with all of them.
fn features(root: &Path) -> Result<()> {
    let check = ["check", "--package", "impinge", "--quiet"];
    let without = [&check[..], &["--no-default-features"]].concat();
    cargo(&without, root)?;
    cargo(&[&check[..], &["--all-features"]].concat(), root)?;

    match has_target(WASM) {
        true => cargo(&[&without[..], &["--target", WASM]].concat(), root),
        false => {
            println!("   {WASM} is not installed: skipped (rustup target add {WASM})");
            Ok(())
        }
    }
}

/// The target of browsers.
const WASM: &str = "wasm32-unknown-unknown";

/// Whether the standard library of a target is installed.
fn has_target(target: &str) -> bool {
    let arguments = ["--print", "target-libdir", "--target", target];
    let output = Command::new("rustc").args(arguments).output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && Path::new(&folder).is_dir()
    })
}

/// Runs a cargo command in a folder and propagates its failure.
pub(crate) fn cargo(arguments: &[&str], folder: &Path) -> Result<()> {
    succeed(
        Command::new("cargo").args(arguments).current_dir(folder),
        arguments,
    )
}

fn succeed(command: &mut Command, arguments: &[&str]) -> Result<()> {
    let status = command.status().context("cannot start cargo")?;
    if !status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(())
}

fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("── {name}");
    let start = std::time::Instant::now();
    let result = work()?;
    println!("   {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(result)
}

/// Whether this is continuous integration, where nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Whether a cargo component is installed. With `CI=true`, a missing one is an error.
fn has(component: &str, folder: &Path) -> Result<bool> {
    let quiet =
        |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = quiet(
        Command::new("cargo")
            .args([component, "--version"])
            .current_dir(folder),
    )?
    .success();

    if !found && is_ci() {
        bail!(
            "cargo {component} is not installed; CI needs it (rustup component add rustfmt clippy)"
        );
    }

    if !found {
        println!(
            "── cargo {component} is not installed: skipped (rustup component add rustfmt clippy)"
        );
    }

    Ok(found)
}

/// Totals over all test programs.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    failed: usize,
    ignored: usize,
}

/// Runs all tests and doc tests of all crates, in the optimised test profile of the root manifest.
fn tests(root: &Path) -> Result<Count> {
    run_tests(&["test", "--workspace", "--no-fail-fast"], root)
}

/// Runs tests by cargo, and counts them.
pub(crate) fn run_tests(arguments: &[&str], root: &Path) -> Result<Count> {
    let mut child = Command::new("cargo")
        .args(arguments)
        .current_dir(root)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut count = Count::default();

    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line = line?;
        count.add(&line);
        // Hide the lines of passed tests: they would bury the one that matters.
        let dull =
            line.trim().is_empty() || (line.starts_with("test ") && line.ends_with("... ok"));
        if !dull {
            println!("   {line}");
        }
    }

    if !child.wait()?.success() || count.failed > 0 {
        bail!(
            "{} passed, {} failed, {} skipped",
            count.passed,
            count.failed,
            count.ignored
        );
    }

    if count.passed == 0 {
        bail!("no test was run");
    }

    Ok(count)
}

impl Count {
    /// Parses `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
    fn add(&mut self, line: &str) {
        let Some(summary) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for part in summary.1.split(';') {
            let mut words = part.split_whitespace();
            let (Some(number), Some(what)) = (
                words.next().and_then(|n| n.parse::<usize>().ok()),
                words.next(),
            ) else {
                continue;
            };

            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

fn documentation(root: &Path) -> Result<()> {
    let arguments = ["doc", "--workspace", "--no-deps", "--quiet"];
    succeed(
        Command::new("cargo")
            .args(arguments)
            .env("RUSTDOCFLAGS", "-D warnings")
            .current_dir(root),
        &arguments,
    )
}

#[cfg(test)]
mod tests;
