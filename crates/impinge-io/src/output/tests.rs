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

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_file_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("store")).expect("a folder");
    std::fs::write(path("store/old.csv"), "old").expect("writes");
    let mode = |name: &str| {
        let metadata = std::fs::metadata(path(name)).expect("a file");
        metadata.permissions().mode() & 0o777
    };
    std::fs::set_permissions(path("store/old.csv"), PermissionsExt::from_mode(0o640))
        .expect("sets");
    symlink("store/old.csv", path("link.csv")).expect("links");
    symlink("store/new.csv", path("dangling.csv")).expect("links");

    for name in ["link.csv", "dangling.csv"] {
        write_atomically(&path(name), |out| out.write_all(b"new")).expect("writes");
        assert!(path(name).is_symlink(), "{name}");
    }

    for name in ["store/old.csv", "store/new.csv"] {
        assert_eq!(std::fs::read(path(name)).expect("a file"), b"new", "{name}");
    }

    assert_eq!(mode("store/old.csv"), 0o640);

    // A file created by the system in the usual way, for comparison.
    std::fs::write(path("plain.csv"), "plain").expect("writes");
    assert_eq!(mode("store/new.csv"), mode("plain.csv"));
    symlink("loop.csv", path("loop.csv")).expect("links");
    assert!(write_atomically(&path("loop.csv"), |_| Ok(())).is_err());
}
