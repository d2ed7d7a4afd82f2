//! Reads numbers from bytes without trusting the counts in the file.

use crate::ParseError;

/// Byte order of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endian {
    Little,
    Big,
}

/// Reads a byte slice from front to back.
#[derive(Clone, Debug)]
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
    pub(crate) endian: Endian,
}

macro_rules! number {
    ($name:ident, $t:ty) => {
        #[allow(dead_code)]
        pub(crate) fn $name(&mut self) -> Result<$t, ParseError> {
            let raw = self
                .take(size_of::<$t>())?
                .try_into()
                .expect("the requested length");
            Ok(match self.endian {
                Endian::Little => <$t>::from_le_bytes(raw),
                Endian::Big => <$t>::from_be_bytes(raw),
            })
        }
    };
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(all: &'a [u8], endian: Endian) -> Self {
        Self { all, at: 0, endian }
    }

    /// Returns the bytes not yet read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.all[self.at..]
    }

    pub(crate) fn skip(&mut self, count: usize) -> Result<(), ParseError> {
        self.take(count).map(|_| ())
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], ParseError> {
        let rest = self.rest();
        if count > rest.len() {
            return Err(self.fault(format!(
                "the file ends {} bytes too early",
                count - rest.len()
            )));
        }

        self.at += count;
        Ok(&rest[..count])
    }

    /// Returns the bytes of `count` items of `size` bytes, or fails before any allocation if the file is too short.
    pub(crate) fn items(&mut self, count: u64, size: usize) -> Result<&'a [u8], ParseError> {
        let length = usize::try_from(count)
            .ok()
            .and_then(|n| n.checked_mul(size));
        match length.filter(|&length| length <= self.rest().len()) {
            Some(length) => self.take(length),
            None => Err(self.fault(format!(
                "{count} items of {size} bytes are declared, but only {} bytes follow",
                self.rest().len()
            ))),
        }
    }

    pub(crate) fn fault(&self, reason: impl Into<String>) -> ParseError {
        ParseError::byte(self.at, reason)
    }

    number!(u8, u8);
    number!(i8, i8);
    number!(u16, u16);
    number!(i16, i16);
    number!(u32, u32);
    number!(i32, i32);
    number!(u64, u64);
    number!(i64, i64);
    number!(f32, f32);
    number!(f64, f64);
}
