//! A bounding-volume hierarchy: a binary tree of bounds over the bounds of arbitrary items.
//!
//! Nodes are stored in one array: the root, then depth first, with siblings side by side. A
//! traversal that tests both children thus touches one contiguous range of memory, and every
//! subtree is a contiguous range too. The nodes store boxes, built top-down ([`Bvh::new`]), or
//! balls, built bottom-up ([`BallTree::build`]).

use super::bvh_build;
use super::node::Node;
use super::volume::Volume;
use crate::bound::Ball;
use crate::space::Aabb;

/// A bounding-volume hierarchy over items identified by their index in the list it was built from.
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
#[doc(alias = "bounding volume hierarchy")]
#[doc(alias = "AABB tree")]
#[doc(alias = "DBVT")]
pub struct Bvh<const D: usize, B = Aabb<D>> {
    /// The root first; empty for no items.
    pub(crate) nodes: Vec<Node<B>>,
    /// The items in leaf order.
    pub(super) items: Vec<u32>,
    /// The leaf of each item.
    pub(super) leaves: Vec<u32>,
    /// The parent of each node; the root is its own parent.
    pub(super) parents: Vec<u32>,
    /// [`Bvh::cost`] at construction.
    pub(super) built_cost: f64,
}

/// A tree of balls; see [`Bvh::bottom_up`].
pub type BallTree<const D: usize> = Bvh<D, Ball<D>>;

impl<const D: usize> Bvh<D> {
    /// Builds a tree over the boxes, top-down. They must not be NaN; an empty box is never found.
    pub fn new(boxes: &[Aabb<D>]) -> Self {
        Self::top_down(boxes)
    }
}

impl<const D: usize, B: Volume<D>> Bvh<D, B> {
    /// Builds the tree by the binned surface-area heuristic (Wald 2007) on the boxes of the bounds:
    /// O(n log n), in parallel, with the same result for any number of threads. Leaves contain up
    /// to four items.
    pub fn top_down(bounds: &[B]) -> Self {
        assert!(
            bounds.len() < u32::MAX as usize / 2,
            "nodes are numbered with 32 bits"
        );
        let (topology, items) = bvh_build::build(bounds);
        let nodes = topology.iter().map(Node::without_bounds).collect();

        Self::of_parts(nodes, items, bounds)
    }

    /// A tree of the given topology around the bounds.
    pub(super) fn of_parts(nodes: Vec<Node<B>>, items: Vec<u32>, bounds: &[B]) -> Self {
        let (mut leaves, mut parents) = (vec![0; items.len()], vec![0; nodes.len()]);
        for (node, number) in nodes.iter().zip(0..) {
            let first = node.first as usize;
            if node.is_leaf() {
                items[first..first + node.count as usize]
                    .iter()
                    .for_each(|&item| leaves[item as usize] = number);
            } else {
                parents[first..first + 2].fill(number);
            }
        }

        let mut tree = Self {
            nodes,
            items,
            leaves,
            parents,
            built_cost: 0.0,
        };
        tree.refit(bounds);
        tree.built_cost = tree.cost();

        tree
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The bound of all items; empty if there are none.
    pub fn bounds(&self) -> B {
        self.nodes.first().map_or(B::EMPTY, |root| root.bounds)
    }

    /// The items in leaf order: neighbours in space are close to each other in the list.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Size of the arrays in bytes.
    pub fn memory(&self) -> usize {
        self.nodes.len() * (size_of::<Node<B>>() + size_of::<u32>())
            + self.items.len() * 2 * size_of::<u32>()
    }

    #[inline]
    pub(crate) fn items_of(&self, leaf: &Node<B>) -> &[u32] {
        &self.items[leaf.first as usize..(leaf.first + leaf.count) as usize]
    }

    /// The range of [`Bvh::items`] below a node.
    pub(crate) fn item_range(&self, number: u32) -> std::ops::Range<usize> {
        let end = |last: u32| {
            let mut node = &self.nodes[number as usize];
            while !node.is_leaf() {
                node = &self.nodes[(node.first + last) as usize];
            }
            node
        };
        let (first, last) = (end(0), end(1));

        first.first as usize..(last.first + last.count) as usize
    }

    /// Panics if the tree is inconsistent or does not match the bounds.
    pub fn assert_valid(&self, bounds: &[B]) {
        assert_eq!(self.items.len(), bounds.len(), "as many items as bounds");
        let Some(root) = self.nodes.first() else {
            return;
        };
        let (nodes, items) = self.assert_subtree(0, root, 1, 0, bounds);
        assert_eq!(
            (nodes, items),
            (self.nodes.len(), bounds.len()),
            "nothing lies outside of the tree"
        );
        let mut sorted = self.items.clone();
        sorted.sort_unstable();

        assert!(
            sorted.iter().zip(0..).all(|(&item, k)| item == k),
            "every item is in one leaf"
        );
    }

    /// Checks the subtree of a node whose nodes and items start at the given indices; returns where
    /// they end.
    fn assert_subtree(
        &self,
        number: u32,
        node: &Node<B>,
        mut next: usize,
        item: usize,
        bounds: &[B],
    ) -> (usize, usize) {
        assert_eq!(
            node.first as usize,
            if node.is_leaf() { item } else { next },
            "depth first"
        );
        assert_eq!(
            node.bounds,
            self.fitted(node, &|item| bounds[item as usize]),
            "the bound of node {number}"
        );

        if node.is_leaf() {
            let known = self
                .items_of(node)
                .iter()
                .all(|&item| self.leaves[item as usize] == number);
            assert!(known, "each item of node {number} refers to its leaf");
            return (next, item + node.count as usize);
        }

        next += 2;
        let mut end = item;
        for child in [node.first, node.first + 1] {
            assert_eq!(
                self.parents[child as usize], number,
                "node {child} refers to its parent"
            );
            (next, end) =
                self.assert_subtree(child, &self.nodes[child as usize], next, end, bounds);
        }

        (next, end)
    }
}
