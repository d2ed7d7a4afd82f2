//! Top-down construction of a [`Bvh`](super::Bvh): splits where the surface-area heuristic predicts
//! the cheapest queries.
//!
//! A query that reaches a node descends into a child with a probability of about the child's
//! surface over the node's. A split therefore costs (items left · surface left + items right ·
//! surface right). The cost is evaluated between bins along the axis of the largest spread of the
//! item centres.

use super::node::Node;
use super::volume::Volume;
use crate::space::{Aabb, Point};

/// Number of bins along the axis; beyond 16 the trees get no better.
const BINS: usize = 16;

/// Maximum number of items per leaf. Overlap tests are cheap compared with a cache miss, so leaves
/// contain a few.
const LEAF: usize = 4;

/// Smaller subtrees are built by one thread.
const PARALLEL: usize = 4096;

/// From this depth on, items are halved by count. This bounds the height of the tree (to this plus
/// 32). Otherwise, centres that accumulate geometrically towards a point could make it as high as
/// their number.
pub(super) const HALVING_DEPTH: usize = 64;

/// Upper bound of the tree's height.
pub(super) const HEIGHT: usize = HALVING_DEPTH + 33;

/// An item to be assigned to a leaf.
#[derive(Clone, Copy)]
struct Entry<const D: usize> {
    bounds: Aabb<D>,
    item: u32,
}

impl<const D: usize> Entry<D> {
    fn centre(&self, axis: usize) -> f64 {
        0.5 * self.bounds.min[axis] + 0.5 * self.bounds.max[axis]
    }
}

/// Returns the nodes over the boxes of the bounds, and the items in leaf order.
pub(super) fn build<const D: usize, B: Volume<D>>(bounds: &[B]) -> (Vec<Node<Aabb<D>>>, Vec<u32>) {
    let mut entries: Vec<Entry<D>> = bounds
        .iter()
        .zip(0..)
        .map(|(bound, item)| Entry {
            bounds: bound.aabb(),
            item,
        })
        .collect();

    let nodes = if entries.is_empty() {
        Vec::new()
    } else {
        subtree(&mut entries, 0, 0)
    };

    (nodes, entries.iter().map(|entry| entry.item).collect())
}

/// Appends a branch at the depth at which halving starts: its root goes to `place`, its other nodes
/// and its items to the end of the lists.
pub(super) fn halved<const D: usize, B: Volume<D>>(
    bounds: &[(u32, B)],
    place: usize,
    nodes: &mut Vec<Node<B>>,
    items: &mut Vec<u32>,
) {
    let mut entries: Vec<Entry<D>> = bounds
        .iter()
        .map(|&(item, ref bound)| Entry {
            bounds: bound.aabb(),
            item,
        })
        .collect();
    let branch = subtree(&mut entries, items.len(), HALVING_DEPTH);

    graft(
        nodes,
        place,
        &branch.iter().map(Node::without_bounds).collect::<Vec<_>>(),
    );

    items.extend(entries.iter().map(|entry| entry.item));
}

/// A node around the entries, not yet split.
fn open<const D: usize>(entries: &[Entry<D>]) -> Node<Aabb<D>> {
    let bounds = entries
        .iter()
        .fold(Aabb::EMPTY, |bounds, entry| bounds.merged(&entry.bounds));
    Node {
        bounds,
        first: 0,
        count: 0,
    }
}

/// Makes the node at `place` a leaf or gives it children, depth first. `start` is the index of the
/// first entry in the whole list.
fn split<const D: usize>(
    entries: &mut [Entry<D>],
    start: usize,
    depth: usize,
    place: usize,
    nodes: &mut Vec<Node<Aabb<D>>>,
) {
    if entries.len() <= LEAF {
        nodes[place].first = start as u32;
        nodes[place].count = entries.len() as u32;
        return;
    }

    let middle = partition(entries, depth);
    let (left, right) = entries.split_at_mut(middle);
    let first = nodes.len();
    nodes[place].first = first as u32;
    nodes.push(open(left));
    nodes.push(open(right));

    if left.len() + right.len() < PARALLEL {
        split(left, start, depth + 1, first, nodes);
        split(right, start + middle, depth + 1, first + 1, nodes);
    } else {
        let (of_left, of_right) = crate::parallel::join(
            || subtree(left, start, depth + 1),
            || subtree(right, start + middle, depth + 1),
        );
        graft(nodes, first, &of_left);
        graft(nodes, first + 1, &of_right);
    }
}

/// Builds a subtree in an array of its own, so that two can be built in parallel.
fn subtree<const D: usize>(
    entries: &mut [Entry<D>],
    start: usize,
    depth: usize,
) -> Vec<Node<Aabb<D>>> {
    let mut nodes = Vec::with_capacity(entries.len());
    nodes.push(open(entries));
    split(entries, start, depth, 0, &mut nodes);
    nodes
}

/// Puts the root of a subtree at `place` and appends its other nodes.
fn graft<B: Copy>(nodes: &mut Vec<Node<B>>, place: usize, subtree: &[Node<B>]) {
    // Node k > 0 of the subtree goes to nodes.len() + k − 1.
    let shift = nodes.len() as u32 - 1;
    let start = nodes.len();
    nodes[place] = subtree[0];
    nodes.extend_from_slice(&subtree[1..]);

    for k in std::iter::once(place).chain(start..nodes.len()) {
        nodes[k].first += if nodes[k].is_leaf() { 0 } else { shift };
    }
}

/// Moves the entries of the left child to the front and returns their number: at least one, and not
/// all.
fn partition<const D: usize>(entries: &mut [Entry<D>], depth: usize) -> usize {
    let centres = centre_bounds(entries);
    let axis = (0..D).fold(0, |best, axis| {
        if centres.extent()[axis] > centres.extent()[best] {
            axis
        } else {
            best
        }
    });
    let (low, width) = (centres.min[axis], centres.extent()[axis]);

    // All centres coincide or the extent is infinite: there is no place to split, so halve the list
    // as it is.
    if !(width > 0.0 && width.is_finite()) {
        return entries.len() / 2;
    }

    if depth >= HALVING_DEPTH {
        let half = entries.len() / 2;
        let key = |entry: &Entry<D>| entry.centre(axis);
        entries.select_nth_unstable_by(half, |a, b| {
            key(a).total_cmp(&key(b)).then(a.item.cmp(&b.item))
        });
        return half;
    }

    let bin = |entry: &Entry<D>| {
        (((entry.centre(axis) - low) / width * BINS as f64) as usize).min(BINS - 1)
    };
    let last_left = cheapest_split(entries, bin);
    stable_partition(entries, |entry| bin(entry) <= last_left)
}

fn centre_bounds<const D: usize>(entries: &[Entry<D>]) -> Aabb<D> {
    entries.iter().fold(Aabb::EMPTY, |bounds, entry| {
        bounds.with(&Point::from(std::array::from_fn::<f64, D, _>(|axis| {
            entry.centre(axis)
        })))
    })
}

/// Returns the last bin to the left of the cheapest split. The first and the last bin are not
/// empty, so neither side is.
fn cheapest_split<const D: usize>(entries: &[Entry<D>], bin: impl Fn(&Entry<D>) -> usize) -> usize {
    let mut bins = [(Aabb::EMPTY, 0usize); BINS];
    for entry in entries {
        let (bounds, count) = &mut bins[bin(entry)];
        *bounds = bounds.merged(&entry.bounds);
        *count += 1;
    }

    let mut right_cost = [0.0; BINS];
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    for k in (1..BINS).rev() {
        (bounds, count) = (bounds.merged(&bins[k].0), count + bins[k].1);
        right_cost[k] = bounds.surface() * count as f64;
    }

    let mut best = (f64::INFINITY, BINS / 2);
    (bounds, count) = (Aabb::EMPTY, 0);
    for k in 0..BINS - 1 {
        (bounds, count) = (bounds.merged(&bins[k].0), count + bins[k].1);
        let cost = bounds.surface() * count as f64 + right_cost[k + 1];
        if cost < best.0 {
            best = (cost, k);
        }
    }

    best.1
}

/// Moves the entries that satisfy `is_left` to the front, by a deterministic sequence of swaps.
fn stable_partition<const D: usize>(
    entries: &mut [Entry<D>],
    is_left: impl Fn(&Entry<D>) -> bool,
) -> usize {
    let (mut left, mut right) = (0, entries.len());
    loop {
        while left < right && is_left(&entries[left]) {
            left += 1;
        }
        while left < right && !is_left(&entries[right - 1]) {
            right -= 1;
        }
        if left >= right {
            return left;
        }
        entries.swap(left, right - 1);
    }
}
