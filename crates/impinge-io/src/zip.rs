//! Reads files of a ZIP archive through its central directory: stored or deflated, with 64-bit sizes, not encrypted.

use crate::ParseError;
use crate::budget::Budget;
use crate::bytes::{Bytes, Endian};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::io::Read;

/// Length in bytes of the end-of-central-directory record, without its comment.
const END: usize = 22;
/// Maximum length of that record's comment.
const LONGEST_COMMENT: usize = u16::MAX as usize;

/// An archive.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
}

/// A file in the archive.
#[derive(Debug)]
struct Entry {
    name: String,
    method: u16,
    encrypted: bool,
    crc: u32,
    packed: u64,
    size: u64,
    header: u64,
}

impl<'a> Archive<'a> {
    /// Reads the central directory.
    pub(crate) fn open(bytes: &'a [u8], budget: &mut Budget) -> Result<Self, ParseError> {
        let (count, start) = directory(bytes)?;
        let mut reader = at(bytes, start)?;
        let mut entries = Vec::new();

        for _ in 0..count {
            let entry = entry(&mut reader)?;
            budget.take(1, size_of::<Entry>() + entry.name.len())?;
            entries.push(entry);
        }

        Ok(Self { bytes, entries })
    }

    /// Returns the contents of a file, or `None` if there is no such file. Names are compared ignoring case and
    /// a leading slash.
    pub(crate) fn read(
        &self,
        name: &str,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u8>>, ParseError> {
        let name = name.trim_start_matches('/');
        let named = |entry: &&Entry| {
            entry
                .name
                .trim_start_matches('/')
                .eq_ignore_ascii_case(name)
        };
        let Some(entry) = self.entries.iter().find(named) else {
            return Ok(None);
        };
        let contents = self.unpack(entry, budget);

        contents.map(Some).map_err(|fault| ParseError {
            reason: format!("{name}: {}", fault.reason),
            ..fault
        })
    }

    fn unpack(&self, entry: &Entry, budget: &mut Budget) -> Result<Vec<u8>, ParseError> {
        if entry.encrypted {
            return Err(ParseError::whole("it is encrypted"));
        }

        // Charged before decompression: no more than this is ever allocated.
        budget.take(usize::try_from(entry.size).unwrap_or(usize::MAX), 1)?;
        let mut header = at(self.bytes, entry.header)?;
        expect(&mut header, b"PK\x03\x04")?;
        header.skip(22)?;
        let [name, extra] = [header.u16()?, header.u16()?].map(usize::from);
        header.skip(name + extra)?;
        let packed = header.take(usize::try_from(entry.packed).unwrap_or(usize::MAX))?;

        let mut contents = Vec::new();
        let unpacked = match entry.method {
            0 => packed.take(entry.size + 1).read_to_end(&mut contents),
            8 => DeflateDecoder::new(packed)
                .take(entry.size + 1)
                .read_to_end(&mut contents),
            other => {
                return Err(ParseError::whole(format!(
                    "compression method {other} is not supported"
                )));
            }
        };
        unpacked.map_err(|_| ParseError::whole("the compressed data are damaged"))?;
        let mut crc = Crc::new();
        crc.update(&contents);

        match contents.len() as u64 == entry.size && crc.sum() == entry.crc {
            true => Ok(contents),
            false => Err(ParseError::whole(
                "the contents do not match their checksum and size",
            )),
        }
    }
}

fn at(bytes: &[u8], place: u64) -> Result<Bytes<'_>, ParseError> {
    let mut reader = Bytes::new(bytes, Endian::Little);
    reader.skip(usize::try_from(place).unwrap_or(usize::MAX))?;
    Ok(reader)
}

fn expect(reader: &mut Bytes, mark: &[u8]) -> Result<(), ParseError> {
    match reader.take(mark.len())? == mark {
        true => Ok(()),
        false => Err(reader.fault("the ZIP archive is damaged here")),
    }
}

/// Returns the number of files and the offset of their list.
fn directory(bytes: &[u8]) -> Result<(u64, u64), ParseError> {
    let least = bytes.len().saturating_sub(END + LONGEST_COMMENT);
    let tail = &bytes[least..];
    let last = tail.windows(4).rposition(|window| window == b"PK\x05\x06");
    let end = least + last.ok_or_else(|| ParseError::whole("a ZIP archive without a directory"))?;

    let mut reader = at(bytes, end as u64)?;
    reader.skip(10)?;
    let count = reader.u16()?;
    reader.skip(4)?;
    let start = reader.u32()?;

    if count < u16::MAX && start < u32::MAX {
        return Ok((count.into(), start.into()));
    }

    // The 64-bit record, which a locator just before this one points to.
    let mut locator = at(bytes, end.saturating_sub(20) as u64)?;
    expect(&mut locator, b"PK\x06\x07")?;
    locator.skip(4)?;
    let mut reader = at(bytes, locator.u64()?)?;
    expect(&mut reader, b"PK\x06\x06")?;
    reader.skip(28)?;
    let count = reader.u64()?;
    reader.skip(8)?;

    Ok((count, reader.u64()?))
}

fn entry(reader: &mut Bytes) -> Result<Entry, ParseError> {
    expect(reader, b"PK\x01\x02")?;
    reader.skip(4)?;
    let (flags, method) = (reader.u16()?, reader.u16()?);
    reader.skip(4)?;
    let crc = reader.u32()?;
    let [packed, size] = [reader.u32()?, reader.u32()?];
    let lengths = [reader.u16()?, reader.u16()?, reader.u16()?].map(usize::from);
    reader.skip(8)?;
    let header = reader.u32()?;
    let name = String::from_utf8_lossy(reader.take(lengths[0])?).into_owned();
    let mut large = Bytes::new(wide_field(reader.take(lengths[1])?), Endian::Little);
    reader.skip(lengths[2])?;

    // Values that do not fit are in the extra field, in this order.
    let mut number = |short: u32| match short {
        u32::MAX => large.u64(),
        fits => Ok(fits.into()),
    };
    let (size, packed, header) = (number(size)?, number(packed)?, number(header)?);

    Ok(Entry {
        name,
        method,
        encrypted: flags & 1 != 0,
        crc,
        packed,
        size,
        header,
    })
}

/// Returns the field of 64-bit values among the extra fields, or an empty slice if there is none.
fn wide_field(mut extra: &[u8]) -> &[u8] {
    while let [a, b, c, d, rest @ ..] = extra {
        let (id, length) = (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]));
        let (field, after) = rest.split_at(rest.len().min(length.into()));
        if id == 1 {
            return field;
        }
        extra = after;
    }
    &[]
}
