//! Blocks in which the filter found something: noted without a branch in the hot loop, decided afterwards.

use crate::broad::{BroadCounters, Pair};

/// Two blocks of which some bodies may overlap.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hit {
    /// The block of the bodies that looked.
    pub(super) lookers: u32,
    pub(super) block: u32,
    /// Four bits for each of the lookers: which of the other block may overlap it.
    pub(super) may: u32,
}

/// Hits that are noted before they are decided: 12 kB, within the first cache.
const MOST: usize = 1024;

/// The hits of a search, the pairs that came of them, and what was counted.
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
    /// Notes the hit if there is any. Half of the blocks have none, at random: a branch would be guessed wrong every
    /// fourth time.
    #[inline]
    pub(super) fn note(&mut self, hit: Hit) {
        self.hits[self.count % MOST] = hit;
        self.count += usize::from(hit.may != 0);
    }

    /// Whether the next hit may overwrite the first.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.count >= MOST
    }

    /// Takes all hits; and the pairs and counters to which they go.
    pub(super) fn drain(&mut self) -> (&[Hit], &mut Vec<Pair>, &mut BroadCounters) {
        let count = std::mem::take(&mut self.count);
        (&self.hits[..count], &mut self.pairs, &mut self.counters)
    }
}
