//! Machine-independent work counters of a broad phase.

use std::ops::AddAssign;

/// Counts since the method was created, or since its counters were reset to
/// [`BroadCounters::default`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BroadCounters {
    /// Comparisons of two ends or keys, when sorting and when scanning sorted lists.
    pub comparisons: u64,
    /// Exchanges of two adjacent entries in an insertion sort.
    pub exchanges: u64,
    /// Pairs tested for overlap, by the filter or exactly.
    pub tests: u64,
    /// Pairs that the f32 filter could not decide and that were tested in f64.
    pub exact_tests: u64,
    /// Builds from scratch.
    pub rebuilds: u64,
    /// Steps answered from a neighbour list.
    pub list_steps: u64,
    /// Bodies that left the neighbour list's skin, or were added, and were looked up one by one.
    pub strays: u64,
}

impl AddAssign for BroadCounters {
    fn add_assign(&mut self, other: Self) {
        self.comparisons += other.comparisons;
        self.exchanges += other.exchanges;
        self.tests += other.tests;
        self.exact_tests += other.exact_tests;
        self.rebuilds += other.rebuilds;
        self.list_steps += other.list_steps;

        self.strays += other.strays;
    }
}
