//! File errors with their location.

use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A location in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    Whole,
    /// A line number, from 1.
    Line(usize),
    /// A byte offset, from 0.
    Byte(usize),
}

/// An error in the contents of a file, as returned by the readers of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Location of the error.
    pub place: Location,
    /// Description of the error.
    pub reason: String,
}

impl ParseError {
    /// Creates an error about the file as a whole.
    pub fn whole(reason: impl Into<String>) -> Self {
        Self {
            place: Location::Whole,
            reason: reason.into(),
        }
    }

    /// Creates an error on a line (from 1).
    pub fn line(line: usize, reason: impl Into<String>) -> Self {
        Self {
            place: Location::Line(line),
            reason: reason.into(),
        }
    }

    /// Creates an error at a byte (from 0).
    pub fn byte(byte: usize, reason: impl Into<String>) -> Self {
        Self {
            place: Location::Byte(byte),
            reason: reason.into(),
        }
    }

    /// Adds the name of the file.
    pub fn in_file(self, path: &Path) -> Error {
        Error::Content {
            path: path.to_owned(),
            place: self.place,
            reason: self.reason,
        }
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Location::Whole => write!(f, "{}", self.reason),
            Location::Line(line) => write!(f, "line {line}: {}", self.reason),
            Location::Byte(byte) => write!(f, "byte {byte}: {}", self.reason),
        }
    }
}

/// The reason why a file could not be read or written.
#[derive(Debug, Error)]
pub enum Error {
    /// An error of the operating system.
    #[error("{}: {reason}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The system's error. It is part of the message and hence not the `source`: error chains would print
        /// it twice.
        reason: std::io::Error,
    },
    /// The contents are malformed or unsupported.
    #[error("{}{place}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Location in the file.
        place: Location,
        /// Description of the error.
        reason: String,
    },
    /// The extension is unknown, or its format is unsupported for reading or for writing.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Description of the error, with the supported formats.
        reason: String,
    },
}

impl Error {
    /// Wraps a system error with its file.
    pub fn system(path: &Path, reason: std::io::Error) -> Self {
        Self::System {
            path: path.to_owned(),
            reason,
        }
    }
}

/// Formats the location as a suffix of the file's name: `:12`, ` at byte 80` or nothing.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Byte(byte) => write!(f, " at byte {byte}"),
        }
    }
}
