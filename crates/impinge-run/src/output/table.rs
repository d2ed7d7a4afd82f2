//! CSV files that grow row by row, and can be truncated to a checkpoint.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A CSV file being written.
pub(super) struct Table {
    path: PathBuf,
    out: BufWriter<File>,
    bytes: u64,
}

impl Table {
    /// Creates a file with its header, replacing an existing one.
    pub(super) fn create(path: &Path, header: &str) -> std::io::Result<Self> {
        let file = File::create(path)?;
        let mut table = Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            bytes: 0,
        };
        table.rows(&format!("{header}\n"))?;

        Ok(table)
    }

    /// Continues a file; rows after the first `bytes` bytes are discarded.
    pub(super) fn reopen(path: &Path, bytes: u64) -> std::io::Result<Self> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let held = file.metadata()?.len();
        if held < bytes {
            let reason =
                format!("it has {held} bytes, but had {bytes} when the checkpoint was written");
            return Err(std::io::Error::new(
                std::io::ErrorKind::UnexpectedEof,
                reason,
            ));
        }

        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            bytes,
        })
    }

    /// Appends rows, each with its line ending.
    pub(super) fn rows(&mut self, rows: &str) -> std::io::Result<()> {
        self.out.write_all(rows.as_bytes())?;
        self.bytes += rows.len() as u64;
        Ok(())
    }

    /// Syncs all rows to disk and returns the length of the file.
    pub(super) fn sync(&mut self) -> std::io::Result<u64> {
        self.out.flush()?;
        self.out.get_ref().sync_data()?;
        Ok(self.bytes)
    }

    /// Makes the rows so far visible to readers.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests;
