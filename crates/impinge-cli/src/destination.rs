//! Checks output paths before the work starts, so that a long computation does not fail when it is saved.

use anyhow::bail;
use impinge_io::Error;
use std::path::Path;

/// Returns an error if the extension of the output is unsupported or its folder does not exist.
pub(crate) fn check(path: Option<&Path>, what: &str, extensions: &[&str]) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|extension| extensions.contains(&extension)) {
        let names: Vec<String> = extensions.iter().map(|name| format!(".{name}")).collect();
        let (last, others) = names.split_last().expect("there is an extension");
        bail!(
            "{}: {what} are written as {} or {last}",
            path.display(),
            others.join(", ")
        );
    }

    check_folder(path)
}

/// Returns an error if the folder of the output does not exist.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(std::fs::metadata) {
        Some(Err(reason)) => Err(Error::system(path, reason).into()),
        _ => Ok(()),
    }
}
