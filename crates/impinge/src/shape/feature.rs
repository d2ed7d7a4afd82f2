//! The parts that a surface is made of, as contacts and point locations name them.

/// A vertex, an edge or a face of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex, by its number.
    Vertex(u32),
    /// An edge, by its two vertices in ascending order.
    Edge([u32; 2]),
    /// A face, by its number.
    Face(u32),
}
