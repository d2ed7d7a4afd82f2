//! Broad phase: takes boxes or balls and returns the sorted list of overlapping pairs.
//!
//! Every [`BroadPhase`] fulfils the same contract. Bodies are closed sets, so touching counts as
//! overlap, and the overlap test is exact (free of rounding error). Every overlapping pair that the
//! filters allow is listed exactly once, and no other pair is listed. The list is sorted, bitwise
//! identical for any number of threads, and written into memory that the caller owns and reuses.
//! [`Changes`] compares two successive lists and reports which pairs began and which ended.
//!
//! | method | good for | cost of a step |
//! |---|---|---|
//! | [`BruteForce`] | about ten bodies; reference for the other methods | O(N²) |
//! | [`Sweep`] | up to about 20,000 slowly moving bodies | O(N + exchanges) \[Schinner1997\] |
//! | [`CellSweep`] | any number of slowly moving bodies | O(N + exchanges) |
//! | [`Columns`] | any scene; needs no data from the last step | O(N + pairs) \[Stratbuecker2003\] |
//! | [`NeighbourList`] | slowly moving bodies | O(N + pairs), with a much smaller constant |
//! | [`Auto`] | the default choice | that of the cheapest method, chosen at every step |
//! | [`AnyBroadPhase`] | a method chosen at run time | that of the method |
//!
//! ```
//! use impinge::bound::Ball;
//! use impinge::broad::{Auto, BroadPhase, Pair, BroadScene};
//! let balls = [[0.0, 0.0], [1.5, 0.0], [9.0, 9.0]].map(|c| Ball::new(c, 1.0));
//! let mut pairs = Vec::new();
//! Auto::default().find_pairs(&BroadScene::of(&balls), &mut pairs)?;
//! assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
//! # Ok::<(), impinge::broad::InvalidScene>(())
//! ```

mod auto;
mod body;
mod brute;
mod cell_sweep;
mod columns;
#[cfg(test)]
mod contract;
mod counters;
mod list;
mod method;
mod motion;
mod overlap;
mod pair;
mod paper_columns;
mod period;
mod scene;
mod skin;
mod sort_pairs;
mod sweep;
mod tasks;
mod try_merge_sort;

pub use auto::Auto;
pub use body::{Proxy, ProxyFault, ProxyKind};
pub use brute::BruteForce;
pub use cell_sweep::CellSweep;
pub use columns::{Columns, Levels, UnsortedPairs};
pub use counters::BroadCounters;
pub use list::{NeighbourList, Skin};
pub use method::{AnyBroadPhase, BroadMethod};
pub use pair::{BodyId, Changes, Pair};
pub use paper_columns::{PaperColumns, PaperGrid};
pub use period::Period;
pub use scene::{BroadScene, Filter, InvalidScene, MOST_BODIES};
pub use sweep::Sweep;
pub use try_merge_sort::MergeSort;

/// A broad-phase method, which finds the overlapping pairs of a scene step after step.
pub trait BroadPhase<const D: usize> {
    /// Replaces the contents of `pairs` with all overlapping pairs of the scene, sorted. After an
    /// error the contents of `pairs` are unspecified, but the method remains usable.
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene>;

    /// Returns the work counters accumulated so far.
    fn counters(&self) -> BroadCounters;
}
