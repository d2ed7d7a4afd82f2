//! What went wrong with a file, and where.

use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    Whole,
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
}

/// A fault in the contents of a file: what a reader of bytes returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where it is.
    pub place: Location,
    /// What it is.
    pub reason: String,
}

impl ParseError {
    /// A fault of the file as a whole.
    pub fn whole(reason: impl Into<String>) -> Self {
        Self {
            place: Location::Whole,
            reason: reason.into(),
        }
    }

    /// A fault on a line (from 1).
    pub fn line(line: usize, reason: impl Into<String>) -> Self {
        Self {
            place: Location::Line(line),
            reason: reason.into(),
        }
    }

    /// A fault at a byte (from 0).
    pub fn byte(byte: usize, reason: impl Into<String>) -> Self {
        Self {
            place: Location::Byte(byte),
            reason: reason.into(),
        }
    }

    /// The fault as an error of a file.
    pub fn in_file(self, path: &Path) -> Error {
        Error::Content {
            path: path.to_owned(),
            place: self.place,
            reason: self.reason,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Location::Whole => write!(f, "{}", self.reason),
            Location::Line(line) => write!(f, "line {line}: {}", self.reason),
            Location::Byte(byte) => write!(f, "byte {byte}: {}", self.reason),
        }
    }
}

/// Why a file could not be read or written.
#[derive(Debug, Error)]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {reason}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system said. Part of the message, so not its source: a chain of errors would say it twice.
        reason: std::io::Error,
    },
    /// The file's contents are broken or not supported.
    #[error("{}{place}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Location,
        /// What is wrong.
        reason: String,
    },
    /// The extension names no format, or none that this direction supports.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the formats that would do.
        reason: String,
    },
}

impl Error {
    /// A system error with its file.
    pub fn system(path: &Path, reason: std::io::Error) -> Self {
        Self::System {
            path: path.to_owned(),
            reason,
        }
    }
}

/// As it stands after a file's name: `:12`, ` at byte 80` or nothing.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Byte(byte) => write!(f, " at byte {byte}"),
        }
    }
}
