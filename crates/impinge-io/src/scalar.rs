//! Number types of VTK files, and the types that values are stored as.

use crate::Values;
use crate::bytes::Endian;
use crate::text::{real, whole};

/// A number type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

/// A value of any number type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wide {
    Signed(i64),
    Unsigned(u64),
    Real(f64),
}

impl Scalar {
    pub(crate) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub(crate) fn is_real(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Decodes the number in `raw`, whose length is the type's size.
    #[inline]
    pub(crate) fn get(self, raw: &[u8], endian: Endian) -> Wide {
        let mut low_first = [0; 8];
        let size = self.size();
        low_first[..size].copy_from_slice(&raw[..size]);

        if endian == Endian::Big {
            low_first[..size].reverse();
        }

        let bits = u64::from_le_bytes(low_first);
        match self {
            Self::I8 => Wide::Signed((bits as i8).into()),
            Self::I16 => Wide::Signed((bits as i16).into()),
            Self::I32 => Wide::Signed((bits as i32).into()),
            Self::I64 => Wide::Signed(bits as i64),
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => Wide::Unsigned(bits),
            Self::F32 => Wide::Real(f32::from_bits(bits as u32).into()),
            Self::F64 => Wide::Real(f64::from_bits(bits)),
        }
    }
}

/// A type that a reader stores values as.
pub(crate) trait Number: Copy {
    /// Converts the value if the type represents it exactly; integers may be rounded to reals.
    fn of(wide: Wide) -> Option<Self>;
    /// Parses a word of a text file.
    fn spelt(word: &[u8]) -> Option<Self>;
}

impl Number for f64 {
    #[inline]
    fn of(wide: Wide) -> Option<Self> {
        Some(match wide {
            Wide::Signed(number) => number as f64,
            Wide::Unsigned(number) => number as f64,
            Wide::Real(number) => number,
        })
    }

    fn spelt(word: &[u8]) -> Option<Self> {
        real(word)
    }
}

macro_rules! whole_number {
    ($($t:ty),*) => {$(
        impl Number for $t {
            #[inline]
            fn of(wide: Wide) -> Option<Self> {
                match wide {
                    Wide::Signed(number) => number.try_into().ok(),
                    Wide::Unsigned(number) => number.try_into().ok(),
                    Wide::Real(_) => None,
                }
            }

            fn spelt(word: &[u8]) -> Option<Self> {
                whole(word)
            }
        }
    )*};
}

whole_number!(u8, u32, u64, i64);

/// Note on integers that became reals.
pub(crate) const BEYOND_53_BITS: &str = "last digits of whole numbers beyond 2⁵³";

/// Converts unsigned numbers to integers if all fit in 63 bits, else to reals; also counts those that lose digits.
pub(crate) fn unsigned(numbers: Vec<u64>) -> (Values, usize) {
    let whole: Option<Vec<i64>> = numbers.iter().map(|&x| i64::try_from(x).ok()).collect();
    if let Some(whole) = whole {
        return (Values::Whole(whole), 0);
    }

    let is_rounded = |&&x: &&u64| (x as f64) as u128 != u128::from(x);
    let rounded = numbers.iter().filter(is_rounded).count();
    let reals = numbers.into_iter().map(|x| x as f64).collect();
    (Values::Real(reals), rounded)
}

#[cfg(test)]
mod tests;
