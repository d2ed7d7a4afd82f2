//! External programs: compiled or found, run, and their one line of numbers parsed.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a C++ program into the folder, once.
pub(crate) fn compiled(
    name: &str,
    source: &str,
    libraries: &[&str],
    folder: &Path,
) -> Result<PathBuf> {
    let (text, program) = (folder.join(format!("{name}.cpp")), folder.join(name));
    std::fs::write(&text, source).with_context(|| text.display().to_string())?;
    let mut command = Command::new("c++");
    command
        .args(["-O3", "-DNDEBUG", "-o"])
        .arg(&program)
        .arg(&text)
        .args(libraries);
    let output = command
        .output()
        .context("there is no C++ compiler named c++")?;

    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        bail!(
            "it does not compile: {}",
            reason
                .lines()
                .find(|line| line.contains("error"))
                .unwrap_or("no reason")
        );
    }

    Ok(program)
}

/// Returns a command that runs a Python script.
pub(crate) fn script(name: &str, source: &str, folder: &Path) -> Result<Command> {
    let path = folder.join(name);
    std::fs::write(&path, source).with_context(|| path.display().to_string())?;
    let mut command = python();
    command.arg(path);
    Ok(command)
}

/// Returns the Python with the peers' packages.
pub(crate) fn python() -> Command {
    Command::new(std::env::var("IMPINGE_PYTHON").unwrap_or_else(|_| "python3".to_owned()))
}

/// Runs a program and parses the numbers of its last line.
pub(crate) fn numbers(command: &mut Command) -> Result<Vec<f64>> {
    let output = command.output().context("it cannot be started")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{}",
            reason.lines().last().unwrap_or("it fails without a word")
        );
    }

    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().last().context("it prints nothing")?;
    line.split_whitespace()
        .map(|word| word.parse().with_context(|| format!("it prints '{line}'")))
        .collect()
}
