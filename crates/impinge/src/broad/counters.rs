//! What a broad phase did, in numbers that do not depend on the machine.

use std::ops::AddAssign;

/// Counts since the method was made or [`BroadCounters::default`] was put in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BroadCounters {
    /// Comparisons of two ends or keys, in sorting and in walking along sorted lists.
    pub comparisons: u64,
    /// Exchanges of two neighbours in an insertion sort.
    pub exchanges: u64,
    /// Pairs of bodies that were tested for overlap, by the filter or exactly.
    pub tests: u64,
    /// Pairs that the f32 filter left to be decided in f64.
    pub exact_tests: u64,
    /// Times that everything was built from scratch.
    pub rebuilds: u64,
    /// Steps that were answered from a kept list.
    pub list_steps: u64,
    /// Bodies that left the kept list's skin, or came anew, and were looked up one by one.
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
