use super::*;

fn lock(folder: &Path) -> Manifest {
    Manifest::lock(folder)
        .expect("opens")
        .expect("the lock is free")
}

#[test]
fn only_listed_files_within_the_folder_are_removed() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("run");
    std::fs::create_dir(&folder).expect("a folder");
    let write = |path: &Path| std::fs::write(path, "numbers").expect("writes");

    for name in ["a.csv", "b.csv", "mine.csv", "../outside.csv"] {
        write(&folder.join(name));
    }

    let mut manifest = lock(&folder);
    assert!(!manifest.is_run() && Manifest::lock(&folder).expect("opens").is_none());
    manifest.clear(&[]).expect("begins");
    manifest
        .add(["a.csv", "b.csv", "never-written.csv", "../outside.csv"])
        .expect("lists");
    drop(manifest);

    let mut manifest = lock(&folder);
    assert!(manifest.is_run());
    manifest.clear(&["b.csv"]).expect("clears");
    let left = |name: &str| folder.join(name).exists();
    assert!(!left("a.csv") && !left("b.csv"));

    assert!(left("mine.csv") && left("../outside.csv"));
}

#[test]
fn a_list_that_was_cut_within_a_line_goes_on_after_the_last_whole_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(MANIFEST);
    std::fs::write(&path, format!("{HEADER}a.csv\nfram")).expect("writes");
    lock(folder.path()).add(["a.csv", "b.csv"]).expect("lists");
    let text = std::fs::read_to_string(&path).expect("a list");
    assert_eq!(text, format!("{HEADER}a.csv\nb.csv\n"));
}
