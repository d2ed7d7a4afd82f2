//! `DataArray`: numbers as text, base64 or appended raw bytes, uncompressed or in compressed blocks.
//!
//! The expected length of an array is always known before it is read (points, cells, or the last offset). The
//! declared length is compared with it before any memory is allocated.

use super::encoded::Encoded;
use super::tree::Element;
use crate::budget::Budget;
use crate::bytes::{Bytes, Endian};
use crate::scalar::{Number, Scalar, unsigned};
use crate::text::{shown, words};
use crate::{ParseError, Values};
use flate2::{Decompress, FlushDecompress, Status};

/// Encoding of all arrays, from the file's root element.
#[derive(Debug)]
pub(crate) struct Encoding<'a> {
    pub(crate) endian: Endian,
    /// Number type of the lengths before binary data.
    pub(crate) header: Scalar,
    pub(crate) compressed: bool,
    pub(crate) appended: Option<Appended<'a>>,
}

/// The contents of `AppendedData`, after the underscore.
#[derive(Debug)]
pub(crate) struct Appended<'a> {
    pub(crate) bytes: &'a [u8],
    /// Offset of the data in the file.
    pub(crate) start: usize,
    pub(crate) is_base64: bool,
}

/// Returns the number type of an array.
pub(crate) fn scalar_of(array: &Element) -> Result<Scalar, ParseError> {
    Ok(match array.attribute("type").unwrap_or_default() {
        "Int8" => Scalar::I8,
        "UInt8" => Scalar::U8,
        "Int16" => Scalar::I16,
        "UInt16" => Scalar::U16,
        "Int32" => Scalar::I32,
        "UInt32" => Scalar::U32,
        "Int64" => Scalar::I64,
        "UInt64" => Scalar::U64,
        "Float32" => Scalar::F32,
        "Float64" => Scalar::F64,
        other => {
            return Err(array.fault(format!(
                "arrays of type {} are not supported",
                shown(other.as_bytes())
            )));
        }
    })
}

impl Encoding<'_> {
    /// Reads the `count` numbers of an array.
    pub(crate) fn numbers<T: Number>(
        &self,
        array: &Element,
        count: usize,
        budget: &mut Budget,
    ) -> Result<Vec<T>, ParseError> {
        let scalar = scalar_of(array)?;
        match array.attribute("format").unwrap_or("ascii") {
            "ascii" => spelt(array, scalar, count),
            "binary" => self.inline(array, scalar, count, budget),
            "appended" => self.appended(array, scalar, count, budget),
            other => Err(array.fault(format!("the format {} is unknown", shown(other.as_bytes())))),
        }
    }

    /// Reads the numbers of an array for a field, and counts those that lose digits.
    pub(crate) fn values(
        &self,
        array: &Element,
        count: usize,
        budget: &mut Budget,
    ) -> Result<(Values, usize), ParseError> {
        Ok(match scalar_of(array)? {
            Scalar::F32 | Scalar::F64 => (Values::Real(self.numbers(array, count, budget)?), 0),
            Scalar::U64 => unsigned(self.numbers(array, count, budget)?),
            _ => (Values::Whole(self.numbers(array, count, budget)?), 0),
        })
    }

    fn inline<T: Number>(
        &self,
        array: &Element,
        scalar: Scalar,
        count: usize,
        budget: &mut Budget,
    ) -> Result<Vec<T>, ParseError> {
        let text = array.text()?.as_bytes();
        // Some writers wrap the lines.
        let unbroken: Vec<u8>;
        let text = match text.iter().any(u8::is_ascii_whitespace) {
            true => {
                unbroken = text
                    .iter()
                    .copied()
                    .filter(|b| !b.is_ascii_whitespace())
                    .collect();
                &unbroken
            }
            false => text,
        };
        let stream = Stream::Encoded(Encoded::new(text));

        self.decode(stream, scalar, count, budget)
            .map_err(|failed| failed.at(array))
    }

    fn appended<T: Number>(
        &self,
        array: &Element,
        scalar: Scalar,
        count: usize,
        budget: &mut Budget,
    ) -> Result<Vec<T>, ParseError> {
        let appended = self
            .appended
            .as_ref()
            .ok_or_else(|| array.fault("there is no appended data"))?;
        let offset = array.count("offset")?;
        let bytes = appended.bytes.get(offset..).ok_or_else(|| {
            array.fault(format!(
                "offset {offset} lies beyond {} bytes of data",
                appended.bytes.len()
            ))
        })?;

        let stream = match appended.is_base64 {
            true => Stream::Encoded(Encoded::new(bytes)),
            false => Stream::Raw(Bytes::new(bytes, self.endian)),
        };
        self.decode(stream, scalar, count, budget)
            .map_err(|failed| match failed {
                Failed::Here(reason) => {
                    let name = array.attribute("Name").unwrap_or("without a name");
                    ParseError::byte(
                        appended.start + offset,
                        format!("in the data of array {name}: {reason}"),
                    )
                }
                other => other.at(array),
            })
    }

    fn decode<T: Number>(
        &self,
        mut stream: Stream,
        scalar: Scalar,
        count: usize,
        budget: &mut Budget,
    ) -> Result<Vec<T>, Failed> {
        let mut sink = Sink {
            scalar,
            endian: self.endian,
            numbers: Vec::new(),
        };
        let bytes = count
            .checked_mul(scalar.size())
            .ok_or_else(|| Failed::Here(too_many(count)))?;

        let plan = match self.compressed {
            true => self.table(&mut stream, bytes, budget)?,
            false => self.plain(&mut stream, bytes)?,
        };
        budget.take(count, size_of::<T>())?;
        sink.numbers.reserve_exact(count);

        match plan {
            Plan::Plain => stream_plain(&mut stream, bytes, &mut sink)?,
            Plan::Blocks(blocks) => stream_blocks(&mut stream, &blocks, &mut sink, budget)?,
        }

        Ok(sink.numbers)
    }

    /// Reads the length before uncompressed data.
    fn plain(&self, stream: &mut Stream, bytes: usize) -> Result<Plan, Failed> {
        let length = self.length(stream)?;
        match length == bytes && length <= stream.left() {
            true => Ok(Plan::Plain),
            false if length != bytes => Err(wrong_size(length, bytes)),
            false => Err(Failed::Here(format!(
                "{length} bytes are declared, but at most {} follow",
                stream.left()
            ))),
        }
    }

    /// Reads the table before compressed data: number of blocks, size of all but the last, size of the last (0:
    /// same as the others), then the compressed size of each.
    fn table(
        &self,
        stream: &mut Stream,
        bytes: usize,
        budget: &mut Budget,
    ) -> Result<Plan, Failed> {
        let count = self.length(stream)?;
        let full = self.length(stream)?;
        let partial = self.length(stream)?;

        if count > stream.left() / self.header.size() {
            return Err(Failed::Here(format!(
                "{count} compressed blocks are declared, but the file ends first"
            )));
        }

        budget.take(count, size_of::<Block>())?;
        let mut blocks = Vec::with_capacity(count);
        for i in 0..count {
            let last = i + 1 == count && partial != 0;
            blocks.push(Block {
                packed: self.length(stream)?,
                size: if last { partial } else { full },
            });
        }

        let size = blocks
            .iter()
            .try_fold(0_usize, |sum, block| sum.checked_add(block.size));
        let packed = blocks
            .iter()
            .try_fold(0_usize, |sum, block| sum.checked_add(block.packed));

        match (size, packed) {
            (Some(size), _) if size != bytes => Err(wrong_size(size, bytes)),
            (Some(_), Some(packed)) if packed <= stream.left() => Ok(Plan::Blocks(blocks)),
            _ => Err(Failed::Here(
                "the compressed blocks are larger than what follows".into(),
            )),
        }
    }

    fn length(&self, stream: &mut Stream) -> Result<usize, Failed> {
        let mut raw = [0; 8];
        let raw = &mut raw[..self.header.size()];
        stream.fill(raw)?;
        let length =
            u64::of(self.header.get(raw, self.endian)).expect("lengths have an unsigned type");
        usize::try_from(length).map_err(|_| Failed::Here(too_many(length)))
    }
}

/// A compressed block: its size in the file and its uncompressed size.
struct Block {
    packed: usize,
    size: usize,
}

enum Plan {
    Plain,
    Blocks(Vec<Block>),
}

/// Reason why data could not be read.
enum Failed {
    /// An error at the location of the data.
    Here(String),
    /// An error with its own location.
    ParseError(ParseError),
}

impl From<ParseError> for Failed {
    fn from(fault: ParseError) -> Self {
        Self::ParseError(fault)
    }
}

impl Failed {
    fn at(self, array: &Element) -> ParseError {
        match self {
            Self::Here(reason) => array.fault(reason),
            Self::ParseError(fault) => array.fault(fault.reason),
        }
    }
}

fn too_many(count: impl std::fmt::Display) -> String {
    format!("{count} items do not fit in memory")
}

fn wrong_size(found: usize, right: usize) -> Failed {
    Failed::Here(format!("it contains {found} bytes, but {right} are needed"))
}

/// Bytes of the file, raw or in base64.
enum Stream<'a> {
    Raw(Bytes<'a>),
    Encoded(Encoded<'a>),
}

impl Stream<'_> {
    fn left(&self) -> usize {
        match self {
            Self::Raw(bytes) => bytes.rest().len(),
            Self::Encoded(encoded) => encoded.left(),
        }
    }

    fn fill(&mut self, out: &mut [u8]) -> Result<(), Failed> {
        match self {
            Self::Raw(bytes) => {
                let taken = bytes
                    .take(out.len())
                    .map_err(|fault| Failed::Here(fault.reason))?;
                out.copy_from_slice(taken);
                Ok(())
            }
            Self::Encoded(encoded) => encoded.fill(out).map_err(Failed::Here),
        }
    }
}

/// Converts bytes to numbers.
struct Sink<T> {
    scalar: Scalar,
    endian: Endian,
    numbers: Vec<T>,
}

impl<T: Number> Sink<T> {
    fn push(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        for raw in bytes.chunks_exact(self.scalar.size()) {
            let number = T::of(self.scalar.get(raw, self.endian));
            self.numbers.push(number.ok_or_else(|| {
                Failed::Here(format!(
                    "number {} is negative, too large or not whole",
                    self.numbers.len()
                ))
            })?);
        }
        Ok(())
    }
}

fn stream_plain<T: Number>(
    stream: &mut Stream,
    mut bytes: usize,
    sink: &mut Sink<T>,
) -> Result<(), Failed> {
    let mut buffer = [0; 24 << 10];
    while bytes > 0 {
        let part = &mut buffer[..bytes.min(24 << 10)];
        stream.fill(part)?;
        sink.push(part)?;
        bytes -= part.len();
    }

    Ok(())
}

fn stream_blocks<T: Number>(
    stream: &mut Stream,
    blocks: &[Block],
    sink: &mut Sink<T>,
    budget: &mut Budget,
) -> Result<(), Failed> {
    let largest = blocks
        .iter()
        .map(|block| block.size.max(block.packed))
        .max()
        .unwrap_or_default();
    budget.take(largest, 2)?;
    let (mut packed, mut inflated) = (Vec::new(), Vec::new());

    for (i, block) in blocks.iter().enumerate() {
        if block.size % sink.scalar.size() != 0 {
            return Err(Failed::Here(format!(
                "block {i} of {} bytes ends within a number",
                block.size
            )));
        }

        packed.resize(block.packed, 0);
        stream.fill(&mut packed)?;

        // One extra byte reveals a block that is larger than declared.
        inflated.resize(block.size + 1, 0);
        let mut zlib = Decompress::new(true);
        let status = zlib.decompress(&packed, &mut inflated, FlushDecompress::Finish);
        let ended =
            status.map_err(|error| Failed::Here(format!("block {i} is not zlib: {error}")))?;

        if ended != Status::StreamEnd || zlib.total_out() != block.size as u64 {
            return Err(Failed::Here(format!(
                "block {i} does not inflate to its {} bytes",
                block.size
            )));
        }

        sink.push(&inflated[..block.size])?;
    }

    budget.give_back(largest, 2);
    Ok(())
}

fn spelt<T: Number>(array: &Element, scalar: Scalar, count: usize) -> Result<Vec<T>, ParseError> {
    let text = array.text()?.as_bytes();
    let most = text.len() / 2 + 1;
    let short = |found| {
        array.fault(format!(
            "it contains {found} numbers, but {count} are needed"
        ))
    };

    if count > most {
        return Err(short(words(text).count()));
    }

    if scalar.is_real() && T::spelt(b"0.5").is_none() {
        return Err(array.fault("whole numbers are needed here"));
    }

    let mut numbers = Vec::with_capacity(count);
    for word in words(text) {
        if numbers.len() == count {
            return Err(short(words(text).count()));
        }
        let number = T::spelt(word)
            .ok_or_else(|| array.fault(format!("{} is not a number", shown(word))))?;
        numbers.push(number);
    }

    match numbers.len() == count {
        true => Ok(numbers),
        false => Err(short(numbers.len())),
    }
}
