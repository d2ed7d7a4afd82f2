//! Per-pair data kept between steps, for as long as the bounding boxes of a pair overlap.

use crate::broad::Pair;

/// One value per pair of the broad phase's list, created when a pair begins and dropped when it
/// ends. The cache therefore never exceeds the list of pairs. Values are sorted by pair, so that
/// they can be processed in parallel.
#[derive(Clone, Debug, Default)]
#[doc(alias = "warm start")]
#[doc(alias = "persistent manifold")]
pub struct PairCache<K> {
    kept: Vec<(Pair, K)>,
    /// Buffer of the previous list, reused.
    spare: Vec<(Pair, K)>,
}

impl<K: Default> PairCache<K> {
    /// Drops the pairs that ended and inserts default values for those that began. Both lists must
    /// be sorted, as the broad phase returns them. A pair that began but is already present keeps
    /// its value; one that ended but is absent is ignored.
    ///
    /// ```
    /// use impinge::broad::Pair;
    /// use impinge::narrow::PairCache;
    /// let mut cache = PairCache::<u32>::default();
    /// cache.follow(&[Pair::new(0, 1), Pair::new(1, 2)], &[]);
    /// *cache.get_mut(Pair::new(1, 2)).unwrap() = 7;
    /// cache.follow(&[Pair::new(0, 2)], &[Pair::new(0, 1)]);
    /// assert_eq!(cache.iter().map(|(pair, value)| (pair.a, pair.b, *value)).collect::<Vec<_>>(), [(0, 2, 0), (1, 2, 7)]);
    /// ```
    pub fn follow(&mut self, began: &[Pair], ended: &[Pair]) {
        if !ended.is_empty() {
            self.kept
                .retain(|(pair, _)| ended.binary_search(pair).is_err());
        }

        let known = self.kept.len();
        for &pair in began {
            if self.kept[..known]
                .binary_search_by_key(&pair, |(pair, _)| *pair)
                .is_err()
            {
                self.kept.push((pair, K::default()));
            }
        }

        if self.kept.len() > known {
            // The sort is stable and both runs are sorted, so this is a single merge.
            self.kept.sort_by_key(|(pair, _)| *pair);
            self.kept.dedup_by_key(|(pair, _)| *pair);
        }
    }

    /// Replaces the pairs by a sorted list; pairs that were already present keep their values.
    pub fn replace(&mut self, pairs: &[Pair]) {
        std::mem::swap(&mut self.kept, &mut self.spare);
        let mut old = self.spare.drain(..).peekable();
        for &pair in pairs {
            while old.next_if(|(other, _)| *other < pair).is_some() {}
            let value = old
                .next_if(|(other, _)| *other == pair)
                .map_or_else(K::default, |(_, value)| value);
            self.kept.push((pair, value));
        }
    }
}

impl<K> PairCache<K> {
    /// Returns the value of a pair, or `None` if the pair is not in the list.
    pub fn get_mut(&mut self, pair: Pair) -> Option<&mut K> {
        let at = self
            .kept
            .binary_search_by_key(&pair, |(pair, _)| *pair)
            .ok()?;
        Some(&mut self.kept[at].1)
    }

    /// Iterates over all pairs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Pair, &K)> {
        self.kept.iter().map(|(pair, value)| (*pair, value))
    }

    /// Returns all pairs in order for mutation, also in parallel.
    pub fn as_mut_slice(&mut self) -> &mut [(Pair, K)] {
        &mut self.kept
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests;
