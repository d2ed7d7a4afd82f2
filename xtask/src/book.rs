//! The book in `docs/book` and the READMEs: their code is cut from files that the tests run, the list of scene keys from
//! the schema, and their links are checked.
//!
//! A comment `<!-- code: PATH#ANCHOR -->` before a fenced block names its source: the lines between
//! `// ANCHOR: NAME` and `// ANCHOR_END: NAME` of that file. `cargo xtask book` rewrites the blocks;
//! `cargo xtask test` fails if one differs. The book is therefore readable without being built.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const KEYS: &str = "scene-keys.md";

/// Pages outside the book: the READMEs, and the end of the library's front page.
const OTHERS: [&str; 3] = [
    "README.md",
    "examples/README.md",
    "crates/impinge/src/simulator.md",
];

/// Whether files are rewritten or only compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

pub(crate) fn run(mode: Mode) -> Result<()> {
    let root = crate::root();
    let folder = root.join("docs/book/src");
    let mut stale = Vec::new();

    settle(&folder.join(KEYS), &scene_keys(&root)?, mode, &mut stale)?;
    let mut pages = pages(&folder)?;
    pages.extend(OTHERS.map(|page| root.join(page)));
    for page in pages {
        let text = std::fs::read_to_string(&page)?;
        settle(&page, &with_code(&text, &root, &page)?, mode, &mut stale)?;
        check_links(&text, &page)?;
    }

    if !stale.is_empty() {
        bail!("out of date, run `cargo xtask book`: {}", stale.join(", "));
    }
    Ok(())
}

/// Writes a file, or notes that it differs.
fn settle(file: &Path, text: &str, mode: Mode, stale: &mut Vec<String>) -> Result<()> {
    if std::fs::read_to_string(file).is_ok_and(|present| present == text) {
        return Ok(());
    }

    match mode {
        Mode::Write => std::fs::write(file, text).with_context(|| file.display().to_string()),
        Mode::Check => {
            stale.push(file.display().to_string());
            Ok(())
        }
    }
}

fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    pages.retain(|page| page.extension().is_some_and(|end| end == "md"));
    pages.sort();
    Ok(pages)
}

/// Returns a page with every marked block replaced by its source.
fn with_code(text: &str, root: &Path, page: &Path) -> Result<String> {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(source) = line
            .strip_prefix("<!-- code: ")
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };

        let fence = lines.next().unwrap_or_default();
        if !fence.starts_with("```") {
            bail!(
                "{}: no fenced block after the source {source}",
                page.display()
            );
        }
        let code = anchored(root, source)?;
        writeln!(out, "{fence}\n{code}```")?;

        if !lines.any(|line| line.starts_with("```")) {
            bail!("{}: the block of {source} does not end", page.display());
        }
    }
    Ok(out)
}

/// Returns the lines of an anchor, without their common indentation.
fn anchored(root: &Path, source: &str) -> Result<String> {
    let (path, anchor) = source
        .split_once('#')
        .with_context(|| format!("{source}: a source is PATH#ANCHOR"))?;
    let text = std::fs::read_to_string(root.join(path)).with_context(|| source.to_owned())?;
    let (start, end) = (
        format!("// ANCHOR: {anchor}"),
        format!("// ANCHOR_END: {anchor}"),
    );
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| line.trim() != start)
        .skip(1)
        .take_while(|line| line.trim() != end)
        .collect();
    if lines.is_empty() {
        bail!("{source}: no such anchor");
    }

    let indent = |line: &&str| line.len() - line.trim_start().len();
    let written = lines.iter().filter(|line| !line.trim().is_empty());
    let margin = written.map(indent).min().unwrap_or(0);
    let cut = |line: &&str| line.get(margin..).unwrap_or("").to_owned() + "\n";
    Ok(lines.iter().map(cut).collect())
}

/// Checks that links to files are valid.
fn check_links(text: &str, page: &Path) -> Result<()> {
    for link in text.split("](").skip(1) {
        let target = link.split([')', '#']).next().unwrap_or_default();
        let is_file = !target.is_empty() && !target.contains("://");
        if is_file && !page.with_file_name(target).exists() {
            bail!(
                "{}: the link target {target} does not exist",
                page.display()
            );
        }
    }
    Ok(())
}

/// Returns the page of all scene keys, from the schema.
fn scene_keys(root: &Path) -> Result<String> {
    let file = root.join("scenes/scene.schema.json");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let schema: Value = serde_json::from_str(&text)?;
    let mut page = String::from(
        "# Scene keys\n\nEvery key of a scene, with its unit and its default. Generated from the schema by \
         `cargo xtask book`.\n",
    );

    section(&mut page, "The scene", &schema)?;
    let types = schema["$defs"].as_object().into_iter().flatten();
    for (name, described) in types {
        section(&mut page, name, described)?;
    }
    Ok(page)
}

fn section(page: &mut String, name: &str, described: &Value) -> Result<()> {
    let about = described["description"].as_str().unwrap_or_default();
    writeln!(page, "\n## {name}\n\n{about}\n")?;

    if let Some(keys) = described["properties"].as_object() {
        writeln!(
            page,
            "| key | type | default | meaning |\n|---|---|---|---|"
        )?;
        for (key, value) in keys {
            let default = value.get("default").filter(|default| !default.is_null());
            let default = default.map_or_else(|| "–".to_owned(), |default| format!("`{default}`"));
            let about = value["description"].as_str().unwrap_or_default();
            let about = about.replace('\n', " ").replace('|', "\\|");
            writeln!(page, "| `{key}` | {} | {default} | {about} |", kind(value))?;
        }
    }

    let choices = ["oneOf", "anyOf"].map(|word| described[word].as_array());
    for choice in choices.into_iter().flatten().flatten() {
        let about = choice["description"].as_str().unwrap_or_default();
        let about = about.replace('\n', " ");
        writeln!(
            page,
            "- {}{}{about}",
            kind(choice),
            [": ", ""][usize::from(about.is_empty())]
        )?;
    }
    Ok(())
}

/// Returns the type of a value in words.
fn kind(value: &Value) -> String {
    if let Some(target) = value["$ref"].as_str() {
        let name = target.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(word) = value["const"].as_str() {
        return format!("`\"{word}\"`");
    }
    if let Some(words) = value["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    if let Some(choices) = value["anyOf"].as_array() {
        let choices = choices.iter().filter(|choice| choice["type"] != "null");
        return choices.map(kind).collect::<Vec<_>>().join(" or ");
    }

    match &value["type"] {
        Value::Array(kinds) => {
            let named = kinds.iter().find(|kind| *kind != "null");
            let single = serde_json::json!({ "type": named, "items": value["items"] });
            kind(&single)
        }
        Value::String(word) if word == "array" => format!("list of {}", kind(&value["items"])),
        Value::String(word) if word == "object" => {
            let keys = value["properties"].as_object();
            let inner = keys.and_then(|keys| keys.iter().next());
            inner.map_or_else(
                || "table".to_owned(),
                |(key, value)| format!("`{{ {key} = … }}` with {}", kind(value)),
            )
        }
        Value::String(word) => word.clone(),
        _ => "value".to_owned(),
    }
}
