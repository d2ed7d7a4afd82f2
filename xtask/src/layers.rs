//! Data flows one way through the library: a module uses only the modules above it in the flow, and the library
//! neither prints nor touches files.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The flow, from top to bottom.
const FLOW: [&str; 9] = [
    "space", "shape", "bound", "broad", "tree", "narrow", "inside", "predict", "detect",
];

/// What the library does not do.
const FORBIDDEN: [&str; 6] = [
    "println!",
    "eprintln!",
    "print!(",
    "std::fs",
    "std::io",
    "std::process",
];

pub(crate) fn run() -> Result<()> {
    let source = crate::root().join("crates/impinge/src");
    let mut faults = Vec::new();
    for file in rust_files(&source)? {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let inside = file.strip_prefix(&source).expect("found below it");
        let layer = layer_of(inside);
        for (line, code) in (1..).zip(text.lines().map(code)) {
            faults.extend(
                fault(layer, code).map(|fault| {
                    format!("crates/impinge/src/{}:{line}: {fault}", inside.display())
                }),
            );
        }
    }
    if !faults.is_empty() {
        bail!("the flow is broken:\n  {}", faults.join("\n  "));
    }
    println!(
        "layers: every module uses only what stands above it: {}",
        FLOW.join(" → ")
    );
    Ok(())
}

/// What is wrong with a line of a module, if anything.
fn fault(layer: Option<usize>, code: &str) -> Option<String> {
    if let Some(word) = FORBIDDEN.iter().find(|word| code.contains(**word)) {
        return Some(format!(
            "the library does no input or output, but uses {word}"
        ));
    }
    let own = layer?;
    let used = code.split("crate::").skip(1).find_map(|after| {
        let name: String = after
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        FLOW.iter()
            .position(|layer| *layer == name)
            .filter(|&used| used > own)
    })?;
    Some(format!(
        "'{}' looks down the flow at '{}'",
        FLOW[own], FLOW[used]
    ))
}

/// The place in the flow of a file's module; none for `lib.rs`, which shows them all.
fn layer_of(inside: &Path) -> Option<usize> {
    let first = inside.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    FLOW.iter().position(|layer| *layer == name)
}

/// The line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_look_up_but_not_down() {
        let layer = |name: &str| layer_of(Path::new(name));
        assert_eq!(
            fault(layer("broad/sweep.rs"), "use crate::space::Aabb;"),
            None
        );
        assert_eq!(
            fault(layer("broad/sweep.rs"), "use crate::broad::Pair;"),
            None
        );
        let fault = fault(
            layer("broad/sweep.rs"),
            "use crate::{space::Aabb}; use crate::tree::Bvh;",
        );
        assert_eq!(
            fault.as_deref(),
            Some("'broad' looks down the flow at 'tree'")
        );
    }

    #[test]
    fn the_library_may_not_print() {
        assert!(fault(layer_of(Path::new("lib.rs")), "    println!(\"{x}\");").is_some());
        assert_eq!(code("let x = 1; // println!"), "let x = 1; ");
    }

    #[test]
    fn this_library_keeps_to_the_flow() {
        run().expect("the flow holds");
    }
}
