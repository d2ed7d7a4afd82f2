//! Reads files that mix lines of text with numbers in text or binary form.
//!
//! Gmsh's MSH and VTK's legacy format are of this kind: keywords are on lines of their own, and the numbers
//! after them are text or binary throughout the file. Line numbers are computed only for errors.

use crate::ParseError;
use crate::bytes::Endian;
use crate::scalar::{Number, Scalar};
use crate::text::shown;

/// Encoding of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    Binary(Endian),
}

/// A position in a file and the encoding of its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    all: &'a [u8],
    at: usize,
    pub(crate) encoding: Encoding,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of a text file.
    pub(crate) fn new(all: &'a [u8]) -> Self {
        let start = if all.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Self {
            all,
            at: start,
            encoding: Encoding::Text,
        }
    }

    /// Returns the bytes not yet read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.all[self.at..]
    }

    /// Maximum number of values of a type that the rest of the file can contain.
    pub(crate) fn room(&self, scalar: Scalar) -> usize {
        match self.encoding {
            Encoding::Text => self.rest().len() / 2 + 1,
            Encoding::Binary(_) => self.rest().len() / scalar.size(),
        }
    }

    /// Returns the next line, trimmed.
    pub(crate) fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }

        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at = (self.at + end + 1).min(self.all.len());
        Some(rest[..end].trim_ascii())
    }

    /// Returns the next line that is not blank.
    pub(crate) fn filled_line(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.line()?;
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    /// Returns the next line that is not blank, without advancing.
    pub(crate) fn peek_line(&self) -> Option<&'a [u8]> {
        self.clone().filled_line()
    }

    /// Returns the next line that is not blank, or an error that says what was expected.
    pub(crate) fn need_line(&mut self, what: &str) -> Result<&'a [u8], ParseError> {
        self.filled_line()
            .ok_or_else(|| self.fault(format!("the file ends where {what} is expected")))
    }

    /// Returns the next word, across line ends.
    pub(crate) fn word(&mut self) -> Result<&'a [u8], ParseError> {
        let rest = self.rest();
        let Some(start) = rest.iter().position(|b| !b.is_ascii_whitespace()) else {
            self.at = self.all.len();
            return Err(self.fault("the file ends where a number is expected"));
        };
        let length = rest[start..]
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len() - start);
        self.at += start + length;

        Ok(&rest[start..start + length])
    }

    /// Returns the next number, in text or as raw bytes of the given type.
    #[inline]
    pub(crate) fn number<T: Number>(&mut self, scalar: Scalar) -> Result<T, ParseError> {
        match self.encoding {
            Encoding::Text => {
                let word = self.word()?;
                T::spelt(word)
                    .ok_or_else(|| self.fault(format!("{} is not a valid number", shown(word))))
            }
            Encoding::Binary(endian) => {
                let raw = self.take(scalar.size())?;
                let number = T::of(scalar.get(raw, endian));
                number.ok_or_else(|| self.fault("this number is negative, too large or not whole"))
            }
        }
    }

    /// Returns the next number, which must be finite.
    pub(crate) fn coordinate(&mut self, scalar: Scalar) -> Result<f64, ParseError> {
        let x: f64 = self.number(scalar)?;
        match x.is_finite() {
            true => Ok(x),
            false => Err(self.fault("this coordinate is not finite")),
        }
    }

    /// Returns the next `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], ParseError> {
        let rest = self.rest();
        if count > rest.len() {
            return Err(self.fault(format!(
                "the file ends {} bytes too early",
                count - rest.len()
            )));
        }

        self.at += count;
        Ok(&rest[..count])
    }

    /// Skips `count` numbers, or fails if the file is too short.
    pub(crate) fn skip(&mut self, count: usize, scalar: Scalar) -> Result<(), ParseError> {
        match self.encoding {
            Encoding::Text => (0..count).try_for_each(|_| self.word().map(|_| ())),
            Encoding::Binary(_) => self.take(count.saturating_mul(scalar.size())).map(|_| ()),
        }
    }

    /// Returns an error at the current position: a line in a text file, a byte in a binary one.
    pub(crate) fn fault(&self, reason: impl Into<String>) -> ParseError {
        match self.encoding {
            Encoding::Text => {
                let before = self.at.saturating_sub(1).min(self.all.len());
                ParseError::line(
                    1 + self.all[..before].iter().filter(|&&b| b == b'\n').count(),
                    reason,
                )
            }
            Encoding::Binary(_) => ParseError::byte(self.at, reason),
        }
    }
}

#[cfg(test)]
mod tests;
