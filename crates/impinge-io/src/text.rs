//! Lines and words of a text file, with line numbers for errors. Works on bytes without copying: files need not be
//! UTF-8, and lines may end in LF, CRLF or CR.

use crate::ParseError;
use impinge::space::Point;

/// Reads lines from front to back.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            line: 0,
        }
    }

    /// Returns the number of the last line read, from 1.
    pub(crate) fn number(&self) -> usize {
        self.line
    }

    /// Returns the bytes after the last line read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the next line without its end, or `None` at the end of the file.
    pub(crate) fn next_line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }

        self.line += 1;
        let end = self
            .rest
            .iter()
            .position(|&b| b == b'\n' || b == b'\r')
            .unwrap_or(self.rest.len());
        let (line, after) = self.rest.split_at(end);
        self.rest = after
            .strip_prefix(b"\r\n")
            .or_else(|| after.get(1..))
            .unwrap_or_default();

        Some(line)
    }

    /// Returns the next line that is not blank.
    pub(crate) fn next_filled(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.next_line()?.trim_ascii();
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    pub(crate) fn fault(&self, reason: impl Into<String>) -> ParseError {
        ParseError::line(self.line.max(1), reason)
    }
}

/// Splits a line at white space.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Parses a real. Accepts what C's `strtod` does in practice, and Fortran's `1.0D+03`. NaN and infinity parse here
/// and are rejected when they enter a shape.
pub(crate) fn real(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse()
        .ok()
        .or_else(|| text.replace(['d', 'D'], "e").parse().ok())
}

/// Parses a finite real, or returns what is wrong with the word.
pub(crate) fn finite(word: &[u8]) -> Result<f64, String> {
    match real(word) {
        Some(x) if x.is_finite() => Ok(x),
        Some(_) => Err(format!("{} is not finite", shown(word))),
        None if word.contains(&b',') => Err(format!(
            "{} is not a number; use a decimal point",
            shown(word)
        )),
        None => Err(format!("{} is not a number", shown(word))),
    }
}

/// Parses the next three words as coordinates, or returns what is wrong with them.
pub(crate) fn point<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Point<3>, String> {
    let mut next = || {
        words
            .next()
            .ok_or("a point needs 3 coordinates".to_owned())
            .and_then(finite)
    };
    Ok(Point::from([next()?, next()?, next()?]))
}

/// Parses an integer that fits in the type.
pub(crate) fn whole<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Formats a word for an error message: short and printable.
pub(crate) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();

    if word.len() > LONGEST {
        format!("'{text}…'")
    } else {
        format!("'{text}'")
    }
}
