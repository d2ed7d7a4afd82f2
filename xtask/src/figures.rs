//! Pictures of the book: those that the examples write, and diagrams of `impinge-examples`' program `figures`.
//!
//! Both are built with the profile of the tests, so that nothing is compiled for the pictures alone.

use crate::test::cargo;
use anyhow::{Context, Result};
use std::path::Path;

/// Where pictures go: readable in the book's sources, in `examples/README.md`, and in the built book.
const FOLDER: &str = "docs/book/src/figures";

pub(crate) fn run() -> Result<()> {
    let root = crate::root();
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| FOLDER.to_owned())?;

    let run = [
        "run",
        "--quiet",
        "--profile",
        "test",
        "-p",
        "impinge-examples",
    ];
    cargo(
        &[&run[..], &["--bin", "figures", "--", FOLDER]].concat(),
        &root,
    )?;

    for name in examples(&root)? {
        cargo(&[&run[..], &["--example", &name]].concat(), &root)?;
        let made = root.join(format!("out/examples/{name}.png"));
        std::fs::copy(&made, folder.join(format!("{name}.png")))
            .with_context(|| format!("{} wrote no picture", name))?;
    }
    Ok(())
}

/// Returns the names of the examples, sorted.
fn examples(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("examples");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "rs") {
            names.extend(
                path.file_stem()
                    .map(|stem| stem.to_string_lossy().into_owned()),
            );
        }
    }
    names.sort();
    Ok(names)
}
