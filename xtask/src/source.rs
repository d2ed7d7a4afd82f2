//! The workspace's source code, read as tokens: modules, their references and their public items.
//!
//! Tokens are used instead of a syntax tree so that references inside macros count as well. Items under
//! `#[cfg(test)]` are skipped.

use anyhow::{Context, Result, anyhow};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A module of a crate. The crate root has an empty path.
pub(crate) struct Module {
    pub(crate) path: Vec<String>,
    pub(crate) file: PathBuf,
    pub(crate) tokens: Vec<TokenTree>,
}

/// A path in code that starts at `crate`, `super`, `self` or a child module.
pub(crate) struct Reference {
    /// Module path and item name, relative to the crate root.
    pub(crate) target: Vec<String>,
    pub(crate) line: usize,
    /// The name under which a `use` imports the target.
    pub(crate) alias: Option<String>,
}

/// Reads the modules of a crate, without its tests.
pub(crate) fn modules(source: &Path) -> Result<Vec<Module>> {
    let mut modules = Vec::new();

    for file in rust_files(source)? {
        let inside = file.strip_prefix(source).expect("found below it");
        let Some(path) = module_path(inside) else {
            continue;
        };
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let stream: TokenStream = text
            .parse()
            .map_err(|error| anyhow!("{}: {error}", file.display()))?;

        modules.push(Module {
            path,
            tokens: without_tests(stream),
            file,
        });
    }

    Ok(modules)
}

/// Converts `narrow/meshes/mod.rs` to narrow, meshes. `None` for test files, which may refer to
/// anything.
fn module_path(inside: &Path) -> Option<Vec<String>> {
    let names = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    let mut path: Vec<String> = names
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();

    if path
        .last()
        .is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str()))
    {
        path.pop();
    }
    let is_test = |name: &String| {
        name == "tests" || name == "samples" || name == "test_support" || name.ends_with("_tests")
    };

    (!path.iter().any(is_test)).then_some(path)
}

/// Removes every item under `#[cfg(test)]`.
fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = stream.into_iter().peekable();

    while let Some(token) = tokens.next() {
        let is_test = is_punct(&token, '#')
            && matches!(tokens.peek(), Some(TokenTree::Group(group))
                if group.to_string().replace(' ', "") == "[cfg(test)]");

        if !is_test {
            kept.push(token);
            continue;
        }

        // The item ends with its braces or its semicolon.
        tokens.next();
        for skipped in tokens.by_ref() {
            let ends = is_punct(&skipped, ';')
                || matches!(&skipped, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
            if ends {
                break;
            }
        }
    }

    kept
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn line(span: Span) -> usize {
    span.start().line
}

/// Whether there is a `::` at this position.
fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    [at, at + 1]
        .iter()
        .all(|&at| tokens.get(at).is_some_and(|token| is_punct(token, ':')))
}

impl Module {
    /// Returns every path in this module that refers to its own crate.
    pub(crate) fn references(&self, children: &[String]) -> Vec<Reference> {
        let mut found = Vec::new();
        self.walk(&self.tokens, children, &mut found);
        found
    }

    fn walk(&self, tokens: &[TokenTree], children: &[String], found: &mut Vec<Reference>) {
        let mut at = 0;
        while at < tokens.len() {
            if let TokenTree::Group(group) = &tokens[at] {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                self.walk(&inner, children, found);
            }

            let starts = ident(tokens.get(at)).filter(|_| is_colons(tokens, at + 1));
            let after_colons = at >= 2 && is_colons(tokens, at - 2);
            match starts.filter(|_| !after_colons) {
                Some(first) => {
                    if let Some(base) = self.base(&first, children) {
                        at = follow(tokens, at + 3, base, found);
                    } else {
                        at += 1;
                    }
                }
                None => at += 1,
            }
        }
    }

    /// Returns the module at which a path with this first segment starts.
    fn base(&self, first: &str, children: &[String]) -> Option<Vec<String>> {
        match first {
            "crate" => Some(Vec::new()),
            "self" => Some(self.path.clone()),
            "super" => Some(self.path[..self.path.len().checked_sub(1)?].to_vec()),
            child if children.iter().any(|name| name == child) => {
                Some([self.path.clone(), vec![child.to_owned()]].concat())
            }
            _ => None,
        }
    }

    /// Returns the public structs, enums, traits and type aliases, with their lines.
    pub(crate) fn public_types(&self) -> Vec<(String, usize)> {
        let kinds = ["struct", "enum", "trait", "type"];
        let is_kind = |at: usize| {
            ident(self.tokens.get(at)).is_some_and(|word| kinds.contains(&word.as_str()))
        };
        let is_pub = |at: usize| ident(self.tokens.get(at)).as_deref() == Some("pub");

        (1..self.tokens.len())
            .filter(|&at| is_kind(at) && is_pub(at - 1))
            .filter_map(|at| {
                Some((
                    ident(self.tokens.get(at + 1))?,
                    line(self.tokens[at].span()),
                ))
            })
            .collect()
    }
}

/// Follows a path from the token after its `::`; returns the index of the next token to read.
fn follow(
    tokens: &[TokenTree],
    mut at: usize,
    mut path: Vec<String>,
    found: &mut Vec<Reference>,
) -> usize {
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) => {
                let word = word.to_string();
                if word == "super" {
                    path.pop();
                } else if word != "self" {
                    path.push(word);
                }
                at += 1;
                if is_colons(tokens, at) {
                    at += 2;
                    continue;
                }
                let span = tokens[at - 1].span();
                let renamed = ident(tokens.get(at)).is_some_and(|word| word == "as");
                let alias = if renamed {
                    ident(tokens.get(at + 1))
                } else {
                    path.last().cloned()
                };
                found.push(Reference {
                    target: path,
                    line: line(span),
                    alias,
                });
                return at;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in inner.split(|token| is_punct(token, ',')) {
                    follow(part, 0, path.clone(), found);
                }
                return at + 1;
            }
            Some(token) => {
                let span = token.span();
                found.push(Reference {
                    target: path,
                    line: line(span),
                    alias: None,
                });
                return at;
            }
            None => return at,
        }
    }
}

/// Returns the children of each module, by module path.
pub(crate) fn children(modules: &[Module]) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut children: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for module in modules {
        if let Some((name, parent)) = module.path.split_last() {
            children
                .entry(parent.to_vec())
                .or_default()
                .push(name.clone());
        }
    }

    children
}

pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
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
