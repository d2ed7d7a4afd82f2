//! Bounding-volume hierarchies over the parts of a body, so that a query tests only a few of them.
//!
//! | query | method |
//! |---|---|
//! | items that may touch a box or a segment, or lie near a point | [`Bvh::find_overlapping`], [`Bvh::find_along`], [`Bvh::find_within`] |
//! | the nearest item, or the item that minimises any bounded value | [`Bvh::nearest`], [`Bvh::least`] |
//! | pairs of items between two trees, or within one | [`Bvh::find_pairs`], [`Bvh::find_self_pairs`] |
//! | pairs of items between two ball trees, filtered by tighter bounds | [`BallTree::find_refined_pairs`] |
//! | moving items | [`Bvh::refit`], [`Bvh::refit_items`], [`Bvh::update`] |
//!
//! Box trees are built top-down by the surface-area heuristic ([`Bvh::new`]), ball trees bottom-up
//! by merging best pairs ([`BallTree::build`]). [`Bvh::depths`] and [`Bvh::cost`] measure the
//! quality of a tree.
//!
//! Each `find` method writes a sorted list; the `visit` method of the same name calls a closure
//! instead. Both yield candidates, because a leaf may contain up to four items.

mod adaptive;
mod bottom_up;
mod bucket;
mod bvh;
mod bvh_build;
mod bvh_nearest;
mod bvh_pairs;
mod bvh_query;
mod bvh_refit;
mod node;
mod solid_tree;
mod statistics;
mod volume;

pub use adaptive::{Dops, Refined, Refinement};
pub use bottom_up::Builder;
pub use bucket::{
    BucketCounters, BucketLevels, BucketMapping, BucketOptions, BucketRoot, BucketTree,
};
pub use bvh::{BallTree, Bvh};
pub use bvh_nearest::Least;
pub(crate) use bvh_query::Segment;
pub use bvh_refit::{REBUILD_COST_RATIO, Update};
pub use solid_tree::{Candidates, Excluded, SolidTree};
pub(crate) use solid_tree::{Hubs, NO_HUB};
pub use statistics::LeafDepths;
pub use volume::Volume;
