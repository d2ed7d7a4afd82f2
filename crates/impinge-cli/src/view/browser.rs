//! Opens an address in the user's browser.

use std::process::{Command, Stdio};

/// Opens an address; returns whether a program for it was found.
pub(super) fn open(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The empty string is the window's title.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };

    let started = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        return false;
    };
    // Some browsers stay in the foreground, so their exit is not awaited.
    std::thread::spawn(move || child.wait());
    true
}
