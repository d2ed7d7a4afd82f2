//! Surfaces in .obj.

use crate::{Dataset, Fault, Ignored};
use std::io::Write;

/// Reads the contents of a file.
pub fn parse(_bytes: &[u8]) -> Result<Dataset, Fault> {
    Err(Fault::whole("reading .obj is not built yet"))
}

/// What the format cannot hold of a dataset, or why it cannot hold its mesh at all.
pub fn check(_dataset: &Dataset) -> Result<Vec<Ignored>, Fault> {
    Err(Fault::whole("writing .obj is not built yet"))
}

/// Writes a dataset that passed [`check`].
pub fn write(_dataset: &Dataset, _out: &mut dyn Write) -> std::io::Result<()> {
    Ok(())
}
