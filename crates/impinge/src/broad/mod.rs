//! Who may touch: boxes or balls in, the sorted list of overlapping pairs out.
//!
//! The contract of [`BroadPhase`]: bodies are closed, so touching counts, and whether two overlap is decided without
//! rounding; every overlapping pair that the filters allow is listed exactly once and no other; the list is sorted and the same bytes for any number of threads; it goes into
//! memory that the caller owns and reuses. [`Changes`] tells from two lists which pairs began and which ended.
//!
//! | method | good for | cost of a step |
//! |---|---|---|
//! | [`BruteForce`] | some ten bodies; the oracle | O(N²) |
//! | [`Sweep`] | up to some 20,000 bodies that move little | O(N + exchanges) \[Schinner1997\] |
//! | [`CellSweep`] | the same for any number of bodies | O(N + exchanges) |
//! | [`Columns`] | anything, without memory of the last step | O(N + pairs) \[Stratbuecker2003\] |
//! | [`NeighbourList`] | bodies that move little | O(N + pairs), a fraction of the constant |
//! | [`Auto`] | do not know | the best of the above, chosen anew at every step |
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
pub use columns::{Columns, Levels};
pub use counters::BroadCounters;
pub use list::{NeighbourList, Skin};
pub use pair::{BodyId, Changes, Pair};
pub use paper_columns::{PaperColumns, PaperGrid};
pub use period::Period;
pub use scene::{BroadScene, Filter, InvalidScene, MOST_BODIES};
pub use sweep::Sweep;
pub use try_merge_sort::{MergeSort, try_merge_sort};

/// A method that finds the overlapping pairs of a scene, step after step.
pub trait BroadPhase<const D: usize> {
    /// Replaces the contents of `pairs` by all overlapping pairs of the scene, sorted. After an error `pairs` is
    /// unspecified and the method remains usable.
    fn find_pairs<B: Proxy<D>>(
        &mut self,
        scene: &BroadScene<B, D>,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), InvalidScene>;

    /// What was done so far.
    fn counters(&self) -> BroadCounters;
}
