//! The priority queue of [Aragon2013, Algorithm 1], earliest entry first.

use crate::space::Point;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A contact of two faces at the time of the entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) latest: f64,
    pub(super) certain: bool,
    pub(super) point: Point<3>,
}

/// The action of an entry. Indices refer to nodes or faces of the first and of the second body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Due {
    /// Two nodes of the hierarchies touch: open one of them.
    Nodes([u32; 2]),
    /// Two faces may touch from now on: compute their contact.
    Faces([u32; 2]),
    /// Two faces touch.
    Contact([u32; 2], Touch),
    /// Checks whether touching bodies still touch.
    Parting {
        /// The last time at which they touched.
        touched: f64,
    },
}

impl Due {
    /// Deterministic order of entries that are due at the same time.
    fn rank(&self) -> (u8, [u32; 2]) {
        match *self {
            Self::Contact(faces, _) => (0, faces),
            Self::Parting { .. } => (1, [0; 2]),
            Self::Faces(faces) => (2, faces),
            Self::Nodes(nodes) => (3, nodes),
        }
    }
}

/// An entry of the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) time: f64,
    /// The bodies, in ascending order.
    pub(super) pair: [u32; 2],
    /// The pair's stamp at creation. If the pair now has another stamp, the entry is stale.
    pub(super) stamp: u64,
    pub(super) due: Due,
}

impl Entry {
    fn key(&self) -> (f64, [u32; 2], (u8, [u32; 2])) {
        (self.time, self.pair, self.due.rank())
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// Reversed, so that the max-heap returns the earliest first.
    fn cmp(&self, other: &Self) -> Ordering {
        let ((a, pair_a, rank_a), (b, pair_b, rank_b)) = (self.key(), other.key());
        b.total_cmp(&a)
            .then_with(|| (pair_b, rank_b).cmp(&(pair_a, rank_a)))
    }
}

/// The priority queue.
pub(super) type Queue = BinaryHeap<Entry>;
