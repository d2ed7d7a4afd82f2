//! A bounding-volume hierarchy: a binary tree of axis-aligned boxes over the boxes of any items.
//!
//! Built from the top down by the surface-area heuristic in bins (Wald 2007): O(n log n), in parallel, and the same
//! tree for any number of threads. Nodes lie in one array with brothers side by side, so that a traversal that tests
//! both children touches one stretch of memory.

use super::bvh_build;
use crate::space::Aabb;

/// A tree of boxes over items that are known by their number in the list it was built from.
///
/// ```
/// use impinge::{space::Aabb, tree::Bvh};
/// let boxes: Vec<Aabb<2>> = (0..10).map(f64::from).map(|x| Aabb::new([x, 0.0], [x + 0.5, 1.0])).collect();
/// let tree = Bvh::new(&boxes);
/// let mut found = Vec::new();
/// tree.find_overlapping(&Aabb::new([2.5, 0.5], [4.2, 0.6]), &mut found);
/// assert_eq!(found, [2, 3, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct Bvh<const D: usize> {
    /// The root first; empty for no items.
    pub(super) nodes: Vec<Node<D>>,
    /// The items in the order of the leaves.
    pub(super) items: Vec<u32>,
}

/// A box around all items below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) bounds: Aabb<D>,
    /// The first of two children, which stand side by side; in a leaf, the first of its items.
    pub(super) first: u32,
    /// How many items a leaf has; zero for an inner node.
    pub(super) count: u32,
}

impl<const D: usize> Node<D> {
    pub(super) fn is_leaf(&self) -> bool {
        self.count > 0
    }
}

impl<const D: usize> Bvh<D> {
    /// The tree over the boxes. They must not be NaN; a box that is empty is never found.
    pub fn new(boxes: &[Aabb<D>]) -> Self {
        assert!(boxes.len() < u32::MAX as usize / 2, "nodes are numbered with 32 bits");
        bvh_build::build(boxes)
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Bytes of the arrays.
    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node<D>>() + self.items.len() * size_of::<u32>()
    }

    /// Panics where the tree contradicts itself or the boxes that it stands for.
    pub fn assert_valid(&self, boxes: &[Aabb<D>]) {
        assert_eq!(self.items.len(), boxes.len(), "as many items as boxes");
        let mut seen = vec![false; boxes.len()];
        let mut reached = vec![0u32; self.nodes.len()];
        if let Some(root) = reached.first_mut() {
            *root = 1;
        }
        for (number, node) in self.nodes.iter().enumerate() {
            assert_eq!(reached[number], 1, "node {number} has exactly one parent, which stands before it");
            let tight = if node.is_leaf() {
                self.leaf_bounds(node, boxes, &mut seen)
            } else {
                let first = node.first as usize;
                reached[first] += 1;
                reached[first + 1] += 1;
                self.nodes[first].bounds.merged(&self.nodes[first + 1].bounds)
            };
            assert_eq!(node.bounds, tight, "the box of node {number} is that of what is below it");
        }
        assert!(seen.iter().all(|&s| s), "every item is in a leaf");
    }

    fn leaf_bounds(&self, leaf: &Node<D>, boxes: &[Aabb<D>], seen: &mut [bool]) -> Aabb<D> {
        let items = &self.items[leaf.first as usize..(leaf.first + leaf.count) as usize];
        items.iter().fold(Aabb::EMPTY, |bounds, &item| {
            assert!(!std::mem::replace(&mut seen[item as usize], true), "item {item} is in one leaf only");
            bounds.merged(&boxes[item as usize])
        })
    }
}
