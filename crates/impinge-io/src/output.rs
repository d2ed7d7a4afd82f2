//! Atomic file output: a file appears under its final name complete or not at all.
//!
//! Symbolic links are followed and kept, and an existing file keeps its permissions. Anything other than a regular
//! file (`/dev/stdout`, a named pipe) is written to directly.
//!
//! A rename is atomic: whoever opens the name, even after the program was killed, finds the old file or the
//! complete new one. Loss of power is different: the name may reach the disk before the data do. Waiting for
//! the data takes milliseconds per file. To write many files, use [`Durability::Program`], call [`sync`] on all
//! of them, and only then write the one file that refers to them.

use crate::Error;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Temporary files being written, so that an interrupted program can remove them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Durability of a finished file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The file survives the end of the program, even a crash: the operating system has the data.
    Program,
    /// The file also survives a power loss: the data are on disk before the name is.
    Power,
}

/// Writes a file through a temporary one in the same folder, which is renamed only after everything, including the
/// flush to disk, has succeeded. On an error the temporary file is removed and an existing file of that name is left
/// unchanged.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    write_durably(path, Durability::Power, fill)
}

/// Like [`write_atomically`], with a chosen durability.
pub fn write_durably(
    path: &Path,
    durability: Durability,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    let attempt = || -> std::io::Result<()> {
        let old = std::fs::metadata(path).ok();
        if old
            .as_ref()
            .is_some_and(|old| !old.is_file() && !old.is_dir())
        {
            let mut device = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            fill(&mut device)?;
            return device.flush();
        }

        let target = behind_links(path)?;
        let mut temporary = temporary_in(folder_of(&target))?;
        let _entry = Unfinished::enter(temporary.path());
        let mut buffered = BufWriter::with_capacity(1 << 20, temporary.as_file_mut());
        fill(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        if durability == Durability::Power {
            temporary.as_file().sync_all()?;
        }
        if let Some(old) = old.filter(std::fs::Metadata::is_file) {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        temporary.persist(target).map_err(|e| e.error)?;
        Ok(())
    };
    attempt().map_err(|source| Error::system(path, source))
}

/// Follows symbolic links to the target, which need not exist.
fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    /// Maximum number of links followed, as on Linux.
    const MOST: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MOST {
        match std::fs::read_link(&target) {
            Ok(link) => target = folder_of(&target).join(link),
            Err(_) => return Ok(target),
        }
    }

    Err(std::io::Error::other("too many symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Creates a temporary file with the user's default permissions for new files.
fn temporary_in(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".impinge-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Flushes a file to disk, or the entries of a folder if the system supports it.
pub fn sync(path: &Path) -> Result<(), Error> {
    if cfg!(not(unix)) && path.is_dir() {
        return Ok(());
    }
    let synced = std::fs::File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|source| Error::system(path, source))
}

/// Removes the temporary files of all writes in progress, for a program about to end on a signal.
pub fn remove_unfinished() {
    let mut unfinished = UNFINISHED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    for path in unfinished.drain(..) {
        // The file may have been renamed or removed in the meantime, which is not an error.
        let _ = std::fs::remove_file(path);
    }
}

/// Keeps a temporary file registered in [`UNFINISHED`] while it exists.
struct Unfinished(PathBuf);

impl Unfinished {
    fn enter(path: &Path) -> Self {
        UNFINISHED
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .retain(|path| *path != self.0);
    }
}

#[cfg(test)]
mod tests;
