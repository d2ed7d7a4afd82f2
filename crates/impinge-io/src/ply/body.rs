//! The values after the header, with one interface for text and binary.

use super::element::{Element, Kind, Property};
use crate::ParseError;
use crate::bytes::Bytes;
use crate::text::{Lines, real, shown, whole};

/// A number of any supported type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    pub(super) fn real(self) -> f64 {
        match self {
            Self::Whole(x) => x as f64,
            Self::Real(x) => x,
        }
    }
}

/// The data not yet read.
#[derive(Debug)]
pub(super) enum Body<'a> {
    /// The remaining lines, and the rest of the current line.
    Text(Lines<'a>, &'a [u8]),
    Binary(Bytes<'a>),
}

impl<'a> Body<'a> {
    pub(super) fn text(lines: Lines<'a>) -> Self {
        Self::Text(lines, b"")
    }

    /// Returns an error if the file is too short for the declared count, before anything is allocated.
    pub(super) fn announce(&self, element: &Element) -> Result<(), ParseError> {
        let (held, row) = match self {
            // A digit and a separator per number; the last may lack its separator.
            Self::Text(lines, _) => (lines.rest().len() + 1, 2 * element.properties.len()),
            Self::Binary(bytes) => {
                let least = |property: &Property| property.list.unwrap_or(property.kind).size();
                (
                    bytes.rest().len(),
                    element.properties.iter().map(least).sum(),
                )
            }
        };
        match element.count.checked_mul(row as u64) {
            Some(needed) if needed <= held as u64 => Ok(()),
            _ => Err(self.fault(format!(
                "{} elements {} are declared, but only {held} bytes follow",
                element.count,
                shown(element.name.as_bytes())
            ))),
        }
    }

    pub(super) fn begin_row(&mut self) -> Result<(), ParseError> {
        if let Self::Text(lines, line) = self {
            *line = lines
                .next_filled()
                .ok_or_else(|| lines.fault("the file ends too early"))?;
        }
        Ok(())
    }

    pub(super) fn end_row(&mut self) -> Result<(), ParseError> {
        match self {
            Self::Text(lines, line) if !line.is_empty() => {
                Err(lines.fault(format!("{} follows the last property", shown(line))))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn number(&mut self, kind: Kind) -> Result<Number, ParseError> {
        match self {
            Self::Text(lines, line) => {
                text_number(next_word(lines, line)?, kind).map_err(|r| lines.fault(r))
            }
            Self::Binary(bytes) => binary_number(bytes, kind),
        }
    }

    /// Reads the corners of a face.
    pub(super) fn indices(
        &mut self,
        list: &Property,
        count: u64,
        corners: &mut Vec<u32>,
    ) -> Result<(), ParseError> {
        corners.clear();
        for _ in 0..self.length(list)? {
            match self.number(list.kind)? {
                Number::Whole(i) if (0..count as i64).contains(&i) => corners.push(i as u32),
                Number::Whole(i) => {
                    return Err(self.fault(format!("vertex {i} does not exist; there are {count}")));
                }
                Number::Real(_) => return Err(self.fault("its corners are not whole numbers")),
            }
        }

        Ok(())
    }

    pub(super) fn skip(&mut self, property: &Property) -> Result<(), ParseError> {
        let numbers = if property.list.is_some() {
            self.length(property)?
        } else {
            1
        };
        match self {
            Self::Text(lines, line) => {
                (0..numbers).try_for_each(|_| next_word(lines, line).map(|_| ()))
            }
            Self::Binary(bytes) => bytes.items(numbers, property.kind.size()).map(|_| ()),
        }
    }

    /// Reads the length of the next list.
    fn length(&mut self, property: &Property) -> Result<u64, ParseError> {
        match self.number(property.list.unwrap_or(Kind::U8))? {
            Number::Whole(length) if length >= 0 => Ok(length as u64),
            _ => Err(self.fault("a list has a negative length")),
        }
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> ParseError {
        match self {
            Self::Text(lines, _) => lines.fault(reason),
            Self::Binary(bytes) => bytes.fault(reason),
        }
    }
}

fn next_word<'a>(lines: &Lines, line: &mut &'a [u8]) -> Result<&'a [u8], ParseError> {
    let end = line
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    *line = rest.trim_ascii_start();

    if word.is_empty() {
        Err(lines.fault("the line has too few numbers"))
    } else {
        Ok(word)
    }
}

fn text_number(word: &[u8], kind: Kind) -> Result<Number, String> {
    let number = if kind.is_whole() {
        whole(word).map(Number::Whole)
    } else {
        real(word).map(Number::Real)
    };
    number.ok_or_else(|| {
        format!(
            "{} is not a {}",
            shown(word),
            if kind.is_whole() {
                "whole number"
            } else {
                "number"
            }
        )
    })
}

fn binary_number(bytes: &mut Bytes, kind: Kind) -> Result<Number, ParseError> {
    Ok(match kind {
        Kind::I8 => Number::Whole(bytes.i8()?.into()),
        Kind::U8 => Number::Whole(bytes.u8()?.into()),
        Kind::I16 => Number::Whole(bytes.i16()?.into()),
        Kind::U16 => Number::Whole(bytes.u16()?.into()),
        Kind::I32 => Number::Whole(bytes.i32()?.into()),
        Kind::U32 => Number::Whole(bytes.u32()?.into()),
        Kind::I64 => Number::Whole(bytes.i64()?),
        Kind::U64 => {
            let x = bytes.u64()?;
            Number::Whole(
                i64::try_from(x)
                    .map_err(|_| bytes.fault(format!("{x} does not fit in 63 bits")))?,
            )
        }
        Kind::F32 => Number::Real(bytes.f32()?.into()),
        Kind::F64 => Number::Real(bytes.f64()?),
    })
}
