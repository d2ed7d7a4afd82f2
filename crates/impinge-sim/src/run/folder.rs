//! The folder of a run: whose it is, and that no two runs share it.

use super::RunError;
use crate::checkpoint;
use crate::output::FRAMES;
use impinge_io::Error;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Says that a folder is a run's; held locked while it runs.
const MARKER: &str = ".impinge-run";

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

/// A folder that is ours until dropped.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// The system lets go of the lock when the process ends, however it ends.
    _lock: File,
}

impl Folder {
    pub(super) fn take(path: &Path, start: Start) -> Result<Self, RunError> {
        std::fs::create_dir_all(path).map_err(|source| Error::system(path, source))?;
        let marker = path.join(MARKER);
        let is_run = marker.exists();
        if !is_run && !is_empty(path)? {
            return Err(RunError::NotARun {
                folder: path.to_owned(),
            });
        }
        if is_run && start == Start::New {
            return Err(RunError::Occupied {
                folder: path.to_owned(),
            });
        }
        let lock = File::create(&marker).map_err(|source| Error::system(&marker, source))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::Busy {
                    folder: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(Error::system(&marker, source).into()),
        }
        let folder = Self {
            path: path.to_owned(),
            _lock: lock,
        };
        folder.remove(|name| name.starts_with(".impinge-") && name.ends_with(".part"))?;
        if start == Start::Anew {
            folder.clear()?;
        }
        Ok(folder)
    }

    /// Removes what a run wrote: the checkpoint first, so that nothing is ever resumed from half of it.
    pub(super) fn clear(&self) -> Result<(), RunError> {
        for first in [checkpoint::FILE, "summary.json"] {
            remove(&self.path.join(first))?;
        }
        self.remove(|name| {
            [".vtp", ".vtu", ".pvd", ".csv", ".png", ".svg"]
                .iter()
                .any(|end| name.ends_with(end))
        })
    }

    /// Removes files of the folder and of its frames.
    fn remove(&self, unwanted: impl Fn(&str) -> bool) -> Result<(), RunError> {
        for folder in [self.path.clone(), self.path.join(FRAMES)] {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries {
                let path = entry
                    .map_err(|source| Error::system(&folder, source))?
                    .path();
                if path
                    .file_name()
                    .and_then(|name| name.to_str())
                    .is_some_and(&unwanted)
                {
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), RunError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::system(path, error).into())
        }
        _ => Ok(()),
    }
}

fn is_empty(path: &Path) -> Result<bool, Error> {
    let mut entries = std::fs::read_dir(path).map_err(|source| Error::system(path, source))?;
    Ok(entries.next().is_none())
}
