//! Text tables of numbers: CSV separated by commas, semicolons, tabs or blanks, with or without a header; and XYZ.
//!
//! The first line determines the separator, in the order semicolon, tab, comma, blank. A comma inside a
//! number is never read as a decimal comma: `1,5;2,0` is an error.
//!
//! Column names come from the first line, or from the last comment before the first row if it names coordinates, as
//! written by numpy's `savetxt`.

use crate::columns::name_places;
use crate::surface::note;
use crate::text::{Lines, finite, real, shown, whole, words};
use crate::{ParseError, Points};

/// Maximum number of columns, so that the names of a hostile header cannot outgrow it.
const MOST_COLUMNS: usize = 4096;

/// Parses a table.
pub fn parse(bytes: &[u8]) -> Result<Points, ParseError> {
    let mut lines = Lines::new(bytes);
    let mut rows = Rows::default();
    let mut separator = None;
    let mut comment: &[u8] = b"";

    while let Some(line) = lines.next_filled() {
        if line.starts_with(b"#") || line.starts_with(b"%") {
            if separator.is_none() {
                comment = line;
            }
            continue;
        }

        let first = separator.is_none();
        let separator = *separator.get_or_insert_with(|| Separator::of(line));
        let taken = match first && is_header(separator, line) {
            true => rows.header(separator, line),
            false => rows.push(fields(separator, line)),
        };
        taken.map_err(|reason| lines.fault(reason))?;

        if first {
            rows.take_names_from(comment);
        }
    }

    rows.finish(&lines)
}

/// Default name of an unnamed column in output; when read back, such names have no meaning.
pub(crate) fn number_name(column: usize) -> String {
    format!("c{column}")
}

/// Parses XYZ: rows of numbers, or the chemistry format with a count, a comment and a symbol before each row.
pub fn parse_xyz(bytes: &[u8]) -> Result<Points, ParseError> {
    let mut lines = Lines::new(bytes);
    let count: Option<u64> = lines.next_filled().and_then(whole);
    let Some(count) = count else {
        return parse(bytes);
    };
    lines.next_line();
    let mut rows = Rows::default();
    let mut symbols = 0;

    for i in 0..count {
        let line = lines.next_filled();
        let line = line.ok_or_else(|| {
            lines.fault(format!(
                "{count} points are declared, but there are only {i}"
            ))
        })?;
        let has_symbol = words(line).next().is_some_and(|word| real(word).is_none());
        symbols += usize::from(has_symbol);
        rows.push(words(line).skip(usize::from(has_symbol)))
            .map_err(|reason| lines.fault(reason))?;
    }

    let mut points = rows.finish(&lines)?;
    note(&mut points.ignored, "symbols of points", symbols);
    note(
        &mut points.ignored,
        "lines after the first frame",
        std::iter::from_fn(|| lines.next_filled()).count(),
    );

    Ok(points)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Byte(u8),
    Blanks,
}

impl Separator {
    fn of(line: &[u8]) -> Self {
        let byte = b";\t,".iter().find(|byte| line.contains(byte));
        byte.map_or(Self::Blanks, |&byte| Self::Byte(byte))
    }
}

/// Splits a line into fields, without surrounding blanks and quotes.
fn fields(separator: Separator, line: &[u8]) -> impl Iterator<Item = &[u8]> {
    // Empty fields count between separators, but not between blanks.
    let is_separator = move |b: &u8| match separator {
        Separator::Byte(byte) => *b == byte,
        Separator::Blanks => b.is_ascii_whitespace(),
    };
    let fields = line
        .split(is_separator)
        .map(|field| unquoted(field.trim_ascii()));

    fields.filter(move |field| separator != Separator::Blanks || !field.is_empty())
}

fn unquoted(field: &[u8]) -> &[u8] {
    field
        .strip_prefix(b"\"")
        .and_then(|field| field.strip_suffix(b"\""))
        .unwrap_or(field)
}

/// Whether a line is a header: it contains no numbers. A line with some numbers is a row, possibly malformed. A
/// number with a decimal comma is not a name either.
fn is_header(separator: Separator, line: &[u8]) -> bool {
    fields(separator, line).all(|field| {
        !field
            .first()
            .is_some_and(|b| b.is_ascii_digit() || b"+-.".contains(b))
    }) && fields(separator, line).all(|field| real(field).is_none())
}

#[derive(Debug, Default)]
struct Rows {
    names: Vec<String>,
    /// 0 before the first row.
    columns: usize,
    values: Vec<f64>,
}

impl Rows {
    fn header(&mut self, separator: Separator, line: &[u8]) -> Result<(), String> {
        let names = fields(separator, line).take(MOST_COLUMNS + 1);
        self.names = names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        self.columns = self.names.len();

        if self.columns > MOST_COLUMNS {
            return Err(format!("the row has more than {MOST_COLUMNS} columns"));
        }

        if self.columns < 2 {
            return Err(too_narrow(line));
        }

        let mut names = self.names.iter().enumerate();
        if names.all(|(n, name)| *name == number_name(n)) {
            self.names.clear();
        }

        Ok(())
    }

    /// Takes the names from a comment if it has as many words as the first row and they name coordinates.
    fn take_names_from(&mut self, comment: &[u8]) {
        let comment = comment.trim_ascii_start().get(1..).unwrap_or_default();
        let words = fields(Separator::of(comment), comment.trim_ascii());
        let names: Vec<String> = words
            .take(MOST_COLUMNS + 1)
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();

        if self.names.is_empty() && names.len() == self.columns && name_places(&names) {
            self.names = names;
        }
    }

    fn push<'a>(&mut self, fields: impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
        let before = self.values.len();
        for (i, field) in fields.enumerate() {
            if i == MOST_COLUMNS {
                return Err(format!("the row has more than {MOST_COLUMNS} columns"));
            }
            if field.is_empty() {
                return Err(format!("field {} is empty", i + 1));
            }
            self.values.push(finite(field)?);
        }

        let width = self.values.len() - before;
        match self.columns {
            0 if width < 2 => Err("points need at least 2 numbers per row".to_owned()),
            0 => {
                self.columns = width;
                Ok(())
            }
            columns if columns == width => Ok(()),
            columns => Err(format!(
                "the row has {width} numbers where {columns} are expected"
            )),
        }
    }

    fn finish(self, lines: &Lines) -> Result<Points, ParseError> {
        match self.columns {
            0 => Err(lines.fault("the file contains no numbers")),
            columns => Ok(Points {
                names: self.names,
                columns,
                values: self.values,
                ignored: Vec::new(),
            }),
        }
    }
}

fn too_narrow(line: &[u8]) -> String {
    format!(
        "{} is neither numbers nor the names of at least 2 columns",
        shown(line)
    )
}

#[cfg(test)]
mod tests;
