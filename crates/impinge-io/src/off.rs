//! Surfaces in .off.

use crate::{Dataset, Fault, Ignored};
use std::io::Write;

/// Reads the contents of a file.
pub fn parse(_bytes: &[u8]) -> Result<Dataset, Fault> {
    Err(Fault::whole("reading .off is not built yet"))
}

/// What the format cannot hold of a dataset, or why it cannot hold its mesh at all.
pub fn check(_dataset: &Dataset) -> Result<Vec<Ignored>, Fault> {
    Err(Fault::whole("writing .off is not built yet"))
}

/// Writes a dataset that passed [`check`].
pub fn write(_dataset: &Dataset, _out: &mut dyn Write) -> std::io::Result<()> {
    Ok(())
}

/// Whether the word is the keyword that an OFF file begins with: `OFF`, `COFF`, `STCNOFF`, …
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    word.strip_suffix(b"OFF").is_some_and(|prefix| prefix.iter().all(|b| b"STCN4n".contains(b)))
}
