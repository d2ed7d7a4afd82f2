//! Programs that tests need, installed from Debian's packages where this runs as root.

use std::process::{Command, Stdio};

/// Whether a program can be started.
pub(crate) fn has(program: &str) -> bool {
    let started = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    started.is_ok_and(|status| status.success())
}

/// Installs packages, if there is a package manager and the right to use it. A failure shows in what
/// is still missing.
pub(crate) fn install(packages: &[&str]) {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !is_root || !has("apt-get") {
        return;
    }

    println!("   installing {}", packages.join(", "));
    let apt = |arguments: &[&str]| {
        Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null())
            .status()
    };
    let _ = apt(&["update", "-qq"]);
    let _ = apt(&[
        &["install", "-y", "-qq", "--no-install-recommends"],
        packages,
    ]
    .concat());
}
