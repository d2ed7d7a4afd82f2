//! NPY, numpy's format for one array: reals and integers of all sizes in either byte order, in one or two dimensions,
//! in row-major (C) or column-major (Fortran) order.

use crate::bytes::{Bytes, Endian};
use crate::text::{shown, whole};
use crate::{ParseError, Values};
use std::io::Write;

/// Magic bytes at the start of every file.
const MARK: &[u8] = b"\x93NUMPY";

/// Alignment of the data in bytes.
const ALIGNMENT: usize = 64;

/// A one- or two-dimensional array.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Length in each dimension.
    pub shape: Vec<usize>,
    /// The numbers, row by row.
    pub values: Values,
}

/// Values of an array to write.
#[derive(Clone, Copy, Debug)]
pub enum ArraySlice<'a> {
    /// Real numbers.
    Real(&'a [f64]),
    /// Integers.
    Whole(&'a [i64]),
    /// One-byte integers.
    Small(&'a [i8]),
    /// Indices.
    Index(&'a [u32]),
}

/// Parses the contents of a file.
pub fn parse(bytes: &[u8]) -> Result<Array, ParseError> {
    let mut reader = Bytes::new(bytes, Endian::Little);
    let header = header(&mut reader)?;
    let fault = |reason: String| ParseError::byte(MARK.len(), reason);
    let (endian, kind, size) =
        number_type(value(header, "descr").map_err(fault)?).map_err(fault)?;
    let by_columns = value(header, "fortran_order")
        .map_err(fault)?
        .starts_with(b"True");
    let shape = shape(value(header, "shape").map_err(fault)?).map_err(fault)?;
    let count = shape
        .iter()
        .try_fold(1_u64, |count, &length| count.checked_mul(length));
    let raw = reader.items(count.unwrap_or(u64::MAX), size)?;

    if !reader.rest().is_empty() {
        return Err(reader.fault(format!("{} bytes follow the array", reader.rest().len())));
    }

    let mut numbers = Bytes::new(raw, endian);
    let shape: Vec<usize> = shape.into_iter().map(|length| length as usize).collect();
    let values = match kind {
        b'f' => Values::Real(read(raw.len() / size, || real(&mut numbers, size))?),
        _ => Values::Whole(read(raw.len() / size, || {
            whole_number(&mut numbers, kind, size)
        })?),
    };

    Ok(if by_columns {
        by_rows(shape, values)
    } else {
        Array { shape, values }
    })
}

/// Returns the dictionary with the array's type and shape.
fn header<'a>(reader: &mut Bytes<'a>) -> Result<&'a [u8], ParseError> {
    if !reader.rest().starts_with(MARK) {
        return Err(ParseError::byte(0, "an NPY file begins with \\x93NUMPY"));
    }

    reader.skip(MARK.len())?;
    let version = reader.u8()?;
    reader.skip(1)?;
    let length = match version {
        1 => reader.u16()?.into(),
        2 | 3 => reader.u32()?,
        _ => return Err(reader.fault(format!("version {version} of NPY is not supported"))),
    };

    reader.items(length.into(), 1)
}

/// Returns the text after a key of the dictionary.
fn value<'a>(header: &'a [u8], key: &str) -> Result<&'a [u8], String> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let after = quoted.iter().find_map(|quoted| {
        let start = header
            .windows(quoted.len())
            .position(|window| window == quoted.as_bytes())?;
        header[start + quoted.len()..]
            .trim_ascii_start()
            .strip_prefix(b":")
    });

    after
        .map(<[u8]>::trim_ascii_start)
        .ok_or_else(|| format!("the header has no '{key}'"))
}

/// Parses the byte order, kind (f, i, u, b) and size in bytes of the numbers.
fn number_type(text: &[u8]) -> Result<(Endian, u8, usize), String> {
    let text = text.strip_prefix(b"'").or_else(|| text.strip_prefix(b"\""));
    let text = text
        .and_then(|text| text.split(|b| b"'\"".contains(b)).next())
        .unwrap_or_default();
    let endian = match text.first() {
        Some(b'<' | b'|') => Endian::Little,
        Some(b'>') => Endian::Big,
        _ => return Err("arrays of records are not supported".to_owned()),
    };

    match text[1..] {
        [b'f', b'4' | b'8'] | [b'i' | b'u', b'1' | b'2' | b'4' | b'8'] | [b'b', b'1'] => {
            Ok((endian, text[1], usize::from(text[2] - b'0')))
        }
        _ => Err(format!("arrays of type {} are not supported", shown(text))),
    }
}

fn shape(text: &[u8]) -> Result<Vec<u64>, String> {
    let inner = text
        .strip_prefix(b"(")
        .and_then(|text| text.split(|&b| b == b')').next());
    let inner = inner.ok_or("the shape is not a tuple")?;
    let lengths = inner
        .split(|&b| b == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|word| !word.is_empty());
    let length =
        |word: &[u8]| whole(word).ok_or_else(|| format!("{} is not a length", shown(word)));
    let lengths: Vec<u64> = lengths.map(length).collect::<Result<_, _>>()?;

    match lengths.len() {
        1 | 2 => Ok(lengths),
        other => Err(format!("the array has {other} dimensions; 1 or 2 are read")),
    }
}

fn read<T>(
    count: usize,
    mut next: impl FnMut() -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        values.push(next()?);
    }
    Ok(values)
}

fn real(bytes: &mut Bytes, size: usize) -> Result<f64, ParseError> {
    if size == 4 {
        bytes.f32().map(f64::from)
    } else {
        bytes.f64()
    }
}

fn whole_number(bytes: &mut Bytes, kind: u8, size: usize) -> Result<i64, ParseError> {
    Ok(match (kind, size) {
        (b'i', 1) => bytes.i8()?.into(),
        (b'i', 2) => bytes.i16()?.into(),
        (b'i', 4) => bytes.i32()?.into(),
        (b'i', _) => bytes.i64()?,
        (_, 1) => bytes.u8()?.into(),
        (_, 2) => bytes.u16()?.into(),
        (_, 4) => bytes.u32()?.into(),
        _ => {
            let x = bytes.u64()?;
            i64::try_from(x)
                .map_err(|_| ParseError::whole(format!("{x} does not fit in 63 bits")))?
        }
    })
}

/// Transposes an array stored by columns to rows.
fn by_rows(shape: Vec<usize>, values: Values) -> Array {
    fn turned<T: Copy>(values: &[T], shape: &[usize]) -> Vec<T> {
        let &[rows, columns] = shape else {
            return values.to_vec();
        };
        let mut turned = Vec::with_capacity(values.len());

        for row in 0..if columns == 0 { 0 } else { rows } {
            turned.extend((0..columns).map(|column| values[column * rows + row]));
        }

        turned
    }

    let values = match values {
        Values::Real(values) => Values::Real(turned(&values, &shape)),
        Values::Whole(values) => Values::Whole(turned(&values, &shape)),
    };
    Array { shape, values }
}

/// Writes an array.
pub fn write(array: &Array, out: &mut dyn Write) -> std::io::Result<()> {
    match &array.values {
        Values::Real(values) => write_parts(&array.shape, ArraySlice::Real(values), out),
        Values::Whole(values) => write_parts(&array.shape, ArraySlice::Whole(values), out),
    }
}

/// Writes a header of the given shape and some values, row by row in little-endian order.
pub fn write_parts(
    shape: &[usize],
    values: ArraySlice,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let kind = match values {
        ArraySlice::Real(_) => "<f8",
        ArraySlice::Whole(_) => "<i8",
        ArraySlice::Small(_) => "|i1",
        ArraySlice::Index(_) => "<u4",
    };
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");

    // Magic bytes, version and length take ten bytes; a newline ends the header.
    let unpadded = 10 + header.len() + 1;
    header += &" ".repeat(unpadded.next_multiple_of(ALIGNMENT) - unpadded);
    header.push('\n');
    out.write_all(MARK)?;
    out.write_all(&[1, 0])?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;

    match values {
        ArraySlice::Real(values) => values
            .iter()
            .try_for_each(|x| out.write_all(&x.to_le_bytes())),
        ArraySlice::Whole(values) => values
            .iter()
            .try_for_each(|x| out.write_all(&x.to_le_bytes())),
        ArraySlice::Small(values) => values
            .iter()
            .try_for_each(|x| out.write_all(&x.to_le_bytes())),
        ArraySlice::Index(values) => values
            .iter()
            .try_for_each(|x| out.write_all(&x.to_le_bytes())),
    }
}

#[cfg(test)]
mod tests;
