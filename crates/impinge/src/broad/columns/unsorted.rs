//! Pairs that have been found and counted, but not yet sorted.

use crate::broad::Pair;
use crate::broad::sort_pairs::{Found, Merger};

/// The pairs of [`Columns::find_unsorted`](super::Columns::find_unsorted). Their number is known, so that the
/// caller can allocate memory for them, of a type of its own.
///
/// ```
/// use impinge::broad::{BroadScene, Columns};
/// use impinge::space::Aabb;
/// let boxes = [0.0, 0.5, 0.9].map(|x| Aabb::new([x, 0.0, 0.0], [x + 0.6, 1.0, 1.0]));
/// let mut columns = Columns::default();
/// let unsorted = columns.find_unsorted(&BroadScene::of(&boxes))?;
/// let mut pairs = vec![[0i64; 2]; unsorted.len()];
/// unsorted.sort_into(&mut pairs);
/// assert_eq!(pairs, [[0, 1], [1, 2]]);
/// # Ok::<(), impinge::broad::InvalidScene>(())
/// ```
#[derive(Debug)]
pub struct UnsortedPairs<'a> {
    pub(super) found: &'a [Found],
    pub(super) merger: &'a mut Merger,
    pub(super) bodies: usize,
}

impl UnsortedPairs<'_> {
    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.found.iter().map(Found::len).sum()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the pairs in order. Panics if `out` has another length than [`UnsortedPairs::len`].
    pub fn sort_into<T: From<Pair> + Send>(self, out: &mut [T]) {
        assert_eq!(out.len(), self.len(), "room for all pairs");
        self.merger.write(self.found, self.bodies, out);
    }
}
