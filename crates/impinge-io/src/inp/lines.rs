//! Keyword and data lines.

use crate::ParseError;
use crate::budget::Budget;
use crate::text::{Lines, shown};

/// A keyword line such as `*NSET, NSET=left, GENERATE`, with its continuation lines.
#[derive(Clone, Debug)]
pub(super) struct Keyword {
    /// In upper case, with single spaces between words.
    pub(super) name: String,
    /// Keys in upper case; flags have an empty value.
    parameters: Vec<(String, String)>,
    pub(super) line: usize,
}

impl Keyword {
    fn of(text: &str, line: usize) -> Self {
        let mut parts = text.split(',');
        let name = parts
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let parameters = parts
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                let (key, value) = part.split_once('=').unwrap_or((part, ""));
                (
                    key.trim().to_ascii_uppercase(),
                    value.trim().trim_matches('"').trim().to_owned(),
                )
            });

        Self {
            name: name.to_ascii_uppercase(),
            parameters: parameters.collect(),
            line,
        }
    }

    /// Returns the value of a parameter; empty for a flag.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the value of a required parameter.
    pub(super) fn need(&self, key: &str) -> Result<&str, ParseError> {
        let value = self.get(key).filter(|value| !value.is_empty());
        value.ok_or_else(|| self.fault(format!("*{} needs {key}=…", self.name)))
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> ParseError {
        ParseError::line(self.line, reason)
    }
}

/// The lines of a file.
pub(super) struct Source<'a> {
    lines: Lines<'a>,
    pub(super) budget: Budget,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            lines: Lines::new(bytes),
            budget: Budget::of(bytes),
        }
    }

    /// Returns the next keyword. Lines before it belong to the previous keyword, or are not Abaqus input.
    pub(super) fn keyword(&mut self) -> Option<Keyword> {
        loop {
            let line = self.lines.next_filled()?;
            if line.starts_with(b"*") && !line.starts_with(b"**") {
                let number = self.lines.number();
                let mut text = String::from_utf8_lossy(&line[1..]).into_owned();
                while text.ends_with(',') {
                    let Some(more) = self.data() else { break };
                    text += &String::from_utf8_lossy(more);
                }
                return Some(Keyword::of(&text, number));
            }
        }
    }

    /// Returns the next data line of this keyword.
    pub(super) fn data(&mut self) -> Option<&'a [u8]> {
        loop {
            let mut ahead = self.lines.clone();
            let line = ahead.next_filled()?;
            if line.starts_with(b"*") && !line.starts_with(b"**") {
                return None;
            }
            self.lines = ahead;
            if !line.starts_with(b"**") {
                return Some(line);
            }
        }
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> ParseError {
        self.lines.fault(reason)
    }

    /// Parses a number of a data line.
    pub(super) fn number<T: std::str::FromStr>(&self, word: &[u8]) -> Result<T, ParseError> {
        let number = crate::text::whole(word);
        number.ok_or_else(|| self.fault(format!("{} is not a valid number", shown(word))))
    }

    /// Parses a finite real of a data line; an empty entry is 0.
    pub(super) fn real(&self, word: &[u8]) -> Result<f64, ParseError> {
        if word.is_empty() {
            return Ok(0.0);
        }
        crate::text::finite(word).map_err(|reason| self.fault(reason))
    }
}

/// Splits a data line at commas.
pub(super) fn places(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&b| b == b',').map(<[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests;
