//! Leaves of eight items, and the levels of boxes above them.
//!
//! The items are in the order of a kd-tree that is split at multiples of powers of eight. Leaves,
//! nodes and nodes of nodes are therefore ranges of consecutive items and need no pointers.

use super::lanes::{Box32, LANES, Lanes};
use crate::space::{Aabb, Point};
use fearless_simd::Simd;

/// More than the number of levels of a tree over 2³² items.
const MOST_LEVELS: usize = 12;

/// State of a traversal of the leaves.
pub(super) struct Walk {
    level: usize,
    /// The node on each level, and its children still to be visited.
    nodes: [usize; MOST_LEVELS],
    masks: [u32; MOST_LEVELS],
}

/// Items with N vertices each.
#[derive(Clone, Debug)]
pub(super) struct Leaves<const N: usize> {
    /// Item indices in leaf order.
    items: Vec<u32>,
    /// Their vertices, in the same order.
    nodes: Vec<[u32; N]>,
    boxes: Vec<Lanes>,
    /// Boxes of the leaves, eight per node; then of those nodes; the last level has one.
    levels: Vec<Vec<Lanes>>,
    /// Sum of the leaf sizes at construction.
    first_size: f32,
}

impl<const N: usize> Leaves<N> {
    pub(super) fn new(elements: &[[u32; N]], centre: impl Fn(&[u32; N]) -> Point<3>) -> Self {
        let mut entries: Vec<(Point<3>, u32)> = elements
            .iter()
            .zip(0..)
            .map(|(e, i)| (centre(e), i))
            .collect();
        order(&mut entries);
        let items: Vec<u32> = entries.iter().map(|entry| entry.1).collect();
        let nodes = items.iter().map(|&item| elements[item as usize]).collect();
        let mut levels = Vec::new();
        let mut count = items.len().div_ceil(LANES);
        let boxes = vec![Lanes::EMPTY; count];

        while levels.is_empty() || count > 1 {
            count = count.div_ceil(LANES);
            levels.push(vec![Lanes::EMPTY; count]);
        }

        Self {
            items,
            nodes,
            boxes,
            levels,
            first_size: 0.0,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.boxes.len()
    }

    pub(super) fn levels(&self) -> u32 {
        self.levels.len() as u32 + 1
    }

    pub(super) fn leaf(&self, leaf: usize) -> &[u32] {
        &self.items[leaf * LANES..(leaf * LANES + LANES).min(self.items.len())]
    }

    pub(super) fn boxes(&self, leaf: usize) -> &Lanes {
        &self.boxes[leaf]
    }

    /// Combines a property of the items for each leaf, and of the children for each node above them: the result has
    /// the leaves first, and no value for the root.
    pub(super) fn combined<T: Clone>(
        &self,
        of: impl Fn(u32) -> T,
        both: impl Fn(&T, &T) -> T,
    ) -> Vec<Vec<T>> {
        let all = |group: &[T]| {
            let (first, rest) = group.split_first().expect("not empty");
            rest.iter()
                .fold(first.clone(), |sum, next| both(&sum, next))
        };
        let items: Vec<T> = self.items.iter().map(|&item| of(item)).collect();
        let mut result = vec![items.chunks(LANES).map(all).collect::<Vec<T>>()];
        for level in 1..self.levels.len() {
            let above = result[level - 1].chunks(LANES).map(all).collect();
            result.push(above);
        }
        result
    }

    /// The leaf of each item and its position in it.
    pub(super) fn places(&self) -> Vec<[u32; 2]> {
        let mut places = vec![[0; 2]; self.items.len()];
        for (place, &item) in (0u32..).zip(&self.items) {
            places[item as usize] = [place / LANES as u32, place % LANES as u32];
        }
        places
    }

    pub(super) fn refit(&mut self, nodes: &[[[f32; 3]; 2]]) {
        for (boxes, items) in self.boxes.iter_mut().zip(self.nodes.chunks(LANES)) {
            for (lane, item) in items.iter().enumerate() {
                let mut bounds = Box32::EMPTY;
                for &node in item {
                    let [low, up] = &nodes[node as usize];
                    for axis in 0..3 {
                        bounds.low[axis] = bounds.low[axis].min(low[axis]);
                        bounds.up[axis] = bounds.up[axis].max(up[axis]);
                    }
                }
                boxes.set(lane, &bounds);
            }
        }

        let mut below: &[Lanes] = &self.boxes;
        for level in &mut self.levels {
            for (node, children) in level.iter_mut().zip(below.chunks(LANES)) {
                children
                    .iter()
                    .enumerate()
                    .for_each(|(lane, child)| node.set(lane, &child.around()));
            }
            below = level;
        }
    }

    /// Takes the current leaf sizes as the reference for growth.
    pub(super) fn set_reference(&mut self) {
        self.first_size = self.size();
    }

    /// Growth of the leaves relative to the reference.
    pub(super) fn growth(&self) -> f32 {
        if self.first_size > 0.0 {
            self.size() / self.first_size
        } else {
            1.0
        }
    }

    /// Sum of the leaf sizes relative to the size of the whole: invariant under uniform scaling.
    fn size(&self) -> f32 {
        let nodes = &self.levels[0];
        let leaf = |leaf: usize| nodes[leaf / LANES].get(leaf % LANES).size();
        (0..self.boxes.len()).map(leaf).sum::<f32>() / self.root().size()
    }

    fn root(&self) -> Box32 {
        self.levels[self.levels.len() - 1][0].around()
    }

    pub(super) fn bounds(&self, centre: &Point<3>) -> Aabb<3> {
        self.root().placed(centre)
    }

    /// Starts a traversal of the leaves whose boxes overlap the query.
    #[inline(always)]
    pub(super) fn walk<S: Simd>(&self, simd: S, query: &Box32) -> Walk {
        let level = self.levels.len() - 1;
        let mut walk = Walk {
            level,
            nodes: [0; MOST_LEVELS],
            masks: [0; MOST_LEVELS],
        };
        walk.masks[level] = self.levels[level][0].overlapped(simd, query);

        walk
    }

    /// Returns the next leaf of the traversal and its box, in ascending order. `skip` leaves out a child, given by
    /// the level of its node and its number.
    #[inline(always)]
    pub(super) fn next<S: Simd>(
        &self,
        simd: S,
        walk: &mut Walk,
        query: &Box32,
        skip: impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, Box32)> {
        loop {
            let Walk {
                level,
                nodes,
                masks,
            } = walk;
            let mask = masks[*level];

            if mask == 0 {
                *level += 1;
                if *level == self.levels.len() {
                    return None;
                }
                continue;
            }

            masks[*level] = mask & (mask - 1);
            let (node, lane) = (nodes[*level], mask.trailing_zeros() as usize);
            let child = node * LANES + lane;
            if skip(*level, child) {
                continue;
            }

            if *level == 0 {
                return Some((child, self.levels[0][node].get(lane)));
            }

            *level -= 1;
            nodes[*level] = child;
            masks[*level] = self.levels[*level][child].overlapped(simd, query);
        }
    }

    pub(super) fn assert_valid(&self, count: usize) {
        let mut seen = self.items.clone();
        seen.sort_unstable();
        assert!(
            seen.iter().copied().eq(0..count as u32),
            "every item is in one leaf"
        );
        let mut below = &self.boxes;

        for level in &self.levels {
            for (child, boxes) in below.iter().enumerate() {
                let (around, held) = (boxes.around(), level[child / LANES].get(child % LANES));
                assert_eq!(
                    (around.low, around.up),
                    (held.low, held.up),
                    "box of node {child}"
                );
            }
            below = level;
        }

        assert_eq!(below.len(), 1, "there is one root");
    }
}

/// Sorts the entries so that each aligned group of 8, 64, 512, … is a cell of a kd-tree.
fn order(entries: &mut [(Point<3>, u32)]) {
    if entries.len() <= LANES {
        return;
    }

    let mut chunk = LANES;
    while chunk * LANES < entries.len() {
        chunk *= LANES;
    }

    let middle = entries.len().div_ceil(chunk).div_ceil(2) * chunk;
    let extent = Aabb::of(entries.iter().map(|entry| entry.0)).extent();
    let axis = extent.imax();
    entries.select_nth_unstable_by(middle, |a, b| {
        a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1))
    });
    let (left, right) = entries.split_at_mut(middle);

    crate::parallel::join(|| order(left), || order(right));
}
