//! Dependency checks: a library module uses only modules before it in the flow, sibling modules form no
//! cycles, crates depend only on lower crates, and the library does no input or output.

use crate::source::{self, Module, Reference};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The library's modules, from top to bottom of the flow.
const FLOW: [&str; 9] = [
    "space", "shape", "bound", "broad", "tree", "narrow", "inside", "predict", "detect",
];

/// The workspace's crates: each may use those before it.
pub(crate) const CRATES: [&str; 9] = [
    "impinge",
    "impinge-io",
    "impinge-draw",
    "impinge-sim",
    "impinge-mpi",
    "impinge-run",
    "impinge-cli",
    "impinge-py",
    "impinge-studies",
];

/// Calls that the library must not contain.
const FORBIDDEN: [&str; 6] = [
    "println!",
    "eprintln!",
    "print!(",
    "std::fs",
    "std::io",
    "std::process",
];

pub(crate) fn run() -> Result<()> {
    let crates = crate::root().join("crates");
    let mut faults = Vec::new();

    for name in CRATES {
        let folder = crates.join(name);
        check_manifest(&folder, name, &mut faults)?;
        check_modules(&folder.join("src"), name, &mut faults)?;
    }

    check_silence(&crates.join("impinge/src"), &mut faults)?;

    if !faults.is_empty() {
        bail!("module dependencies are broken:\n  {}", faults.join("\n  "));
    }

    println!(
        "layers: every module uses only modules before it: {}; no cycles",
        FLOW.join(" → ")
    );

    Ok(())
}

/// Checks that a crate depends only on crates before it in [`CRATES`].
fn check_manifest(folder: &Path, name: &str, faults: &mut Vec<String>) -> Result<()> {
    let file = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let place = |name: &str| CRATES.iter().position(|known| *known == name);
    let own = place(name).expect("from the list");

    for line in text.lines() {
        let used = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if place(used).is_some_and(|used| used >= own) {
            faults.push(format!(
                "crate {name} depends on {used}, which does not come before it"
            ));
        }
    }

    Ok(())
}

/// A use of one sibling module by another.
struct Edge {
    from: String,
    to: String,
    place: String,
}

/// Checks that no sibling modules use each other, directly or indirectly, and that the library's
/// modules follow the flow.
fn check_modules(folder: &Path, name: &str, faults: &mut Vec<String>) -> Result<()> {
    let modules = source::modules(folder)?;
    faults.extend(misplaced(&modules));

    for (parent, edges) in sibling_edges(&modules) {
        let place = [&[name.to_owned()], &parent[..]].concat().join("::");
        if name == "impinge" && parent.is_empty() {
            faults.extend(edges.iter().filter_map(against_the_flow));
        }

        for cycle in cycles(&edges) {
            let used = edges
                .iter()
                .filter(|edge| cycle.contains(&edge.from) && cycle.contains(&edge.to));
            let used: BTreeMap<_, _> = used
                .map(|edge| ((&edge.from, &edge.to), &edge.place))
                .collect();
            let used: Vec<String> = used
                .iter()
                .map(|((from, to), place)| format!("{from} → {to} ({place})"))
                .collect();

            faults.push(format!("cycle in {place}: {}", used.join(", ")));
        }
    }

    Ok(())
}

/// Finds modules with submodules that are not in a file `mod.rs`.
fn misplaced(modules: &[Module]) -> Vec<String> {
    let children = source::children(modules);
    let is_root = |module: &Module| module.path.is_empty();
    let is_folder = |module: &Module| module.file.file_name().is_some_and(|name| name == "mod.rs");

    modules
        .iter()
        .filter(|module| children.contains_key(&module.path) && !is_root(module))
        .filter(|module| !is_folder(module))
        .map(|module| {
            format!(
                "{}: has submodules, so it is mod.rs of its folder",
                module.file.display()
            )
        })
        .collect()
}

/// Collects the dependencies among the children of each module.
fn sibling_edges(modules: &[Module]) -> BTreeMap<Vec<String>, Vec<Edge>> {
    let children = source::children(modules);
    let none = Vec::new();
    let of = |module: &Module| module.references(children.get(&module.path).unwrap_or(&none));
    let all: Vec<(&Module, Vec<Reference>)> = modules.iter().map(|m| (m, of(m))).collect();

    // A name that a module re-exports refers to the child that defines it.
    let mut exports: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for (module, references) in &all {
        for reference in references {
            if let Some(alias) = &reference.alias {
                let name = [&module.path[..], std::slice::from_ref(alias)].concat();
                exports.entry(name).or_insert(reference.target.clone());
            }
        }
    }

    let mut edges: BTreeMap<Vec<String>, Vec<Edge>> = BTreeMap::new();
    for (module, references) in &all {
        for reference in references {
            let target = exports.get(&reference.target).unwrap_or(&reference.target);
            let common = module
                .path
                .iter()
                .zip(target)
                .take_while(|(a, b)| a == b)
                .count();
            let parent = module.path[..common].to_vec();
            let (Some(from), Some(to)) = (module.path.get(common), target.get(common)) else {
                continue;
            };

            if children
                .get(&parent)
                .is_some_and(|names| names.contains(to))
            {
                let file = module
                    .file
                    .strip_prefix(crate::root())
                    .unwrap_or(&module.file);
                let place = format!("{}:{}", file.display(), reference.line);

                edges.entry(parent).or_default().push(Edge {
                    from: from.clone(),
                    to: to.clone(),
                    place,
                });
            }
        }
    }

    edges
}

fn against_the_flow(edge: &Edge) -> Option<String> {
    let place = |name: &String| FLOW.iter().position(|layer| layer == name);
    let (from, to) = (place(&edge.from)?, place(&edge.to)?);
    (to > from).then(|| {
        format!(
            "{}: '{}' uses '{}', which comes after it",
            edge.place, edge.from, edge.to
        )
    })
}

/// Returns the sets of mutually reachable modules.
fn cycles(edges: &[Edge]) -> Vec<BTreeSet<String>> {
    let names: BTreeSet<&String> = edges.iter().flat_map(|e| [&e.from, &e.to]).collect();
    let reach = |start: &String| {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![start.clone()];
        while let Some(at) = open.pop() {
            for edge in edges.iter().filter(|edge| edge.from == at) {
                if seen.insert(edge.to.clone()) {
                    open.push(edge.to.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        names.iter().map(|&name| (name, reach(name))).collect();

    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for name in names {
        let is_mutual =
            |other: &&String| reached[name].contains(*other) && reached[other].contains(name);
        let cycle: BTreeSet<String> = reached.keys().copied().filter(is_mutual).cloned().collect();
        if cycle.len() > 1 && !found.contains(&cycle) {
            found.push(cycle);
        }
    }

    found
}

/// Checks that the library does no input or output.
fn check_silence(folder: &Path, faults: &mut Vec<String>) -> Result<()> {
    for file in source::rust_files(folder)? {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        for (line, code) in (1..).zip(text.lines().map(code)) {
            if let Some(word) = forbidden(code) {
                faults.push(format!(
                    "{}:{line}: the library does no input or output, but uses {word}",
                    file.display()
                ));
            }
        }
    }
    Ok(())
}

fn forbidden(code: &str) -> Option<&'static str> {
    FORBIDDEN.into_iter().find(|word| code.contains(word))
}

/// Strips the comment from a line.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
