//! Tests of runs on several MPI ranks, within `cargo xtask test`.
//!
//! They need an MPI library with its compiler wrapper and libclang, which are installed from Debian's packages where
//! this runs as root; otherwise what is missing is named and skipped.

use crate::debian::{self, has};
use crate::test::{Count, cargo, is_ci, run_tests};
use anyhow::{Result, bail};
use std::path::Path;

const PACKAGES: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-dev"];

/// Folders and the start of the name under which distributions have libclang.
const LIBRARIES: [&str; 4] = [
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
];

/// Runs the tests on 1 to 4 ranks. Returns their number, or what is missing.
pub(crate) fn test(root: &Path) -> Result<std::result::Result<Count, String>> {
    if missing().is_some() {
        debian::install(&PACKAGES);
    }

    if let Some(missing) = missing() {
        if is_ci() {
            bail!("{missing} is not installed; CI needs it");
        }
        return Ok(Err(format!("{missing} is not installed")));
    }

    let clippy = "clippy -p impinge-mpi -p impinge-cli --features impinge-cli/mpi --all-targets --profile test --quiet -- -D warnings";
    cargo(&clippy.split(' ').collect::<Vec<_>>(), root)?;
    let tests = [
        "test",
        "-p",
        "impinge-cli",
        "--features",
        "mpi",
        "--test",
        "mpi",
    ];
    run_tests(&tests, root).map(Ok)
}

/// Returns the first thing that is missing.
fn missing() -> Option<&'static str> {
    if !has("mpirun") {
        Some("mpirun")
    } else if !has("mpicc") {
        Some("mpicc")
    } else if !has_libclang() {
        Some("libclang")
    } else {
        None
    }
}

fn has_libclang() -> bool {
    let llvm = std::fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten();
    let llvm = llvm
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().contains("llvm"))
        .map(|path| path.join("lib"));
    let mut folders = LIBRARIES.iter().map(Into::into).chain(llvm);

    std::env::var_os("LIBCLANG_PATH").is_some()
        || folders.any(|folder| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names = entries.map(|entry| entry.file_name());
            names.any(|name| {
                let name = name.to_string_lossy();
                name.starts_with("libclang") && name.contains(".so") && !name.contains("-cpp")
            })
        })
}
