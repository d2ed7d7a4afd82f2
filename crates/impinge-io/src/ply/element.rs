//! What a header declares: elements, their properties and the types of numbers.

/// Number types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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

impl Kind {
    pub(super) fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"int64" | b"long" => Self::I64,
            b"uint64" | b"ulong" => Self::U64,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

/// A property: a number, or a list of numbers preceded by its length.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The type of the list's length.
    pub(super) list: Option<Kind>,
}

impl Property {
    /// Whether the property lists the corners of a face.
    pub(super) fn is_corners(&self) -> bool {
        self.list.is_some() && ["vertex_indices", "vertex_index"].contains(&self.name.as_str())
    }
}

/// An element: a named list of rows with the same properties.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}
