//! Output types of a broad phase: body indices, pairs, and changes since the last step.

use std::cmp::Ordering;

/// Index of a body in the caller's slice.
pub type BodyId = u32;

/// Two different bodies, the lower index first. Pairs are ordered by `a`, then by `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pair {
    /// The lower index.
    pub a: BodyId,
    /// The higher index.
    pub b: BodyId,
}

impl Pair {
    /// Creates the pair of two different bodies, given in either order.
    #[inline]
    pub fn new(one: BodyId, other: BodyId) -> Self {
        debug_assert_ne!(one, other, "a body cannot form a pair with itself");
        Self {
            a: one.min(other),
            b: one.max(other),
        }
    }
}

/// Both indices as numpy and others index.
impl From<Pair> for [i64; 2] {
    #[inline]
    fn from(pair: Pair) -> Self {
        [pair.a.into(), pair.b.into()]
    }
}

/// Tracks which pairs begin and end from step to step.
///
/// ```
/// use impinge::broad::{Changes, Pair};
/// let mut changes = Changes::default();
/// changes.update(&[Pair { a: 0, b: 1 }]);
/// changes.update(&[Pair { a: 0, b: 2 }]);
/// assert_eq!(changes.began, [Pair { a: 0, b: 2 }]);
/// assert_eq!(changes.ended, [Pair { a: 0, b: 1 }]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Pairs that are in the latest list but not in the previous one, sorted.
    pub began: Vec<Pair>,
    /// Pairs that were in the previous list but are not in the latest one, sorted.
    pub ended: Vec<Pair>,
    last: Vec<Pair>,
}

impl Changes {
    /// Compares the sorted list with that of the previous call; before the first call the list is
    /// empty.
    pub fn update(&mut self, pairs: &[Pair]) {
        self.began.clear();
        self.ended.clear();
        let (mut old, mut new) = (0, 0);

        while old < self.last.len() && new < pairs.len() {
            match self.last[old].cmp(&pairs[new]) {
                Ordering::Equal => (old, new) = (old + 1, new + 1),
                Ordering::Less => {
                    self.ended.push(self.last[old]);
                    old += 1;
                }
                Ordering::Greater => {
                    self.began.push(pairs[new]);
                    new += 1;
                }
            }
        }

        self.ended.extend_from_slice(&self.last[old..]);
        self.began.extend_from_slice(&pairs[new..]);
        self.last.clear();
        self.last.extend_from_slice(pairs);
    }
}

#[cfg(test)]
mod tests;
