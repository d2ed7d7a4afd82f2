//! `cargo xtask metrics`: the density of the source code, its public items, and colliding public names.

use crate::source::{self, Module};
use anyhow::Result;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::collections::BTreeMap;

#[derive(Default)]
struct Count {
    tokens: usize,
    /// Lines of function bodies that contain code.
    lines: usize,
    blank: usize,
}

pub(crate) fn run() -> Result<()> {
    let crates = crate::root().join("crates");
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut public = Vec::new();

    println!("crate             tokens/line  blank lines  (in functions, without tests)");
    for entry in crate::layers::CRATES {
        let modules = source::modules(&crates.join(entry).join("src"))?;
        let (mut count, mut surface) = (Count::default(), Surface::default());
        for module in &modules {
            count.add(module)?;
            surface.add(&module.tokens);
            for (name, line) in module.public_types() {
                let file = module.file.strip_prefix(&crates).unwrap_or(&module.file);
                let place = format!("{}:{line}", file.display());
                names.entry(name).or_default().push(place);
            }
        }

        println!(
            "{entry:<16} {:>12.1} {:>10.1} %",
            count.tokens as f64 / count.lines as f64,
            100.0 * count.blank as f64 / (count.lines + count.blank) as f64
        );
        public.push((entry, surface));
    }

    println!("\ncrate             public items  public fields");
    for (name, surface) in public {
        println!("{name:<16} {:>13} {:>14}", surface.items, surface.fields);
    }

    let collisions: Vec<_> = names
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .collect();
    println!(
        "\n{} public type names are defined more than once",
        collisions.len()
    );

    for (name, places) in collisions {
        println!("  {name}: {}", places.join(", "));
    }

    Ok(())
}

/// Items declared `pub` without restriction.
#[derive(Default)]
struct Surface {
    /// Modules, types, traits, functions, methods and constants.
    items: usize,
    fields: usize,
}

impl Surface {
    fn add(&mut self, tokens: &[TokenTree]) {
        const KINDS: [&str; 8] = [
            "mod", "struct", "enum", "trait", "type", "fn", "const", "static",
        ];
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.add(&inner);
                }
                TokenTree::Ident(word) if *word == "pub" => match tokens.get(at + 1) {
                    Some(TokenTree::Ident(next)) if KINDS.iter().any(|kind| *next == kind) => {
                        self.items += 1;
                    }
                    Some(TokenTree::Ident(next)) if *next != "use" => self.fields += 1,
                    _ => {}
                },
                _ => {}
            }
        }
    }
}

impl Count {
    fn add(&mut self, module: &Module) -> Result<()> {
        let text = std::fs::read_to_string(&module.file)?;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for body in bodies(&module.tokens) {
            self.tokens += tokens(body.stream());
            let inside = body.span_open().start().line..body.span_close().start().line;
            for line in &lines[inside.start.min(lines.len())..inside.end.min(lines.len())] {
                if line.is_empty() {
                    self.blank += 1;
                } else if !line.starts_with("//") {
                    self.lines += 1;
                }
            }
        }

        Ok(())
    }
}

/// Returns the outermost function bodies; nested ones are part of them.
fn bodies(tokens: &[TokenTree]) -> Vec<Group> {
    let mut found = Vec::new();
    let mut in_signature = false;

    for token in tokens {
        match token {
            TokenTree::Ident(word) if *word == "fn" => in_signature = true,
            TokenTree::Punct(punct) if punct.as_char() == ';' => in_signature = false,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if in_signature {
                    found.push(group.clone());
                } else {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    found.extend(bodies(&inner));
                }
                in_signature = false;
            }
            _ => {}
        }
    }

    found
}

/// Counts tokens as a reader sees them: `::` and `+=` are one.
fn tokens(stream: TokenStream) -> usize {
    let count = |token: TokenTree| match token {
        TokenTree::Group(group) => 2 + tokens(group.stream()),
        TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => 0,
        _ => 1,
    };
    stream.into_iter().map(count).sum()
}
