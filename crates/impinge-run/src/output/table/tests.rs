use super::*;

#[test]
fn a_table_is_cut_back_and_continued() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("history.csv");
    let mut table = Table::create(&path, "a,b").expect("creates");
    table.rows("1,2\n").expect("writes");
    let bytes = table.sync().expect("syncs");
    table.rows("lost,lost\n").expect("writes");
    drop(table);
    let mut table = Table::reopen(&path, bytes).expect("opens");
    table.rows("3,4\n").expect("writes");
    table.flush().expect("flushes");

    assert_eq!(
        std::fs::read_to_string(&path).expect("a file"),
        "a,b\n1,2\n3,4\n"
    );
    assert!(Table::reopen(&path, 1000).is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let mut table = Table::create(Path::new("/dev/full"), "a,b").expect("buffered");
    assert_eq!(
        table.flush().expect_err("full").kind(),
        std::io::ErrorKind::StorageFull
    );
}
