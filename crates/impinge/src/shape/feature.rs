//! The features of a surface, as used by contacts and point location.

/// A vertex, an edge or a face of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// A vertex, by index.
    Vertex(u32),
    /// An edge, by its two vertices in ascending order.
    Edge([u32; 2]),
    /// A face, by index.
    Face(u32),
}
