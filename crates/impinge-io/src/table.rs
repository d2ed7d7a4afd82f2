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
        "{} is neither numbers nor the names of 2 columns at least",
        shown(line)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_separator_gives_the_same_rows() {
        for text in [
            "1,2.5,-3e2\n4,5,6\n",
            "1;2.5;-3e2\r\n4;5;6",
            "1\t2.5\t-3e2\n\n4\t5\t6\n",
            "# comment\n  1 2.5  -3e2\n4 5 6",
            "\u{feff}1, 2.5, -3e2\n% comment\n4, 5, 6\n",
            "\"1\",\"2.5\",\"-3e2\"\n\"4\",\"5\",\"6\"\n",
        ] {
            let points = parse(text.as_bytes()).expect("a good table");
            assert_eq!((points.columns, points.names.len()), (3, 0), "{text}");
            assert_eq!(points.values, [1.0, 2.5, -300.0, 4.0, 5.0, 6.0], "{text}");
        }
    }

    #[test]
    fn a_header_names_the_columns() {
        for text in [
            "x,y,r\n1,2,3\n",
            "\"x\";\"y\";\"r\"\n1;2;3\n",
            "x y r\n1 2 3\n",
        ] {
            let points = parse(text.as_bytes()).expect("a good table");
            assert_eq!(
                (points.names.join(" "), points.len()),
                ("x y r".to_owned(), 1),
                "{text}"
            );
        }
        assert_eq!(parse(b"x,y\n").expect("an empty table").len(), 0);
    }

    #[test]
    fn a_comment_that_names_coordinates_is_a_header() {
        for text in [
            "# id x y\n7 1 2\n",
            "#id,x,y\n7,1,2\n",
            "% made by hand\n# id;x;y\n7;1;2\n",
        ] {
            let points = parse(text.as_bytes()).expect("a good table");
            assert_eq!(
                (points.names.join(" "), points.len()),
                ("id x y".to_owned(), 1),
                "{text}"
            );
        }
        for text in [
            "# made by hand\n7 1 2\n",
            "# x y\n7 1 2\n",
            "7 1 2\n# id x y\n8 1 2\n",
            "c0,c1,c2\n7,1,2\n",
        ] {
            let points = parse(text.as_bytes()).expect("a good table");
            assert!(points.names.is_empty(), "{text}");
        }
    }

    #[test]
    fn decimal_commas_are_refused_never_misread() {
        let hint = "'1,5' is not a number; use a decimal point";
        assert_eq!(fault("1,5;2,0\n"), format!("line 1: {hint}"));
        assert_eq!(fault("x;y\n1,5;2,0\n"), format!("line 2: {hint}"));
        assert_eq!(fault("1,5\t2,0\n"), format!("line 1: {hint}"));
        assert_eq!(fault("1 2\n1,5 2,0\n"), format!("line 2: {hint}"));
        assert_eq!(fault("1,5 2,0\n"), "line 1: '5 2' is not a number");

        assert_eq!(
            fault("x,y\n1,5,2,0\n"),
            "line 2: the row has 4 numbers where 2 are expected"
        );
    }

    #[test]
    fn broken_rows_are_refused_with_their_line() {
        assert_eq!(
            fault("1,2\n3\n"),
            "line 2: the row has 1 numbers where 2 are expected"
        );
        assert_eq!(fault("1,2\n3,nan\n"), "line 2: 'nan' is not finite");
        assert_eq!(fault("1,2\n3,1e999\n"), "line 2: '1e999' is not finite");
        assert_eq!(fault("1,2,\n"), "line 1: field 3 is empty");
        assert_eq!(fault("1,two\n"), "line 1: 'two' is not a number");

        assert_eq!(
            fault("1\n2\n"),
            "line 1: points need at least 2 numbers per row"
        );
        assert_eq!(
            fault(&"1,".repeat(1 << 20)),
            "line 1: the row has more than 4096 columns"
        );

        assert_eq!(
            fault(&"x,".repeat(1 << 20)),
            "line 1: the row has more than 4096 columns"
        );
        assert_eq!(fault("# nothing\n"), "line 1: the file contains no numbers");

        assert!(fault("binary\0garbage").contains("neither numbers nor"));
    }

    #[test]
    fn both_kinds_of_xyz_are_read() {
        assert_eq!(parse_xyz(b"1 2 3\n4 5 6\n").expect("points").len(), 2);
        let points =
            parse_xyz(b"2\n\nO 1 2 3\nH 4 5 6\n2\nnext\nO 1 2 3\nH 4 5 6\n").expect("molecules");
        assert_eq!(points.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(
            points
                .ignored
                .iter()
                .map(|ignored| ignored.count)
                .collect::<Vec<_>>(),
            [2, 4]
        );
        let fault = parse_xyz(b"4000000000\n\nO 1 2 3\n").unwrap_err();

        assert_eq!(
            fault.to_string(),
            "line 3: 4000000000 points are declared, but there are only 1"
        );
    }
}
