//! WHICH PARTS MAY: hierarchies over the parts of a body, so that a query looks at few of them.
//!
//! | question | answer by |
//! |---|---|
//! | items that a box, a segment, or what is near a point may touch | [`Bvh::find_overlapping`], [`Bvh::find_along`], [`Bvh::find_within`] |
//! | the nearest item, the least of anything | [`Bvh::nearest`], [`Bvh::least`] |
//! | pairs of items of two trees, of one tree | [`Bvh::find_pairs`], [`Bvh::find_self_pairs`] |
//! | pairs of items of two ball trees, by tighter bounds | [`BallTree::find_refined_pairs`] |
//! | items that move | [`Bvh::refit`], [`Bvh::refit_items`], [`Bvh::update`] |
//!
//! Boxes are built from the top down by the surface-area heuristic ([`Bvh::new`]), balls from the bottom up by best
//! pairs ([`BallTree::build`]); [`Bvh::depths`] and [`Bvh::cost`] tell how well.
//!
//! Each `find` writes a sorted list; the `visit` of the same name calls back instead. Both give candidates, as a leaf
//! may hold up to four items.

mod adaptive;
mod bottom_up;
mod bucket;
mod bvh;
mod bvh_build;
mod bvh_nearest;
mod bvh_pairs;
mod bvh_query;
mod bvh_refit;
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
pub use bvh_refit::{Update, WORN};
pub use solid_tree::{Candidates, Excluded, SolidTree};
pub use statistics::LeafDepths;
pub use volume::Volume;
