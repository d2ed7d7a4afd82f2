//! Fields on points and cells.

use super::{Reader, Target};
use crate::cursor::Encoding;
use crate::scalar::{BEYOND_53_BITS, Scalar, unsigned};
use crate::text::{shown, whole, words};
use crate::{Field, ParseError, Values};

impl Reader<'_> {
    /// Returns the number type with that name.
    pub(super) fn scalar(&self, name: &[u8]) -> Result<Scalar, ParseError> {
        Ok(match name.to_ascii_lowercase().as_slice() {
            b"char" | b"signed_char" => Scalar::I8,
            b"unsigned_char" => Scalar::U8,
            b"short" => Scalar::I16,
            b"unsigned_short" => Scalar::U16,
            // Ids are written as int whatever their type in memory.
            b"int" | b"vtkidtype" => Scalar::I32,
            b"unsigned_int" => Scalar::U32,
            b"long" | b"vtktypeint64" => Scalar::I64,
            b"unsigned_long" | b"vtktypeuint64" => Scalar::U64,
            b"float" => Scalar::F32,
            b"double" => Scalar::F64,
            _ => {
                return Err(
                    self.fault(format!("numbers of type {} are not supported", shown(name)))
                );
            }
        })
    }

    pub(super) fn attributes(&mut self, target: Target, count: usize) -> Result<(), ParseError> {
        self.target = target;
        let items = self.items();
        match count == items {
            true => Ok(()),
            false => Err(self.fault(format!(
                "there is data for {count} items, but there are {items}"
            ))),
        }
    }

    /// Number of points or cells that the current data belong to.
    fn items(&self) -> usize {
        match self.target {
            Target::Whole => 0,
            Target::Points => self.dataset.mesh.points.len(),
            Target::Cells => self.cell_count(),
        }
    }

    /// Reads the data after a keyword for point or cell data.
    pub(super) fn data(&mut self, keyword: &[u8], rest: &[&[u8]]) -> Result<(), ParseError> {
        let word = |at: usize| rest.get(at).copied().unwrap_or_default();
        let (components, type_at) = match keyword {
            b"FIELD" => return self.fields(rest),
            b"LOOKUP_TABLE" => return self.lookup_table(rest),
            b"SCALARS" => (
                if rest.len() > 2 {
                    self.count(rest, 2)?
                } else {
                    1
                },
                1,
            ),
            b"COLOR_SCALARS" => return self.colours(word(0), self.count(rest, 1)?),
            b"VECTORS" | b"NORMALS" => (3, 1),
            b"TEXTURE_COORDINATES" => (self.count(rest, 1)?, 2),
            b"TENSORS" => (9, 1),
            b"TENSORS6" => (6, 1),
            b"GLOBAL_IDS" | b"PEDIGREE_IDS" | b"EDGE_FLAGS" => (1, 1),
            other => return Err(self.fault(format!("the keyword {} is unknown", shown(other)))),
        };

        if self.target == Target::Whole {
            return Err(self.fault(format!(
                "{} appears before POINT_DATA and CELL_DATA",
                shown(keyword)
            )));
        }

        // This line names the lookup table of the data; a table's own definition has a third word.
        if keyword == b"SCALARS" && self.next_is_lookup_table() {
            self.cursor.filled_line();
        }

        self.take_field(word(0), components, self.items(), word(type_at))
    }

    fn next_is_lookup_table(&self) -> bool {
        let line = self.cursor.peek_line().unwrap_or_default();
        let mut words = words(line);
        words
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case(b"LOOKUP_TABLE"))
            && words.count() < 2
    }

    /// Reads one field and adds it to the points or cells.
    fn take_field(
        &mut self,
        name: &[u8],
        components: usize,
        items: usize,
        of: &[u8],
    ) -> Result<(), ParseError> {
        let count = items.checked_mul(components);
        let count =
            count.ok_or_else(|| self.fault(format!("{components} components are too many")))?;

        match of.to_ascii_lowercase().as_slice() {
            b"string" | b"utf8_string" => {
                self.dataset.ignore("arrays of text", 1);
                return self.pass_over_text(count);
            }
            _ => {}
        }

        let values = match of.eq_ignore_ascii_case(b"bit") {
            true => Values::Whole(self.bits(count)?),
            false => {
                let scalar = self.scalar(of)?;
                match scalar {
                    Scalar::F32 | Scalar::F64 => Values::Real(self.numbers(scalar, count)?),
                    Scalar::U64 => {
                        let (values, rounded) = unsigned(self.numbers(scalar, count)?);
                        if rounded > 0 {
                            self.dataset.ignore(BEYOND_53_BITS, rounded);
                        }
                        values
                    }
                    _ => Values::Whole(self.numbers(scalar, count)?),
                }
            }
        };

        let field = Field {
            name: unescape(name),
            components,
            values,
        };

        match self.target {
            Target::Whole => self.dataset.ignore("field data arrays", 1),
            Target::Points => self.dataset.point_fields.push(field),
            Target::Cells => self.cell_fields.push(field),
        }

        Ok(())
    }

    /// Reads `FIELD name n` and n arrays, each after its own header line.
    fn fields(&mut self, rest: &[&[u8]]) -> Result<(), ParseError> {
        for _ in 0..self.count(rest, 1)? {
            let mut line = self.cursor.need_line("an array")?;
            while line.eq_ignore_ascii_case(b"METADATA") {
                self.pass_over_metadata();
                line = self.cursor.need_line("an array")?;
            }

            let words: Vec<&[u8]> = words(line).take(4).collect();
            let &[name, components, items, of] = &words[..] else {
                return Err(self.fault(format!(
                    "{} is not the name, size and type of an array",
                    shown(line)
                )));
            };
            let (components, items) = (whole(components), whole(items));
            let (Some(components), Some(items)) = (components, items) else {
                return Err(
                    self.fault(format!("the size of array {} is not a number", shown(name)))
                );
            };

            if self.target != Target::Whole && items != self.items() {
                let (name, right) = (shown(name), self.items());
                return Err(self.fault(format!(
                    "array {name} has {items} items, but there are {right}"
                )));
            }

            self.take_field(name, components, items, of)?;
        }
        Ok(())
    }

    /// Reads bits, which are packed in binary files.
    fn bits(&mut self, count: usize) -> Result<Vec<i64>, ParseError> {
        if self.cursor.encoding == Encoding::Text {
            return self.numbers(Scalar::U8, count);
        }

        let bytes = self.cursor.take(count.div_ceil(8))?;
        self.budget.take(count, size_of::<i64>())?;
        Ok((0..count)
            .map(|i| i64::from(bytes[i / 8] >> (7 - i % 8) & 1))
            .collect())
    }

    /// Reads colours: bytes in binary files, numbers from 0 to 1 in text.
    fn colours(&mut self, name: &[u8], components: usize) -> Result<(), ParseError> {
        let of: &[u8] = if self.cursor.encoding == Encoding::Text {
            b"float"
        } else {
            b"unsigned_char"
        };
        self.take_field(name, components, self.items(), of)
    }

    fn lookup_table(&mut self, rest: &[&[u8]]) -> Result<(), ParseError> {
        let count = self.count(rest, 1)?;
        self.dataset.ignore("lookup tables", 1);
        self.cursor.skip(count.saturating_mul(4), Scalar::U8)
    }

    /// Skips strings: lines in text files, preceded by their length in binary ones.
    fn pass_over_text(&mut self, count: usize) -> Result<(), ParseError> {
        for _ in 0..count {
            match self.cursor.encoding {
                Encoding::Text => drop(self.cursor.need_line("text")?),
                Encoding::Binary(_) => {
                    // The two highest bits give the size of the length: 11 one byte, 10 two, 01 four, 00 eight.
                    let first = self.cursor.take(1)?[0];
                    let more = [7, 3, 1, 0][usize::from(first >> 6)];
                    let start = u64::from(first & 0x3f);
                    let length = self
                        .cursor
                        .take(more)?
                        .iter()
                        .fold(start, |sum, &b| (sum << 8) | u64::from(b));
                    self.cursor
                        .take(usize::try_from(length).unwrap_or(usize::MAX))?;
                }
            }
        }
        Ok(())
    }
}

/// Decodes a name: names contain no white space in the file, and `%20` stands for a blank.
fn unescape(name: &[u8]) -> String {
    let digit = |at: usize| name.get(at).and_then(|&b| char::from(b).to_digit(16));
    let mut bytes = Vec::with_capacity(name.len());
    let mut at = 0;

    while at < name.len() {
        match (name[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                at += 3;
            }
            (other, _, _) => {
                bytes.push(other);
                at += 1;
            }
        }
    }

    String::from_utf8_lossy(&bytes).into_owned()
}
