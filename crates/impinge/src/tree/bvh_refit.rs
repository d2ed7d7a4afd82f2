//! Refitting the bounds to moving items: the topology of the tree is kept, its bounds are
//! recomputed.
//!
//! Each node is fitted from its children in post-order [Aragon2013, section 3.4]: O(n), without
//! allocation, with the two sides of a large node in parallel. If only a few items moved, only
//! their branches are refitted: upwards from each leaf until nothing changes. A tree whose items
//! drift apart remains correct but becomes slow, as its nodes overlap more and more.
//! [`Bvh::update`] monitors the cost and rebuilds the tree when it has risen too far.

use super::bvh::Bvh;
use super::node::Node;
use super::volume::Volume;

/// Subtrees with fewer nodes are fitted by one thread: fitting a node takes a few nanoseconds,
/// handing over a task hundreds.
const PARALLEL: usize = 8192;

/// The whole tree is refitted if more than one in `MANY` items moved. Refitting branches repeats
/// the upper nodes for every item: a branch has about 20 nodes.
const MANY: usize = 16;

/// Rise of the cost at which [`Bvh::update`] rebuilds the tree. A rebuild costs 20 to 40 refits, so
/// it pays off if the tree degrades by half within that many steps. Below this threshold queries
/// lose less time than the rebuild takes.
pub const REBUILD_COST_RATIO: f64 = 1.5;

/// Result of [`Bvh::update`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Update {
    /// The bounds were refitted.
    Refitted,
    /// The tree was rebuilt.
    Rebuilt,
}

impl<const D: usize, B: Volume<D>> Bvh<D, B> {
    /// Refits all nodes to the items' new bounds. Panics if their number differs from that of the
    /// items.
    pub fn refit(&mut self, bounds: &[B]) {
        assert_eq!(bounds.len(), self.len(), "as many bounds as items");
        self.refit_with(|item| bounds[item as usize]);
    }

    /// Like [`Bvh::refit`], with the bounds computed on demand.
    pub fn refit_with(&mut self, bound_of: impl Fn(u32) -> B + Sync) {
        if let Some((root, below)) = self.nodes.split_first_mut() {
            refit_subtree(root, below, 1, &self.items, &bound_of);
        }
    }

    /// Refits the branches of the items that moved; the other items must not have moved.
    pub fn refit_items(&mut self, moved: &[u32], bound_of: impl Fn(u32) -> B + Sync) {
        if moved.len() > self.len() / MANY {
            return self.refit_with(bound_of);
        }
        for &item in moved {
            let mut number = self.leaves[item as usize];
            loop {
                let bounds = self.fitted(&self.nodes[number as usize], &bound_of);
                let known = std::mem::replace(&mut self.nodes[number as usize].bounds, bounds);
                if number == 0 || known == bounds {
                    break;
                }
                number = self.parents[number as usize];
            }
        }
    }

    /// Refits the nodes, or rebuilds the tree top-down if the cost has risen by the factor
    /// [`REBUILD_COST_RATIO`].
    pub fn update(&mut self, bounds: &[B]) -> Update {
        if bounds.len() == self.len() {
            self.refit(bounds);
            if self.cost_ratio() < REBUILD_COST_RATIO {
                return Update::Refitted;
            }
        }

        *self = Self::top_down(bounds);
        Update::Rebuilt
    }

    /// Expected number of nodes and items visited by a query that touches the root. Each node is
    /// weighted by its surface over that of the root; each item by the surface of its leaf.
    pub fn cost(&self) -> f64 {
        let Some(root) = self.nodes.first() else {
            return 0.0;
        };
        let weigh = |node: &Node<B>| node.bounds.surface() * f64::from(1 + node.count);
        let sum: f64 = self.nodes.iter().map(weigh).sum();

        // All items are in one place: every query that touches one touches all.
        if sum > 0.0 {
            sum / root.bounds.surface()
        } else {
            (self.nodes.len() + self.items.len()) as f64
        }
    }

    /// [`Bvh::cost`] relative to its value at construction.
    pub fn cost_ratio(&self) -> f64 {
        if self.built_cost > 0.0 {
            self.cost() / self.built_cost
        } else {
            1.0
        }
    }

    /// The bound of a node computed from its children or items.
    pub(super) fn fitted(&self, node: &Node<B>, bound_of: &impl Fn(u32) -> B) -> B {
        if node.is_leaf() {
            return around(self.items_of(node), bound_of);
        }

        let first = node.first as usize;
        self.nodes[first]
            .bounds
            .merged(&self.nodes[first + 1].bounds)
    }
}

fn around<const D: usize, B: Volume<D>>(items: &[u32], bound_of: &impl Fn(u32) -> B) -> B {
    items
        .iter()
        .fold(B::EMPTY, |bounds, &item| bounds.merged(&bound_of(item)))
}

/// Fits a node after its descendants `below`, which start with its children; `base` is the index of
/// the first of them.
fn refit_subtree<const D: usize, B: Volume<D>>(
    node: &mut Node<B>,
    below: &mut [Node<B>],
    base: u32,
    items: &[u32],
    bound_of: &(impl Fn(u32) -> B + Sync),
) {
    if node.is_leaf() {
        let items = &items[node.first as usize..(node.first + node.count) as usize];
        node.bounds = around(items, bound_of);
        return;
    }

    let parallel = below.len() >= PARALLEL;
    let (pair, rest) = below.split_at_mut(2);
    let (left, right) = pair.split_at_mut(1);
    let (left, right) = (&mut left[0], &mut right[0]);

    // The subtree of the right child is the end of the range, and its first node is the child's
    // first child.
    let middle = if right.is_leaf() {
        rest.len()
    } else {
        (right.first - base) as usize - 2
    };
    let (of_left, of_right) = rest.split_at_mut(middle);
    let mut fit_left = || refit_subtree(left, of_left, base + 2, items, bound_of);
    let mut fit_right =
        || refit_subtree(right, of_right, base + 2 + middle as u32, items, bound_of);

    if parallel {
        crate::parallel::join(fit_left, fit_right);
    } else {
        fit_left();
        fit_right();
    }

    node.bounds = left.bounds.merged(&right.bounds);
}

#[cfg(test)]
mod tests;
