//! Lines and words of a text file, with the line number for errors. Works on bytes: files need not be UTF-8, lines
//! may end in LF, CRLF or CR, and nothing is copied.

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

    /// Number of the line that was read last, from 1.
    pub(crate) fn number(&self) -> usize {
        self.line
    }

    /// The bytes after the line that was read last.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next line without its end, or none at the end of the file.
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

    /// The next line that holds more than white space.
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

/// The words between white space.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// A real number. Accepts what C's `strtod` does in practice, and Fortran's `1.0D+03`; NaN and infinity parse here
/// and are refused where they enter a shape.
pub(crate) fn real(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse()
        .ok()
        .or_else(|| text.replace(['d', 'D'], "e").parse().ok())
}

/// A real number that is finite, or what is wrong with the word.
pub(crate) fn finite(word: &[u8]) -> Result<f64, String> {
    match real(word) {
        Some(x) if x.is_finite() => Ok(x),
        Some(_) => Err(format!("{} is not finite", shown(word))),
        None if word.contains(&b',') => Err(format!(
            "{} is no number; decimals need a point",
            shown(word)
        )),
        None => Err(format!("{} is no number", shown(word))),
    }
}

/// The next three words as coordinates, or what is wrong with them.
pub(crate) fn point<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Point<3>, String> {
    let mut next = || {
        words
            .next()
            .ok_or("a point needs 3 coordinates".to_owned())
            .and_then(finite)
    };
    Ok(Point::from([next()?, next()?, next()?]))
}

/// A whole number that fits.
pub(crate) fn whole<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word as it may be shown in an error: short, and printable.
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
