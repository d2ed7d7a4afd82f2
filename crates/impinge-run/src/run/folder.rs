//! The folder of a run: ownership and locking.

use super::{RunError, summary};
use crate::checkpoint;
use crate::output::{FRAMES, MANIFEST, Manifest};
use impinge_io::Error;
use std::path::Path;

/// What to do with a folder that already contains a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Fail.
    New,
    /// Continue from its checkpoint, or from the beginning if there is none.
    Resume,
    /// Discard the old run and start over.
    Overwrite,
}

/// Locks a folder until the manifest is dropped.
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

/// Removes the files of a run: the checkpoint first, so that a partly removed run is never resumed.
pub(super) fn clear(manifest: &mut Manifest) -> Result<(), RunError> {
    let cleared = manifest.clear(&[checkpoint::FILE, summary::FILE]);
    cleared.map_err(|source| Error::system(manifest.folder(), source).into())
}

/// Removes the temporary files of a killed run.
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

/// Returns whether the folder is empty except, perhaps, for an empty list.
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
