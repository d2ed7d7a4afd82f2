//! Hits of the f32 filter: recorded without a branch in the hot loop, decided afterwards.

use crate::broad::{BroadCounters, Pair};

/// Two blocks some of whose bodies may overlap.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hit {
    /// The block of the searching bodies.
    pub(super) lookers: u32,
    pub(super) block: u32,
    /// Four bits for each searching body: which bodies of the other block may overlap it.
    pub(super) may: u32,
}

/// Maximum number of hits recorded before they are decided: 12 kB, within the L1 cache.
const MOST: usize = 1024;

/// The hits of a search, the resulting pairs, and the counters.
#[derive(Clone, Debug)]
pub(super) struct Hits {
    hits: Box<[Hit; MOST]>,
    count: usize,
    pub(super) pairs: Vec<Pair>,
    pub(super) counters: BroadCounters,
}

impl Default for Hits {
    fn default() -> Self {
        let hits = Box::new([Hit::default(); MOST]);
        Self {
            hits,
            count: 0,
            pairs: Vec::new(),
            counters: BroadCounters::default(),
        }
    }
}

impl Hits {
    /// Records the hit if any bit is set. Half of the blocks have none, at random: a branch would
    /// be mispredicted one time in four.
    #[inline]
    pub(super) fn note(&mut self, hit: Hit) {
        self.hits[self.count % MOST] = hit;
        self.count += usize::from(hit.may != 0);
    }

    /// Returns whether the next hit could overwrite the first.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.count >= MOST
    }

    /// Takes all hits; returns them with the pairs and counters to update.
    pub(super) fn drain(&mut self) -> (&[Hit], &mut Vec<Pair>, &mut BroadCounters) {
        let count = std::mem::take(&mut self.count);
        (&self.hits[..count], &mut self.pairs, &mut self.counters)
    }
}
