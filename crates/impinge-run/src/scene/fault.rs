//! What is wrong with a scene, in words that help to mend it.

use thiserror::Error;

/// What is wrong with a scene, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct SceneError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, with the key.
    pub message: String,
}

/// Something that the types allow and sense does not: the key, and why.
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

/// A message of the reader, without the names of Rust's types.
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
        // What a decimal comma leaves behind: [0,004].
        (
            "unexpected leading zero",
            "a number begins with zero; decimals are written with a point, 0.004",
        ),
    ];
    let plain = message.trim_end().replace('\n', ", ");

    WORDS
        .iter()
        .fold(plain, |text, (from, to)| text.replace(from, to))
}
