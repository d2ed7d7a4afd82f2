//! Values that are either a plain number or a table.
//!
//! serde's untagged enums would work, but they lose the position of an error and report every error
//! with the same message.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::marker::PhantomData;

/// Reads a number, or the table that `Rich` describes.
pub(super) fn number_or<'de, D, T, Rich>(
    deserializer: D,
    expected: &'static str,
    number: fn(f64) -> T,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    Rich: Deserialize<'de> + Into<T>,
{
    deserializer.deserialize_any(NumberOr {
        expected,
        number,
        rich: PhantomData::<Rich>,
    })
}

struct NumberOr<T, Rich> {
    expected: &'static str,
    number: fn(f64) -> T,
    rich: PhantomData<Rich>,
}

impl<'de, T, Rich: Deserialize<'de> + Into<T>> Visitor<'de> for NumberOr<T, Rich> {
    type Value = T;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.expected)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        Ok((self.number)(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        Ok((self.number)(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        Ok((self.number)(value as f64))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
        Rich::deserialize(value.into_deserializer()).map(Into::into)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        Rich::deserialize(MapAccessDeserializer::new(map)).map(Into::into)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<T, A::Error> {
        Rich::deserialize(SeqAccessDeserializer::new(sequence)).map(Into::into)
    }
}
