//! Surfaces in .stl.

use crate::{Dataset, Fault, Ignored};
use std::io::Write;

/// Reads the contents of a file.
pub fn parse(_bytes: &[u8]) -> Result<Dataset, Fault> {
    Err(Fault::whole("reading .stl is not built yet"))
}

/// What the format cannot hold of a dataset, or why it cannot hold its mesh at all.
pub fn check(_dataset: &Dataset) -> Result<Vec<Ignored>, Fault> {
    Err(Fault::whole("writing .stl is not built yet"))
}

/// Writes a dataset that passed [`check`].
pub fn write(_dataset: &Dataset, _out: &mut dyn Write) -> std::io::Result<()> {
    Ok(())
}

/// Whether the size is just that of a binary STL with the announced number of triangles.
pub(crate) fn has_binary_size(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).map(|raw| u32::from_le_bytes(raw.try_into().expect("four bytes")));
    count.is_some_and(|count| bytes.len() as u64 == 84 + 50 * u64::from(count))
}
