//! Files appear under their final name complete or not at all.
//!
//! A rename is atomic: whoever opens the name, also after the program was killed, finds the old file or the whole new one.
//! Loss of power is another matter: the name may reach the disk before the bytes do. Waiting for the bytes takes
//! milliseconds for each file, so who writes many of them takes [`Durability::Program`] and calls [`sync`] on all of them
//! before writing the one file that says that they are there.

use crate::Error;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Temporary files that are being filled, so that an interrupted program can take them away.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What a file that has taken its name survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The end of the program, however it ends: the system has the bytes.
    Program,
    /// Loss of power too: the bytes are on the disk before the name is.
    Power,
}

/// Writes a file through a temporary one in the same folder, which takes the final name only when everything,
/// including the flush to disk, went well. On an error the temporary file is removed and an old file of that name
/// stays as it was.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    write_durably(path, Durability::Power, fill)
}

/// The same, with the flush to disk where it is asked for.
pub fn write_durably(
    path: &Path,
    durability: Durability,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let attempt = || -> std::io::Result<()> {
        let mut temporary = tempfile::Builder::new()
            .prefix(".impinge-")
            .suffix(".part")
            .tempfile_in(folder)?;
        let _entry = Unfinished::enter(temporary.path());
        let mut buffered = BufWriter::with_capacity(1 << 20, temporary.as_file_mut());
        fill(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        if durability == Durability::Power {
            temporary.as_file().sync_all()?;
        }
        open_to_others(temporary.as_file())?;
        temporary.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    attempt().map_err(|source| Error::system(path, source))
}

/// Brings a file to the disk, or the names in a folder where the system can do that.
pub fn sync(path: &Path) -> Result<(), Error> {
    if cfg!(not(unix)) && path.is_dir() {
        return Ok(());
    }
    let synced = std::fs::File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|source| Error::system(path, source))
}

/// Removes the temporary files of all writes under way. For a program that is about to end on a signal.
pub fn remove_unfinished() {
    let mut unfinished = UNFINISHED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    for path in unfinished.drain(..) {
        // One that was just renamed or removed is gone, which is what is wanted.
        let _ = std::fs::remove_file(path);
    }
}

/// The entry of a temporary file in [`UNFINISHED`] while it lives.
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

/// Temporary files are private to the user; a result file is as readable as any other new file.
#[cfg(unix)]
fn open_to_others(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_others(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("result.csv");
        write_atomically(&path, |out| out.write_all(b"old")).expect("writes");
        let failed = write_atomically(&path, |out| {
            out.write_all(b"new")?;
            Err(std::io::Error::other("disk full"))
        });
        assert!(
            failed
                .unwrap_err()
                .to_string()
                .ends_with("result.csv: disk full")
        );
        assert_eq!(std::fs::read(&path).expect("the old file"), b"old");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            1
        );
    }
}
