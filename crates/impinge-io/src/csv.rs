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
mod tests {
    use super::*;

    fn written(columns: &[(&str, Column)]) -> String {
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, column)| ((*name).to_owned(), column.clone()))
            .collect();
        let mut bytes = Vec::new();

        write(&columns, &mut bytes).map_or_else(
            |e| e.to_string(),
            |()| String::from_utf8(bytes).expect("text"),
        )
    }

    #[test]
    fn every_kind_of_column_is_written() {
        let text = written(&[
            ("x", Column::Real(vec![-0.0, 1e-300])),
            ("n", Column::Whole(vec![-1, i64::MAX])),
            (
                "kind, of",
                Column::Text(vec!["plain".to_owned(), "say \"so\"".to_owned()]),
            ),
        ]);
        assert_eq!(
            text,
            "x,n,\"kind, of\"\n0.0,-1,plain\n1e-300,9223372036854775807,\"say \"\"so\"\"\"\n"
        );
    }

    #[test]
    fn columns_of_unlike_length_are_refused() {
        let text = written(&[("x", Column::Real(vec![0.1])), ("n", Column::Whole(vec![]))]);
        assert_eq!(text, "column n has 0 rows where the first has 1");
    }
}
