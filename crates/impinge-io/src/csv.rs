//! Writes CSV tables: a header and columns. Reals have the fewest digits that round-trip exactly.

use crate::{Error, output};
use std::io::Write;
use std::path::Path;

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Real numbers.
    Real(Vec<f64>),
    /// Integers.
    Whole(Vec<i64>),
    /// Text, quoted if necessary.
    Text(Vec<String>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Real(values) => values.len(),
            Self::Whole(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    fn write(&self, row: usize, out: &mut dyn Write) -> std::io::Result<()> {
        match self {
            // Drop the sign of zero: -0.0 + 0.0 is 0.0.
            Self::Real(values) => write!(out, "{:?}", values[row] + 0.0),
            Self::Whole(values) => write!(out, "{}", values[row]),
            Self::Text(values) => write!(out, "{}", quoted(&values[row])),
        }
    }
}

/// Writes named columns of equal length to a file.
pub fn write_csv(path: &Path, columns: &[(String, Column)]) -> Result<(), Error> {
    output::write_atomically(path, |out| write(columns, out))
}

/// Writes named columns of equal length.
pub fn write(columns: &[(String, Column)], out: &mut dyn Write) -> std::io::Result<()> {
    write_names(columns, out)?;
    write_rows(columns, out)
}

/// Writes only the header row.
pub fn write_names(columns: &[(String, Column)], out: &mut dyn Write) -> std::io::Result<()> {
    let names: Vec<String> = columns.iter().map(|(name, _)| quoted(name)).collect();
    writeln!(out, "{}", names.join(","))
}

/// Writes the rows of columns of equal length without a header, to write a long table in parts.
pub fn write_rows(columns: &[(String, Column)], out: &mut dyn Write) -> std::io::Result<()> {
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    if let Some((name, column)) = columns.iter().find(|(_, column)| column.len() != rows) {
        let reason = format!(
            "column {name} has {} rows where the first has {rows}",
            column.len()
        );
        return Err(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            reason,
        ));
    }

    for row in 0..rows {
        for (i, (_, column)) in columns.iter().enumerate() {
            out.write_all(if i == 0 { b"" } else { b"," })?;
            column.write(row, out)?;
        }
        writeln!(out)?;
    }

    Ok(())
}

/// Quotes text, with quotes doubled, if a reader would otherwise misread it.
fn quoted(text: &str) -> String {
    match text.contains([',', ';', '"', '\t', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
