//! Serialisation of validated types (feature `serde`).

/// Serialises a type as a struct of its data, and reads it through its constructor, so that a
/// deserialised value is validated like any other.
macro_rules! as_data {
    ($type:ty $(where const $d:ident)?, |$this:ident| { $($field:ident: $kind:ty = $value:expr),+ $(,)? }, $build:expr) => {
        impl $(<const $d: usize>)? serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[derive(serde::Serialize)]
                struct Data $(<const $d: usize>)? {
                    $($field: $kind),+
                }

                let $this = self;
                Data { $($field: $value),+ }.serialize(serializer)
            }
        }

        impl<'de $(, const $d: usize)?> serde::Deserialize<'de> for $type {
            fn deserialize<R: serde::Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
                #[derive(serde::Deserialize)]
                struct Data $(<const $d: usize>)? {
                    $($field: $kind),+
                }

                let Data { $($field),+ } = Data::<$($d)?>::deserialize(reader)?;
                $build.map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use as_data;
