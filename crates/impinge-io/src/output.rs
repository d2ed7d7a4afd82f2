//! Files appear under their final name complete or not at all.

use crate::Error;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a file through a temporary one in the same folder, which takes the final name only when everything,
/// including the flush to disk, went well. On an error the temporary file is removed and an old file of that name
/// stays as it was.
pub fn write_atomically(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let attempt = || -> std::io::Result<()> {
        let mut temporary =
            tempfile::Builder::new().prefix(".impinge-").suffix(".part").tempfile_in(folder)?;
        let mut buffered = BufWriter::with_capacity(1 << 20, temporary.as_file_mut());
        fill(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        temporary.as_file().sync_all()?;
        open_to_others(temporary.as_file())?;
        temporary.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    attempt().map_err(|source| Error::system(path, source))
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
        assert!(failed.unwrap_err().to_string().ends_with("result.csv: disk full"));
        assert_eq!(std::fs::read(&path).expect("the old file"), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
