//! Tandem traversal of two trees, and of a tree with itself: pairs of items whose leaves may touch.
//!
//! A pair of overlapping nodes is replaced by the pairs of the larger node's children with the
//! other node [Aragon2013, algorithm 1], down to pairs of leaves. The stack is a fixed array, as
//! the heights are bounded.

use super::bvh::Bvh;
use super::bvh_build::HEIGHT;
use super::node::Node;
use super::volume::Volume;

/// Maximum number of pairs on the stack: a level of a node with itself leaves two, each level of a
/// pair one.
const STACK: usize = 4 * HEIGHT;

/// Pairs of nodes still to be visited.
struct Stack {
    pairs: [[u32; 2]; STACK],
    height: usize,
}

impl Stack {
    fn new() -> Self {
        Self {
            pairs: [[0; 2]; STACK],
            height: 0,
        }
    }

    #[inline]
    fn push(&mut self, a: u32, b: u32) {
        self.pairs[self.height] = [a, b];
        self.height += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<[u32; 2]> {
        self.height = self.height.checked_sub(1)?;
        Some(self.pairs[self.height])
    }
}

impl<const D: usize, B: Volume<D>> Bvh<D, B> {
    /// Writes the sorted candidate pairs of an item of this tree and one of the other whose leaves
    /// overlap.
    ///
    /// ```
    /// use impinge::{space::Aabb, tree::Bvh};
    /// let row = |y: f64| (0..9).map(f64::from).map(move |x| Aabb::new([3.0 * x, y], [3.0 * x + 1.0, y + 1.0]));
    /// let (below, above) = (row(0.0).collect::<Vec<_>>(), row(0.9).collect::<Vec<_>>());
    /// let mut pairs = Vec::new();
    /// Bvh::new(&below).find_pairs(&Bvh::new(&above), &mut pairs);
    /// pairs.retain(|&[a, b]| below[a as usize].overlaps(&above[b as usize]));
    /// assert_eq!(pairs, std::array::from_fn::<_, 9, _>(|i| [i as u32; 2]));
    /// ```
    pub fn find_pairs(&self, other: &Self, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        self.visit_pairs(other, |a, b| a.overlaps(b), |a, b| pairs.push([a, b]));
        pairs.sort_unstable();
    }

    /// Writes the sorted candidate pairs of two items of this tree whose leaves overlap, the lower
    /// index first.
    pub fn find_self_pairs(&self, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        self.visit_self_pairs(
            |a, b| a.overlaps(b),
            |a, b| pairs.push([a.min(b), a.max(b)]),
        );
        pairs.sort_unstable();
    }

    /// Visits the pairs of items of two trees, descending only through pairs of bounds that satisfy
    /// `touches`. The trees may have different poses and different types of bounds, which `touches`
    /// has to take into account.
    pub fn visit_pairs<C: Volume<D>>(
        &self,
        other: &Bvh<D, C>,
        touches: impl Fn(&B, &C) -> bool,
        visit: impl FnMut(u32, u32),
    ) {
        if !self.is_empty() && !other.is_empty() {
            let mut stack = Stack::new();
            stack.push(0, 0);
            self.drain(other, &mut stack, touches, visit);
        }
    }

    /// Visits the pairs of different items of this tree, each once, with the two in either order.
    pub fn visit_self_pairs(
        &self,
        touches: impl Fn(&B, &B) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) {
        if self.is_empty() {
            return;
        }

        let (mut same, mut different) = (Stack::new(), Stack::new());
        same.push(0, 0);
        while let Some([number, _]) = same.pop() {
            let node = &self.nodes[number as usize];
            if node.is_leaf() {
                let items = self.items_of(node);
                for (k, &a) in items.iter().enumerate() {
                    items[k + 1..].iter().for_each(|&b| visit(a, b));
                }
                continue;
            }

            same.push(node.first, 0);
            same.push(node.first + 1, 0);
            different.push(node.first, node.first + 1);
            self.drain(self, &mut different, &touches, &mut visit);
        }
    }

    #[inline]
    fn drain<C: Volume<D>>(
        &self,
        other: &Bvh<D, C>,
        stack: &mut Stack,
        touches: impl Fn(&B, &C) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) {
        while let Some([number_a, number_b]) = stack.pop() {
            let (a, b) = (
                &self.nodes[number_a as usize],
                &other.nodes[number_b as usize],
            );

            if !touches(&a.bounds, &b.bounds) {
                continue;
            }

            if a.is_leaf() && b.is_leaf() {
                let of_b = other.items_of(b);
                self.items_of(a)
                    .iter()
                    .for_each(|&i| of_b.iter().for_each(|&j| visit(i, j)));
            } else if opens_first(a, b) {
                stack.push(a.first + 1, number_b);
                stack.push(a.first, number_b);
            } else {
                stack.push(number_a, b.first + 1);
                stack.push(number_a, b.first);
            }
        }
    }
}

/// Returns whether to open the first of two nodes, which are not both leaves.
#[inline]
pub(crate) fn opens_first<const D: usize, B: Volume<D>, C: Volume<D>>(
    a: &Node<B>,
    b: &Node<C>,
) -> bool {
    !a.is_leaf() && (b.is_leaf() || a.bounds.size() >= b.bounds.size())
}

#[cfg(test)]
mod tests;
