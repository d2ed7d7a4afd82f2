//! Errors of a scene, with the line and a hint how to fix it.

use thiserror::Error;

/// An error of a scene and its location.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct SceneError {
    /// The line, from 1.
    pub line: usize,
    /// The error, with the key.
    pub message: String,
}

/// A value that the types allow but that makes no sense: the key and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) path: String,
    pub(crate) reason: String,
}

impl Fault {
    pub(crate) fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            reason: reason.into(),
        }
    }
}

/// Rewrites a message of the reader without the names of Rust types.
pub(super) fn in_words(message: &str) -> String {
    const WORDS: [(&str, &str); 9] = [
        ("expected f64", "expected a number"),
        ("expected usize", "expected a whole number"),
        ("expected u64", "expected a whole number"),
        ("floating point `", "the number `"),
        ("integer `", "the number `"),
        ("a sequence", "a list"),
        ("sequence", "a list"),
        ("invalid type: map", "invalid type: a table"),
        // The result of a decimal comma: [0,004].
        (
            "unexpected leading zero",
            "a number starts with a zero; use a decimal point, as in 0.004",
        ),
    ];
    let plain = message.trim_end().replace('\n', ", ");

    WORDS
        .iter()
        .fold(plain, |text, (from, to)| text.replace(from, to))
}
