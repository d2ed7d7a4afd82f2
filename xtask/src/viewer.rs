//! `cargo xtask viewer`: builds the page of `impinge view`; and its checks within `cargo xtask test`.
//!
//! The bundle is committed, so that building the command needs no node. The checks need node, npm and a Chromium; they
//! are installed from Debian's packages where this runs as root, otherwise what is missing is named and skipped.

use crate::debian::{self, has};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names of the browser, as distributions have it.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Builds the bundle from the sources in `viewer/`.
pub(crate) fn build() -> Result<()> {
    let folder = crate::root().join("viewer");
    install_packages(&folder)?;
    npm(&folder, &["run", "--silent", "check"])?;
    npm(&folder, &["run", "--silent", "build"])
}

/// Checks types and bundle, and runs the tests in a browser. Returns what was skipped, if anything.
pub(crate) fn test() -> Result<Option<String>> {
    let root = crate::root();
    let folder = root.join("viewer");
    let missing = missing_programs().map(|name| format!("{name} is not installed"));
    let missing = missing.or_else(|| {
        let installed = install_packages(&folder);
        installed.err().map(|error| format!("{error:#}"))
    });
    if let Some(missing) = missing {
        if crate::test::is_ci() {
            bail!("{missing}; CI needs it");
        }
        return Ok(Some(missing));
    }

    npm(&folder, &["run", "--silent", "check"])?;
    run(Command::new("node")
        .args(["build.mjs", "--check"])
        .current_dir(&folder))?;

    // The same selection as that of `cargo test --workspace`: everything has been compiled.
    let selection = ["--workspace", "--lib", "--bins", "--tests"];
    run(Command::new("cargo")
        .args(["build", "--quiet", "--profile", "test"])
        .args(selection)
        .current_dir(&root))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    run(Command::new("npm")
        .args(["test", "--silent"])
        .env("IMPINGE", root.join(target).join("debug/impinge"))
        .env("CHROMIUM", browser().context("a browser was found before")?)
        .current_dir(&folder))?;
    Ok(None)
}

/// Installs the npm packages exactly as locked.
fn install_packages(folder: &Path) -> Result<()> {
    npm(folder, &["ci", "--silent", "--no-audit", "--no-fund"])
}

/// Returns the first program that is missing, after trying to install it.
fn missing_programs() -> Option<&'static str> {
    let lacks = || match (has("node") && has("npm"), browser().is_some()) {
        (false, _) => Some("node with npm"),
        (_, false) => Some("chromium"),
        _ => None,
    };
    lacks()?;
    install_from_debian();
    lacks()
}

/// Installs node, npm and chromium as packages, if this may.
fn install_from_debian() {
    let mut packages = Vec::new();
    if browser().is_none() {
        packages.push("chromium");
    }
    if !has("node") || !has("npm") {
        packages.extend(["nodejs", "npm"]);
    }
    debian::install(&packages);
}

fn browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|name| has(name))
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    run(Command::new("npm").args(arguments).current_dir(folder))
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let arguments: Vec<_> = command
        .get_args()
        .map(|word| word.to_string_lossy())
        .collect();
    let text = format!("{program} {}", arguments.join(" "));
    let status = command
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("{text} failed");
    }
    Ok(())
}
