//! Positions of keys in the text, so that every error can be located.

use super::SceneError;
use super::fault::{Fault, in_words};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Every key and list item of a file, with its position.
pub(super) struct Places {
    /// Start of each line.
    lines: Vec<usize>,
    entries: Vec<Entry>,
}

struct Entry {
    /// `particles[0].radius`.
    path: String,
    /// From the key to the end of the value; for a `[table]`, its header.
    span: Range<usize>,
}

impl Places {
    /// Parses the text; invalid TOML is an error.
    pub(super) fn of(text: &str) -> Result<Self, SceneError> {
        let starts = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(place, _)| place + 1);
        let mut places = Self {
            lines: std::iter::once(0).chain(starts).collect(),
            entries: Vec::new(),
        };
        let parsed = DeTable::parse(text);

        let table = parsed.map_err(|error| SceneError {
            line: places.line(error.span().map_or(0, |span| span.start)),
            message: in_words(error.message()),
        })?;
        places.enter_table("", table.get_ref());

        Ok(places)
    }

    fn enter_table(&mut self, path: &str, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            let dot = if path.is_empty() { "" } else { "." };
            let path = format!("{path}{dot}{}", key.get_ref());
            self.enter(path, key.span().start, value);
        }
    }

    fn enter(&mut self, path: String, start: usize, value: &Spanned<DeValue<'_>>) {
        let span = start.min(value.span().start)..value.span().end;
        self.entries.push(Entry {
            path: path.clone(),
            span,
        });

        match value.get_ref() {
            DeValue::Table(table) => self.enter_table(&path, table),
            DeValue::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.enter(format!("{path}[{i}]"), item.span().start, item);
                }
            }
            _ => {}
        }
    }

    /// Returns the line of a position, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset).max(1)
    }

    /// Returns the innermost key or item around a range of the text; an empty range is the whole file.
    pub(super) fn path_around(&self, span: &Range<usize>) -> Option<&str> {
        let holds = |entry: &&Entry| entry.span.start <= span.start && span.end <= entry.span.end;
        let around = self
            .entries
            .iter()
            .filter(|_| !span.is_empty())
            .filter(holds);

        around
            .max_by_key(|entry| entry.path.len())
            .map(|entry| entry.path.as_str())
    }

    /// Returns the line of a key, or of the table that lacks it.
    pub(super) fn line_of(&self, key: &str) -> Option<usize> {
        let known = |path: &str| self.entries.iter().find(|entry| entry.path == path);
        let mut path = key;
        loop {
            if let Some(entry) = known(path) {
                return Some(self.line(entry.span.start));
            }
            path = &path[..path.rfind(['.', '['])?];
        }
    }

    /// Creates an error for a key that failed a later check.
    pub(super) fn error(&self, fault: &Fault) -> SceneError {
        let line = self.line_of(&fault.path).unwrap_or(1);
        SceneError {
            line,
            message: format!("{}: {}", fault.path, fault.reason),
        }
    }
}
