//! The folder of a run: whose it is, and that no two runs share it.

use super::{RunError, summary};
use crate::checkpoint;
use crate::output::{FRAMES, MANIFEST, Manifest};
use impinge_io::Error;
use std::path::Path;

/// What to do with a folder that has a run in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Refuse it.
    New,
    /// Go on from its checkpoint, or from the beginning where there is none.
    Resume,
    /// Throw it away.
    Anew,
}

/// Makes a folder ours until the manifest is dropped.
pub(super) fn take(folder: &Path, start: Start) -> Result<Manifest, RunError> {
    std::fs::create_dir_all(folder).map_err(|source| Error::system(folder, source))?;
    let not_a_run = || RunError::NotARun {
        folder: folder.to_owned(),
    };
    let marker = folder.join(MANIFEST);

    if !marker.exists() && !is_empty(folder)? {
        return Err(not_a_run());
    }

    let manifest = Manifest::lock(folder).map_err(|source| Error::system(&marker, source))?;
    let manifest = manifest.ok_or_else(|| RunError::Busy {
        folder: folder.to_owned(),
    })?;

    if !manifest.is_run() && !is_empty(folder)? {
        return Err(not_a_run());
    }

    if manifest.is_run() && start == Start::New {
        return Err(RunError::Occupied {
            folder: folder.to_owned(),
        });
    }

    remove_unfinished(folder)?;
    Ok(manifest)
}

/// Removes what a run wrote: the checkpoint first, so that nothing is ever resumed from half of it.
pub(super) fn clear(manifest: &mut Manifest) -> Result<(), RunError> {
    let cleared = manifest.clear(&[checkpoint::FILE, summary::FILE]);
    cleared.map_err(|source| Error::system(manifest.folder(), source).into())
}

/// Removes the temporary files that a killed run left.
fn remove_unfinished(folder: &Path) -> Result<(), RunError> {
    for folder in [folder.to_owned(), folder.join(FRAMES)] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let entry = entry.map_err(|source| Error::system(&folder, source))?;
            let name = entry.file_name();
            let is_ours = |name: &str| name.starts_with(".impinge-") && name.ends_with(".part");
            if name.to_str().is_some_and(is_ours) {
                let path = entry.path();
                std::fs::remove_file(&path).map_err(|source| Error::system(&path, source))?;
            }
        }
    }
    Ok(())
}

/// Whether there is nothing but, perhaps, a list that was not begun.
fn is_empty(folder: &Path) -> Result<bool, Error> {
    let entries = std::fs::read_dir(folder).map_err(|source| Error::system(folder, source))?;
    for entry in entries {
        let entry = entry.map_err(|source| Error::system(folder, source))?;
        if entry.file_name() != MANIFEST {
            return Ok(false);
        }
    }

    Ok(true)
}
