//! Where results go, looked at before the work: an hour of it must not end with a name that cannot be written.

use anyhow::bail;
use impinge_io::Error;
use std::path::Path;

/// Refuses an output whose extension is none of the given ones, or whose folder is not there.
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

/// Refuses an output whose folder is not there.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(std::fs::metadata) {
        Some(Err(reason)) => Err(Error::system(path, reason).into()),
        _ => Ok(()),
    }
}
