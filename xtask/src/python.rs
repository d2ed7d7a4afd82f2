//! The Python package: its tests, in a virtual environment of their own, and its wheel.
//!
//! The tests use the extension module in the profile that the Rust tests have compiled anyway: the
//! library is not compiled again. The wheel to publish is a release build by maturin.

use crate::test::is_ci;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the tests need from PyPI. numpy alone is what users need. Versions are fixed, because warnings
/// are errors in these tests.
const PACKAGES: [&str; 7] = [
    "numpy==2.4.6",
    "pytest==9.2.0",
    "hypothesis==6.170.15",
    "mypy==2.4.1",
    "matplotlib==3.11.2",
    "trimesh==5.2.0",
    "shapely==2.2.0",
];

/// What building a wheel for any Linux needs from PyPI.
const BUILDERS: [&str; 2] = ["maturin>=1.16,<2", "ziglang"];

/// Builds and installs the package, and runs its tests, examples and type checks. Returns the number
/// of tests that passed. Without Python the step is skipped, except in continuous integration.
pub(crate) fn test(root: &Path) -> Result<usize> {
    let Some(python) = python()? else {
        return Ok(0);
    };
    let folder = target(root).join("python");
    let environment = environment(&python, &folder, &PACKAGES)?;
    install(root, &folder, &environment)?;

    let package = root.join("crates/impinge-py");
    let examples = root.join("examples/python");
    println!("   mypy --strict, stubtest");
    check(
        &environment,
        &folder,
        &["-m", "mypy.stubtest", "impinge._impinge"],
    )?;
    let strict = ["-m", "mypy", "--strict", "--cache-dir"];
    let cache = folder.join("mypy");
    let checked = [&cache, &package.join("python/impinge"), &examples].map(|path| text(path));
    let arguments: Vec<&str> = strict
        .into_iter()
        .chain(checked.iter().map(|p| &**p))
        .collect();
    check(&environment, root, &arguments)?;

    println!("   pytest, with doctests and examples");
    tests(&environment, &folder, &package)
}

/// Builds the wheel to publish.
pub(crate) fn wheel(root: &Path) -> Result<()> {
    let Some(python) = python()? else {
        bail!("the wheel needs Python 3.11 or later, with venv and pip");
    };
    let folder = target(root).join("python");
    let environment = environment(&python, &folder, &BUILDERS)?;
    let manifest = text(&root.join("crates/impinge-py/Cargo.toml"));
    let wheels = text(&target(root).join("wheels"));
    let mut arguments = vec!["-m", "maturin", "build", "--release", "--strip"];
    arguments.extend(["--manifest-path", &manifest, "--out", &wheels]);
    if cfg!(target_os = "linux") {
        arguments.extend(["--zig", "--compatibility", "manylinux_2_28"]);
    }

    // maturin looks for zig as `python3 -m ziglang` on the path.
    let programs = environment.parent().into_iter().map(Path::to_path_buf);
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(programs.chain(std::env::split_paths(&inherited)))?;
    run(Command::new(&environment)
        .args(&arguments)
        .env("PATH", path)
        .current_dir(root))
}

/// Finds a Python interpreter that can make virtual environments.
fn python() -> Result<Option<PathBuf>> {
    let is_good = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    for name in [
        "python3",
        "python3.13",
        "python3.12",
        "python3.11",
        "python",
    ] {
        let mut command = Command::new(name);
        command
            .args(["-c", is_good])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if command.status().is_ok_and(|status| status.success()) {
            return Ok(Some(name.into()));
        }
    }

    let needed = "Python 3.11 or later with venv and pip";
    if is_ci() {
        bail!("{needed} is not installed; CI needs it");
    }
    println!("── {needed} is not installed: the Python package is not tested");
    Ok(None)
}

/// Makes the virtual environment and installs packages into it; returns its interpreter.
fn environment(python: &Path, folder: &Path, packages: &[&str]) -> Result<PathBuf> {
    let place = folder.join("venv");
    let programs = place.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let interpreter = programs.join("python");
    if !interpreter.exists() {
        std::fs::create_dir_all(folder)?;
        println!("   making {}", place.display());
        run(Command::new(python).args(["-m", "venv"]).arg(&place))?;
    }

    println!("   installing {}", packages.join(", "));
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    run(Command::new(&interpreter).args(install).args(packages))?;
    Ok(interpreter)
}

/// Packs the extension module of the test profile into a wheel and installs it.
fn install(root: &Path, folder: &Path, environment: &Path) -> Result<()> {
    // The same selection as that of `cargo test --workspace`: everything has been compiled.
    let mut arguments = vec!["build", "--workspace", "--lib", "--bins", "--tests"];
    arguments.extend([
        "--profile",
        "test",
        "--message-format",
        "json-render-diagnostics",
    ]);
    let output = Command::new("cargo")
        .args(&arguments)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }

    let messages = String::from_utf8_lossy(&output.stdout);
    let library = library(&messages).context("cargo built no extension module")?;
    let package = root.join("crates/impinge-py");
    let pack = [&package.join("pack.py"), &library, folder].map(text);
    let packed = Command::new(environment)
        .args(&pack)
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8_lossy(&packed.stdout);
    let wheel = printed.trim();
    if !packed.status.success() || wheel.is_empty() {
        bail!("packing the wheel failed");
    }

    let arguments = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    let exact = ["--force-reinstall", "--no-deps", wheel];
    run(Command::new(environment).args(arguments).args(exact))
}

/// Finds the extension module in cargo's messages.
fn library(messages: &str) -> Option<PathBuf> {
    let is_library = |text: &&str| {
        let file = text.rsplit(['/', '\\']).next().unwrap_or_default();
        ["lib_impinge.so", "lib_impinge.dylib", "_impinge.dll"].contains(&file)
    };
    messages.split('"').find(is_library).map(PathBuf::from)
}

/// Runs pytest and returns the number of tests that passed.
fn tests(environment: &Path, folder: &Path, package: &Path) -> Result<usize> {
    let output = Command::new(environment)
        .args(["-m", "pytest", "-q", "-rs", "--rootdir"])
        .args([package, &package.join("tests")])
        .arg("--config-file")
        .arg(package.join("pyproject.toml"))
        // Not in the sources: Python would find the package there, without its extension module.
        .current_dir(folder)
        .env("MPLBACKEND", "Agg")
        .env("IMPINGE_TEST_FOLDER", folder)
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    for line in printed.lines().filter(|line| !line.trim().is_empty()) {
        println!("   {line}");
    }
    if !output.status.success() {
        bail!("tests of the Python package failed");
    }

    let summary = printed.lines().rev().find_map(passed);
    summary.context("pytest ran no test")
}

/// Parses `131 passed, 2 skipped in 3.14s`.
fn passed(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split([' ', ',']).collect();
    let at = words.iter().position(|word| *word == "passed")?;
    words.get(at.checked_sub(1)?)?.parse().ok()
}

fn check(environment: &Path, folder: &Path, arguments: &[&str]) -> Result<()> {
    run(Command::new(environment)
        .args(arguments)
        .current_dir(folder))
}

fn run(command: &mut Command) -> Result<()> {
    let described = format!("{command:?}");
    let status = command.status().with_context(|| described.clone())?;
    if !status.success() {
        bail!("{described} failed");
    }
    Ok(())
}

/// Returns the build folder.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |folder| root.join(folder))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests;
