//! A node of a [`Bvh`](super::Bvh).

use super::volume::Volume;

/// A bound around all items below the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node<B> {
    pub(crate) bounds: B,
    /// The first of two adjacent children; in a leaf, the first of its items.
    pub(crate) first: u32,
    /// Number of items of a leaf; zero for an inner node.
    pub(crate) count: u32,
}

impl<B> Node<B> {
    #[inline]
    pub(crate) fn is_leaf(&self) -> bool {
        self.count > 0
    }

    /// The same node in a tree with another type of bound, which remains to be fitted.
    pub(super) fn without_bounds<const D: usize, C: Volume<D>>(&self) -> Node<C> {
        Node {
            bounds: C::EMPTY,
            first: self.first,
            count: self.count,
        }
    }
}
