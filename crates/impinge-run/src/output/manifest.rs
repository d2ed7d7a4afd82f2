//! The list of the files that a run wrote; a later run may remove only these.
//!
//! A name is listed before its file is created, so a killed run leaves no unlisted file. The list
//! marks a folder as a run's, and is locked during the run.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

/// Name of the list in a run's folder.
pub const MANIFEST: &str = ".impinge-run";

/// The first line, which identifies the list.
const HEADER: &str = "files written by impinge run; do not edit\n";

/// The list of one folder, locked until dropped: the system releases the lock when the process
/// ends, however it ends.
pub struct Manifest {
    folder: PathBuf,
    file: File,
    names: BTreeSet<String>,
    is_run: bool,
}

impl Manifest {
    /// Opens or creates the list of an existing folder; `None` if another process has locked it.
    pub fn lock(folder: &Path) -> std::io::Result<Option<Self>> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join(MANIFEST))?;

        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }

        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut manifest = Self {
            folder: folder.to_owned(),
            file,
            names: BTreeSet::new(),
            is_run: bytes.starts_with(HEADER.as_bytes()),
        };

        if manifest.is_run {
            manifest.take_lines(&bytes)?;
        }

        Ok(Some(manifest))
    }

    /// Reads the names of a list. A last line truncated by a crash is removed: its file was never
    /// created.
    fn take_lines(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);

        if whole < bytes.len() {
            self.file.set_len(whole as u64)?;
        }

        let text = String::from_utf8_lossy(&bytes[..whole]);
        let names = text.lines().skip(1).filter(|name| is_within(name));
        self.names = names.map(str::to_owned).collect();
        Ok(())
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether the list existed before.
    pub fn is_run(&self) -> bool {
        self.is_run
    }

    /// Removes the listed files, the given ones first, and starts an empty list.
    pub fn clear(&mut self, first: &[&str]) -> std::io::Result<()> {
        // Series in the folder itself are removed before the frames in subfolders that they refer
        // to.
        let listed = first.iter().filter(|name| self.names.contains(**name));
        let is_below = |name: &&String| name.contains('/');
        let below = self.names.iter().filter(is_below);
        let here = self.names.iter().filter(|name| !is_below(name));
        let names = listed.copied().chain(here.chain(below).map(String::as_str));

        for name in names {
            match std::fs::remove_file(self.folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }

        // The list always keeps its header, so that the folder of a run killed here is still
        // recognised.
        if !self.is_run {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(HEADER.as_bytes())?;
        }

        self.file.set_len(HEADER.len() as u64)?;
        self.names.clear();
        self.is_run = true;
        Ok(())
    }

    /// Adds the names of files, relative to the folder, that are about to be written.
    pub fn add<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> std::io::Result<()> {
        let mut lines = String::new();
        for name in names {
            if self.names.insert(name.to_owned()) {
                lines += name;
                lines.push('\n');
            }
        }

        if !lines.is_empty() {
            self.file.seek(SeekFrom::End(0))?;
            self.file.write_all(lines.as_bytes())?;
        }

        Ok(())
    }

    /// Syncs the list to disk.
    pub fn sync(&self) -> std::io::Result<()> {
        self.file.sync_data()
    }
}

/// Returns whether a name is a path within the folder, so that an edited list cannot remove files
/// elsewhere.
fn is_within(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests;
